import type { SQLiteTable } from "drizzle-orm/sqlite-core";
import type { StoredBackend, StoredSnapshot } from "../../packages/traffic/src/stored.ts";
import { endUnless } from "../db/checks.ts";
import { eventType } from "../db/events.ts";
import { events } from "../db/internal_schema.ts";
import {
  certificateAuthorities,
  failoverBackends,
  httpResponseBackends,
  httpsEdgeRoutes,
  httpsEdges,
  ipPolicies,
  ipPolicyRules,
  staticBackends,
  tcpEdges,
  tlsEdges,
  weightedBackends,
} from "../db/schema.ts";
import {
  and,
  bare,
  type Condition,
  decoded,
  decoderOf,
  join,
  raw,
  type Sql,
  sql,
  type Statement,
  type Values,
} from "../db/statements.ts";
import type { StoredUpstreamTls } from "../db/stored.ts";
import { asRow, parsedAs } from "../db/unchecked.ts";
import { verbs } from "../event_types.ts";
import { servedKinds } from "../kinds.ts";

/*
 * Reads everything needed to serve traffic in one batch: edges and routes that are managed here, and the objects that their
 * enabled modules use.
 */

/** How many events are examined. If none of them is of something that is served, the number before them stands for that event. */
const EXAMINED = 1_000;

/** The type of an event is that of a change of something that a snapshot holds. */
export const isServedType: Sql = sql`type in (${raw(
  servedKinds.flatMap((kind) => verbs.map((verb) => `'${eventType(kind, verb)}'`)).join(),
)})`;

/** Selects the number of the newest change of something that a snapshot holds. Reads one row, and one for each later event. */
export const newestServed: Sql = sql`coalesce(
  (select seq from (select seq, type from ${events} order by seq desc limit ${raw(EXAMINED)}) where ${isServedType} limit 1),
  (select max(max(seq) - ${raw(EXAMINED)}, 0) from ${events}), 0)`;

/** Reads {@link newestServed}. */
export const newestChange: Statement<number> = decoded(sql`select ${newestServed} as seq`, ({ seq }) =>
  Number(seq),
);

/** The most rules that are read. */
export const MOST_RULES = 250_000;

const isObject = sql`created_at is not null`;
const isServed = sql`hostports is not null`;

/** A module of the edges or routes of some tables, where it is enabled: a query with the column `module`. */
const enabled = (name: string, tables: [SQLiteTable, Condition][]): Sql =>
  join(
    tables.map(([table, condition]) => {
      const module = bare(name);
      return sql`select ${module} as module from ${table} where ${and(sql`${module} ->> 'enabled'`, condition)}`;
    }),
    " union all ",
  );

const restrictions = enabled("ip_restriction", [
  [tcpEdges, undefined],
  [tlsEdges, undefined],
  [httpsEdgeRoutes, isObject],
]);
const targets = enabled("backend", [
  [tcpEdges, undefined],
  [tlsEdges, undefined],
  [httpsEdgeRoutes, isObject],
]);
const handshakes = enabled("mutual_tls", [
  [tlsEdges, undefined],
  [httpsEdges, isObject],
]);

const listedIn = (modules: Sql, path: string): Sql =>
  sql`select distinct item.value as id from (${modules}) cross join json_each(module, ${raw(`'${path}'`)}) as item`;

const policies = sql`policy (id) as materialized (${listedIn(restrictions, "$.ip_policy_ids")})`;
const authorities = sql`authority (id) as materialized (${listedIn(handshakes, "$.certificate_authority_ids")})`;
const backends = sql`recursive target (id) as (
  select module ->> 'backend_id' from (${targets})
  union select child.value from target cross join ${failoverBackends} on ${failoverBackends.id} = target.id
    cross join json_each(${failoverBackends.backends}) as child
  union select child.key from target cross join ${weightedBackends} on ${weightedBackends.id} = target.id
    cross join json_each(${weightedBackends.backends}) as child)`;

/** The backends that edges and routes reach, each in the columns of its kind. */
const reached = sql`target
  left join ${staticBackends} on ${staticBackends.id} = target.id
  left join ${httpResponseBackends} on ${httpResponseBackends.id} = target.id
  left join ${failoverBackends} on ${failoverBackends.id} = target.id
  left join ${weightedBackends} on ${weightedBackends.id} = target.id`;

/** Bytes of strings; columns that are NULL have none. */
const bytesOf = (...columns: Sql[]): Sql =>
  join(
    columns.map((column) => sql`total(octet_length(${column}))`),
    " + ",
  );
/** Bytes of an edge or a route in a snapshot in addition to the strings in its columns. */
const FRAME_BYTES = 200;

/** Bytes of edges or routes, which have strings in these columns. */
const bytesIn = (table: SQLiteTable, condition: Sql, ...columns: string[]): Sql =>
  sql`select ${bytesOf(...columns.map(bare))} + ${raw(FRAME_BYTES)} * count(*) as bytes from ${table} where ${condition}`;

/** Bytes of everything that the other statements read. */
const bytes = sql`(select sum(bytes) from (
    ${bytesIn(tcpEdges, isServed, "hostports", "traffic_policy", "ip_restriction")}
    union all ${bytesIn(tlsEdges, isServed, "hostports", "traffic_policy", "ip_restriction", "mutual_tls")}
    union all ${bytesIn(httpsEdges, and(isObject, isServed), "hostports", "mutual_tls")}
    union all ${bytesIn(
      httpsEdgeRoutes,
      isObject,
      "match",
      "request_headers",
      "response_headers",
      "user_agent_filter",
      "traffic_policy",
      "ip_restriction",
    )}
  )) + (select * from (with ${backends} select ${bytesOf(
    sql`${httpResponseBackends.body}`,
    sql`${httpResponseBackends.headers}`,
    sql`${staticBackends.address}`,
    sql`${failoverBackends.backends}`,
    sql`${weightedBackends.backends}`,
  )} + 100 * count(*) from ${reached}))
  + (select * from (with ${authorities} select ${bytesOf(sql`${certificateAuthorities.ca_pem}`)}
      from authority cross join ${certificateAuthorities} on ${certificateAuthorities.id} = authority.id))`;

/** The other statements read at most `most` bytes. Only looks at lengths, and reads no long string. */
const fits = (most: number): Sql => sql`${bytes} <= ${most}`;

/** Edges or routes, with the columns of their table that serving needs. */
const edgesIn = (table: SQLiteTable, columns: string, condition: Sql): Sql =>
  sql`select ${raw(columns)} from ${table} where ${condition}`;

const decodeTcp = decoderOf(tcpEdges);
const decodeTls = decoderOf(tlsEdges);
const decodeHttps = decoderOf(httpsEdges);
const decodeRoute = decoderOf(httpsEdgeRoutes);

/** {@link StoredBackend} as D1 returns it, with JSON as strings. */
interface ReachedRow extends Omit<StoredBackend, "tls" | "headers" | "children" | "weights"> {
  tls: string | null;
  headers: string | null;
  children: string | null;
  weights: string | null;
}

/** The statements, each of which reads one part of the {@link StoredSnapshot}. */
const partsOf = (now: string) => ({
  version: newestChange,
  tcp: decoded(
    edgesIn(tcpEdges, "id, hostports, backend, ip_restriction, traffic_policy", isServed),
    decodeTcp,
  ),
  tls: decoded(
    edgesIn(
      tlsEdges,
      "id, hostports, backend, ip_restriction, traffic_policy, mutual_tls, tls_termination",
      isServed,
    ),
    decodeTls,
  ),
  https: decoded(
    edgesIn(httpsEdges, "id, hostports, mutual_tls, tls_termination", and(isObject, isServed)),
    decodeHttps,
  ),
  routes: decoded(
    edgesIn(
      httpsEdgeRoutes,
      `edge_id, id, match_type, match, backend, ip_restriction, traffic_policy, circuit_breaker, request_headers, response_headers,
        websocket_tcp_converter, compression, user_agent_filter,
        json_object('enabled', json(iif(webhook_verification ->> 'enabled', 'true', 'false'))) as webhook_verification`,
      isObject,
    ),
    decodeRoute,
  ),
  policies: decoded(
    sql`select * from (with ${policies} select policy.id, exists (select 1 from ${ipPolicies} where id = policy.id) as is_there
      from policy order by id)`,
    ({ id, is_there }) => ({ id: String(id), isThere: is_there === 1 }),
  ),
  rules: decoded(
    sql`select * from (with ${policies}, numbered as materialized (select id, row_number() over (order by id) - 1 as place from policy)
      select numbered.place || iif(${ipPolicyRules.action} = 'deny', '-', '+') || ${ipPolicyRules.cidr} as rule
      from numbered cross join ${ipPolicyRules} on ${ipPolicyRules.ip_policy_id} = numbered.id
      where ifnull(${ipPolicyRules.expires_at}, 'never') > ${now}
      limit ${MOST_RULES + 1})`,
    // `0+10.0.0.0/8`: place of the policy, `+` for allow and `-` for deny, range. One string, as there can be many rules.
    ({ rule }) => String(rule),
  ),
  backends: decoded(
    sql`select * from (with ${backends} select target.id, ${staticBackends.address}, ${staticBackends.tls},
      ${httpResponseBackends.status_code}, ${httpResponseBackends.headers}, ${httpResponseBackends.body},
      ${failoverBackends.id} as failover, ${failoverBackends.backends} as children,
      ${weightedBackends.id} as weighted, ${weightedBackends.backends} as weights from ${reached})`,
    (values): StoredBackend => {
      const row = asRow<ReachedRow>(values);
      return {
        ...row,
        tls: row.tls === null ? null : parsedAs<StoredUpstreamTls>(row.tls),
        headers: row.headers === null ? null : parsedAs<Record<string, string>>(row.headers),
        children: row.children === null ? null : parsedAs<string[]>(row.children),
        weights: row.weights === null ? null : parsedAs<Record<string, number>>(row.weights),
      };
    },
  ),
  authorities: decoded(
    sql`select * from (with ${authorities} select ${certificateAuthorities.id}, ${certificateAuthorities.ca_pem}
      from authority cross join ${certificateAuthorities} on ${certificateAuthorities.id} = authority.id)`,
    ({ id, ca_pem }) => ({ id: String(id), ca_pem: String(ca_pem) }),
  ),
});

/**
 * Reads everything that serving traffic needs: statements for one batch, and the function that decodes their results. The batch
 * ends if there are more than `most` bytes.
 *
 * @param now RFC 3339, UTC: rules that have expired by then are left out
 */
export function snapshotStatements(
  now: string,
  most: number,
): { statements: Statement<unknown>[]; read: (results: Values[][]) => StoredSnapshot } {
  const parts = partsOf(now);
  const check = endUnless(0, [{ condition: fits(most) }]);
  return {
    statements: [...check, ...Object.values(parts)],
    read: (results) => {
      const [
        version = [],
        tcp = [],
        tls = [],
        https = [],
        routes = [],
        policies = [],
        rules = [],
        backends = [],
        authorities = [],
      ] = results.slice(check.length);
      return {
        version: version.map(parts.version.decode),
        tcp: tcp.map(parts.tcp.decode),
        tls: tls.map(parts.tls.decode),
        https: https.map(parts.https.decode),
        routes: routes.map(parts.routes.decode),
        policies: policies.map(parts.policies.decode),
        rules: rules.map(parts.rules.decode),
        backends: backends.map(parts.backends.decode),
        authorities: authorities.map(parts.authorities.decode),
      };
    },
  };
}
