import assert from "node:assert/strict";
import { test } from "node:test";
import { counts } from "../../support/counts.ts";
import { edge, type TestService, withServices } from "./services.ts";

/*
 * How much traffic edges and routes get.
 */

let service: TestService;
withServices((started) => (service = started));

/** The beginning of the interval that has ended last. @param length in milliseconds */
const lastOf = (length: number): string =>
  new Date((Math.floor(Date.now() / length) - 1) * length).toISOString();

/** Counts of requests that all took 8 to 16 ms. */
function counted(some: Parameters<typeof counts>[0] & { requests: number }) {
  const all = counts(some);
  all.latency[4] = some.requests;
  return all;
}

const report = (resolution: number, objects: object[]): Promise<{ status: number }> =>
  service.call("PUT", "/agents/lisbon/traffic", {
    resolution,
    at: lastOf(resolution * 1000),
    totals: counts(),
    objects,
    lost: 3,
  });

test("traffic shows all edges, and the intervals of one", async () => {
  const none = await edge(service, ["traffic"]);
  assert.deepEqual(
    [none.code, none.stdout],
    [0, "No agent has reported five minutes of traffic yet. edge traffic EDGE shows each minute.\n"],
  );
  const { body } = await service.call("POST", "/edges/https", { hostports: ["a.example.com:443"] });
  const id = String(body["id"]);
  await service.call("PUT", "/agents/lisbon/status", { ok: true });
  const busy = { requests: 1240, "2xx": 1200, "4xx": 35, "5xx": 5, ip_restriction: 12, limited: 3 } as const;
  assert.equal((await report(300, [{ id, ...counted(busy) }])).status, 204);
  assert.equal((await report(60, [{ id, ...counted(busy) }])).status, 204);

  const all = await edge(service, ["traffic"]);
  assert.equal(all.code, 0, all.stderr);
  assert.equal(
    all.stdout,
    `           █  ${id}  1240 requests in the last hour, 0.4 % failed, 12 denied, 1240 requests in the last day\n`,
  );
  const one = await edge(service, ["traffic", id]);
  const line =
    "1240 requests, 95 % within 15.6 ms, 5 with 5xx, 12 denied, 3 over a limit, 3 not counted (all edges)";
  assert.deepEqual(
    one.stdout.split("\n").map((text) => text.replace(/^\S+Z {2}/, "AT  ")),
    [`AT  ${line}`, `all  ${line}`, ""],
  );
  const json = JSON.parse((await edge(service, ["traffic", id, "--last", "day", "--json"])).stdout);
  assert.deepEqual([json.resolution, json.totals.requests], [300, 1240]);
  const other = await edge(service, ["traffic", id, "--agent", "porto"]);
  assert.match(
    other.stdout,
    /^No agent has reported traffic of this edge in this time, or it was not among the 25 busiest\.\n$/,
  );
  const wrong = await edge(service, ["traffic", id, "--last", "week"]);
  assert.deepEqual([wrong.code, wrong.stderr], [1, "--last must be one of hour, day, month.\n"]);
  const operations = [{ method: "DELETE", path: `/edges/https/${id}` }];
  const plan = String((await service.call("POST", "/plans", { operations })).body["id"]);
  const { stdout } = await edge(service, ["approve", plan]);
  assert.ok(
    stdout.includes(`Traffic in the last hour:\n  ${id}  at least 1240 requests, 12 denied\n`),
    stdout,
  );
});
