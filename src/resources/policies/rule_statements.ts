import { type Cause, recorderOf } from "../../db/event_writes.ts";
import { events } from "../../db/internal_schema.ts";
import { userOf } from "../../db/rows.ts";
import { ipPolicies as policies, ipPolicyRules as rules, ipPolicyRules as table } from "../../db/schema.ts";
import { bare, join, raw, sql, type Sql } from "../../db/statements.ts";

/*
 * Replaces all rules of a policy. Rules with the same CIDR and action count as the same rule; if there are several, the oldest
 * is kept. Each statement handles all rules, and writes only those that differ.
 *
 * For example, a policy has the rules a (allow 10.0.0.0/8, "old") and b (deny 192.0.2.0/24), and is sent allow 10.0.0.0/8, "new", and allow
 * 2001:db8::/32. The statements, in order: the event of b's deletion; the deletion; the event of a's change; the change; the insertion
 * of c; its event; the policy's next version; the policy's event. The counts are 1 created, 1 updated and 1 deleted.
 */

const ofRules = recorderOf("ip_policy_rule", userOf(rules, {}));
const ofPolicies = recorderOf("ip_policy", userOf(policies, {}));

/** Increments the version of the policy whose rule was just changed, according to the newest event. */
export const changePolicy = (): Sql[] => [
  sql`update ${policies} set version = version + 1
    where id = (select object ->> 'ip_policy_id' from ${events} order by seq desc limit 1) and changes() > 0`,
];

/** {@link changePolicy} for the last `count` changed rules: one increment each. */
export const changePolicies = (count: number): Sql[] => [
  sql`update ${policies} set version = version + changed.rules from (
      select object ->> 'ip_policy_id' as ip_policy_id, count(*) as rules
      from (select object from ${events} order by seq desc limit ${count}) group by 1
    ) as changed where ${policies.id} = changed.ip_policy_id`,
];

/** A rule as wanted. The id and the time are for a rule that does not exist yet. */
export interface WantedRule {
  id: string;
  created_at: string;
  cidr: string;
  action: string;
  description: string | null;
  metadata: string | null;
  expires_at: string | null;
}

/** The columns that can change while a rule remains the same rule. */
const CHANGED = ["description", "metadata", "expires_at"] as const;

const changedOf = (make: (name: Sql) => Sql, separator?: string): Sql =>
  join(
    CHANGED.map((name) => make(bare(name))),
    separator,
  );

/** Rules that remain but differ, each with the wanted one. */
const changing = sql`from wanted cross join oldest on oldest.cidr = wanted.cidr and oldest.action = wanted.action
  cross join ${rules} on ${rules.id} = oldest.id where ${changedOf((name) => sql`${rules}.${name} is not wanted.${name}`, " or ")}`;

const changingObject = (row: Sql): Sql =>
  sql`json_set(${row}, '$.version', ${rules.version} + 1, ${raw(CHANGED.map((name) => `'$.${name}', wanted."${name}"`).join())})`;

/** Columns of a wanted rule, from its JSON. */
const wantedColumns = raw(
  ["id", "created_at", "cidr", "action", ...CHANGED]
    .map((name) => `item.value ->> '$.${name}' as "${name}"`)
    .join(),
);

/** The events of the request: the newest, and those right before it. Reads no others, however long the log is. */
const eventsOf = (operation_id: string): Sql => sql`recursive own (seq, type) as (
  select seq, type from (select seq, type, operation_id from ${events} order by seq desc limit 1)
    where operation_id = ${operation_id}
  union all
  select earlier.seq, earlier.type from own cross join ${events} as earlier on earlier.seq = own.seq - 1
    where earlier.operation_id = ${operation_id})`;

/** How many of these events record that a rule was `verb`. */
const counted = (verb: string): Sql =>
  raw(`count(*) filter (where type = 'ip_policy_rule_${verb}.v0') as ${verb}`);

const counts = join(["created", "updated", "deleted"].map(counted));

/** How many rules the request has `created`, `updated` and `deleted`, and the `version` of the policy. */
export const countsOf = (ip_policy_id: string, { operation_id }: Cause): Sql =>
  sql`with ${eventsOf(operation_id)} select ${counts}, (select version from ${policies} where id = ${ip_policy_id}) as version from own`;

/** The `version` of the policy, for an operation of a transaction, which shows no counts. */
export const versionOf = (ip_policy_id: string): Sql =>
  sql`select version from ${policies} where id = ${ip_policy_id}`;

/** The same counts as a JSON list. */
export const countsList = ({ operation_id }: Cause): Sql =>
  sql`with ${eventsOf(operation_id)} select json_array(created, updated, deleted) from (select ${counts} from own)`;

/**
 * Replaces the rules of a policy with the wanted ones: statements for one batch.
 */
export function replaceRules(ip_policy_id: string, wanted: WantedRule[], cause: Cause): Sql[] {
  const { operation_id } = cause;
  const list = JSON.stringify(wanted);
  /** The wanted rules, and the oldest existing rule for each CIDR and action. */
  const both = sql`wanted as materialized (select ${wantedColumns}, item.key as place from json_each(${list}) as item),
    oldest as materialized (select min(id) as id, cidr, action from ${rules} where ip_policy_id = ${ip_policy_id} group by cidr, action)`;
  /** Rules of the policy that are deleted. */
  const going = sql`from ${rules} where ip_policy_id = ${ip_policy_id} and id not in (
    select oldest.id from wanted join oldest on oldest.cidr = wanted.cidr and oldest.action = wanted.action)`;
  return [
    ofRules.rows("deleted", { with: both, source: going }, cause),
    sql`with ${both} delete ${going}`,
    // Before the change, because afterwards nothing shows which rules were changed.
    ofRules.rows("updated", { with: both, source: changing, object: changingObject }, cause),
    sql`with ${both}, changed as materialized (select ${rules.id} as id, ${changedOf((name) => sql`wanted.${name}`)} ${changing})
      update ${rules} set version = ${rules.version} + 1, ${changedOf((name) => sql`${name} = changed.${name}`)}
      from changed where ${rules.id} = changed.id`,
    sql`with ${both} insert into ${rules} (id, created_at, cidr, action, ip_policy_id, ${changedOf((name) => name)})
      select wanted.id, created_at, wanted.cidr, wanted.action, ${ip_policy_id}, ${changedOf((name) => sql`wanted.${name}`)}
      from wanted where not exists (select 1 from oldest where oldest.cidr = wanted.cidr and oldest.action = wanted.action) order by place`,
    ofRules.rows(
      "created",
      { with: both, source: sql`from wanted cross join ${rules} on ${rules.id} = wanted.id` },
      cause,
    ),
    // Other operations of the same request may have recorded events of other objects.
    sql`update ${policies} set version = version + 1 where id = ${ip_policy_id} and exists (
      select 1 from (select operation_id, type, object from ${events} order by seq desc limit 1)
      where operation_id = ${operation_id} and type glob 'ip_policy_rule_*' and object ->> 'ip_policy_id' = ${ip_policy_id})`,
    ofPolicies.change("updated", sql`${policies.id} = ${ip_policy_id}`, cause, {}, { rules_replaced: true }),
  ];
}

/*
 * Expiry of IP policy rules: after `expires_at` a rule has no effect, and is soon deleted.
 */

/** Rules deleted per statement. */
export const RULES_SWEPT_AT_ONCE = 200;

const recorder = recorderOf("ip_policy_rule", { table });

/**
 * Deletes the rules that expired first, and records the deletions: statements for one batch, the last of which
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
