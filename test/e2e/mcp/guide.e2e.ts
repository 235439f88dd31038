import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import type { Json } from "../../support/json.ts";
import { api, connect, origin } from "./service.ts";

/*
 * The questions in docs/ai.md: each call is sent, and the answer is the one in the guide. With UPDATE=1, the answers are written into it.
 */

const GUIDE = "docs/ai.md";

/** Ids in the guide, by those of the service. */
const shown = new Map<string, string>();

/** What the guide shows for an id: its prefix and a number. */
function shownFor(id: string): string {
  const prefix = id.slice(0, id.indexOf("_"));
  const number = [...shown.values()].filter((each) => each.startsWith(`${prefix}_`)).length + 1;
  const known = shown.get(id) ?? `${prefix}_${number}`;
  shown.set(id, known);
  return known;
}

/** A result with the ids, times and ETags of the guide. */
const asShown = (result: unknown): Json =>
  JSON.parse(
    JSON.stringify(result)
      .replaceAll(origin, "https://api.example.com")
      .replaceAll(/[a-z]+_[0-9A-Za-z]{27}\b/g, shownFor)
      .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/g, "2026-01-02T03:04:05Z")
      .replaceAll(/\b[0-9a-f]{8}-(\d+)\\"/g, String.raw`0a1b2c3d-$1\"`),
  ) as Json;

const asSent = (text: string): { name: string; arguments: Json } =>
  JSON.parse([...shown].reduce((sent, [id, name]) => sent.replaceAll(`"${name}"`, `"${id}"`), text)) as {
    name: string;
    arguments: Json;
  };

test("the questions in docs/ai.md have the answers in docs/ai.md", async () => {
  const policy = await api("POST", "/ip_policies", { description: "Lisbon office" });
  const { id: rule } = await api("POST", "/ip_policy_rules", {
    ip_policy_id: policy["id"],
    cidr: "198.51.100.0/24",
    action: "allow",
  });
  await api("PATCH", `/ip_policy_rules/${rule}`, { description: "Both floors" });
  const backend = await api("POST", "/backends/static", { address: "10.0.0.1:5432" });
  const edge = await api("POST", "/edges/tcp", {
    description: "Orders database",
    hostports: ["orders.example.com:5432"],
    backend: { backend_id: backend["id"] },
    ip_restriction: { ip_policy_ids: [policy["id"]] },
  });
  for (const id of [policy["id"], rule, backend["id"], edge["id"]]) shownFor(id);
  const client = await connect("planner", "2026-07-28");
  let guide = readFileSync(GUIDE, "utf8");
  const [, section = ""] = guide.split("## Five questions");
  const pairs = [...section.matchAll(/```json\n([^`]+)```\n\n```json\n([^`]+)```/g)];
  assert.equal(pairs.length, 5);
  for (const [whole, call = "", answer = ""] of pairs) {
    const { structuredContent, isError } = await client.callTool(asSent(call));
    assert.equal(isError, undefined, JSON.stringify(structuredContent));
    const actual = asShown(structuredContent);
    if (process.env["UPDATE"] === undefined) assert.deepEqual(JSON.parse(answer), actual);
    else
      guide = guide.replace(whole, () => whole.replace(answer, () => `${JSON.stringify(actual, null, 2)}\n`));
  }
  if (process.env["UPDATE"] !== undefined) writeFileSync(GUIDE, guide);
});
