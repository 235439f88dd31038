import { kinds } from "../../../packages/model/src/kinds.ts";
import type { StoredIpRestriction } from "../../db/column_types.ts";
import { httpsEdgeRoutes as routes, ipPolicyRules as rules, tcpEdges, tlsEdges } from "../../db/schema.ts";
import { decoded, raw, type Sql, sql, type Statement } from "../../db/statements.ts";
import { parsedAs } from "../../db/unchecked.ts";
import { byKey, type RowKey } from "../../db/uses.ts";

/*
 * Finds the rules that match an address. Rules store CIDRs in canonical form, so the index `ip_policy_rules_matches` is
 * searched for each network that contains the address, in each policy, however many rules exist. Expired rules are not read.
 */

/** A table of edges or routes with IP restrictions. */
export type RestrictedTable = typeof tcpEdges | typeof tlsEdges | typeof routes;

/**
 * Selects the ids of the different policies of an enabled IP restriction, if there are at most `most`; otherwise none. A
 * subquery with the column `id`.
 */
export function policiesOf(table: RestrictedTable, key: RowKey, most: number): Sql {
  const listed = sql`json_each(${table.ip_restriction}, '$.ip_policy_ids')`;
  return sql`select distinct json_each.value as id from ${table}, ${listed} where ${byKey({ table }, key)}
    and ${table.ip_restriction} ->> 'enabled' and (select count(distinct value) from ${listed}) <= ${most}`;
}

/** Selects the id of one policy, which need not exist: a subquery with the column `id`. */
export const policy = (id: string): Sql => sql`select ${id} as id`;

/** A rule that matches. */
export interface MatchingRule {
  id: string;
  ip_policy_id: string;
  cidr: string;
  action: string;
}

const found = sql`${rules} indexed by ip_policy_rules_matches`;

/** The pairs of a policy and a network for which there are rules. @param policies a subquery with the column `id` */
const hits = (policies: Sql, networks: string[]): Sql => sql`hit as materialized (
  select policy.id as policy, network.value as cidr
  from (${policies}) as policy cross join json_each(${JSON.stringify(networks)}) as network
  where exists (select 1 from ${found} where ${rules.cidr} = network.value and ${rules.ip_policy_id} = policy.id))`;

/**
 * Reads the rules of some policies for one of `networks` that have not expired, at most `limit` with each action, in no
 * particular order. Takes one lookup for each policy and network, and one more for each action where there are rules. Each
 * action has its own limit, so that no number of rules with one action hides those with the other.
 *
 * @param policies a subquery with the column `id`
 * @param networks in the form in which rules keep them
 * @param now RFC 3339, UTC
 */
export function matchingRules(
  policies: Sql,
  networks: string[],
  now: string,
  limit: number,
): Statement<MatchingRule> {
  return rulesOfHits(
    hits(policies, networks),
    (action) => sql`
    select ${rules.id}, ${rules.ip_policy_id}, ${rules.cidr}, ${rules.action} from hit cross join ${found}
    where ${isHit(action, now)} limit ${limit}`,
  );
}

/** The rule is one of a hit, has an action, and has not expired. */
const isHit = (action: Sql, now: string): Sql =>
  sql`${rules.cidr} = hit.cidr and ${rules.ip_policy_id} = hit.policy and ${rules.action} = ${action}
    and ifnull(${rules.expires_at}, 'never') > ${now}`;

/** Reads rules of hits: those that deny, and those that allow. */
const rulesOfHits = (hits: Sql, withAction: (action: Sql) => Sql): Statement<MatchingRule> =>
  decoded(
    sql`select * from (
      with ${hits}
      select * from (${withAction(raw("'deny'"))}) union all select * from (${withAction(raw("'allow'"))}))`,
    ({ id, ip_policy_id, cidr, action }) => ({
      id: String(id),
      ip_policy_id: String(ip_policy_id),
      cidr: String(cidr),
      action: String(action),
    }),
  );

/** An edge or a route on a page of all entrances. */
export interface EntranceRow {
  /** The edge; for a TCP or TLS edge, the same as `id`. */
  edge_id: string;
  id: string;
  restriction: StoredIpRestriction | null;
  /** False for a row that only shows that there is another page. */
  fits: boolean;
}

/** Which part of all entrances a page has. */
export interface EntranceQuery {
  limit: number;
  /** The key of the entrance that the page starts after: all keys sort after empty ones. */
  after: { edge_id: string; id: string };
  /** The most policies whose rules are looked up, unless the page is a single entrance. */
  most: number;
}

/** Sorts after every id. */
const lastKey = "~";

/** The TCP or TLS edges after an id, in the order of their ids. */
const entrancesIn = (table: typeof tcpEdges | typeof tlsEdges, after: string, limit: number): Sql =>
  sql`select * from (select id as edge_id, id, ip_restriction from ${table} where ${table.id} > ${after} order by id limit ${limit})`;

/** Selects a page of entrances and one more, in the order of their ids: HTTPS edge routes, TCP edges, TLS edges. */
function entrances({ limit, after, most }: EntranceQuery): Sql {
  const { edge_id, id } = after;
  const startIn = (prefix: string): string =>
    edge_id < prefix ? "" : edge_id.startsWith(prefix) ? edge_id : lastKey;
  const routesOf = startIn(kinds.https_edge.prefix);
  return sql`select * from (
    select *, sum(policies) over (order by edge_id, id rows unbounded preceding) as total from (
      select edge_id, id, ip_restriction,
        iif(ip_restriction ->> 'enabled', coalesce(json_array_length(ip_restriction, '$.ip_policy_ids'), 0), 0) as policies
      from (
        select * from (select edge_id, id, ip_restriction from ${routes}
          where (edge_id, id) > (${routesOf}, ${id}) and (created_at is not null or ip_restriction is not null)
          order by edge_id, id limit ${limit + 1})
        union all ${entrancesIn(tcpEdges, startIn(kinds.tcp_edge.prefix), limit + 1)}
        union all ${entrancesIn(tlsEdges, startIn(kinds.tls_edge.prefix), limit + 1)}
        limit ${limit + 1})))
    where total - policies <= ${most}`;
}

/** Reads a page of entrances and one more. */
export const entrancePage = (query: EntranceQuery): Statement<EntranceRow> =>
  decoded(
    sql`select edge_id, id, ip_restriction, total <= ${query.most} or total = policies as fits
      from (${entrances(query)}) order by edge_id, id`,
    ({ edge_id, id, ip_restriction, fits }) => ({
      edge_id: String(edge_id),
      id: String(id),
      restriction: typeof ip_restriction === "string" ? parsedAs<StoredIpRestriction>(ip_restriction) : null,
      fits: fits === 1,
    }),
  );

/**
 * Reads a matching rule with each action, if there is one, for each policy of a page of entrances. Takes the lookups of
 * {@link matchingRules}.
 */
export function entranceRules(
  query: EntranceQuery,
  networks: string[],
  now: string,
): Statement<MatchingRule> {
  const policies = sql`select distinct item.value as id from (${entrances(query)}) as entrance
    cross join json_each(entrance.ip_restriction, '$.ip_policy_ids') as item
    where entrance.policies > 0 and (entrance.total <= ${query.most} or entrance.total = entrance.policies)`;
  return rulesOfHits(
    hits(policies, networks),
    (action) => sql`
    select max(id) as id, ip_policy_id, cidr, ${action} as action from (
      select hit.policy as ip_policy_id, hit.cidr as cidr, (select ${rules.id} from ${found}
        where ${isHit(action, now)} limit 1) as id from hit)
    where id is not null group by ip_policy_id`,
  );
}
