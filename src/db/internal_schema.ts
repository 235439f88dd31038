import { sql } from "drizzle-orm";
import { blob, index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { ReportedServer } from "../../packages/model/src/traffic/counts.ts";
import type { Coverage } from "../../packages/model/src/traffic/coverage.ts";
import { requestStates } from "../../packages/model/src/traffic/issuing.ts";
import type { ServedCertificate } from "../../packages/model/src/traffic/served_certificates.ts";
import type {
  LastError,
  StoredPrincipal,
  StoredProblem,
  StoredRenewalInfo,
  StoredSendError,
  StoredTraffic,
} from "./column_types.ts";
import { json } from "./common_columns.ts";

/*
 * Tables whose rows are not objects of the API: references, the log of events and its readers, agents, records of requests.
 */

/** Which object refers to which: see `src/db/uses.ts`. */
export const uses = sqliteTable(
  "uses",
  {
    /** Id of the object referred to, which may no longer exist; or a hostport of an edge, in lower case; or a port, as `:443`. */
    target: text().notNull(),
    /** Id of the object that refers to it. */
    user: text().notNull(),
    /** The edge of a route; "" for every other user. */
    edge_id: text().notNull().default(""),
    /** 1 if the user is an object and other users with such ids may not be: only these are indexed. Otherwise null. */
    listed: integer(),
  },
  (table) => [
    primaryKey({ columns: [table.target, table.user, table.edge_id] }),
    index("uses_listed")
      .on(table.target, table.user)
      .where(sql`listed is not null`),
  ],
);

/**
 * The log of changes: see `src/db/event_writes.ts`. With a rowid, unlike all other tables: `seq` is given in the order of commits.
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

/** How far each event destination has got in the log: see `src/delivery/cursors.ts`. */
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
  /** True after 72 hours of failures, until delivery is resumed. */
  suspended: integer({ mode: "boolean" }).notNull().default(false),
  delivered: integer().notNull().default(0),
  /** Events that were swept before they could be delivered. */
  lost: integer().notNull().default(0),
  last_attempt_at: integer(),
  last_delivered_at: integer(),
  last_error: json().$type<LastError>(),
  /** Events that became dead letters, and how many of them in a row since the last event that was accepted. */
  rejected: integer().notNull().default(0),
  rejected_in_a_row: integer().notNull().default(0),
});

/** Events that a destination rejected because of their content. */
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

/** Agents, as they last reported: see `src/resources/traffic/agents.ts`. They are not objects, so their changes are not recorded. */
export const agents = sqliteTable("agents", {
  name: text().primaryKey(),
  /** Id of the API key that owns the name. */
  key_id: text().notNull(),
  /** Milliseconds since the Unix epoch. */
  last_seen: integer().notNull(),
  /** Version of the snapshot that the agent serves; NULL if there is none. */
  applied_version: integer(),
  ok: integer({ mode: "boolean" }).notNull(),
  error: text(),
  problems: json().$type<StoredProblem[]>().notNull(),
  proxy: text(),
  /** Which edges the agent serves; NULL if it does not say. */
  edges: json().$type<Coverage>(),
});

/**
 * The certificates that agents report, apart from the rest of their statuses because they are long and seldom change: see
 * `src/resources/traffic/certificate_statements.ts`. An agent without a row does not report them.
 */
export const agentCertificates = sqliteTable(
  "agent_certificates",
  {
    agent: text().primaryKey(),
    /** Identifies what is reported: many agents report the same. */
    digest: text().notNull(),
    /** How many certificates the report leaves out. */
    left_out: integer().notNull(),
    /** When the first of the used certificates ends, in milliseconds since the Unix epoch; NULL if none is used. */
    ends_at: integer(),
    /** When the last quarter of the life of a used certificate begins first. */
    ending_from: integer(),
    /** Last, so that the others are read without it. */
    certificates: json().$type<ServedCertificate[]>().notNull(),
  },
  (table) => [
    index("agent_certificates_ending_from")
      .on(table.ending_from)
      .where(sql`ending_from is not null`),
  ],
);

/** What agents ask issuers for: one certificate for each agent and host, and its order. Times are in milliseconds since the Unix epoch. */
export const certificateOrders = sqliteTable(
  "certificate_orders",
  {
    agent: text().notNull(),
    host: text().notNull(),
    issuer_id: text().notNull(),
    /** The agent's request (PKCS #10), in base64url. */
    csr: text().notNull(),
    /** Id of the API key that sent it. */
    key_id: text().notNull(),
    state: text({ enum: requestStates }).notNull(),
    /** When the agent last asked. */
    asked_at: integer().notNull(),
    /** Stored before it is used, so that no order is made twice. NULL until there is an order. */
    order_url: text(),
    /** How many steps have found the authority at work on the order. */
    looks: integer().notNull().default(0),
    /** Names the step that is being made. */
    lease: text(),
    lease_until: integer().notNull().default(0),
    /** Rejections since the last success. */
    failures: integer().notNull().default(0),
    /** When the next step is made without being asked for; NULL for never. */
    next_attempt_at: integer(),
    last_error: text(),
    serial: text(),
    not_before: integer(),
    not_after: integer(),
    /** From when on the agent should ask for the next certificate. */
    renews_at: integer(),
    ari: json().$type<StoredRenewalInfo>(),
    /** Identifies the certificate that this one replaces (RFC 9773 §4.1). */
    replaces: text(),
    /** PEM. Last, so that the others are read without it. */
    chain: text(),
  },
  (table) => [
    primaryKey({ columns: [table.agent, table.host] }),
    index("certificate_orders_issuer_id").on(table.issuer_id, table.host),
    index("certificate_orders_next_attempt_at").on(table.next_attempt_at),
  ],
);

/**
 * Traffic that agents report: a ring of intervals for each length, so that nothing has to be deleted. See
 * `src/resources/traffic/traffic_statements.ts`.
 */
export const traffic = sqliteTable(
  "traffic",
  {
    agent: text().notNull(),
    /** The length of the interval in seconds. */
    resolution: integer().notNull(),
    /** The place of the interval in its ring. */
    slot: integer().notNull(),
    /** The beginning of the interval, in milliseconds since the Unix epoch. A row can be of an earlier round. */
    at: integer().notNull(),
    /** Requests and connections that were not counted. */
    lost: integer().notNull(),
    /** All traffic. In a column of its own, so that it can be read without the objects. */
    totals: json().$type<StoredTraffic>().notNull(),
    /** What was counted of all objects that have no counts of their own; NULL if nothing was. */
    other: json().$type<StoredTraffic>(),
    /** Servers of backends; NULL if the report has none. */
    upstreams: json().$type<ReportedServer[]>(),
    /** What was counted of objects, by id. Last, so that the others are read without it. */
    objects: json().$type<Record<string, StoredTraffic>>().notNull(),
  },
  (table) => [primaryKey({ columns: [table.agent, table.resolution, table.slot] })],
);

/** What all agents together have counted in an hour: see `src/resources/traffic/traffic_hours.ts`. */
export const trafficHours = sqliteTable(
  "traffic_hours",
  {
    /** The beginning of the hour, in milliseconds since the Unix epoch. First, because rows are deleted some time after it. */
    at: integer().notNull(),
    /** Id of an edge or a route, which may no longer exist; "" for all traffic. */
    object_id: text().notNull(),
    /** How many agents' counts these are. */
    agents: integer().notNull(),
    /** Of all traffic, how many agents have counted all objects one by one; NULL for an object. */
    complete: integer(),
    /** Of all traffic, requests and connections that were not counted; NULL for an object. */
    lost: integer(),
    counted: json().$type<StoredTraffic>().notNull(),
  },
  (table) => [primaryKey({ columns: [table.at, table.object_id] })],
);

/** Which events of certificates that end were recorded, so that each is recorded once. */
export const certificateNotices = sqliteTable(
  "certificate_notices",
  {
    /** RFC 3339, UTC. First, because rows are deleted some time after it. */
    not_after: text().notNull(),
    host: text().notNull(),
    serial: text().notNull(),
    /** How many days were left. */
    days: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.not_after, table.host, table.serial, table.days] })],
);

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

/** How often something happened in the current hour, for what is recorded a limited number of times an hour. */
export const hourlyCounts = sqliteTable("hourly_counts", {
  name: text().primaryKey(),
  /** Whole hours since the Unix epoch. */
  hour: integer().notNull(),
  count: integer().notNull(),
});
