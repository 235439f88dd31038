import { type SQL, sql } from "drizzle-orm";
import { endUnless } from "./checks.ts";
import {
  certificateAuthorities,
  events,
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
} from "./schema.ts";
import { decoderOf, raw, type Statement, statement, type Values } from "./statements.ts";
import type { StoredUpstreamTls } from "./stored.ts";
import { asRow, parsedAs } from "./unchecked.ts";

/*
 * Everything that serving traffic needs, in one batch: edges and routes that are objects here, and what their enabled modules
 * reach.
 */

/** The number of the newest change. Reads one row. */
export const newestChange: Statement<number> = {
  ...statement("newest change", () => raw(sql`select max(seq) as seq from ${events}`), {}),
  decode: ({ seq }) => Number(seq ?? 0),
};

/** The most rules that are read. */
export const MOST_RULES = 250_000;

const isObject = sql`created_at is not null`;
const isServed = sql`hostports is not null`;

/** A module of edges of some tables, where it is enabled. */
const enabled = (module: string, tables: [SQL, SQL | undefined][]): SQL =>
  sql.join(
    tables.map(([table, condition]) => {
      const column = sql.identifier(module);
      return sql`select ${column} as module from ${table} where ${column} ->> 'enabled'${condition && sql` and ${condition}`}`;
    }),
    sql` union all `,
  );

const restrictions = enabled("ip_restriction", [
  [sql`${tcpEdges}`, undefined],
  [sql`${tlsEdges}`, undefined],
  [sql`${httpsEdgeRoutes}`, isObject],
]);
const targets = enabled("backend", [
  [sql`${tcpEdges}`, undefined],
  [sql`${tlsEdges}`, undefined],
  [sql`${httpsEdgeRoutes}`, isObject],
]);
const handshakes = enabled("mutual_tls", [
  [sql`${tlsEdges}`, undefined],
  [sql`${httpsEdges}`, isObject],
]);

const listedIn = (modules: SQL, path: string): SQL =>
  sql`select distinct item.value as id from (${modules}) cross join json_each(module, ${sql.raw(`'${path}'`)}) as item`;

const policies = sql`policy (id) as materialized (${listedIn(restrictions, "$.ip_policy_ids")})`;
const authorities = sql`authority (id) as materialized (${listedIn(handshakes, "$.certificate_authority_ids")})`;
const backends = sql`recursive target (id) as (
  select module ->> 'backend_id' from (${targets})
  union select child.value from target cross join ${failoverBackends} on ${failoverBackends.id} = target.id
    cross join json_each(${failoverBackends.backends}) as child
  union select child.key from target cross join ${weightedBackends} on ${weightedBackends.id} = target.id
    cross join json_each(${weightedBackends.backends}) as child)`;

/** Backends that are reached, each in the columns of its kind. */
const reached = sql`target
  left join ${staticBackends} on ${staticBackends.id} = target.id
  left join ${httpResponseBackends} on ${httpResponseBackends.id} = target.id
  left join ${failoverBackends} on ${failoverBackends.id} = target.id
  left join ${weightedBackends} on ${weightedBackends.id} = target.id`;

/** Bytes of texts; columns that are NULL count nothing. */
const bytesOf = (...columns: SQL[]): SQL =>
  sql.join(
    columns.map((column) => sql`total(octet_length(${column}))`),
    sql` + `,
  );
/** Bytes of an edge or a route in a snapshot besides these texts. */
const FRAME_BYTES = 200;

/** Bytes of edges or routes, which have these texts. */
const bytesIn = (table: SQL, condition: SQL, ...texts: string[]): SQL =>
  sql`select ${bytesOf(...texts.map((text) => sql`${sql.identifier(text)}`))} + ${sql.raw(String(FRAME_BYTES))} * count(*) as bytes
    from ${table} where ${condition}`;

/** Guard: what the other statements read has at most `most` bytes. It looks at lengths alone, and reads no long text. */
const fits = (most: number) => ({
  shape: "a snapshot that fits",
  sql: () => sql`(select sum(bytes) from (
    ${bytesIn(sql`${tcpEdges}`, isServed, "hostports", "traffic_policy", "ip_restriction")}
    union all ${bytesIn(sql`${tlsEdges}`, isServed, "hostports", "traffic_policy", "ip_restriction", "mutual_tls")}
    union all ${bytesIn(sql`${httpsEdges}`, sql`${isObject} and ${isServed}`, "hostports", "mutual_tls")}
    union all ${bytesIn(
      sql`${httpsEdgeRoutes}`,
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
      from authority cross join ${certificateAuthorities} on ${certificateAuthorities.id} = authority.id)) <= ${sql.placeholder("most")}`,
  values: { most },
});

/** An edge or a route, with the columns of its table that serving needs. */
const edgesIn = (name: string, table: SQL, selected: string, condition: SQL): Statement =>
  statement(
    `snapshot of ${name}`,
    () => raw(sql`select ${sql.raw(selected)} from ${table} where ${condition}`),
    {},
  );

const decodeTcp = decoderOf(tcpEdges);
const decodeTls = decoderOf(tlsEdges);
const decodeHttps = decoderOf(httpsEdges);
const decodeRoute = decoderOf(httpsEdgeRoutes);

/** A backend in the columns of its kind; all NULL if there is no such backend. */
export interface StoredReached {
  id: string;
  address: string | null;
  tls: StoredUpstreamTls | null;
  status_code: number | null;
  headers: Record<string, string> | null;
  body: string | null;
  failover: string | null;
  weighted: string | null;
  /** Children of a failover backend, in order; null also where it has none. */
  children: string[] | null;
  /** Weights by child. */
  weights: Record<string, number> | null;
}

/** {@link StoredReached} as D1 returns it, with JSON as text. */
interface ReachedRow extends Omit<StoredReached, "tls" | "headers" | "children" | "weights"> {
  tls: string | null;
  headers: string | null;
  children: string | null;
  weights: string | null;
}

/** The statements, each of which reads one part of the {@link StoredSnapshot}. */
const partsOf = (now: string) => ({
  version: newestChange,
  tcp: {
    ...edgesIn(
      "tcp edges",
      sql`${tcpEdges}`,
      "id, hostports, backend, ip_restriction, traffic_policy",
      isServed,
    ),
    decode: decodeTcp,
  },
  tls: {
    ...edgesIn(
      "tls edges",
      sql`${tlsEdges}`,
      "id, hostports, backend, ip_restriction, traffic_policy, mutual_tls, tls_termination",
      isServed,
    ),
    decode: decodeTls,
  },
  https: {
    ...edgesIn(
      "https edges",
      sql`${httpsEdges}`,
      "id, hostports, mutual_tls, tls_termination",
      sql`${isObject} and ${isServed}`,
    ),
    decode: decodeHttps,
  },
  routes: {
    ...edgesIn(
      "routes",
      sql`${httpsEdgeRoutes}`,
      `edge_id, id, match_type, match, backend, ip_restriction, traffic_policy, circuit_breaker, request_headers, response_headers,
        websocket_tcp_converter, compression, user_agent_filter,
        json_object('enabled', json(iif(webhook_verification ->> 'enabled', 'true', 'false'))) as webhook_verification`,
      isObject,
    ),
    decode: decodeRoute,
  },
  policies: {
    ...statement(
      "snapshot of policies",
      () =>
        raw(sql`select * from (with ${policies} select policy.id, exists (select 1 from ${ipPolicies} where id = policy.id) as is_there
          from policy order by id)`),
      {},
    ),
    decode: ({ id, is_there }: Values) => ({ id: String(id), isThere: is_there === 1 }),
  },
  rules: {
    ...statement(
      "snapshot of rules",
      () =>
        raw(sql`select * from (with ${policies}, numbered as materialized (select id, row_number() over (order by id) - 1 as place from policy)
          select numbered.place || iif(${ipPolicyRules.action} = 'deny', '-', '+') || ${ipPolicyRules.cidr} as rule
          from numbered cross join ${ipPolicyRules} on ${ipPolicyRules.ip_policy_id} = numbered.id
          where ifnull(${ipPolicyRules.expires_at}, 'never') > ${sql.placeholder("now")}
          limit ${sql.placeholder("most")})`),
      { now, most: MOST_RULES + 1 },
    ),
    /** `0+10.0.0.0/8`: place of the policy, `+` for allow and `-` for deny, range. One text, as there may be many. */
    decode: ({ rule }: Values) => String(rule),
  },
  backends: {
    ...statement(
      "snapshot of backends",
      () =>
        raw(sql`select * from (with ${backends} select target.id, ${staticBackends.address}, ${staticBackends.tls},
          ${httpResponseBackends.status_code}, ${httpResponseBackends.headers}, ${httpResponseBackends.body},
          ${failoverBackends.id} as failover, ${failoverBackends.backends} as children,
          ${weightedBackends.id} as weighted, ${weightedBackends.backends} as weights from ${reached})`),
      {},
    ),
    decode: (values: Values): StoredReached => {
      const row = asRow<ReachedRow>(values);
      return {
        ...row,
        tls: row.tls === null ? null : parsedAs<StoredUpstreamTls>(row.tls),
        headers: row.headers === null ? null : parsedAs<Record<string, string>>(row.headers),
        children: row.children === null ? null : parsedAs<string[]>(row.children),
        weights: row.weights === null ? null : parsedAs<Record<string, number>>(row.weights),
      };
    },
  },
  authorities: {
    ...statement(
      "snapshot of authorities",
      () =>
        raw(sql`select * from (with ${authorities} select ${certificateAuthorities.id}, ${certificateAuthorities.ca_pem}
          from authority cross join ${certificateAuthorities} on ${certificateAuthorities.id} = authority.id)`),
      {},
    ),
    decode: ({ id, ca_pem }: Values) => ({ id: String(id), ca_pem: String(ca_pem) }),
  },
});

type Parts = ReturnType<typeof partsOf>;

/** What is stored of everything that serving traffic needs: rows by part. */
export type StoredSnapshot = { [Part in keyof Parts]: ReturnType<Parts[Part]["decode"]>[] };

/**
 * Reads everything that serving traffic needs: statements for one batch, which ends if it has more than `most` bytes, and the
 * function that makes of their results what is stored.
 *
 * @param now RFC 3339, UTC: rules that have ended by then are left out
 */
export function snapshotStatements(
  now: string,
  most: number,
): { statements: Statement<unknown>[]; read: (results: Values[][]) => StoredSnapshot } {
  const parts = partsOf(now);
  const check = endUnless(0, [{ guard: fits(most) }]);
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
