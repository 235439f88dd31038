import type { Verb } from "../../packages/model/src/event_types.ts";
import type { Kind } from "../../packages/model/src/kinds.ts";
import type { Changes } from "../../packages/model/src/traffic/changes.ts";
import type { StoredSnapshot } from "../../packages/model/src/traffic/stored_snapshot.ts";
import { eventType } from "../db/event_writes.ts";
import { events } from "../db/internal_schema.ts";
import { httpsEdgeRoutes, httpsEdges, ipPolicyRules } from "../db/schema.ts";
import { decoded, raw, type Sql, sql, type Statement, type Values } from "../db/statements.ts";
import {
  isServedType,
  newestServed,
  type Scope,
  snapshotStatements,
  WITH_EXPIRED,
} from "./snapshot_reads.ts";

/*
 * Reads what has changed since a version, in one batch: the events since then, and the rows that they are of, as they are now.
 */

/** The most events whose rows are read. After more changes, everything is read again. */
const MOST_EVENTS = 256;
/** The most events of other kinds, among which these are found. */
const EXAMINED = 1_000;

const typeOf = (kind: Kind, verb: Verb): Sql => raw(`'${eventType(kind, verb)}'`);

/** The events since a version that are of something that a snapshot holds. */
const touchedSince = (version: number): Sql => sql`(select type, object_id, object from ${events}
  where seq > ${version} and seq <= ${version + EXAMINED} and ${isServedType}
  order by seq limit ${raw(MOST_EVENTS + 1)})`;

/** The objects that events are of. A policy is read with its rules if it is new, or if the old range of a rule is not known. */
function scopeOf(touched: Sql): Scope {
  const ids = sql`select object_id from ${touched}`;
  const pairs = sql`select object ->> '$.edge_id' as edge_id, object_id as id from ${touched} where object_id like 'edghtsrt!_%' escape '!'
    union select ${httpsEdgeRoutes.edge_id}, ${httpsEdgeRoutes.id} from ${touched} as event cross join ${httpsEdgeRoutes}
      on ${httpsEdgeRoutes.edge_id} = event.object_id`;
  return {
    edges: sql`id in (${ids})`,
    // An edge that had no hostport comes with its routes. Both columns of the key are looked up: SQLite would read all routes for
    // pairs, and all edges for `edge_id in (select id from https_edges …)`.
    routes: sql`edge_id in (select edge_id from (${pairs})) and id in (select id from (${pairs})) and (edge_id, id) in (${pairs})
      and exists (select 1 from ${httpsEdges} as edge where edge.id = edge_id and edge.created_at is not null and edge.hostports is not null)`,
    policies: sql`select object_id from ${touched} where type = ${typeOf("ip_policy", "created")}
      union select object ->> '$.ip_policy_id' from ${touched} where type = ${typeOf("ip_policy_rule", "updated")}`,
    backends: sql`select distinct object_id from ${touched} where object_id like 'bkd%'`,
    authorities: sql`select distinct object_id from ${touched}`,
  };
}

/** A row of the statement that lists what events are of. */
interface Touched {
  type: string;
  id: string;
  /** For rules: their policy, action and range, and whether the policy has such a rule now. */
  policy: string | null;
  action: string | null;
  cidr: string | null;
  isThere: boolean;
  /** When the last of these rules ends; null if one does not. */
  end: string | null;
}

const textOrNull = (value: unknown): string | null => (typeof value === "string" ? value : null);

/** What changed since a version: unknown (`gone`), nothing, or a list. */
type Found =
  | { is: "gone" }
  | { is: "nothing" }
  | { is: "changed"; stored: StoredSnapshot; changes: Pick<Changes, "rules" | "deleted"> };

/**
 * Reads what has changed since a version: statements for one batch, and the function that decodes their results.
 *
 * @param most the batch ends if there are more bytes
 */
export function changeStatements(
  since: number,
  most: number,
): { statements: Statement<unknown>[]; read: (results: Values[][]) => Found } {
  const touched = touchedSince(since);
  const bounds = decoded(
    sql`select ${newestServed} as version, (select min(seq) from ${events}) as oldest, (select max(seq) from ${events}) as newest`,
    ({ version, oldest, newest }) => ({
      version: Number(version),
      oldest: Number(oldest),
      newest: Number(newest),
    }),
  );
  const isRule = sql`event.type like 'ip_policy_rule!_%' escape '!'`;
  const list = decoded(
    sql`select event.type as type, event.object_id as id, iif(${isRule}, event.object ->> '$.ip_policy_id', null) as policy,
        iif(${isRule}, event.object ->> '$.action', null) as action, iif(${isRule}, event.object ->> '$.cidr', null) as cidr,
        iif(${isRule}, (select max(ifnull(${ipPolicyRules.expires_at}, 'never')) from ${ipPolicyRules}
          where ${ipPolicyRules.cidr} = event.object ->> '$.cidr'
          and ${ipPolicyRules.ip_policy_id} = event.object ->> '$.ip_policy_id'
          and ${ipPolicyRules.action} = event.object ->> '$.action'), null) as end
      from ${touched} as event`,
    ({ type, id, policy, action, cidr, end }): Touched => ({
      type: String(type),
      id: String(id),
      policy: textOrNull(policy),
      action: textOrNull(action),
      cidr: textOrNull(cidr),
      isThere: end !== null,
      end: end === "never" ? null : textOrNull(end),
    }),
  );
  const rows = snapshotStatements(WITH_EXPIRED, most, scopeOf(touched));
  return {
    statements: [bounds, list, ...rows.statements],
    read: ([first = [], second = [], ...rest]) => {
      const [known] = first.map(bounds.decode);
      if (!known || known.version <= since) return { is: "nothing" };
      const all = second.map(list.decode);
      const isLong = known.newest - since > EXAMINED || all.length > MOST_EVENTS;
      if (isLong || since < known.oldest - 1) return { is: "gone" };
      const stored = rows.read(rest);
      if (!stored) return { is: "gone" };
      return { is: "changed", stored, changes: differences(all, stored) };
    },
  };
}

function differences(touched: Touched[], stored: StoredSnapshot): Pick<Changes, "rules" | "deleted"> {
  const whole = new Set(stored.policies.map(({ id }) => id));
  const policyDeleted = eventType("ip_policy", "deleted");
  const found = new Set(
    [stored.tcp, stored.tls, stored.https, stored.routes, stored.backends, stored.authorities].flatMap(
      (section) => section.map(({ id }) => id),
    ),
  );
  const isGone = ({ type, id, policy }: Touched): boolean => {
    if (policy !== null) return false;
    return type.startsWith("ip_policy_") ? type === policyDeleted && !whole.has(id) : !found.has(id);
  };
  const deleted = new Set(touched.filter(isGone).map(({ id }) => id));
  const rules = new Map<string, Changes["rules"][number]>();
  for (const { policy, action, cidr, isThere, end } of touched) {
    if (policy === null || cidr === null || whole.has(policy) || deleted.has(policy)) continue;
    const changed = rules.get(policy) ?? {
      policy,
      allow: { add: [], remove: [] },
      deny: { add: [], remove: [] },
    };
    rules.set(policy, changed);
    const list = changed[action === "deny" ? "deny" : "allow"];
    const ranges = list[isThere ? "add" : "remove"];
    if (!ranges.includes(cidr)) ranges.push(cidr);
    if (end !== null) list.expires_at = { ...list.expires_at, [cidr]: end };
  }
  return { rules: [...rules.values()], deleted: [...deleted] };
}
