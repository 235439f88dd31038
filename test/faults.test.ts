// @module-tag thorough
import { env } from "cloudflare:workers";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { clock, timestamp } from "../packages/model/src/clock.ts";
import { limits } from "../src/db/session.ts";
import { isCreation } from "../src/http/route.ts";
import { type Answer, call, create, get, ORIGIN, post, put, routes } from "./support/api.ts";
import { inconsistenciesIn, type Rows } from "./support/consistency.ts";
import { isThorough } from "./support/effort.ts";
import {
  accepted,
  bodiesReferringTo,
  collections,
  exampleOf,
  given as givenObject,
  referring,
} from "./support/examples.ts";
import * as given from "./support/given.ts";
import { intercepted } from "./support/intercepted.ts";
import type { Json } from "./support/json.ts";
import { toDelete, toPatch, toPost, toPut } from "./support/operations.ts";
import { givenPerson } from "./support/people.ts";
import { restore, stored, withoutColumns } from "./support/stored.ts";

/*
 * Transient database failures: every call of every operation fails before or after it takes effect, or times out. The
 * response must be correct, nothing may take effect in part, and repeating the request must lead to a single outcome.
 */

const real = { ...limits };
test("deadlines and retries are as README states", () => {
  expect(real).toEqual({ deadline: 10_000, bookmarkDeadline: 3_000, attempts: 3, pause: 50 });
});

/** How far the clock is advanced, so that the cached result of a health check expires. */
let ahead = 0;
const realNow = clock.now;

beforeAll(() => {
  clock.now = () => realNow() + ahead;
  Object.assign(limits, { bookmarkDeadline: 10, pause: 1 });
});
afterAll(() => {
  clock.now = realNow;
  Object.assign(limits, real);
});

let one: Rows | undefined;

/** Fills the database with at least one object of each collection, and few in total. */
async function oneOfEach(): Promise<void> {
  if (one) return restore(one);
  for (const { path } of collections) await givenObject(path);
  one = await stored();
}

const LOST = "D1_ERROR: Network connection lost.";

/**
 * Failures: before or after the call takes effect, by a timeout without effect, and by a timeout with a late effect.
 */
const faults = ["before", "after", "stalled", "late"] as const;
type Fault = (typeof faults)[number];

/** Forms of requests whose calls have timed out in a test. */
const timedOut = new Set<string>();

/** The faults to try: timeouts once for each form of request, unless tests are thorough. */
function faultsOf({ method, url, headers = {} }: Request): readonly Fault[] {
  const form = [method, new URL(url, ORIGIN).pathname.split("/").length, ...Object.keys(headers)].join(" ");
  if (!isThorough && timedOut.has(form)) return ["before", "after"];
  timedOut.add(form);
  return faults;
}

/** The deadline, in milliseconds, of the call that times out. */
const SHORT = 10;

/** A database whose nth call fails. `settled` lets a late call take effect. */
function failing(nth: number, fault: Fault): { DB: D1Database; settled: () => Promise<unknown> } {
  let calls = 0;
  let late = async (): Promise<unknown> => undefined;
  const isStalling = fault === "stalled" || fault === "late";
  /** Only the stalled call has a short deadline, because the others can take longer on a busy machine. */
  const expectNext = () => {
    limits.deadline = isStalling && calls === nth - 1 ? SHORT : real.deadline;
  };
  expectNext();
  const DB = intercepted(env.DB, async ({ send }) => {
    calls += 1;
    const isFailing = calls === nth;
    expectNext();
    if (!isFailing) return send();
    // A batch that ends itself, because it is rejected or a dry run, is lost like any other.
    const unheard = () => send().catch(() => undefined);
    if (fault === "after") await unheard();
    if (!isStalling) throw new Error(LOST);
    if (fault === "late") late = unheard;
    return new Promise(() => {});
  });
  return { DB, settled: () => late() };
}

/**
 * The stored data as text, except what a repeated change adds to: versions, and events, which are compared with the
 * other tables. Sealing the same secret again gives a different string.
 */
const everything = async (): Promise<string> => comparable(await stored());
const comparable = ({ events: _, ...rows }: Rows): string =>
  withoutColumns(rows, "version", "last_used_at", "last_seen", "next_attempt_at").replace(
    /(sealed\.[\w-]+\.)[\w+/=]+/g,
    "$1",
  );

const prefixes = collections.map(({ prefix }) => prefix);

const webhook = { provider: "github", secret: "key" };

/** The id of a new edge for routes; undefined for collections that are not within an object. */
const ownerOf = async (collection: string): Promise<string | undefined> =>
  collection.includes(":edge_id") ? (await given.httpsEdge())["id"] : undefined;

/** A route of the edge with every module in the example, which refers to a backend and a policy. */
const givenWholeRoute = async (edge_id: string): Promise<Json> =>
  given.route({ ...(await referring(exampleOf("POST", "/edges/https/:edge_id/routes"))), edge_id });

interface Request {
  method: string;
  url: string;
  body?: Json;
  headers?: Record<string, string | undefined>;
  token?: string;
}

/** A valid request of an operation on people, their keys or their sessions. */
async function givenOfPeople(method: string, path: string): Promise<Request> {
  const { id, cookie } = await givenPerson("editor");
  const isTheirs = !/^\/users(?:$|\/:id)/.test(path);
  const headers: Request["headers"] = isTheirs
    ? { Authorization: undefined, Cookie: cookie, "Sec-Fetch-Site": "same-origin" }
    : {};
  if (method === "POST") headers["Idempotency-Key"] = crypto.randomUUID();
  const key = path.includes("me/keys/:id") ? await post("/users/me/keys", {}, { headers }) : undefined;
  const body = { PATCH: { active: false }, POST: {} }[method];
  const url = path.replace(":id", key?.body["id"] ?? id);
  return { method, url, headers, ...(body && { body }) };
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
 * Sends a request from `given` for each of its round trips and each kind of failure, then sends it again.
 *
 * @param answers the correct statuses without failures, including those of a repeated request
 */
async function expectConvergence(setUp: () => Promise<Request>, answers: number[]): Promise<void> {
  const first = await setUp();
  const { cost } = await send(first);
  const faults = faultsOf(first);
  for (let nth = 1; nth <= cost.roundTrips; nth++)
    for (const fault of faults) {
      const what = `call ${nth} fails ${fault}`;
      const request = await setUp();
      const before = await everything();
      const { DB, settled } = failing(nth, fault);
      const response = await send(request, DB);
      if (response.status === 503) {
        expect([response.body.error_code, response.headers.get("Retry-After")], what).toEqual([
          "ERR_UNAVAILABLE",
          "1",
        ]);
        expect(response.text, what).not.toContain("Network");
      } else expect(answers, what).toContain(response.status);
      await settled();
      const after = await everything();
      if (response.status === 503 && fault === "before") expect(after, what).toBe(before);
      const again = await send(request);
      expect(answers, what).toContain(again.status);
      const converged = await everything();
      // The request took effect completely or not at all, and completely if the response says so.
      expect(response.status === 503 ? [before, converged] : [converged], what).toContain(after);
      // Another repetition changes nothing.
      const { status } = await send(request);
      expect(answers, what).toContain(status);
      const rows = await stored();
      expect(comparable(rows), what).toBe(converged);
      // Tests store people and their sessions without events.
      const found = inconsistenciesIn(rows, prefixes).filter((one) => !/\b(?:usr|ses)_/.test(one));
      expect(found, what).toEqual([]);
    }
}

/** The inputs that decide which calls an operation makes. */
const formOf = ({ method, path, operation }: (typeof routes)[number]): string => {
  const { status, conditional, body, query, access, errors = [] } = operation;
  return [method, path.split("/").length, status, conditional, !body, !query, access, ...errors].join(" ");
};

const forms = new Set<string>();

/** Every operation in CI; elsewhere one operation of each form. */
const tried = routes.filter((route) => {
  const form = formOf(route);
  const isKnown = forms.has(form) && !isThorough;
  forms.add(form);
  // Each repetition of a sign-in starts another session, and that of a request for a certificate makes the next step of its order:
  // test/e2e/certificates/long/interruptions.e2e.ts kills the service at each.
  const isAnother = ["/auth/key", "/agents/:name/certificate_requests/:host"].includes(route.path);
  return route.path !== "/openapi.json" && !isAnother && !isKnown;
});

describe.each(tried)("$method $path", (route) => {
  const { method, path, operation } = route;
  const [, collection = "", part] = /^(.*?)(?:\/:id(?:\/(\w+))?)?$/.exec(path) ?? [];
  /** A read-only subresource, with its query; undefined for other paths. */
  const question = { used_by: "used_by", access: "access?ip=192.0.2.1" }[part ?? ""];
  const module = question === undefined ? part : undefined;

  beforeAll(oneOfEach);

  /** True if DELETE also deletes the objects that refer to this object, instead of being rejected because of them. */
  const deletesReferrers =
    method === "DELETE" &&
    !module &&
    (path === "/ip_policies/:id" || !operation.errors?.includes("ERR_IN_USE"));

  /** A valid request of this operation, for a new object. */
  async function setUp(): Promise<Request> {
    const headers = isCreation(operation) ? { "Idempotency-Key": crypto.randomUUID() } : {};
    if (path === "/health" || operation.isConstant) return { method, url: path };
    if (path.includes(":subscription_id")) {
      const types = ["tcp_edge_created.v0", "tcp_edge_updated.v0"];
      const { uri } = await create("/event_subscriptions", { sources: [{ type: types[0] }] });
      const url = `${uri}/${path
        .split("/")
        .slice(3)
        .join("/")
        .replace(":type", types[0] ?? "")}`;
      const body = { POST: { type: types[1] }, PATCH: {} }[method];
      return { method, url, headers, ...(body && { body }) };
    }
    const [, delivery] = /^\/event_destinations\/:id\/(\w+)$/.exec(path) ?? [];
    if (delivery !== undefined) {
      const { id, uri } = await given.destination();
      await given.subscription({ sources: [{ type: "tcp_edge_created.v0" }], destination_ids: [id] });
      const body = { test: {}, resume: {}, replay: { from: "2026-01-01T00:00:00Z" } }[delivery];
      return { method, url: `${uri}/${delivery}`, ...(body && { body }) };
    }
    if (path === "/sealed_secrets/reseal") {
      const body = { target: { monitoring_vendor: { api_key: "key" } } };
      const old = { env: { SEALING_KEYS: env.SEALING_KEYS?.split(",").toReversed().join() } };
      await post("/event_destinations", body, old);
      await put(`${(await given.route())["uri"]}/webhook_verification`, webhook, old);
      return { method, url: path, body: {} };
    }
    if (collection === "/events") {
      const [{ event_id }] = (await get("/events?limit=1")).body.events;
      return { method, url: path.replace(":id", event_id) };
    }
    if (path === "/certificates/:host/renew") {
      const host = `${crypto.randomUUID()}.example.com`;
      await env.DB.prepare(
        "insert into certificate_orders (agent, host, issuer_id, csr, key_id, state, asked_at) values ('lisbon', ?, ?, 'MII', 'ak_1', 'paused', 0)",
      )
        .bind(host, (await get("/certificate_issuers?limit=1")).body["certificate_issuers"][0].id)
        .run();
      return { method, url: path.replace(":host", host) };
    }
    if (path === "/agents/:name/traffic") {
      const url = `/agents/${crypto.randomUUID()}`;
      await put(`${url}/status`, { ok: true });
      const body = {
        ...exampleOf(method, path),
        at: timestamp(Math.floor(clock.now() / 60_000 - 1) * 60_000),
      };
      return { method, url: `${url}/traffic`, body };
    }
    if (operation.tag === "Traffic") {
      const url = path.replace(":name", crypto.randomUUID());
      if (path === "/agents/:name") await put(`${url}/status`, { ok: true });
      return { method, url, ...(method === "PUT" && { body: { ok: true } }) };
    }
    if (path === "/api_restriction") {
      const body = { ip_policy_ids: [], enabled: false };
      if (method !== "PUT") await put(path, body);
      return { method, url: path, ...(method === "PUT" && { body }) };
    }
    if (/^\/(?:users|auth)\b/.test(path)) return givenOfPeople(method, path);
    if (/^\/(?:plans|previews)/.test(path)) {
      const operations = [toPost("/ip_policies", { description: "planned" })];
      if (path === "/previews") return { method, url: path, body: { operations } };
      if (path === "/plans")
        return { method, url: path, headers, ...(method === "POST" && { body: { operations } }) };
      const made = await post("/plans", { operations });
      const { uri } = made.body;
      if (!path.endsWith("/apply"))
        return { method, url: path.endsWith("/refresh") ? `${uri}/refresh` : uri };
      return { method, url: `${uri}/apply`, headers: { "If-Match": made.headers.get("ETag") ?? "" } };
    }
    if (path === "/transactions") return { method, url: path, headers, body: exampleOf(method, path) };
    const { body, change } = await accepted(collection);
    const within = collection.replace(":edge_id", (await ownerOf(collection)) ?? "");
    if (!path.includes(":id")) return { method, url: within, headers, ...(method === "POST" && { body }) };
    const { id, uri } = await create(within, body);
    for (const other of deletesReferrers ? await bodiesReferringTo(id) : [])
      await create(other.path, other.body);
    if (deletesReferrers && path === "/edges/https/:id") await givenWholeRoute(id);
    if (question !== undefined) return { method, url: `${uri}/${question}` };
    if (!module) return { method, url: uri, ...(method === "PATCH" && { body: change }) };
    return onModule(`${uri}/${module}`);
  }

  /** A valid request of this operation for a module at `url`. */
  async function onModule(url: string): Promise<Request> {
    const body = await referring(exampleOf("PUT", path));
    if (method !== "PUT") await put(url, body);
    return { method, url, ...(method === "PUT" && { body }) };
  }

  /** The same for an edge or route that is managed elsewhere. */
  const givenElsewhere = async (): Promise<Request> => {
    const random = crypto.randomUUID().replaceAll("-", "");
    const prefix = path.includes(":edge_id") ? "edghtsrt_" : "edghts_";
    return onModule(path.replace(":edge_id", "edghts_1").replace(":id", prefix + random));
  };

  test("takes effect completely or not at all, and can be repeated", async () => {
    const gone = method !== "DELETE" || module ? [] : [path === "/auth/session" ? 401 : 404];
    await expectConvergence(setUp, [operation.status, ...gone]);
  });

  const mayBeElsewhere = module !== undefined && path.startsWith("/edges/https/");
  test.each(mayBeElsewhere ? [givenElsewhere] : [])(
    "does so for edges and routes managed elsewhere",
    async (elsewhere) => {
      await expectConvergence(elsewhere, [operation.status]);
    },
  );
});

describe("a request that takes several round trips:", () => {
  beforeEach(oneOfEach);

  test("its API key is not cached", async () => {
    const setUp = async () => ({
      method: "POST",
      url: "/ip_policies",
      body: {},
      headers: { "Idempotency-Key": crypto.randomUUID() },
      token: (await given.key())["token"],
    });
    await expectConvergence(setUp, [201]);
  });

  test("it refers to an object that does not exist", async () => {
    const body = { backend: { backend_id: "bkdfo_1" }, ip_restriction: { ip_policy_ids: ["ipp_1"] } };
    await expectConvergence(async () => ({ method: "POST", url: "/edges/tls", body }), [400]);
    await expectConvergence(
      async () => ({ method: "PATCH", url: (await given.tcpEdge())["uri"], body }),
      [400],
    );
    const headers = { "Idempotency-Key": crypto.randomUUID() };
    await expectConvergence(async () => ({ method: "POST", url: "/edges/tls", body, headers }), [400]);
  });

  test("it deletes a backend that is in use", async () => {
    const setUp = async () => {
      const { id, uri } = await given.httpResponse();
      await given.tcpEdge({ backend: { backend_id: id } });
      return { method: "DELETE", url: uri };
    };
    await expectConvergence(setUp, [409]);
  });

  test("another route has the same match", async () => {
    const { edge_id, match, match_type, uri } = await given.route();
    const body = { match, match_type };
    const url = `/edges/https/${edge_id}/routes`;
    await expectConvergence(async () => ({ method: "POST", url, body }), [409]);
    const headers = { "Idempotency-Key": crypto.randomUUID() };
    await expectConvergence(async () => ({ method: "POST", url, body, headers }), [409]);
    const other = await given.route({ edge_id });
    expect(other["uri"]).not.toBe(uri);
    await expectConvergence(async () => ({ method: "PATCH", url: other["uri"], body }), [409]);
  });

  test("its precondition fails", async () => {
    const setUp = async () => ({
      method: "PATCH",
      url: (await given.ipPolicy())["uri"],
      body: { description: "x" },
      headers: { "If-Match": '"7"' },
    });
    await expectConvergence(setUp, [412]);
  });
});

describe("operations that take effect as a whole:", () => {
  beforeEach(oneOfEach);

  const rule = { cidr: "192.0.2.0/24", action: "allow" };

  /**
   * Operations of every method, all of which must take effect or none. When they are repeated, the DELETE finds
   * nothing.
   */
  async function operations(): Promise<Json[]> {
    const [policy, edge, backend] = [
      await given.ipPolicy(),
      await given.tcpEdge(),
      await given.httpResponse(),
    ];
    const path = (one: Json) => new URL(one["uri"]).pathname;
    return [
      toPatch(path(policy), { description: "x" }),
      toPut(`${path(edge)}/backend`, { backend_id: backend["id"] }),
      toDelete(`${path(edge)}/backend`),
      toDelete(path(backend)),
      toPost("/ip_policies", {}, { name: "a" }),
      toPost("/ip_policy_rules", { ...rule, ip_policy_id: "$a" }),
    ];
  }
  const transaction = async (some: Promise<Json[]>, isKeyed: boolean, more: Json = {}): Promise<Request> => ({
    method: "POST",
    url: "/transactions",
    body: { operations: await some, ...more },
    headers: isKeyed ? { "Idempotency-Key": crypto.randomUUID() } : {},
  });

  test("a transaction with an Idempotency-Key", async () => {
    await expectConvergence(() => transaction(operations(), true), [200]);
  });

  test("a transaction without one, which is rejected when it is repeated after it took effect", async () => {
    await expectConvergence(() => transaction(operations(), false), [200, 400]);
  });

  test.each([false, true])("a rejected transaction (with an Idempotency-Key: %s)", async (isKeyed) => {
    const rejected = async () => [...(await operations()), toPatch("/ip_policies/ipp_1")];
    await expectConvergence(() => transaction(rejected(), isKeyed), [404]);
  });

  test("a dry run", async () => {
    for (const fault of faults) {
      const request = await transaction(operations(), false, { dry_run: true });
      const before = await everything();
      const { DB, settled } = failing(1, fault);
      expect((await send(request, DB)).status).toBe(503);
      await settled();
      expect(await everything()).toBe(before);
    }
  });

  test("the rules of a policy, with a condition", async () => {
    const setUp = async (): Promise<Request> => {
      const { id, uri } = await given.ipPolicy();
      for (const cidr of ["192.0.2.0/24", "10.0.0.0/8"])
        await create("/ip_policy_rules", { ...rule, cidr, ip_policy_id: id });
      const etag = (await get(uri)).headers.get("ETag") ?? "";
      const rules = [
        { ...rule, description: "x" },
        { ...rule, cidr: "11.0.0.0/8" },
      ];
      return { method: "PUT", url: `${uri}/rules`, body: { rules }, headers: { "If-Match": etag } };
    };
    await expectConvergence(setUp, [200, 412]);
  });
});

test("reads and creates with an Idempotency-Key are retried, so the caller does not notice one failed call", async () => {
  const { uri } = await given.ipPolicy();
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
  "a retried create creates one object, even if the first attempt reaches the database last (object deleted in the meantime: %s)",
  async (isDeleted) => {
    const { id } = await given.ipPolicy();
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
    await expect(late?.()).rejects.toThrow("batch ended");
    expect((await get(made.body.uri)).status).toBe(isDeleted ? 404 : 200);
  },
);

/**
 * D1 messages by how they are handled, verbatim from D1's list of errors
 * (https://developers.cloudflare.com/d1/observability/debug-d1/#error-list) and from reported cases.
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
    line: { level: "error", msg: "The database is unavailable." },
  },
  {
    messages: OVERLOADED,
    sent: 1,
    answer: [503, "ERR_UNAVAILABLE", "1"],
    line: { level: "error", msg: "The database is overloaded." },
  },
  {
    messages: QUOTA,
    sent: 1,
    answer: [503, "ERR_UNAVAILABLE", "60"],
    line: { level: "alert", msg: "The database has exceeded a quota: free up space or raise the limit." },
  },
  {
    messages: UNEXPECTED,
    sent: 1,
    answer: [500, "ERR_INTERNAL", null],
    line: { level: "error", msg: "Unexpected error." },
  },
])(
  "safe requests are attempted $sent times, then $answer is returned",
  ({ messages, sent, answer, line }) => {
    afterEach(() => {
      vi.restoreAllMocks();
    });

    test.each(messages)("if D1 reports %j", async (message) => {
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
          // In the form in which D1's binding throws it.
          throw new Error(`D1_ERROR: ${message}`, { cause: new Error(message) });
        });
        const body = method === "POST" ? {} : undefined;
        const response = await call(method, "/ip_policies", body, { headers, env: { DB } });
        expect([response.status, response.body.error_code, response.headers.get("Retry-After")]).toEqual(
          answer,
        );
        expect(response.text).not.toContain(message);
        expect(calls, `calls of ${method}`).toBe(times);
        const operation_id = response.headers.get("Service-Operation-Id");
        expect(lines).toEqual([{ ...line, operation_id, cause: `Error: ${message}` }]);
      }
    });
  },
);

test("no response takes longer than the deadline", async () => {
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
