// @module-tag thorough
import fc from "fast-check";
import { beforeEach, describe, expect, test } from "vitest";
import { call, del, get, patch, post, put, outcome } from "../support/api.ts";
import { inconsistenciesIn } from "../support/consistency.ts";
import { runs } from "../support/effort.ts";
import * as given from "../support/given.ts";
import type { Json } from "../support/json.ts";
import { toPost } from "../support/operations.ts";
import { empty, stored } from "../support/stored.ts";

/*
 * The rules of a policy as a whole: PUT /ip_policies/{id}/rules.
 */

beforeEach(() => empty());

const etagOf = async (uri: string) => (await get(uri)).headers.get("ETag");

/** The rules of a policy, oldest first, without what differs from run to run. */
const rulesOf = async (id: string): Promise<Json[]> => {
  const { ip_policy_rules = [] } = await stored(["ip_policy_rules"]);
  return ip_policy_rules
    .filter((rule) => rule["ip_policy_id"] === id)
    .toSorted((a, b) => (a["id"] < b["id"] ? -1 : 1));
};

test("rules with the same CIDR and action stay, the others are deleted or created, and each change has its event", async () => {
  const policy = await given.ipPolicy();
  const other = await given.rule({ ip_policy_id: (await given.ipPolicy())["id"], cidr: "10.0.0.0/8" });
  const kept = await given.rule({ ip_policy_id: policy["id"], cidr: "10.0.0.0/8", description: "as it was" });
  await given.rule({ ip_policy_id: policy["id"], cidr: "10.0.0.0/8", description: "the same again" });
  const changed = await given.rule({
    ip_policy_id: policy["id"],
    cidr: "11.0.0.0/8",
    metadata: "x",
    description: "y",
  });
  const gone = await given.rule({ ip_policy_id: policy["id"], cidr: "11.0.0.0/8", action: "deny" });
  const before = await etagOf(policy["uri"]);
  const rules = [
    { cidr: "2001:DB8::/32", action: "deny" },
    { cidr: "11.0.0.0/8", action: "allow", description: "z" },
    { cidr: "10.0.0.0/8", action: "allow", description: "as it was" },
  ];
  const { body, headers, cost } = await put(`${policy["uri"]}/rules`, { rules });
  expect(body).toEqual({ created: 1, updated: 1, deleted: 2, unchanged: 1 });
  expect(cost.roundTrips).toBe(1);
  expect(headers.get("ETag")).toBe(await etagOf(policy["uri"]));
  expect(headers.get("ETag")).not.toBe(before);
  expect((await get(kept["uri"])).body).toEqual(kept);
  const { metadata: _, ...rest } = changed;
  expect((await get(changed["uri"])).body).toEqual({ ...rest, description: "z" });
  expect(outcome(await get(gone["uri"]))).toBe("404 ERR_NOT_FOUND");
  expect((await get(other["uri"])).body).toEqual(other);
  const { events } = (await get("/events?limit=5")).body;
  expect(events.map((event: Json) => event["event_type"]).toReversed()).toEqual([
    "ip_policy_rule_deleted.v0",
    "ip_policy_rule_deleted.v0",
    "ip_policy_rule_updated.v0",
    "ip_policy_rule_created.v0",
    "ip_policy_updated.v0",
  ]);
  const made = events.find((event: Json) => event["event_type"] === "ip_policy_rule_created.v0");
  expect((await get(made["object"].uri)).body).toEqual(made["object"]);
  expect(made["object"].cidr).toBe("2001:db8::/32");
  const updated = events.find((event: Json) => event["event_type"] === "ip_policy_rule_updated.v0");
  expect((await get(changed["uri"])).body).toEqual(updated["object"]);
});

test("PUT of the same rules changes nothing", async () => {
  const policy = await given.ipPolicy();
  const rules = [{ cidr: "10.0.0.0/8", action: "allow", description: "", metadata: "m" }];
  await put(`${policy["uri"]}/rules`, { rules });
  const before = JSON.stringify(await stored());
  const { body, headers, cost } = await put(`${policy["uri"]}/rules`, { rules });
  expect(body).toEqual({ created: 0, updated: 0, deleted: 0, unchanged: 1 });
  expect([cost.rowsWritten, JSON.stringify(await stored())]).toEqual([0, before]);
  expect(headers.get("ETag")).toBe(await etagOf(policy["uri"]));
});

test("a dry run returns the same response, and changes nothing", async () => {
  const policy = await given.ipPolicy();
  await given.rule({ ip_policy_id: policy["id"], cidr: "10.0.0.0/8" });
  const rules = [{ cidr: "11.0.0.0/8", action: "allow" }];
  const before = JSON.stringify(await stored());
  const dry = await put(`${policy["uri"]}/rules?dry_run=true`, { rules });
  expect([dry.status, JSON.stringify(await stored())]).toEqual([200, before]);
  expect((await put(`${policy["uri"]}/rules?dry_run=false`, { rules })).body).toEqual(dry.body);
  expect((await put(`${policy["uri"]}/rules?dry_run=1`, { rules })).body["errors"]).toEqual([
    { path: "dry_run", msg: "Expected true or false." },
  ]);
});

describe("is rejected:", () => {
  test("a CIDR and action that occurs twice, in any spelling", async () => {
    const { uri } = await given.ipPolicy();
    const rules = [
      { cidr: "2001:db8::/32", action: "allow" },
      { cidr: "2001:db8::/32", action: "deny" },
      { cidr: "2001:0DB8:0::/32", action: "allow" },
    ];
    const { status, body } = await put(`${uri}/rules`, { rules });
    expect([status, body["errors"]]).toEqual([
      400,
      [{ path: "/rules/2", msg: "Another rule has the same CIDR and action." }],
    ]);
  });

  test("more than 10,000 rules, an invalid rule, and a body that is not a list", async () => {
    const { uri } = await given.ipPolicy();
    for (const [body, path] of [
      [{}, "/rules"],
      [{ rules: {} }, "/rules"],
      [{ rules: [{ cidr: "10.0.0.1/8", action: "allow" }] }, "/rules/0/cidr"],
      [{ rules: [{ cidr: "10.0.0.0/8", action: "allow", ip_policy_id: "ipp_1" }] }, "/rules/0/ip_policy_id"],
    ] as const)
      expect((await put(`${uri}/rules`, body)).body["errors"]?.[0].path).toBe(path);
    const many = Array.from({ length: 10_001 }, (_, i) => ({
      cidr: `${i >> 8}.${i & 255}.0.0/16`,
      action: "allow",
    }));
    expect(outcome(await put(`${uri}/rules`, { rules: many }))).toBe("400 ERR_INVALID_REQUEST /rules");
  });

  test("a policy that does not exist, a stale condition, another method, a viewer", async () => {
    const policy = await given.ipPolicy();
    const url = `${policy["uri"]}/rules`;
    expect(outcome(await put("/ip_policies/ipp_1/rules", { rules: [] }))).toBe("404 ERR_NOT_FOUND");
    const stale = await etagOf(policy["uri"]);
    await given.rule({ ip_policy_id: policy["id"] });
    const headers = { "If-Match": stale ?? "" };
    for (const suffix of ["", "?dry_run=true"])
      expect((await put(`${url}${suffix}`, { rules: [] }, { headers })).status).toBe(412);
    expect(await rulesOf(policy["id"])).toHaveLength(1);
    const fresh = { "If-Match": (await etagOf(policy["uri"])) ?? "" };
    expect((await put(url, { rules: [] }, { headers: fresh })).status).toBe(200);
    const answer = await call("PATCH", url);
    expect([answer.status, answer.headers.get("Allow")]).toEqual([405, "GET, HEAD, PUT"]);
    const { token } = await given.key({ role: "viewer" });
    expect(outcome(await put(url, { rules: [] }, { token }))).toBe("403 ERR_FORBIDDEN");
  });
});

test("every change of a rule moves its policy's version, without an event of the policy", async () => {
  const policy = await given.ipPolicy();
  const other = await given.ipPolicy();
  const versions: (string | null)[] = [await etagOf(policy["uri"])];
  const untouched = await etagOf(other["uri"]);
  const rule = await given.rule({ ip_policy_id: policy["id"] });
  versions.push(await etagOf(policy["uri"]));
  await patch(rule["uri"], { description: "x" });
  versions.push(await etagOf(policy["uri"]));
  await patch(rule["uri"], {});
  expect(await etagOf(policy["uri"])).toBe(versions.at(-1));
  await del(rule["uri"]);
  versions.push(await etagOf(policy["uri"]));
  const operations = Array.from({ length: 3 }, (_, i) =>
    toPost("/ip_policy_rules", { ip_policy_id: policy["id"], cidr: `10.${i}.0.0/16`, action: "allow" }),
  );
  await post("/transactions", { operations });
  versions.push(await etagOf(policy["uri"]));
  expect(new Set(versions).size).toBe(5);
  expect(versions.at(-1)).toMatch(/-7"$/);
  expect(await etagOf(other["uri"])).toBe(untouched);
  const { events } = (await get(`/events?object_id=${policy["id"]}`)).body;
  expect(events).toHaveLength(1);
});

const drawnRules = fc.uniqueArray(
  fc.record({
    cidr: fc.constantFrom("10.0.0.0/8", "11.0.0.0/8", "::/0", "2001:db8::/32", "192.0.2.1/32"),
    action: fc.constantFrom("allow", "deny"),
    description: fc.constantFrom(undefined, "a", "b", "ü ' \" \\ $ %"),
    metadata: fc.constantFrom(undefined, "m"),
    expires_at: fc.constantFrom(undefined, "", "2050-01-02T03:04:05Z"),
  }),
  { selector: ({ cidr, action }) => `${cidr} ${action}`, maxLength: 8 },
);

test("after a PUT, a policy has exactly the given rules, and only differences were written", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(drawnRules, { minLength: 2, maxLength: 4 }), async (rounds) => {
      await empty();
      const policy = await given.ipPolicy();
      await given.rule({ ip_policy_id: (await given.ipPolicy())["id"] });
      for (const rules of rounds) {
        const before = new Map(
          (await rulesOf(policy["id"])).map((row) => [`${row["cidr"]} ${row["action"]}`, row]),
        );
        const { body } = await put(`${policy["uri"]}/rules`, { rules });
        const after = await rulesOf(policy["id"]);
        const shape = ({ cidr, action, description, metadata, expires_at }: Json) =>
          JSON.stringify([cidr, action, description ?? null, metadata ?? null, expires_at || null]);
        expect(after.map(shape).toSorted()).toEqual(rules.map(shape).toSorted());
        const counts = { created: 0, updated: 0, deleted: 0, unchanged: 0 };
        for (const row of after) {
          const old = before.get(`${row["cidr"]} ${row["action"]}`);
          if (!old) counts.created += 1;
          else if (shape(old) === shape(row)) {
            counts.unchanged += 1;
            expect(row).toEqual(old);
          } else {
            counts.updated += 1;
            expect([row["id"], row["version"]]).toEqual([old["id"], old["version"] + 1]);
          }
        }
        counts.deleted = before.size - counts.updated - counts.unchanged;
        expect(body).toEqual(counts);
      }
      expect(inconsistenciesIn(await stored(), ["ipp_", "ipr_"])).toEqual([]);
    }),
    runs(25),
  );
});

test("10,000 rules take one round trip, and rows are written only for what differs", async () => {
  const { uri } = await given.ipPolicy();
  const rules = Array.from({ length: 10_000 }, (_, i) => ({
    cidr: `10.${i >> 8}.${i & 255}.0/24`,
    action: "allow",
  }));
  const made = await put(`${uri}/rules`, { rules });
  expect([made.body["created"], made.cost.roundTrips]).toEqual([10_000, 1]);
  const same = await put(`${uri}/rules`, { rules });
  expect([same.body["unchanged"], same.cost.rowsWritten]).toEqual([10_000, 0]);
  const changed = await put(`${uri}/rules`, {
    rules: rules.map((rule, i) => (i === 5_000 ? { ...rule, description: "x" } : rule)).slice(0, 9_999),
  });
  expect(changed.body).toEqual({ created: 0, updated: 1, deleted: 1, unchanged: 9_998 });
  expect(changed.cost.rowsWritten).toBeLessThan(12);
  // The log is long now, but only the request's events are read.
  const { uri: other } = await given.ipPolicy();
  const [rule] = rules;
  for (const query of ["?dry_run=true", "", ""]) {
    const { cost, body } = await put(`${other}/rules${query}`, { rules: [rule] });
    expect([body["created"] + body["unchanged"], cost.rowsRead < 100]).toEqual([1, true]);
  }
});

/** The rules of a policy by pages, and the number of pages. */
async function pagesOf(uri: string, query: string): Promise<{ rules: Json[]; pages: number }> {
  const rules: Json[] = [];
  let pages = 0;
  for (let next: string | null = `${uri}/rules${query}`; next; pages++) {
    const { body, status, headers, cost } = await get(next);
    expect([status, headers.get("ETag"), cost.roundTrips]).toEqual([200, await etagOf(uri), 1]);
    rules.push(...body["rules"]);
    next = body["next_page_uri"];
  }
  return { rules, pages };
}

/** A number that sorts CIDRs by family, network and length, computed from 128 bits of the network. */
function orderOf(cidr: string): bigint {
  const [network = "", length] = cidr.split("/");
  if (network.includes("."))
    return (
      network.split(".").reduce((value, octet) => value * 256n + BigInt(octet), 0n) * 1000n +
      BigInt(length ?? 0)
    );
  const [left = "", right] = network.split("::");
  const groups = (text = "") => (text === "" ? [] : text.split(":"));
  const [head, tail] = [groups(left), groups(right)];
  const zeros = Array.from({ length: 8 - head.length - tail.length }, () => "0");
  const value = [...head, ...zeros, ...tail].reduce((all, group) => all * 65_536n + BigInt(`0x${group}`), 0n);
  return (1n << 200n) + value * 1000n + BigInt(length ?? 0);
}

const ipv4 = fc.tuple(fc.nat(0xffffffff), fc.nat(32)).map(([address, length]) => {
  const masked = length === 0 ? 0 : (address >>> (32 - length)) * 2 ** (32 - length);
  return `${[24, 16, 8, 0].map((shift) => Math.floor(masked / 2 ** shift) % 256).join(".")}/${length}`;
});
const ipv6 = fc
  .tuple(
    fc.array(fc.constantFrom("0", "1", "f", "db8", "ffff", "2001"), { minLength: 8, maxLength: 8 }),
    fc.nat(8),
  )
  .map(([groups, kept]) => `${groups.map((group, i) => (i < kept ? group : "0")).join(":")}/${kept * 16}`);

test("paging through the rules returns exactly what was PUT, by network", async () => {
  const drawn = fc.uniqueArray(
    fc.record({
      cidr: fc.oneof(ipv4, ipv6),
      action: fc.constantFrom("allow", "deny"),
      description: fc.constantFrom(undefined, "a", "ü ' \" \\ $ %"),
      metadata: fc.constantFrom(undefined, "m"),
      expires_at: fc.constantFrom(undefined, "2050-01-02T03:04:05Z"),
    }),
    { selector: ({ cidr, action }) => `${cidr} ${action}`, maxLength: 20 },
  );
  await fc.assert(
    fc.asyncProperty(drawn, fc.integer({ min: 1, max: 25 }), async (rules, limit) => {
      await empty();
      const { uri } = await given.ipPolicy();
      await given.rule({ ip_policy_id: (await given.ipPolicy())["id"] });
      const answer = await put(`${uri}/rules`, { rules });
      fc.pre(answer.status === 200);
      const { rules: shown, pages } = await pagesOf(uri, `?limit=${limit}`);
      const order = shown.map(({ cidr }) => orderOf(cidr));
      expect(order).toEqual(order.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0)));
      expect(pages).toBe(Math.max(1, Math.ceil(rules.length / limit)));
      const own = shown.map(({ id: _id, uri: _uri, ...rule }) => rule);
      const again = await put(`${uri}/rules`, { rules: own });
      expect(again.body).toEqual({ created: 0, updated: 0, deleted: 0, unchanged: rules.length });
    }),
    runs(25),
  );
});

test("the ETag of the rules is the one that PUT accepts, and a read is conditional", async () => {
  const { uri, id } = await given.ipPolicy();
  const rule = await given.rule({ ip_policy_id: id });
  const { headers, body } = await get(`${uri}/rules`);
  const { created_at: _1, ip_policy: _2, ...shown } = rule;
  expect(body).toEqual({ rules: [shown], uri: `${uri}/rules`, next_page_uri: null });
  const etag = headers.get("ETag") ?? "";
  expect((await get(`${uri}/rules`, { headers: { "If-None-Match": etag } })).status).toBe(304);
  expect((await put(`${uri}/rules`, { rules: [] }, { headers: { "If-Match": etag } })).status).toBe(200);
  expect((await get(`${uri}/rules`, { headers: { "If-Match": etag } })).status).toBe(412);
  expect((await get(`${uri}/rules`)).body["rules"]).toEqual([]);
});

test("the list of rules rejects an unknown policy, a wrong limit, and a start that is not a rule of the policy", async () => {
  const { uri } = await given.ipPolicy();
  const other = await given.rule({ ip_policy_id: (await given.ipPolicy())["id"] });
  expect(outcome(await get("/ip_policies/ipp_1/rules"))).toBe("404 ERR_NOT_FOUND");
  for (const [query, path] of [
    ["limit=0", "limit"],
    ["limit=10001", "limit"],
    ["after=x", "after"],
    ["after=ipr_1", "after"],
    [`after=${other["id"]}`, "after"],
    ["before_id=ipr_1", "before_id"],
  ]) {
    const { status, body } = await get(`${uri}/rules?${query}`);
    expect([status, body["errors"]?.[0].path], query).toEqual([400, path]);
  }
});

test("10,000 rules are one page, unless they are longer than 4 MB", async () => {
  const { uri } = await given.ipPolicy();
  const rules = Array.from({ length: 10_000 }, (_, i) => ({
    cidr: `10.${i >> 8}.${i & 255}.0/24`,
    action: "allow",
  }));
  await put(`${uri}/rules`, { rules });
  const { body, cost } = await get(`${uri}/rules`);
  expect(body["rules"]).toHaveLength(10_000);
  expect([body["next_page_uri"], cost.roundTrips]).toEqual([null, 1]);
  // The index and the row of each rule; the table in which SQLite adds up bytes counts three times.
  expect(cost.rowsRead).toBeLessThanOrEqual(5 * 10_000 + 2);
  const { uri: heavy, id } = await given.ipPolicy();
  const metadata = "\u0001".repeat(600);
  for (let i = 0; i < 5; i++) {
    const operations = Array.from({ length: 250 }, (_, j) =>
      toPost("/ip_policy_rules", { ip_policy_id: id, cidr: `10.${i}.${j}.0/24`, action: "allow", metadata }),
    );
    expect((await post("/transactions", { operations })).status).toBe(200);
  }
  const { text } = await get(`${heavy}/rules`);
  expect(text.length).toBeGreaterThan(3_900_000);
  expect(text.length).toBeLessThan(4_000_500);
  const { rules: shown, pages } = await pagesOf(heavy, "");
  expect([shown.length, new Set(shown.map((rule) => rule["id"])).size, pages]).toEqual([1_250, 1_250, 2]);
});
