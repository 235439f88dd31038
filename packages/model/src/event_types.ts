import { kinds } from "./kinds.ts";

/*
 * Event types. A type is `{kind}_{verb}.v{n}`; fields can be added to its events within a version.
 */

/** How objects change. */
export const verbs = ["created", "updated", "deleted"] as const;

/** What happened to an object. Only plans are applied, only sign-ins and callers are refused, and only certificates are issued or ending. */
export type Verb = (typeof verbs)[number] | "applied" | "refused" | "ending" | "issued";

/** Kinds of objects that a subscription may name as a source, although this service has none of them. */
const elsewhere = [
  "domain",
  "ip_restriction",
  "secret",
  "ssh_certificate_authority",
  "ssh_host_certificate",
  "ssh_public_key",
  "ssh_user_certificate",
  "tcp_address",
  "tls_certificate",
  "tunnel_credential",
  "vault",
];

/** Types of events of traffic and of agents, neither of which passes through this service. */
const others = [
  "agent_session_start.v0",
  "agent_session_stop.v0",
  "http_request_complete.v0",
  "tcp_connection_closed.v0",
];

/** Types of events of plans, which are made and applied. */
const ofPlans = ["plan_created.v0", "plan_applied.v0"];

/** Types of events of people: nobody creates a user, and a session never changes. */
const ofPeople = [
  "session_created.v0",
  "session_deleted.v0",
  "sign_in_refused.v0",
  "user_deleted.v0",
  "user_updated.v0",
];

/** Kinds of objects that only emit the events listed above, or none. */
const NOT_AS_OTHERS = new Set(["event", "plan", "user", "session", "sign_in", "certificate"]);

/** A type that an event subscription may have as a source. */
interface EventType {
  type: string;
  /** False for a type that is accepted, although this service emits no such events. */
  emitted: boolean;
}

const changesOf = (kind: string): string[] => verbs.map((verb) => `${kind}_${verb}.v0`);

/** Every other kind of object emits an event for each change. */
const own = Object.keys(kinds).filter((kind) => !NOT_AS_OTHERS.has(kind));

/** Every event type, in alphabetical order. */
export const eventTypes: EventType[] = [
  ...[
    ...own.flatMap(changesOf),
    ...ofPlans,
    ...ofPeople,
    "api_restriction_refused.v0",
    "certificate_ending.v0",
    "certificate_issued.v0",
  ].map((type) => ({ type, emitted: true })),
  ...[...elsewhere.flatMap(changesOf), ...others].map((type) => ({ type, emitted: false })),
].toSorted((a, b) => (a.type < b.type ? -1 : 1));

/** Event types that only admins may read and subscribe to, as GLOB patterns for SQLite: only admins may see API keys and people. */
export const ADMIN_TYPES = ["api_key_*", "api_restriction_*", "session_*", "sign_in_*", "user_*"] as const;

/** True for a type of event that only admins may subscribe to. */
export const needsAdmin = (type: string): boolean =>
  ADMIN_TYPES.some((pattern) => type.startsWith(pattern.slice(0, -1)));
