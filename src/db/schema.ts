import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type {
  StoredBackendModule,
  StoredIpRestriction,
  StoredMutualTls,
  StoredTlsTermination,
  StoredTrafficPolicy,
  StoredCircuitBreaker,
  StoredPrincipal,
  StoredHeaders,
  StoredSwitch,
  StoredUserAgentFilter,
  StoredWebhookVerification,
  StoredExternalAccount,
  StoredUpstreamTls,
  StoredKeyUsage,
  StoredTarget,
} from "./column_types.ts";
import { identity, json, metadataIndex, texts, version } from "./common_columns.ts";

/*
 * The tables of objects of the API. `access_schema.ts` has those that decide who may call it; `internal_schema.ts` has all tables
 * without objects. The SQL in drizzle/ is authoritative: it also has what Drizzle cannot express (STRICT, WITHOUT ROWID, checks and
 * triggers), and test/schema.test.ts compares the two. Columns have the names of the API's fields, so validated input is (part of) a
 * row. NULL means "not set". A module is one JSON column in its request shape. Every change that responses show increments
 * `version`: with the database's epoch, it is the ETag.
 */

const edge = {
  ...identity,
  ...texts,
  hostports: json().$type<string[]>(),
  backend: json().$type<StoredBackendModule>(),
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
 * HTTPS edges. A row without `created_at` is not an object: it has the modules of an edge that is managed elsewhere, and is
 * inserted when the first one is set.
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
    /** Bytes of its routes in responses without Refs, and the number of Refs: see `https_route_statements.ts`. */
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

/** Routes of HTTPS edges. As in {@link httpsEdges}, a row without `created_at` is not an object. */
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
    backend: json().$type<StoredBackendModule>(),
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
    // Finds the secrets to be resealed.
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

/** All columns except the description and metadata come from the certificate, so it is only parsed once. */
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

/** Accounts at authorities that issue certificates with ACME. The service makes each one's key, so a row always has one. */
export const certificateIssuers = sqliteTable(
  "certificate_issuers",
  {
    ...identity,
    ...texts,
    directory_url: text().notNull(),
    contact: json().$type<string[]>(),
    terms_of_service_agreed: integer({ mode: "boolean" }).notNull(),
    /** Patterns: see `issuerFor`. */
    hosts: json().$type<string[]>().notNull(),
    /** Names of the agents that may ask; `*` for all. */
    agents: json().$type<string[]>().notNull(),
    external_account: json().$type<StoredExternalAccount>(),
    /** The account's private key: a JWK of P-256, sealed. */
    account_key: text().notNull(),
    /** Of the account's key (RFC 7638), in base64url. */
    thumbprint: text().notNull(),
    /** NULL until the account is registered, as `caa_identities`. */
    account_uri: text(),
    /** The names by which CAA records refer to the authority (RFC 8659), from its directory. */
    caa_identities: json().$type<string[]>(),
    /** Why the account could not be registered, or was rejected, at the last attempt. */
    last_error: text(),
    version,
  },
  (table) => [metadataIndex("certificate_issuers", table.metadata)],
);

/** Plans, with what lists show first: the rest can be long. */
export const plans = sqliteTable(
  "plans",
  {
    ...identity,
    version,
    description: text(),
    state: text({ enum: ["open", "applied", "withdrawn"] }).notNull(),
    /** RFC 3339, UTC. */
    expires_at: text().notNull(),
    created_by: json().$type<StoredPrincipal>().notNull(),
    /** Id in `created_by`, by which a maker's plans are found. */
    maker: text().notNull(),
    applied_by: json().$type<StoredPrincipal>(),
    /** The request that applied it. */
    operation_id: text(),
    /** When it is deleted, in milliseconds since the Unix epoch. */
    deleted_at: integer().notNull(),
    /** JSON, without secrets. */
    operations: text().notNull(),
    /** The operations with their secrets, sealed; null if they have none. */
    sealed: text(),
    effect: text().notNull(),
    reads: text().notNull(),
    /** The response of the request that applied it, without what is shown only once. */
    response: text(),
  },
  (table) => [
    index("plans_deleted_at").on(table.deleted_at),
    index("plans_maker").on(table.maker, table.state),
    // Finds the secrets to be resealed.
    index("plans_sealed")
      .on(table.id)
      .where(sql`sealed is not null`),
    index("plans_state").on(table.state, table.id),
  ],
);
