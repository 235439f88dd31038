import { beforeEach, expect, test } from "vitest";
import { type Answer, get, post } from "./support/api.ts";
import * as given from "./support/given.ts";
import type { Json } from "./support/json.ts";
import { toDelete, toPatch, toPost, toPut } from "./support/operations.ts";
import { empty, stored } from "./support/stored.ts";

/*
 * Plans: proposed operations with their effect.
 */

beforeEach(() => empty());

const plan = (operations: Json[], more: Json = {}): Promise<Answer> =>
  post("/plans", { operations, ...more });
const apply = (answer: Answer): Promise<Answer> =>
  post(`/plans/${answer.body["id"]}/apply`, undefined, {
    headers: { "If-Match": answer.headers.get("ETag") ?? "" },
  });

test("a plan shows what a new rule changes, and applying it makes the change", async () => {
  const policy = await given.ipPolicy();
  await given.tcpEdge({ ip_restriction: { ip_policy_ids: [policy["id"]] } });
  const made = await plan([
    toPost("/ip_policy_rules", { ip_policy_id: policy["id"], cidr: "203.0.113.0/24", action: "allow" }),
  ]);
  expect(made.status, made.text).toBe(201);
  expect((await get(`/ip_policy_rules`)).body["ip_policy_rules"]).toEqual([]);
  const applied = await apply(made);
  expect(applied.status, applied.text).toBe(200);
  expect((await get(`/ip_policy_rules`)).body["ip_policy_rules"]).toHaveLength(1);
  const again = await apply(made);
  expect(again.headers.get("Idempotent-Replayed")).toBe("true");
});

test("a plan that was applied has the ids of the objects that its operations created", async () => {
  const edge = await given.tcpEdge();
  const { body: https } = await post("/edges/https", { hostports: ["shop.example.com:443"] });
  const routes = `/edges/https/${https["id"]}/routes`;
  const made = await plan([
    toPatch(`/edges/tcp/${edge["id"]}`, { description: "Named" }),
    { ...toPost("/ip_policies"), name: "offices" },
    toPut("/ip_policies/$offices/rules", { rules: [{ cidr: "203.0.113.0/24", action: "allow" }] }),
    toPost(routes, { match: "/a", match_type: "path_prefix" }),
  ]);
  const idsOf = ({ body }: Answer): unknown[] => body["operations"].map(({ object_id }: Json) => object_id);
  const uri = `/plans/${made.body["id"]}`;
  expect(made.status, made.text).toBe(201);
  expect(idsOf(await get(uri))).toEqual([undefined, undefined, undefined, undefined]);
  expect((await apply(made)).status).toBe(200);
  const [policy] = (await get("/ip_policies")).body["ip_policies"];
  const [route] = (await get(`/edges/https/${https["id"]}`)).body["routes"];
  expect(idsOf(await get(uri))).toEqual([undefined, policy.id, undefined, route.id]);
});

const deny = (expression: string): string =>
  JSON.stringify({ on_http_request: [{ expressions: [expression], actions: [{ type: "deny" }] }] });

test("a plan shows the verdict on each traffic policy that changes, and no other", async () => {
  const edge = await given.tcpEdge();
  const https = await post("/edges/https", { hostports: ["shop.example.com:443"] });
  const routes = `/edges/https/${https.body["id"]}/routes`;
  const route = await post(routes, {
    match: "/a",
    match_type: "path_prefix",
    traffic_policy: { value: deny("req.method == 'PUT'") },
  });
  const made = await plan([
    toPatch(`${routes}/${route.body["id"]}`, { match: "/b" }),
    toPut(`${routes}/${route.body["id"]}/traffic_policy`, { value: deny("req.method == 'POST'") }),
    toPost(routes, {
      match: "/c",
      match_type: "path_prefix",
      traffic_policy: { value: deny("conn.geo.country_code == 'PT'") },
    }),
    toPut(`/edges/tcp/${edge["id"]}/traffic_policy`, { value: deny("true") }),
    toDelete(`${routes}/${route.body["id"]}/traffic_policy`),
  ]);
  expect(made.status, made.text).toBe(201);
  const shown = made.body["changes"].map(({ traffic_policy: policy }: Json) => [
    policy?.verdict,
    policy?.findings
      .filter(({ severity }: Json) => severity === "error")
      .map(({ code, path }: Json) => ({ code, path })),
  ]);
  expect(shown).toEqual([
    [undefined, undefined],
    ["enforced", []],
    ["not_enforced", [{ code: "traffic_policy_not_enforced", path: "/on_http_request/0/expressions/0" }]],
    ["invalid", [{ code: "traffic_policy_invalid", path: "/on_http_request" }]],
    [undefined, undefined],
  ]);
});

test("the verdict on a policy counts what its edge lacks after the change", async () => {
  const traffic_policy = {
    value: JSON.stringify({
      on_tcp_connect: [
        { expressions: ["conn.tls.client.subject.common_name == 'a'"], actions: [{ type: "deny" }] },
      ],
    }),
  };
  const body = {
    hostports: ["m.example.com:443"],
    tls_termination: { terminate_at: "edge" },
    traffic_policy,
  };
  const made = await plan([toPost("/edges/tls", body)]);
  const [{ traffic_policy: judged }] = made.body["changes"];
  expect(judged).toMatchObject({
    verdict: "not_enforced",
    findings: [{ severity: "error", code: "traffic_policy_not_enforced" }, { severity: "warning" }],
  });
  expect(judged.findings[0].msg).toContain("it needs mutual_tls");
});

test("a preview is the effect of a plan, of operations or of undoing, and keeps nothing", async () => {
  const policy = await given.ipPolicy();
  await given.tcpEdge({ ip_restriction: { ip_policy_ids: [policy["id"]] } });
  const rule = { ip_policy_id: policy["id"], cidr: "203.0.113.0/24", action: "allow" };
  const added = await post("/ip_policy_rules", rule);
  const operations = [toDelete(`/ip_policy_rules/${added.body["id"]}`)];
  const undo = { operation_id: added.headers.get("Service-Operation-Id") };
  const state = await stored();
  for (const given of [{ operations }, { undo }]) {
    const { status, body, text } = await post("/previews", given);
    expect(status, text).toBe(200);
    expect(Object.keys(body)).toEqual([
      "summary",
      "warnings",
      "totals",
      "changes",
      "problems",
      "truncated",
      "access",
      "later",
    ]);
    expect(body["access"][0]["newly_refused"]).toEqual(["203.0.113.0/24"]);
  }
  expect(await stored()).toEqual(state);
  const rejected = await post("/previews", { operations: [...operations, ...operations] });
  expect([rejected.status, rejected.body["details"]["operation"]]).toEqual([404, "1"]);
  for (const given of [{}, { operations, undo }, { operations, description: "" }])
    expect((await post("/previews", given)).status, JSON.stringify(given)).toBe(400);
});
