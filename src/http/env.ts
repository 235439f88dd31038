import type { Role } from "../../packages/model/src/roles.ts";
import type { Session } from "../db/session.ts";
import type { MatchedRoute } from "./route.ts";

/** The Worker's bindings, variables and secrets: see `wrangler.toml`. */
export interface Bindings {
  DB: D1Database;
  /** The files in `dist/assets`, built by `scripts/build.ts`. */
  ASSETS: Fetcher;
  /** The operator's key, set with `wrangler secret put ROOT_API_KEY`. Without it, every request that needs a key gets 503. */
  ROOT_API_KEY?: string;
  /**
   * The keys that seal secrets at rest: comma-separated `id:base64` pairs of 32 bytes; the first key seals, all of them
   * open. Without it, writes with secrets are rejected.
   */
  SEALING_KEYS?: string;
  /**
   * The OpenID Connect provider that people sign in with: its issuer, the id of this client and, a secret, its password.
   * Without one of them, people cannot sign in with it.
   */
  OIDC_ISSUER?: string;
  OIDC_CLIENT_ID?: string;
  OIDC_CLIENT_SECRET?: string;
  /** The claim with a person's groups; `groups` when unset or empty. */
  OIDC_GROUPS_CLAIM?: string;
  /** The scopes that are requested; `openid email profile` when unset or empty. */
  OIDC_SCOPE?: string;
  /** JSON: which role people get, by their groups or email addresses: `[{"group": "platform", "role": "admin"}]`. */
  PEOPLE_ROLES?: string;
  /** How many days after the last sign-in a person's own keys work: 30 when unset or empty. */
  PERSONAL_KEY_DAYS?: string;
  /** Sign-ins per client address; off when the binding is absent. */
  LOGIN_LIMIT?: RateLimit;
  LOGIN_LIMIT_POLICY?: string;
  /** Requests per key; off when the binding is absent. */
  KEY_LIMIT?: RateLimit;
  /** Failed authentications per client address; off when the binding is absent. */
  FAILED_AUTHENTICATION_LIMIT?: RateLimit;
  /** The two limits as clients that exceed them see them: `RateLimit-Policy` (draft-ietf-httpapi-ratelimit-headers). */
  KEY_LIMIT_POLICY?: string;
  FAILED_AUTHENTICATION_LIMIT_POLICY?: string;
  /** `Strict-Transport-Security` (RFC 6797 §6.1) of responses over HTTPS; `max-age=31536000` when unset or empty. */
  HSTS?: string;
  /** Origin for every URI in responses; the request's own when unset or empty. */
  BASE_URL?: string;
  /** The `account_id` in events, to distinguish installations; `ac_default` when unset or empty. */
  ACCOUNT_ID?: string;
  /** How many days events are kept: 30 when unset or empty. */
  EVENT_RETENTION_DAYS?: string;
  /** JSON: origins that replace a target's own, by its field: `{"webhook": "http://127.0.0.1:4000"}`. */
  TARGET_ENDPOINTS?: string;
  /** Comma-separated hosts that targets can name in addition to public hosts and those of the vendors. */
  ALLOWED_TARGET_HOSTS?: string;
  /** URL of a DNS-over-HTTPS resolver; with it, no host with a private address is called. */
  RESOLVER?: string;
  /** `off` ignores the restriction of the API by address, so that somebody who is locked out can change it. */
  API_RESTRICTION?: string;
  /** Comma-separated origins whose pages can send requests to `/mcp`, in addition to the service's own. */
  MCP_ORIGINS?: string;
  /** The service's own cloud key, a secret: without it, no roles are assumed. */
  CLOUD_ACCESS_KEY_ID?: string;
  CLOUD_SECRET_ACCESS_KEY?: string;
  /** The external id with which roles are assumed. */
  CLOUD_EXTERNAL_ID?: string;
}

/** The state of a request while it is handled. */
export interface RequestState {
  readonly operationId: string;
  readonly url: string;
  /** `scheme://host[:port]`, the start of every URI in the response. */
  readonly origin: string;
  /** The address that the request comes from, which the platform sets; "" if it is unknown. Parts of a request have its address. */
  readonly address: string;
  /** The database, as this request sees it. */
  readonly session: Session;
  /** The route that matches, if one does. */
  route: MatchedRoute | undefined;
  /** The authenticated caller; set by the gate, so not for public operations and not before it. */
  caller: Caller | undefined;
  /** The caller whose address the restriction of the API has rejected. */
  rejected?: Caller;
  /** The tool that a request to `/mcp` calls. */
  tool?: string;
  /** Its parsed body without nulls, before validation. */
  sent?: object;
  /** For an operation of a transaction, a plan or a tool: its parsed body; undefined if it has none. */
  readonly part?: { readonly body: unknown };
}

export interface App {
  Bindings: Bindings;
  /** A single variable, as each one costs time on every request. */
  Variables: { request: RequestState };
}

declare global {
  namespace Cloudflare {
    interface Env extends Bindings {}
  }
}

/** The authenticated sender of a request. */
export interface Caller {
  /** The key's id, `root` for the operator's key, which has no row, or the person's id for a session of a person. */
  keyId: string;
  role: Role;
  /** A human-readable name: the name of its bot, the email address of the person, otherwise the description of its key. */
  subject: string;
  /** The bot user or the person that owns the key; null for the root key and for a key without an owner. */
  ownerId: string | null;
  /** When the key expires, RFC 3339; null for never, and for a session of a person. */
  expiresAt: string | null;
  /** The session whose cookie authenticated the request; null for a request with a key. */
  session: { id: string; expiresAt: string } | null;
  /** When this expires, in milliseconds since the Unix epoch: after that, the key must be looked up again. */
  knownUntil: number;
  /** How many keys had been revoked on this isolate by then. */
  revocations: number;
  /** False if the restriction of the API rejects the caller's address. */
  isLetIn: boolean;
}

/** The `keyId` of the operator's key. */
export const ROOT = "root";
