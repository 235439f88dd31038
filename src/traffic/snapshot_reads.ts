import type { SQLiteTable } from "drizzle-orm/sqlite-core";
import { verbs } from "../../packages/model/src/event_types.ts";
import { servedKinds } from "../../packages/model/src/kinds.ts";
import { addRule, type EndingRanges, withEnds } from "../../packages/model/src/traffic/ends.ts";
import type {
  StoredBackend,
  StoredPolicy,
  StoredSnapshot,
} from "../../packages/model/src/traffic/stored_snapshot.ts";
import { atMost } from "../db/checks.ts";
import type { StoredUpstreamTls } from "../db/column_types.ts";
import { eventType } from "../db/event_writes.ts";
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
  lazy,
  raw,
  type Sql,
  sql,
  type Statement,
  type Values,
} from "../db/statements.ts";
import { asRow, parsedAs } from "../db/unchecked.ts";

/*
 * Reads everything needed to serve traffic in one batch: edges and routes that are managed here, and the objects that their
 * enabled modules use.
 *
 * For example, a TCP edge on port 22 forwards to a static backend, and its IP restriction names a policy that allows 10.0.0.0/8 and
 * denies 10.1.0.0/16 until a day in May. `snapshotStatements` sends ten statements; without the lists of columns they are:
 *
 *     <the lengths of the strings below; fails if they add up to more than `most` bytes>
 *     select <number of the newest change>                           41
 *     select … from tcp_edges where hostports is not null            edgtcp_1, ["ssh.example.com:22"], …
 *     select … from tls_edges; https_edges; https_edge_routes        no rows
 *     select <policies in enabled IP restrictions>                   ipp_1, which is policy 0
 *     select <their rules that have not expired>                     0+10.0.0.0/8, 0-10.1.0.0/16 2027-05-01T00:00:00Z
 *     select <backends in enabled modules, and their children>       bkdsc_1, 192.0.2.7:22, …
 *     select <authorities in enabled mutual TLS>                     no rows
 *
 * `read` makes a {@link StoredSnapshot} of the rows: version 41, one edge, one policy with its two lists of ranges, one backend.
 * `changeStatements` (changes_since.ts) sends the same statements with a smaller {@link Scope}.
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

/** Before every instant: what agents read has expired rules too, because they know the time themselves. */
export const WITH_EXPIRED = "";

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

const listedIn = (modules: Sql, path: string): Sql =>
  sql`select distinct item.value as id from (${modules}) cross join json_each(module, ${raw(`'${path}'`)}) as item`;

/** Which objects are read. */
export interface Scope {
  /** Which edges and routes, in addition to being served. */
  edges?: Sql;
  routes?: Sql;
  /** Queries for the ids of policies, backends and authorities; ids of what does not exist are ignored. */
  policies: Sql;
  backends: Sql;
  authorities: Sql;
  /** Reads no rules, and replaces values that no problem depends on by null or "". */
  isOutline?: boolean;
}

/** Edges and routes, and everything that they use. By default, of all. */
export function usedBy({ edges, routes }: Pick<Scope, "edges" | "routes"> = {}): Scope {
  const forwarding: [SQLiteTable, Condition][] = [
    [tcpEdges, edges],
    [tlsEdges, edges],
    [httpsEdgeRoutes, and(isObject, routes)],
  ];
  return {
    ...(edges && { edges }),
    ...(routes && { routes }),
    policies: listedIn(enabled("ip_restriction", forwarding), "$.ip_policy_ids"),
    backends: sql`select module ->> 'backend_id' from (${enabled("backend", forwarding)})
    union select child.value from target cross join ${failoverBackends} on ${failoverBackends.id} = target.id
      cross join json_each(${failoverBackends.backends}) as child
    union select child.key from target cross join ${weightedBackends} on ${weightedBackends.id} = target.id
      cross join json_each(${weightedBackends.backends}) as child`,
    authorities: listedIn(
      enabled("mutual_tls", [
        [tlsEdges, edges],
        [httpsEdges, and(isObject, edges)],
      ]),
      "$.certificate_authority_ids",
    ),
  };
}

const used = lazy(() => usedBy());

/** The values that problems depend on, of everything that is used. The limit in bytes is checked in the same way. */
export const outline = lazy((): Scope => ({ ...used(), isOutline: true }));

/** Everything, used or not. */
export const allObjects = lazy((): Scope => ({
  /** Routes of edges that are not served are left out, as the edges are. */
  routes: sql`edge_id in (select id from ${httpsEdges} where ${and(isObject, isServed)})`,
  policies: sql`select ${ipPolicies.id} from ${ipPolicies}`,
  backends: join(
    [staticBackends, httpResponseBackends, failoverBackends, weightedBackends].map(
      ({ id }) => sql`select ${id} from ${id.table}`,
    ),
    " union all ",
  ),
  authorities: sql`select ${certificateAuthorities.id} from ${certificateAuthorities}`,
}));

/** Backends with the ids in `target`, each in the columns of its kind. */
const backendsIn = sql`target
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
const bytesIn = (table: SQLiteTable, condition: Condition, ...columns: string[]): Sql =>
  sql`select ${bytesOf(...columns.map(bare))} + ${raw(FRAME_BYTES)} * count(*) as bytes from ${table} where ${and(condition)}`;

/** Selects how many bytes the other statements read, as several `bytes`. Only looks at lengths, and reads no long string. */
const bytesRead = ({
  edges,
  routes,
  backends,
  authorities,
}: Scope): Sql => sql`${bytesIn(tcpEdges, and(isServed, edges), "hostports", "traffic_policy", "ip_restriction")}
    union all ${bytesIn(tlsEdges, and(isServed, edges), "hostports", "traffic_policy", "ip_restriction", "mutual_tls")}
    union all ${bytesIn(httpsEdges, and(isObject, isServed, edges), "hostports", "mutual_tls")}
    union all ${bytesIn(
      httpsEdgeRoutes,
      and(isObject, routes),
      "match",
      "request_headers",
      "response_headers",
      "user_agent_filter",
      "traffic_policy",
      "ip_restriction",
    )}
    union all select (select * from (with recursive target (id) as (${backends}) select ${bytesOf(
      sql`${httpResponseBackends.body}`,
      sql`${httpResponseBackends.headers}`,
      sql`${staticBackends.address}`,
      sql`${failoverBackends.backends}`,
      sql`${weightedBackends.backends}`,
    )} + 100 * count(*) from ${backendsIn}))
  + (select * from (with authority (id) as materialized (${authorities}) select ${bytesOf(sql`${certificateAuthorities.ca_pem}`)}
      from authority cross join ${certificateAuthorities} on ${certificateAuthorities.id} = authority.id))`;

/** Edges or routes, with the columns of their table that serving needs. */
const edgesIn = (table: SQLiteTable, columns: string, condition: Condition): Sql =>
  sql`select ${raw(columns)} from ${table} where ${and(condition)}`;

const decodeTcp = decoderOf(tcpEdges);
const decodeTls = decoderOf(tlsEdges);
const decodeHttps = decoderOf(httpsEdges);
const decodeRoute = decoderOf(httpsEdgeRoutes);

/** A backend as D1 returns it, with JSON as strings. All columns are NULL if it does not exist. */
interface BackendRow {
  id: string;
  address: string | null;
  tls: string | null;
  status_code: number | null;
  headers: string | null;
  body: string | null;
  failover: string | null;
  children: string | null;
  weighted: string | null;
  weights: string | null;
}

function decodeBackend(values: Values): StoredBackend | undefined {
  const { id, address, tls, status_code, headers, body, failover, children, weighted, weights } =
    asRow<BackendRow>(values);
  if (address !== null)
    return { id, kind: "static", address, tls: tls === null ? null : parsedAs<StoredUpstreamTls>(tls) };
  if (status_code !== null)
    return {
      id,
      kind: "http_response",
      status_code,
      headers: headers === null ? null : parsedAs<Record<string, string>>(headers),
      body,
    };
  if (failover !== null)
    return { id, kind: "failover", backends: children === null ? null : parsedAs<string[]>(children) };
  if (weighted !== null)
    return {
      id,
      kind: "weighted",
      backends: weights === null ? null : parsedAs<Record<string, number>>(weights),
    };
  return undefined;
}

/** The modules of routes that no problem depends on. */
const PLAIN_MODULES = [
  "request_headers",
  "response_headers",
  "websocket_tcp_converter",
  "compression",
  "user_agent_filter",
];
const MODULES = PLAIN_MODULES.join();
const NO_MODULES = PLAIN_MODULES.map((name) => `null as ${name}`).join();

/** The statements, each of which reads one part of the {@link StoredSnapshot}. */
const partsOf = (
  now: string,
  { edges, routes, policies, backends, authorities, isOutline = false }: Scope,
) => ({
  version: newestChange,
  tcp: decoded(
    edgesIn(tcpEdges, "id, hostports, backend, ip_restriction, traffic_policy", and(isServed, edges)),
    decodeTcp,
  ),
  tls: decoded(
    edgesIn(
      tlsEdges,
      "id, hostports, backend, ip_restriction, traffic_policy, mutual_tls, tls_termination",
      and(isServed, edges),
    ),
    decodeTls,
  ),
  https: decoded(
    edgesIn(httpsEdges, "id, hostports, mutual_tls, tls_termination", and(isObject, isServed, edges)),
    decodeHttps,
  ),
  routes: decoded(
    edgesIn(
      httpsEdgeRoutes,
      `edge_id, id, match_type, match, backend, ip_restriction, traffic_policy, circuit_breaker, ${isOutline ? NO_MODULES : MODULES},
        json_object('enabled', json(iif(webhook_verification ->> 'enabled', 'true', 'false'))) as webhook_verification`,
      and(isObject, routes),
    ),
    decodeRoute,
  ),
  policies: decoded(
    sql`select * from (with policy (id) as materialized (${policies})
      select policy.id from policy cross join ${ipPolicies} on ${ipPolicies.id} = policy.id order by 1)`,
    ({ id }) => String(id),
  ),
  rules: decoded(
    isOutline
      ? sql`select '' as rule where false`
      : sql`select * from (with policy (id) as materialized (${policies}), numbered as materialized (
        select policy.id, row_number() over (order by policy.id) - 1 as place
        from policy cross join ${ipPolicies} on ${ipPolicies.id} = policy.id)
      select numbered.place || iif(${ipPolicyRules.action} = 'deny', '-', '+') || ${ipPolicyRules.cidr} || ifnull(' ' || ${ipPolicyRules.expires_at}, '') as rule
      from numbered cross join ${ipPolicyRules} on ${ipPolicyRules.ip_policy_id} = numbered.id
      where ifnull(${ipPolicyRules.expires_at}, 'never') > ${now}
      limit ${MOST_RULES + 1})`,
    // `0+10.0.0.0/8`: place of the policy, `+` for allow and `-` for deny, range, and the end after a space if there is one. One
    // string, as there can be many rules.
    ({ rule }) => String(rule),
  ),
  backends: decoded(
    sql`select * from (with recursive target (id) as (${backends}) select target.id, ${staticBackends.address}, ${staticBackends.tls},
      ${httpResponseBackends.status_code}, ${isOutline ? raw("null as headers, null as body") : sql`${httpResponseBackends.headers}, ${httpResponseBackends.body}`},
      ${failoverBackends.id} as failover, ${failoverBackends.backends} as children,
      ${weightedBackends.id} as weighted, ${weightedBackends.backends} as weights from ${backendsIn})`,
    decodeBackend,
  ),
  authorities: decoded(
    sql`select * from (with authority (id) as materialized (${authorities})
      select ${certificateAuthorities.id}, ${isOutline ? raw("'' as ca_pem") : sql`${certificateAuthorities.ca_pem}`}
      from authority cross join ${certificateAuthorities} on ${certificateAuthorities.id} = authority.id)`,
    ({ id, ca_pem }) => ({ id: String(id), ca_pem: String(ca_pem) }),
  ),
});

/** Policies with their rules, each rule as a string: see {@link partsOf}. */
function policiesWith(ids: string[], rules: string[]): StoredPolicy[] {
  const none = (): EndingRanges => new Map();
  const policies = ids.map((id) => ({ id, allow: none(), deny: none() }));
  for (const rule of rules) {
    const [, place = "", action = "", cidr = "", end] = /^(\d+)([+-])(\S*)(?: (.+))?$/.exec(rule) ?? [];
    const ranges = policies[Number(place)]?.[action === "-" ? "deny" : "allow"];
    if (ranges) addRule(ranges, cidr, end);
  }
  return policies.map(({ id, allow, deny }) => ({ id, ...withEnds(allow, deny) }));
}

/** What is stored, and how many bytes it has at most, with the values that an outline replaces. */
export interface Read {
  stored: StoredSnapshot;
  bytes: number;
}

/**
 * Reads everything that serving traffic needs: statements for one batch, and the function that decodes their results. The batch
 * ends if there are more than `most` bytes. There are more than {@link MOST_RULES} rules if `read` returns undefined.
 *
 * @param now RFC 3339, UTC: rules that have expired by then are left out; {@link WITH_EXPIRED} leaves out none
 */
export function snapshotStatements(
  now: string,
  most: number,
  scope: Scope = used(),
): { statements: Statement<unknown>[]; read: (results: Values[][]) => Read | undefined } {
  const parts = partsOf(now, scope);
  return {
    statements: [atMost(most, bytesRead(scope)), ...Object.values(parts)],
    read: ([
      size = [],
      version = [],
      tcp = [],
      tls = [],
      https = [],
      routes = [],
      policies = [],
      rules = [],
      backends = [],
      authorities = [],
    ]) => {
      if (rules.length > MOST_RULES) return undefined;
      const stored = {
        version: version.map(parts.version.decode)[0] ?? 0,
        tcp: tcp.map(parts.tcp.decode),
        tls: tls.map(parts.tls.decode),
        https: https.map(parts.https.decode),
        routes: routes.map(parts.routes.decode),
        policies: policiesWith(policies.map(parts.policies.decode), rules.map(parts.rules.decode)),
        backends: backends.map(parts.backends.decode).filter((backend) => backend !== undefined),
        authorities: authorities.map(parts.authorities.decode),
      };
      return { stored, bytes: Number(size[0]?.["bytes"]) };
    },
  };
}
