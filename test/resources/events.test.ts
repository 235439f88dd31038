import { env } from "cloudflare:workers";
import fc from "fast-check";
import { afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { clock } from "../../packages/model/src/clock.ts";
import { eventId } from "../../packages/model/src/ids.ts";
import { kinds } from "../../packages/model/src/kinds.ts";
import { bodyAt } from "../fuzz/document.ts";
import { MARK, validBody } from "../fuzz/values.ts";
import {
  type Answer,
  call,
  create,
  del,
  get,
  ORIGIN,
  patch,
  post,
  put,
  routes,
  outcome,
} from "../support/api.ts";
import { runs } from "../support/effort.ts";
import {
  accepted,
  collections,
  exampleOf,
  given as givenObject,
  referring,
  wholeExampleOf,
} from "../support/examples.ts";
import * as given from "../support/given.ts";
import { intercepted } from "../support/intercepted.ts";
import type { Json } from "../support/json.ts";
import { empty } from "../support/stored.ts";

const realNow = clock.now;
afterEach(() => {
  clock.now = realNow;
});

/** The root key, as the principal of an event. */
const ROOT = { id: "root", subject: "root", source: "API", credential: null };

/** All events of the log, or those that match a query, newest first. */
async function logged(query = "", options = {}): Promise<Json[]> {
  const events: Json[] = [];
  let next: string | null = `/events?${query}`;
  while (next) {
    const { body }: Answer = await get(next, options);
    events.push(...body["events"]);
    next = body["next_page_uri"];
  }
  return events;
}

const newestId = async (): Promise<string> =>
  (await get("/events?limit=1")).body["events"][0]?.event_id ?? "";

/** Sends a request. Returns its response, and the events that it caused, oldest first. */
async function recorded(act: () => Promise<Answer>): Promise<{ answer: Answer; events: Json[] }> {
  const before = await newestId();
  const answer = await act();
  const { events } = (await get("/events")).body;
  return { answer, events: events.filter(({ event_id }: Json) => event_id > before).toReversed() };
}

/** Sends a request that is answered with `status`, and expects no event from it. */
async function expectNone(status: number, act: () => Promise<Answer>): Promise<void> {
  const { answer, events } = await recorded(act);
  expect(answer.status, answer.text).toBe(status);
  expect(events, answer.text).toEqual([]);
}

/** The expected event for a response. */
const eventOf = (type: string, object: Json, { headers }: Answer): Json => ({
  event_id: expect.stringMatching(/^ev_[0-9A-Za-z]{27}$/),
  event_type: `${type}.v0`,
  event_timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
  account_id: "ac_default",
  principal: ROOT,
  object,
  // plans_undo_secrets.test.ts says which.
  secrets_changed: expect.any(Array),
  operation_id: headers.get("Service-Operation-Id"),
});

/** Sends a request, and expects one event: for the object at `uri`, as it is shown after the request. */
async function expectUpdate(
  kind: string,
  uri: string,
  act: () => Promise<Answer>,
  shown = async (): Promise<Json> => (await get(uri)).body,
  isTruncated = false,
): Promise<void> {
  const { answer, events } = await recorded(act);
  expect(answer.status, answer.text).toBeLessThan(300);
  const event = eventOf(`${kind}_updated`, await shown(), answer);
  expect(events).toEqual([isTruncated ? { ...event, truncated: true } : event]);
}

const kindOf = (prefix: string): string =>
  Object.entries(kinds).find(([, kind]) => kind.prefix === prefix)?.[0] ?? "";

const LONG = { raw: JSON.stringify({ description: "x".repeat(2 ** 20) }) };
const STALE = { headers: { "If-Match": '"7"' } };

describe.each([
  ...collections,
  { path: "/edges/https/:edge_id/routes", prefix: "edghtsrt_", list: "routes" },
])("of $path,", ({ path, prefix }) => {
  const kind = kindOf(prefix);
  let viewer = "";
  beforeAll(async () => {
    viewer = (await given.key({ role: "viewer" }))["token"];
  });

  const place = async () => path.replace(":edge_id", (await given.httpsEdge())["id"]);

  test("a create, a change and a deletion cause one event each, with the object as shown", async () => {
    const at = await place();
    const body = await referring(wholeExampleOf("POST", path));
    const created = await recorded(() => post(at, body));
    expect(created.answer.status, created.answer.text).toBe(201);
    const { uri } = created.answer.body;
    const read = async () => (await get(uri)).body;
    expect(created.events).toEqual([eventOf(`${kind}_created`, await read(), created.answer)]);
    const change = await referring(exampleOf("PATCH", `${path}/:id`));
    await expectUpdate(kind, uri, () => patch(uri, change));
    // Even if nothing changes, because the version moves.
    await expectUpdate(kind, uri, () => patch(uri, change));
    const before = await read();
    const deleted = await recorded(() => del(uri));
    expect(deleted.answer.status, deleted.answer.text).toBe(204);
    const event = eventOf(`${kind}_deleted`, before, deleted.answer);
    expect(deleted.events).toEqual([kind === "ip_policy" ? { ...event, rules: [] } : event]);
  });

  test("an object with only the required fields is shown in the same way", async () => {
    const at = await place();
    const body = path.includes(":edge_id")
      ? { match_type: "exact_path", match: "/" }
      : (await accepted(path)).body;
    const { answer, events } = await recorded(() => post(at, body));
    expect(events).toEqual([eventOf(`${kind}_created`, (await get(answer.body.uri)).body, answer)]);
  });

  test("a request that changes nothing has no event: a rejection, an empty PATCH, a replayed create", async () => {
    const at = await place();
    const body = path.includes(":edge_id")
      ? { match_type: "exact_path", match: "/" }
      : (await accepted(path)).body;
    const headers = { "Idempotency-Key": crypto.randomUUID() };
    const first = await recorded(() => post(at, body, { headers }));
    expect(first.events.map(({ event_type }) => event_type)).toEqual([`${kind}_created.v0`]);
    const { uri } = first.answer.body;
    const change = await referring(exampleOf("PATCH", `${path}/:id`));
    await expectNone(201, () => post(at, body, { headers }));
    await expectNone(422, () => post(at, { ...body, metadata: "x", name: "x" }, { headers }).then(either422));
    await expectNone(200, () => patch(uri, {}));
    for (const [method, url, sent] of [
      ["POST", at, body],
      ["PATCH", uri, change],
      ["DELETE", uri, undefined],
    ] as const) {
      await expectNone(403, () => call(method, url, sent, { token: viewer }));
      await expectNone(401, () => call(method, url, sent, { headers: { Authorization: undefined } }));
      if (sent === undefined) continue;
      await expectNone(400, () => call(method, url, { ...sent, nonsense: 1 }));
      await expectNone(413, () => call(method, url, undefined, LONG));
      const headers = { "Content-Type": "text/plain" };
      await expectNone(415, () => call(method, url, sent, { headers }));
    }
    for (const [method, sent] of [
      ["PATCH", change],
      ["DELETE", undefined],
    ] as const) {
      await expectNone(412, () => call(method, uri, sent, STALE));
      await expectNone(404, () => call(method, `${at}/${prefix}nothing`, sent));
    }
    // The object existed all the time.
    expect((await get(uri)).text).toBe(
      JSON.stringify({ ...first.answer.body, ...tokenless(first.answer.body) }),
    );
  });
});

/**
 * The bodies differ in a field that not every kind has, so some collections return 400 before they could return 422.
 */
const either422 = (answer: Answer): Answer => (answer.status === 400 ? { ...answer, status: 422 } : answer);

/** A key's token is shown only once. */
const tokenless = (object: Json): Json => ("token" in object ? { token: null } : {});

describe("modules:", () => {
  const pathsOf = (verb: string) => routes.filter(({ method }) => method === verb).map(({ path }) => path);
  // The rules of a policy are also replaced by PUT, but have their own events; the API restriction is no module.
  const paths = pathsOf("PUT").filter(
    (path) => pathsOf("DELETE").includes(path) && path !== "/api_restriction",
  );

  /** An owner that is an object here, for a module at `path`. */
  async function ownerOf(path: string): Promise<string> {
    if (path.includes("/routes/")) return (await given.route())["uri"];
    const collection = collections.find((one) => path.startsWith(`${one.path}/:id/`));
    return (await givenObject(collection?.path ?? ""))["uri"];
  }

  const kindAt = (path: string): string =>
    path.includes("/routes/")
      ? "https_edge_route"
      : kindOf(`edg${path.split("/")[2]?.replace("https", "hts")}_`);

  test.each(paths)("PUT and DELETE of %s cause one event each, for the owner", async (path) => {
    const uri = await ownerOf(path);
    const kind = kindAt(path);
    const url = `${uri}/${path.split("/").at(-1)}`;
    const body = await referring(exampleOf("PUT", path));
    await expectNone(204, () => del(url));
    await expectUpdate(kind, uri, () => put(url, body));
    await expectUpdate(kind, uri, () => put(url, body));
    await expectNone(412, () => put(url, body, STALE));
    await expectNone(412, () => del(url, STALE));
    await expectNone(400, () => put(url, { ...body, nonsense: 1 }));
    await expectNone(415, () => put(url, body, { headers: { "Content-Type": "text/plain" } }));
    await expectUpdate(kind, uri, () => del(url));
    await expectNone(204, () => del(url));
  });

  test.each(paths.filter((path) => path.startsWith("/edges/https")))(
    "PUT and DELETE of %s managed elsewhere cause one event each, with its id, its URI and its modules",
    async (path) => {
      const isRoute = path.includes("/routes/");
      const id = isRoute ? given.HTTPS_ROUTE : given.HTTPS_EDGE;
      const owner = path
        .replace(":edge_id", given.HTTPS_EDGE)
        .replace(":id", id)
        .split("/")
        .slice(0, -1)
        .join("/");
      const name = path.split("/").at(-1) ?? "";
      const plain = { id, uri: ORIGIN + owner };
      const kind = kindAt(path);
      const url = `${owner}/${name}`;
      const body = await referring(exampleOf("PUT", path));
      await expectNone(204, () => del(url));
      const shown = async () => ({ ...plain, [name]: (await get(url)).body });
      await expectUpdate(kind, owner, () => put(url, body), shown);
      await expectNone(412, () => put(url, body, STALE));
      await expectUpdate(
        kind,
        owner,
        () => del(url),
        async () => plain,
      );
      await expectNone(204, () => del(url));
    },
  );

  test("two modules of an edge that is managed elsewhere are both shown", async () => {
    const url = "/edges/https/edghts_both";
    await put(`${url}/tls_termination`, {});
    const { events } = await recorded(() => put(`${url}/mutual_tls`, {}));
    expect(Object.keys(events[0]?.["object"])).toEqual(["id", "uri", "mutual_tls", "tls_termination"]);
  });

  test("a PUT below an object that does not exist has no event", async () => {
    await expectNone(404, () => put("/edges/tcp/edgtcp_nothing/traffic_policy", { value: "x" }));
    const { uri } = await given.httpsEdge();
    await expectNone(404, () => put(`${uri}/routes/edghtsrt_nothing/compression`, {}));
  });
});

describe("sources:", () => {
  const [A, B] = ["ip_policy_created.v0", "ip_policy_deleted.v0"] as const;

  test("adding or removing one is an event of the subscription, and causes no other event", async () => {
    const { uri } = await given.subscription({ sources: [{ type: A }] });
    const headers = { "Idempotency-Key": crypto.randomUUID() };
    const add = () => post(`${uri}/sources`, { type: B }, { headers });
    await expectUpdate("event_subscription", uri, add);
    await expectNone(201, add);
    await expectNone(409, () => post(`${uri}/sources`, { type: B }));
    await expectNone(200, () => patch(`${uri}/sources/${B}`, {}));
    await expectNone(405, () => put(`${uri}/sources/${B}`, {}));
    await expectNone(412, () => del(`${uri}/sources/${B}`, STALE));
    await expectNone(400, () => post(`${uri}/sources`, { type: "nonsense" }));
    await expectUpdate("event_subscription", uri, () => del(`${uri}/sources/${B}`));
    await expectNone(404, () => del(`${uri}/sources/${B}`));
    await expectUpdate("event_subscription", uri, () => del(`${uri}/sources/${A}`));
    const { token } = await given.key({ role: "editor" });
    await expectNone(403, () => post(`${uri}/sources`, { type: "api_key_created.v0" }, { token }));
    await expectNone(404, () => post("/event_subscriptions/esb_nothing/sources", { type: A }));
  });
});

describe("side effects of a change have no separate events:", () => {
  const types = (events: Json[]) => events.map(({ event_type }) => event_type);

  test("the rules of a deleted policy", async () => {
    const policy = await given.ipPolicy();
    const created = await recorded(() =>
      post("/ip_policy_rules", { cidr: "::/0", action: "deny", ip_policy_id: policy["id"] }),
    );
    expect(types(created.events)).toEqual(["ip_policy_rule_created.v0"]);
    await given.rule({ ip_policy_id: policy["id"] });
    const { events } = await recorded(() => del(policy["uri"]));
    expect(types(events)).toEqual(["ip_policy_deleted.v0"]);
  });

  test("the routes of a deleted edge, which are shown with the edge, and the edge's version, which moves with its routes", async () => {
    const edge = await given.httpsEdge();
    const created = await recorded(() =>
      post(`${edge["uri"]}/routes`, { match_type: "exact_path", match: "/" }),
    );
    expect(types(created.events)).toEqual(["https_edge_route_created.v0"]);
    const { uri } = await given.route({ edge_id: edge["id"], compression: {} });
    expect(types((await recorded(() => del(`${uri}/compression`))).events)).toEqual([
      "https_edge_route_updated.v0",
    ]);
    const shown = (await get(edge["uri"])).body;
    expect(shown["routes"]).toHaveLength(2);
    const { answer, events } = await recorded(() => del(edge["uri"]));
    expect(events).toEqual([eventOf("https_edge_deleted", shown, answer)]);
  });

  test("the keys of a deleted bot user", async () => {
    const bot = await given.botUser();
    await given.key({ owner_id: bot["id"] });
    expect(types((await recorded(() => del(bot["uri"]))).events)).toEqual(["bot_user_deleted.v0"]);
  });

  test("the use of a key, and resealing", async () => {
    const { token, id } = await given.key();
    await expectNone(200, () => get("/ip_policies?limit=1", { token }));
    expect((await get(`/api_keys/${id}`)).body).toHaveProperty("last_used_at");
    const SEALING_KEYS = env.SEALING_KEYS?.split(",").toReversed().join();
    const target = { monitoring_vendor: { api_key: "key" } };
    expect((await post("/event_destinations", { target }, { env: { SEALING_KEYS } })).status).toBe(201);
    const { answer, events } = await recorded(() => post("/sealed_secrets/reseal", {}));
    expect(answer.body["resealed"], answer.text).toBeGreaterThan(0);
    expect(events).toEqual([]);
  });

  test("a deletion that is rejected because of references to the object", async () => {
    const { id, uri } = await given.httpResponse();
    const edge = await given.tcpEdge({ backend: { backend_id: id } });
    await expectNone(409, () => del(uri));
    await expectNone(400, () => patch(edge["uri"], { backend: { backend_id: "bkdfo_nothing" } }));
    const route = await given.route();
    const { match, match_type, edge_id } = route;
    await expectNone(409, () => post(`/edges/https/${edge_id}/routes`, { match, match_type }));
  });
});

test("a batch whose response is lost is recorded once, with its actual effect", async () => {
  for (const [method, body] of [
    ["POST", {}],
    ["PATCH", { description: "x" }],
    ["DELETE", undefined],
  ] as const) {
    const url = method === "POST" ? "/ip_policies" : (await given.ipPolicy())["uri"];
    const headers = { "Idempotency-Key": crypto.randomUUID() };
    const DB = intercepted(env.DB, async ({ send }) => {
      await send();
      throw new Error("D1_ERROR: Network connection lost.");
    });
    const { answer, events } = await recorded(() =>
      call(method, url, body, { env: { DB }, ...(method === "POST" && { headers }) }),
    );
    expect(answer.status).toBe(503);
    expect(events).toHaveLength(1);
    if (method === "POST") await expectNone(201, () => post(url, body, { headers }));
  }
});

describe("the principal is", () => {
  const principalOf = async (token: string): Promise<Json> => {
    const { events } = await recorded(() => post("/ip_policies", {}, { token }));
    expect(events).toHaveLength(1);
    return events[0]?.["principal"];
  };
  const refTo = ({ id, uri }: Json) => ({ id, uri });

  test("the key, by its description, or by its id if it has none", async () => {
    const described = await given.key({ description: "CI" });
    expect(await principalOf(described["token"])).toEqual({
      id: described["id"],
      subject: "CI",
      source: "API",
      credential: refTo(described),
    });
    const plain = await given.key();
    expect(await principalOf(plain["token"])).toEqual({
      id: plain["id"],
      subject: plain["id"],
      source: "API",
      credential: refTo(plain),
    });
  });

  test("the bot user that owns the key, by its name", async () => {
    const bot = await given.botUser({ name: "deploy" });
    const key = await given.key({ description: "CI", owner_id: bot["id"] });
    expect(await principalOf(key["token"])).toEqual({
      id: bot["id"],
      subject: "deploy",
      source: "API",
      credential: refTo(key),
    });
    // The events are found by the bot user, even if neither the bot user nor the key exists any more.
    expect((await del(bot["uri"])).status).toBe(204);
    expect((await logged(`principal_id=${bot["id"]}`)).map(({ event_type }) => event_type)).toEqual([
      "ip_policy_created.v0",
    ]);
    expect(await logged(`principal_id=${key["id"]}`)).toEqual([]);
  });

  test("named by at most 255 characters, none of them half of a surrogate pair", async () => {
    const bot = await given.botUser({ name: `x${"🙂".repeat(200_000)}` });
    const { token } = await given.key({ owner_id: bot["id"] });
    expect((await principalOf(token))["subject"]).toBe(`x${"🙂".repeat(127)}`);
  });
});

test("events show the URIs and the account that the operator has set", async () => {
  const policy = await given.ipPolicy();
  const BASE_URL = "https://edge.example.com";
  const { body } = await get("/events?limit=1", { env: { BASE_URL, ACCOUNT_ID: "ac_1" } });
  expect(body["events"][0]).toMatchObject({
    account_id: "ac_1",
    object: { id: policy["id"], uri: `${BASE_URL}/ip_policies/${policy["id"]}` },
  });
  expect(body.next_page_uri).toMatch(new RegExp(`^${BASE_URL}/events\\?before_id=ev_\\w+&limit=1$`));
  expect(body.uri).toBe(`${BASE_URL}/events`);
});

describe("the log contains no secret:", () => {
  /** The table, with each of its values as a string of its bytes. */
  async function bytes(): Promise<string> {
    const { results } = await env.DB.prepare("select *, hex(object) as bytes from events").all();
    return JSON.stringify(results);
  }

  test("of a destination or a route, sealed or not, even if the route is in an edge or managed elsewhere", async () => {
    const targets = fc.sample(
      validBody(bodyAt("POST", "/event_destinations")).map(({ target }) => target),
      60,
    );
    const seen = new Set(targets.flatMap((target) => Object.keys(target)));
    expect(seen.size).toBeGreaterThan(4);
    for (const target of targets) {
      const { uri } = await given.destination({ target });
      expect((await patch(uri, { target })).status).toBe(200);
      expect((await del(uri)).status).toBe(204);
    }
    const webhook_verification = { provider: "github", secret: MARK };
    const route = await given.route({ webhook_verification });
    await patch(route["uri"], { webhook_verification, description: "x" });
    await put(`${route["uri"]}/webhook_verification`, webhook_verification);
    const edge = `/edges/https/${route["edge_id"]}`;
    const { events } = await recorded(() => patch(edge, { description: "x" }));
    expect(events[0]?.["object"].routes[0].webhook_verification).toMatchObject({ secret: null });
    await put(`${edge}/tls_termination`, {});
    await del(edge);
    await put("/edges/https/edghts_s/routes/edghtsrt_s/webhook_verification", webhook_verification);
    await put("/edges/https/edghts_s/routes/edghtsrt_s/compression", {});
    const all = await bytes();
    expect(all).toContain("webhook_verification");
    for (const secret of [MARK, "sealed."]) {
      expect(all).not.toContain(secret);
      expect(all).not.toContain(hex(secret));
    }
  });

  test("of an API key: neither the token nor its digest", async () => {
    const { token, uri } = await given.key();
    const { results } = await env.DB.prepare("select token_sha256 from api_keys").all<Json>();
    const digests = results.map(({ token_sha256 }) => token_sha256);
    expect(digests.length).toBeGreaterThan(0);
    await patch(uri, { description: "x" });
    await del(uri);
    const all = await bytes();
    for (const secret of [token, token.slice(28), ...digests]) {
      expect(all).not.toContain(secret);
      expect(all).not.toContain(hex(secret));
    }
  });
});

const hex = (text: string): string =>
  [...new TextEncoder().encode(text)]
    .map((byte) => byte.toString(16).padStart(2, "0").toUpperCase())
    .join("");

describe("an object too long for the log", { tags: "thorough" }, () => {
  /** The most that D1 keeps in one row. The local database keeps more. */
  const ROW_BYTES = 2_000_000;

  /** The bytes of the longest row, and of the longest object. */
  const longest = async () => {
    const row = await env.DB.prepare(
      `select max(octet_length(type) + octet_length(object_id) + octet_length(salt) + octet_length(operation_id)
         + octet_length(principal) + octet_length(origin) + octet_length(object) + 100) as row, max(octet_length(object)) as object from events`,
    ).first<{ row: number; object: number }>();
    return row ?? { row: 0, object: 0 };
  };
  beforeEach(() => env.DB.prepare("delete from events").run());

  test.each([
    ["as it is", "x", 1],
    ["of three bytes", "€", 3],
    ["that doubles", '"', 2],
    ["that takes six", "\u0001", 6],
  ])(
    "is reduced to its id if its strings are long when written as JSON: a character %s",
    async (_, one, bytes) => {
      const count = Math.floor(620_000 / bytes);
      const [description, metadata, body] = Array.from({ length: 3 }, () => one.repeat(count));
      const whole = await create("/backends/http_response", { description });
      const { uri, id } = whole;
      expect((await patch(uri, { metadata })).status).toBe(200);
      expect((await patch(uri, { body })).status).toBe(200);
      const kept = await recorded(() => patch(uri, { body }));
      expect(kept.events).toEqual([
        eventOf("http_response_backend_updated", (await get(uri)).body, kept.answer),
      ]);
      expect((await longest()).object).toBeGreaterThan(1_850_000);
      const headers = { a: "x".repeat(39_000) };
      const cut = await recorded(() => patch(uri, { headers }));
      const shown = { ...eventOf("http_response_backend_updated", { id, uri }, cut.answer), truncated: true };
      expect(cut.events).toEqual([shown]);
      expect((await get(`/events/${cut.events[0]?.["event_id"]}`)).body).toEqual(shown);
      const gone = await recorded(() => del(uri));
      expect(gone.events).toEqual([
        { ...eventOf("http_response_backend_deleted", { id, uri }, gone.answer), truncated: true },
      ]);
      expect((await longest()).row).toBeLessThan(ROW_BYTES);
    },
  );

  test("such as an HTTPS edge with many long routes, is reduced to its id; each route is kept whole", async () => {
    const { uri, id } = await given.httpsEdge({ hostports: ["a:1"] });
    const body = { match_type: "exact_path", request_headers: { add: { a: '"'.repeat(14_000) } } };
    const change = () => recorded(() => patch(uri, { description: "x" }));
    let count = 0;
    // Far below the limit, another route makes no difference.
    for (; count < 62; count++)
      expect((await post(`${uri}/routes`, { ...body, match: `/${count}` })).status).toBe(201);
    let last = await change();
    for (; count < 100 && !last.events[0]?.["truncated"]; count++) {
      expect(last.events[0]?.["object"].routes).toHaveLength(count);
      const made = await recorded(() => post(`${uri}/routes`, { ...body, match: `/${count}` }));
      expect(made.answer.status, made.answer.text).toBe(201);
      expect(made.events[0]?.["object"]).toEqual(made.answer.body);
      last = await change();
    }
    expect(count).toBeGreaterThan(62);
    expect(count).toBeLessThan(100);
    expect(last.events[0]).toMatchObject({ truncated: true, object: { id, uri } });
    const { answer, events } = await recorded(() => del(uri));
    expect(events).toEqual([{ ...eventOf("https_edge_deleted", { id, uri }, answer), truncated: true }]);
    expect((await longest()).row).toBeLessThan(ROW_BYTES);
    expect((await longest()).object).toBeGreaterThan(1_800_000);
  });

  test("is measured with all its parts, none of which is too long alone", async () => {
    const { uri, id } = await given.httpsEdge();
    const header = { match_type: "exact_path", request_headers: { add: { a: '"'.repeat(14_000) } } };
    for (let i = 0; i < 65; i++)
      expect((await post(`${uri}/routes`, { ...header, match: `/${i}` })).status).toBe(201);
    const { events } = await recorded(() => patch(uri, { description: "x" }));
    expect(events[0]?.["object"].routes).toHaveLength(65);
    const certificate_authority_ids = Array.from(
      { length: 1_000 },
      (_, i) => `ca_${String(i).padStart(64, "0")}`,
    );
    await expectUpdate(
      "https_edge",
      uri,
      () => put(`${uri}/mutual_tls`, { certificate_authority_ids }),
      async () => ({ id, uri }),
      true,
    );
    expect((await longest()).row).toBeLessThan(ROW_BYTES);
  });
});

describe("the order of the log", () => {
  const rows = async () =>
    (await env.DB.prepare("select seq, at from events order by seq").all<{ seq: number; at: number }>())
      .results;

  test("is commit order, by number, by time and by id, even if the clock is set back", async () => {
    const start = realNow();
    for (const offset of [0, 5_000, -3_600_000, 4_999, -1, 9_000, 8_999]) {
      clock.now = () => start + offset;
      await given.ipPolicy();
      await Promise.all([given.ipPolicy(), given.ipPolicy(), given.tcpEdge()]);
    }
    const all = await rows();
    expect(all.length).toBeGreaterThanOrEqual(28);
    for (const [i, { seq, at }] of all.entries()) {
      expect(seq).toBeGreaterThan(all[i - 1]?.seq ?? 0);
      expect(at).toBeGreaterThanOrEqual(all[i - 1]?.at ?? 0);
    }
    expect(all.at(-1)?.at).toBe(start + 9_000);
    const events = await logged();
    expect(events).toHaveLength(all.length);
    const ids = events.map(({ event_id }) => event_id);
    expect(ids).toEqual(ids.toSorted().toReversed());
    const times = events.map(({ event_timestamp }) => Math.floor(Date.parse(event_timestamp) / 1000));
    expect(times).toEqual(all.map(({ at }) => Math.floor(at / 1000)).toReversed());
  });
});

/** A row of the log for {@link fill}. */
interface Filled {
  seq: number;
  type?: string;
  object_id?: string;
  at: number;
  principal?: string;
}

const AT = Date.UTC(2026, 0, 2, 3, 4, 5);

/** Replaces the log with `rows`. */
async function fill(rows: Filled[]): Promise<void> {
  await env.DB.batch([
    env.DB.prepare("delete from events"),
    env.DB.prepare(
      `insert into events (seq, type, object_id, at, salt, operation_id, principal, origin, object)
       select value ->> 'seq', coalesce(value ->> 'type', 'ip_policy_created.v0'), coalesce(value ->> 'object_id', 'ipp_1'), value ->> 'at',
         randomblob(10), 'op_1', json_object('id', coalesce(value ->> 'principal', 'root'), 'subject', 'x', 'source', 'API', 'credential', null), '${ORIGIN}',
         json_object('id', coalesce(value ->> 'object_id', 'ipp_1'), 'created_at', '2026-01-02T03:04:05Z', 'role', 'editor')
       from json_each(?)`,
    ).bind(JSON.stringify(rows)),
  ]);
}

/** Replaces the log with `count` events, with the object and type that `of` returns for each number. */
const fillMany = (count: number, columns: { type?: string; object_id?: string; object?: string } = {}) =>
  env.DB.batch([
    env.DB.prepare("delete from events"),
    env.DB.prepare(
      `with recursive n(i) as (select 1 union all select i + 1 from n where i < ${count})
       insert into events (seq, type, object_id, at, salt, operation_id, principal, origin, object)
       select i, ${columns.type ?? "'ip_policy_created.v0'"}, ${columns.object_id ?? "'ipp_1'"}, ${AT} + i * 1000, randomblob(10), 'op_1',
         '{"id":"root","subject":"root","source":"API","credential":null}', '${ORIGIN}',
         ${columns.object ?? `'{"id":"ipp_1","created_at":"2026-01-02T03:04:05Z"}'`} from n`,
    ),
  ]);

/** An edge without any settings, as SQL. */
const TCP_EDGE = `'{"id":"edgtcp_1","created_at":"","backend":null,"ip_restriction":null,"traffic_policy":null}'`;

const numbered = (from: number, to: number): number[] =>
  Array.from({ length: to - from + 1 }, (_, i) => from + i);

/** The numbers of events, which are part of their ids. */
const seqsOf = async (events: Json[]): Promise<number[]> => {
  const { results } = await env.DB.prepare("select seq, at, hex(salt) as salt from events order by seq").all<{
    seq: number;
    at: number;
    salt: string;
  }>();
  const known = new Map(results.map((row) => [eventId(row), row.seq]));
  return events.map(({ event_id }) => known.get(event_id) ?? Number.NaN);
};

describe("filters", { tags: "thorough" }, () => {
  const objects = ["ipp_1", "ipp_2", "ak_1"];
  const types = ["ip_policy_created.v0", "ip_policy_updated.v0", "api_key_updated.v0"];
  const principals = ["root", "bot_1"];
  const drawnLog = fc
    .array(
      fc.record({
        gap: fc.oneof({ weight: 4, arbitrary: fc.constant(1) }, fc.integer({ min: 2, max: 1_000 })),
        pause: fc.oneof({ weight: 2, arbitrary: fc.constant(0) }, fc.integer({ min: 0, max: 3 })),
        which: fc.nat({ max: 2 }),
        type: fc.nat({ max: 1 }),
        principal: fc.constantFrom(...principals),
      }),
      { maxLength: 25 },
    )
    .map((drawn) => {
      let [seq, at] = [0, AT];
      return drawn.map(({ gap, pause, which, type, principal }): Required<Filled> => {
        seq += gap;
        at += pause;
        return {
          seq,
          at,
          object_id: objects[which] ?? "",
          type: (which === 2 ? types[2] : types[type]) ?? "",
          principal,
        };
      });
    });
  const instant = fc.option(fc.integer({ min: -1, max: 12 }), { nil: undefined });
  const some = (values: string[]) =>
    fc.oneof({ weight: 2, arbitrary: fc.constant(undefined) }, fc.constantFrom(...values));
  const drawnFilter = fc.record({
    since: instant,
    until: instant,
    object_id: some([...objects, "ipp_3"]),
    type: some(types),
    principal_id: some([...principals, "bot_2"]),
    limit: fc.integer({ min: 1, max: 6 }),
    isAdmin: fc.boolean(),
    before: fc.option(fc.nat({ max: 24 }), { nil: undefined }),
  });

  test("return the same events as a plain comparison, for any log and combination; no page skips or repeats an event", async () => {
    const { token } = await given.key({ role: "viewer" });
    const text = (offset: number | undefined) =>
      offset === undefined ? undefined : new Date(AT + offset).toISOString();
    await fc.assert(
      fc.asyncProperty(
        drawnLog,
        fc.array(drawnFilter, { minLength: 1, maxLength: 6 }),
        async (log, filters) => {
          await fill(log);
          const ids = await logged();
          for (const { since, until, object_id, type, principal_id, limit, isAdmin, before } of filters) {
            const first = before === undefined ? undefined : ids[before];
            const asked = {
              since: text(since),
              until: text(until),
              object_id,
              type,
              principal_id,
              limit: String(limit),
              before_id: first?.["event_id"],
            };
            const query = new URLSearchParams(JSON.parse(JSON.stringify(asked)));
            const wanted = log
              .toReversed()
              .filter((_, i) => first === undefined || i > (before ?? 0))
              .filter(
                (row) =>
                  (since === undefined || row.at >= AT + since) &&
                  (until === undefined || row.at < AT + until) &&
                  (object_id === undefined || row.object_id === object_id) &&
                  (type === undefined || row.type === type) &&
                  (principal_id === undefined || row.principal === principal_id) &&
                  (isAdmin || !row.type.startsWith("api_key_")),
              );
            const found = await logged(query.toString(), isAdmin ? {} : { token });
            expect(await seqsOf(found), query.toString()).toEqual(wanted.map(({ seq }) => seq));
          }
        },
      ),
      runs(60),
    );
  });

  test("by type and by principal examine 10,000 events a page, and the next page continues from there", async () => {
    const type = "iif(i in (1, 25000), 'tcp_edge_created.v0', 'ip_policy_created.v0')";
    await fillMany(25_001, { type, object: TCP_EDGE });
    const query = "type=tcp_edge_created.v0&principal_id=root&since=2026-01-01T00:00:00Z";
    const pages: number[][] = [];
    let next: string | null = `/events?${query}`;
    while (next) {
      const { body, cost }: Answer = await get(next);
      pages.push(await seqsOf(body["events"]));
      expect(cost.rowsRead).toBeLessThan(10_200);
      next = body["next_page_uri"];
      if (next) expect(next).toContain(`&limit=100&${query.replaceAll(":", "%3A")}`);
    }
    expect(pages).toEqual([[25_000], [], [1]]);
  });

  test("by type for one object examine 10,000 of its events a page", async () => {
    const type = "iif(i in (2, 40000), 'ip_policy_updated.v0', 'ip_policy_created.v0')";
    await fillMany(40_001, { type, object_id: "iif(i % 2, 'ipp_1', 'ipp_2')" });
    const pages: number[][] = [];
    let next: string | null = "/events?type=ip_policy_updated.v0&object_id=ipp_2&limit=5";
    while (next) {
      const { body, cost }: Answer = await get(next);
      pages.push(await seqsOf(body["events"]));
      expect(cost.rowsRead).toBeLessThan(3 * 10_000 + 200);
      next = body["next_page_uri"];
    }
    expect(pages.filter((page) => page.length > 0)).toEqual([[40_000], [2]]);
    expect(pages.length).toBeLessThan(4);
  });
});

/** A list that contains a string `count` times, as SQL. */
const list = (count: number, text: string): string =>
  `'[' || rtrim(replace(hex(zeroblob(${count})), '00', '"${text}",'), ',') || ']'`;

const UNSET =
  "edge_id backend ip_restriction traffic_policy mutual_tls tls_termination hostports destination_ids sources routes_refs routes".split(
    " ",
  );

/** An object with some fields, each given as JSON in SQL. All others are null. */
const row = (id: string, members: Record<string, string>): string =>
  `'{"id":"${id}","created_at":""'${UNSET.map((name) => ` || ',"${name}":' || ${members[name] ?? "'null'"}`).join("")} || '}'`;

describe("the log", () => {
  test("is read in as many rows as a page has, however long the log is", async () => {
    clock.now = () => AT;
    const reads = async (query: string) => (await get(`/events?${query}`)).cost.rowsRead;
    for (const count of [1_000, 20_000]) {
      await fillMany(count, { object_id: "iif(i % 100, 'ipp_1', 'ipp_2')" });
      await get("/events?limit=1");
      for (const limit of [1, 10, 100]) {
        expect(await reads(`limit=${limit}`)).toBeLessThan(limit + 10);
        const [{ event_id }] = (await get("/events?limit=1")).body.events;
        expect(await reads(`limit=${limit}&before_id=${event_id}`)).toBeLessThan(limit + 10);
      }
      expect(await reads("limit=10&object_id=ipp_2")).toBeLessThan(2 * 10 + 10);
      // Two rows for each bit of the length of the log, and the bounds are read twice. A row of the page counts for 15.
      const until = new Date(AT + 500_000).toISOString();
      expect(await reads(`limit=10&until=${until}`)).toBeLessThan(15 * 11 + 2 * 2 * 16 + 20);
      expect(await reads(`limit=10&since=${until}&until=${until}`)).toBeLessThan(2 * 2 * 2 * 16 + 20);
      const [first] = await logged(`until=${new Date(AT + 1_500).toISOString()}`);
      expect((await get(`/events/${first?.["event_id"]}`)).cost.rowsRead).toBe(1);
    }
  });

  test("ends its pages at about 4 MB, and shows each event once", { tags: "thorough" }, async () => {
    const object = `json_object('id', 'bkdhr_1', 'created_at', '2026-01-02T03:04:05Z', 'status_code', 200, 'body', replace(hex(zeroblob(i % 7 * 70000)), '0', 'x'))`;
    await fillMany(40, { type: "'http_response_backend_created.v0'", object_id: "'bkdhr_1'", object });
    expect(await pageBytes()).toBeLessThan(4_300_000);
    expect(await pageBytes("limit=3")).toBeLessThan(4_300_000);
    await fillMany(5, {
      type: "'http_response_backend_created.v0'",
      object: `json_object('id', 'bkdhr_1', 'created_at', '', 'status_code', 200, 'body', replace(hex(zeroblob(940000)), '0', 'x'))`,
    });
    expect(await pageBytes()).toBeGreaterThan(3_000_000);
  });

  const restriction = (count: number) =>
    `'{"enabled":true,"ip_policy_ids":' || ${list(count, "ipp_1")} || '}'`;
  const route =
    '{"id":"edghtsrt_1","edge_id":"edghts_1","created_at":"","match_type":"exact_path","match":"/","backend":null,"circuit_breaker":null,"compression":null,"request_headers":null,"response_headers":null,"traffic_policy":null,"user_agent_filter":null,"webhook_verification":null,"websocket_tcp_converter":null,"ip_restriction":';

  test.each([
    ["a list of ids", "tcp_edge", row("edgtcp_1", { ip_restriction: restriction(200) })],
    [
      "a list of authorities",
      "tls_edge",
      row("edgtls_1", {
        mutual_tls: `'{"enabled":true,"certificate_authority_ids":' || ${list(200, "ca_1")} || '}'`,
      }),
    ],
    ["sources", "event_subscription", row("esb_1", { sources: list(80, "tcp_edge_created.v0") })],
    [
      "routes of an edge",
      "https_edge",
      row("edghts_1", { routes_refs: "'400'", routes: `'[${route}' || ${restriction(400)} || '}]'` }),
    ],
  ])("counts %s with URIs, which can be long", async (_, kind, object) => {
    await fillMany(100, { type: `'${kind}_created.v0'`, object });
    const BASE_URL = `https://${"a".repeat(800)}.test`;
    expect(await pageBytes("", { env: { BASE_URL } })).toBeLessThan(8_000_000);
    expect(await pageBytes()).toBeLessThan(4_300_000);
  });

  /** The bytes of the longest page. Checks that the pages make up the whole log. */
  async function pageBytes(query = "", options = {}): Promise<number> {
    let longest = 0;
    const ids: string[] = [];
    let next: string | null = `/events?${query}`;
    while (next) {
      const { body, text }: Answer = await get(next, options);
      expect(body["events"].length).toBeGreaterThan(0);
      longest = Math.max(longest, new TextEncoder().encode(text).byteLength);
      ids.push(...body["events"].map(({ event_id }: Json) => event_id));
      next = body["next_page_uri"];
    }
    const { results } = await env.DB.prepare("select count(*) as n from events").all<{ n: number }>();
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids).toHaveLength(results[0]?.n ?? -1);
    return longest;
  }

  test("shows events of API keys only to admins", async () => {
    await env.DB.prepare("delete from events").run();
    const { uri } = await given.key();
    await given.ipPolicy();
    await patch(uri, { description: "x" });
    const all = await logged();
    expect(all.map(({ event_type }) => event_type)).toEqual([
      "api_key_updated.v0",
      "ip_policy_created.v0",
      "api_key_created.v0",
    ]);
    const [updated, created] = [all[0]?.["event_id"], all[2]?.["event_id"]];
    const admin = { token: (await given.key({ role: "admin" }))["token"] };
    expect((await get(`/events/${updated}`, admin)).body).toEqual(all[0]);
    expect((await logged("", admin)).slice(-3)).toEqual(all);
    for (const role of ["viewer", "editor"]) {
      const options = { token: (await given.key({ role }))["token"] };
      expect(await logged("", options)).toEqual([all[1]]);
      expect(await logged("type=api_key_created.v0", options)).toEqual([]);
      expect(await logged(`object_id=${all[0]?.["object"].id}`, options)).toEqual([]);
      expect(await logged(`limit=1&before_id=${updated}`, options)).toEqual([all[1]]);
      for (const id of [updated, created])
        expect(outcome(await get(`/events/${id}`, options))).toBe("404 ERR_NOT_FOUND");
      expect((await get(`/events/${all[1]?.["event_id"]}`, options)).body).toEqual(all[1]);
    }
  });

  test("begins after the deleted events", async () => {
    await fill(numbered(1, 30).map((seq) => ({ seq, at: AT + seq })));
    const all = await logged();
    await env.DB.prepare("delete from events where seq <= 20").run();
    expect(await logged("limit=3")).toEqual(all.slice(0, 10));
    for (const gone of [all[10], all[29]]) {
      const id = gone?.["event_id"];
      expect(outcome(await get(`/events/${id}`))).toBe("404 ERR_NOT_FOUND");
      const { body } = await get(`/events?before_id=${id}`);
      expect(body).toMatchObject({ events: [], next_page_uri: null });
    }
    const since = new Date(AT).toISOString();
    expect(await logged(`since=${since}`)).toEqual(all.slice(0, 10));
    expect(await logged(`until=${since}`)).toEqual([]);
    // Another event with the number of a deleted one would have another id.
    await env.DB.prepare("update events set salt = randomblob(10) where seq = 25").run();
    expect(outcome(await get(`/events/${all[5]?.["event_id"]}`))).toBe("404 ERR_NOT_FOUND");
    await given.ipPolicy();
    expect(await seqsOf(await logged("limit=1"))).toContain(31);
  });

  test("can be empty", async () => {
    await env.DB.prepare("delete from events").run();
    const empty = { events: [], uri: `${ORIGIN}/events`, next_page_uri: null };
    for (const query of ["", "type=ip_policy_created.v0", "since=2026-01-01T00:00:00Z", "object_id=ipp_1"])
      expect((await get(`/events?${query}`)).body).toEqual(empty);
  });

  test("has no event with an id that is none of its own", async () => {
    for (const id of ["ev_1", "ev_2fCzyKyxGFFQjbGvSPXiVOWCOkX", "ev_zzzzzzzzzzzzzzzzzzzzzzzzzzz", "x"])
      expect(outcome(await get(`/events/${id}`)), id).toBe("404 ERR_NOT_FOUND");
  });

  test("answers HEAD like GET, and returns 304 for the tag of an event, which never changes", async () => {
    await given.ipPolicy();
    const id = await newestId();
    for (const url of ["/events", `/events/${id}`]) {
      const head = await call("HEAD", url);
      expect([head.status, head.headers.get("Content-Type")]).toEqual([200, "application/json"]);
    }
    const tag = (await get(`/events/${id}`)).headers.get("ETag") ?? "";
    expect((await get(`/events/${id}`, { headers: { "If-None-Match": tag } })).status).toBe(304);
  });
});

test("an event of a kind that only newer code knows is shown as its id, and does not break a list", async () => {
  await given.ipPolicy();
  await env.DB.prepare(
    `insert into events (type, object_id, at, salt, operation_id, principal, origin, object)
     select 'vault_created.v0', 'vlt_1', at, randomblob(10), operation_id, principal, origin, '{"id":"vlt_1"}' from events order by seq desc limit 1`,
  ).run();
  const { status, body } = await get("/events?limit=2");
  expect([status, body["events"][0]["truncated"], body["events"][0]["object"]["id"]]).toEqual([
    200,
    true,
    "vlt_1",
  ]);
});

describe("following the log with after_id", () => {
  const START = "ev_000000000000000000000000000";
  beforeEach(() => empty());

  /** All pages from an event on, as a follower reads them. */
  async function followed(after: string, query: string, options = {}): Promise<Json[]> {
    const events: Json[] = [];
    for (let next: string | null = `/events?after_id=${after}${query}`; next;) {
      const { body, status, text, cost }: Answer = await get(next, options);
      expect(status, text).toBe(200);
      if (!("token" in options)) expect(cost.roundTrips).toBe(1);
      events.push(...body["events"]);
      next = body["next_page_uri"];
    }
    return events;
  }

  test("returns each event once, oldest first, whatever the pages and filters", async () => {
    const { token } = await given.key({ role: "viewer" });
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 0, max: 4 }), { minLength: 1, maxLength: 4 }),
        fc.integer({ min: 1, max: 4 }),
        fc.constantFrom(
          "",
          "&type=ip_policy_created.v0",
          "&principal_id=root",
          "&since=2020-01-01T00:00:00Z",
        ),
        fc.constantFrom({}, { token }),
        async (rounds, limit, filter, options) => {
          const start = (await newestId()) || START;
          const seen: Json[] = [];
          for (const count of rounds) {
            for (let i = 0; i < count; i++)
              await given.rule({ ip_policy_id: (await given.ipPolicy())["id"] });
            seen.push(
              ...(await followed(seen.at(-1)?.["event_id"] ?? start, `${filter}&limit=${limit}`, options)),
            );
          }
          const all = (await logged(filter.slice(1), options)).filter((event) => event["event_id"] > start);
          expect(seen).toEqual(all.toReversed());
        },
      ),
      runs(10),
    );
  });

  test("an event older than the log is 410, and so is one that the log has not reached", async () => {
    for (let i = 0; i < 3; i++) await given.ipPolicy();
    const all = (await logged()).toReversed();
    const ids = all.map((event) => event["event_id"]);
    expect(await followed(START, "")).toHaveLength(ids.length);
    await env.DB.prepare("delete from events where seq <= (select min(seq) + 1 from events)").run();
    const statusOf = async (id: string) => (await get(`/events?after_id=${id}`)).status;
    // All events after the second one are still there.
    expect([await statusOf(START), await statusOf(ids[0]), await statusOf(ids[1])]).toEqual([410, 410, 200]);
    expect((await get(`/events?after_id=${START}`)).body["error_code"]).toBe("ERR_GONE");
    expect(await followed(ids[1], "")).toEqual(all.slice(2));
    expect(await followed(ids.at(-1), "")).toEqual([]);
    expect(await statusOf("ev_zzzzzzzzzzzzzzzzzzzzzzzzzzz".replaceAll("z", "1"))).toBe(410);
  });

  test("after_id and before_id are rejected together, and so is a malformed one", async () => {
    const both = await get(`/events?after_id=${START}&before_id=${START}`);
    expect([both.status, both.body["errors"].map(({ path }: Json) => path)]).toEqual([
      400,
      ["before_id", "after_id"],
    ]);
    expect((await get("/events?after_id=x")).body["errors"][0].path).toBe("after_id");
  });
});
