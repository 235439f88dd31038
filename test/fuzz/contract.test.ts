import fc from "fast-check";
import { expect, test } from "vitest";
import { type Answer, create } from "../api.ts";
import type { Json } from "../json.ts";
import { empty, stored, withoutColumns } from "../stored.ts";
import { both, breakagesOf, type Breakage } from "./breakages.ts";
import { deref, documented, type Documented, methodsOf, operationAt } from "./document.ts";
import { ask, countKind, fuzz, report, REQUESTS, timeoutFor } from "./run.ts";
import { sameOtherwise } from "./sames.ts";
import { MARK, validBody, validQuery, withIds } from "./values.ts";
import { chooseFrom, givenWorld } from "./world.ts";

/*
 * The OpenAPI document against the service: each operation accepts what its schema allows, responds as documented, and
 * refuses every invalid variant without changing anything.
 */

report("The contract");

/** Invalid requests in one run, and requests in all. */
const INVALID = 10;
const PER_RUN = INVALID + 8;

/** From this many requests on, every invalid variant of every operation is also sent once: about 15,000. */
const EVERY = 20_000;

const each = documented.map((operation) => [operation.id, operation] as const);
/** Requests of each test: this file sends two thirds of all. */
const requests = (REQUESTS * 2) / 3 / each.length;

async function givenTokens() {
  const viewer: string = (await create("/api_keys", { role: "viewer" }))["token"];
  const editor: string = (await create("/api_keys", { role: "editor" }))["token"];
  // So that their use is recorded now, not while rows are compared.
  for (const token of [viewer, editor]) await ask("the world", "GET", "/bot_users", undefined, { token });
  return { viewer, editor };
}

await empty();
const world = await givenWorld();
const choose = chooseFrom(world);
const tokens = await givenTokens();

/** A body with only the members that the schema requires. */
const least = (schema: Json, body: Json): Json =>
  Object.fromEntries((deref(schema)["required"] ?? []).map((name: string) => [name, body[name]]));

/** An object as later responses show it: without a key's token, which is shown once. */
const lasting = (object: Json): Json => ("token" in object ? { ...object, token: null } : object);

const withoutIdentity = ({ id: _, uri: __, created_at: ___, token: ____, ...rest }: Json): Json => rest;

let made = 0;

/** The subject of one run: an operation, and the path of a new object or of an owner managed elsewhere. */
interface Case {
  operation: Documented;
  /** The operation's path with its ids. */
  url: string;
  /** The URL of the object in the path, if it belongs to this service. */
  ownerUrl: string | undefined;
  body: Json | undefined;
}

/** The POST that creates the object in the path; undefined if there is none or it is managed elsewhere. */
const creationOf = ({ path, ids }: Documented): Documented | undefined =>
  ids.length > 0 ? operationAt("POST", path.split("/{")[0] ?? "") : undefined;

async function givenCase(operation: Documented, ownerBody: Json, body: Json): Promise<Case> {
  const { id: about, path, ids } = operation;
  const creation = creationOf(operation);
  const owner = creation?.body
    ? (await succeed(201, ask(about, "POST", creation.path, least(creation.body, ownerBody)))).body
    : undefined;
  made += 1;
  const url = ids.reduce(
    (url, { name, prefix }) => url.replace(`{${name}}`, owner?.["id"] ?? `${prefix}0${made}`),
    path,
  );
  if (isModule(operation) && !operation.body) await succeed(200, ask(about, "PUT", url, body));
  const ownerUrl = owner && creation ? `${creation.path}/${owner["id"]}` : undefined;
  return { operation, url, ownerUrl, body: operation.body ? body : undefined };
}

const isModule = ({ path }: Documented): boolean => operationAt("PUT", path) !== undefined;

async function succeed(status: number, asked: Promise<Answer>): Promise<Answer> {
  const answer = await asked;
  expect(answer.status, answer.text).toBe(status);
  return answer;
}

/** Sends an invalid request and checks that it is refused with the expected error. */
async function refused({ operation, url, body }: Case, breakage: Breakage): Promise<void> {
  const { kind, draft, status, code, blamed } = breakage;
  const { method = operation.method, path = url, raw, headers, token } = draft();
  const sent = method === "GET" ? undefined : (raw ?? (body && JSON.stringify(body)));
  countKind(kind);
  const answer = await ask(operation.id, method, path, undefined, {
    ...(headers && { headers }),
    ...(token !== undefined && { token }),
    ...(sent !== undefined && { raw: sent }),
  });
  const shown = typeof sent === "string" ? sent.slice(0, 2_000) : "";
  const what = `${kind}: ${method} ${path.slice(0, 200)} ${shown}\n${answer.text}`;
  expect(`${answer.status} ${answer.body.error_code}`, what).toBe(`${status} ${code}`);
  // The use of a key is recorded even if the request is refused.
  if (token === undefined) expect(answer.cost.rowsWritten, what).toBe(0);
  const named = answer.body["errors"]?.map((error: Json) => error["path"]);
  if (blamed) expect(named, what).toEqual(blamed.length > 0 ? expect.arrayContaining(blamed) : undefined);
  if (status !== 405) return;
  const allow = answer.headers.get("Allow")?.split(", ").toSorted();
  expect(allow, what).toEqual(methodsOf(operation.path).toSorted());
}

/** Everything that is stored, as text, except when keys were last used, which reading changes. */
const rows = async (): Promise<string> => withoutColumns(await stored(), "last_used_at");

/** Every way to make a case invalid. */
const waysToBreak = (one: Case): Breakage[] =>
  breakagesOf({ ...one, path: one.url, tokens, isManaged: one.ownerUrl !== undefined });

/** Some of the ways, chosen with equal probability for each kind. */
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

/** Sends invalid requests; nothing may change. */
async function refusedAll(one: Case, breakages: Breakage[]): Promise<void> {
  const before = await rows();
  for (const breakage of breakages) await refused(one, breakage);
  expect(await rows(), "a refused request changed something").toBe(before);
}

/** Sends the valid request, also in an equivalent form, and checks that its result can be read back. */
async function accepted({ operation, url, ownerUrl, body }: Case, query: string, way: number): Promise<void> {
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
  if (method === "POST" && status === 201) {
    const shown = JSON.stringify(lasting(answer.body));
    expect(await read(`${path}/${answer.body.id}`)).toBe(shown);
    expect(await read(`${path}?limit=1`)).toContain(`[${shown}]`);
    for (const { id } of [await again(), answer.body]) {
      await succeed(204, ask(about, "DELETE", `${path}/${id}`));
      await succeed(404, ask(about, "GET", `${path}/${id}`));
    }
  } else if (method === "PATCH" || method === "PUT") {
    await again();
    expect(await read(url)).toBe(answer.text);
    if (isModule(operation) && ownerUrl)
      expect(await read(ownerUrl)).toContain(`"${path.split("/").at(-1)}":${answer.text}`);
  } else if (method === "DELETE") {
    await succeed(404, ask(about, "GET", url));
    await succeed(isModule(operation) ? 204 : 404, ask(about, "DELETE", url));
  } else if (method === "GET") {
    const head = await succeed(200, ask(about, "HEAD", url + query));
    expect(head.headers.get("Content-Type")).toBe(answer.headers.get("Content-Type"));
    for (const other of [`${url}/${query}`, query === "" ? `${url}?` : url + query])
      expect(await read(other)).toBe(answer.text);
  }
}

test.each(each)("%s", { timeout: timeoutFor(requests) }, async (only, operation) => {
  const ownerBody = creationOf(operation)?.body;
  const body = operation.body ?? operationAt("PUT", operation.path)?.body;
  const drawn = fc.record({
    ownerBody: ownerBody ? validBody(ownerBody) : fc.constant({}),
    body: body ? validBody(body) : fc.constant({}),
    query: validQuery(operation.query),
    picks: fc.array(fc.nat({ max: 1_000_000 }), { minLength: INVALID, maxLength: INVALID }),
    way: fc.nat({ max: 1_000_000 }),
  });
  expect(operation.status, "a documented success").toBeGreaterThan(0);
  const drawnCase = async ({ ownerBody, body }: { ownerBody: Json; body: Json }) =>
    givenCase(operation, withIds(ownerBody, choose), withIds(body, choose));
  const clean = async (one: Case) => {
    if (operation.ids.length > 0) await ask(only, "DELETE", one.ownerUrl ?? one.url);
  };
  await fuzz(only, requests, PER_RUN, drawn, async ({ picks, way, query, ...run }) => {
    const one = await drawnCase(run);
    await refusedAll(one, drawnFrom(waysToBreak(one), picks));
    const asked = new URLSearchParams(JSON.parse(JSON.stringify(withIds(query, choose)))).toString();
    await accepted(one, asked && `?${asked}`, way);
    await clean(one);
  });
  if (REQUESTS < EVERY) return;
  await fuzz(only, 1, 1, drawn, async (run) => {
    const one = await drawnCase(run);
    await refusedAll(one, waysToBreak(one));
    await clean(one);
  });
});
