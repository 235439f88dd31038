// @module-tag thorough
import fc from "fast-check";
import { expect, test } from "vitest";
import { type Answer, create } from "../support/api.ts";
import type { Json } from "../support/json.ts";
import { lasting } from "../support/lasting.ts";
import { empty, stored, withoutColumns } from "../support/stored.ts";
import { both, breakagesOf, type Breakage, expectRejected, type Valid } from "./breakages.ts";
import {
  creationsOf,
  deref,
  documented,
  type Documented,
  filled,
  isModule,
  operationAt,
} from "./document.ts";
import { ask, fuzz, report, REQUESTS, timeoutFor } from "./run.ts";
import { sameOtherwise } from "./sames.ts";
import { fitting, MARK, validBody, validQuery, withIds } from "./values.ts";
import { chooseFrom, givenWorld } from "./world.ts";

/*
 * The OpenAPI document against the service: each operation accepts what its schema allows, responds as documented, and
 * rejects every invalid variant without changing anything.
 */

report("The contract");

/** The number of invalid requests in one run, and of all requests. */
const INVALID = 10;
const PER_RUN = INVALID + 8;

/** From this many requests on, every invalid variant of every operation is also sent once: about 15,000. */
const EVERY = 20_000;

/**
 * Operations whose valid requests depend on more than their schemas: a simulation has addresses, and a request for a certificate has a
 * signature, a report of traffic is of an interval that has just ended, and a route is asked for with its edge. Plans, people and metrics
 * have tests of their own.
 */
const isDependent = (id: string): boolean =>
  /^(?:Plans|Previews|Auth|PersonalKeys|User|CertificateRequests|(?:CertificatesRenew|AgentsReportTraffic|Traffic(?:Get|Servers)|SimulationsCreate|MetricsGet)$)/.test(
    id,
  );

const each = documented
  .filter(({ id }) => !isDependent(id))
  .map((operation) => [operation.id, operation] as const);
/** The requests of each test. This file sends two thirds of all requests. */
const requests = (REQUESTS * 2) / 3 / each.length;

async function givenTokens() {
  const viewer: string = (await create("/api_keys", { role: "viewer" }))["token"];
  const editor: string = (await create("/api_keys", { role: "editor" }))["token"];
  // So that the keys' use is recorded now, not while rows are compared.
  for (const token of [viewer, editor]) await ask("the world", "GET", "/bot_users", undefined, { token });
  return { viewer, editor };
}

await empty();
const world = await givenWorld();
const choose = chooseFrom(world);
const tokens = await givenTokens();

/** A body with only the fields that the schema requires. */
const least = (schema: Json, body: Json): Json =>
  Object.fromEntries((deref(schema)["required"] ?? []).map((name: string) => [name, body[name]]));

/** The fields that two objects created from the same body have in common, with "id" in place of their ids. */
const withoutIdentity = ({ id, uri: _, created_at: __, thumbprint: ___, ...rest }: Json): Json =>
  JSON.parse(JSON.stringify(lasting(rest)).replaceAll(id ?? "no id", "id"));

let made = 0;

/** The subject of one run: an operation, and the path of new objects or of an owner managed elsewhere. */
interface Case {
  operation: Documented;
  /** The operation's path with its ids. */
  url: string;
  /** The URLs of the objects in the path, outermost first; none if they are managed elsewhere. */
  ownerUrls: string[];
  body: Json | undefined;
}

/** True for the modules of HTTPS edges and their routes, which can be managed elsewhere. */
const mayBeElsewhere = (operation: Documented): boolean =>
  isModule(operation) && operation.path.startsWith("/edges/https/");

/** The prefix of objects that no request creates. */
const LOGGED = "ev_";
const newestEvent = async (): Promise<string> =>
  (await ask("the world", "GET", "/events?limit=1")).body["events"][0].event_id;

/** @param ownerBody of the innermost object in the path. The others need no fields. */
async function givenCase(
  operation: Documented,
  ownerBody: Json,
  body: Json,
  isElsewhere: boolean,
): Promise<Case> {
  const { id: about, path } = operation;
  made += 1;
  const isOfLog = operation.ids[0]?.prefix === LOGGED;
  const ids = isOfLog
    ? [await newestEvent()]
    : isElsewhere
      ? operation.ids.map(({ prefix }) => `${prefix}0${made}`)
      : [];
  const ownerUrls: string[] = [];
  const creations = isElsewhere ? [] : creationsOf(operation);
  for (const [index, creation] of creations.entries()) {
    const at = filled(creation.path, ids);
    const drawn = index === creations.length - 1 ? ownerBody : {};
    const { body: owner } = await succeed(201, ask(about, "POST", at, least(creation.body ?? {}, drawn)));
    // A source's id is its type.
    const id = owner["id"] ?? owner["type"];
    ids.push(id);
    ownerUrls.push(`${at}/${id}`);
  }
  const url = filled(path, ids).replace("{name}", `agent-${made % 5}`);
  if (path === "/agents/{name}") await succeed(200, ask(about, "PUT", `${url}/status`, { ok: true }));
  if (/^\/event_destinations\/{id}\/(?:replay|resume)$/.test(path)) {
    // Without a request body, there is nothing to send again.
    const subscription = { sources: [{ type: "tcp_edge_created.v0" }], destination_ids: ids };
    await succeed(201, ask(about, "POST", "/event_subscriptions", subscription));
  }
  if (isModule(operation) && !operation.body) await succeed(200, ask(about, "PUT", url, body));
  return { operation, url, ownerUrls, body: operation.body ? body : undefined };
}

async function succeed(status: number, request: Promise<Answer>): Promise<Answer> {
  const answer = await request;
  expect(answer.status, answer.text).toBe(status);
  return answer;
}

/**
 * The stored data as text, except the keys' last-use times, which reading changes every ten minutes, and their
 * versions, which change with them.
 */
async function rows(): Promise<string> {
  const { api_keys = [], ...others } = await stored();
  return withoutColumns(others) + withoutColumns({ api_keys }, "last_used_at", "version");
}

/** The valid request of a case. */
const validOf = ({ operation, url, ownerUrls, body }: Case): Valid => ({
  operation,
  path: url,
  body,
  tokens,
  isManaged: ownerUrls.length > 0,
});

/** Every way to make a case invalid. */
const waysToBreak = (one: Case): Breakage[] => breakagesOf(validOf(one));

/** Some of the breakages, chosen with equal probability for each kind. */
function drawnFrom(ways: Breakage[], picks: number[]): Breakage[] {
  const byKind = Object.values(Object.groupBy(ways, ({ kind }) => kind));
  const drawn = picks.flatMap((pick) => {
    const alike = byKind[pick % byKind.length] ?? [];
    return alike[Math.floor(pick / byKind.length) % alike.length] ?? [];
  });
  const [first, second] = drawn;
  const twice = first && second && both(first, second);
  return twice ? [...drawn, twice] : drawn;
}

/** Sends invalid requests, none of which may change anything. */
async function expectAllRejected(one: Case, breakages: Breakage[]): Promise<void> {
  const before = await rows();
  for (const breakage of breakages) await expectRejected(validOf(one), breakage);
  expect(await rows(), "a rejected request changed something").toBe(before);
}

/** Sends the valid request, also in an equivalent form, and checks that its result can be read back. */
async function accepted(
  { operation, url, ownerUrls, body }: Case,
  query: string,
  way: number,
): Promise<void> {
  const { id: about, method, path, status } = operation;
  const answer = await ask(about, method, url + query, body);
  // Rules that the document states in prose only are in `byName` and `kept` of values.ts.
  expect(answer.status, `test/fuzz/values.ts generated this as valid: ${answer.text}`).toBe(status);
  if (JSON.stringify(body ?? {}).includes(MARK))
    expect(await rows(), "a secret in the database").not.toContain(MARK);
  const read = async (at: string) => (await succeed(200, ask(about, "GET", at))).text;
  const again = async () => {
    const { what, path = "", ...same } = sameOtherwise(operation.body ?? {}, body ?? {}, way);
    const { body: other } = await succeed(status, ask(about, method, url + path, body, same));
    expect(withoutIdentity(other), what).toEqual(withoutIdentity(answer.body));
    return other;
  };
  const remove = async (at: string) => {
    await succeed(204, ask(about, "DELETE", at));
    await succeed(404, ask(about, "GET", at));
  };
  if (path === "/ip_policies/{id}/rules" && method === "PUT") {
    const counts = { created: 0, updated: 0, deleted: 0, unchanged: 0 };
    const number: number = body?.["rules"].length ?? 0;
    const isDryRun = query.includes("dry_run=true");
    expect(answer.body).toEqual({ ...counts, created: number });
    const list = `/ip_policy_rules?ip_policy_id=${url.split("/")[2]}`;
    const listed = JSON.parse(await read(list))["ip_policy_rules"];
    expect(listed).toHaveLength(isDryRun ? 0 : Math.min(100, number));
    const { what, path: end = "", ...same } = sameOtherwise(operation.body ?? {}, body ?? {}, way);
    const { body: again } = await succeed(200, ask(about, method, url + end, body, same));
    expect(again, what).toEqual({ ...counts, [isDryRun ? "created" : "unchanged"]: number });
  } else if (path === "/agents/{name}/status") {
    const { last_seen: _, ...reported } = answer.body;
    const { body: shown } = await succeed(200, ask(about, "GET", url.replace("/status", "")));
    expect(shown).toMatchObject(reported);
  } else if (path === "/transactions") {
    const statuses = ({ results }: Json) => results.map(({ status: one }: Json) => one);
    const { what, path: end = "", ...same } = sameOtherwise(operation.body ?? {}, body ?? {}, way);
    const { body: again } = await succeed(200, ask(about, method, url + end, body, same));
    expect([again.dry_run, statuses(again)], what).toEqual([answer.body.dry_run, statuses(answer.body)]);
    expect(statuses(answer.body)).toEqual(
      body?.["operations"].map(
        (one: Json) => ({ POST: 201, PATCH: 200, DELETE: 204 })[String(one["method"])],
      ),
    );
    // Policies can be changed or deleted by the end.
    const isKept = (made: Json) => made["ip_policy"] === undefined && !made["id"].startsWith("ipp_");
    for (const { body: made } of answer.body.results)
      if (made && isKept(made)) expect(await read(new URL(made.uri).pathname)).toBe(JSON.stringify(made));
  } else if (path.endsWith("/sources") && method === "POST") {
    const source = new URL(answer.body.uri).pathname;
    expect(await read(source)).toBe(answer.text);
    for (const list of [url, ...ownerUrls]) expect(await read(list)).toContain(`"sources":[${answer.text}]`);
    const { body: error } = await succeed(409, ask(about, "POST", url, body));
    expect(error).toMatchObject({
      error_code: "ERR_CONFLICT",
      details: { conflicts_with: answer.body.type },
    });
    await remove(source);
    await again();
  } else if (method === "POST" && status === 201) {
    const shown = JSON.stringify(lasting(answer.body));
    expect(await read(`${url}/${answer.body.id}`)).toBe(shown);
    expect(await read(`${url}?limit=1`)).toContain(`[${shown}]`);
    for (const owner of ownerUrls) expect(await read(owner)).toContain(`"routes":[${shown}]`);
    if (ownerUrls.length > 0) {
      const { body: error } = await succeed(409, ask(about, "POST", url, body));
      expect(error).toMatchObject({
        error_code: "ERR_CONFLICT",
        details: { conflicts_with: answer.body.id },
      });
      await remove(`${url}/${answer.body.id}`);
    }
    await remove(`${url}/${(await again()).id}`);
    if (ownerUrls.length === 0) await remove(`${url}/${answer.body.id}`);
  } else if (method === "PATCH" || method === "PUT") {
    await again();
    const text = JSON.stringify(lasting(answer.body));
    expect(await read(url)).toBe(text);
    const shown = isModule(operation) ? `"${path.split("/").at(-1)}":${text}` : text;
    for (const owner of ownerUrls) expect(await read(owner)).toContain(shown);
  } else if (method === "DELETE") {
    await succeed(404, ask(about, "GET", url));
    await succeed(isModule(operation) ? 204 : 404, ask(about, "DELETE", url));
    const [outer] = isModule(operation) ? [] : ownerUrls.slice(0, -1);
    const none = path.includes("/sources/") ? '"sources":null' : '"routes":[]';
    if (outer !== undefined) expect(await read(outer)).toContain(none);
  } else if (method === "GET") {
    const head = await succeed(200, ask(about, "HEAD", url + query));
    expect(head.headers.get("Content-Type")).toBe(answer.headers.get("Content-Type"));
    for (const other of [`${url}/${query}`, query === "" ? `${url}?` : url + query])
      expect(await read(other)).toBe(answer.text);
  }
}

test.each(each)("%s", { timeout: timeoutFor(requests) }, async (only, operation) => {
  const ownerBody = creationsOf(operation).at(-1)?.body;
  const body = operation.body ?? operationAt("PUT", operation.path)?.body;
  const drawn = fc.record({
    ownerBody: ownerBody ? validBody(ownerBody) : fc.constant({}),
    body: body ? validBody(body) : fc.constant({}),
    query: validQuery(operation.query),
    picks: fc.array(fc.nat({ max: 1_000_000 }), { minLength: INVALID, maxLength: INVALID }),
    way: fc.nat({ max: 1_000_000 }),
  });
  expect(operation.status, "a documented success").toBeGreaterThan(0);
  const drawnCase = async ({ ownerBody, body }: { ownerBody: Json; body: Json }, isElsewhere: boolean) => {
    const given = withIds(body, choose);
    const ofRoute = operation.path.includes("/routes");
    return givenCase(
      operation,
      withIds(ownerBody, choose),
      ofRoute ? fitting(given) : given,
      isElsewhere && mayBeElsewhere(operation),
    );
  };
  const clean = async (one: Case) => {
    if (operation.ids.length > 0) await ask(only, "DELETE", one.ownerUrls[0] ?? one.url);
  };
  await fuzz(only, requests, PER_RUN, drawn, async ({ picks, way, query, ...run }) => {
    const one = await drawnCase(run, way % 2 === 0);
    await expectAllRejected(one, drawnFrom(waysToBreak(one), picks));
    const search = new URLSearchParams(JSON.parse(JSON.stringify(withIds(query, choose)))).toString();
    await accepted(one, search && `?${search}`, way);
    await clean(one);
  });
  if (REQUESTS < EVERY) return;
  await fuzz(only, 1, 1, drawn, async (run) => {
    for (const isElsewhere of mayBeElsewhere(operation) ? [false, true] : [false]) {
      const one = await drawnCase(run, isElsewhere);
      await expectAllRejected(one, waysToBreak(one));
      await clean(one);
    }
  });
});
