import type * as z from "zod";
import type { Kind } from "../../kinds.ts";
import type { Access } from "../../roles.ts";
import type { ErrorCode } from "../errors/codes.ts";

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

const described = new WeakMap<object, Operation>();

/** Notes which operation a handler is the head of. */
export const describe = (handler: object, operation: Operation): void =>
  void described.set(handler, operation);

/** The operation that a handler of `app.routes` declares; undefined for every other handler. */
export const operationOf = (handler: object): Operation | undefined => described.get(handler);
