// @module-tag large
import { beforeEach, expect, test } from "vitest";
import { get, post } from "./support/api.ts";
import * as given from "./support/given.ts";
import type { Json } from "./support/json.ts";
import { toPost, toPut } from "./support/operations.ts";
import { empty } from "./support/stored.ts";
import { gapOf } from "./support/turns.ts";

/*
 * What a plan costs in a large world, compared in the same run with what the same world costs otherwise.
 */

beforeEach(() => empty("events"));

/** The shortest of three times that something takes, in milliseconds. */
async function shortest(work: () => Promise<{ status: number; text: string }>): Promise<number> {
  const times: number[] = [];
  for (let i = 0; i < 3; i++) {
    const started = performance.now();
    const { status, text } = await work();
    times.push(performance.now() - started);
    expect(status, text.slice(0, 500)).toBeLessThan(300);
  }
  return Math.min(...times);
}

/** The longest computation without a pause, in milliseconds. */
const MOST = 500;

const POLICIES = 40;

/** Policies with rules, and TCP edges with different combinations of them. */
async function givenCombinations(rulesOfEach: number, edges: number, ends = false): Promise<string[]> {
  const policies: string[] = [];
  for (let i = 0; i < POLICIES; i++) {
    const { id } = await given.ipPolicy();
    const rules = Array.from({ length: rulesOfEach }, (_, j) => ({
      cidr: `${10 + i}.${j >> 8}.${j & 255}.0/24`,
      action: j % 4 === 3 ? "deny" : "allow",
      ...(ends && {
        expires_at:
          new Date(Date.now() + (i * rulesOfEach + j + 1000) * 1000).toISOString().slice(0, 19) + "Z",
      }),
    }));
    const { status, text } = await post(`/transactions`, {
      operations: [toPut(`/ip_policies/${id}/rules`, { rules })],
    });
    expect(status, text).toBe(200);
    policies.push(id);
  }
  const { id: backend_id } = await given.staticBackend();
  const operations = Array.from({ length: edges }, (_, i) =>
    toPost("/edges/tcp", {
      hostports: [`e${i}.example.com:${1000 + i}`],
      backend: { backend_id },
      ip_restriction: {
        ip_policy_ids: policies.filter((__, j) => j === 0 || ((i + 1) >> (j % 8)) % 2 === 1),
      },
    }),
  );
  const made = await post("/transactions", { operations });
  expect(made.status, made.text).toBe(200);
  return policies;
}

const addRule = (ip_policy_id: string | undefined): Json => ({
  operations: [toPost("/ip_policy_rules", { ip_policy_id, cidr: "203.0.113.0/24", action: "allow" })],
});

/** Builds the snapshot again: the isolate keeps what it has built. */
const snapshotAnew = async () => {
  await given.rule({ ip_policy_id: (await given.ipPolicy())["id"] });
  return get("/snapshot");
};

test("T8: one rule in a world of 8,000 rules and 200 combinations takes at most four snapshots, and yields", async () => {
  const [policy] = await givenCombinations(200, 200);
  const preview = () => post("/previews", addRule(policy));
  const first = await preview();
  expect(first.body["totals"]["places_newly_allowed"]).toBe(200);
  expect(first.body["access"]).toHaveLength(2);
  const [planned, snapshot] = [await shortest(preview), await shortest(snapshotAnew)];
  console.info(JSON.stringify({ planned, snapshot, ratio: planned / snapshot }));
  expect(planned).toBeLessThan(4 * snapshot);
  expect(await gapOf(preview, MOST)).toBeLessThan(MOST);
}, 300_000);

test("a comparison of everything that takes too long says so, and yields", async () => {
  await givenCombinations(200, 200, true);
  const extra = (await given.ipPolicy())["id"];
  const edges: Json[] = (await get("/edges/tcp?limit=100")).body["tcp_edges"];
  const operations = edges.map(({ id }) =>
    toPut(`/edges/tcp/${id}/ip_restriction`, { enabled: false, ip_policy_ids: [extra] }),
  );
  const preview = () => post("/previews", { operations });
  const { body } = await preview();
  expect(body["totals"]?.places_to_everyone ?? 100).toBe(100);
  expect(await gapOf(preview, MOST)).toBeLessThan(MOST);
}, 300_000);

const hostports = (count: number, name: string) =>
  Array.from({ length: count }, (_, i) => `${name}${i}.example.com:${i + 1}`);

test.each(["tcp", "https"])(
  "T9: 5,000 hostports of a %s edge beside 5,000 others take at most four dry runs",
  async (kind) => {
    await (kind === "tcp" ? given.tcpEdge : given.httpsEdge)({ hostports: hostports(5_000, "a") });
    const operations = [toPost(`/edges/${kind}`, { hostports: hostports(5_000, "b") })];
    const preview = () => post("/previews", { operations });
    const dryRun = () => post("/transactions", { operations, dry_run: true });
    const [planned, tried] = [await shortest(preview), await shortest(dryRun)];
    console.info(JSON.stringify({ kind, planned, tried, ratio: planned / tried }));
    expect(await gapOf(preview, MOST)).toBeLessThan(MOST);
    expect(planned).toBeLessThan(4 * tried);
  },
  300_000,
);

test("statements of a plan read rows in proportion to what they return", async () => {
  const { id: backend_id } = await given.staticBackend();
  const costs: number[] = [];
  for (const count of [100, 400]) {
    const operations = Array.from({ length: 100 }, (_, i) =>
      toPost("/edges/tls", { hostports: [`x${count}-${i}.example.com:443`], backend: { backend_id } }),
    );
    for (let i = 0; i < count / 100; i++) {
      const made = await post("/transactions", {
        operations: operations.map(({ body, ...rest }, j) => ({
          ...rest,
          body: { ...body, hostports: [`y${count}-${i}-${j}.example.com:443`] },
        })),
      });
      expect(made.status, made.text).toBe(200);
    }
    const policy = (await given.ipPolicy())["id"];
    await given.tcpEdge({
      hostports: [`z${count}.example.com:8443`],
      ip_restriction: { ip_policy_ids: [policy] },
    });
    const { status, cost, text } = await post("/plans", addRule(policy));
    expect(status, text).toBe(201);
    costs.push(cost.rowsRead);
  }
  const [few = 0, many = 0] = costs;
  expect(many).toBeLessThanOrEqual(few + 20);
}, 300_000);
