import { zValidator } from "@hono/zod-validator";
import type { Context, HonoRequest, MiddlewareHandler } from "hono";
import * as z from "zod";
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

type Validator<Target extends "json" | "query", Schema extends z.ZodType> = MiddlewareHandler<
  App,
  string,
  { in: Record<Target, z.input<Schema>>; out: Record<Target, z.output<Schema>> }
>;

/**
 * Declares an operation. Spread it at the head of its route: it checks the caller's role, then `zValidator` validates the
 * body and the query. The handler finds the results in `c.req.valid("json")` and `c.req.valid("query")`.
 *
 * @throws 403 for an insufficient role; 415, 408, 413 and 400 as {@link readJson} and {@link withoutNulls} do; 400 listing
 * every invalid header, parameter and field together; 404 for a malformed id in the path
 * @example
 * .patch("/:id", ...operation({ …, body: BotUserUpdate }), async (c) => {
 *   const { name } = c.req.valid("json");
 */
export function operation<Query extends z.ZodType<object>, Body extends z.ZodType<object>>(
  description: Operation<Query, Body> & { query: Query; body: Body },
): [MiddlewareHandler<App>, Validator<"json", Body>, Validator<"query", Query>];
export function operation<Body extends z.ZodType<object>>(
  description: Operation<never, Body> & { body: Body },
): [MiddlewareHandler<App>, Validator<"json", Body>];
export function operation<Query extends z.ZodType<object>>(
  description: Operation<Query, never> & { query: Query },
): [MiddlewareHandler<App>, Validator<"query", Query>];
export function operation(description: Operation<never, never>): [MiddlewareHandler<App>];
export function operation(description: Operation): MiddlewareHandler<App>[] {
  const { access, path = {}, query, body, conditional } = description;
  const ids = Object.entries(path);
  const declared: Declared = {
    ...description,
    preconditions: preconditionsOf(description),
    creates: isCreation(description),
  };
  const evaluated = conditional === "poll" ? [] : declared.preconditions;

  /** Everything that no schema covers: the role, the bytes, the headers, and the parts of a query that `zValidator` does not see. */
  const checkRequest: MiddlewareHandler<App> = async (c, next) => {
    const { caller, url, wrong, session, part } = c.get("request");
    requireRole(caller, access);
    if (body) {
      await readJson(c.req, part);
      await confirmCaller(c, access);
    }
    wrong.push(...wrongHeaders(c.req, declared));
    wrong.push(...wrongParameters(url, query !== undefined));
    if (evaluated.some((name) => c.req.header(name) !== undefined)) session.alwaysReadEpoch();
    if (!body && !query) requireValid(c);
    await next();
  };
  describe(checkRequest, description);

  /** The last of all checks. @throws 400 for every error found so far, 404 for a malformed id */
  const requireValid = (c: Context<App, string>, found: MemberError[] = []): void => {
    const wrong = [...c.get("request").wrong, ...found];
    if (wrong.length > 0) throw invalidMembers(wrong);
    const owner = ids.at(-1)?.[1];
    if (owner && !ids.every(([name, kind]) => isIdOf(kind, c.req.param(name) ?? ""))) throw notFound(owner);
  };

  const handlers = [checkRequest];
  if (body)
    handlers.push(
      zValidator(
        "json",
        body,
        (result, c) => {
          const wrong = errorsIn(result, "json");
          if (!query) requireValid(c, wrong);
          // If the body is rejected here, the query's validator does not run.
          else if (wrong.length > 0) requireValid(c, [...errorsInQuery(query, c), ...wrong]);
        },
        { validationFunction: (schema, value) => check(schema, withoutNulls(value)) },
      ),
    );
  if (query)
    handlers.push(
      zValidator("query", query, (result, c) => requireValid(c, errorsIn(result, "query")), {
        validationFunction: check,
      }),
    );
  return handlers;
}

/** @throws 403 for an insufficient role */
function requireRole(caller: Caller | undefined, access: Access): void {
  if (access === "public") return;
  // The gate rejects requests without a key. If one got here all the same, it would not even count as a viewer.
  if (!caller) throw unauthenticated();
  if (!reaches(caller.role, access)) throw forbidden(access, caller.role);
}

const safeParse = _safeParse($ZodError);

/** Zod's `safeParse`, with an error that is not an `Error`: creating an `Error` takes longer than validating. */
export function check(schema: z.ZodType, value: unknown): z.ZodSafeParseResult<unknown> {
  const result = safeParse(schema, value);
  return result.success ? result : { success: false, error: new z.ZodError(result.error.issues) };
}

/** The value that `zValidator` passes to its hook: Zod's result and the input. */
type Result = { data: unknown } & ({ success: true } | { success: false; error: z.core.$ZodError });

const errorsIn = (result: Result, target: "json" | "query"): MemberError[] =>
  result.success ? [] : memberErrors(result.error, result.data, target);

/** Errors in the query, which the schema gets in `zValidator`'s shape: a repeated parameter is a list. */
function errorsInQuery(schema: z.ZodType, c: Context<App, string>): MemberError[] {
  const entries = Object.entries(c.req.queries());
  const data = Object.fromEntries(entries.map(([name, all]) => [name, all.length === 1 ? all[0] : all]));
  return errorsIn({ data, ...check(schema, data) }, "query");
}

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
