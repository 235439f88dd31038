import { afterEach, beforeEach, expect, test } from "vitest";
import { clock, timestamp } from "../packages/model/src/clock.ts";
import { difference, everyone, networksOf } from "../packages/model/src/traffic/networks.ts";
import { type Answer, post, put } from "./support/api.ts";
import * as given from "./support/given.ts";
import type { Json } from "./support/json.ts";
import { toDelete, toPatch, toPost, toPut } from "./support/operations.ts";
import { empty } from "./support/stored.ts";

/*
 * Ways to open a place that a plan must not pass over in silence, and what it must not claim.
 */

const now = clock.now;
beforeEach(() => empty());
afterEach(() => {
  clock.now = now;
});

const plan = (operations: Json[]): Promise<Answer> => post("/plans", { operations });
const codesOf = ({ body }: Answer): string[] => body["warnings"].map(({ code }: Json) => code);
const message = ({ body }: Answer, code: string): string =>
  body["warnings"].find((warning: Json) => warning["code"] === code)?.msg ?? "";
const inSeconds = (seconds: number): string => timestamp(now() + seconds * 1000);
const EVERYBODY = ["0.0.0.0/0", "::/0"];

/** A policy with rules: `+` or `-`, and a network. */
async function policyWith(...rules: string[]): Promise<string> {
  const { id } = await given.ipPolicy();
  for (const rule of rules)
    await given.rule({
      ip_policy_id: id,
      cidr: rule.slice(1),
      action: rule.startsWith("+") ? "allow" : "deny",
    });
  return id;
}

const to = (backend: Json): Json => ({ backend: { backend_id: backend["id"] } });
const denyAll = JSON.stringify({ on_http_request: [{ actions: [{ type: "deny" }] }] });
const restrictedTo = (...ids: string[]): Json => ({ ip_restriction: { ip_policy_ids: ids } });

test("T1: a deny rule that is to end soon lets in those whom it denies, and has to be confirmed", async () => {
  const policy = await policyWith("+0.0.0.0/0");
  const { id } = await given.rule({ ip_policy_id: policy, cidr: "203.0.113.0/24", action: "deny" });
  await given.tcpEdge({ ...restrictedTo(policy), ...to(await given.staticBackend()) });
  const at = inSeconds(8);
  const made = await plan([toPatch(`/ip_policy_rules/${id}`, { expires_at: at })]);
  const { access, later, totals, summary, warnings }: Json = made.body;
  expect(access).toEqual([]);
  expect(later).toMatchObject([
    { at, newly_allowed: ["203.0.113.0/24"], places: [{ hostport: "tcp.example.com:443" }] },
    { at, places: [{ hostport: null, object: { id: policy } }] },
  ]);
  expect(totals["later_newly_allowed"]).toBe(1);
  expect(summary).toBe("More sources get in later, when rules expire.");
  expect(warnings).toEqual([
    {
      code: "later_newly_allowed",
      msg: `More sources get in when rules expire: tcp.example.com:443 (from ${at}, 203.0.113.0/24).`,
      confirm: true,
    },
  ]);
  expect(made.body["reads"]["until"]).toBe(at);
});

test("a deny rule that ends shuts out for a while: those who come back need no confirmation", async () => {
  const policy = await policyWith("+0.0.0.0/0");
  await given.tcpEdge({ ...restrictedTo(policy), ...to(await given.staticBackend()) });
  const body = { ip_policy_id: policy, cidr: "203.0.113.0/24", action: "deny", expires_at: inSeconds(60) };
  const made = await plan([toPost("/ip_policy_rules", body)]);
  expect(made.body["warnings"]).toMatchObject([{ code: "later_newly_allowed", confirm: false }]);
});

test("an allow rule that no longer ends is listed at the end that it had", async () => {
  const { id: policy } = await given.ipPolicy();
  const at = inSeconds(3_600);
  const rule = { ip_policy_id: policy, cidr: "203.0.113.0/24", action: "allow", expires_at: at };
  const { id } = await given.rule(rule);
  await given.tcpEdge({ ...restrictedTo(policy), ...to(await given.staticBackend()) });
  const made = await plan([toPatch(`/ip_policy_rules/${id}`, { expires_at: "" })]);
  expect(made.body["access"]).toEqual([]);
  expect(made.body["later"]).toMatchObject([{ at, newly_allowed: ["203.0.113.0/24"] }, { at }]);
  expect(made.body["warnings"]).toMatchObject([{ code: "later_newly_allowed", confirm: true }]);
});

test("if a new route opens a path to everybody, sources that stay in when a rule expires are not said to get in later", async () => {
  const { id: policy } = await given.ipPolicy();
  const at = inSeconds(120);
  const rule = { ip_policy_id: policy, cidr: "10.0.0.0/8", action: "allow", expires_at: at };
  await given.rule(rule);
  await given.rule({ ip_policy_id: policy, cidr: "192.0.2.0/24", action: "allow" });
  const backend = await given.staticBackend();
  const { id } = await given.httpsEdge({ hostports: ["www.example.com:443"] });
  await given.route({
    edge_id: id,
    match: "/",
    match_type: "path_prefix",
    ...restrictedTo(policy),
    ...to(backend),
  });
  const add = (fields: Json) =>
    plan([
      toPost(`/edges/https/${id}/routes`, {
        match: "/api",
        match_type: "path_prefix",
        ...fields,
        ...to(backend),
      }),
    ]);
  const open = await add({});
  expect(codesOf(open)).toEqual(["opens_to_everyone", "taken_over"]);
  expect(open.body["later"]).toEqual([]);
  expect(open.body["totals"]["later_newly_allowed"]).toBe(0);

  // Other sources get in immediately. The stay of 10.0.0.0/8 is separate, so it has to be confirmed.
  const { id: other } = await given.ipPolicy();
  for (const cidr of ["10.0.0.0/8", "198.51.100.0/24"])
    await given.rule({ ip_policy_id: other, cidr, action: "allow" });
  const partly = await add(restrictedTo(other));
  expect(codesOf(partly)).toEqual(["newly_allowed", "taken_over", "later_newly_allowed"]);
  expect(message(partly, "later_newly_allowed")).toBe(
    `More sources get in, or stay in, when rules expire: www.example.com:443 under "/api" (from ${at}, 10.0.0.0/8).`,
  );
  expect(partly.body["later"]).toMatchObject([{ at, newly_allowed: ["10.0.0.0/8"] }]);
});

test("if an edge is deleted, sources that stay out when rules expire are not said to be shut out later", async () => {
  const { id: policy } = await given.ipPolicy();
  await given.rule({ ip_policy_id: policy, cidr: "0.0.0.0/0", action: "allow" });
  const denied = { ip_policy_id: policy, cidr: "10.0.0.0/8", action: "deny", expires_at: inSeconds(60) };
  await given.rule(denied);
  const edge = await given.tcpEdge({ ...restrictedTo(policy), ...to(await given.staticBackend()) });
  const closed = await plan([toDelete(`/edges/tcp/${edge["id"]}`)]);
  expect(closed.body["later"]).toEqual([]);
  expect(closed.body["summary"]).toBe("Nobody newly gets in; nobody gets in any more at 1 place.");
  const { id: other } = await given.ipPolicy();
  await given.rule({ ip_policy_id: other, cidr: "192.0.2.0/24", action: "allow" });
  const narrowed = await plan([toPatch(`/edges/tcp/${edge["id"]}`, restrictedTo(other))]);
  expect(narrowed.body["later"]).toMatchObject([{ newly_allowed: [], newly_refused: ["10.0.0.0/8"] }]);
  expect(narrowed.body["summary"]).toMatch(/some sources are shut out, or stay out, when rules expire/);
});

test("T2: however many rules end before, the end that opens most is listed and counted", async () => {
  const policy = await policyWith("+0.0.0.0/0", "-128.0.0.0/1");
  await given.tcpEdge({ ...restrictedTo(policy), ...to(await given.staticBackend()) });
  const rules = Array.from({ length: 60 }, (_, i) => ({
    cidr: `10.0.${i}.0/24`,
    action: "deny",
    expires_at: inSeconds(100 + i),
  }));
  const all = [{ cidr: "0.0.0.0/0", action: "allow" }, ...rules];
  const denied = { cidr: "128.0.0.0/1", action: "deny", expires_at: inSeconds(400 * 86_400) };
  const made = await plan([toPut(`/ip_policies/${policy}/rules`, { rules: [...all, denied] })]);
  const { later, totals }: Json = made.body;
  expect(later).toHaveLength(122);
  expect(later.at(-2)).toMatchObject({ at: denied.expires_at, newly_allowed: ["128.0.0.0/1"] });
  expect(totals["later_newly_allowed"]).toBe(61);
  expect(codesOf(made)).toEqual(["later_newly_allowed"]);
});

test("totals count every place, and items name ten", async () => {
  const policy = await policyWith("+192.0.2.0/24");
  const hostports = Array.from({ length: 25 }, (_, i) => `tcp.example.com:${5000 + i}`);
  await given.tcpEdge({ hostports, ...restrictedTo(policy), ...to(await given.staticBackend()) });
  const body = {
    ip_policy_id: policy,
    cidr: "203.0.113.0/24",
    action: "allow",
    expires_at: inSeconds(3_600),
  };
  const added = toPost("/ip_policy_rules", body);
  const removed = toPut(`/ip_policies/${policy}/rules`, { rules: [] });
  for (const [operations, expected] of [
    [[added], { places_newly_allowed: 25, places_newly_refused: 0 }],
    [[removed], { places_newly_refused: 25, places_to_nobody: 25 }],
  ] as const) {
    const { access, totals }: Json = (await plan([...operations])).body;
    expect(totals).toMatchObject(expected);
    expect(access[0]["places"]).toHaveLength(10);
    expect(access[0]["places_more"]).toBe(15);
  }
  const deny = { ...body, cidr: "192.0.2.7/32", action: "deny" };
  const { later, totals }: Json = (await plan([{ ...added, body: deny }])).body;
  expect(later[0]).toMatchObject({ places_more: 15, newly_allowed: ["192.0.2.7/32"] });
  expect(totals).toMatchObject({ places_newly_refused: 25, later_newly_allowed: 25 });
});

test("T3: who gets in is shown before what objects were and become", async () => {
  const policy = await policyWith("+192.0.2.0/24");
  const open = await given.tcpEdge({
    hostports: ["tcp.example.com:5432"],
    ...restrictedTo(policy),
    ...to(await given.staticBackend()),
  });
  const hostports = Array.from(
    { length: 4_000 },
    (_, i) => `${"a".repeat(60)}.${"b".repeat(60)}.x${i}.com:443`,
  );
  const made = await plan([
    toPost("/edges/https", { hostports }),
    toPut(`/edges/tcp/${open["id"]}/ip_restriction`, { enabled: false, ip_policy_ids: [policy] }),
  ]);
  expect(made.status, made.text.slice(0, 200)).toBe(201);
  const { access, changes, truncated, shown, warnings }: Json = made.body;
  expect([truncated, shown["access"], shown["changes"]]).toEqual([true, access.length, 2]);
  expect(changes[0]["truncated"]).toBe(true);
  expect(access[0]).toMatchObject({ to_everyone: true, places: [{ hostport: "tcp.example.com:5432" }] });
  expect(codesOf(made)).toEqual(["effect_truncated", "opens_to_everyone"]);
  expect(warnings.every(({ confirm }: Json) => confirm)).toBe(true);
});

/** An HTTPS edge with a restricted route at `/admin` and an open one at `/`. */
async function givenRoutes() {
  const policy = await policyWith("+192.0.2.0/24");
  const backend = to(await given.staticBackend());
  const { id: edge_id } = await given.httpsEdge();
  const admin = await given.route({
    edge_id,
    match_type: "path_prefix",
    match: "/admin",
    ...backend,
    ...restrictedTo(policy),
  });
  const open = await given.route({ edge_id, match_type: "path_prefix", match: "/", ...backend });
  return { edge_id, path: `/edges/https/${edge_id}`, admin: admin["id"], open: open["id"] };
}

test.each([
  ["T4: another match", { match: "/admin2" }],
  ["T4: an exact match", { match_type: "exact_path" }],
])("%s leaves the old paths to an open route", async (_, body) => {
  const { path, admin, open } = await givenRoutes();
  const made = await plan([toPatch(`${path}/routes/${admin}`, body)]);
  const [first] = made.body["access"];
  expect(first).toMatchObject({
    to_everyone: true,
    places: [
      {
        hostport: "shop.example.com:443",
        match: { match_type: "path_prefix", match: "/admin" },
        object: { id: open },
        instead_of: { id: admin },
      },
    ],
  });
  expect(codesOf(made)).toContain("opens_to_everyone");
  expect(message(made, "opens_to_everyone")).toBe(
    'Everybody newly gets in at 1 place, which was served before: shop.example.com:443 under "/admin".',
  );
});

test("T5: deleting a restricted route or edge leaves its places to an open one", async () => {
  const { path, admin } = await givenRoutes();
  const made = await plan([toDelete(`${path}/routes/${admin}`)]);
  expect(made.body["access"]).toMatchObject([{ to_everyone: true, to_nobody: false }]);
  expect(codesOf(made)).toEqual(["opens_to_everyone", "taken_over"]);
  const policy = await policyWith("+192.0.2.0/24");
  const backend = to(await given.staticBackend());
  const hostports = ["a.example.com:443"];
  const older = await given.tlsEdge({ hostports, ...backend, ...restrictedTo(policy) });
  await given.tlsEdge({ hostports: ["A.example.com.:443"], ...backend });
  const deletion = await plan([toDelete(`/edges/tls/${older["id"]}`)]);
  expect(deletion.body["access"]).toMatchObject([
    {
      to_everyone: true,
      to_nobody: false,
      places: [{ hostport: hostports[0], instead_of: { id: older["id"] } }],
    },
  ]);
});

test("T6: a hostport moves to an open edge; a TCP port goes to another edge, whatever its name", async () => {
  const policy = await policyWith("+192.0.2.0/24");
  const backend = to(await given.staticBackend());
  const first = await given.tlsEdge({
    hostports: ["a.example.com:443"],
    ...backend,
    ...restrictedTo(policy),
  });
  const second = await given.tlsEdge({ hostports: ["b.example.com:443"], ...backend });
  const moved = await plan([
    toPatch(`/edges/tls/${first["id"]}`, { hostports: [] }),
    toPatch(`/edges/tls/${second["id"]}`, { hostports: ["a.example.com:443", "b.example.com:443"] }),
  ]);
  expect(moved.body["access"]).toMatchObject([
    { to_everyone: true, places: [{ hostport: "a.example.com:443" }] },
  ]);
  expect(moved.body["totals"]).toMatchObject({ places_to_everyone: 1, places_to_nobody: 0 });
  const db = await given.tcpEdge({ hostports: ["db.example.com:5432"], ...backend, ...restrictedTo(policy) });
  const taken = await given.tcpEdge({ hostports: ["other.example.com:5432"], ...backend });
  const away = await plan([toPatch(`/edges/tcp/${db["id"]}`, { hostports: ["db.example.com:6432"] })]);
  const item = away.body["access"].find(({ to_everyone }: Json) => to_everyone);
  expect(item["places"].map(({ hostport }: Json) => hostport).toSorted()).toEqual([
    "db.example.com:5432",
    "other.example.com:5432",
  ]);
  expect(item["places"][0]).toMatchObject({ object: { id: taken["id"] }, instead_of: { id: db["id"] } });
  expect(codesOf(away)).toContain("opens_to_everyone");
});

test("T7: checks that end or change are told, and backends that are enabled", async () => {
  const authority = async () => (await given.authority())["id"];
  const [one, two] = [await authority(), await authority()];
  const backend = to(await given.staticBackend());
  const { id: edge_id } = await given.httpsEdge({ mutual_tls: { certificate_authority_ids: [one] } });
  const route = await given.route({
    edge_id,
    match: "/",
    ...backend,
    traffic_policy: { value: denyAll },
    user_agent_filter: { deny: ["bad"] },
  });
  const [edge, own] = [`/edges/https/${edge_id}`, `/edges/https/${edge_id}/routes/${route["id"]}`];
  const told = async (operation: Json) => {
    const made = await plan([operation]);
    const [item] = made.body["access"];
    expect(made.body["summary"]).not.toMatch(/nobody newly/i);
    return [codesOf(made), item["no_longer"], item["changed"], item["also"]];
  };
  expect(await told(toDelete(`${edge}/mutual_tls`))).toEqual([
    ["check_removed"],
    ["mutual_tls"],
    [],
    ["traffic_policy", "user_agent_filter"],
  ]);
  const more = { certificate_authority_ids: [one, two] };
  expect(await told(toPut(`${edge}/mutual_tls`, more))).toEqual([
    ["check_changed"],
    [],
    ["mutual_tls"],
    ["traffic_policy", "user_agent_filter"],
  ]);
  const quiet = { value: JSON.stringify({ on_http_request: [] }) };
  expect(await told(toPut(`${own}/traffic_policy`, quiet))).toEqual([
    ["check_changed"],
    [],
    ["traffic_policy"],
    ["mutual_tls", "user_agent_filter"],
  ]);
  expect(await told(toPut(`${own}/user_agent_filter`, { deny: [] }))).toEqual([
    ["check_changed"],
    [],
    ["user_agent_filter"],
    ["mutual_tls", "traffic_policy"],
  ]);
  const off = await given.tcpEdge({
    hostports: ["off.example.com:1"],
    backend: { ...backend["backend"], enabled: false },
  });
  const enabled = { ...backend["backend"], enabled: true };
  expect(await told(toPut(`/edges/tcp/${off["id"]}/backend`, enabled))).toEqual([
    ["opens_to_everyone"],
    [],
    [],
    [],
  ]);
});

test("a new check is told, because it can shut out somebody", async () => {
  const { id: edge_id } = await given.httpsEdge({ hostports: ["shop.example.com:443"] });
  const route = await given.route({ edge_id, match: "/", ...to(await given.staticBackend()) });
  const own = `/edges/https/${edge_id}/routes/${route["id"]}`;
  const { id } = await given.authority();
  for (const operation of [
    toPut(`/edges/https/${edge_id}/mutual_tls`, { certificate_authority_ids: [id] }),
    toPut(`${own}/traffic_policy`, { value: denyAll }),
    toPut(`${own}/user_agent_filter`, { deny: ["bad"] }),
  ])
    expect((await plan([operation])).body["summary"]).toBe(
      "Nobody newly gets in; something is newly checked at 1 place, and whom that rejects is not known.",
    );
});

test("a check that ends while nobody is admitted is told if somebody is admitted later", async () => {
  const policy = await policyWith("+0.0.0.0/0");
  await given.rule({ ip_policy_id: policy, cidr: "0.0.0.0/0", action: "deny", expires_at: inSeconds(60) });
  const { id } = await given.authority();
  const edge = await given.tlsEdge({
    ...restrictedTo(policy),
    ...to(await given.staticBackend()),
    mutual_tls: { certificate_authority_ids: [id] },
    tls_termination: { terminate_at: "edge" },
  });
  const made = await plan([toDelete(`/edges/tls/${edge["id"]}/mutual_tls`)]);
  expect(codesOf(made)).toEqual(["check_removed"]);
});

test("an edge that is not served has no places, and one that a backend makes served has", async () => {
  const { id: failover } = await given.failover({ backends: [] });
  const edge = await given.tcpEdge({ backend: { backend_id: failover } });
  const policy = await policyWith("+192.0.2.0/24");
  const restricted = await plan([
    toPut(`/edges/tcp/${edge["id"]}/ip_restriction`, { ip_policy_ids: [policy] }),
  ]);
  expect([restricted.body["access"], codesOf(restricted)]).toEqual([[], []]);
  const { id: leaf } = await given.staticBackend();
  const served = await plan([toPatch(`/backends/failover/${failover}`, { backends: [leaf] })]);
  expect(served.body["access"]).toMatchObject([{ to_everyone: true, newly_allowed: EVERYBODY }]);
});

test("what is managed elsewhere has an item without a place, which counts as one", async () => {
  const policy = await policyWith("+192.0.2.0/24");
  const path = `/edges/https/${given.HTTPS_EDGE}/routes/${given.HTTPS_ROUTE}/ip_restriction`;
  const put = await plan([toPut(path, { ip_policy_ids: [policy] })]);
  expect(put.body["access"]).toMatchObject([
    { from_everyone: true, places: [{ hostport: null, match: null, object: { id: given.HTTPS_ROUTE } }] },
  ]);
  expect(put.body["totals"]["places_newly_refused"]).toBe(1);
  const etag = { "If-Match": put.headers.get("ETag") ?? "" };
  expect((await post(`/plans/${put.body["id"]}/apply`, undefined, { headers: etag })).status).toBe(200);
  const removed = await plan([toDelete(path)]);
  expect(removed.body["access"]).toMatchObject([{ to_everyone: true, to_nobody: false }]);
  expect(message(removed, "opens_to_everyone")).toContain(given.HTTPS_ROUTE);
});

test("a message has no text by callers: matches are in quotes, and new objects are named by their operations", async () => {
  const backend = to(await given.staticBackend());
  const match = "/nobody-newly-gets-in\u{202e}";
  const made = await plan([
    toPost(
      "/edges/https",
      { hostports: ["a.example.com:443"], description: "Nobody newly gets in" },
      { name: "nobody_newly_gets_in" },
    ),
    toPost("/edges/https/$nobody_newly_gets_in/routes", { match_type: "exact_path", match, ...backend }),
    toPost("/edges/tcp", { hostports: ["b.example.com:1"] }, { name: "fine" }),
  ]);
  expect(made.body["warnings"]).toEqual([
    {
      code: "opens_to_everyone",
      msg: 'Everybody newly gets in at 1 place, which was not served before: a.example.com:443 at "/nobody-newly-gets-in\\u202e".',
      confirm: true,
    },
    {
      code: "problem_added",
      msg: "A problem appears: backend not set (the object of operation 2).",
      confirm: false,
    },
  ]);
});

test("places with the same change are one item, which names ten of them", async () => {
  const policy = await policyWith("+192.0.2.0/24");
  const backend = to(await given.staticBackend());
  const hostports = (i: number) => [`a${i}.example.com:443`, `b${i}.example.com:443`];
  const ids: string[] = [];
  for (let i = 0; i < 8; i++) ids.push((await given.tlsEdge({ hostports: hostports(i), ...backend }))["id"]);
  const made = await plan(
    ids.map((id) => toPut(`/edges/tls/${id}/ip_restriction`, { ip_policy_ids: [policy] })),
  );
  expect(made.body["access"]).toHaveLength(1);
  expect(made.body["access"][0]).toMatchObject({ places_more: 6, from_everyone: true });
  expect(made.body["access"][0]["places"]).toHaveLength(10);
  expect(made.body["totals"]).toMatchObject({ places_newly_refused: 16, operations: 8 });
});

test("the largest networks are named first, however many small ones there are", async () => {
  const policy = await policyWith("+10.0.0.0/24");
  await given.tcpEdge({ ...restrictedTo(policy), ...to(await given.staticBackend()) });
  const small = Array.from({ length: 60 }, (_, i) => ({ action: "allow", cidr: `1.0.0.${2 * i}/32` }));
  const large = ["128.0.0.0/1", "8000::/1"].map((cidr) => ({ action: "allow", cidr }));
  const made = await plan([toPut(`/ip_policies/${policy}/rules`, { rules: [...small, ...large] })]);
  const [item] = made.body["access"];
  expect(item["newly_allowed"].slice(0, 2)).toEqual(["128.0.0.0/1", "8000::/1"]);
  expect(item).toMatchObject({ truncated: true });
  expect(message(made, "newly_allowed")).toBe(
    "Some sources newly get in at 1 place: tcp.example.com:443 (128.0.0.0/1, 8000::/1, 1.0.0.0/32 and others, in all 2,147,483,708 IPv4 and 2^127 IPv6 addresses).",
  );
});

test("of many ends, and of many places, a message names the largest", async () => {
  const policy = await policyWith("+0.0.0.0/0", "-0.0.0.0/0");
  await given.tcpEdge({ ...restrictedTo(policy), ...to(await given.staticBackend()) });
  const ends = ["1.0.0.1/32", "1.0.0.2/32", "1.0.0.3/32", "128.0.0.0/1"].map((cidr, i) => ({
    cidr,
    action: "deny",
    expires_at: inSeconds(100 + i),
  }));
  const others = ["0.0.0.0/8", "2.0.0.0/7", "4.0.0.0/6", "8.0.0.0/5", "16.0.0.0/4", "32.0.0.0/3"].map(
    (cidr) => ({
      cidr,
      action: "deny",
    }),
  );
  const rules = [
    { cidr: "0.0.0.0/1", action: "allow" },
    { cidr: "128.0.0.0/1", action: "allow" },
    ...others,
    ...ends,
  ];
  const later = await plan([toPut(`/ip_policies/${policy}/rules`, { rules })]);
  expect(message(later, "later_newly_allowed")).toContain(`(from ${ends[3]?.expires_at}, 128.0.0.0/1)`);

  const backend = to(await given.staticBackend());
  const wide = toPost("/ip_policies", {}, { name: "wide" });
  const made = await plan([
    toPost("/ip_policy_rules", { ip_policy_id: policy, cidr: "::1/128", action: "allow" }),
    wide,
    toPost("/ip_policy_rules", { ip_policy_id: "$wide", cidr: "0.0.0.0/1", action: "allow" }),
    ...["a", "b", "c"].map((name) =>
      toPost("/edges/tcp", {
        hostports: [`${name}.example.com:${name.charCodeAt(0)}`],
        ...restrictedTo(name === "c" ? "$wide" : policy),
        ...backend,
      }),
    ),
  ]);
  expect(message(made, "newly_allowed")).toMatch(
    /^Some sources newly get in at 4 places: c\.example\.com:99 \(0\.0\.0\.0\/1\);/,
  );
});

test("a hostport that another edge takes over is named, among many that stay", async () => {
  const policy = await policyWith("+192.0.2.0/24");
  const hostports = Array.from({ length: 12 }, (_, i) => `a${i}.example.com:443`);
  const backend = to(await given.staticBackend());
  const taking = await given.tlsEdge({ hostports, ...restrictedTo(policy), ...backend });
  const losing = await given.tlsEdge({
    hostports: ["secret.example.com:443"],
    ...restrictedTo(policy),
    ...backend,
  });
  const made = await plan([
    toPatch(`/edges/tls/${losing.id}`, { hostports: [] }),
    toPatch(`/edges/tls/${taking.id}`, {
      hostports: [...hostports, "secret.example.com:443"],
      ip_restriction: { enabled: false },
    }),
  ]);
  expect(message(made, "taken_over")).toContain(
    `: secret.example.com:443 (${taking.id} instead of ${losing.id})`,
  );
});

test("an edge at every address takes over a port, as on machines", async () => {
  const policy = await policyWith("+192.0.2.0/24");
  const backend = to(await given.staticBackend());
  const { id } = await given.tcpEdge({ hostports: ["192.0.2.9:5432"], ...restrictedTo(policy), ...backend });
  await given.tcpEdge({ hostports: ["0.0.0.0:5432"], ...backend });
  const made = await plan([toDelete(`/edges/tcp/${id}`)]);
  expect(codesOf(made)).toEqual(["opens_to_everyone", "taken_over"]);
  expect(made.body["access"][0]["places"]).toMatchObject([{ hostport: "192.0.2.9:5432" }]);
});

test("a route that is managed elsewhere and restricted after the plan was made is not opened by it", async () => {
  const path =
    "/edges/https/edghts_2fCzyKyxGFFQjbGvSPXiVOWCOkX/routes/edghtsrt_2fCzyKyxGFFQjbGvSPXiVOWCOkX/ip_restriction";
  const made = await plan([toPut(path, { enabled: false })]);
  const policy = await policyWith("+192.0.2.0/24");
  await put(path, { ip_policy_ids: [policy] });
  const applied = await post(`/plans/${made.body["id"]}/apply`, undefined, {
    headers: { "If-Match": made.headers.get("ETag") ?? "" },
  });
  expect([applied.status, applied.body["error_code"]]).toEqual([412, "ERR_PLAN_OUTDATED"]);
});

test("::ffff:0:0/96 is nobody, because no client has such an address", async () => {
  const mapped = { 32: [], 128: [{ first: 0xffff_0000_0000n, last: 0xffff_ffff_ffffn }] };
  const rules = Array.from(networksOf(difference(everyone, mapped)), (cidr) => ({ action: "allow", cidr }));
  expect(rules.length).toBeGreaterThan(90);
  const policy = await policyWith("+192.0.2.0/24");
  const edge = {
    hostports: ["tcp.example.com:7000"],
    ...restrictedTo(policy),
    ...to(await given.staticBackend()),
  };
  const { id } = await given.tcpEdge(edge);
  const all = toPut(`/ip_policies/${policy}/rules`, { rules });
  const opened = await plan([all]);
  expect(codesOf(opened)).toEqual(["opens_to_everyone"]);
  expect(opened.body["totals"]).toMatchObject({ places_to_everyone: 1 });
  expect((await put(all["path"], { rules })).status).toBe(200);
  for (const operation of [
    toDelete(`/edges/tcp/${id}/ip_restriction`),
    toPut(all["path"], { rules: EVERYBODY.map((cidr) => ({ action: "allow", cidr })) }),
  ])
    expect((await plan([operation])).body["summary"]).toBe(
      "Nobody newly gets in, and no source is shut out.",
    );
});

test("a policy of the API restriction opens and closes the API, whatever edges use it", async () => {
  const policy = await policyWith("+198.51.100.0/24");
  expect((await put("/api_restriction", { ip_policy_ids: [policy] })).status).toBe(200);
  const rule = { ip_policy_id: policy, action: "allow", cidr: "0.0.0.0/0" };
  const opened = await plan([toPost("/ip_policy_rules", rule)]);
  expect(opened.body["summary"]).toBe("A policy of the API restriction newly lets in some sources.");
  expect(opened.body["warnings"]).toMatchObject([{ code: "newly_allowed", confirm: true }]);
  expect(message(opened, "newly_allowed")).toMatch(
    /^A policy of the API restriction newly lets in some sources: the API restriction \(0\.0\.0\.0\/1/,
  );
  const rules = [{ action: "allow", cidr: "203.0.113.0/24" }];
  const moved = await plan([toPut(`/ip_policies/${policy}/rules`, { rules })]);
  expect(moved.body["summary"]).toBe(
    "A policy of the API restriction newly lets in some sources; a policy of the API restriction shuts out some sources.",
  );
  const edge = {
    hostports: ["ssh.example.com:22"],
    ...restrictedTo(policy),
    ...to(await given.staticBackend()),
  };
  await given.tcpEdge(edge);
  const both = await plan([toPost("/ip_policy_rules", { ...rule, cidr: "192.0.2.0/24" })]);
  expect(both.body["summary"]).toBe(
    "Some sources newly get in at 1 place, and a policy of the API restriction newly lets in some sources.",
  );
  expect(message(both, "newly_allowed")).toContain(
    "ssh.example.com:22 (192.0.2.0/24); the API restriction (192.0.2.0/24).",
  );
  const ends = await plan([
    toPost("/ip_policy_rules", { ...rule, action: "deny", expires_at: inSeconds(3_600) }),
  ]);
  expect(ends.body["summary"]).toMatch(
    /a policy of the API restriction shuts out some sources; a policy of the API restriction lets in other sources when rules expire/,
  );
  expect(ends.body["summary"]).not.toMatch(/nobody newly/i);
});

test("the end of a rule of a policy that nothing uses shuts nobody out", async () => {
  const body = { ip_policy_id: (await given.ipPolicy()).id, action: "allow", cidr: "203.0.113.0/24" };
  const added = toPost("/ip_policy_rules", { ...body, expires_at: inSeconds(3_600) });
  expect((await plan([added])).body["summary"]).toBe("Nobody newly gets in, and no source is shut out.");
});

test("an effect has at most 500 kB, with the URIs of its places", async () => {
  const policy = await policyWith("+0.0.0.0/0");
  const hostports = Array.from({ length: 10 }, (_, i) => `tcp.example.com:${5000 + i}`);
  await given.tcpEdge({ hostports, ...restrictedTo(policy), ...to(await given.staticBackend()) });
  const rules = Array.from({ length: 500 }, (_, i) => ({
    cidr: `10.0.${i >> 8}.${i & 255}/32`,
    action: "deny",
    expires_at: inSeconds(1_000 + i),
  }));
  const body = { rules: [{ cidr: "0.0.0.0/0", action: "allow" }, ...rules] };
  const made = await plan([toPut(`/ip_policies/${policy}/rules`, body)]);
  const { access, later, changes, problems, totals, shown, truncated }: Json = made.body;
  expect(JSON.stringify([access, later, changes, problems]).length).toBeLessThanOrEqual(500_000);
  expect([truncated, totals["later_newly_allowed"]]).toEqual([true, 5_000]);
  expect(shown["later"]).toBe(later.length);
  expect(later.map(({ at }: Json) => at)).toEqual(later.map(({ at }: Json) => at).toSorted());
});

test("a message says how many of the places that everybody gets into were served before", async () => {
  const policy = await policyWith("+192.0.2.0/24");
  const backend = to(await given.staticBackend());
  const ids: string[] = [];
  for (const port of [5001, 5002]) {
    const edge = { hostports: [`tcp.example.com:${port}`], ...restrictedTo(policy), ...backend };
    ids.push((await given.tcpEdge(edge)).id);
  }
  const open = ids.map((id) => toDelete(`/edges/tcp/${id}/ip_restriction`));
  const added = [5003, 5004].map((port) =>
    toPost("/edges/tcp", { hostports: [`tcp.example.com:${port}`], ...backend }),
  );
  for (const [operations, expected] of [
    [open, "2 places, all of which were served before"],
    [[...open, ...added], "4 places, 2 of which were served before"],
    [[...open.slice(1), ...added], "3 places, 1 of which was served before"],
    [added, "2 places, none of which was served before"],
  ] as const)
    expect(message(await plan([...operations]), "opens_to_everyone")).toContain(`at ${expected}: `);
});

test("a rule that a replacement keeps can be changed and deleted by later operations", async () => {
  const { id: policy } = await given.ipPolicy();
  const kept = { cidr: "203.0.113.0/24", action: "allow" };
  const { id } = await given.rule({ ip_policy_id: policy, ...kept });
  await given.rule({ ip_policy_id: policy, ...kept });
  await given.tcpEdge({ ...restrictedTo(policy), ...to(await given.staticBackend()) });
  const replaced = toPut(`/ip_policies/${policy}/rules`, { rules: [kept] });
  const path = `/ip_policy_rules/${id}`;
  const moved = await plan([replaced, toPatch(path, { cidr: "198.51.100.0/24" })]);
  expect(moved.body["access"][0]).toMatchObject({
    newly_allowed: ["198.51.100.0/24"],
    newly_refused: ["203.0.113.0/24"],
  });
  const deleted = await plan([replaced, toDelete(path)]);
  expect(deleted.body["access"][0]).toMatchObject({ newly_refused: ["203.0.113.0/24"] });
});
