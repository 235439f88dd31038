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
import { and, decoded, join, raw, type Sql, sql, type Statement } from "../../db/statements.ts";
import { parsedAs } from "../../db/unchecked.ts";
import { type ConfigKind, tables } from "./world.ts";

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

/** Reads the hostports of all edges that are managed here. */
export const hostportsOf: [isTcp: boolean, statement: Sql][] = [
  [true, sql`select id, hostports from ${tcpEdges} where hostports is not null ${atMost}`],
  [false, sql`select id, hostports from ${tlsEdges} where hostports is not null ${atMost}`],
  [
    false,
    sql`select id, hostports from ${httpsEdges} where hostports is not null and created_at is not null ${atMost}`,
  ],
];

/** Where edges listen before or after some writes, if the writes change that. */
export interface Points {
  /** Ports, as text. */
  ports: string[];
  /** Those on which a TCP edge listens. */
  tcp: string[];
  /** `host:port` in lower case, without a dot before the colon. */
  names: string[];
}

/**
 * Selects, as a JSON list in order, `ID HOSTPORT` of each edge that could get what others claim at some points. Addresses in
 * brackets can be written in several ways, so all of them count. So does every edge on a port on which a TCP edge listens: a
 * TCP edge that gets the port takes it from all others.
 */
const claimants = ({ ports, tcp, names }: Points): Sql => {
  const value = raw("claim.value");
  const isOn = (some: Sql) =>
    sql`exists (select 1 from ${some} as port where ${value} like '%:' || port.value)`;
  const given = sql`json_each(${JSON.stringify(ports)})`;
  const contested = sql`select port.value from ${given} as port where port.value in (${list(tcp)}) or exists (
    select 1 from ${tcpEdges}, json_each(${tcpEdges.hostports}) as claim where ${value} like '%:' || port.value)`;
  const isNamed = sql`replace(lower(${value}), '.:', ':') in (${list(names)})`;
  const isContending = sql`(${isOn(raw("contested"))} or (${isOn(given)} and (${value} like '[%' or ${isNamed})))`;
  const from = (table: typeof tcpEdges | typeof tlsEdges | typeof httpsEdges, condition: Sql) =>
    sql`select ${table.id} || ' ' || ${value} as pair from ${table}, json_each(${table.hostports}) as claim where ${condition}`;
  const all = [
    from(tcpEdges, isOn(given)),
    from(tlsEdges, isContending),
    from(httpsEdges, and(sql`created_at is not null`, isContending)),
  ];
  return sql`with contested (value) as materialized (${contested})
    select json_group_array(pair) from (select pair from (${join(all, " union all ")}) order by pair)`;
};

/** What a plan depends on: who claims hostports that it changes. */
export interface Claims {
  points: Points;
  /** As {@link claimants} selects them. */
  pairs: string[];
}

/** Reads {@link Claims.pairs}. */
export const claimed = (points: Points): Statement<string[]> =>
  decoded(sql`select (${claimants(points)}) as pairs`, ({ pairs }) => parsedAs<string[]>(String(pairs)));

/** The condition that claims are as they were. */
export const areClaimed = ({ points, pairs }: Claims): Sql =>
  sql`(${claimants(points)}) = ${JSON.stringify(pairs)}`;

/** The rows of a kind still have these versions by name, and a query for the names of those that do not. */
export function haveVersions(
  kind: ConfigKind,
  versions: Record<string, number | null>,
  most: number,
): { condition: Sql; named: Sql } {
  const table = tables[kind];
  const found =
    kind === "https_edge_route"
      ? sql`(${httpsEdgeRoutes.edge_id} || '/' || ${httpsEdgeRoutes.id})`
      : sql`${table.id}`;
  const row =
    kind === "https_edge_route"
      ? sql`${httpsEdgeRoutes.edge_id} = substr(given.key, 1, instr(given.key, '/') - 1) and ${httpsEdgeRoutes.id} = substr(given.key, instr(given.key, '/') + 1)`
      : sql`${found} = given.key`;
  const others = sql`from json_each(${JSON.stringify(versions)}) as given
    where (select ${table.version} from ${table} where ${row}) is not given.value`;
  return {
    condition: sql`not exists (select 1 ${others})`,
    named: sql`(select json_group_array(key) from (select given.key ${others} limit ${raw(most)}))`,
  };
}

/** The objects still have exactly these users, and a query for those that do not. */
export function haveUsers(users: Record<string, string[]>, most: number): { condition: Sql; named: Sql } {
  const others = sql`from json_each(${JSON.stringify(users)}) as given where given.value is not
    (select json_group_array(name) from (select ltrim(${uses.edge_id} || '/' || ${uses.user}, '/') as name
      from ${uses} where ${uses.target} = given.key order by ${uses.edge_id}, ${uses.user}))`;
  return {
    condition: sql`not exists (select 1 ${others})`,
    named: sql`(select json_group_array(key) from (select given.key ${others} limit ${raw(most)}))`,
  };
}
