import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { clock, timestamp } from "../../packages/model/src/clock.ts";
import { type Answer, del, get, ORIGIN, patch, put, outcome } from "../support/api.ts";
import * as given from "../support/given.ts";
import type { Json } from "../support/json.ts";
import { empty } from "../support/stored.ts";

/*
 * Access checks. Their laws are in test/laws/access.test.ts, their costs in test/cost.test.ts.
 */

const realNow = clock.now;
afterEach(() => {
  clock.now = realNow;
});

/** A policy with rules, each given as its action and CIDR: `allow 10.0.0.0/8`. */
async function givenPolicy(...rules: string[]): Promise<string> {
  const { id } = await given.ipPolicy();
  for (const rule of rules) {
    const [action, cidr] = rule.split(" ");
    await given.rule({ ip_policy_id: id, action, cidr });
  }
  return id;
}

const restricted = (...ip_policy_ids: string[]) => ({ ip_restriction: { ip_policy_ids } });

/** The result of an access check: `true allow_rule: allow 10.0.0.0/8`. */
const checked = ({ body: { allowed, reason, rules } }: { body: Json }): string =>
  `${allowed} ${reason}${rules.map(({ action, cidr }: Json) => `; ${action} ${cidr}`).join("")}`;

describe.each([
  { kind: "a TCP edge", given: given.tcpEdge },
  { kind: "a TLS edge", given: given.tlsEdge },
  { kind: "a route", given: given.route },
])("$kind", ({ given }) => {
  const ask = async ({ uri }: Json, ip = "10.0.0.1") => checked(await get(`${uri}/access?ip=${ip}`));

  test("without an IP restriction admits every address", async () => {
    expect(await ask(await given())).toBe("true no_restriction");
  });

  test("whose IP restriction is disabled admits every address", async () => {
    const ip_restriction = { enabled: false, ip_policy_ids: [await givenPolicy("deny 0.0.0.0/0")] };
    expect(await ask(await given({ ip_restriction }))).toBe("true restriction_disabled");
  });

  test("whose IP restriction has no policies admits no address", async () => {
    for (const ip_restriction of [{}, { ip_policy_ids: [] }])
      expect(await ask(await given({ ip_restriction }))).toBe("false no_policies");
  });

  test("admits an address if a policy allows it and no policy denies it", async () => {
    const allows = await givenPolicy("allow 10.0.0.0/8", "allow 10.0.0.1/32");
    const denies = await givenPolicy("deny 10.0.0.0/24");
    const edge = await given(restricted(allows, denies, allows));
    expect(await ask(edge)).toBe("false deny_rule; deny 10.0.0.0/24; allow 10.0.0.1/32; allow 10.0.0.0/8");
    expect(await ask(edge, "10.0.1.1")).toBe("true allow_rule; allow 10.0.0.0/8");
    expect(await ask(edge, "11.0.0.1")).toBe("false no_matching_rule");
    await del(`/ip_policies/${denies}`);
    expect(await ask(edge)).toBe("true allow_rule; allow 10.0.0.1/32; allow 10.0.0.0/8");
    await del(`/ip_policies/${allows}`);
    expect(await ask(edge)).toBe("false no_matching_rule");
  });
});

test("the complete response", async () => {
  const policy = await given.ipPolicy();
  const rule = await given.rule({ ip_policy_id: policy["id"], cidr: "2001:DB8:0:0::/32", description: "x" });
  const { uri } = await given.tcpEdge(restricted(policy["id"]));
  const { body } = await get(`${uri}/access?ip=2001:0DB8::0001`);
  expect(body).toEqual({
    ip: "2001:db8::1",
    allowed: true,
    reason: "allow_rule",
    rules: [
      {
        id: rule["id"],
        uri: rule["uri"],
        ip_policy: { id: policy["id"], uri: policy["uri"] },
        cidr: "2001:db8::/32",
        action: "allow",
      },
    ],
  });
  expect((await get(`${policy["uri"]}/access?ip=2001:db8::1`)).body).toEqual(body);
});

test("a policy alone", async () => {
  const id = await givenPolicy("allow 10.0.0.0/8", "deny 10.0.0.1/32");
  const ask = async (ip: string) => checked(await get(`/ip_policies/${id}/access?ip=${ip}`));
  expect(await ask("10.0.0.2")).toBe("true allow_rule; allow 10.0.0.0/8");
  expect(await ask("10.0.0.1")).toBe("false deny_rule; deny 10.0.0.1/32; allow 10.0.0.0/8");
  expect(await ask("::1")).toBe("false no_matching_rule");
  await del(`/ip_policies/${id}`);
  expect(outcome(await get(`/ip_policies/${id}/access?ip=::1`))).toBe("404 ERR_NOT_FOUND");
});

test("an IPv4 address in IPv6 form is IPv4, in addresses and in rules", async () => {
  const id = await givenPolicy("allow 10.0.0.0/8", "allow ::ffff:10.0.0.0/104", "allow ::/0");
  for (const ip of ["10.0.0.1", "::ffff:10.0.0.1", "::ffff:a00:1", "0:0:0:0:0:FFFF:0a00:0001"]) {
    const { body } = await get(`/ip_policies/${id}/access?ip=${ip}`);
    expect(body.ip).toBe("10.0.0.1");
    expect(checked({ body })).toBe("true allow_rule; allow ::ffff:a00:0/104; allow 10.0.0.0/8");
  }
  for (const ip of ["::10.0.0.1", "64:ff9b::10.0.0.1", "2002:a00:1::"])
    expect(checked(await get(`/ip_policies/${id}/access?ip=${ip}`))).toBe("true allow_rule; allow ::/0");
});

test("rules with the same range all match, newest first", async () => {
  const id = await givenPolicy("allow 10.0.0.0/8", "deny 10.0.0.0/8", "allow 10.0.0.0/8");
  const { body } = await get(`/ip_policies/${id}/access?ip=10.0.0.1`);
  expect(checked({ body })).toBe("false deny_rule; allow 10.0.0.0/8; deny 10.0.0.0/8; allow 10.0.0.0/8");
  const ids = body.rules.map((rule: Json) => rule["id"]);
  expect(ids).toEqual(ids.toSorted().toReversed());
});

test("a rule applies as changed", async () => {
  const policy = await given.ipPolicy();
  const { uri } = await given.rule({ ip_policy_id: policy["id"], cidr: "10.0.0.0/8" });
  await patch(uri, { cidr: "11.0.0.0/8" });
  const ask = async (ip: string) => checked(await get(`${policy["uri"]}/access?ip=${ip}`));
  expect([await ask("10.0.0.1"), await ask("11.0.0.1")]).toEqual([
    "false no_matching_rule",
    "true allow_rule; allow 11.0.0.0/8",
  ]);
});

test("an expired rule has no effect", async () => {
  const start = Math.floor(realNow() / 1000) * 1000;
  clock.now = () => start;
  const policy = await given.ipPolicy();
  const at = { ip_policy_id: policy["id"], cidr: "10.0.0.0/8" };
  const { uri } = await given.rule({ ...at, action: "deny", expires_at: timestamp(start + 10_000) });
  await given.rule({ ...at, expires_at: timestamp(start + 20_000) });
  const ask = async (after: number) => {
    clock.now = () => start + after;
    return checked(await get(`${policy["uri"]}/access?ip=10.0.0.1`));
  };
  const both = "false deny_rule; allow 10.0.0.0/8; deny 10.0.0.0/8";
  expect(await ask(0)).toBe(both);
  expect(await ask(9_999)).toBe(both);
  expect(await ask(10_000)).toBe("true allow_rule; allow 10.0.0.0/8");
  expect(await ask(20_000)).toBe("false no_matching_rule");
  expect((await get(uri)).status).toBe(200);
  // Until it is deleted, the rule can be given another expiry, or none.
  await patch(uri, { expires_at: "" });
  expect(await ask(20_000)).toBe("false deny_rule; deny 10.0.0.0/8");
});

describe("a route that is managed elsewhere", () => {
  const at = "/edges/https/edghts_accesselsewhere/routes/edghtsrt_accesselsewhere";
  const access = `${at}/access?ip=10.0.0.1`;

  test("is known only by its IP restriction", async () => {
    expect(outcome(await get(access))).toBe("404 ERR_NOT_FOUND");
    await put(`${at}/compression`, {});
    expect(outcome(await get(access))).toBe("404 ERR_NOT_FOUND");
    await put(`${at}/ip_restriction`, { ip_policy_ids: [await givenPolicy("allow 10.0.0.0/8")] });
    expect(checked(await get(access))).toBe("true allow_rule; allow 10.0.0.0/8");
    await del(`${at}/ip_restriction`);
    expect(outcome(await get(access))).toBe("404 ERR_NOT_FOUND");
  });

  test("cannot be checked in an edge that is an object here, nor can a route of another edge", async () => {
    const route = await given.route();
    const { id } = await given.httpsEdge();
    for (const url of [`/edges/https/${id}/routes/${route["id"]}`, `/edges/https/${id}/routes/edghtsrt_1`])
      expect(outcome(await get(`${url}/access?ip=::1`))).toBe("404 ERR_NOT_FOUND");
  });
});

test("the address is required once, and no other parameter is accepted", async () => {
  const { uri } = await given.tcpEdge();
  expect((await get(`${uri}/access`)).body.errors).toEqual([{ path: "ip", msg: "Required." }]);
  expect((await get(`${uri}/access?ip=::1&ip=::1`)).body.errors).toEqual([
    { path: "ip", msg: "Send this parameter only once." },
  ]);
  expect((await get(`${uri}/access?ip=::1&limit=1`)).body.errors).toMatchObject([{ path: "limit" }]);
});

/** Makes an edge with `count` policies that do not exist. */
async function givenPolicies(count: number, restriction: Json = {}): Promise<Json> {
  const edge = await given.tcpEdge();
  const ip_policy_ids = Array.from({ length: count }, (_, i) => `ipp_many${i}`);
  const stored = JSON.stringify({ enabled: true, ip_policy_ids, ...restriction });
  await env.DB.prepare("update tcp_edges set ip_restriction = ? where id = ?").bind(stored, edge["id"]).run();
  return edge;
}

test("a check does at most 100,000 lookups: an IPv6 address takes 129 for each policy", async () => {
  const [fits, exceeds] = [await givenPolicies(775), await givenPolicies(776)];
  const ask = ({ uri }: Json, ip: string) => get(`${uri}/access?ip=${ip}`);
  expect(checked(await ask(fits, "::1"))).toBe("false no_matching_rule");
  const { status, body } = await ask(exceeds, "::1");
  expect([status, body.errors]).toEqual([
    400,
    [
      {
        path: "ip",
        msg: "This address is in 129 networks and the restriction has 776 policies, which takes more than 100000 lookups. Test each policy instead.",
      },
    ],
  ]);
  expect(checked(await ask(exceeds, "10.0.0.1"))).toBe("false no_matching_rule");
  expect(checked(await ask(await givenPolicies(1_000), "10.0.0.1"))).toBe("false no_matching_rule");
  expect(checked(await ask(await givenPolicies(776, { enabled: false }), "::1"))).toBe(
    "true restriction_disabled",
  );
  const twice = { ip_policy_ids: Array.from({ length: 1_000 }, (_, i) => `ipp_many${i % 2}`) };
  expect(checked(await ask(await givenPolicies(0, twice), "::1"))).toBe("false no_matching_rule");
});

test("at most a thousand matching allow rules are listed, and a deny rule is found among them", async () => {
  const { id, uri } = await given.ipPolicy();
  const fill = (action: string) =>
    env.DB.prepare(
      `with recursive n(i) as (select 1 union all select i + 1 from n where i < 3000)
       insert into ip_policy_rules (id, created_at, cidr, ip_policy_id, action)
       select printf('ipr_${action}%022d', i), '2026-01-02T03:04:05Z', '10.0.0.0/8', ?, '${action}' from n`,
    )
      .bind(id)
      .run();
  await fill("allow");
  const count = (body: Json, action: string) =>
    body["rules"].filter((rule: Json) => rule["action"] === action).length;
  const allowed = await get(`${uri}/access?ip=10.0.0.1`);
  expect([allowed.body.reason, count(allowed.body, "allow")]).toEqual(["allow_rule", 1000]);
  // A deny rule is found regardless of the rules before it.
  await given.rule({ ip_policy_id: id, action: "deny", cidr: "10.0.0.1" });
  const denied = await get(`${uri}/access?ip=10.0.0.1`);
  expect([denied.body.reason, count(denied.body, "deny"), count(denied.body, "allow")]).toEqual([
    "deny_rule",
    1,
    1000,
  ]);
  await del(uri);
});

test("the links of rules lead to them", async () => {
  const id = await givenPolicy("allow 10.0.0.0/8");
  const { body } = await get(`/ip_policies/${id}/access?ip=10.0.0.1`);
  expect(body.rules[0].uri).toBe(`${ORIGIN}/ip_policy_rules/${body.rules[0].id}`);
  expect((await get(body.rules[0].uri)).body.ip_policy).toEqual(body.rules[0].ip_policy);
});

describe("GET /access", () => {
  beforeEach(() => empty());

  /** All items, page by page. */
  async function listed(ip: string, limit?: number): Promise<Json[]> {
    const items: Json[] = [];
    for (let next: string | null = `/access?ip=${ip}${limit === undefined ? "" : `&limit=${limit}`}`; next;) {
      const { body, status, cost }: Answer = await get(next);
      expect([status, cost.roundTrips, body["ip"]]).toEqual([200, 1, ip]);
      if (limit !== undefined) expect(body["access"].length).toBeLessThanOrEqual(limit);
      items.push(...body["access"]);
      next = body["next_page_uri"];
    }
    return items;
  }

  test("agrees with the check of each edge and route, whatever the pages", async () => {
    const allows = await givenPolicy("allow 10.0.0.0/8", "allow ::/0");
    const denies = await givenPolicy("deny 10.0.0.0/24", "allow 192.0.2.0/24");
    const both = restricted(allows, denies);
    const objects: Json[] = [];
    for (const make of [given.tcpEdge, given.tlsEdge, given.route])
      for (const body of [
        {},
        { ip_restriction: {} },
        { ip_restriction: { enabled: false, ip_policy_ids: [denies] } },
        restricted(allows),
        both,
      ])
        objects.push(await make(body));
    await put("/edges/https/edghts_1/routes/edghtsrt_1/ip_restriction", { ip_policy_ids: [denies] });
    objects.push({ id: "edghtsrt_1", uri: `${ORIGIN}/edges/https/edghts_1/routes/edghtsrt_1` });
    await put("/edges/https/edghts_1/routes/edghtsrt_2/compression", {});
    for (const ip of ["10.0.0.1", "10.1.0.1", "192.0.2.1", "2001:db8::1"]) {
      const items = await listed(ip);
      const uris = items.map(({ edge, route }) => (route ?? edge).uri);
      expect(uris.toSorted()).toEqual(objects.map((object) => object["uri"]).toSorted());
      for (const limit of [1, 3, 7, 1_000]) expect(await listed(ip, limit)).toEqual(items);
      for (const { edge, route, allowed, reason, rule } of items) {
        const { body } = await get(`${(route ?? edge).uri}/access?ip=${ip}`);
        expect([allowed, reason]).toEqual([body["allowed"], body["reason"]]);
        if (rule === null) expect(body["rules"]).toEqual([]);
        else expect(body["rules"]).toContainEqual(rule);
        expect(rule?.action).toBe({ allow_rule: "allow", deny_rule: "deny" }[String(reason)]);
      }
    }
  });

  test("a page ends early if its policies take too many lookups", async () => {
    const ip_policy_ids = [];
    for (let i = 0; i < 30; i++) ip_policy_ids.push(await givenPolicy());
    for (let i = 0; i < 60; i++) await given.tcpEdge({ ip_restriction: { ip_policy_ids } });
    const { body } = await get("/access?ip=10.0.0.1");
    expect(body["access"].length).toBe(Math.floor(100_000 / 66 / 30));
    expect(await listed("10.0.0.1")).toHaveLength(60);
  });

  test("rejects what is not an address or a position", async () => {
    for (const [query, path] of [
      ["", "ip"],
      ["ip=x", "ip"],
      ["ip=::1&limit=1001", "limit"],
      ["ip=::1&after=ipp_1", "after"],
      ["ip=::1&after=edghts_1", "after"],
      ["ip=::1&after=edgtcp_1/edghtsrt_1", "after"],
    ]) {
      const { status, body } = await get(`/access?${query}`);
      expect([status, body["errors"]?.[0].path], query).toEqual([400, path]);
    }
    expect((await get("/access?ip=::1&after=edgtls_1")).body["access"]).toEqual([]);
  });
});
