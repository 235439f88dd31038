import { and, eq, getTableName, type SQL, sql } from "drizzle-orm";
import type { Key } from "./rows.ts";
import { type httpsEdgeRoutes, ipPolicyRules as rules, type tcpEdges, type tlsEdges } from "./schema.ts";
import { combined, raw, type Statement, statement, type Values } from "./statements.ts";

/*
 * Which rules match an address. Rules keep CIDRs in canonical form, so that an address is found by looking up each network
 * that it lies in, in each policy, by the index `ip_policy_rules_matches`, however many rules there are. A rule that has ended
 * is not even read.
 */

/** A table of edges or routes with IP restrictions. */
export type RestrictedTable = typeof tcpEdges | typeof tlsEdges | typeof httpsEdgeRoutes;

/** The policies whose rules count: a subquery with the column `id`. */
export interface PolicySource {
  shape: string;
  sql: () => SQL;
  values: Values;
}

const rowOf = (table: RestrictedTable): SQL | undefined =>
  and(
    "edge_id" in table ? eq(table.edge_id, sql.placeholder("edge_id")) : undefined,
    eq(table.id, sql.placeholder("id")),
  );

/** The different policies of an enabled IP restriction, if there are at most `most`; else none. */
export const policiesOf = (table: RestrictedTable, key: Key, most: number): PolicySource => ({
  shape: getTableName(table),
  sql: () => {
    const listed = sql`json_each(${table.ip_restriction}, '$.ip_policy_ids')`;
    return sql`select distinct json_each.value as id from ${table}, ${listed} where ${rowOf(table)}
      and ${table.ip_restriction} ->> 'enabled' and (select count(distinct value) from ${listed}) <= ${sql.placeholder("most")}`;
  },
  values: { ...key, most },
});

/** One policy, of which it does not matter whether it exists. */
export const policy = (id: string): PolicySource => ({
  shape: "a policy",
  sql: () => sql`select ${sql.placeholder("id")} as id`,
  values: { id },
});

/** A rule that matches. */
export interface MatchingRule {
  id: string;
  ip_policy_id: string;
  cidr: string;
  action: string;
}

/**
 * Reads the rules of some policies for one of `networks` that have not ended, at most `limit` with each action, in no order.
 * One look-up for each policy and network, and one more for each action where there are rules. Each action has a limit of its
 * own, so that no number of one hides the other.
 *
 * @param networks in the form in which rules keep them
 * @param now RFC 3339, UTC
 */
export const matchingRules = (
  policies: PolicySource,
  networks: string[],
  now: string,
  limit: number,
): Statement<MatchingRule> => ({
  ...statement(
    `matching rules of ${policies.shape}`,
    () => {
      const found = sql`${rules} indexed by ip_policy_rules_matches`;
      const withAction = (action: "allow" | "deny") => sql`select * from (
        select ${rules.id}, ${rules.ip_policy_id}, ${rules.cidr}, ${rules.action} from hit cross join ${found}
        where ${rules.cidr} = hit.cidr and ${rules.ip_policy_id} = hit.policy and ${rules.action} = ${sql.raw(`'${action}'`)}
        and ifnull(${rules.expires_at}, 'never') > ${sql.placeholder("now")}
        limit ${sql.placeholder("limit")})`;
      return raw(sql`select * from (
        with hit as materialized (
          select policy.id as policy, network.value as cidr
          from (${policies.sql()}) as policy cross join json_each(${sql.placeholder("networks")}) as network
          where exists (select 1 from ${found} where ${rules.cidr} = network.value and ${rules.ip_policy_id} = policy.id))
        ${withAction("deny")} union all ${withAction("allow")})`);
    },
    combined(policies.values, { networks: JSON.stringify(networks), now, limit }),
  ),
  decode: ({ id, ip_policy_id, cidr, action }: Values) => ({
    id: String(id),
    ip_policy_id: String(ip_policy_id),
    cidr: String(cidr),
    action: String(action),
  }),
});
