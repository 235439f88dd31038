import type { Context, MiddlewareHandler } from "hono";
import { matchedRoutes } from "hono/route";
import * as z from "zod";
import type { App } from "../env.ts";
import { isIdOf, type Kind } from "../kinds.ts";
import { type Access, reaches } from "../roles.ts";
import { members } from "../values/members.ts";
import { confirmCaller } from "./authentication.ts";
import { readBody } from "./body.ts";
import type { ErrorCode } from "./error_codes.ts";
import { ChangedMeanwhile, forbidden, invalidMembers, notFound, unauthenticated } from "./errors.ts";
import { isConditional, wrongHeaders } from "./headers.ts";
import { check, jsonPointer, memberErrors, REPEATED, shortened } from "./invalid.ts";

/** What one operation takes and gives: the source of its checks, of its documentation and of its tests. */
export interface Operation<
  Query extends z.ZodType<object> = z.ZodType<object>,
  Body extends z.ZodType<object> = z.ZodType<object>,
> {
  /** Stable identifier, `TcpEdgesCreate`. */
  id: string;
  /** A few words. */
  summary: string;
  /** A sentence or two. */
  description: string;
  /** The group that documentation shows it in. */
  tag: string;
  /** Who may call it. */
  access: Access;
  /** The ids in the path: which kind of object each names. */
  path?: Record<string, Kind>;
  /** Query parameters, each a string; none are accepted when left out. */
  query?: Query;
  /** The request body; none is read when left out. */
  body?: Body;
  /** Status of success, and the body's schema unless there is no body. */
  status: 200 | 201 | 204;
  response?: z.ZodType;
  /**
   * Has an ETag and heeds conditions about it: a `read` answers 304 to an `If-None-Match` that names it, a `change` is done
   * only if `If-Match` names it.
   */
  conditional?: "read" | "change";
  /** Errors that this operation can give beyond those that follow from what it takes: see `errorCodesOf`. */
  refuses?: ErrorCode[];
}

/** One operation and where it is: `POST`, `/edges/tcp/:id`. */
export interface Route {
  method: string;
  path: string;
  operation: Operation;
}

/** True for an operation that makes an object: it heeds `Idempotency-Key`. */
export const isCreation = ({ status }: Pick<Operation, "status">): boolean => status === 201;

/** Every error that an operation can give. */
export const errorCodesOf = (operation: Operation): ErrorCode[] => {
  const { access, path, body, conditional, refuses = [] } = operation;
  return [
    "ERR_INVALID_REQUEST",
    ...(access === "public"
      ? []
      : (["ERR_UNSUPPORTED_VERSION", "ERR_UNAUTHENTICATED", "ERR_RATE_LIMITED"] as const)),
    ...(access === "editor" || access === "admin" ? (["ERR_FORBIDDEN"] as const) : []),
    ...(path ? (["ERR_NOT_FOUND"] as const) : []),
    ...(body ? (["ERR_REQUEST_TIMEOUT", "ERR_TOO_LARGE", "ERR_UNSUPPORTED_MEDIA_TYPE"] as const) : []),
    ...(access === "public" ? [] : (["ERR_UNAVAILABLE"] as const)),
    ...(conditional && path ? (["ERR_PRECONDITION_FAILED"] as const) : []),
    ...(isCreation(operation) ? (["ERR_IDEMPOTENCY_MISMATCH"] as const) : []),
    ...refuses,
    "ERR_HTTPS_REQUIRED",
    "ERR_INTERNAL",
  ];
};

type Input<Query extends z.ZodType<object>, Body extends z.ZodType<object>> = {
  in: { query: z.input<Query>; json: z.input<Body> };
  out: { query: z.output<Query>; json: z.output<Body> };
};

const described = new WeakMap<object, Operation>();

const noParameters = z.lazy(() => members({}));

/**
 * Declares an operation at the head of its route and checks each request against it. The handler finds the values
 * in `c.req.valid("query")` and `c.req.valid("json")`.
 *
 * @throws 403 for a caller whose role does not reach; 415, 413 and 400 as {@link readBody} does; 400 that names every wrong
 * parameter and member; 404 for a path with what can be no id.
 */
export function operation<Query extends z.ZodType<object>, Body extends z.ZodType<object>>(
  description: Operation<Query, Body>,
): MiddlewareHandler<App, string, Input<Query, Body>> {
  const { access, path = {}, query = noParameters, body, conditional } = description;
  const ids = Object.entries(path);
  const owner = ids.at(-1)?.[1];
  const heeds = { idempotencyKey: isCreation(description), conditions: conditional !== undefined };
  const middleware: MiddlewareHandler<App, string, Input<Query, Body>> = async (c, next) => {
    const state = c.get("request");
    if (access !== "public") {
      // The gate lets nobody come here without a key; should it ever, that is no viewer either.
      if (!state.caller) throw unauthenticated();
      if (!reaches(state.caller.role, access)) throw forbidden(access);
    }
    const sent = body ? await readBody(c.req) : {};
    if (body && access !== "public") await confirmCaller(c, access);
    state.sent = sent;
    const json = body && check(body, sent);
    const asked = parametersOf(state.url);
    const parameters = check(query, asked);
    const wrong = [
      access === "public" ? [] : wrongHeaders(c.req, heeds),
      parameters.error ? memberErrors(parameters.error, asked, parameterName) : [],
      json?.error ? memberErrors(json.error, sent, jsonPointer) : [],
    ].flat();
    if (wrong.length > 0) throw invalidMembers(wrong);
    if (heeds.conditions && isConditional(c.req)) state.session.judgeConditions();
    if (owner && !ids.every(([name, kind]) => isIdOf(kind, c.req.param(name) ?? ""))) throw notFound(owner);
    c.req.addValidatedData("query", parameters.data ?? {});
    c.req.addValidatedData("json", json?.data ?? {});
    await next();
    if (c.error instanceof ChangedMeanwhile) await handleAgain(c);
  };
  described.set(middleware, description);
  return middleware;
}

/**
 * Handles a request again, once and whole, that wrote nothing because another one was quicker: by now nothing keeps it
 * from being done. (Hono calls `next` once only, so its handler is called directly.)
 */
async function handleAgain(c: Context<App>): Promise<void> {
  // Else the first answer's headers would be in the second one.
  c.res = undefined;
  const answer: unknown = await matchedRoutes(c)
    .at(-1)
    ?.handler(c, () => Promise.resolve());
  if (answer instanceof Response) c.res = answer;
}

/** The operation that a handler of `app.routes` declares; undefined for every other handler. */
export const operationOf = (handler: object): Operation | undefined => described.get(handler);

const parameterName = (path: PropertyKey[]): string => shortened(path.map(String).join(""));

/** The query parameters of a URL, each a text or {@link REPEATED}. */
function parametersOf(url: string): Record<string, string | typeof REPEATED> {
  const start = url.indexOf("?");
  if (start === -1) return {};
  const found = new Map<string, string | typeof REPEATED>();
  for (const [name, value] of new URLSearchParams(url.slice(start)))
    found.set(name, found.has(name) ? REPEATED : value);
  return Object.fromEntries(found);
}
