import { env } from "cloudflare:workers";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { clock, timestamp } from "../../packages/model/src/clock.ts";
import { changesSchema } from "../../packages/model/src/traffic/changes.ts";
import { Replica } from "../../packages/model/src/traffic/replica.ts";
import { newerVersion, waits } from "../../src/traffic/waiting.ts";
import { fillServed, policyId } from "../bench/served.ts";
import { call, del, get, patch, put } from "../support/api.ts";
import { runs } from "../support/effort.ts";
import { newEpoch } from "../support/epoch.ts";
import * as given from "../support/given.ts";
import type { Json } from "../support/json.ts";
import { build, drawn, requested, world } from "../support/random_world.ts";
import { empty } from "../support/stored.ts";

/*
 * Changes of the snapshot, which agents read: whoever applies them has what `GET /snapshot` shows.
 */

beforeEach(async () => {
  await empty("events", "database_epoch");
  // Version 0 is that of an empty log.
  await given.ipPolicy();
});

/** Reads changes as an agent does. */
const changes = async (since?: string) =>
  changesSchema.parse(
    (await get(`/snapshot/changes${since === undefined ? "" : `?since=${encodeURIComponent(since)}`}`)).body,
  );

/** An agent's copy of everything. */
async function whole(): Promise<Replica> {
  const replica = new Replica();
  replica.apply(await changes());
  return replica;
}

const realNow = clock.now;
afterEach(() => {
  clock.now = realNow;
});

const setOf = (ranges: string[]) => [...new Set(ranges)].toSorted();

/** What is stored, in an order that does not depend on the order of changes. */
const contentOf = (replica: Replica): Json =>
  Object.fromEntries(
    Object.entries(replica.toStored()).map(([section, objects]) => [
      section,
      Array.isArray(objects)
        ? objects
            .map((object: Json) =>
              "allow" in object
                ? { ...object, allow: setOf(object["allow"]), deny: setOf(object["deny"]) }
                : object,
            )
            .toSorted((a, b) => (a["id"] < b["id"] ? -1 : 1))
        : objects,
    ]),
  );

/** Asserts that a copy to which changes are applied is what a new one is, and resolves to what the service shows. */
async function expectSame(replica: Replica): Promise<void> {
  replica.apply(await changes(replica.next));
  const anew = await whole();
  expect(contentOf(replica)).toEqual(contentOf(anew));
  expect(replica.snapshot()).toEqual((await get("/snapshot")).body);
}

test("after any changes, the result is that of reading everything, and what GET /snapshot shows", async () => {
  let applied = 0;
  await fc.assert(
    fc.asyncProperty(
      world,
      fc.array(fc.array(drawn, { minLength: 1, maxLength: 5 }), { maxLength: 3 }),
      async (wanted, batches) => {
        await empty("events", "database_epoch");
        await given.ipPolicy();
        const replica = await whole();
        const ids = await build(wanted);
        await expectSame(replica);
        for (const all of batches) {
          for (const { method, path, body } of requested(all, ids)) await call(method, path, body);
          await expectSame(replica);
          // Only rules, which the copy applies to its last snapshot.
          for (const [n, policy] of ids.policies.entries())
            await call("POST", "/ip_policy_rules", {
              ip_policy_id: policy,
              cidr: `192.0.2.${n}/32`,
              action: n % 2 === 0 ? "allow" : "deny",
            });
          await expectSame(replica);
          applied++;
        }
      },
    ),
    runs(24),
  );
  expect(applied).toBeGreaterThan(5);
});

test("every kind of object comes with its creation, its changes and its deletion", async () => {
  const replica = await whole();
  const { id: static_ } = await given.staticBackend({ tls: { enabled: true } });
  const { id: response } = await given.httpResponse({ headers: { "x-a": "b" }, body: "text" });
  const { id: failover } = await given.failover({ backends: [static_, response] });
  const { id: weighted } = await given.weighted({ backends: { [static_]: 3 } });
  const { id: authority } = await given.authority();
  const { id: policy } = await given.ipPolicy();
  const { id: rule } = await given.rule({ ip_policy_id: policy, cidr: "10.0.0.0/8" });
  const { id: tcp } = await given.tcpEdge({
    hostports: ["127.0.0.1:22"],
    backend: { backend_id: failover },
    ip_restriction: { ip_policy_ids: [policy] },
  });
  const { id: tls } = await given.tlsEdge({
    hostports: ["t.example.com:443"],
    backend: { backend_id: weighted },
    tls_termination: { terminate_at: "edge" },
    mutual_tls: { certificate_authority_ids: [authority] },
    traffic_policy: { value: "on_tcp_connect: []" },
  });
  const { id: https } = await given.httpsEdge({
    hostports: ["h.example.com:443"],
    tls_termination: { min_version: "1.3" },
    mutual_tls: { certificate_authority_ids: [authority] },
  });
  const { id: route } = await given.route({
    edge_id: https,
    match_type: "path_prefix",
    match: "/",
    backend: { backend_id: response },
    compression: {},
    request_headers: { add: { a: "b" }, remove: ["c"] },
    response_headers: { add: { a: "b" } },
    user_agent_filter: { deny: ["bot"] },
    circuit_breaker: {},
    websocket_tcp_converter: {},
    traffic_policy: { value: "on_http_request:\n  - actions: [{type: deny, config: {status_code: 403}}]" },
  });
  await expectSame(replica);
  expect(replica.snapshot().edges.map(({ id }) => id)).toEqual([tcp, tls, https]);
  const paths = [
    `/edges/https/${https}/routes/${route}`,
    `/edges/https/${https}`,
    `/edges/tls/${tls}`,
    `/edges/tcp/${tcp}`,
    `/ip_policy_rules/${rule}`,
    `/ip_policies/${policy}`,
    `/backends/failover/${failover}`,
    `/backends/weighted/${weighted}`,
    `/backends/http_response/${response}`,
    `/backends/static/${static_}`,
    `/certificate_authorities/${authority}`,
  ];
  const changed: Json = {
    [`/edges/https/${https}`]: { hostports: ["other.example.com:443"] },
    [`/edges/tcp/${tcp}`]: { hostports: ["127.0.0.1:23"] },
    [`/ip_policy_rules/${rule}`]: { cidr: "10.0.0.0/9" },
    [`/backends/static/${static_}`]: { address: "10.0.0.1:81" },
    [`/backends/weighted/${weighted}`]: { backends: { [static_]: 4 } },
    [`/backends/http_response/${response}`]: { body: "other" },
    [`/backends/failover/${failover}`]: { backends: [response] },
  };
  for (const [path, body] of Object.entries(changed)) {
    expect((await patch(path, body)).status).toBe(200);
    await expectSame(replica);
  }
  for (const path of paths) {
    expect((await del(path)).status, path).toBe(204);
    await expectSame(replica);
  }
  expect(contentOf(replica)["https"]).toEqual([]);
});

test("the routes of an edge without hostports come with its first hostport", async () => {
  const { id } = await given.httpsEdge({ hostports: ["a.example.com:443"] });
  await given.route({ edge_id: id });
  const replica = await whole();
  for (const hostports of [[], ["a.example.com:443"]]) {
    expect((await patch(`/edges/https/${id}`, { hostports })).status).toBe(200);
    await expectSame(replica);
  }
  expect(contentOf(replica)["routes"]).toHaveLength(1);
});

test("two rules for the same range: the range goes with the second", async () => {
  const { id: policy } = await given.ipPolicy();
  const rules = [
    await given.rule({ ip_policy_id: policy, cidr: "10.0.0.0/8" }),
    await given.rule({ ip_policy_id: policy, cidr: "10.0.0.0/8" }),
  ];
  const replica = await whole();
  const rangesNow = (): Json => contentOf(replica)["policies"].find(({ id }: Json) => id === policy)["allow"];
  for (const [index, { id }] of rules.entries()) {
    await del(`/ip_policy_rules/${id}`);
    await expectSame(replica);
    expect(rangesNow()).toEqual(index === 0 ? ["10.0.0.0/8"] : []);
  }
});

test("rules come with their ends, and ended rules stay until they are deleted", async () => {
  const policy = await given.ipPolicy();
  const edge = await given.tcpEdge({
    backend: { backend_id: (await given.staticBackend())["id"] },
    ip_restriction: { ip_policy_ids: [policy["id"]] },
  });
  const start = Math.floor(realNow() / 1000) * 1000;
  const at = (seconds: number) => timestamp(start + seconds * 1000);
  clock.now = () => start;
  const add = (cidr: string, ends?: number) =>
    given.rule({ ip_policy_id: policy["id"], cidr, ...(ends !== undefined && { expires_at: at(ends) }) });
  const replica = await whole();
  const rules = () => replica.snapshot().ip_policies[policy["id"]];
  await add("192.0.2.0/24", 60);
  const longer = await add("192.0.2.0/24", 120);
  await add("203.0.113.0/24", 60);
  await expectSame(replica);
  expect(rules()?.expires_at?.allow).toEqual({ "192.0.2.0/24": at(120), "203.0.113.0/24": at(60) });
  await del(longer["uri"]);
  const forever = await add("203.0.113.0/24");
  await expectSame(replica);
  expect(rules()?.expires_at?.allow).toEqual({ "192.0.2.0/24": at(60) });
  await del(forever["uri"]);
  await expectSame(replica);
  expect(rules()?.expires_at?.allow).toEqual({ "192.0.2.0/24": at(60), "203.0.113.0/24": at(60) });

  // Agents know the time themselves, so what they read does not depend on it.
  clock.now = () => start + 3_600_000;
  await patch(edge["uri"], { description: "x" });
  replica.apply(await changes(replica.next));
  expect(contentOf(replica)).toEqual(contentOf(await whole()));
  expect(rules()?.allow).toEqual(["192.0.2.0/24", "203.0.113.0/24"]);
  expect((await get("/snapshot")).body.ip_policies[policy["id"]]).toEqual({ allow: [], deny: [] });
});

test("all rules of a policy are replaced", async () => {
  const { id: policy } = await given.ipPolicy();
  for (const cidr of ["10.0.0.0/8", "11.0.0.0/8"]) await given.rule({ ip_policy_id: policy, cidr });
  const replica = await whole();
  const rules = [
    { cidr: "11.0.0.0/8", action: "allow" },
    { cidr: "12.0.0.0/8", action: "deny" },
  ];
  expect((await put(`/ip_policies/${policy}/rules`, { rules })).status).toBe(200);
  await expectSame(replica);
});

describe("410, and then everything", () => {
  const gone = async (since: string): Promise<number> =>
    (await get(`/snapshot/changes?since=${encodeURIComponent(since)}`)).status;

  test("for what is not a position", async () => {
    const { next } = await changes();
    for (const since of [
      "x",
      "-",
      next.replace("stored-2", "stored-1"),
      `${next}x`,
      next.replace(/\d+$/, "01"),
    ])
      expect(await gone(since), since).toBe(410);
  });

  test("after a restore", async () => {
    const { next } = await changes();
    await newEpoch();
    await given.tcpEdge({ hostports: ["restored.example.com:443"] });
    expect(await gone(next)).toBe(410);
    expect((await changes()).put.tcp).toHaveLength(1);
  });

  test("for more than 256 changes", async () => {
    const { id: policy } = await given.ipPolicy();
    const { next } = await changes();
    const rules = (count: number) => ({
      rules: Array.from({ length: count }, (_, n) => ({ cidr: `10.0.${n}.0/24`, action: "allow" })),
    });
    // One event is that of the policy.
    await put(`/ip_policies/${policy}/rules`, rules(255));
    const [change] = (await changes(next)).rules;
    expect(change?.allow.add).toHaveLength(255);
    await put(`/ip_policies/${policy}/rules`, rules(256));
    expect(await gone(next)).toBe(410);
  });

  test("for more than 1,000 changes of what is not served, after which the log is not searched", async () => {
    const { next } = await changes();
    const others = (count: number) =>
      env.DB.prepare(
        `insert into events (type, object_id, at, salt, operation_id, principal, origin, object)
          with recursive n (i) as (select 1 union all select i + 1 from n where i < ?)
          select 'bot_user_created.v0', 'bot_' || i, 0, randomblob(10), 'op', '{}', '', '{}' from n`,
      )
        .bind(count)
        .run();
    await others(999);
    await given.tcpEdge({ hostports: ["early.example.com:443"] });
    expect((await changes(next)).put.tcp).toHaveLength(1);
    await others(1);
    expect(await gone(next)).toBe(200);
    await others(1);
    await given.tcpEdge({ hostports: ["late.example.com:443"] });
    expect(await gone(next)).toBe(410);
  });

  test("for changes that the log no longer has", async () => {
    const { next } = await changes();
    await given.tcpEdge({ hostports: ["a.example.com:443"] });
    await given.tcpEdge({ hostports: ["b.example.com:443"] });
    const { version } = await changes();
    await env.DB.prepare("delete from events where seq < ?").bind(version).run();
    expect(await gone(next)).toBe(410);
  });
});

test("a change costs few rows, however much else is stored", async () => {
  for (const statement of fillServed({ edges: 400, rulesOfEach: 3 }, { named: 443, first: 1000 }))
    await env.DB.prepare(statement).run();
  const id = (prefix: string, n: number) => prefix + String(n).padStart(27, "0");
  const edge = id("edghts_", 3);
  const rule = { ip_policy_id: policyId(3), cidr: "192.0.2.1/32", action: "allow" };
  const each: [string, string, Json?][] = [
    ["POST", "/ip_policy_rules", rule],
    ["PATCH", `/ip_policy_rules/${id("ipr_", 10)}`, { cidr: "192.0.2.2/32" }],
    ["PATCH", `/ip_policies/${policyId(3)}`, { description: "changed" }],
    ["PATCH", `/edges/tcp/${id("edgtcp_", 20)}`, { hostports: ["other.example.com:1"] }],
    ["PATCH", `/edges/tls/${id("edgtls_", 21)}`, { hostports: ["other.example.com:2"] }],
    ["PATCH", `/edges/https/${edge}`, { hostports: ["other.example.com:3"] }],
    ["PATCH", `/edges/https/${edge}/routes/${id("edghtsrt_", 3)}`, { match: "/other" }],
    ["PATCH", `/backends/static/${id("bkdsc_", 3)}`, { address: "198.51.100.1:1" }],
    ["PATCH", `/backends/weighted/${id("bkdwd_", 3)}`, { backends: {} }],
    ["DELETE", `/edges/https/${edge}`],
    ["DELETE", `/ip_policies/${policyId(5)}`],
  ];
  let { next } = await changes();
  for (const [method, path, body] of each) {
    await call(method, path, body);
    const answer = await get(`/snapshot/changes?since=${next}`);
    expect(answer.cost.rowsRead, `${method} ${path}`).toBeLessThan(100);
    expect(answer.cost.roundTrips).toBe(2);
    next = answer.body["next"];
  }
});

test("a replica that is behind says nothing", async () => {
  const { next, version } = await changes();
  const ahead = next.replace(/\d+$/, String(version + 5));
  const { from, put: objects, deleted } = await changes(ahead);
  expect([from, objects.tcp, deleted]).toEqual([version + 5, [], []]);
});

test("a copy rejects changes that do not follow its version, and stays as it is", async () => {
  const first = await changes();
  await given.tcpEdge({ hostports: ["a.example.com:443"] });
  const second = await changes(first.next);
  await given.tcpEdge({ hostports: ["b.example.com:443"] });
  const replica = await whole();
  const before = contentOf(replica);
  expect(() => replica.apply(second)).toThrow(/follow version/);
  const unknown = {
    policy: "ipp_0000000000000000000000000",
    allow: { add: [], remove: [] },
    deny: { add: [], remove: [] },
  };
  expect(() => replica.apply({ ...second, from: replica.version ?? 0, rules: [unknown] })).toThrow(
    /unknown policy/,
  );
  expect(contentOf(replica)).toEqual(before);
});

test("a changed rule among 1,000 takes few rows and bytes", async () => {
  const { id: policy } = await given.ipPolicy();
  await put(`/ip_policies/${policy}/rules`, {
    rules: Array.from({ length: 1000 }, (_, n) => ({
      cidr: `10.${n >> 8}.${n & 255}.0/24`,
      action: "allow",
    })),
  });
  const { next } = await changes();
  await given.rule({ ip_policy_id: policy, cidr: "192.0.2.0/24" });
  const { cost, text } = await get(`/snapshot/changes?since=${next}`);
  expect(cost.rowsRead).toBeLessThan(50);
  expect(text.length).toBeLessThan(500);
});

describe("waiting for a change", () => {
  const usual = { ...waits };
  afterEach(() => {
    Object.assign(waits, usual);
  });
  const current = async (): Promise<string> => (await changes()).next;
  /** Asks with a key for what comes after a position. Resolves to the response, with how many milliseconds it took. */
  const ask = async (key: Json, since: string, wait: number) => {
    const begin = Date.now();
    const response = await get(`/snapshot/changes?since=${since}&wait=${wait}`, { token: key["token"] });
    return { ...response, milliseconds: Date.now() - begin };
  };

  /** Resolves once a request is waiting, that is, looks for a change repeatedly. */
  const isWaiting = async () => {
    const look = vi.spyOn(scheduler, "wait");
    await vi.waitFor(() => expect(look).toHaveBeenCalled());
    look.mockRestore();
  };

  test("ends as soon as something that is served changes", async () => {
    const [key, etag] = [await given.key({ role: "agent" }), await current()];
    const waiting = ask(key, etag, 20);
    await isWaiting();
    const { id } = await given.tcpEdge({ hostports: ["waited.example.com:443"] });
    const { body, milliseconds } = await waiting;
    expect(body["put"].tcp.map((edge: Json) => edge["id"])).toEqual([id]);
    expect(milliseconds).toBeLessThan(3000);
  });

  test("ends without changes if nothing changes", async () => {
    const since = await current();
    const { body, milliseconds } = await ask(await given.key({ role: "agent" }), since, 1);
    expect([body["next"], body["put"].tcp, body["deleted"]]).toEqual([since, [], []]);
    expect(milliseconds).toBeGreaterThan(900);
  });

  test("is not for those who are behind, nor for other roles", async () => {
    const etag = await current();
    await given.tcpEdge({ hostports: ["older.example.com:443"] });
    const older = await ask(await given.key({ role: "agent" }), etag, 20);
    const viewer = await ask(await given.key({ role: "viewer" }), await current(), 20);
    expect([older.body["put"].tcp.length, viewer.body["put"].tcp.length]).toEqual([1, 0]);
    expect(older.milliseconds + viewer.milliseconds).toBeLessThan(3000);
  });

  test("ends with 401 if the key is deleted meanwhile", async () => {
    const [key, etag] = [await given.key({ role: "agent" }), await current()];
    const waiting = ask(key, etag, 2);
    await isWaiting();
    expect((await del(`/api_keys/${key["id"]}`)).status).toBe(204);
    expect((await waiting).status).toBe(401);
  });

  test("is bounded for each key and for each isolate", async () => {
    Object.assign(waits, { ofKey: 2, inIsolate: 3 });
    const [key, etag] = [await given.key({ role: "agent" }), await current()];
    const wait = (id: string) => newerVersion(id, 7, 2, async () => 7);
    const waiting = [wait(key["id"]), wait(key["id"])];
    expect((await ask(key, etag, 20)).milliseconds).toBeLessThan(1500);
    waiting.push(wait("another"));
    expect(await wait("a third")).toBe(7);
    expect(await settled(waiting)).toBe(0);
    await Promise.all(waiting);
    expect((await ask(key, etag, 1)).milliseconds).toBeGreaterThan(900);
  });

  test("200 callers read together four times a second, and go on if the one that reads is gone", async () => {
    let [reads, version] = [0, 7];
    const read = async () => {
      reads += 1;
      // A client that disconnects: its promises never resolve.
      if (reads === 3) await new Promise(() => {});
      return version;
    };
    const begin = Date.now();
    const keys = Array.from({ length: 199 }, (_, n) => `key ${n}`);
    const waiting = keys.map((key) => newerVersion(key, 7, 6, read));
    // The third read never ends; a fourth begins once its reader counts as gone.
    await vi.waitFor(() => expect(reads).toBeGreaterThan(3), { timeout: 5000 });
    version = 8;
    // One of them is the reader that is gone.
    await expect.poll(() => settled(waiting), { timeout: 5000 }).toBe(198);
    expect(reads).toBeLessThan(20);
    expect(Date.now() - begin).toBeLessThan(5000);
  });
});

/** How many promises have been resolved. */
async function settled(promises: Promise<unknown>[]): Promise<number> {
  const open = Symbol("open");
  const states = await Promise.all(promises.map((promise) => Promise.race([promise, Promise.resolve(open)])));
  return states.filter((state) => state !== open).length;
}
