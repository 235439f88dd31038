import { API_RESTRICTION } from "../../packages/model/src/ids.ts";
import type { Role } from "../../packages/model/src/roles.ts";
import { apiRestrictions as table } from "./access_schema.ts";
import { events } from "./internal_schema.ts";
import { ipPolicyRules as rules } from "./schema.ts";
import { raw, sql, type Sql } from "./statements.ts";
import { parsedAs } from "./unchecked.ts";

/*
 * The restriction of the API by address, in terms of the database. There is at most one row.
 */

/** What the restriction says of one address. */
export interface Verdict {
  /** The roles that it applies to. */
  roles: Role[];
  /** Whether its policies let the address in. */
  isLetIn: boolean;
}

const isIt = sql`${table.id} = ${raw(`'${API_RESTRICTION}'`)}`;

/** There is no restriction, not even one that is disabled. */
export const isUnrestricted = sql`not exists (select 1 from ${table} where ${isIt})`;

const named = sql`json_each((select ${table.ip_policy_ids} from ${table} where ${isIt}))`;

/** A rule of the named policies for one of the networks. */
const matches = (networks: string, action: "allow" | "deny", condition: Sql): Sql => sql`exists (
  select 1 from ${named} as policy cross join json_each(${networks}) as network
    cross join ${rules} indexed by ip_policy_rules_matches
  where ${rules.cidr} = network.value and ${rules.ip_policy_id} = policy.value and ${rules.action} = ${raw(`'${action}'`)}
    and ${condition})`;

/**
 * The named policies let in an address: a rule allows it and no rule denies it.
 *
 * @param networks of the address, in the form in which rules keep them; none for an unknown address
 * @param now RFC 3339, UTC
 * @param isLasting only rules that never expire allow
 */
function letsIn(networks: readonly string[], now: string, isLasting: boolean): Sql {
  const list = JSON.stringify(networks);
  const inForce = sql`ifnull(${rules.expires_at}, 'never') > ${now}`;
  const allowing = isLasting ? sql`${rules.expires_at} is null` : inForce;
  return sql`(${matches(list, "allow", allowing)} and not ${matches(list, "deny", inForce)})`;
}

/** An expression for a {@link Verdict} as JSON; null if there is no restriction. */
export const verdictOn = (networks: readonly string[], now: string): Sql =>
  sql`(select json_object('roles', json(${table.roles}), 'isLetIn', json(iif(${letsIn(networks, now, false)}, 'true', 'false')))
    from ${table} where ${isIt} and ${table.enabled})`;

/** Reads a {@link Verdict}; null if there is no restriction. */
export const decodeVerdict = (verdict: unknown): Verdict | null => {
  if (typeof verdict !== "string") return null;
  const { roles, isLetIn } = parsedAs<Verdict>(verdict);
  return { roles, isLetIn };
};

/**
 * A caller with this role and address is let in.
 *
 * @param isLasting and not only until a rule expires
 */
export const letsInCaller = (role: Role, networks: readonly string[], now: string, isLasting: boolean): Sql =>
  sql`(not exists (select 1 from ${table} where ${isIt} and ${table.enabled} and exists (
    select 1 from json_each(${table.roles}) where json_each.value = ${role})) or ${letsIn(networks, now, isLasting)})`;

/** The events that a request has recorded: the newest, and those right before it. */
const eventsOf = (operation_id: string): Sql => sql`recursive own (seq, type, object_id, object) as (
  select seq, type, object_id, object from (select * from ${events} order by seq desc limit 1)
    where operation_id = ${operation_id}
  union all
  select earlier.seq, earlier.type, earlier.object_id, earlier.object from own
    cross join ${events} as earlier on earlier.seq = own.seq - 1 where earlier.operation_id = ${operation_id})`;

/**
 * A request has changed none of the named policies and none of their rules. A rule that is too long for the log does not say which
 * policy it belongs to, so it counts as theirs.
 */
export const leavesPolicies = (operation_id: string): Sql => sql`(${isUnrestricted} or not exists (
  with ${eventsOf(operation_id)}
  select 1 from own where type glob 'ip_policy_*' and (object ->> 'truncated' is not null
    or coalesce(object ->> 'ip_policy_id', object_id) in (select value from ${named}))))`;
