import fc from "fast-check";
import { beforeEach, describe, expect, test } from "vitest";
import { clock } from "../packages/model/src/clock.ts";
import { type Answer, call, create, get, post, put, routes, outcome } from "./support/api.ts";
import { inconsistenciesIn } from "./support/consistency.ts";
import { contract } from "./support/contract.ts";
import { bodySchema, prefixesIn, resolved } from "./support/document.ts";
import { runs } from "./support/effort.ts";
import { accepted, collections, documented, exampleOf, requiredOf } from "./support/examples.ts";
import * as given from "./support/given.ts";
import type { Json } from "./support/json.ts";
import { toDelete, toPatch, toPost, toPut } from "./support/operations.ts";
import { empty, stored } from "./support/stored.ts";

/*
 * Transactions: several operations in one batch, all or nothing.
 */

const transact = (
  operations: Json[],
  more: Json = {},
  headers: Record<string, string> = {},
): Promise<Answer> => post("/transactions", { operations, ...more }, { headers });

const POLICY = toPost("/ip_policies", { description: "office" });
const prefixes = collections.map(({ prefix }) => prefix);

/** The stored data, without the idempotency records. */
const state = async (): Promise<string> => {
  const { idempotency_records: _, ...rows } = await stored();
  return JSON.stringify(rows);
};

const consistent = async () => expect(inconsistenciesIn(await stored(), prefixes)).toEqual([]);

beforeEach(() => empty());

test("operations take effect in order, and each gets a response", async () => {
  const { body, status } = await transact([
    { ...POLICY, name: "office" },
    toPost("/ip_policy_rules", { ip_policy_id: "$office", cidr: "192.0.2.0/24", action: "allow" }),
    toPatch("/ip_policies/$office", { metadata: "x" }),
    toPost("/edges/https", { hostports: ["a.example.com:443"] }, { name: "edge" }),
    toPost(
      "/edges/https/$edge/routes",
      { match_type: "exact_path", match: "/", ip_restriction: { ip_policy_ids: ["$office"] } },
      { name: "route" },
    ),
    toPut("/edges/https/$edge/routes/$route/compression"),
    toDelete("/edges/https/$edge/routes/$route/ip_restriction"),
    toPost("/event_subscriptions", {}, { name: "subscription" }),
    toPost("/event_subscriptions/$subscription/sources", { type: "ip_policy_created.v0" }),
    toDelete("/ip_policies/$office"),
  ]);
  expect(status).toBe(200);
  const results: Json[] = body["results"];
  expect(results.map((one) => one["status"])).toEqual([201, 201, 200, 201, 201, 200, 204, 201, 201, 204]);
  const [policy, rule, , edge, route] = results.map((one) => one["body"]);
  expect(rule["ip_policy"]["id"]).toBe(policy["id"]);
  const shown = await get(edge["uri"]);
  expect(shown.body["routes"]).toEqual([{ ...route, compression: { enabled: true }, ip_restriction: null }]);
  expect(outcome(await get(policy["uri"]))).toBe("404 ERR_NOT_FOUND");
  expect(outcome(await get(rule["uri"]))).toBe("404 ERR_NOT_FOUND");
  // An ETag is that of the object right after its operation. The policy's version has already moved with its rule.
  expect(results[2]?.["etag"]).toMatch(/-3"$/);
  expect(results.filter((one) => one["body"] !== null && one["status"] !== 201)).toEqual([]);
  const { events } = (await get("/events")).body;
  expect(events.map((event: Json) => event["event_type"]).toReversed()).toEqual([
    "ip_policy_created.v0",
    "ip_policy_rule_created.v0",
    "ip_policy_updated.v0",
    "https_edge_created.v0",
    "https_edge_route_created.v0",
    "https_edge_route_updated.v0",
    "https_edge_route_updated.v0",
    "event_subscription_created.v0",
    "event_subscription_updated.v0",
    "ip_policy_deleted.v0",
  ]);
  await consistent();
});

describe("rejected as a whole, naming the operation that caused it:", () => {
  const cases: Record<string, () => Promise<[operation: Json, answer: string, error?: Json]>> = {
    "an object that does not exist": async () => [
      toPatch("/ip_policies/ipp_1", { description: "x" }),
      "404 ERR_NOT_FOUND",
    ],
    "an id of another kind": async () => [toDelete("/ip_policies/bot_1"), "404 ERR_NOT_FOUND"],
    "a reference to a missing object": async () => [
      toPost("/edges/tcp", { ip_restriction: { ip_policy_ids: ["ipp_1"] } }),
      "400 ERR_UNKNOWN_REFERENCE",
      {
        path: "/operations/1/body/ip_restriction/ip_policy_ids/0",
        msg: "There is no object with this id.",
      },
    ],
    "an object in use": async () => {
      const { id } = await given.httpResponse();
      await given.tcpEdge({ backend: { backend_id: id } });
      return [toDelete(`/backends/http_response/${id}`), "409 ERR_IN_USE"];
    },
    "another route with the same match": async () => {
      const { edge_id, match, match_type } = await given.route();
      return [toPost(`/edges/https/${edge_id}/routes`, { match, match_type }), "409 ERR_CONFLICT"];
    },
    "a stale condition": async () => {
      const { id } = await given.ipPolicy();
      const operation = toPatch(`/ip_policies/${id}`, { description: "x" }, { if_match: '"old"' });
      return [operation, "412 ERR_PRECONDITION_FAILED"];
    },
    "a cycle": async () => {
      const { id } = await given.failover();
      const msg = "A backend must not contain itself, directly or through other backends.";
      return [
        toPatch(`/backends/failover/${id}`, { backends: [id] }),
        "400 ERR_INVALID_REQUEST",
        { path: "/operations/1/body/backends", msg },
      ];
    },
    "an operation that only admins can call": async () => [
      toPost("/event_subscriptions", { sources: [{ type: "api_key_created.v0" }] }),
      "403 ERR_FORBIDDEN",
    ],
  };

  test.each(Object.entries(cases))("%s", async (_, make) => {
    const [operation, answer, error] = await make();
    const before = await state();
    const { token } = await given.key({ role: "editor" });
    const afterKey = await state();
    expect(afterKey).not.toBe(before);
    for (const [n, operations] of [
      [1, [POLICY, operation, POLICY]],
      [0, [operation]],
    ] as const)
      for (const [more, headers] of [
        [{}, {}],
        [{ dry_run: true }, {}],
        [{}, { "Idempotency-Key": "one" }],
      ] as const) {
        const rejected = await post("/transactions", { operations, ...more }, { token, headers });
        expect(`${rejected.status} ${rejected.body["error_code"]}`).toBe(answer);
        expect(rejected.body["details"]["operation"]).toBe(String(n));
        expect(rejected.body["msg"]).toMatch(`Operation ${n}: `);
        const path = error && String(error["path"]).replace("/operations/1/", `/operations/${n}/`);
        if (error) expect(rejected.body["errors"]).toEqual([{ ...error, path }]);
        const { api_keys: _, ...rows } = await stored();
        const { api_keys: __, ...old } = JSON.parse(afterKey);
        delete rows["idempotency_records"];
        expect(rows).toEqual(old);
      }
  });

  test("the first of several errors is reported, even if a later operation is rejected before any statement is sent", async () => {
    const { status, body } = await transact([
      POLICY,
      toDelete("/ip_policies/ipp_1"),
      toDelete("/ip_policies/bot_1"),
    ]);
    expect([status, body["details"]["operation"]]).toEqual([404, "1"]);
  });

  test("a backend cannot be deleted if an earlier operation has put it to use", async () => {
    const { id } = await given.httpResponse();
    const { status, body } = await transact([
      toPost("/edges/tcp", { backend: { backend_id: id } }, { name: "edge" }),
      toDelete(`/backends/http_response/${id}`),
    ]);
    expect([status, body["error_code"], body["details"]["operation"]]).toEqual([409, "ERR_IN_USE", "1"]);
    expect(body["details"]["used_by"]).toMatch(/^edgtcp_/);
    // A backend that an earlier operation has put out of use can be deleted.
    const { id: edge } = await given.tcpEdge({ backend: { backend_id: id } });
    const gone = await transact([
      toDelete(`/edges/tcp/${edge}/backend`),
      toDelete(`/backends/http_response/${id}`),
    ]);
    expect(gone.status).toBe(200);
    await consistent();
  });
});

test("errors in the requests of all operations are reported together", async () => {
  const { status, body } = await transact([
    toPost("/ip_policies", { colour: "red" }, { name: "a" }),
    toPost("/ip_policy_rules", { ip_policy_id: "$b", cidr: "1.2.3.4/8", action: "allow" }),
    toPatch("/ip_policies/$b"),
    toPost("/ip_policies", {}, { name: "a" }),
    toPut("/edges/tcp"),
    toPost("/edges/nothing"),
    toDelete("/ip_policies/ipp_1", { name: "gone" }),
    toPost("/ip_policies?limit=1"),
    { method: "POST", path: "/ip_policies" },
  ]);
  expect(status).toBe(400);
  expect(body["errors"].map(({ path }: Json) => path)).toEqual([
    "/operations/0/body/colour",
    "/operations/1/body/ip_policy_id",
    "/operations/2/path",
    "/operations/3/name",
    "/operations/4/method",
    "/operations/5/path",
    "/operations/6/name",
    "/operations/7/path",
    "/operations/8/body",
  ]);
});

test("a name is accepted in place of an id only where an id is expected", async () => {
  const { body } = await transact([
    toPost("/ip_policies", { description: "$a", metadata: "$a" }, { name: "a" }),
    toPost("/backends/http_response", { body: "$a", headers: { backend_id: "$a" } }),
  ]);
  const [policy, backend] = body["results"].map((one: Json) => one["body"]);
  expect([policy["description"], policy["metadata"]]).toEqual(["$a", "$a"]);
  expect([backend["body"], backend["headers"]]).toEqual(["$a", { backend_id: "$a" }]);
});

test("an operation's name is a letter followed by at most 63 letters, digits and underscores", async () => {
  for (const name of ["1a", "", "a-b", "ä", "a".repeat(65)])
    expect((await transact([{ ...POLICY, name }])).body["errors"]?.[0]["path"], name).toBe(
      "/operations/0/name",
    );
  expect((await transact([{ ...POLICY, name: `A${"9_".repeat(31)}z` }])).status).toBe(200);
});

/** A transaction of one operation, with its fields as JSON text. */
const transactText = (members: string, headers: Record<string, string> = {}): Promise<Answer> =>
  call("POST", "/transactions", undefined, { raw: `{"operations":[{${members}}]}`, headers });

describe("if_match", () => {
  const change = async (if_match: string) => {
    const { id } = await given.ipPolicy();
    return transact([POLICY, toPatch(`/ip_policies/${id}`, {}, { if_match })]);
  };

  test.each(["\r", "\n", '"1"\r\nX: y', "\0", "a\u0000b", "\u0007", "\u007f", "é", "\u0100", "\ud800", "😀"])(
    "cannot be %j",
    async (text) => {
      const { status, body } = await change(text);
      expect([status, body["errors"]]).toEqual([
        400,
        [
          {
            path: "/operations/1/if_match",
            msg: "Expected a header value: ASCII without line breaks or other control characters.",
          },
        ],
      ]);
    },
  );

  test("has the limits of the header", async () => {
    for (const [text, msg] of [
      ["x".repeat(8_193), "Expected at most 8192 characters."],
      ['"x",'.repeat(101), "Expected at most 100 ETags."],
    ] as const)
      expect((await change(text)).body["errors"]).toEqual([{ path: "/operations/1/if_match", msg }]);
    for (const text of ["", " ", `"${"x".repeat(8_190)}"`, '"x",'.repeat(100), "\t\t"])
      expect((await change(text)).status, text).toBe(412);
    for (const text of ["x".repeat(8_192), '~!"@"'])
      expect((await change(text)).body["errors"]).toEqual([
        {
          path: "/operations/1/if_match",
          msg: 'Expected * or ETags in quotation marks, such as "e8a0f3ff-1".',
        },
      ]);
    expect((await change(" * ")).status).toBe(200);
  });

  test("is rejected where the header is rejected: for creates", async () => {
    const { body } = await transact([{ ...POLICY, if_match: "*" }]);
    expect(body["errors"]).toEqual([
      { path: "/operations/0/if_match", msg: "This operation does not support If-Match. Leave it out." },
    ]);
  });
});

describe("an operation's body is used exactly as it was sent, or rejected:", () => {
  test.each([
    '{"hostports":1e400}',
    '{"hostports":[-1e400]}',
    '{"__proto__":{"hostports":[]}}',
    '{"__proto__":null,"hostports":["a:1"]}',
    '{"constructor":1}',
    '{"toJSON":{}}',
    '{"hostports":["a:1"],"hostports":["b:2"]}',
    '{"hostports":["a:1"],"hostports":5}',
    '{"hostports":["a:\\u0031"]}',
    '{"description":"\\ud800"}',
    '{"description":"\\ud83d\\ude00\\u0000"}',
    '{"traffic_policy":{"enabled":true,"value":"","__proto__":1}}',
    '{"traffic_policy":{"enabled":-0,"value":"a"}}',
    '{"ip_restriction":{"ip_policy_ids":[1e21]}}',
    "[]",
    "1e400",
    '"{}"',
  ])("%s", async (text) => {
    const alone = await call("POST", "/edges/tcp", undefined, { raw: text });
    const within = await transactText(`"method":"POST","path":"/edges/tcp","body":${text}`);
    if (alone.status === 201) {
      expect(within.status, within.text).toBe(200);
      const { id: _, uri: __, created_at: ___, ...made } = within.body["results"][0].body;
      expect(alone.body).toMatchObject(made);
      return;
    }
    const errors = alone.body["errors"] ?? [{ path: "", msg: alone.body["msg"] }];
    expect([within.status, within.body["error_code"]]).toEqual([alone.status, alone.body["error_code"]]);
    expect(within.body["errors"]).toEqual(
      errors.map(({ path, msg }: Json) => ({ path: `/operations/0/body${path}`, msg })),
    );
  });

  test("numbers in other notations", async () => {
    const { body } = await transactText(
      '"method":"POST","path":"/backends/http_response","body":{"status_code":0.404e3}',
    );
    expect(body["results"][0].body.status_code).toBe(404);
    const { id } = await given.httpResponse();
    const many = await transactText(
      `"method":"POST","path":"/backends/weighted","body":{"backends":{"${id}":1,"${id}":2E0}}`,
    );
    expect(many.body["results"][0].body.backends).toEqual({ [id]: 2 });
  });

  test("the body of a DELETE is ignored, whatever it contains", async () => {
    for (const text of ['{"a":1e400}', '{"a":"\\ud800"}', '{"backend_id":"$nobody"}', '{"__proto__":1}']) {
      const { id } = await given.ipPolicy();
      const members = `"method":"DELETE","path":"/ip_policies/${id}","body":${text}`;
      const key = { "Idempotency-Key": id };
      const [first, again] = [await transactText(members, key), await transactText(members, key)];
      expect([first.status, again.status], text).toEqual([200, 200]);
      expect(again.headers.get("Idempotent-Replayed")).toBe("true");
    }
  });

  test("up to 32 levels in the whole request, checked before anything else walks them", async () => {
    const nested = (open: string, close: string, levels: number) =>
      `{"a":${open.repeat(levels)}1${close.repeat(levels)}}`;
    // The levels of an operation's body come after three levels of the transaction.
    for (const [text, isTooDeep] of [
      [nested("[", "]", 28), false],
      [nested("[", "]", 29), true],
      [nested('{"a":', "}", 28), false],
      [nested('{"a":', "}", 29), true],
      [nested('{"a":', "}", 5_000), true],
      [nested("[", "]", 5_000), true],
      [nested("[", "]", 500_000), true],
      [nested('{"a":', "}", 170_000), true],
    ] as const)
      for (const method of ["POST", "DELETE"]) {
        const path = method === "POST" ? "/ip_policies" : `/ip_policies/${(await given.ipPolicy())["id"]}`;
        const started = performance.now();
        const members = `"method":"${method}","path":"${path}","body":${text}`;
        const { status, body } = await transactText(members, { "Idempotency-Key": crypto.randomUUID() });
        expect(performance.now() - started, "milliseconds").toBeLessThan(2_000);
        if (isTooDeep) expect(body["msg"]).toBe("The body is nested more than 32 levels deep.");
        expect(status).toBe(isTooDeep || method === "POST" ? 400 : 200);
      }
    const alone = await call("POST", "/ip_policies", undefined, { raw: nested('{"a":', "}", 5_000) });
    expect([alone.status, alone.body["msg"]]).toEqual([400, "The body is nested more than 32 levels deep."]);
  });
});

describe("a dry run", () => {
  test("returns the statuses, and changes nothing", async () => {
    const { id } = await given.ipPolicy();
    const before = await state();
    const operations = [POLICY, toPatch(`/ip_policies/${id}`), toDelete(`/ip_policies/${id}`)];
    const { body, cost } = await transact(operations, { dry_run: true }, { "Idempotency-Key": "dry" });
    expect(body).toEqual({
      dry_run: true,
      results: [201, 200, 204].map((status) => ({ status, etag: null, body: null })),
    });
    expect([cost.roundTrips, await state()]).toEqual([1, before]);
    // The key of a dry run is still unused.
    const real = await transact(operations, {}, { "Idempotency-Key": "dry" });
    expect([real.status, real.headers.get("Idempotent-Replayed")]).toEqual([200, null]);
  });
});

describe("an Idempotency-Key", () => {
  const headers = { "Idempotency-Key": "one" };

  test("covers the whole transaction: a repeated request is replayed, and changes nothing", async () => {
    const { id } = await given.ipPolicy();
    const operations = [POLICY, toPatch(`/ip_policies/${id}`, { description: "x" })];
    const first = await transact(operations, {}, headers);
    const after = await state();
    const again = await transact(operations, {}, headers);
    expect([again.status, again.headers.get("Idempotent-Replayed")]).toEqual([200, "true"]);
    // Replays do not include the version that a change produced.
    expect(again.body["results"]).toEqual([
      first.body["results"][0],
      { ...first.body["results"][1], etag: null },
    ]);
    expect(await state()).toBe(after);
    expect((await transact([POLICY], {}, headers)).body["error_code"]).toBe("ERR_IDEMPOTENCY_MISMATCH");
  });

  test("a replay has null for an ETag that was not stored: that of a PATCH, and of a subscription with a new source", async () => {
    const { id } = await given.subscription();
    const path = `/event_subscriptions/${id}`;
    const operations = [
      toPatch(path, { description: "x" }),
      toPost(`${path}/sources`, { type: "ip_policy_created.v0" }),
    ];
    const first = await transact(operations, {}, headers);
    expect(first.body["results"][1]["etag"]).toMatch(/-3"$/);
    const again = await transact(operations, {}, headers);
    expect(again.body["results"].map((one: Json) => one["etag"])).toEqual([null, null]);
  });

  test("is still unused after a rejected transaction", async () => {
    const rejected = await transact([POLICY, toDelete("/ip_policies/ipp_1")], {}, headers);
    expect(rejected.status).toBe(404);
    expect((await transact([POLICY], {}, headers)).status).toBe(200);
  });

  test("lets one of many concurrent requests take effect", async () => {
    const all = await Promise.all(Array.from({ length: 12 }, () => transact([POLICY, POLICY], {}, headers)));
    expect(all.filter((one) => one.headers.get("Idempotent-Replayed") === null)).toHaveLength(1);
    expect(new Set(all.map((one) => one.text)).size).toBe(1);
    expect((await get("/ip_policies")).body["ip_policies"]).toHaveLength(2);
  });
});

describe("adjacent operations of one sort", () => {
  const many = (n: number, each: (i: number) => Json): Json[] => Array.from({ length: n }, (_, i) => each(i));

  test("are batched: 500 of each sort take one round trip", async () => {
    const made = await transact(
      many(500, (i) => ({ ...POLICY, body: { description: `p${i}`, metadata: "\\ \" ' ? ü" } })),
    );
    expect([made.status, made.cost.roundTrips]).toEqual([200, 1]);
    const ids: string[] = made.body["results"].map((one: Json) => one["body"]["id"]);
    expect(ids).toEqual(ids.toSorted());
    const etag = made.body["results"][0]["etag"];
    const rounds = [
      ids.map((id, i) => toPatch(`/ip_policies/${id}`, { description: `q${i}` }, { if_match: etag })),
      ids.map((id) => toPost("/edges/tls", { ip_restriction: { ip_policy_ids: [id] } })),
    ];
    const answers: Answer[] = [];
    for (const operations of rounds) answers.push(await transact(operations));
    expect(answers.map((one) => [one.status, one.cost.roundTrips])).toEqual([
      [200, 1],
      [200, 1],
    ]);
    const edges: string[] = answers[1]?.body["results"].map((one: Json) => one["body"]["id"]);
    const changed = await transact(
      edges.map((id) => toPatch(`/edges/tls/${id}`, { ip_restriction: { ip_policy_ids: [] } })),
    );
    const gone = await transact(edges.map((id) => toDelete(`/edges/tls/${id}`)));
    expect([changed.status, gone.status]).toEqual([200, 200]);
    expect((await get("/ip_policies?limit=1")).body["ip_policies"][0]["description"]).toBe("q499");
    await consistent();
  });

  test("are batched if the objects that belong to them are deleted with them", async () => {
    const { id: kept } = await given.ipPolicy();
    const rule = (ip_policy_id: string) =>
      toPost("/ip_policy_rules", { ip_policy_id, cidr: "192.0.2.0/24", action: "allow" });
    const policies = many(249, (i) => ({ ...POLICY, name: `p${i}` }));
    const made = await transact([...policies, ...many(249, (i) => rule(`$p${i}`)), rule(kept), rule(kept)]);
    expect(made.status).toBe(200);
    const ids: string[] = made.body["results"].slice(0, 249).map((one: Json) => one["body"]["id"]);
    const route = await given.route({ ip_restriction: { ip_policy_ids: [kept] } });
    const elsewhere = "/edges/https/edghts_elsewhere/routes/edghtsrt_elsewhere/ip_restriction";
    await put(elsewhere, { ip_policy_ids: [kept] });
    const edges = await transact(many(249, () => toPost("/edges/https")));
    const edgeIds = [route["edge_id"], ...edges.body["results"].map((one: Json) => one["body"]["id"])];
    const { body, status, cost } = await transact([
      ...ids.map((id) => toDelete(`/ip_policies/${id}`)),
      ...edgeIds.map((id) => toDelete(`/edges/https/${id}`)),
    ]);
    expect([status, cost.roundTrips]).toEqual([200, 1]);
    expect(new Set(body["results"].map((one: Json) => one["status"]))).toEqual(new Set([204]));
    const { ip_policies, ip_policy_rules, https_edges, https_edge_routes } = await stored();
    expect(
      [ip_policies, ip_policy_rules, https_edges, https_edge_routes].map((rows) => rows?.length),
    ).toEqual([1, 2, 0, 1]);
    await consistent();
  });

  test("are rejected like single ones, with the number of the first", async () => {
    const { id } = await given.ipPolicy();
    const { status, body } = await transact(
      many(400, (i) =>
        toPost("/edges/tcp", { ip_restriction: { ip_policy_ids: [i < 250 ? id : `ipp_${i}`] } }),
      ),
    );
    expect([status, body["details"]["operation"]]).toEqual([400, "250"]);
    expect(body["errors"]).toEqual([
      {
        path: "/operations/250/body/ip_restriction/ip_policy_ids/0",
        msg: "There is no object with this id.",
      },
    ]);
  });

  test("can refer to each other, and to the operations before them", async () => {
    const made = await transact(
      many(60, (i) =>
        toPost("/backends/failover", { backends: i === 0 ? [] : [`$b${i - 1}`] }, { name: `b${i}` }),
      ),
    );
    expect(made.status).toBe(200);
    const ids: string[] = made.body["results"].map((one: Json) => one["body"]["id"]);
    const [first = "", second = ""] = ids;
    const cycle = await transact([
      toPatch(`/backends/failover/${second}`, { backends: [] }),
      toPatch(`/backends/failover/${first}`, { backends: [second] }),
      toPatch(`/backends/failover/${second}`, { backends: [first] }),
    ]);
    expect([cycle.status, cycle.body["details"]["operation"]]).toEqual([400, "2"]);
    const gone = await transact(ids.toReversed().map((id) => toDelete(`/backends/failover/${id}`)));
    expect(gone.status).toBe(200);
    await consistent();
  });

  test("two changes that only together make a cycle are rejected", async () => {
    const [a, b] = [(await given.failover())["id"], (await given.failover())["id"]];
    const { status, body } = await transact([
      toPatch(`/backends/failover/${a}`, { backends: [b] }),
      toPatch(`/backends/failover/${b}`, { backends: [a] }),
    ]);
    expect([status, body["details"]["operation"]]).toEqual([400, "1"]);
  });

  test("the same object twice: the second operation sees the result of the first", async () => {
    const { id } = await given.tcpEdge();
    const { status, body } = await transact([toDelete(`/edges/tcp/${id}`), toDelete(`/edges/tcp/${id}`)]);
    expect([status, body["details"]["operation"]]).toEqual([404, "1"]);
    const etag = (await get(`/edges/tcp/${id}`)).headers.get("ETag");
    const change = (description: string) => toPatch(`/edges/tcp/${id}`, { description }, { if_match: etag });
    expect((await transact([change("a"), change("b")])).body["details"]["operation"]).toBe("1");
  });

  test("strings that SQLite's JSON would truncate are sent separately", async () => {
    const { body } = await transact(many(3, (i) => ({ ...POLICY, body: { description: `a\u0000${i}` } })));
    const texts = body["results"].map((one: Json) => one["body"]["description"]);
    const { ip_policies } = (await get("/ip_policies")).body;
    expect(ip_policies.map((one: Json) => one["description"]).toReversed()).toEqual(texts);
  });
});

describe("limits", () => {
  test("500 operations, and at least one", async () => {
    for (const n of [0, 501]) {
      const { status, body } = await transact(Array.from({ length: n }, () => POLICY));
      expect([status, body["errors"]?.[0]["path"]]).toEqual([400, "/operations"]);
    }
  });

  test("900 statements, after adjacent operations were batched", async () => {
    const edge = await given.httpsEdge();
    const { status, body, cost } = await transact(
      Array.from({ length: 500 }, (_, i) => ({
        method: i % 2 ? "PATCH" : "POST",
        path: i % 2 ? `/edges/https/${edge["id"]}` : "/ip_policies",
        body: { description: String(i) },
      })),
    );
    expect([status, body["error_code"], cost.roundTrips]).toEqual([413, "ERR_TOO_LARGE", 0]);
    expect(body["msg"]).toMatch(/900 statements.* 8 MB/);
  });

  test("so 140 PUTs of a route's backend fit, which are not batched", async () => {
    const { id } = await given.httpResponse();
    const { uri } = await given.route({ backend: { backend_id: id } });
    const { status } = await transact(
      Array.from({ length: 140 }, () =>
        toPut(`${new URL(uri).pathname}/backend`, { backend_id: id }, { if_match: "*" }),
      ),
      {},
      { "Idempotency-Key": "long" },
    );
    expect(status).toBe(200);
  });

  test("8 MB of rows and events, regardless of the request's length", { tags: "thorough" }, async () => {
    const text = "x".repeat(1_000_000);
    const ids = [];
    for (let i = 0; i < 10; i++) ids.push((await create("/backends/http_response", { body: text }))["id"]);
    const before = await state();
    const change = (some: string[]) =>
      transact(some.map((id) => toPatch(`/backends/http_response/${id}`, { description: "x" })));
    expect(outcome(await change(ids))).toBe("413 ERR_TOO_LARGE");
    expect(await state()).toBe(before);
    expect((await change(ids.slice(0, 7))).status).toBe(200);
  });
});

/** Operations on policies, backends and edges. Each refers to the objects of earlier operations by number. */
const drawn = fc.array(
  fc.record({
    what: fc.constantFrom(
      "create",
      "change",
      "rule",
      "remove policy",
      "backend",
      "failover",
      "remove backend",
      "edge",
      "clear",
      "module",
      "site",
      "route",
      "remove site",
    ),
    which: fc.nat(7),
    times: fc.constantFrom(1, 1, 3),
    text: fc.constantFrom("a", "b", ""),
  }),
  { minLength: 1, maxLength: 12 },
);
type Drawn = { what: string; which: number; times: number; text: string }[];

/** The initial objects, so that most drawn operations find an object to change. */
const BEFORE = ["create", "rule", "backend", "failover", "edge", "site", "route"].map((what) => ({
  what,
  which: 0,
  times: 2,
  text: "",
}));

/** The same operations, for a transaction with names, or one by one with ids. */
function operationsOf(steps: Drawn, idOf: (kind: string, n: number) => string): (Json | undefined)[] {
  const count = new Map<string, number>();
  const pick = (kind: string, which: number): string | undefined => {
    const known = count.get(kind) ?? 0;
    return known > 0 ? idOf(kind, which % known) : undefined;
  };
  const made = (kind: string, rest: Json): Json => {
    const known = count.get(kind) ?? 0;
    count.set(kind, known + 1);
    return { ...rest, method: "POST", name: `${kind}${known}` };
  };
  const each = [...BEFORE, ...steps].flatMap(({ times, which, ...step }) =>
    Array.from({ length: times }, (_, i) => ({ ...step, which: which + i })),
  );
  return each.map(({ what, which, text }, i) => {
    const policy = pick("p", which);
    const backend = pick("b", which);
    const failover = pick("f", which);
    const edge = pick("e", which);
    const site = pick("s", which);
    const on = (id: string | undefined, path: string, method: string, body?: Json) =>
      id === undefined ? undefined : { method, path: path.replace("ID", id), ...(body && { body }) };
    const ip_restriction = { ip_policy_ids: policy === undefined ? [] : [policy] };
    switch (what) {
      case "create":
        return made("p", { path: "/ip_policies", body: { description: text } });
      case "backend":
        return made("b", {
          path: "/backends/static",
          body: { address: "a.example.com:80", description: text },
        });
      case "failover":
        return made("f", {
          path: "/backends/failover",
          body: { backends: [backend, failover].filter((id) => id !== undefined) },
        });
      case "edge":
        return made("e", {
          path: "/edges/tcp",
          body: { ...(failover && { backend: { backend_id: failover } }), description: text },
        });
      case "site":
        return made("s", { path: "/edges/https", body: { description: text } });
      case "rule":
        return policy === undefined
          ? undefined
          : made("r", {
              path: "/ip_policy_rules",
              body: { ip_policy_id: policy, cidr: `10.${i}.0.0/16`, action: "deny" },
            });
      case "route":
        return on(site, "/edges/https/ID/routes", "POST", {
          match_type: "exact_path",
          match: `/${i}`,
          ip_restriction,
        });
      case "change":
        return on(policy, "/ip_policies/ID", "PATCH", { description: text });
      case "clear":
        return on(edge, "/edges/tcp/ID/backend", "DELETE");
      case "module":
        return on(edge, "/edges/tcp/ID/ip_restriction", "PUT", ip_restriction);
      case "remove policy":
        return on(policy, "/ip_policies/ID", "DELETE");
      case "remove site":
        return on(site, "/edges/https/ID", "DELETE");
      default:
        return on(backend, "/backends/static/ID", "DELETE");
    }
  });
}

/** The stored data, without what differs from run to run: ids are replaced by their order within their kind. */
async function shape(): Promise<string> {
  const { uses = [], events = [], idempotency_records: _, database_epoch: __, ...rows } = await stored();
  const text = JSON.stringify([rows, events.map(({ type, object }) => [type, object]), uses.length]);
  const names = new Map<string, string>();
  return text
    .replaceAll(/(\w+?)_[0-9A-Za-z]{27}/g, (id, kind) => {
      if (!names.has(id)) names.set(id, `${kind} ${names.size}`);
      return names.get(id) ?? "";
    })
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:]+Z/g, "then");
}

test(
  "a transaction has the same result as its operations one by one, or none",
  { tags: "thorough" },
  async () => {
    await fc.assert(
      fc.asyncProperty(drawn, async (steps) => {
        await empty();
        const ids: Record<string, string> = {};
        const statuses: number[] = [];
        // Each id is known only after its operation.
        const single = operationsOf(steps, (kind, n) => `$${kind}${n}`);
        for (const each of single) {
          if (!each) continue;
          const { method, name, path, body }: Json = JSON.parse(
            JSON.stringify(each).replaceAll(/\$(\w+)/g, (all, known) => ids[known] ?? all),
          );
          const answer = await call(method, path, body);
          statuses.push(answer.status);
          if (answer.status >= 400) break;
          if (name) ids[name] = answer.body["id"];
        }
        const expected = await shape();
        await empty();
        const answer = await transact(single.filter((each) => each !== undefined));
        const last = statuses.at(-1) ?? 200;
        if (last < 400) {
          expect(answer.body["results"].map((one: Json) => one["status"])).toEqual(statuses);
          expect(await shape()).toBe(expected);
        } else {
          expect([answer.status, answer.body["details"]?.["operation"]]).toEqual([
            last,
            String(statuses.length - 1),
          ]);
          expect((await stored())["events"]).toEqual([]);
        }
        await consistent();
      }),
      runs(25),
    );
  },
);

test("concurrent transactions that exclude each other: one takes effect", async () => {
  for (let round = 0; round < 5; round++) {
    const { id } = await given.httpResponse();
    const answers = await Promise.all([
      transact([POLICY, toDelete(`/backends/http_response/${id}`)]),
      transact([POLICY, toPost("/edges/tcp", { backend: { backend_id: id } })]),
    ]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([
      200,
      answers[0]?.status === 200 ? 400 : 409,
    ]);
    await consistent();
  }
});

/** A place in a body where the document expects an id: the fields on the way, its form there, and the prefixes of the ids. */
interface Place {
  fields: string[];
  form: "value" | "list" | "key";
  prefixes: string[];
}

/** The places of ids in bodies with this schema. */
function placesIn(schema: Json, fields: string[] = [], form: Place["form"] = "value"): Place[] {
  const { pattern, properties = {}, items, propertyNames, ...rest } = resolved(contract, schema);
  const within = [rest["allOf"], rest["anyOf"], rest["oneOf"]].flatMap((some: Json[] = []) => some);
  const here = prefixesIn(pattern);
  return [
    ...(here ? [{ fields, form, prefixes: here }] : []),
    ...Object.entries<Json>(properties).flatMap(([name, field]) => placesIn(field, [...fields, name])),
    ...(items ? placesIn(items, fields, "list") : []),
    ...(propertyNames ? placesIn(propertyNames, fields, "key") : []),
    ...within.flatMap((one: Json) => placesIn(one, fields, form)),
  ];
}

const places = routes
  .filter(
    ({ method, path }) =>
      /POST|PATCH|PUT/.test(method) &&
      !/^\/(?:api_keys|api_restriction|bot_users|agents|simulations|plans|previews)/.test(path),
  )
  .flatMap(({ method, path }) => {
    const schema = bodySchema(contract, method, documented(path)) ?? {};
    return placesIn(schema).map((place) => ({ method, path, place, name: place.fields.join(".") }));
  });

test("the document has places of ids in modules, lists and maps", () => {
  const forms = new Set(places.map(({ place }) => `${place.form} in ${place.fields.length} fields`));
  expect([...forms].toSorted()).toEqual([
    "key in 1 fields",
    "list in 1 fields",
    "list in 2 fields",
    "value in 1 fields",
    "value in 2 fields",
  ]);
});

test.each(places)("a name can replace the id: $method $path, $name", async ({ method, path, place }) => {
  const { fields, form, prefixes: allowed } = place;
  for (const prefix of allowed) {
    const { path: collection = "" } = collections.find((one) => one.prefix === prefix) ?? {};
    const creation = await accepted(collection);
    const name = { value: "$used", list: ["$used"], key: { $used: 1 } }[form];
    const field = fields.reduceRight<unknown>((inner, outer) => ({ [outer]: inner }), name);
    const required = method === "PATCH" ? {} : requiredOf(method, path, exampleOf(method, path));
    const edge = path.includes(":edge_id") ? (await given.httpsEdge())["id"] : "";
    const objects = path.replace(/\/:id.*/, "").replace(":edge_id", edge);
    const owner = edge === "" ? await accepted(objects) : { body: { match_type: "exact_path", match: "/" } };
    const id = path.includes("/:id") ? (await create(objects, owner.body))["id"] : "";
    const url = path.replace(":edge_id", edge).replace(":id", id);
    const { status, body } = await transact([
      toPost(collection, creation.body, { name: "used" }),
      { method, path: url, body: { ...required, ...(field as Json) } },
    ]);
    expect([status, body["errors"]]).toEqual([200, undefined]);
    const [used, written] = body["results"].map((result: Json) => result["body"]);
    const shown = method === "POST" ? written : (await get(url)).body;
    expect(JSON.stringify(shown)).toContain(`"${used["id"]}"`);
  }
});

test("a caller is authenticated once, however long the operations take", async () => {
  const { token } = await given.key({ role: "editor" });
  const real = clock.now;
  let ahead = 0;
  // A cached key expires after 20 seconds.
  clock.now = () => real() + (ahead += 15_000);
  try {
    const answer = await post("/transactions", { operations: [POLICY, POLICY, POLICY] }, { token });
    expect([answer.status, answer.body["error_code"]]).toEqual([200, undefined]);
  } finally {
    clock.now = real;
  }
});

test("each operation checks the caller's role for the change", async () => {
  const subscription = await given.subscription({ sources: [{ type: "api_key_created.v0" }] });
  const { token } = await given.key({ role: "editor" });
  const operations = [toPatch(`/event_subscriptions/${subscription["id"]}`, { description: "x" })];
  expect(outcome(await post("/transactions", { operations }, { token }))).toBe("403 ERR_FORBIDDEN");
  expect((await transact(operations)).status).toBe(200);
});

describe("PUT /ip_policies/{id}/rules as an operation", () => {
  const rulesOf = (count: number, from = 0) =>
    Array.from({ length: count }, (_, i) => ({
      cidr: `10.${(from + i) >> 8}.${(from + i) & 255}.0/24`,
      action: "allow",
    }));

  test("replaces the rules of a policy that an earlier operation creates, with an event for each", async () => {
    const { status, text } = await transact([
      { ...POLICY, name: "office" },
      toPut("/ip_policies/$office/rules", { rules: rulesOf(3) }),
      toPut("/ip_policies/$office/rules", { rules: rulesOf(2) }),
      { ...POLICY },
    ]);
    expect(status, text).toBe(200);
    expect((await get("/ip_policy_rules")).body["ip_policy_rules"]).toHaveLength(2);
    const types: string[] = (await get("/events")).body["events"].map(({ event_type }: Json) => event_type);
    expect(types.toReversed()).toEqual([
      "ip_policy_created.v0",
      ...Array(3).fill("ip_policy_rule_created.v0"),
      "ip_policy_updated.v0",
      "ip_policy_rule_deleted.v0",
      "ip_policy_updated.v0",
      "ip_policy_created.v0",
    ]);
    await consistent();
  });

  test("leaves the version of a policy whose rules stay the same", async () => {
    const [policy, other] = [await given.ipPolicy(), await given.ipPolicy()];
    const path = (one: Json) => `/ip_policies/${one["id"]}/rules`;
    await put(path(policy), { rules: rulesOf(2) });
    const before = (await get(`/ip_policies/${policy["id"]}`)).headers.get("ETag");
    await transact([toPut(path(other), { rules: rulesOf(1) }), toPut(path(policy), { rules: rulesOf(2) })]);
    expect((await get(`/ip_policies/${policy["id"]}`)).headers.get("ETag")).toBe(before);
  });

  test("has if_match, and its errors name the operation", async () => {
    const policy = await given.ipPolicy();
    const replacing = { method: "PUT", path: `/ip_policies/${policy["id"]}/rules` };
    const stale = await transact([{ ...replacing, body: { rules: rulesOf(1) }, if_match: '"0-9"' }]);
    expect(stale.status).toBe(412);
    const twice = await transact([{ ...replacing, body: { rules: [...rulesOf(1), ...rulesOf(1)] } }]);
    expect(twice.body["errors"][0].path).toBe("/operations/0/body/rules/1");
    const missing = await transact([
      POLICY,
      { ...replacing, path: "/ip_policies/ipp_nothing/rules", body: { rules: [] } },
    ]);
    expect([missing.status, missing.body["details"].operation]).toEqual([404, "1"]);
  });

  test("has at most 10,000 rules in all", async () => {
    const policies = [await given.ipPolicy(), await given.ipPolicy()];
    const operations = policies.map(({ id }, i) =>
      toPut(`/ip_policies/${id}/rules`, { rules: rulesOf(5_000 + i, 1) }),
    );
    const { status, body } = await transact(operations);
    expect([status, body["errors"][0].path]).toEqual([400, "/operations/1/body/rules"]);
  });
});
