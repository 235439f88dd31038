import { asc, lte, sql } from "drizzle-orm";
import { ipPolicyRules as table } from "./schema.ts";
import { draft, type Statement, statement, type Values } from "./statements.ts";

/*
 * Rules of IP policies that end: past `expires_at` a rule counts as absent, and is deleted soon.
 */

/** A rule that has ended. */
interface EndedRule {
  id: string;
  ip_policy_id: string;
}

/**
 * The rules that have ended, at most `limit`, beginning with those that ended first. Reads no others.
 *
 * @param now RFC 3339, UTC
 */
export const endedRules = (now: string, limit: number): Statement<EndedRule> => ({
  ...statement(
    "ended rules",
    () =>
      draft
        .select({ id: table.id, ip_policy_id: table.ip_policy_id })
        .from(table)
        .where(lte(table.expires_at, sql.placeholder("now")))
        .orderBy(asc(table.expires_at), asc(table.id))
        .limit(sql.placeholder("limit")),
    { now, limit },
  ),
  decode: ({ id, ip_policy_id }: Values) => ({ id: String(id), ip_policy_id: String(ip_policy_id) }),
});
