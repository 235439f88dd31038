import { type SQL, sql } from "drizzle-orm";
import { endAnyway } from "./checks.ts";
import { type Cause, recordChange, recordRows } from "./events.ts";
import { userOf } from "./rows.ts";
import { events, ipPolicies as policies, ipPolicyRules as rules } from "./schema.ts";
import { raw, type Statement, statement, type Values } from "./statements.ts";

/*
 * The rules of a policy as a whole. Rules with the same CIDR and action are the same rule; of several, the oldest is kept. Each
 * statement handles all rules, and writes those only that differ.
 */

/** Moves the version of the policy of a rule that the statements before have changed, as the newest event tells. */
export const changePolicy = (): Statement[] => [
  statement(
    "change the policy of a rule",
    () =>
      raw(sql`update ${policies} set version = version + 1
        where id = (select object ->> 'ip_policy_id' from ${events} order by seq desc limit 1) and changes() > 0`),
    {},
  ),
];

/** The same for `count` rules, once for each. */
export const changePolicies = (count: number): Statement[] => [
  statement(
    "change the policies of rules",
    () =>
      raw(sql`update ${policies} set version = version + changed.rules from (
          select object ->> 'ip_policy_id' as ip_policy_id, count(*) as rules
          from (select object from ${events} order by seq desc limit ${sql.placeholder("count")}) group by 1
        ) as changed where ${policies.id} = changed.ip_policy_id`),
    { count },
  ),
];

/** A rule as it is to be; a new one has this id and this time. */
export interface WantedRule {
  id: string;
  created_at: string;
  cidr: string;
  action: string;
  description: string | null;
  metadata: string | null;
  expires_at: string | null;
}

/** What of a rule can differ while it stays the same rule. */
const CHANGED = ["description", "metadata", "expires_at"] as const;

const policy = sql.placeholder("ip_policy_id");
const item = (name: string): SQL => sql`(item.value ->> ${sql.raw(`'$.${name}'`)})`;

/** The rules that are wanted, and the oldest rule of each CIDR and action that is there. */
const both = sql`
  wanted as materialized (select ${sql.join(
    ["id", "created_at", "cidr", "action", ...CHANGED].map(
      (name) => sql`${item(name)} as ${sql.identifier(name)}`,
    ),
    sql`, `,
  )}, item.key as place from json_each(${sql.placeholder("wanted")}) as item),
  oldest as materialized (select min(id) as id, cidr, action from ${rules} where ip_policy_id = ${policy} group by cidr, action)`;

/** Ids of the rules that stay: of those to be changed too. */
const staying = sql`select oldest.id from wanted join oldest on oldest.cidr = wanted.cidr and oldest.action = wanted.action`;

const differs = sql.join(
  CHANGED.map((name) => sql`${rules}.${sql.identifier(name)} is not wanted.${sql.identifier(name)}`),
  sql` or `,
);
/** Rules that stay and differ, each with the wanted one. */
const changing = sql`from wanted cross join oldest on oldest.cidr = wanted.cidr and oldest.action = wanted.action
  cross join ${rules} on ${rules.id} = oldest.id where ${differs}`;

/** The events of the request: the newest, and those right before it. Reads no others, however long the log is. */
const own = sql`recursive own (seq, type) as (
  select seq, type from (select seq, type, operation_id from ${events} order by seq desc limit 1)
    where operation_id = ${sql.placeholder("operation_id")}
  union all
  select earlier.seq, earlier.type from own cross join ${events} as earlier on earlier.seq = own.seq - 1
    where earlier.operation_id = ${sql.placeholder("operation_id")})`;

/** How many of them tell that a rule was `verb`. */
const counted = (verb: string): SQL =>
  sql`count(*) filter (where type = ${sql.raw(`'ip_policy_rule_${verb}.v0'`)})`;

/**
 * Makes the rules of a policy those that are wanted: statements for one batch, without conditions of their own.
 *
 * @returns the statements, of which the last returns the counts and the policy's version; a dry run ends with the counts instead
 */
export function replaceRules(
  ip_policy_id: string,
  wanted: WantedRule[],
  cause: Cause,
  isDryRun: boolean,
): Statement[] {
  const values: Values = { ip_policy_id, wanted: JSON.stringify(wanted) };
  const { operation_id } = cause;
  const record = (
    verb: "created" | "updated" | "deleted",
    shape: string,
    source: SQL,
    object?: (own: SQL) => SQL,
  ) =>
    recordRows("ip_policy_rule", verb, rules, shape, values, cause, {
      with: both,
      source,
      ...(object && { object }),
    });
  const set = (name: string): SQL => sql`'$.${sql.raw(name)}', wanted.${sql.identifier(name)}`;
  const result = sql`select ${counted("created")} as created, ${counted("updated")} as updated, ${counted("deleted")} as deleted,
    (select version from ${policies} where id = ${policy}) as version from own`;
  return [
    record(
      "deleted",
      "rules that go",
      sql`from ${rules} where ip_policy_id = ${policy} and id not in (${staying})`,
    ),
    statement(
      "delete rules that go",
      () =>
        raw(sql`with ${both} delete from ${rules} where ip_policy_id = ${policy} and id not in (${staying})`),
      values,
    ),
    // Before the change, as nothing tells afterwards which rules were changed.
    record(
      "updated",
      "rules that change",
      changing,
      (row) =>
        sql`json_set(${row}, '$.version', ${rules.version} + 1, ${sql.join(CHANGED.map(set), sql`, `)})`,
    ),
    statement(
      "change rules",
      () =>
        raw(sql`with ${both}, changed as materialized (select ${rules.id} as id, ${sql.join(
          CHANGED.map((name) => sql`wanted.${sql.identifier(name)}`),
          sql`, `,
        )} ${changing})
          update ${rules} set version = ${rules.version} + 1, ${sql.join(
            CHANGED.map((name) => sql`${sql.identifier(name)} = changed.${sql.identifier(name)}`),
            sql`, `,
          )} from changed where ${rules.id} = changed.id`),
      values,
    ),
    statement(
      "insert rules",
      () =>
        raw(
          sql`with ${both} insert into ${rules} (id, created_at, cidr, action, ip_policy_id, ${sql.join(
            CHANGED.map((name) => sql`${sql.identifier(name)}`),
            sql`, `,
          )}) select wanted.id, created_at, wanted.cidr, wanted.action, ${policy}, ${sql.join(
            CHANGED.map((name) => sql`wanted.${sql.identifier(name)}`),
            sql`, `,
          )} from wanted where not exists (select 1 from oldest where oldest.cidr = wanted.cidr and oldest.action = wanted.action) order by place`,
        ),
      values,
    ),
    record("created", "rules that are new", sql`from wanted cross join ${rules} on ${rules.id} = wanted.id`),
    statement(
      "change the policy of changed rules",
      () =>
        raw(sql`update ${policies} set version = version + 1 where id = ${policy}
          and (select operation_id from ${events} order by seq desc limit 1) = ${sql.placeholder("operation_id")}`),
      { ip_policy_id, operation_id },
    ),
    recordChange("ip_policy", "updated", userOf(policies, {}), {}, { id: ip_policy_id }, cause),
    isDryRun
      ? endAnyway(
          sql`with ${own} select json_array(created, updated, deleted) from (${result})`,
          { ip_policy_id, operation_id },
          "with counts",
        )
      : statement("count rules", () => raw(sql`with ${own} ${result}`), { ip_policy_id, operation_id }),
  ];
}
