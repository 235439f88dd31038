import { sql } from "drizzle-orm";
import {
  blob,
  index,
  integer,
  primaryKey,
  type SQLiteColumn,
  sqliteTable,
  text,
} from "drizzle-orm/sqlite-core";
import type {
  StoredBackend,
  StoredIpRestriction,
  StoredMutualTls,
  StoredTlsTermination,
  StoredTrafficPolicy,
  StoredCircuitBreaker,
  StoredHeaders,
  StoredSwitch,
  StoredUserAgentFilter,
  StoredWebhookVerification,
  StoredUpstreamTls,
  StoredKeyUsage,
  StoredTarget,
  StoredPrincipal,
  LastError,
  StoredSendError,
  StoredProblem,
} from "./stored.ts";

/*
 * All tables. The SQL in drizzle/ is authoritative: it also has what Drizzle cannot express (STRICT, WITHOUT ROWID, checks
 * and triggers), and test/schema.test.ts compares the two. Columns have the names of the API's members, so validated input
 * is (part of) a row. NULL means "not set". A module is one JSON column in its request shape. Every change to what
 * responses show increments `version`: with the database's epoch, it is the ETag.
 */

const identity = { id: text().primaryKey(), created_at: text().notNull() };
/** Last, because it was added to existing tables. */
const version = integer().notNull().default(1);
const texts = { description: text(), metadata: text() };
const json = () => text({ mode: "json" });

/** Which rows an index on `metadata` has. Backends can have longer metadata, which no list can be filtered by. */
export const SHORT_METADATA = "octet_length(metadata) <= 4096";

/** Finds rows by their metadata. */
const metadataIndex = (name: string, ...columns: [SQLiteColumn, ...SQLiteColumn[]]) =>
  index(`${name}_metadata`)
    .on(...columns)
    .where(sql.raw(SHORT_METADATA));

const edge = {
  ...identity,
  ...texts,
  hostports: json().$type<string[]>(),
  backend: json().$type<StoredBackend>(),
  ip_restriction: json().$type<StoredIpRestriction>(),
  traffic_policy: json().$type<StoredTrafficPolicy>(),
};

export const tcpEdges = sqliteTable("tcp_edges", { ...edge, version }, (table) => [
  metadataIndex("tcp_edges", table.metadata),
]);

export const tlsEdges = sqliteTable(
  "tls_edges",
  {
    ...edge,
    mutual_tls: json().$type<StoredMutualTls>(),
    tls_termination: json().$type<StoredTlsTermination>(),
    version,
  },
  (table) => [metadataIndex("tls_edges", table.metadata)],
);

/**
 * HTTPS edges. A row without `created_at` is no object: it has the modules of an edge that is managed elsewhere, and exists
 * once one has been set.
 */
export const httpsEdges = sqliteTable(
  "https_edges",
  {
    id: text().primaryKey(),
    mutual_tls: json().$type<StoredMutualTls>(),
    version,
    created_at: text(),
    ...texts,
    hostports: json().$type<string[]>(),
    tls_termination: json().$type<StoredTlsTermination>(),
    /** Bytes of its routes in responses, but for Refs, and the number of these: see `https_route_statements.ts`. */
    routes_bytes: integer().notNull().default(0),
    routes_refs: integer().notNull().default(0),
  },
  (table) => [
    metadataIndex("https_edges", table.metadata),
    index("https_edges_objects")
      .on(table.id)
      .where(sql`created_at is not null`),
  ],
);

/** Routes of HTTPS edges. A row without `created_at` is no object, as with {@link httpsEdges}. */
export const httpsEdgeRoutes = sqliteTable(
  "https_edge_routes",
  {
    edge_id: text().notNull(),
    id: text().notNull(),
    circuit_breaker: json().$type<StoredCircuitBreaker>(),
    request_headers: json().$type<StoredHeaders>(),
    websocket_tcp_converter: json().$type<StoredSwitch>(),
    version,
    ...texts,
    match_type: text({ enum: ["exact_path", "path_prefix"] }),
    match: text(),
    backend: json().$type<StoredBackend>(),
    ip_restriction: json().$type<StoredIpRestriction>(),
    traffic_policy: json().$type<StoredTrafficPolicy>(),
    response_headers: json().$type<StoredHeaders>(),
    compression: json().$type<StoredSwitch>(),
    user_agent_filter: json().$type<StoredUserAgentFilter>(),
    webhook_verification: json().$type<StoredWebhookVerification>(),
    created_at: text(),
  },
  (table) => [
    primaryKey({ columns: [table.edge_id, table.id] }),
    metadataIndex("https_edge_routes", table.edge_id, table.metadata),
    // Finds the secrets to be sealed again.
    index("https_edge_routes_webhooks")
      .on(table.edge_id, table.id)
      .where(sql`webhook_verification is not null`),
  ],
);

export const ipPolicies = sqliteTable("ip_policies", { ...identity, ...texts, version }, (table) => [
  metadataIndex("ip_policies", table.metadata),
]);

export const ipPolicyRules = sqliteTable(
  "ip_policy_rules",
  {
    ...identity,
    ...texts,
    cidr: text().notNull(),
    ip_policy_id: text().notNull(),
    action: text({ enum: ["allow", "deny"] }).notNull(),
    version,
    /** RFC 3339, UTC: when the rule ends. */
    expires_at: text(),
  },
  (table) => [
    // Finds the rules for a network that have not ended: `never` sorts after every instant. It does not begin with the policy, so
    // that SQLite does not take it to list the rules of one.
    index("ip_policy_rules_matches").on(
      table.cidr,
      table.ip_policy_id,
      table.action,
      sql`ifnull(expires_at, 'never')`,
    ),
    index("ip_policy_rules_expires_at")
      .on(table.expires_at)
      .where(sql`expires_at is not null`),
    metadataIndex("ip_policy_rules", table.metadata),
    index("ip_policy_rules_ip_policy_id").on(table.ip_policy_id),
  ],
);

/*
 * Backends are looked up a thousand at a time, as children, and their rows may be large: to find a primary key, SQLite
 * reads whole rows with their overflow pages. An index on the id alone avoids that, for a row written per object.
 */

export const failoverBackends = sqliteTable(
  "failover_backends",
  {
    ...identity,
    ...texts,
    backends: json().$type<string[]>(),
    version,
  },
  (table) => [
    metadataIndex("failover_backends", table.metadata),
    index("failover_backends_ids").on(table.id),
  ],
);

export const httpResponseBackends = sqliteTable(
  "http_response_backends",
  {
    ...identity,
    ...texts,
    body: text(),
    headers: json().$type<Record<string, string>>(),
    status_code: integer().notNull(),
    version,
  },
  (table) => [
    metadataIndex("http_response_backends", table.metadata),
    index("http_response_backends_ids").on(table.id),
  ],
);

export const weightedBackends = sqliteTable(
  "weighted_backends",
  {
    ...identity,
    ...texts,
    /** Weights by id. */
    backends: json().$type<Record<string, number>>(),
    version,
  },
  (table) => [
    metadataIndex("weighted_backends", table.metadata),
    index("weighted_backends_ids").on(table.id),
  ],
);

export const staticBackends = sqliteTable(
  "static_backends",
  {
    ...identity,
    ...texts,
    address: text().notNull(),
    tls: json().$type<StoredUpstreamTls>().notNull(),
    version,
  },
  (table) => [metadataIndex("static_backends", table.metadata), index("static_backends_ids").on(table.id)],
);

export const botUsers = sqliteTable("bot_users", {
  ...identity,
  name: text().notNull(),
  active: integer({ mode: "boolean" }).notNull(),
  version,
});

/** With an index of ids, as for backends: {@link eventSubscriptions} refer to many, whose targets may be long. */
export const eventDestinations = sqliteTable(
  "event_destinations",
  {
    ...identity,
    ...texts,
    format: text({ enum: ["json"] }).notNull(),
    target: json().$type<StoredTarget>().notNull(),
    version,
  },
  (table) => [
    metadataIndex("event_destinations", table.metadata),
    index("event_destinations_ids").on(table.id),
  ],
);

export const eventSubscriptions = sqliteTable(
  "event_subscriptions",
  {
    ...identity,
    ...texts,
    /** Event types, each once. */
    sources: json().$type<string[]>(),
    destination_ids: json().$type<string[]>(),
    version,
    /** For each source and each destination, the `seq` of the event that added it: only later events are sent for it. */
    since: json().$type<Record<string, number>>(),
  },
  (table) => [metadataIndex("event_subscriptions", table.metadata)],
);

/** All but the texts comes from the certificate, so that reading it once is enough. */
export const certificateAuthorities = sqliteTable(
  "certificate_authorities",
  {
    ...identity,
    ...texts,
    ca_pem: text().notNull(),
    subject_common_name: text(),
    /** RFC 3339, UTC. */
    not_before: text().notNull(),
    /** RFC 3339, UTC. */
    not_after: text().notNull(),
    key_usages: json().$type<StoredKeyUsage[]>().notNull(),
    extended_key_usages: json().$type<string[]>().notNull(),
    version,
  },
  (table) => [metadataIndex("certificate_authorities", table.metadata)],
);

/** Which object refers to which: see `src/db/uses.ts`. */
export const uses = sqliteTable(
  "uses",
  {
    /** Id of the object referred to, which may not exist any more; or a hostport of an edge, in lower case. */
    target: text().notNull(),
    /** Id of the object that refers to it. */
    user: text().notNull(),
    /** The edge of a route; "" for every other user. */
    edge_id: text().notNull().default(""),
    /** 1 where the user is an object and others with such ids are not: an index has these alone. Null elsewhere. */
    listed: integer(),
  },
  (table) => [
    primaryKey({ columns: [table.target, table.user, table.edge_id] }),
    index("uses_listed")
      .on(table.target, table.user)
      .where(sql`listed is not null`),
  ],
);

/** API keys. Of the token, only its SHA-256 is stored, in hexadecimal. */
export const apiKeys = sqliteTable(
  "api_keys",
  {
    ...identity,
    ...texts,
    owner_id: text(),
    role: text({ enum: ["viewer", "editor", "admin", "agent"] }).notNull(),
    /** RFC 3339, UTC. */
    expires_at: text(),
    /** RFC 3339, UTC; at most ten minutes behind. */
    last_used_at: text(),
    token_sha256: text().notNull(),
    version,
  },
  (table) => [
    metadataIndex("api_keys", table.metadata),
    index("api_keys_owner_id")
      .on(table.owner_id)
      .where(sql`owner_id is not null`),
  ],
);

/**
 * The log of changes: see `src/db/events.ts`. With a rowid, unlike all other tables: `seq` is given in the order of commits.
 * The newest row is never deleted, so that no `seq` is given twice.
 */
export const events = sqliteTable(
  "events",
  {
    seq: integer().primaryKey(),
    type: text().notNull(),
    object_id: text().notNull(),
    /** Milliseconds since the Unix epoch; never before that of an earlier event. */
    at: integer().notNull(),
    /** The random part of the event's id. */
    salt: blob({ mode: "buffer" }).notNull(),
    operation_id: text().notNull(),
    principal: json().$type<StoredPrincipal>().notNull(),
    origin: text().notNull(),
    /** The row without secrets, after the change or before the deletion. Last, so that others are read without it. */
    object: text().notNull(),
  },
  (table) => [index("events_object").on(table.object_id)],
);

/** How far each event destination has got in the log: see `src/db/cursors.ts`. */
export const cursors = sqliteTable("cursors", {
  destination_id: text().primaryKey(),
  /** `seq` of the last event that was dealt with. */
  position: integer().notNull(),
  /** `seq` of earlier events that are to be sent again. */
  holes: json().$type<number[]>(),
  /** Names the run that delivers now. */
  lease: text(),
  /** Milliseconds since the Unix epoch, as all times here. */
  leased_until: integer().notNull().default(0),
  next_attempt_at: integer().notNull().default(0),
  /** Failures since the last success. */
  failures: integer().notNull().default(0),
  failing_since: integer(),
  /** True after 72 hours of failures, until somebody resumes it. */
  suspended: integer({ mode: "boolean" }).notNull().default(false),
  delivered: integer().notNull().default(0),
  /** Events that were swept before they could be delivered. */
  lost: integer().notNull().default(0),
  last_attempt_at: integer(),
  last_delivered_at: integer(),
  last_error: json().$type<LastError>(),
});

/** Events that a destination refused for what they are. */
export const deadLetters = sqliteTable(
  "dead_letters",
  {
    destination_id: text().notNull(),
    seq: integer().notNull(),
    error: json().$type<StoredSendError>().notNull(),
    /** Milliseconds since the Unix epoch. */
    at: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.destination_id, table.seq] })],
);

/** What serves traffic, as it reported last: see `src/resources/agents.ts`. No objects: their changes are not recorded. */
export const agents = sqliteTable("agents", {
  name: text().primaryKey(),
  /** Id of the API key that owns the name. */
  key_id: text().notNull(),
  /** Milliseconds since the Unix epoch. */
  last_seen: integer().notNull(),
  /** Of the snapshot that it serves; NULL while there is none. */
  applied_version: integer(),
  ok: integer({ mode: "boolean" }).notNull(),
  error: text(),
  problems: json().$type<StoredProblem[]>().notNull(),
  proxy: text(),
});

/**
 * Creations with an `Idempotency-Key`, so that a repeated request can be answered. The key itself is not stored. It
 * salts both digests, so that nothing can be guessed from them if it is random. Swept by day, which comes first in the
 * primary key so that this needs no index.
 */
export const idempotencyRecords = sqliteTable(
  "idempotency_records",
  {
    /** Whole days since the Unix epoch. */
    day: integer().notNull(),
    /** Of the API key's id and the Idempotency-Key. */
    key_sha256: text().notNull(),
    /** Of the operation and the canonical body. */
    request_sha256: text().notNull(),
    /** Milliseconds since the Unix epoch. */
    created_at: integer().notNull(),
    /** The attempt that wrote it. */
    attempt: text().notNull(),
    object_id: text().notNull(),
    /** The response body, without what is shown only once. */
    response: text().notNull(),
    /** The version in the response's ETag. */
    version: integer().notNull().default(1),
  },
  (table) => [primaryKey({ columns: [table.day, table.key_sha256] })],
);

/** One row, changed by `npm run restored`: see `src/db/session.ts`. */
export const databaseEpoch = sqliteTable("database_epoch", {
  /** Always 1. */
  only: integer().primaryKey(),
  /** 8 hexadecimal digits, lower-case. */
  epoch: text().notNull(),
});
