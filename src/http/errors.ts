import { ADMIN_TYPES } from "../../packages/model/src/event_types.ts";
import { type Kind, kinds } from "../../packages/model/src/kinds.ts";
import type { ErrorCode } from "./error_codes.ts";
import type { MemberError } from "./member_errors.ts";

/** At most this many rejected fields are listed in one response. */
export const MEMBER_ERRORS_SHOWN = 50;

/** At most this many users of an object are named when it cannot be deleted. */
export const USERS_NAMED = 10;

interface Extras {
  errors?: MemberError[];
  details?: Record<string, string>;
  headers?: Record<string, string>;
}

/** An error whose message the caller sees. Anything else that is thrown becomes a 500 without details. */
export class ApiError extends Error {
  readonly code: ErrorCode;
  readonly extras: Extras;

  constructor(code: ErrorCode, message: string, extras: Extras = {}) {
    // Capturing a stack trace costs more than the rest of a rejected request, and is never read.
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    super(message);
    Error.stackTraceLimit = stackTraceLimit;
    this.code = code;
    this.extras = extras;
  }
}

const error = (code: ErrorCode, msg: string, extras?: Extras): ApiError => new ApiError(code, msg, extras);

export const badRequest = (msg: string): ApiError => error("ERR_INVALID_REQUEST", msg);
export const invalidMembers = (errors: MemberError[]): ApiError =>
  error(
    "ERR_INVALID_REQUEST",
    withFirst(
      errors.length === 1 ? "The request is invalid." : `The request has ${errors.length} invalid fields.`,
      errors,
    ),
    { errors },
  );
export const unknownReferences = (errors: MemberError[]): ApiError =>
  error(
    "ERR_UNKNOWN_REFERENCE",
    withFirst(
      errors.length === 1
        ? "The request has 1 reference to an object that does not exist."
        : `The request has ${errors.length} references to objects that do not exist.`,
      errors,
    ),
    { errors },
  );
export const unsupportedVersion = (supported: string): ApiError =>
  error(
    "ERR_UNSUPPORTED_VERSION",
    `Send the header Service-Version: ${supported}. Supported versions: ${supported}.`,
  );
export const unauthenticated = (): ApiError =>
  error("ERR_UNAUTHENTICATED", "Send the header Authorization: Bearer <API_KEY> with a valid key.", {
    headers: { "WWW-Authenticate": "Bearer" },
  });
/** @param role the role that the caller has */
export const forbidden = (needed: string, role: string): ApiError =>
  error("ERR_FORBIDDEN", `This operation requires the role ${needed}. You have the role ${role}.`);
export const forbiddenOwner = (): ApiError =>
  error("ERR_FORBIDDEN", "A bot user's key can create keys for that bot user only: leave out owner_id.");
export const forbiddenKeyEvents = (): ApiError =>
  error(
    "ERR_FORBIDDEN",
    `Event subscriptions with sources about API keys, people or the API restriction (${ADMIN_TYPES.join(", ")}), and the destinations that they refer to, require the role admin.`,
  );
export const forbiddenPolicies = (): ApiError =>
  error(
    "ERR_FORBIDDEN",
    "The API restriction names this IP policy: changing it or its rules requires a key with the role admin.",
  );
/** @param address "" if it is unknown */
export const addressNotAllowed = (address: string): ApiError =>
  error(
    "ERR_ADDRESS_NOT_ALLOWED",
    `The API cannot be called from ${address === "" ? "an unknown address" : address}: no IP policy of the API restriction allows it, or one denies it.`,
    { details: { address } },
  );
/** @param address "" if it is unknown */
export const lockOut = (address: string): ApiError =>
  error(
    "ERR_LOCK_OUT",
    `After this change you could no longer call the API from ${address === "" ? "your address, which is unknown" : address}. Rules that expire do not count. Allow that address first, or use the root key.`,
    { details: { address } },
  );
export const crossSite = (): ApiError =>
  error("ERR_CROSS_SITE", "Send the request from a page of this origin, or with an API key.");
export const originNotAllowed = (): ApiError =>
  error(
    "ERR_CROSS_SITE",
    "Pages of this origin cannot send requests here. MCP_ORIGINS lists others that can.",
  );
export const signInExpired = (): ApiError =>
  error("ERR_SIGN_IN_EXPIRED", "The sign-in has expired, or was started in another browser. Sign in again.");
export const signInRefused = (): ApiError =>
  error("ERR_SIGN_IN_REFUSED", "The sign-in was rejected. Sign in again, or ask an admin for the reason.");
export const noRole = (reason: string): ApiError =>
  error("ERR_NO_ROLE", `You have no role here: ${reason}. Ask an admin for one.`);
export const notForPeople = (msg: string): ApiError => error("ERR_FORBIDDEN", msg);
export const wayNotConfigured = (): ApiError =>
  error("ERR_NOT_FOUND", "Signing in with an identity provider is not configured.");
export const httpsRequired = (): ApiError =>
  error(
    "ERR_HTTPS_REQUIRED",
    "Send the request over HTTPS. An API key sent over plain HTTP may have been intercepted: revoke it.",
  );
export const eventGone = (): ApiError =>
  error(
    "ERR_GONE",
    "The log no longer has all events after after_id, or does not reach it. Read the current state of the objects, then continue from the newest event: GET /events?limit=1.",
  );
export const changesGone = (): ApiError =>
  error(
    "ERR_GONE",
    "The changes since then are not known: there are too many, the log no longer has all of them, or the database was restored. Request everything: leave out since.",
  );
export const notFound = (kind: Kind): ApiError =>
  error("ERR_NOT_FOUND", `There is no such ${kinds[kind].noun}.`);
export const moduleNotSet = (title: string, owner: Kind): ApiError =>
  error("ERR_NOT_FOUND", `The ${title} module of this ${kinds[owner].noun} is not set.`);
export const sourceNotFound = (): ApiError =>
  error("ERR_NOT_FOUND", "This event subscription has no source of this type.");
export const agentNotFound = (): ApiError => error("ERR_NOT_FOUND", "There is no agent with this name.");
export const noIssuer = (): ApiError =>
  error(
    "ERR_NOT_FOUND",
    "No certificate is ordered for this host: no edge that terminates TLS has it, or no certificate issuer of this agent is for it.",
  );
export const notOrdered = (): ApiError =>
  error("ERR_NOT_FOUND", "The service orders no certificate for this host.");
export const edgeNotFound = (hostport: string): ApiError =>
  error("ERR_NOT_FOUND", `No edge has the hostport ${hostport}.`);
export const simulationTooLong = (): ApiError =>
  error("ERR_SIMULATION_TOO_LONG", "The policy of the edge or route takes too many steps on this request.");
export const agentRefused = (msg: string): ApiError => error("ERR_FORBIDDEN", msg);
/** @param origin the origin that serves the API reference */
export const noSuchPath = (origin: string): ApiError =>
  error("ERR_NO_SUCH_PATH", `There is no such path. The API reference is at ${origin}/docs.`);
export const methodNotAllowed = (allowed: string[]): ApiError =>
  error("ERR_METHOD_NOT_ALLOWED", `This path supports ${allowed.join(", ")}.`, {
    headers: { Allow: allowed.join(", ") },
  });
export function inUse(users: string[]): ApiError {
  const named = users.slice(0, USERS_NAMED).join(", ");
  const others = users.length > USERS_NAMED ? " and others" : "";
  return error("ERR_IN_USE", `Still in use by ${named}${others}. Change or delete them first.`, {
    details: { used_by: named },
  });
}
/** @param id of the conflicting object, if there is one */
export const conflict = (msg: string, id?: string): ApiError =>
  error("ERR_CONFLICT", msg, id === undefined ? {} : { details: { conflicts_with: id } });
export const preconditionFailed = (): ApiError =>
  error(
    "ERR_PRECONDITION_FAILED",
    "The condition in If-Match or If-None-Match is not met: read the current state and check what has changed.",
  );
/** @param ids of what has changed @param why what else has changed, as a clause */
export function outdated(ids: string[], why = "edges on the same ports changed"): ApiError {
  const named = `${ids.slice(0, USERS_NAMED).join(", ")}${ids.length > USERS_NAMED ? " and others" : ""} changed`;
  return error(
    "ERR_PLAN_OUTDATED",
    `The plan's effect may have changed: ${ids.length > 0 ? named : why}. Refresh the plan and look at it again.`,
    { details: { changed: ids.join(", ") } },
  );
}
export const cannotUndo = (msg: string): ApiError => error("ERR_CANNOT_UNDO", msg);
/** @param most the number of plans that is exceeded */
export const tooManyPlans = (msg: string, most: number): ApiError =>
  error("ERR_TOO_MANY_PLANS", msg, {
    headers: { "Retry-After": "3600", "RateLimit-Policy": `"plans";q=${most};w=86400` },
  });
export const idempotencyMismatch = (): ApiError =>
  error("ERR_IDEMPOTENCY_MISMATCH", "This Idempotency-Key was used for a different request. Use a new one.");
export const tooSlow = (msg: string): ApiError => error("ERR_REQUEST_TIMEOUT", msg);
export const tooLarge = (msg: string): ApiError => error("ERR_TOO_LARGE", msg);
export const unsupportedMediaType = (): ApiError =>
  error("ERR_UNSUPPORTED_MEDIA_TYPE", "Send the header Content-Type: application/json.");
export const unsupportedEncoding = (): ApiError =>
  error(
    "ERR_UNSUPPORTED_MEDIA_TYPE",
    "The body has a Content-Encoding, which is not supported. Send it uncompressed, without that header.",
  );
/** @param policy `"name";q=REQUESTS;w=SECONDS` */
export const rateLimited = (policy: string): ApiError =>
  error("ERR_RATE_LIMITED", "Too many requests. Try again later.", {
    headers: { "Retry-After": /;w=(\d+)/.exec(policy)?.[1] ?? "60", "RateLimit-Policy": policy },
  });
/** @param seconds how long the caller should wait before trying again */
export const unavailable = (msg: string, seconds = 1): ApiError =>
  error("ERR_UNAVAILABLE", msg, { headers: { "Retry-After": String(seconds) } });
export const internal = (): ApiError => error("ERR_INTERNAL", "Something went wrong on our side.");

/** A summary and the first of `errors`, because many clients show only the message. The path "" is the whole body. */
function withFirst(summary: string, [first]: MemberError[]): string {
  if (!first) return summary;
  return `${summary} ${first.path === "" ? "" : `${first.path}: `}${first.msg}`;
}
