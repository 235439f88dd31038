import type { Context } from "hono";
import { matchedRoutes } from "hono/route";
import type * as z from "zod";
import type { Kind } from "../../packages/model/src/kinds.ts";
import { type Access, isForPrograms } from "../../packages/model/src/roles.ts";
import type { ErrorCode } from "./error_codes.ts";

/** The request and response of one operation: the source of its validation, its documentation and its tests. */
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
  /** The group that the documentation lists it in. */
  tag: string;
  /** Who may call it. */
  access: Access;
  /** The ids in the path, with the kind of object that each identifies. */
  path?: Record<string, Kind>;
  /** Other parts of the path, such as the type of a source, with their schemas. They are documented, but not checked. */
  names?: Record<string, z.ZodType>;
  /** Query parameters, each a string; none are accepted if left out. */
  query?: Query;
  /** The request body; none is read if left out. */
  body?: Body;
  /** Status on success, and the response body's schema unless there is no body. */
  status: 200 | 201 | 202 | 204;
  response?: z.ZodType;
  /**
   * Has an ETag and supports conditional requests: `read` responds 304 if `If-None-Match` matches, `change` takes effect
   * only if a given `If-Match` matches. `poll` is `read` for clients that poll every few seconds: it uses an epoch of the
   * database that is up to 20 seconds old, which saves reading it.
   */
  conditional?: "read" | "poll" | "change";
  /** For an operation that is guarded in another way: a sentence on what to send instead of a precondition header. */
  guardedBy?: string;
  /** True if it accepts `Idempotency-Key` although it may create nothing. */
  isKeyed?: true;
  /** True if repeating it returns the first response, without an `Idempotency-Key`. */
  isReplayed?: true;
  /** True if the response needs no data from the database, so there is no bookmark. */
  isConstant?: true;
  /** True if the request needs no `Service-Version`: browsers and Prometheus cannot send it. */
  isUnversioned?: true;
  /** The media type of the response on success; JSON if left out. */
  mediaType?: string;
  /** True if the response sets or deletes the session's cookie. */
  setsCookie?: true;
  /** Errors that this operation can return in addition to those that follow from its request: see `errorCodesOf`. */
  errors?: ErrorCode[];
}

/** One operation with its method and path: `POST`, `/edges/tcp/:id`. */
export interface OperationRoute {
  method: string;
  path: string;
  operation: Operation;
}

/** True for an operation that accepts `Idempotency-Key`: it creates an object, or declares `isKeyed`. */
export const isCreation = ({ status, isKeyed }: Pick<Operation, "status" | "isKeyed">): boolean =>
  status === 201 || isKeyed === true;

/** A header that makes a request depend on the current state of the object: see `src/http/respond.ts`. */
export type Precondition = "If-Match" | "If-None-Match";

/** The precondition headers that an operation evaluates. Public operations only read, so they have nothing to guard. */
export function preconditionsOf({
  access,
  conditional,
}: Pick<Operation, "access" | "conditional">): Precondition[] {
  if (conditional === undefined) return [];
  return access === "public" ? ["If-None-Match"] : ["If-Match", "If-None-Match"];
}

/** True for an operation that changes something and accepts the cookie of a session: other origins must not have it sent. */
const changesWithSession = ({
  access,
  body,
  status,
  conditional,
  isKeyed,
  isReplayed,
  setsCookie,
}: Operation) =>
  access !== "public" &&
  !isForPrograms(access) &&
  Boolean(body || status !== 200 || conditional === "change" || isKeyed || isReplayed || setsCookie);

/** True for an operation that needs the header `Service-Version`. */
export const isVersioned = ({ access, isUnversioned }: Operation): boolean =>
  access !== "public" && isUnversioned !== true;

/** Every error that an operation can return. */
export const errorCodesOf = (operation: Operation): ErrorCode[] => {
  const { access, path, body, conditional, errors = [] } = operation;
  return [
    "ERR_INVALID_REQUEST",
    ...(access === "public" ? [] : (["ERR_UNAUTHENTICATED", "ERR_RATE_LIMITED"] as const)),
    ...(isVersioned(operation) ? (["ERR_UNSUPPORTED_VERSION"] as const) : []),
    ...(access === "public" ? [] : (["ERR_ADDRESS_NOT_ALLOWED"] as const)),
    ...(access === "public" || access === "any" ? [] : (["ERR_FORBIDDEN"] as const)),
    ...(changesWithSession(operation) ? (["ERR_CROSS_SITE"] as const) : []),
    ...(path ? (["ERR_NOT_FOUND"] as const) : []),
    ...(body ? (["ERR_REQUEST_TIMEOUT", "ERR_TOO_LARGE", "ERR_UNSUPPORTED_MEDIA_TYPE"] as const) : []),
    ...(access === "public" ? [] : (["ERR_UNAVAILABLE"] as const)),
    ...(conditional && conditional !== "poll" && access !== "public"
      ? (["ERR_PRECONDITION_FAILED"] as const)
      : []),
    ...(isCreation(operation) ? (["ERR_IDEMPOTENCY_MISMATCH"] as const) : []),
    ...errors,
    "ERR_HTTPS_REQUIRED",
    "ERR_INTERNAL",
  ];
};

const described = new WeakMap<object, Operation>();

/** Registers the operation that a handler belongs to. */
export const describe = (handler: object, operation: Operation): void =>
  void described.set(handler, operation);

/** The operation that a handler in `app.routes` declares; undefined for every other handler. */
export const operationOf = (handler: object): Operation | undefined => described.get(handler);

/** The route that matches a request. */
export interface MatchedRoute {
  /** Its pattern, `/edges/tcp/:id`. */
  path: string;
  operation: Operation | undefined;
}

/** Routes by the router's entry for their handler, the last one that a request reaches. */
const known = new WeakMap<object, MatchedRoute>();

/** The route that matches this request; undefined if there is none (404 or 405). */
export function routeOf(c: Context): MatchedRoute | undefined {
  const matched = matchedRoutes(c);
  const last = matched.findLast(({ method }) => method !== "ALL");
  if (!last) return undefined;
  let route = known.get(last);
  if (!route) {
    const operation = matched.map(({ handler }) => operationOf(handler)).find(Boolean);
    route = { path: last.path, operation };
    known.set(last, route);
  }
  return route;
}
