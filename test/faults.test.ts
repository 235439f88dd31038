import { env } from "cloudflare:workers";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { clock } from "../src/clock.ts";
import { limits } from "../src/db/calls.ts";
import { isCreation } from "../src/http/operations/operation.ts";
import { type Answer, call, create, get, type Json, post, put, routes } from "./api.ts";
import { givenHttpResponse, givenIpPolicy, givenKey, givenRule, givenTcpEdge } from "./given.ts";
import { intercepted } from "./intercepted.ts";
import { accepted, givenWorld, type World } from "./laws/collections.ts";

/*
 * The database fails: every call of every operation, before it is done, after it was done, or by never answering. What
 * the caller is told is true, nothing is half done, and sending the same request again leads to one outcome.
 */

const real = { ...limits };
test("limits is what README says", () => {
  expect(real).toEqual({ deadline: 10_000, bookmarkDeadline: 3_000, attempts: 3, pause: 50 });
});

/** Moves time on, past what an isolate remembers of the database's health. */
let ahead = 0;
const realNow = clock.now;

let world: World;
beforeAll(async () => {
  clock.now = () => realNow() + ahead;
  Object.assign(limits, { deadline: 25, bookmarkDeadline: 10, pause: 1 });
  world = await givenWorld();
});
afterAll(() => {
  clock.now = realNow;
  Object.assign(limits, real);
});

const LOST = "D1_ERROR: Network connection lost.";

/** Ways to fail. The last is done after the caller was told that it is not known. */
const faults = ["before", "after", "stalled", "late"] as const;
type Fault = (typeof faults)[number];

/** The database, whose n-th call fails; `settled` waits for what is done too late. */
function failing(nth: number, fault: Fault): { DB: D1Database; settled: () => Promise<unknown> } {
  let calls = 0;
  let late: Promise<unknown> = Promise.resolve();
  const DB = intercepted(env.DB, async ({ send }) => {
    calls += 1;
    if (calls !== nth) return send();
    if (fault === "after") await send();
    if (fault === "before" || fault === "after") throw new Error(LOST);
    if (fault === "late") late = scheduler.wait(limits.deadline * 1.5).then(send);
    return new Promise(() => {});
  });
  return { DB, settled: () => late };
}

const tables = [
  "api_keys",
  "bot_users",
  "event_destinations",
  "failover_backends",
  "failover_children",
  "http_response_backends",
  "https_edge_routes",
  "https_edges",
  "idempotency_records",
  "ip_policies",
  "ip_policy_rules",
  "tcp_edges",
  "tls_edges",
];

/** All rows but for their versions: a change that is repeated moves them again. */
async function everything(): Promise<string> {
  const results = await env.DB.batch<Json>(tables.map((table) => env.DB.prepare(`select * from ${table}`)));
  const rows = results.map((result) => result.results.map(({ version: _, last_used_at: __, ...row }) => row));
  return JSON.stringify(rows);
}

/** Rows that refer to nothing, and records of objects that are not there. */
const backends = "(select id from failover_backends union all select id from http_response_backends)";
const dangling = [
  "select id from ip_policy_rules where ip_policy_id not in (select id from ip_policies)",
  "select id from api_keys where owner_id not in (select id from bot_users)",
  `select parent from failover_children where child not in ${backends}`,
  "select parent from failover_children where parent not in (select id from failover_backends)",
  `select b.id from failover_backends b, json_each(b.backends) j
   where not exists (select 1 from failover_children where child = j.value and parent = b.id)`,
  `select id from tcp_edges where backend ->> 'backend_id' not in ${backends}`,
  `select id from tls_edges where backend ->> 'backend_id' not in ${backends}`,
];

interface Request {
  method: string;
  url: string;
  body?: Json;
  headers?: Record<string, string>;
  token?: string;
}

function send({ method, url, body, headers = {}, token }: Request, DB?: D1Database): Promise<Answer> {
  if (url === "/health") ahead += 5_000;
  return call(method, url, body, {
    headers,
    ...(token !== undefined && { token }),
    ...(DB && { env: { DB } }),
  });
}

/**
 * Sends what `given` makes, once for every call that it takes and every way to fail, and again until it is answered.
 *
 * @param answers the statuses that are right when the database works, of a request that was done before too
 */
async function expectConvergence(given: () => Promise<Request>, answers: number[]): Promise<void> {
  const { cost } = await send(await given());
  for (let nth = 1; nth <= cost.roundTrips; nth++)
    for (const fault of faults) {
      const what = `call ${nth} fails ${fault}`;
      const request = await given();
      const before = await everything();
      const { DB, settled } = failing(nth, fault);
      const told = await send(request, DB);
      if (told.status === 503) {
        expect([told.body.error_code, told.headers.get("Retry-After")], what).toEqual([
          "ERR_UNAVAILABLE",
          "1",
        ]);
        expect(told.text, what).not.toContain("Network");
      } else expect(answers, what).toContain(told.status);
      if (told.status === 503 && fault === "before") expect(await everything(), what).toBe(before);
      await settled();
      const after = await everything();
      const again = await send(request);
      expect(answers, what).toContain(again.status);
      const converged = await everything();
      // All of it was done or nothing, and what was told to be done was.
      expect(told.status === 503 ? [before, converged] : [converged], what).toContain(after);
      // Once more changes nothing more.
      const { status } = await send(request);
      expect(answers, what).toContain(status);
      expect(await everything(), what).toBe(converged);
      const lost = await env.DB.batch(dangling.map((query) => env.DB.prepare(query)));
      expect(
        lost.flatMap(({ results }) => results),
        what,
      ).toEqual([]);
    }
}

/** Bodies of modules, by name. */
const modules = (): Record<string, Json> => ({
  backend: { backend_id: world.backends[0] },
  ip_restriction: { ip_policy_ids: world.policies },
  traffic_policy: { value: "x" },
  circuit_breaker: { num_buckets: 3 },
  request_headers: { remove: ["x"] },
});

describe.each(routes.filter(({ path }) => path !== "/openapi.json"))("$method $path", (route) => {
  const { method, path, operation } = route;
  const [, collection = "", module] = /^(.*?)(?:\/:id(?:\/(\w+))?)?$/.exec(path) ?? [];

  /** A request of this operation that is accepted, about an object of its own. */
  async function given(): Promise<Request> {
    const headers = isCreation(operation) ? { "Idempotency-Key": crypto.randomUUID() } : {};
    if (path.includes("https")) {
      const random = crypto.randomUUID().replaceAll("-", "");
      const url = path
        .replace(":edge_id", "edghts_1")
        .replace(":id", (path.includes("routes") ? "edghtsrt_" : "edghts_") + random);
      const body = modules()[path.split("/").at(-1) ?? ""] ?? {};
      if (method !== "PUT") await put(url, body);
      return { method, url, ...(method === "PUT" && { body }) };
    }
    if (path === "/health") return { method, url: path };
    if (path === "/sealed_secrets/reseal") {
      const body = { target: { monitoring_vendor: { api_key: "key" } } };
      const ring = env.SEALING_KEYS?.split(",").toReversed().join();
      await post("/event_destinations", body, { env: { SEALING_KEYS: ring } });
      return { method, url: path, body: {} };
    }
    const { body, change } = accepted(collection, world);
    if (!path.includes(":id")) return { method, url: path, headers, ...(method === "POST" && { body }) };
    const { uri } = await create(collection, body);
    if (collection === "/ip_policies") await givenRule({ ip_policy_id: uri.split("/").at(-1) });
    if (collection === "/bot_users") await givenKey({ owner_id: uri.split("/").at(-1) });
    if (!module) return { method, url: uri, ...(method === "PATCH" && { body: change }) };
    const value = modules()[module] ?? {};
    if (method !== "PUT") await put(`${uri}/${module}`, value);
    return { method, url: `${uri}/${module}`, ...(method === "PUT" && { body: value }) };
  }

  test("is done, or told not to be known", async () => {
    const gone = method === "DELETE" && !module && !path.includes("https") ? [404] : [];
    await expectConvergence(given, [operation.status, ...gone]);
  });
});

describe("also where the answer takes more calls:", () => {
  test("with a key that is not remembered", async () => {
    const given = async () => ({
      method: "POST",
      url: "/ip_policies",
      body: {},
      headers: { "Idempotency-Key": crypto.randomUUID() },
      token: (await givenKey())["token"],
    });
    await expectConvergence(given, [201]);
  });

  test("a reference to nothing", async () => {
    const body = { backend: { backend_id: "bkdfo_1" }, ip_restriction: { ip_policy_ids: ["ipp_1"] } };
    await expectConvergence(async () => ({ method: "POST", url: "/edges/tls", body }), [400]);
    await expectConvergence(
      async () => ({ method: "PATCH", url: (await givenTcpEdge())["uri"], body }),
      [400],
    );
    const headers = { "Idempotency-Key": crypto.randomUUID() };
    await expectConvergence(async () => ({ method: "POST", url: "/edges/tls", body, headers }), [400]);
  });

  test("a backend in use", async () => {
    const given = async () => {
      const { id, uri } = await givenHttpResponse();
      await givenTcpEdge({ backend: { backend_id: id } });
      return { method: "DELETE", url: uri };
    };
    await expectConvergence(given, [409]);
  });

  test("a state that is no longer", async () => {
    const given = async () => ({
      method: "PATCH",
      url: (await givenIpPolicy())["uri"],
      body: { description: "x" },
      headers: { "If-Match": '"7"' },
    });
    await expectConvergence(given, [412]);
  });
});

test("a read and a keyed creation are tried again, so that one lost answer is not noticed", async () => {
  const { uri } = await givenIpPolicy();
  for (const fault of ["before", "after"] as const) {
    const read = failing(1, fault);
    expect((await get(uri, { env: { DB: read.DB } })).status).toBe(200);
    const keyed = failing(1, fault);
    const headers = { "Idempotency-Key": crypto.randomUUID() };
    const made = await call("POST", "/ip_policies", {}, { headers, env: { DB: keyed.DB } });
    expect([made.status, made.headers.has("Idempotent-Replayed")]).toEqual([201, false]);
    expect((await get(made.body.uri)).text).toBe(made.text);
  }
});

test.each([false, true])(
  "a creation whose lost sending comes late makes nothing again (deleted meanwhile: %s)",
  async (isDeleted) => {
    const { id } = await givenIpPolicy();
    const rule = { cidr: "::/0", action: "deny", ip_policy_id: id };
    let late: (() => Promise<unknown>) | undefined;
    const DB = intercepted(env.DB, async ({ queries, send }) => {
      if (queries.length === 1 || late) return send();
      late = send;
      throw new Error(LOST);
    });
    const headers = { "Idempotency-Key": crypto.randomUUID() };
    const made = await call("POST", "/ip_policy_rules", rule, { headers, env: { DB } });
    expect(made.status).toBe(201);
    if (isDeleted) await call("DELETE", made.body.uri);
    await late?.();
    expect((await get(made.body.uri)).status).toBe(isDeleted ? 404 : 200);
  },
);

/**
 * What D1 says, word for word, and what becomes of it: from its list of errors
 * (https://developers.cloudflare.com/d1/observability/debug-d1/#error-list) and as it was reported.
 */
const TRANSIENT = [
  "Network connection lost.",
  "D1 DB reset because its code was updated.",
  "Internal error in D1 DB storage caused object to be reset.",
  "Internal error while starting up D1 DB storage caused object to be reset.",
  "Replica disconnected from primary.",
  "Cannot resolve D1 DB due to transient issue on remote node.",
  "Can't read from request stream because client disconnected.",
  "internal error; reference = 6hi9i83lajvi9r65mtnuni1t",
  "Failed to parse body as JSON, got: error code: 502",
  "Unable to open database file: SQLITE_CANTOPEN",
  "database is locked: SQLITE_BUSY",
];
const OVERLOADED = [
  "D1 DB is overloaded. Requests queued for too long.",
  "D1 DB is overloaded. Too many requests queued.",
  "D1 DB's isolate exceeded its memory limit and was reset.",
  "D1 DB exceeded its CPU time limit and was reset.",
  "D1 DB storage operation exceeded timeout which caused object to be reset.",
];
const QUOTA = [
  "Exceeded maximum DB size.",
  "Your account has exceeded D1's maximum account storage limit, please contact Cloudflare to raise your limit",
  "database or disk is full: SQLITE_FULL",
  "Your account has exceeded D1's free tier daily row read limit. Upgrade to a paid plan or wait until tomorrow (midnight UTC) to continue. See https://developers.cloudflare.com/d1/platform/limits/ for more details.",
  "Your account has exceeded D1's free tier daily row write limit. Upgrade to a paid plan or wait until tomorrow (midnight UTC) to continue. See https://developers.cloudflare.com/d1/platform/limits/ for more details.",
];
const UNEXPECTED = [
  "Too many API requests by single worker invocation.",
  "No SQL statements detected.",
  "no such table: ip_policies: SQLITE_ERROR",
];

describe.each([
  {
    messages: TRANSIENT,
    sent: 3,
    answer: [503, "ERR_UNAVAILABLE", "1"],
    line: { level: "error", msg: "The database could not answer." },
  },
  {
    messages: OVERLOADED,
    sent: 1,
    answer: [503, "ERR_UNAVAILABLE", "1"],
    line: { level: "error", msg: "The database has more to do than it can." },
  },
  {
    messages: QUOTA,
    sent: 1,
    answer: [503, "ERR_UNAVAILABLE", "60"],
    line: { level: "alert", msg: "The database has used up a quota: make room in it, or raise the limit." },
  },
  {
    messages: UNEXPECTED,
    sent: 1,
    answer: [500, "ERR_INTERNAL", null],
    line: { level: "error", msg: "Unexpected error." },
  },
])("what may be repeated is sent $sent times and answered $answer", ({ messages, sent, answer, line }) => {
  afterEach(() => {
    vi.restoreAllMocks();
  });

  test.each(messages)("when D1 says %j", async (message) => {
    for (const { method, headers, times } of [
      { method: "GET", headers: {}, times: sent },
      { method: "POST", headers: { "Idempotency-Key": crypto.randomUUID() }, times: sent },
      { method: "POST", headers: {}, times: 1 },
    ]) {
      const lines: Json[] = [];
      vi.spyOn(console, "error").mockImplementation((text: string) => lines.push(JSON.parse(text)));
      let calls = 0;
      const DB = intercepted(env.DB, async () => {
        calls += 1;
        // As D1's binding throws it.
        throw new Error(`D1_ERROR: ${message}`, { cause: new Error(message) });
      });
      const body = method === "POST" ? {} : undefined;
      const told = await call(method, "/ip_policies", body, { headers, env: { DB } });
      expect([told.status, told.body.error_code, told.headers.get("Retry-After")]).toEqual(answer);
      expect(told.text).not.toContain(message);
      expect(calls, `calls of ${method}`).toBe(times);
      const operation_id = told.headers.get("Service-Operation-Id");
      expect(lines).toEqual([{ ...line, operation_id, cause: `Error: ${message}` }]);
    }
  });
});

test("no answer takes longer than the deadline", async () => {
  for (const request of [
    { method: "GET", url: "/bot_users" },
    { method: "POST", url: "/bot_users", body: { name: "a" }, headers: { "Idempotency-Key": "stalled" } },
    { method: "GET", url: "/health" },
  ]) {
    const start = performance.now();
    const { status } = await send(request, failing(1, "stalled").DB);
    expect([request.url, status]).toEqual([request.url, 503]);
    expect(performance.now() - start).toBeLessThan(1_000);
  }
});
