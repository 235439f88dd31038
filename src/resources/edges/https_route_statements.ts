import { rowsOf, type TableOptions } from "../../db/rows.ts";
import { httpsEdgeRoutes as table, httpsEdges as edges } from "../../db/schema.ts";
import { join, raw, sql, type Sql } from "../../db/statements.ts";
import type { RowKey } from "../../db/uses.ts";

/*
 * Routes of HTTPS edges. An edge shows its routes, so every change of a route moves the version of its edge.
 */

/** The key of a route. */
export type RouteKey = RowKey & { edge_id: string };

/** The most routes of an edge: all of them are in its representation. */
export const MOST_ROUTES = 100;

/** Bytes of a route in a response in addition to the stored ones: field names, `null`, and values of fixed length. */
const FRAME_BYTES = 700;

/** The JSON columns that contain no ids. */
const jsonColumns = [
  table.circuit_breaker,
  table.compression,
  table.request_headers,
  table.response_headers,
  table.traffic_policy,
  table.user_agent_filter,
  table.webhook_verification,
  table.websocket_tcp_converter,
];

/** Bytes of a route in a response, except Refs: {@link REFS} is their number. */
const BYTES = join(
  [
    raw(FRAME_BYTES),
    ...jsonColumns.map((column) => sql`coalesce(octet_length(${column}), 0)`),
    ...[table.description, table.metadata, table.match].map(
      (column) => sql`coalesce(octet_length(json_quote(${column})), 0)`,
    ),
    sql`2 * coalesce(octet_length(${table.ip_restriction}), 0)`,
  ],
  " + ",
);
/** Its own URI and that of its backend are counted with the Refs of its policies. */
const REFS = sql`2 + coalesce(json_array_length(${table.ip_restriction}, '$.ip_policy_ids'), 0)`;

/** The size of the routes of an edge, for its columns `routes_bytes` and `routes_refs`. */
const measures = (edge_id: string): Sql =>
  sql`(select coalesce(sum(${BYTES}), 0), coalesce(sum(${REFS}), 0) from ${table} where ${table.edge_id} = ${edge_id})`;

/** Increments the version of the edge whose route was just changed, and measures its routes again. */
const changeEdge = (edge_id: string): Sql =>
  sql`update ${edges} set version = ${edges.version} + 1, (routes_bytes, routes_refs) = ${measures(edge_id)}
    where ${edges.id} = ${edge_id} and ${edges.created_at} is not null and changes() > 0`;

/** Measures the routes of an edge again without incrementing its version: for changes that responses do not show. */
export const measureRoutes = (edge_id: string): Sql =>
  sql`update ${edges} set (routes_bytes, routes_refs) = ${measures(edge_id)}
    where ${edges.id} = ${edge_id} and ${edges.created_at} is not null and (routes_bytes, routes_refs) <> ${measures(edge_id)}`;

const secrets = { webhook_verification: ["$.secret"] };

export const options: TableOptions = {
  references: { backend: { path: "$.backend_id" }, ip_restriction: { path: "$.ip_policy_ids" } },
  followUps: ({ edge_id = "" }) => [changeEdge(edge_id)],
  hidden: secrets,
  secrets,
  short: ["edge_id", "description", "match_type", "backend", "compression", "websocket_tcp_converter"],
  isObject: sql`${table.created_at} is not null`,
};
export const rows = rowsOf("https_edge_route", table, options);

const isOfEdge = (edge_id: string): Sql => sql`${table.edge_id} = ${edge_id}`;
export const isThisRoute = ({ edge_id, id }: RouteKey): Sql =>
  sql`${isOfEdge(edge_id)} and ${table.id} = ${id}`;

/** The edge is an object of this service. */
export const isEdge = (edge_id: string): Sql =>
  sql`exists (select 1 from ${edges} where ${edges.id} = ${edge_id} and ${edges.created_at} is not null)`;

/** If the edge is an object of this service, it has this route. */
export const hasRoute = (key: RouteKey): Sql =>
  sql`(not ${isEdge(key.edge_id)} or exists (select 1 from ${table} where ${isThisRoute(key)} and ${table.created_at} is not null))`;

/** The edge has room for one more route. */
export const hasRoom = (edge_id: string): Sql =>
  sql`(select count(*) from ${table} where ${isOfEdge(edge_id)}) < ${raw(MOST_ROUTES)}`;
