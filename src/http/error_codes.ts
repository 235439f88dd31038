/**
 * Every `error_code` with its status, cause and cure. The error tables in the documentation are generated from this.
 */
export const errorCodes = {
  ERR_INVALID_REQUEST: {
    status: 400,
    cause:
      "The body is not a JSON object, or a field, query parameter or header is invalid, unknown or missing.",
    cure: "`msg` describes the first problem, and `errors` lists up to 50 with what is expected instead. Correct them all and send the request again.",
  },
  ERR_UNKNOWN_REFERENCE: {
    status: 400,
    cause: "The body refers to objects that do not exist.",
    cure: "`errors` lists the references in question. Create the missing objects first, or remove the references.",
  },
  ERR_UNSUPPORTED_VERSION: {
    status: 400,
    cause: "The `Service-Version` header is missing or names an unsupported version.",
    cure: "Send `Service-Version: 2`.",
  },
  ERR_SIGN_IN_EXPIRED: {
    status: 400,
    cause: "The sign-in took longer than ten minutes, or was started in another browser.",
    cure: "Sign in again, and allow cookies for this host.",
  },
  ERR_UNAUTHENTICATED: {
    status: 401,
    cause: "The API key is missing, malformed, unknown, expired or revoked, or its bot user is inactive.",
    cure: "Send `Authorization: Bearer <API_KEY>` with a valid key.",
  },
  ERR_SIGN_IN_REFUSED: {
    status: 401,
    cause: "The identity provider's response is not valid, or the provider rejected the sign-in.",
    cure: "Sign in again. If it fails again, the reason is in the service's log and in the event `sign_in_refused.v0`.",
  },
  ERR_FORBIDDEN: {
    status: 403,
    cause:
      "The role of the API key does not allow the operation, or a bot user's key tried to create a key for another owner.",
    cure: "`msg` names the required role: ask an admin for a key with that role. To create a key with a bot user's key, leave out `owner_id`.",
  },
  ERR_ADDRESS_NOT_ALLOWED: {
    status: 403,
    cause: "The API is restricted by address, and its IP policies do not let in the address in `details`.",
    cure: "Call from an allowed address, or ask an admin to allow yours. The root key works from everywhere.",
  },
  ERR_CROSS_SITE: {
    status: 403,
    cause:
      "A page of another origin sent the request with a signed-in browser's cookie, or tried to sign in.",
    cure: "Send the request from a page of this origin, or with an API key in `Authorization`.",
  },
  ERR_NO_ROLE: {
    status: 403,
    cause:
      "The identity provider knows the person, but they have no role here, or an admin has deactivated them.",
    cure: "Ask an admin for a group with a role (`PEOPLE_ROLES`), or to set your role. The message lists the claims that the provider sent.",
  },
  ERR_HTTPS_REQUIRED: {
    status: 403,
    cause: "The request was sent over plain HTTP.",
    cure: "Send the request over HTTPS. An API key sent over plain HTTP may have been intercepted: revoke it.",
  },
  ERR_NOT_FOUND: {
    status: 404,
    cause: "There is no object with this id, or it has no such module or source.",
    cure: "Check the id and its prefix, or list the collection to find the object. Set a module with PUT.",
  },
  ERR_NO_SUCH_PATH: {
    status: 404,
    cause: "The API has no such path.",
    cure: "`msg` links to the API reference: check the path there.",
  },
  ERR_METHOD_NOT_ALLOWED: {
    status: 405,
    cause: "The path does not support this method.",
    cure: "Use one of the methods listed in the `Allow` header.",
  },
  ERR_REQUEST_TIMEOUT: {
    status: 408,
    cause: "The body did not arrive in time.",
    cure: "Nothing was changed. Send the request again, with its whole body within 20 seconds.",
  },
  ERR_CONFLICT: {
    status: 409,
    cause: "An object that must be unique already exists, or the collection is full.",
    cure: "`details.conflicts_with` names the existing object: change or delete it, or use it instead. If an edge is full, delete one of its routes.",
  },
  ERR_CANNOT_UNDO: {
    status: 409,
    cause:
      "A change cannot be undone: what the object was before is not known, a secret was changed or would be needed, the object has changed since, or there is nothing to undo.",
    cure: "`msg` names the event and the reason. Undo later changes too, or leave the event out.",
  },
  ERR_LOCK_OUT: {
    status: 409,
    cause: "The API is restricted by address, and the change would lock out the caller.",
    cure: "Add a rule without `expires_at` that allows the address in `details` to an IP policy of the restriction, or use the root key.",
  },
  ERR_IN_USE: {
    status: 409,
    cause: "The object cannot be deleted because other objects use it.",
    cure: "`details.used_by` lists up to ten of them; routes are listed as `edge_id/id`. Change or delete them, then try again.",
  },
  ERR_GONE: {
    status: 410,
    cause:
      "`after_id` is older than the event log, which keeps events for a limited time, or newer than its last event. Another cause: there are too many changes since `since`, or they are no longer known.",
    cure: "You have missed some events: read the current state of the objects. Then list the newest event without `after_id`, and continue from its id; or read all changes without `since`.",
  },
  ERR_PRECONDITION_FAILED: {
    status: 412,
    cause: "The condition in `If-Match` or `If-None-Match` is not met.",
    cure: "The object or module has changed since you read it: either someone else changed it, or this same request did and its response was lost. Read it again, and send any change that is still needed with the new `ETag`.",
  },
  ERR_PLAN_OUTDATED: {
    status: 412,
    cause:
      "Something that the effect of the plan depends on has changed since the plan was made or refreshed.",
    cure: "`details.changed` lists up to 50 objects. Refresh the plan, look at its effect again, and apply it with its new `ETag`.",
  },
  ERR_TOO_LARGE: {
    status: 413,
    cause:
      "The body exceeds 1 MiB, or the object, or the response to be stored for an `Idempotency-Key`, would exceed 1.9 MB.",
    cure: "Send less data. If only the response is too large to be stored, leave out the `Idempotency-Key`.",
  },
  ERR_UNSUPPORTED_MEDIA_TYPE: {
    status: 415,
    cause: "The body was sent without `Content-Type: application/json`, or compressed.",
    cure: "Send that header with every POST, PUT and PATCH, and no `Content-Encoding`.",
  },
  ERR_IDEMPOTENCY_MISMATCH: {
    status: 422,
    cause: "The `Idempotency-Key` was used for a different request within the last 24 hours.",
    cure: "Generate a new key for each object to be created, and reuse a key only to repeat the same request.",
  },
  ERR_SIMULATION_TOO_LONG: {
    status: 422,
    cause: "Running the policy of the edge or route on the simulated request takes too many steps.",
    cure: "Shorten the simulated request, or simplify the patterns and expressions of the policy.",
  },
  ERR_RATE_LIMITED: {
    status: 429,
    cause: "Too many requests with this API key, or too many without a valid key from this client address.",
    cure: "Wait for the number of seconds in `Retry-After`. `RateLimit-Policy` states the limit.",
  },
  ERR_TOO_MANY_PLANS: {
    status: 429,
    cause: "There are too many plans that were not applied.",
    cure: "Apply or withdraw plans. A plan that was withdrawn or has expired counts for another day.",
  },
  ERR_INTERNAL: {
    status: 500,
    cause: "The service failed unexpectedly. The cause is in its log.",
    cure: "Report the `operation_id` to the operator.",
  },
  ERR_UNAVAILABLE: {
    status: 503,
    cause: "The database is unavailable, or the service is not fully configured.",
    cure: "Wait for the number of seconds in `Retry-After`, then send the request again. A write may already have taken effect: repeat a creation with the same `Idempotency-Key`.",
  },
} as const;

export type ErrorCode = keyof typeof errorCodes;
