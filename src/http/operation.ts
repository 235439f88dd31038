import type { HonoRequest, MiddlewareHandler } from "hono";
import type * as z from "zod";
import { $ZodError, _safeParse } from "zod/v4/core";
import { isIdOf } from "../../packages/model/src/ids.ts";
import { type Access, reaches } from "../../packages/model/src/roles.ts";
import { BOOKMARK } from "../db/session.ts";
import { confirmCaller } from "./auth.ts";
import { readJson, withoutNulls } from "./body.ts";
import type { App, Caller } from "./env.ts";
import { badRequest, forbidden, invalidMembers, notFound, unauthenticated } from "./errors.ts";
import { type MemberError, memberErrors, parameterName } from "./member_errors.ts";
import { areTags } from "./respond.ts";
import { describe, isCreation, type Operation, type Precondition, preconditionsOf } from "./route.ts";

/** The check of a request, with the types of the validated input for the handler. */
type RequestCheck<Input extends object, Output extends object> = MiddlewareHandler<
  App,
  string,
  { in: Input; out: Output }
>;

/**
 * Declares an operation. It is the first handler of its route, and checks the caller's role, then the headers, the query and the body.
 * The handler finds the results in `c.req.valid("json")` and `c.req.valid("query")`.
 *
 * @throws 403 for an insufficient role; 415, 408, 413 and 400 as {@link readJson} and {@link withoutNulls} do; 400 listing
 * every invalid header, parameter and field together; 404 for a malformed id in the path
 * @example
 * .patch("/:id", operation({ …, body: BotUserUpdate }), async (c) => {
 *   const { name } = c.req.valid("json");
 */
export function operation<Query extends z.ZodType<object>, Body extends z.ZodType<object>>(
  description: Operation<Query, Body> & { query: Query; body: Body },
): RequestCheck<
  { json: z.input<Body>; query: z.input<Query> },
  { json: z.output<Body>; query: z.output<Query> }
>;
export function operation<Body extends z.ZodType<object>>(
  description: Operation<never, Body> & { body: Body },
): RequestCheck<{ json: z.input<Body> }, { json: z.output<Body> }>;
export function operation<Query extends z.ZodType<object>>(
  description: Operation<Query, never> & { query: Query },
): RequestCheck<{ query: z.input<Query> }, { query: z.output<Query> }>;
export function operation(description: Operation<never, never>): MiddlewareHandler<App>;
export function operation(description: Operation): MiddlewareHandler<App> {
  const { access, path = {}, query, body, conditional } = description;
  const ids = Object.entries(path);
  const declared: Declared = {
    ...description,
    preconditions: preconditionsOf(description),
    creates: isCreation(description),
  };
  const evaluated = conditional === "poll" ? [] : declared.preconditions;

  const checkRequest: MiddlewareHandler<App> = async (c, next) => {
    const state = c.get("request");
    requireRole(state.caller, access);
    if (body) {
      state.sent = withoutNulls(await readJson(c.req, state.part, () => confirmCaller(c, access)));
    }
    const wrong = [...wrongHeaders(c.req, declared), ...wrongParameters(state.url, query !== undefined)];
    if (evaluated.some((name) => c.req.header(name) !== undefined)) state.session.alwaysReadEpoch();
    if (query) validate(c.req, "query", query, parametersOf(c.req), wrong);
    if (body) validate(c.req, "json", body, state.sent, wrong);
    if (wrong.length > 0) throw invalidMembers(wrong);
    const owner = ids.at(-1)?.[1];
    if (owner && !ids.every(([name, kind]) => isIdOf(kind, c.req.param(name) ?? ""))) throw notFound(owner);
    await next();
  };
  describe(checkRequest, description);
  return checkRequest;
}

/** @throws 403 for an insufficient role */
function requireRole(caller: Caller | undefined, access: Access): void {
  if (access === "public") return;
  // The gate rejects requests without a key. If one got here all the same, it would not even count as a viewer.
  if (!caller) throw unauthenticated();
  if (!reaches(caller.role, access)) throw forbidden(access, caller.role);
}

/** Zod's `safeParse`, with an error that is not an `Error`: creating an `Error` takes longer than validating. */
export const safeParse = _safeParse($ZodError);

/** Validates a part of a request: its result is for the handler, its errors are added to `wrong`. */
function validate(
  request: HonoRequest,
  target: "json" | "query",
  schema: z.ZodType<object>,
  value: unknown,
  wrong: MemberError[],
): void {
  const result = safeParse(schema, value);
  if (result.success) request.addValidatedData(target, result.data);
  else wrong.push(...memberErrors(result.error, value, target));
}

/** The parameters in a query. If a parameter was sent several times, its value is a list, which no schema accepts. */
const parametersOf = (request: HonoRequest): object =>
  Object.fromEntries(
    Object.entries(request.queries()).map(([name, all]) => [name, all.length === 1 ? all[0] : all]),
  );

/**
 * Far more than any operation accepts. Hono's parser scans the whole rest of a query for each parameter without a value.
 */
const PARAMETERS = 100;

/**
 * Errors in query parameters that no schema checks: all parameters if an operation accepts none, else those without a
 * name, which Hono's parser drops.
 *
 * @throws 400 for more than {@link PARAMETERS}
 */
function wrongParameters(url: string, takesSome: boolean): MemberError[] {
  const start = url.indexOf("?");
  if (start === -1) return [];
  const query = url.slice(start + 1);
  if (query.split("&", PARAMETERS + 1).length > PARAMETERS)
    throw badRequest(`The query has more than ${PARAMETERS} parameters.`);
  const names = Array.from(new URLSearchParams(query).keys());
  if (takesSome) return names.includes("") ? [{ path: "", msg: "A parameter needs a name." }] : [];
  return Array.from(new Set(names), (name) => ({
    path: parameterName([name]),
    msg: "Unknown; accepted: none.",
  }));
}

/** An `Idempotency-Key`: ASCII only, as all other bytes arrive as the same replacement character. */
export const IDEMPOTENCY_KEY = /^[\x20-\x7e]{1,255}$/;

/** Every precondition header (RFC 9110 §13.1). */
const PRECONDITIONS = ["If-Match", "If-None-Match", "If-Modified-Since", "If-Unmodified-Since", "If-Range"];
/**
 * The preconditions that browsers and caches add to reads on their own. They only save a transfer: a read that ignores them
 * returns the current state as a whole, which is always correct.
 */
const SAVING = new Set(["If-None-Match", "If-Modified-Since", "If-Range"]);

/** The most ETags that a condition may list, and the most characters that they may take. */
const TAGS = 100;
const TAGS_CHARACTERS = 8_192;

/** The input that an operation accepts and evaluates. */
interface Declared extends Pick<Operation, "access" | "guardedBy"> {
  preconditions: Precondition[];
  creates: boolean;
}

/**
 * Errors in the headers of a request, except those that every request needs: wrong values of the headers that the operation
 * accepts, and preconditions that the operation would ignore although the caller relies on them.
 */
function wrongHeaders(request: HonoRequest, operation: Declared): MemberError[] {
  const wrong: MemberError[] = [];
  if (operation.access !== "public") {
    const bookmark = request.header("Service-Bookmark");
    if (bookmark !== undefined && !BOOKMARK.test(bookmark))
      wrong.push({
        path: "Service-Bookmark",
        msg: "Expected the value that this header had in an earlier response.",
      });
  }
  const key = operation.creates ? request.header("Idempotency-Key") : undefined;
  if (key !== undefined && !IDEMPOTENCY_KEY.test(key))
    wrong.push({ path: "Idempotency-Key", msg: "Expected 1 to 255 ASCII characters." });
  const evaluated: string[] = operation.preconditions;
  const isRead = request.method === "GET" || request.method === "HEAD";
  for (const name of PRECONDITIONS) {
    const value = request.header(name);
    if (value === undefined) continue;
    const msg = evaluated.includes(name)
      ? wrongTags(value, isRead && SAVING.has(name))
      : isRead && SAVING.has(name)
        ? undefined
        : notEvaluated(name, operation);
    if (msg !== undefined) wrong.push({ path: name, msg });
  }
  return wrong;
}

/**
 * The error in the value of `If-Match` or `If-None-Match`; undefined if there is none.
 *
 * @param isSaving whether the header only saves a transfer, so that a malformed value does no harm
 */
function wrongTags(value: string, isSaving: boolean): string | undefined {
  if (value.length > TAGS_CHARACTERS) return `Expected at most ${TAGS_CHARACTERS} characters.`;
  if (value.split('"').length > 2 * TAGS + 1) return `Expected at most ${TAGS} ETags.`;
  if (isSaving || areTags(value)) return undefined;
  // For example, a shell has removed the quotation marks. Nothing else is quoted, because it could be a secret.
  const example = /^[0-9a-f]{8}-\d{1,15}$/.test(value) ? value : "e8a0f3ff-1";
  return `Expected * or ETags in quotation marks, such as "${example}".`;
}

/** The error for a precondition that an operation does not evaluate: ignored, it would guard nothing. */
function notEvaluated(name: string, operation: Declared): string {
  const canMatch = operation.preconditions.includes("If-Match");
  const instead = operation.guardedBy ?? (canMatch ? "Send If-Match instead." : "Leave it out.");
  return `This operation does not support ${name}. ${instead}`;
}
