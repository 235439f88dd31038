/**
 * Every `error_code`, once: its status, its cause and its cure. The error tables in the documentation are generated from
 * this.
 */
export const errorCodes = {
  ERR_INVALID_REQUEST: {
    status: 400,
    cause:
      "The body is not a JSON object, or members, query parameters or headers are wrong, unknown or missing.",
    cure: "`errors` names each wrong member and what would be right, `msg` the first of them. Mend them all and send the request again.",
  },
  ERR_UNKNOWN_REFERENCE: {
    status: 400,
    cause: "The body refers to objects that do not exist.",
    cure: "`errors` names each reference that leads nowhere. Create the objects first, or leave the references out.",
  },
  ERR_UNSUPPORTED_VERSION: {
    status: 400,
    cause: "The header `Service-Version` is missing or names a version that is not supported.",
    cure: "Send `Service-Version: 2`.",
  },
  ERR_UNAUTHENTICATED: {
    status: 401,
    cause: "The key is missing, malformed, unknown, expired or revoked, or its bot is not active.",
    cure: "Send `Authorization: Bearer <API_KEY>` with a valid key.",
  },
  ERR_FORBIDDEN: {
    status: 403,
    cause: "The key's role does not go as far, or a bot's key is to make a key of another owner.",
    cure: "`msg` names the role that is needed: ask an admin for a key with it.",
  },
  ERR_HTTPS_REQUIRED: {
    status: 403,
    cause: "The request came over plain HTTP.",
    cure: "Send it over HTTPS. A key that was sent without may have been read on its way: revoke it.",
  },
  ERR_NOT_FOUND: {
    status: 404,
    cause: "There is no object with this id, or the module is not set.",
    cure: "Check the id and its prefix; list the collection to find it. Set a module with PUT.",
  },
  ERR_NO_SUCH_PATH: {
    status: 404,
    cause: "The service has no such path.",
    cure: "Compare the path with the documentation.",
  },
  ERR_METHOD_NOT_ALLOWED: {
    status: 405,
    cause: "The path does not take this method.",
    cure: "Use one of those that the header `Allow` names.",
  },
  ERR_REQUEST_TIMEOUT: {
    status: 408,
    cause: "The body did not arrive in time.",
    cure: "Send all of the body within 20 seconds. Nothing was done.",
  },
  ERR_IN_USE: {
    status: 409,
    cause: "Edges or failover backends use the backend that is to be deleted.",
    cure: "`details.used_by` names up to ten of them. Point them elsewhere or delete them, then try again.",
  },
  ERR_PRECONDITION_FAILED: {
    status: 412,
    cause: "The object or module is not in the state that `If-Match` or `If-None-Match` asks for.",
    cure: "It was changed since, by somebody else or by this very request when its answer was lost: get it again, look, and send what is still to be changed with the new `ETag`.",
  },
  ERR_TOO_LARGE: {
    status: 413,
    cause:
      "The body is larger than 1 MiB, or the object, or the response under an `Idempotency-Key`, than 1.9 MB.",
    cure: "Send less.",
  },
  ERR_UNSUPPORTED_MEDIA_TYPE: {
    status: 415,
    cause: "A body came without `Content-Type: application/json`.",
    cure: "Send that header with POST, PUT and PATCH.",
  },
  ERR_IDEMPOTENCY_MISMATCH: {
    status: 422,
    cause: "The `Idempotency-Key` was used for another request in the last 24 hours.",
    cure: "Make a new key for each object that is to be created; repeat one only with the same request.",
  },
  ERR_RATE_LIMITED: {
    status: 429,
    cause: "The key sent too many requests, or the client's address too many with no valid key.",
    cure: "`RateLimit-Policy` says how many are taken. Wait for `Retry-After` seconds.",
  },
  ERR_INTERNAL: {
    status: 500,
    cause: "The service failed. What it failed of is in its log.",
    cure: "Tell the operator the `operation_id`.",
  },
  ERR_UNAVAILABLE: {
    status: 503,
    cause:
      "The database cannot answer now, or another request changed a related object at the same moment, twice.",
    cure: "Wait for `Retry-After` seconds and send it again, a creation under the same `Idempotency-Key`: whether it was done may not be known.",
  },
} as const;

export type ErrorCode = keyof typeof errorCodes;
