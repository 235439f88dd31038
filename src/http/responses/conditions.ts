import type { Context } from "hono";
import type { App } from "../../env.ts";
import { preconditionFailed } from "../errors/errors.ts";
import { respond } from "./respond.ts";

/*
 * Conditional requests (RFC 9110 §13). An object's ETag is, in quotes, the epoch of the database and the object's version;
 * a module has the ETag of its edge or route. The epoch is read in the same statement or batch as the version that is
 * compared, so that no ETag from before a restore matches, even if its version has been used again.
 * The service itself sends strong ETags only. A weak one comes from a proxy that compresses responses: it stands for the
 * same version and counts as equal, in If-Match too.
 */

/** The ETag of a version that the request's session read or wrote last. */
export const etagOf = (c: Context<App>, version: number): string =>
  `"${c.get("request").session.epoch}-${version}"`;

/** One ETag (RFC 9110 §8.8.3). */
const TAG = /(?:W\/)?"([^"]*)"/g;

/** A list whose ETags are written as `~`: with commas between, and perhaps empty elements (RFC 9110 §5.6.1.2). */
const LIST = /^[\s,]*(?:~\s*(?:,[\s,]*|$))*$/;

/**
 * The opaque tags in an If-Match or If-None-Match; "any" for `*`, undefined if the header is absent. A malformed list has
 * none.
 */
export function tagsOf(header: string | undefined): string[] | "any" | undefined {
  if (header === undefined) return undefined;
  if (header.trim() === "*") return "any";
  return !header.replace(TAG, "").includes("~") && LIST.test(header.replace(TAG, "~"))
    ? Array.from(header.matchAll(TAG), ([, tag = ""]) => tag)
    : [];
}

/** True if a header's tags include `etag`; `*` matches anything that exists. */
const names = (tags: string[] | "any", etag: string): boolean =>
  tags === "any" || tags.includes(etag.slice(1, -1));

/** True if If-None-Match matches: the client already has this representation. */
export function isKnown(c: Context<App>, etag: string): boolean {
  const tags = tagsOf(c.req.header("If-None-Match"));
  return tags !== undefined && names(tags, etag);
}

/**
 * Responds to a GET with a representation and its ETag: 304 if the client has it. @throws 412 if If-Match does not match
 */
export const show = (c: Context<App>, version: number, body: object): Response =>
  showTagged(c, etagOf(c, version), () => JSON.stringify(body));

/** {@link show} with an ETag that is not that of an object. */
export function showTagged(c: Context<App>, etag: string, json: () => string): Response {
  const wanted = tagsOf(c.req.header("If-Match"));
  if (wanted && !names(wanted, etag)) throw preconditionFailed();
  const headers = { ETag: etag };
  return isKnown(c, etag) ? respond(c, 304, null, headers) : respond(c, 200, json(), headers);
}
