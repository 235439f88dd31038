import { type Cause, recorderOf } from "./events.ts";
import { ipPolicies as policies, ipPolicyRules as table } from "./schema.ts";
import { raw, type Sql, sql } from "./statements.ts";

/*
 * Expiry of IP policy rules: past `expires_at` a rule counts as absent, and is deleted soon.
 */

/** Rules deleted per statement. */
export const RULES_SWEPT_AT_ONCE = 200;

const recorder = recorderOf("ip_policy_rule", { table });

/**
 * Deletes expired rules, beginning with those that expired first, and records that: statements for one batch, of which the last
 * returns a row for each rule. Reads no other rules. A rule that was changed in the meantime and no longer expires stays.
 *
 * @param now RFC 3339, UTC
 */
export function sweepRules(now: string, cause: Cause): Sql[] {
  const ended = sql`select id from ${table} where expires_at <= ${now} order by expires_at, id limit ${raw(RULES_SWEPT_AT_ONCE)}`;
  return [
    recorder.rows(
      "deleted",
      {
        with: sql`ended as materialized (${ended})`,
        source: sql`from ended cross join ${table} on ${table.id} = ended.id`,
      },
      cause,
    ),
    sql`update ${policies} set version = version + gone.rules from (
        select ip_policy_id, count(*) as rules from ${table} where id in (${ended}) group by ip_policy_id
      ) as gone where ${policies.id} = gone.ip_policy_id`,
    sql`delete from ${table} where id in (${ended}) returning id`,
  ];
}
