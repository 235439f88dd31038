import { failureOfStatus, withRetryAfter } from "./call.ts";
import { type Reply, type SendError, type SendFailure, sendFailure } from "./sender.ts";

/*
 * Errors of the cloud's services. Nearly all have status 400, so only their codes distinguish them.
 */

const RETRY = new Set([
  "Throttling",
  "ThrottlingException",
  "ThrottledException",
  "RequestThrottled",
  "RequestThrottledException",
  "TooManyRequestsException",
  "ProvisionedThroughputExceededException",
  "RequestLimitExceeded",
  "BandwidthLimitExceeded",
  "LimitExceededException",
  "KMSThrottlingException",
  "SlowDown",
  "PriorRequestNotComplete",
  "RequestTimeout",
  "RequestTimeoutException",
  "InternalError",
  "InternalFailure",
  "ServiceUnavailable",
  "ServiceUnavailableException",
  // The data was damaged on its way.
  "BadDigest",
  "IncompleteBody",
  "XAmzContentSHA256Mismatch",
]);

/** One of the events may be the cause. */
const BATCH = new Set([
  "EntityTooLarge",
  "InvalidArgumentException",
  "InvalidParameterException",
  "SerializationException",
  "ValidationException",
]);

const UNKNOWN_KEY = "The access key is unknown or inactive.";
const WRONG_SECRET =
  "The signature was rejected: the secret access key does not belong to the access key id.";
const ENCRYPTION = "The key that encrypts the target cannot be used.";
/** The message for a bucket in another region. */
export const ELSEWHERE = "The bucket is in a different region from the one that the target states.";

const DENIED = new Set(["AccessDenied", "AccessDeniedException"]);

/** Errors that need human action, in our words. */
const configuration = new Map([
  ["AuthorizationHeaderMalformed", ELSEWHERE],
  ["ExpiredToken", "The session token has expired."],
  ["ExpiredTokenException", "The session token has expired."],
  ["IllegalLocationConstraintException", ELSEWHERE],
  ["IncompleteSignature", WRONG_SECRET],
  ["InvalidAccessKeyId", UNKNOWN_KEY],
  ["InvalidClientTokenId", UNKNOWN_KEY],
  ["InvalidKMSResourceException", ENCRYPTION],
  ["InvalidSignatureException", WRONG_SECRET],
  [
    "InvalidSourceException",
    "The delivery stream reads its records from another stream: its source must be direct PUT.",
  ],
  ["KMSAccessDeniedException", ENCRYPTION],
  ["KMSDisabledException", ENCRYPTION],
  ["KMSInvalidStateException", ENCRYPTION],
  ["KMSNotFoundException", ENCRYPTION],
  ["KMSOptInRequired", ENCRYPTION],
  ["MissingAuthenticationToken", UNKNOWN_KEY],
  ["MissingAuthenticationTokenException", UNKNOWN_KEY],
  ["NoSuchBucket", "The bucket does not exist."],
  ["OptInRequired", "The account is not allowed to use this service."],
  ["PermanentRedirect", ELSEWHERE],
  ["RegionDisabledException", "The region is disabled in the account: enable it, or its token service."],
  ["ResourceAlreadyExistsException", "The target already exists."],
  ["ResourceNotFoundException", "The target does not exist: check its ARN."],
  ["SignatureDoesNotMatch", WRONG_SECRET],
  ["UnrecognizedClientException", UNKNOWN_KEY],
  ["ValidationError", "The role was rejected: check its ARN and the service's external id."],
]);

/** The error code in a response, as JSON (`…#Code`) or XML; undefined if there is none. */
export function codeIn({ text }: Reply): string | undefined {
  const [, inJson, inXml] = /"__type"\s*:\s*"([^"]*)"|<Code>([^<]*)<\/Code>/.exec(text) ?? [];
  return (inJson ?? inXml)?.replace(/^.*#/, "");
}

/** True if a token was rejected because it has expired. */
export const isTokenExpired = ({ error }: SendFailure): boolean =>
  error.code === "ExpiredToken" || error.code === "ExpiredTokenException";

/** True for the code of an event that may be accepted later. */
export const isRetried = (code: string): boolean => RETRY.has(code);

/** The error of one event of a batch. An unknown code is not shown. */
export function errorOfRecord(code: string): SendError {
  if (RETRY.has(code)) return { code, status: 200, msg: `The target is busy for this event (${code}).` };
  return {
    code: BATCH.has(code) || configuration.has(code) ? code : "refused",
    status: 200,
    msg: "The target rejected this event and accepted others in the same request.",
  };
}

/** The purpose of a call. */
export interface Purpose {
  /** The permission that it needs, as policies name it: `kinesis:PutRecords`. */
  permission: string;
  /** Whether the call can be rejected because of one of the events in it. */
  judgesEvents: boolean;
}

/** The failure for an unsuccessful response. */
export function failureOf(reply: Reply, { permission, judgesEvents }: Purpose): SendFailure {
  const failure = byCode(reply, permission);
  return failure.class === "batch" && !judgesEvents && reply.status !== 413
    ? { ...failure, class: "configuration" }
    : failure;
}

function byCode(reply: Reply, permission: string): SendFailure {
  const { status, headers } = reply;
  const code = codeIn(reply);
  if (code === undefined) return failureOfStatus(reply);
  if (RETRY.has(code)) {
    const msg = `The target is busy or is limiting requests (${code}).`;
    return withRetryAfter(sendFailure("retry", code, msg, status), headers);
  }
  if (BATCH.has(code))
    return sendFailure("batch", code, `The target rejected the request (${code}).`, status);
  const msg = DENIED.has(code)
    ? `The credentials lack the permission ${permission}.`
    : configuration.get(code);
  if (msg !== undefined) return sendFailure("configuration", code, msg, status);
  const failure = failureOfStatus(reply);
  // An unknown code is rarely about the events: waiting is better than dropping them.
  return failure.class === "batch" && status !== 413 ? { ...failure, class: "configuration" } : failure;
}
