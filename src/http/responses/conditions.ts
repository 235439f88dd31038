import type { Context } from "hono";
import type { App } from "../../env.ts";
import { preconditionFailed } from "../errors/errors.ts";
import { respond } from "./respond.ts";

/*
 * Conditional requests (RFC 9110 §13). An object's ETag is, in quotes, the epoch of the database and the object's version; a
 * module's is that of its edge or route. The epoch is read in one statement or batch with the version that is judged, so that
 * no ETag of before a restore passes, even if its version was given out twice.
 * The service itself gives out strong ETags only. A weak one is what a proxy that compresses made of it: it names the same
 * version, so it is taken for it, in If-Match too.
 */

/** The ETag of a version that the request's session read or wrote last. */
export const etagOf = (c: Context<App>, version: number): string =>
  `"${c.get("request").session.epoch}-${version}"`;

/** One ETag (RFC 9110 §8.8.3). */
const TAG = /(?:W\/)?"([^"]*)"/g;

/** A list whose ETags are written as `~`: with commas between, and perhaps empty elements (RFC 9110 §5.6.1.2). */
const LIST = /^[\s,]*(?:~\s*(?:,[\s,]*|$))*$/;

/**
 * The opaque tags in an If-Match or If-None-Match; "any" for `*`, undefined for a header that is not there. What is no list
 * of ETags names none.
 */
export function tagsOf(header: string | undefined): string[] | "any" | undefined {
  if (header === undefined) return undefined;
  if (header.trim() === "*") return "any";
  return !header.replace(TAG, "").includes("~") && LIST.test(header.replace(TAG, "~"))
    ? Array.from(header.matchAll(TAG), ([, tag = ""]) => tag)
    : [];
}

/** True when a header's tags name `etag`; `*` names whatever is set. */
const names = (tags: string[] | "any", etag: string): boolean =>
  tags === "any" || tags.includes(etag.slice(1, -1));

/** True when the caller has this state already: its If-None-Match names it. */
export function isKnown(c: Context<App>, etag: string): boolean {
  const tags = tagsOf(c.req.header("If-None-Match"));
  return tags !== undefined && names(tags, etag);
}

/** A representation with its ETag, for GET: 304 when the caller has it. @throws 412 when If-Match asks for another state */
export function show(c: Context<App>, version: number, body: object): Response {
  const etag = etagOf(c, version);
  const wanted = tagsOf(c.req.header("If-Match"));
  if (wanted && !names(wanted, etag)) throw preconditionFailed();
  const headers = { ETag: etag };
  return isKnown(c, etag) ? respond(c, 304, null, headers) : respond(c, 200, JSON.stringify(body), headers);
}
