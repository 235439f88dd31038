import { eq, isNotNull, type SQL, sql } from "drizzle-orm";
import { type Key, rowsOf, type TableOptions } from "./rows.ts";
import { httpsEdgeRoutes as table, httpsEdges as edges } from "./schema.ts";
import { type Guard, raw, type Statement, statement, type Values } from "./statements.ts";

/*
 * Routes of HTTPS edges. An edge shows its routes, so every change of a route moves the version of its edge.
 */

/** The key of a route. */
export type RouteKey = Key & { edge_id: string };

/** The most routes of an edge: all of them are in its representation. */
export const MOST_ROUTES = 100;

/** Bytes of a route in a response besides what is stored: names of members, `null`, and what has a fixed length. */
const FRAME_BYTES = 700;

/** The columns of JSON without ids. */
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

/** Bytes of a route in a response, but for Refs: of these, {@link REFS} tells the number. */
const BYTES = sql.join(
  [
    sql.raw(String(FRAME_BYTES)),
    ...jsonColumns.map((column) => sql`coalesce(octet_length(${column}), 0)`),
    ...[table.description, table.metadata, table.match].map(
      (column) => sql`coalesce(octet_length(json_quote(${column})), 0)`,
    ),
    sql`2 * coalesce(octet_length(${table.ip_restriction}), 0)`,
  ],
  sql` + `,
);
/** Its own URI and that of its backend are counted with the Refs of its policies. */
const REFS = sql`2 + coalesce(json_array_length(${table.ip_restriction}, '$.ip_policy_ids'), 0)`;

/** What the routes of an edge measure: for its columns `routes_bytes` and `routes_refs`. */
const measures = () =>
  sql`(select coalesce(sum(${BYTES}), 0), coalesce(sum(${REFS}), 0) from ${table} where ${table.edge_id} = ${sql.placeholder("edge_id")})`;

/** Moves the version of the edge of a route that the statements before have changed, and measures its routes again. */
const changeEdge = ({ edge_id }: Values): Statement =>
  statement(
    "change the edge of a route",
    () =>
      raw(sql`update ${edges} set version = ${edges.version} + 1, (routes_bytes, routes_refs) = ${measures()}
        where ${edges.id} = ${sql.placeholder("edge_id")} and ${edges.created_at} is not null and changes() > 0`),
    { edge_id },
  );

/** Measures the routes of an edge again, without moving its version: for changes that responses do not show. */
export const measureRoutes = (edge_id: string): Statement =>
  statement(
    "measure the routes of an edge",
    () =>
      raw(sql`update ${edges} set (routes_bytes, routes_refs) = ${measures()}
        where ${edges.id} = ${sql.placeholder("edge_id")} and ${edges.created_at} is not null and (routes_bytes, routes_refs) <> ${measures()}`),
    { edge_id },
  );

export const options: TableOptions = {
  references: { backend: { path: "$.backend_id" }, ip_restriction: { path: "$.ip_policy_ids" } },
  followUps: (key) => [changeEdge(key)],
  hidden: { webhook_verification: ["$.secret"] },
  short: ["edge_id", "description", "match_type", "backend", "compression", "websocket_tcp_converter"],
  isObject: isNotNull(table.created_at),
};
export const rows = rowsOf("https_edge_route", table, options);

const ofEdge = eq(table.edge_id, sql.placeholder("edge_id"));
const isThisRoute = sql`${ofEdge} and ${eq(table.id, sql.placeholder("id"))}`;

/** Guard: the edge is an object of this service. */
export const isEdge = (edge_id: string): Guard => ({
  shape: "HTTPS edge there",
  sql: () =>
    sql`exists (select 1 from ${edges} where ${edges.id} = ${sql.placeholder("edge_id")} and ${edges.created_at} is not null)`,
  values: { edge_id },
});

/** Guard: if the edge is an object of this service, it has this route. */
export const hasRoute = (key: RouteKey): Guard => ({
  shape: "route there",
  sql: () =>
    sql`(not ${isEdge(key.edge_id).sql()} or exists (select 1 from ${table} where ${isThisRoute} and ${table.created_at} is not null))`,
  values: key,
});

/** Guard: the edge has room for one more route. */
export const hasRoom = (edge_id: string): Guard => ({
  shape: "room for a route",
  sql: () => sql`(select count(*) from ${table} where ${ofEdge}) < ${sql.raw(String(MOST_ROUTES))}`,
  values: { edge_id },
});

/** What a route matches; members that a PATCH leaves out are those stored. */
interface Match {
  match_type?: string | null;
  match?: string | null;
}

/** Another route of the same edge that would match the same requests: that there is none, and how to find its id, alone or as a JSON list. */
export function sameMatch(
  { id, edge_id }: RouteKey,
  given: Match,
): { isUnique: Guard; find: () => Statement; list: Guard } {
  const names = (["match_type", "match"] as const).filter((name) => given[name] !== undefined);
  const wanted = (name: "match_type" | "match"): SQL =>
    names.includes(name)
      ? sql`${sql.placeholder(name)}`
      : sql`(select ${table[name]} from ${table} where ${isThisRoute})`;
  const others = () => sql`select other.id from ${table} as other
    where other.edge_id = ${sql.placeholder("edge_id")} and other.id <> ${sql.placeholder("id")}
    and other.match_type = ${wanted("match_type")} and other.match = ${wanted("match")}`;
  const shape = `same match ${names.join()}`;
  const values = { id, edge_id, ...Object.fromEntries(names.map((name) => [name, given[name]])) };
  return {
    isUnique: { shape, sql: () => sql`not exists (${others()})`, values },
    find: () => statement(shape, () => raw(others()), values),
    list: { shape, sql: () => sql`(select json_group_array(id) from (${others()}))`, values },
  };
}
