import { kinds } from "../../../packages/model/src/kinds.ts";
import { uses } from "../../db/internal_schema.ts";
import {
  certificateAuthorities,
  failoverBackends,
  httpsEdgeRoutes,
  httpsEdges,
  ipPolicyRules,
  tcpEdges,
  tlsEdges,
  weightedBackends,
} from "../../db/schema.ts";
import { decoded, join, raw, type Sql, sql, type Statement } from "../../db/statements.ts";
import { parsedAs } from "../../db/unchecked.ts";
import { portOf } from "../../db/uses.ts";
import { newest } from "../../delivery/cursors.ts";
import { type ConfigKind, tables } from "./rows_in_memory.ts";

/*
 * Reads what the effect of a plan depends on, and checks that it has not changed.
 */

/** The most rows that an effect is computed from. */
export const MOST_ROWS = 20_000;

const atMost = sql`limit ${raw(MOST_ROWS + 1)}`;
const list = (values: readonly unknown[]): Sql => sql`select value from json_each(${JSON.stringify(values)})`;

/** A pair of an object and one that uses it, directly. */
export interface Use {
  target: string;
  user: string;
  edge_id: string;
}

/**
 * Reads who uses some objects, and the policies of some rules, up to edges.
 *
 * @param ids of objects
 * @param rules ids of rules
 */
export const usersOf = (ids: string[], rules: string[]): Statement<Use> =>
  decoded(
    sql`with recursive up (id) as (
        ${list(ids)}
        union select ${ipPolicyRules.ip_policy_id} from ${ipPolicyRules} where ${ipPolicyRules.id} in (${list(rules)})
        union select ${uses.user} from up cross join ${uses} on ${uses.target} = up.id
      ) select ${uses.target} as target, ${uses.user} as user, ${uses.edge_id} as edge_id
        from up cross join ${uses} on ${uses.target} = up.id order by 1, 3, 2 ${atMost}`,
    ({ target, user, edge_id }) => ({ target: String(target), user: String(user), edge_id: String(edge_id) }),
  );

/** Reads whole rows. */
export const rowsWithIds = (kind: ConfigKind, ids: string[]): Sql =>
  sql`select * from ${tables[kind]} where ${tables[kind].id} in (${list(ids)}) ${atMost}`;

/** Reads whole routes. */
export const routesWithKeys = (keys: { id: string; edge_id?: string }[]): Sql =>
  sql`select ${httpsEdgeRoutes}.* from json_each(${JSON.stringify(keys)}) as given cross join ${httpsEdgeRoutes}
    on ${httpsEdgeRoutes.edge_id} = given.value ->> 'edge_id' and ${httpsEdgeRoutes.id} = given.value ->> 'id' ${atMost}`;

/** Reads all routes of some edges. */
export const routesOfEdges = (ids: string[]): Sql =>
  sql`select * from ${httpsEdgeRoutes} where ${httpsEdgeRoutes.edge_id} in (${list(ids)}) ${atMost}`;

/** Reads the rules of some policies without their descriptions, except those that have expired. @param now RFC 3339, UTC */
export const rulesOf = (policies: string[], now: string): Sql =>
  sql`select id, ip_policy_id, cidr, action, expires_at from ${ipPolicyRules}
    where ${ipPolicyRules.ip_policy_id} in (${list(policies)}) and ifnull(expires_at, 'never') > ${now} ${atMost}`;

/** Reads the versions of certificate authorities. */
export const authoritiesWithIds = (ids: string[]): Sql =>
  sql`select id, version from ${certificateAuthorities} where ${certificateAuthorities.id} in (${list(ids)})`;

/** Backends, and those that they reach, with what decides whether they can be served: a statement for each kind. */
export const reachedBackends = (ids: string[]): [ConfigKind, Sql][] => {
  const reached = sql`with recursive target (id) as (
    ${list(ids)}
    union select child.value from target cross join ${failoverBackends} on ${failoverBackends.id} = target.id
      cross join json_each(${failoverBackends.backends}) as child
    union select child.key from target cross join ${weightedBackends} on ${weightedBackends.id} = target.id
      cross join json_each(${weightedBackends.backends}) as child)`;
  const from = (kind: ConfigKind, columns: string): [ConfigKind, Sql] => [
    kind,
    sql`${reached} select ${raw(columns)} from target cross join ${tables[kind]} as found on found.id = target.id ${atMost}`,
  ];
  return [
    from("failover_backend", "found.id, version, backends"),
    from("weighted_backend", "found.id, version, backends"),
    from("http_response_backend", "found.id, version, status_code"),
    from("static_backend", "found.id, version, address, tls"),
  ];
};

/** Where edges listen before or after some writes. */
export interface Points {
  /** Ports, as `:443`. */
  ports: string[];
  /** Those on which a TCP edge listens. */
  tcp: string[];
  /** Hostports in canonical form. */
  names: string[];
}

const TCP_EDGES = raw(`between '${kinds.tcp_edge.prefix}' and '${kinds.tcp_edge.prefix}~'`);

/**
 * Selects, as a JSON list in order, `ID HOSTPORT` of each edge that could get what others claim at some points. On a port on which
 * a TCP edge listens, that is every edge: a TCP edge that gets the port takes it from all others. On other ports, it is the edges
 * with the same hostport, and those with an address in brackets, which can be written in several ways.
 */
const claimants = ({ ports, tcp, names }: Points): Sql => {
  const value = raw("claim.value");
  // On a port of a TCP edge, all edges count anyway.
  const isTcp = new Set(tcp);
  const others = names.filter((name) => !isTcp.has(name.slice(name.lastIndexOf(":"))));
  const shared = ports.filter((port) => !isTcp.has(port));
  const hasAddress = others.some((name) => /^\[|^[\d.]+:/.test(name));
  const having = (targets: string, target: string) =>
    sql`select ${uses.user} from ${raw(targets)} cross join ${uses} on ${uses.target} = ${raw(target)}`;
  const claiming = [
    having("contested", "contested.value"),
    having("named", "named.value"),
    having("named", "replace(named.value, ':', '.:')"),
    ...(hasAddress
      ? [sql`select ${uses.user} from ${uses} where ${uses.target} >= '[' and ${uses.target} < '\\'`]
      : []),
  ];
  const isContending = sql`(${portOf(value)} in contested or replace(lower(${value}), '.:', ':') in named${
    hasAddress ? sql` or (${value} like '[%' and ${portOf(value)} in given)` : sql``
  })`;
  const from = (table: typeof tcpEdges | typeof tlsEdges | typeof httpsEdges) =>
    sql`select ${table.id} || ' ' || ${value} as pair from claiming cross join ${table} on ${table.id} = claiming.id
      cross join json_each(${table.hostports}) as claim where ${isContending}`;
  return sql`with given (value) as materialized (${list(shared)}),
    named (value) as materialized (${list(others)}),
    contested (value) as materialized (${list(tcp)} union all select value from given where exists (
      select 1 from ${uses} where ${uses.target} = given.value and ${uses.user} ${TCP_EDGES})),
    claiming (id) as materialized (${join(claiming, " union ")})
    select json_group_array(pair) from (select pair from (${join([tcpEdges, tlsEdges, httpsEdges].map(from), " union all ")})
      order by pair ${atMost})`;
};

/** What a plan depends on: who claims hostports that it changes. */
export interface HostportClaims {
  points: Points;
  /** As {@link claimants} selects them. */
  pairs: string[];
}

/** Reads the number of the newest event. */
export const lastEvent: Statement<number> = decoded(sql`select ${newest} as seq`, ({ seq }) => Number(seq));

/** The condition that nothing has changed since an event: every change has one. */
export const isLastEvent = (seq: number): Sql => sql`${newest} = ${seq}`;

/** Reads {@link HostportClaims.pairs}. */
export const claimed = (points: Points): Statement<string[]> =>
  decoded(sql`select (${claimants(points)}) as pairs`, ({ pairs }) => parsedAs<string[]>(String(pairs)));

/** The condition that claims are as they were. */
export const areClaimed = ({ points, pairs }: HostportClaims): Sql =>
  sql`(${claimants(points)}) = ${JSON.stringify(pairs)}`;

/** The most ids that an error names. */
const NAMED = 50;

/** The condition that a query finds nothing, and a query for the names that it finds. @param found what follows `select given.key` */
const nothingIn = (found: Sql): { condition: Sql; named: Sql } => ({
  condition: sql`not exists (select 1 ${found})`,
  named: sql`(select json_group_array(key) from (select given.key ${found} limit ${raw(NAMED)}))`,
});

/** The rows of a kind still have these versions by name; named are those that do not. */
export function haveVersions(kind: ConfigKind, versions: Record<string, number | null>) {
  const table = tables[kind];
  const row =
    kind === "https_edge_route"
      ? sql`${httpsEdgeRoutes.edge_id} = substr(given.key, 1, instr(given.key, '/') - 1) and ${httpsEdgeRoutes.id} = substr(given.key, instr(given.key, '/') + 1)`
      : sql`${table.id} = given.key`;
  return nothingIn(sql`from json_each(${JSON.stringify(versions)}) as given
    where (select ${table.version} from ${table} where ${row}) is not given.value`);
}

/** The objects still have exactly these users; named are those that do not. */
export const haveUsers = (users: Record<string, string[]>) =>
  nothingIn(sql`from json_each(${JSON.stringify(users)}) as given where given.value is not
    (select json_group_array(name) from (select ltrim(${uses.edge_id} || '/' || ${uses.user}, '/') as name
      from ${uses} where ${uses.target} = given.key order by ${uses.edge_id}, ${uses.user}))`);
