import { returning } from "../base/own_responses.ts";
import { quote } from "../base/quote.ts";

/*
 * How HAProxy reads paths: as `packages/model/src/traffic/paths.ts` does. A test compares both on thousands of paths.
 */

/** How many bytes of a reading are looked up, before they are encoded. Matches have at most 512 bytes. */
const LOOKED_UP_BYTES = 1024;

const UNREADABLE = `http-request ${returning(400)}`;

/** Rules that set `txn.path` to the reading of the path, encoded as in the keys of maps, and reject what cannot be read. */
export const pathRules: readonly string[] = [
  // HTTP/1.1 requests with such bytes are rejected by HAProxy itself, except for DEL; those of HTTP/2 are not.
  `${UNREADABLE} if { url -m reg ${quote(String.raw`[^!"$-~]`)} }`,
  // `OPTIONS *` has no path.
  "http-request set-var(txn.path) path,url_dec",
  `${UNREADABLE} unless { var(txn.path) -m found }`,
  `${UNREADABLE} if { path -m sub -i %00 %0a %0d }`,
  `http-request set-var(txn.path) ${quote('var(txn.path),regsub("//+","/",g)')}`,
  `${UNREADABLE} if { var(txn.path) -m reg ${quote(String.raw`(^|/)\.\.?(/|$)`)} }`,
  `http-request set-var(txn.path) ${quote(`var(txn.path),bytes(0,${LOOKED_UP_BYTES}),url_enc`)}`,
];
