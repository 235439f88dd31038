import { afterEach, beforeEach, expect, test } from "vitest";
import { clock } from "../src/clock.ts";
import { forgetAll } from "../src/http/keys.ts";
import { post, put } from "./support/api.ts";
import { givenIpPolicy, givenKey, givenRule } from "./support/given.ts";
import type { Json } from "./support/json.ts";
import { empty } from "./support/stored.ts";

/*
 * Attempts to get around the API restriction, and rejections of those whom it does not concern.
 */

const OFFICE = "198.51.100.7";

let policy = "";
const tokens: Record<string, string> = {};
const realNow = clock.now;

beforeEach(async () => {
  await empty();
  forgetAll();
  ({ id: policy } = await givenIpPolicy());
  await givenRule({ ip_policy_id: policy, cidr: "198.51.100.0/24", action: "allow" });
  for (const role of ["viewer", "editor", "admin"]) tokens[role] = (await givenKey({ role })).token;
});

afterEach(() => {
  clock.now = realNow;
});

/** Options of a request with a role's key from an address. */
const as = (role: string, ip?: string, headers: Record<string, string> = {}) => ({
  token: tokens[role] ?? "",
  headers: { "CF-Connecting-IP": ip, ...headers },
});

const restrict = (body: Json = {}) => put("/api_restriction", { ip_policy_ids: [policy], ...body });

test("an admin applies a plan with a tool for AI agents", async () => {
  await restrict();
  const { id: other } = await givenIpPolicy();
  const body = { ip_policy_id: other, cidr: "192.0.2.0/24", action: "allow" };
  for (const ip_policy_id of [other, policy]) {
    const operations = [{ method: "POST", path: "/ip_policy_rules", body: { ...body, ip_policy_id } }];
    const plan = await post("/plans", { operations }, as("admin", OFFICE));
    const applied = await post(
      "/mcp",
      {
        jsonrpc: "2.0",
        id: 1,
        method: "tools/call",
        params: {
          name: "apply_plan",
          arguments: { plan_id: plan.body["id"], etag: plan.headers.get("ETag") },
        },
      },
      as("admin", OFFICE, { Accept: "application/json, text/event-stream" }),
    );
    expect(applied.body["result"]?.structuredContent, applied.text).toMatchObject({
      results: [{ status: 201 }],
    });
  }
});
