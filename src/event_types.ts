/*
 * The one table of event types. A type is `{kind}_{verb}.v{n}`; fields can be added to its events within a version.
 */

const verbs = ["created", "updated", "deleted"] as const;

/** What happened to an object. Only plans are applied, and only sign-ins are refused. */
export type Verb = (typeof verbs)[number] | "applied" | "refused";

/** Kinds of objects with an event for each change, and whether this service has such objects: no others emit events. */
const changes: Record<string, boolean> = {
  api_key: true,
  bot_user: true,
  certificate_authority: true,
  domain: false,
  event_destination: true,
  event_subscription: true,
  failover_backend: true,
  http_response_backend: true,
  https_edge: true,
  https_edge_route: true,
  ip_policy: true,
  ip_policy_rule: true,
  ip_restriction: false,
  secret: false,
  ssh_certificate_authority: false,
  ssh_host_certificate: false,
  ssh_public_key: false,
  ssh_user_certificate: false,
  static_backend: true,
  tcp_address: false,
  tcp_edge: true,
  tls_certificate: false,
  tls_edge: true,
  tunnel_credential: false,
  vault: false,
  weighted_backend: true,
};

/** Types of other events: of plans; of people and their sessions; of traffic and of agents, neither of which passes through this service. */
const others: Record<string, boolean> = {
  "plan_applied.v0": true,
  "plan_created.v0": true,
  "session_created.v0": true,
  "session_deleted.v0": true,
  "sign_in_refused.v0": true,
  "user_deleted.v0": true,
  "user_updated.v0": true,
  "agent_session_start.v0": false,
  "agent_session_stop.v0": false,
  "http_request_complete.v0": false,
  "tcp_connection_closed.v0": false,
};

/** A type that an event subscription may have as a source. */
interface EventType {
  type: string;
  /** False for a type that is accepted, although this service emits no such events. */
  emitted: boolean;
}

/** Every event type, in alphabetical order. */
export const eventTypes: EventType[] = [
  ...Object.entries(changes).flatMap(([kind, emitted]) =>
    verbs.map((verb) => ({ type: `${kind}_${verb}.v0`, emitted })),
  ),
  ...Object.entries(others).map(([type, emitted]) => ({ type, emitted })),
].toSorted((a, b) => (a.type < b.type ? -1 : 1));

/** Event types that only admins may read and subscribe to, as GLOB patterns for SQLite: only admins may see API keys and people. */
export const ADMIN_TYPES = ["api_key_*", "session_*", "sign_in_*", "user_*"] as const;

/** True for a type of event that only admins may subscribe to. */
export const needsAdmin = (type: string): boolean =>
  ADMIN_TYPES.some((pattern) => type.startsWith(pattern.slice(0, -1)));
