// Strings on which a regular expression of the agent, or of a policy, takes many steps.
import assert from "node:assert/strict";
import { test } from "node:test";
import { compile } from "../../../../packages/model/src/policy/compile.ts";
import type { Route } from "../../../../packages/model/src/traffic/snapshot.ts";
import { call } from "../calls.ts";
import { certificate, folder, freePort, httpsEdge, serve, serverCertificate } from "../proxy.ts";
import { rangeOf } from "./situations.ts";

const HOST = "x.example";

/** Statuses of requests to a route that denies what an expression says, and the findings of the check. */
async function denied(
  t: Parameters<typeof serve>[0] & Parameters<typeof folder>[0],
  expression: string,
  targets: string[],
) {
  const value = JSON.stringify({
    on_http_request: [{ expressions: [expression], actions: [{ type: "deny" }] }],
  });
  const { program, findings } = compile(value, "https_edge_route", rangeOf);
  assert.ok(program, JSON.stringify(findings));
  const route: Route = {
    id: "edghtsrt_1",
    match_type: "path_prefix",
    match: "/",
    backend: { backend_id: "bkdhr_1" },
    traffic_policy: { value, program },
  };
  const port = await freePort();
  const { pem } = certificate(folder(t), [HOST]);
  await serve(
    t,
    {
      edges: [httpsEdge("edghts_1", [`${HOST}:${port}`], [route])],
      backends: { bkdhr_1: { kind: "http_response", status_code: 200, headers: {}, body: "" } },
    },
    { certificateFor: () => serverCertificate(pem) },
  );
  const statuses: number[] = [];
  for (const target of targets) statuses.push((await call(port, HOST, target)).status);
  return { statuses, codes: findings.map(({ code }) => code) };
}

test("a query can have thousands of parameters", async (t) => {
  const parameters = (count: number): string => "a=1&".repeat(count);
  const { statuses } = await denied(t, "'b' in req.url.query_params", [
    "/?b",
    ...[0, 100, 407, 408, 409, 2000].flatMap((count) => [
      `/?${parameters(count)}b=2`,
      `/?${parameters(count)}`,
    ]),
    `/?${"a&".repeat(2000)}b`,
    "/?%62",
    `/?${parameters(500)}%62=1`,
    "/?+=1&b",
  ]);
  assert.deepEqual(statuses, [
    403,
    ...Array.from({ length: 6 }, () => [403, 200]).flat(),
    403,
    500,
    500,
    500,
  ]);
});

test("a pattern that repeats a group is reported, and finishes up to a thousand repetitions", async (t) => {
  const { statuses, codes } = await denied(t, "req.url.query.matches('^(a|b)*$')", [
    `/?${"ab".repeat(500)}`,
    `/?${"ab".repeat(480)}c`,
    `/?${"ab".repeat(3000)}`,
  ]);
  assert.deepEqual(statuses, [403, 200, 500]);
  assert.deepEqual(codes, ["pattern_can_fail", "expression_can_fail"]);
});

test("a pattern with a class or a limit in place of a repeated group is not reported", async (t) => {
  const { statuses, codes } = await denied(t, "req.url.query.matches('^[ab]*$|^(?:x|y){0,1000}$')", [
    `/?${"ab".repeat(3000)}`,
    `/?${"xy".repeat(500)}`,
    "/?c",
  ]);
  assert.deepEqual(statuses, [403, 403, 200]);
  assert.deepEqual(codes, ["expression_can_fail"]);
});
