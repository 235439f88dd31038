import { EXAMPLE_ORIGIN, exampleId } from "../../packages/model/src/ids.ts";
import { camelCased } from "../../packages/model/src/kinds.ts";
import { type ErrorCode, errorCodes } from "../http/error_codes.ts";
import { errorBody } from "../http/error_response.ts";
import * as errors from "../http/errors.ts";
import { exampleOperationId } from "./examples.ts";
import { headerReferences } from "./headers.ts";

/*
 * Errors in the OpenAPI document.
 */

type Json = Record<string, unknown>;

/** An example of the error with each code, built like real errors. */
const samples: Record<ErrorCode, errors.ApiError> = {
  ERR_INVALID_REQUEST: errors.invalidMembers([
    { path: "/description", msg: "Longer than 255 bytes in UTF-8." },
    { path: "/colour", msg: "Unknown; accepted: description, metadata." },
  ]),
  ERR_UNKNOWN_REFERENCE: errors.unknownReferences([
    { path: "/backend/backend_id", msg: "There is no object with this id." },
  ]),
  ERR_UNSUPPORTED_VERSION: errors.unsupportedVersion("2"),
  ERR_UNAUTHENTICATED: errors.unauthenticated(),
  ERR_SIGN_IN_EXPIRED: errors.signInExpired(),
  ERR_SIGN_IN_REFUSED: errors.signInRefused(),
  ERR_CROSS_SITE: errors.crossSite(),
  ERR_NO_ROLE: errors.noRole('no rule of PEOPLE_ROLES matches: the claim groups has "staff"'),
  ERR_FORBIDDEN: errors.forbidden("editor", "viewer"),
  ERR_ADDRESS_NOT_ALLOWED: errors.addressNotAllowed("198.51.100.7"),
  ERR_HTTPS_REQUIRED: errors.httpsRequired(),
  ERR_NOT_FOUND: errors.notFound("ip_policy"),
  ERR_NO_SUCH_PATH: errors.noSuchPath(EXAMPLE_ORIGIN),
  ERR_METHOD_NOT_ALLOWED: errors.methodNotAllowed(["GET", "POST"]),
  ERR_REQUEST_TIMEOUT: errors.tooSlow("The body did not arrive within 20 seconds."),
  ERR_CONFLICT: errors.conflict(
    "Another route of this edge has the same match.",
    exampleId("https_edge_route"),
  ),
  ERR_LOCK_OUT: errors.lockOut("198.51.100.7"),
  ERR_IN_USE: errors.inUse([exampleId("tcp_edge"), exampleId("failover_backend")]),
  ERR_GONE: errors.eventGone(),
  ERR_PRECONDITION_FAILED: errors.preconditionFailed(),
  ERR_PLAN_OUTDATED: errors.outdated([exampleId("ip_policy")]),
  ERR_CANNOT_UNDO: errors.cannotUndo(
    `${exampleId("event")} cannot be undone: ${exampleId("ip_policy")} has changed since.`,
  ),
  ERR_TOO_MANY_PLANS: errors.tooManyPlans("You have 100 plans that were not applied.", 100),
  ERR_TOO_LARGE: errors.tooLarge("The body is larger than 1048576 bytes."),
  ERR_UNSUPPORTED_MEDIA_TYPE: errors.unsupportedMediaType(),
  ERR_IDEMPOTENCY_MISMATCH: errors.idempotencyMismatch(),
  ERR_SIMULATION_TOO_LONG: errors.simulationTooLong(),
  ERR_RATE_LIMITED: errors.rateLimited('"key";q=10000;w=60'),
  ERR_INTERNAL: errors.internal(),
  ERR_UNAVAILABLE: errors.unavailable("The service is temporarily unavailable. Try again."),
};

/** The body of an error, as callers receive it. */
export const errorExample = (): object => errorBody(samples.ERR_INVALID_REQUEST, exampleOperationId);

/** Every error code as a Markdown table, with its cause and its cure. */
export function errorTable(): string {
  const rows = Object.entries(errorCodes).map(
    ([code, { status, cause, cure }]) => `| \`${code}\` | ${status} | ${cause} | ${cure} |`,
  );
  return ["| `error_code` | Status | Cause | Cure |", "| --- | --- | --- | --- |", ...rows].join("\n");
}

/** {@link errorTable} as a list: OpenAPI requires CommonMark, which has no tables. */
export function errorList(): string {
  return Object.entries(errorCodes)
    .map(([code, { status, cause, cure }]) => `- **${status} \`${code}\`** ${cause} ${cure}`)
    .join("\n");
}

/** References to the responses of `codes`, one for each status. */
export const errorReferences = (codes: ErrorCode[]): Json =>
  Object.fromEntries(
    byStatus(codes).map(([status, sharing]) => [
      status,
      { $ref: `#/components/responses/${responseName(sharing)}` },
    ]),
  );

/** Every response that {@link errorReferences} refers to, given the codes of each operation. */
export const errorResponses = (operations: ErrorCode[][]): Json =>
  Object.fromEntries(
    operations
      .flatMap(byStatus)
      .map(([status, sharing]) => [responseName(sharing), errorResponse(status, sharing)] as const)
      .toSorted(([a], [b]) => (a < b ? -1 : 1)),
  );

const byStatus = (codes: ErrorCode[]): [string, ErrorCode[]][] =>
  Object.entries(Object.groupBy(codes, (code) => errorCodes[code].status));

/** `InvalidRequestOrUnknownReference`. */
const responseName = (codes: ErrorCode[]): string =>
  codes.map((code) => camelCased(code.slice("ERR_".length).toLowerCase())).join("Or");

/** One response for all of `codes`, which share a status. Its schema repeats the type of {@link errorBody}. */
const errorResponse = (status: string, codes: ErrorCode[]): Json => ({
  description: codes.map((code) => `\`${code}\`: ${errorCodes[code].cause}`).join(" "),
  headers: headerReferences({
    "Service-Bookmark": true,
    "WWW-Authenticate": status === "401",
    "RateLimit-Policy": status === "429",
    "Retry-After": status === "429" || status === "503",
  }),
  content: {
    "application/json": {
      schema: {
        allOf: [
          { $ref: "#/components/schemas/Error" },
          {
            type: "object",
            properties: {
              error_code: {
                type: "string",
                enum: codes,
                description: "A code for programs to act on.",
              },
              status_code: {
                type: "integer",
                const: Number(status),
                description: "The status code of the response.",
              },
            },
          },
        ],
      },
      examples: Object.fromEntries(
        codes.map((code) => [code, { summary: code, value: errorBody(samples[code], exampleOperationId) }]),
      ),
    },
  },
});
