import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, test } from "vitest";
import { kinds } from "../../packages/model/src/kinds.ts";
import { type Answer, call, del, get, ORIGIN, patch, post, outcome } from "../support/api.ts";
import * as given from "../support/given.ts";
import { intercepted } from "../support/intercepted.ts";
import type { Json } from "../support/json.ts";
import { stored, withoutColumns } from "../support/stored.ts";

const A = "ip_policy_created.v0";
const B = "ip_policy_updated.v0";
const C = "ip_policy_deleted.v0";
const OF_KEYS = "api_key_created.v0";

const sourcesOf = (...types: string[]) => types.map((type) => ({ type }));
const shownSources = (id: string, ...types: string[]) =>
  types.map((type) => ({ type, uri: `${ORIGIN}/event_subscriptions/${id}/sources/${type}` }));
const versionOf = ({ headers }: Answer): number => Number(/-(\d+)"$/.exec(headers.get("ETag") ?? "")?.[1]);

describe("an event subscription", () => {
  test("shows its sources with their URIs and its destinations as Refs, in the order sent", async () => {
    const [one, two] = [await given.destination(), await given.destination()];
    const subscription = await given.subscription({
      description: "all",
      sources: sourcesOf(B, A),
      destination_ids: [two.id, one.id],
    });
    expect(subscription).toEqual({
      id: expect.stringMatching(/^esb_[0-9A-Za-z]{27}$/),
      uri: `${ORIGIN}/event_subscriptions/${subscription["id"]}`,
      created_at: expect.any(String),
      description: "all",
      sources: shownSources(subscription["id"], B, A),
      destinations: [two, one].map(({ id, uri }) => ({ id, uri })),
    });
    expect((await get(subscription.uri)).body).toEqual(subscription);
  });

  test("can have no sources and no destinations, which are cleared by []", async () => {
    const { id } = await given.destination();
    for (const body of [{}, { sources: [], destination_ids: [] }, { sources: null }]) {
      const empty = await given.subscription(body);
      expect([empty.sources, empty.destinations]).toEqual([null, null]);
    }
    const { uri } = await given.subscription({ sources: sourcesOf(A), destination_ids: [id] });
    const { body } = await patch(uri, { sources: [], destination_ids: [] });
    expect([body.sources, body.destinations]).toEqual([null, null]);
    expect((await del(`/event_destinations/${id}`)).status).toBe(204);
  });

  test("PATCH replaces whole lists, and keeps those that it omits", async () => {
    const [one, two] = [await given.destination(), await given.destination()];
    const { id, uri } = await given.subscription({ sources: sourcesOf(A, B), destination_ids: [one.id] });
    const first = await patch(uri, { sources: sourcesOf(C) });
    expect(first.body.sources).toEqual(shownSources(id, C));
    expect(first.body.destinations).toEqual([{ id: one.id, uri: one.uri }]);
    const second = await patch(uri, { destination_ids: [two.id] });
    expect(second.body.sources).toEqual(shownSources(id, C));
    expect(second.body.destinations).toEqual([{ id: two.id, uri: two.uri }]);
  });

  test.each([
    [{ sources: sourcesOf(A, A, A) }, "/sources/1,/sources/2"],
    [
      { sources: sourcesOf("x"), destination_ids: ["x"], nonsense: 1 },
      "/sources/0/type,/destination_ids/0,/nonsense",
    ],
  ])("is rejected with all errors: %j", async (body, paths) => {
    const { uri } = await given.subscription();
    for (const answer of [await post("/event_subscriptions", body), await patch(uri, body)])
      expect(outcome(answer)).toBe(`400 ERR_INVALID_REQUEST ${paths}`);
  });

  test("is rejected with an error for every destination that does not exist", async () => {
    const { id } = await given.destination();
    const { uri } = await given.subscription();
    const body = { destination_ids: ["ed_1", id, "ed_2"] };
    for (const answer of [await post("/event_subscriptions", body), await patch(uri, body)])
      expect(outcome(answer)).toBe("400 ERR_UNKNOWN_REFERENCE /destination_ids/0,/destination_ids/2");
  });

  test("prevents its destinations from being deleted", async () => {
    const { id, uri } = await given.destination();
    const users = [];
    for (let i = 0; i < 2; i++) users.push((await given.subscription({ destination_ids: [id] })).id);
    const { status, body } = await del(uri);
    expect([status, body.error_code, body.details.used_by]).toEqual([409, "ERR_IN_USE", users.join(", ")]);
    expect((await del(`/event_subscriptions/${users[0]}`)).status).toBe(204);
    expect(outcome(await del(uri))).toBe("409 ERR_IN_USE");
    await patch(`/event_subscriptions/${users[1]}`, { destination_ids: [] });
    expect((await del(uri)).status).toBe(204);
  });
});

test.each([
  ["ip_policy_create", "such as ip_policy_created.v0. "],
  ["ip_policy_updated.v1", "such as ip_policy_updated.v0. "],
  ["tcp_edge", "such as tcp_edge_created.v0, tcp_edge_deleted.v0, tcp_edge_updated.v0. "],
  ["", undefined],
  ["x".repeat(100_000), undefined],
  [7, undefined],
  [{ toString: "ip_policy" }, undefined],
])("the error for the type %j suggests the nearest types, if there are any", async (type, suggested) => {
  const { body } = await post("/event_subscriptions", { sources: [{ type }] });
  expect(body.errors).toEqual([
    {
      path: "/sources/0/type",
      msg: `Expected an event type${suggested ? `, ${suggested}` : ". "}GET /event_types lists all that are accepted.`,
    },
  ]);
});

describe("a source", () => {
  const subscribed = async (...types: string[]): Promise<{ id: string; url: string; uri: string }> => {
    const { id, uri } = await given.subscription({ sources: sourcesOf(...types) });
    return { id, uri, url: `${uri}/sources` };
  };

  test("is added, listed, shown and removed, and shares the subscription's ETag", async () => {
    const { id, uri, url } = await subscribed();
    expect((await get(url)).body).toEqual({ sources: [], uri: url });
    const added = await post(url, { type: A });
    expect([added.status, added.body, versionOf(added)]).toEqual([201, shownSources(id, A)[0], 2]);
    expect(versionOf(await post(url, { type: B }))).toBe(3);
    expect((await get(uri)).body.sources).toEqual(shownSources(id, A, B));
    const list = await get(url);
    expect([list.body.sources, versionOf(list)]).toEqual([shownSources(id, A, B), 3]);
    for (const answer of [await get(`${url}/${A}`), await patch(`${url}/${A}`, {})])
      expect([answer.status, answer.body, versionOf(answer)]).toEqual([200, shownSources(id, A)[0], 3]);
    expect((await del(`${url}/${A}`)).status).toBe(204);
    expect(versionOf(await get(uri))).toBe(4);
    expect((await get(url)).body.sources).toEqual(shownSources(id, B));
    expect((await del(`${url}/${B}`)).status).toBe(204);
    expect((await get(uri)).body.sources).toBeNull();
    expect((await get(url)).body.sources).toEqual([]);
  });

  test("that already exists is rejected with 409, which names it", async () => {
    const { url } = await subscribed(A);
    const { status, body } = await post(url, { type: A });
    expect([status, body.error_code, body.details.conflicts_with]).toEqual([409, "ERR_CONFLICT", A]);
  });

  test("that does not exist returns 404, as does one of an absent subscription", async () => {
    const { url } = await subscribed(A);
    const nowhere = `${ORIGIN}/event_subscriptions/esb_nothing/sources`;
    for (const at of [`${url}/${B}`, `${url}/nothing`, `${url}/%00`, `${url}/%ff`, `${nowhere}/${A}`])
      for (const answer of [await get(at), await patch(at, {}), await del(at)])
        expect(outcome(answer), at).toBe("404 ERR_NOT_FOUND");
    for (const headers of [{}, { "Idempotency-Key": crypto.randomUUID() }])
      for (const answer of [await get(nowhere), await post(nowhere, { type: A }, { headers })])
        expect(outcome(answer)).toBe("404 ERR_NOT_FOUND");
  });

  test("has nothing that can be changed", async () => {
    const { url } = await subscribed(A);
    const { status, body } = await patch(`${url}/${A}`, { type: B });
    expect([status, body.errors]).toEqual([400, [{ path: "/type", msg: "Unknown; accepted: none." }]]);
  });

  test("is added and removed only if If-Match lists the subscription's version", async () => {
    const { uri, url } = await subscribed(A);
    const etag = (await get(uri)).headers.get("ETag") ?? "";
    const stale = { headers: { "If-Match": etag.replace(/\d+"$/, '9"') } };
    for (const answer of [
      await post(url, { type: B }, stale),
      await patch(`${url}/${A}`, {}, stale),
      await del(`${url}/${A}`, stale),
      await get(`${url}/${A}`, stale),
      await post(url, { type: B }, { headers: { ...stale.headers, "Idempotency-Key": "stale" } }),
    ])
      expect(outcome(answer)).toBe("412 ERR_PRECONDITION_FAILED");
    // A conflict takes precedence.
    expect(outcome(await post(url, { type: A }, stale))).toBe("409 ERR_CONFLICT");
    const current = { headers: { "If-Match": etag } };
    expect((await post(url, { type: B }, current)).status).toBe(201);
    expect((await del(`${url}/${A}`, current)).status).toBe(412);
    for (const at of [url, `${url}/${A}`]) {
      const known = (await get(at)).headers.get("ETag") ?? "";
      expect((await get(at, { headers: { "If-None-Match": known } })).status).toBe(304);
    }
  });

  test("is added once for an Idempotency-Key, and replayed with its original ETag", async () => {
    const { uri, url } = await subscribed(A);
    const headers = { "Idempotency-Key": crypto.randomUUID() };
    const first = await post(url, { type: B }, { headers });
    expect([first.status, versionOf(first), first.headers.has("Idempotent-Replayed")]).toEqual([
      201,
      2,
      false,
    ]);
    await post(url, { type: C });
    await del(`${url}/${B}`);
    const again = await post(url, { type: B }, { headers });
    expect([again.status, again.text, versionOf(again)]).toEqual([201, first.text, 2]);
    expect(again.headers.get("Idempotent-Replayed")).toBe("true");
    expect(again.headers.get("Location")).toBe(first.body.uri);
    expect(versionOf(await get(uri))).toBe(4);
    expect((await post(url, { type: A }, { headers })).body.error_code).toBe("ERR_IDEMPOTENCY_MISMATCH");
  });

  test("of another subscription makes a different request for the same Idempotency-Key", async () => {
    const headers = { "Idempotency-Key": crypto.randomUUID() };
    const [one, other] = [await subscribed(), await subscribed()];
    expect((await post(one.url, { type: A }, { headers })).status).toBe(201);
    expect(outcome(await post(other.url, { type: A }, { headers }))).toBe("422 ERR_IDEMPOTENCY_MISMATCH");
    expect((await post(`${one.url}/`, { type: A }, { headers })).status).toBe(201);
    expect((await get(other.url)).body.sources).toEqual([]);
  });

  test("that is rejected leaves its Idempotency-Key unused", async () => {
    const { url } = await subscribed(A);
    const headers = { "Idempotency-Key": crypto.randomUUID() };
    expect(outcome(await post(url, { type: A }, { headers }))).toBe("409 ERR_CONFLICT");
    await del(`${url}/${A}`);
    expect((await post(url, { type: A }, { headers })).status).toBe(201);
  });
});

describe("sources of API keys", () => {
  const tokens: Json = {};
  beforeAll(async () => {
    for (const role of ["viewer", "editor", "admin"]) tokens[role] = (await given.key({ role })).token;
  });

  /** A subscription with a source of keys, and one of its destinations. */
  async function delivered(...types: string[]): Promise<{ destination: Json; subscription: Json }> {
    const destination = await given.destination();
    const sources = sourcesOf(...(types.length > 0 ? types : [A, OF_KEYS]));
    const subscription = await given.subscription({ sources, destination_ids: [destination.id] });
    return { destination, subscription };
  }

  interface Change {
    method: string;
    url: string;
    body?: Json;
  }

  const target = { target: { monitoring_vendor: { api_key: "another" } } };

  type Delivered = Awaited<ReturnType<typeof delivered>>;
  const onSubscription =
    (method: string, end = "", body?: Json) =>
    ({ subscription }: Delivered): Change => ({
      method,
      url: subscription["uri"] + end,
      ...(body && { body }),
    });
  const onDestination =
    (method: string, body?: Json) =>
    ({ destination }: Delivered): Change => ({ method, url: destination["uri"], ...(body && { body }) });

  /** Changes that need an admin because of what is stored. */
  const changes: [what: string, (delivered: Delivered) => Change][] = [
    ["PATCH of the subscription", onSubscription("PATCH", "", { description: "x" })],
    ["PATCH {} of the subscription", onSubscription("PATCH", "", {})],
    ["PATCH that removes the source", onSubscription("PATCH", "", { sources: [] })],
    ["PATCH of the destinations", onSubscription("PATCH", "", { destination_ids: ["ed_nothing"] })],
    ["DELETE of the subscription", onSubscription("DELETE")],
    ["POST of another source", onSubscription("POST", "/sources", { type: B })],
    ["POST of a source that already exists", onSubscription("POST", "/sources", { type: A })],
    ["PATCH of a source", onSubscription("PATCH", `/sources/${OF_KEYS}`, {})],
    ["DELETE of the source", onSubscription("DELETE", `/sources/${OF_KEYS}`)],
    ["DELETE of another source", onSubscription("DELETE", `/sources/${A}`)],
    ["PATCH of the destination's target", onDestination("PATCH", target)],
    ["PATCH of the destination's description", onDestination("PATCH", { description: "x" })],
    ["DELETE of the destination", onDestination("DELETE")],
  ];

  const everything = async (): Promise<string> => withoutColumns(await stored(), "last_used_at", "version");

  describe.each(changes)("%s", (_, change) => {
    test("is rejected for an editor, also with an Idempotency-Key and before any condition", async () => {
      const { method, url, body } = change(await delivered());
      await get("/event_types", { token: tokens["editor"] });
      const before = await everything();
      for (const headers of [{}, { "Idempotency-Key": crypto.randomUUID() }, { "If-Match": '"x"' }]) {
        const answer = await call(method, url, body, { token: tokens["editor"], headers });
        expect(outcome(answer)).toBe("403 ERR_FORBIDDEN");
        expect(answer.body.msg).toContain("admin");
      }
      expect(await everything()).toBe(before);
    });

    test("is rejected for an editor if the source is added just before the write", async () => {
      const { destination, subscription } = await delivered(A, B);
      const { method, url, body } = change({ destination, subscription });
      const key = JSON.stringify([A, OF_KEYS]);
      let isAdded = false;
      const DB = intercepted(env.DB, async ({ send }) => {
        if (!isAdded)
          await env.DB.prepare("update event_subscriptions set sources = ? where id = ?")
            .bind(key, subscription.id)
            .run();
        isAdded = true;
        return send();
      });
      const answer = await call(method, url, body, { token: tokens["editor"], env: { DB } });
      expect(outcome(answer)).toBe("403 ERR_FORBIDDEN");
      expect((await get(subscription.uri)).body.sources).toEqual(shownSources(subscription.id, A, OF_KEYS));
      expect((await get(destination.uri)).body).toEqual(destination);
    });

    test("succeeds for an admin, unless something else prevents it", async () => {
      const { method, url, body } = change(await delivered());
      const { status } = await call(method, url, body, { token: tokens["admin"] });
      expect([200, 201, 204, 400, 409]).toContain(status);
    });

    test("is rejected for an admin whose key is revoked just before the write", async () => {
      const { method, url, body } = change(await delivered());
      const { id, token } = await given.key({ role: "admin" });
      await get("/event_types", { token });
      const DB = intercepted(env.DB, async ({ send }) => {
        await env.DB.prepare("delete from api_keys where id = ?").bind(id).run();
        return send();
      });
      const before = await everything();
      for (const headers of [{}, { "Idempotency-Key": crypto.randomUUID() }]) {
        const answer = await call(method, url, body, { token, headers, env: { DB } });
        expect(outcome(answer)).toBe("401 ERR_UNAUTHENTICATED");
      }
      expect(JSON.parse(await everything())).toEqual({
        ...JSON.parse(before),
        api_keys: expect.not.arrayContaining([expect.objectContaining({ id })]),
      });
    });
  });

  describe.each([
    [
      "a subscription",
      async () => ({ method: "POST", url: "/event_subscriptions", body: { sources: sourcesOf(A, OF_KEYS) } }),
    ],
    [
      "a subscription, by PATCH",
      async () => ({
        method: "PATCH",
        url: (await given.subscription()).uri,
        body: { sources: sourcesOf(OF_KEYS) },
      }),
    ],
    [
      "a source",
      async () => ({
        method: "POST",
        url: `${(await given.subscription()).uri}/sources`,
        body: { type: OF_KEYS },
      }),
    ],
  ])("are added to %s", (_, addition) => {
    test("only by an admin", async () => {
      for (const headers of [{}, { "Idempotency-Key": crypto.randomUUID() }]) {
        const { method, url, body } = await addition();
        const before = await everything();
        const rejected = await call(method, url, body, { token: tokens["editor"], headers });
        expect(outcome(rejected)).toBe("403 ERR_FORBIDDEN");
        expect(await everything()).toBe(before);
        const done = await call(method, url, body, { token: tokens["admin"], headers });
        expect(done.status).toBeLessThan(300);
      }
    });

    test("after the check of the body and before any other check", async () => {
      const { method, url, body } = await addition();
      const token = tokens["editor"];
      expect(outcome(await call(method, url, { ...body, nonsense: 1 }, { token }))).toBe(
        "400 ERR_INVALID_REQUEST /nonsense",
      );
      const missing = url.replace(/esb_\w+/, "esb_nothing");
      expect(outcome(await call(method, missing, body, { token }))).toBe("403 ERR_FORBIDDEN");
      // A create has nothing that a condition could match.
      expect(outcome(await call(method, url, body, { token, headers: { "If-Match": '"x"' } }))).toBe(
        url === "/event_subscriptions" ? "400 ERR_INVALID_REQUEST If-Match" : "403 ERR_FORBIDDEN",
      );
    });

    test("by a key that is still valid when they are written, and replayed to no other key", async () => {
      const { method, url, body } = await addition();
      const { id, token } = await given.key({ role: "admin" });
      const headers = { "Idempotency-Key": crypto.randomUUID() };
      if (method === "POST") expect((await call(method, url, body, { token, headers })).status).toBe(201);
      await get("/event_types", { token });
      const DB = intercepted(env.DB, async ({ send }) => {
        await env.DB.prepare("delete from api_keys where id = ?").bind(id).run();
        return send();
      });
      for (const sent of [headers, {}]) {
        const answer = await call(method, url, body, { token, headers: sent, env: { DB } });
        expect(outcome(answer)).toBe("401 ERR_UNAUTHENTICATED");
      }
    });
  });

  test("do not keep an editor from changing other subscriptions and destinations", async () => {
    const { destination } = await delivered();
    const options = { token: tokens["editor"] };
    const made = await post(
      "/event_subscriptions",
      { sources: sourcesOf(A), destination_ids: [destination.id] },
      options,
    );
    expect(made.status).toBe(201);
    const { uri } = made.body;
    expect((await post(`${uri}/sources`, { type: B }, options)).status).toBe(201);
    expect((await del(`${uri}/sources/${A}`, options)).status).toBe(204);
    expect((await patch(uri, { sources: sourcesOf(C) }, options)).status).toBe(200);
    const other = await given.destination();
    await patch(uri, { destination_ids: [other.id] });
    expect((await patch(other.uri, target, options)).status).toBe(200);
    expect((await del(uri, options)).status).toBe(204);
    expect((await del(other.uri, options)).status).toBe(204);
  });

  test("that are removed, or sent elsewhere, release the subscription and the destination", async () => {
    const { destination, subscription } = await delivered();
    const options = { token: tokens["editor"] };
    const other = await given.destination();
    await patch(subscription.uri, { destination_ids: [other.id] });
    expect((await patch(destination.uri, target, options)).status).toBe(200);
    await del(`${subscription.uri}/sources/${OF_KEYS}`);
    expect((await patch(other.uri, target, options)).status).toBe(200);
    expect((await patch(subscription.uri, { description: "x" }, options)).status).toBe(200);
  });
});

describe("GET /event_types", () => {
  const types = async (): Promise<Json[]> => (await get("/event_types")).body.event_types;

  test("lists every type once, in alphabetical order, without a query", async () => {
    const { body, cost, headers } = await get("/event_types");
    expect([cost.roundTrips, headers.get("Service-Bookmark"), Object.keys(body)]).toEqual([
      0,
      null,
      ["event_types"],
    ]);
    const names: string[] = body.event_types.map(({ type }: Json) => type);
    expect(names).toEqual([...new Set(names)].toSorted());
    expect(names).toHaveLength(55 + 2 + 5 + 3 + 11 * 3);
  });

  const kindsOfVendor =
    "api_key certificate_authority domain event_destination event_subscription ip_policy ip_policy_rule ip_restriction " +
    "secret ssh_certificate_authority ssh_host_certificate ssh_public_key ssh_user_certificate tcp_address " +
    "tls_certificate tunnel_credential vault";
  const vendors = kindsOfVendor
    .split(" ")
    .flatMap((kind) => ["created", "updated", "deleted"].map((verb) => `${kind}_${verb}.v0`));
  const others = [
    "agent_session_start",
    "agent_session_stop",
    "http_request_complete",
    "tcp_connection_closed",
  ];

  test("has all types of the vendor", async () => {
    const expected = [...vendors, ...others.map((name) => `${name}.v0`)];
    expect(expected).toHaveLength(55);
    expect((await types()).map(({ type }) => type)).toEqual(expect.arrayContaining(expected));
  });

  test("has three types for each kind of object of this service, which are emitted", async () => {
    const emitted = (await types()).filter((type) => type["emitted"]).map(({ type }) => type);
    expect(emitted).toEqual(
      expect.arrayContaining([
        "api_restriction_refused.v0",
        "certificate_ending.v0",
        "certificate_issued.v0",
        "plan_applied.v0",
        "plan_created.v0",
        "session_created.v0",
        "session_deleted.v0",
        "sign_in_refused.v0",
        "user_deleted.v0",
        "user_updated.v0",
      ]),
    );
    // The log does not log itself. Nobody updates a plan or a session, and nobody creates a user.
    for (const kind of Object.keys(kinds).filter(
      (name) => !/^(?:certificate|event|plan|user|session|sign_in)$/.test(name),
    ))
      for (const verb of ["created", "updated", "deleted"]) expect(emitted).toContain(`${kind}_${verb}.v0`);
    for (const kind of ["domain", "ssh_public_key", "vault", "secret", "tls_certificate"])
      expect(emitted).not.toContain(`${kind}_created.v0`);
    for (const name of others) expect(emitted).not.toContain(`${name}.v0`);
  });

  test("lists exactly what is accepted as a source, emitted or not", async () => {
    const sources = (await types()).map(({ type }) => ({ type }));
    expect((await given.subscription({ sources })).sources).toHaveLength(sources.length);
    expect(outcome(await post("/event_subscriptions", { sources: sourcesOf("test.v0") }))).toBe(
      "400 ERR_INVALID_REQUEST /sources/0/type",
    );
  });
});
