/*
 * Why `fetch` failed, for people.
 */

/** A code such as ECONNREFUSED, or a message. */
export function causeOf(error: unknown): string {
  const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
  if (!(cause instanceof Error)) return String(cause);
  return "code" in cause && typeof cause.code === "string" ? cause.code : cause.message;
}

const CLOSED = "it closed the connection without a response; if that persists, check the scheme and the port";
const UNKNOWN_AUTHORITY =
  "its certificate is not signed by a known authority. If the authority is a private one, set NODE_EXTRA_CA_CERTS to a PEM file with its root";

/** What codes mean. */
const meanings: Record<string, string> = {
  ECONNREFUSED: "nothing listens there",
  ECONNRESET: CLOSED,
  UND_ERR_SOCKET: CLOSED,
  ENOTFOUND: "the host name does not exist",
  EAI_AGAIN: "its host name cannot be looked up now",
  ETIMEDOUT: "it does not respond",
  UND_ERR_CONNECT_TIMEOUT: "it does not respond",
  UND_ERR_HEADERS_TIMEOUT: "it does not respond",
  ERR_SSL_WRONG_VERSION_NUMBER: "it does not speak TLS on this port; use another port, or http://",
  CERT_HAS_EXPIRED: "its certificate has expired",
  ERR_TLS_CERT_ALTNAME_INVALID: "its certificate is for another host name",
  DEPTH_ZERO_SELF_SIGNED_CERT: UNKNOWN_AUTHORITY,
  SELF_SIGNED_CERT_IN_CHAIN: UNKNOWN_AUTHORITY,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNKNOWN_AUTHORITY,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNKNOWN_AUTHORITY,
};

/** "nothing listens there (ECONNREFUSED)": the end of a sentence, without its period. */
export function whyUnreachable(error: unknown): string {
  const cause = causeOf(error);
  const meaning = meanings[cause];
  return meaning === undefined ? cause : `${meaning} (${cause})`;
}
