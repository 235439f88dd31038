import { sql } from "drizzle-orm";
import { type Cause, recordRows } from "./events.ts";
import { ipPolicies as policies, ipPolicyRules as table } from "./schema.ts";
import { raw, type Statement, statement } from "./statements.ts";

/*
 * Rules of IP policies that end: past `expires_at` a rule counts as absent, and is deleted soon.
 */

/** Rules deleted per statement. */
export const RULES_SWEPT_AT_ONCE = 200;

/** The rules that have ended, beginning with those that ended first. Reads no others. */
const ended = sql`select id from ${table} where expires_at <= ${sql.placeholder("ended_at")} order by expires_at, id limit ${sql.raw(String(RULES_SWEPT_AT_ONCE))}`;

/**
 * Deletes rules that have ended, and records that: statements for one batch, of which the last returns a row for each rule. A
 * rule that was changed meanwhile, so that it does not end any more, stays.
 *
 * @param now RFC 3339, UTC
 */
export function sweepRules(now: string, cause: Cause): Statement[] {
  const values = { ended_at: now };
  return [
    recordRows("ip_policy_rule", "deleted", table, "that have ended", values, cause, {
      with: sql`ended as materialized (${ended})`,
      source: sql`from ended cross join ${table} on ${table.id} = ended.id`,
    }),
    statement(
      "change the policies of rules that have ended",
      () =>
        raw(sql`update ${policies} set version = version + gone.rules from (
            select ip_policy_id, count(*) as rules from ${table} where id in (${ended}) group by ip_policy_id
          ) as gone where ${policies.id} = gone.ip_policy_id`),
      values,
    ),
    statement(
      "sweep rules",
      () => raw(sql`delete from ${table} where id in (${ended}) returning id`),
      values,
    ),
  ];
}
