import { returning } from "./own_responses.ts";
import { quote } from "./quote.ts";

/*
 * Headers that a client must not control. Simulations do the same: see `packages/model/src/policy/client_headers.ts`.
 */

const INVALID = `http-request ${returning(400)}`;

/**
 * Rules that reject requests which the next server could read differently: with a control character in a value (RFC 9110 §5.5),
 * without Host (RFC 9112 §3.2), with Transfer-Encoding in HTTP/1.0 (RFC 9112 §6.1), or of an HTTP/1 version that does not exist. Also
 * CONNECT: if the upstream accepts it, what follows on the connection passes no rule.
 */
export const rejectingRules: readonly string[] = [
  `${INVALID} if METH_CONNECT`,
  `${INVALID} if !{ req.ver 1.0 1.1 } !{ fc_http_major 2 }`,
  `${INVALID} if { req.hdrs -m reg ${quote(String.raw`[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]`)} }`,
  `${INVALID} if !{ req.ver 1.0 } !{ req.hdr(host) -m found }`,
  `${INVALID} if { req.ver 1.0 } { req.hdr(transfer-encoding) -m found }`,
];

/**
 * Rules that remove what belongs to the client's connection (RFC 9110 §7.6.1), and the headers that the edge sets, in any spelling.
 * A name in `Connection` would make the next server remove a header that the edge has set. HAProxy has read the client's own
 * `close` before.
 */
export const clientHeaderRules: readonly string[] = [
  // After an upgrade to another protocol, such as h2c, requests would bypass routes and their modules.
  "acl websocket req.fhdr(upgrade) -i -m str websocket",
  "acl one_upgrade req.fhdr_cnt(upgrade) eq 1",
  "http-request del-header connection",
  "http-request del-header upgrade unless websocket one_upgrade",
  "http-request set-header connection upgrade if websocket one_upgrade",
  "http-request del-header keep-alive",
  "http-request del-header proxy-connection",
  "http-request del-header http2-settings",
  // Also x_forwarded_host and others, which an upstream could trust.
  `http-request del-header ${quote("^x(?:_forwarded|-forwarded_)")} -m reg`,
  "http-request set-header x-forwarded-for %[src]",
  "http-request set-header x-forwarded-proto https",
];

/** Whether a name of a header can be spelled in another way that a server with CGI names reads as the same. */
export const hasSpellings = (name: string): boolean => /[-_]/.test(name);

/**
 * The action that removes a header of a request in every spelling that a server with CGI names reads as the same (RFC 3875 §4.1.18): they
 * take `_` and `-` for the same character.
 */
export function removal(name: string): string {
  if (!hasSpellings(name)) return `del-header ${quote(name)}`;
  const pattern = name
    .toLowerCase()
    .replaceAll(/[^\w-]/g, String.raw`\$&`)
    .replaceAll(/[-_]/g, "[-_]");
  return `del-header ${quote(`^${pattern}$`)} -m reg`;
}
