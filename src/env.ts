import type { Session } from "./db/database.ts";
import type { Caller } from "./http/auth/caller.ts";
import type { MemberError } from "./http/errors/members.ts";

/** What the platform gives the Worker: bindings, variables and secrets of `wrangler.toml`. */
export interface Bindings {
  DB: D1Database;
  /** The files of `dist/assets`, that `scripts/build.ts` puts there. */
  ASSETS: Fetcher;
  /** The operator's key, set with `wrangler secret put ROOT_API_KEY`. Without it no keyed path is served. */
  ROOT_API_KEY?: string;
  /**
   * The keys that seal secrets at rest: `id:base64` pairs of 32 bytes with commas between; the first seals, all open.
   * Without it, writes that carry secrets are refused.
   */
  SEALING_KEYS?: string;
  /** Requests per key; off when the binding is absent. */
  KEY_LIMIT?: RateLimit;
  /** Failed authentications per client address; off when the binding is absent. */
  FAILED_AUTHENTICATION_LIMIT?: RateLimit;
  /** What the two limits are, for those who run into them: `RateLimit-Policy` (draft-ietf-httpapi-ratelimit-headers). */
  KEY_LIMIT_POLICY?: string;
  FAILED_AUTHENTICATION_LIMIT_POLICY?: string;
  /** `Strict-Transport-Security` (RFC 6797 §6.1) of responses over HTTPS; `max-age=31536000` when unset or empty. */
  HSTS?: string;
  /** Origin for every URI in responses; the request's own when unset or empty. */
  BASE_URL?: string;
}

/** What is known of a request while it is handled. */
export interface RequestState {
  readonly operationId: string;
  readonly url: string;
  /** `scheme://host[:port]` that URIs in the response start with. */
  readonly origin: string;
  /** The database, as this request sees it. */
  readonly session: Session;
  /** Who sends the request; set by the gate, so not for public operations and not before it. */
  caller: Caller | undefined;
  /** What was found wrong in its headers and its query, to be told with what is wrong in its body. */
  readonly wrong: MemberError[];
}

export interface App {
  Bindings: Bindings;
  /** One variable: each costs a request its part. */
  Variables: { request: RequestState };
}

declare global {
  namespace Cloudflare {
    interface Env extends Bindings {}
  }
}
