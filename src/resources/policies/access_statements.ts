import {
  type httpsEdgeRoutes,
  ipPolicyRules as rules,
  type tcpEdges,
  type tlsEdges,
} from "../../db/schema.ts";
import { decoded, raw, type Sql, sql, type Statement } from "../../db/statements.ts";
import { byKey, type Key } from "../../db/uses.ts";

/*
 * Finds the rules that match an address. Rules store CIDRs in canonical form, so the index `ip_policy_rules_matches` is
 * searched for each network that contains the address, in each policy, however many rules exist. Expired rules are not read.
 */

/** A table of edges or routes with IP restrictions. */
export type RestrictedTable = typeof tcpEdges | typeof tlsEdges | typeof httpsEdgeRoutes;

/**
 * Selects the ids of the different policies of an enabled IP restriction, if there are at most `most`; otherwise none. A
 * subquery with the column `id`.
 */
export function policiesOf(table: RestrictedTable, key: Key, most: number): Sql {
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
  const withAction = (action: "allow" | "deny") => sql`select * from (
    select ${rules.id}, ${rules.ip_policy_id}, ${rules.cidr}, ${rules.action} from hit cross join ${found}
    where ${rules.cidr} = hit.cidr and ${rules.ip_policy_id} = hit.policy and ${rules.action} = ${raw(`'${action}'`)}
    and ifnull(${rules.expires_at}, 'never') > ${now}
    limit ${limit})`;
  return decoded(
    sql`select * from (
      with hit as materialized (
        select policy.id as policy, network.value as cidr
        from (${policies}) as policy cross join json_each(${JSON.stringify(networks)}) as network
        where exists (select 1 from ${found} where ${rules.cidr} = network.value and ${rules.ip_policy_id} = policy.id))
      ${withAction("deny")} union all ${withAction("allow")})`,
    ({ id, ip_policy_id, cidr, action }) => ({
      id: String(id),
      ip_policy_id: String(ip_policy_id),
      cidr: String(cidr),
      action: String(action),
    }),
  );
}
