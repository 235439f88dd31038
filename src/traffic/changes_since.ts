import type { Verb } from "../../packages/model/src/event_types.ts";
import type { Kind } from "../../packages/model/src/kinds.ts";
import type { Changes } from "../../packages/model/src/traffic/changes.ts";
import { noLists, type StoredSnapshot } from "../../packages/model/src/traffic/stored_snapshot.ts";
import { eventType } from "../db/event_writes.ts";
import { events } from "../db/internal_schema.ts";
import { httpsEdgeRoutes, httpsEdges, ipPolicyRules } from "../db/schema.ts";
import { decoded, raw, type Sql, sql, type Statement, type Values } from "../db/statements.ts";
import {
  isServedType,
  newestServed,
  type Read,
  type Scope,
  snapshotStatements,
  usedBy,
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

/** The objects that events are of, and everything that they use: an outline need not have what was not used. */
function outlinedScopeOf(touched: readonly LoggedChange[]): Scope {
  const listed = (items: unknown[]): Sql => sql`json_each(${JSON.stringify(items)})`;
  const idsOf = (form: RegExp): string[] => touched.map(({ id }) => id).filter((id) => form.test(id));
  /** A table-valued function takes a row each time, so it is only called for several ids. */
  const isIn = (column: Sql, ids: string[]): Sql => {
    const [first, second] = ids;
    if (second !== undefined) return sql`${column} in (select value from ${listed(ids)})`;
    return first === undefined ? sql`false` : sql`${column} = ${first}`;
  };
  const and = (form: RegExp, used: Sql): Sql => {
    const ids = idsOf(form);
    return ids.length === 0 ? used : sql`select value from ${listed(ids)} union ${used}`;
  };
  const routes = touched.filter(({ edge }) => edge !== null);
  const used = usedBy({
    edges: isIn(sql`id`, idsOf(/^edg(?:tcp|tls|hts)_/)),
    routes: sql`${isIn(
      sql`edge_id`,
      routes.map(({ edge }) => edge ?? ""),
    )} and ${isIn(
      sql`id`,
      routes.map(({ id }) => id),
    )}`,
  });
  return {
    ...used,
    policies: and(/^ipp_/, used.policies),
    backends: and(/^bkd/, used.backends),
    authorities: and(/^ca_/, used.authorities),
    isOutline: true,
  };
}

/** A row of the statement that lists what events are of. */
export interface LoggedChange {
  type: string;
  id: string;
  /** For routes: their edge. */
  edge: string | null;
  /** For rules: their policy, action and range, and whether the policy has such a rule now. */
  policy: string | null;
  action: string | null;
  cidr: string | null;
  isThere: boolean;
  /** When the last of these rules ends; null if one does not. */
  end: string | null;
}

const textOrNull = (value: unknown): string | null => (typeof value === "string" ? value : null);

/** What changed since a version: unknown (`gone`), nothing, or the objects of some events, as they are now. */
type Found =
  | { is: "gone" }
  | { is: "nothing"; version: number | undefined }
  | ({ is: "changed"; touched: LoggedChange[] } & Read);

/**
 * Reads what has changed since a version: statements for one batch, and the function that decodes their results.
 *
 * @param most the batch ends if there are more bytes
 * @param expected reads an outline of the objects of these events instead, and of what they use: see {@link outlineAfter}
 */
export function changeStatements(
  since: number,
  most: number,
  expected?: readonly LoggedChange[],
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
    sql`select event.type as type, event.object_id as id, event.object ->> '$.edge_id' as edge, iif(${isRule}, event.object ->> '$.ip_policy_id', null) as policy,
        iif(${isRule}, event.object ->> '$.action', null) as action, iif(${isRule}, event.object ->> '$.cidr', null) as cidr,
        iif(${isRule}, (select max(ifnull(${ipPolicyRules.expires_at}, 'never')) from ${ipPolicyRules}
          where ${ipPolicyRules.cidr} = event.object ->> '$.cidr'
          and ${ipPolicyRules.ip_policy_id} = event.object ->> '$.ip_policy_id'
          and ${ipPolicyRules.action} = event.object ->> '$.action'), null) as end
      from ${touched} as event`,
    ({ type, id, edge, policy, action, cidr, end }): LoggedChange => ({
      type: String(type),
      id: String(id),
      edge: textOrNull(edge),
      policy: textOrNull(policy),
      action: textOrNull(action),
      cidr: textOrNull(cidr),
      isThere: end !== null,
      end: end === "never" ? null : textOrNull(end),
    }),
  );
  const scope = expected ? outlinedScopeOf(expected) : scopeOf(touched);
  const rows = expected?.length === 0 ? undefined : snapshotStatements(WITH_EXPIRED, most, scope);
  return {
    statements: [bounds, list, ...(rows?.statements ?? [])],
    read: ([first = [], second = [], ...rest]) => {
      const [known] = first.map(bounds.decode);
      if (!known || known.version <= since) return { is: "nothing", version: known?.version };
      const all = second.map(list.decode);
      const isLong = known.newest - since > EXAMINED || all.length > MOST_EVENTS;
      if (isLong || since < known.oldest - 1) return { is: "gone" };
      const changed = rows ? rows.read(rest) : { stored: { ...noLists(), version: known.version }, bytes: 0 };
      return changed ? { is: "changed", touched: all, ...changed } : { is: "gone" };
    },
  };
}

/**
 * An outline after changes. The outline before is not modified, because others use it.
 *
 * @param expected the events whose objects were read
 * @returns undefined if there are others
 */
export function outlineAfter(
  { stored, bytes }: Read,
  expected: readonly LoggedChange[],
  { touched, stored: next, bytes: more }: Read & { touched: LoggedChange[] },
): Read | undefined {
  const keyOf = ({ type, id }: LoggedChange): string => `${type} ${id}`;
  const known = new Set(expected.map(keyOf));
  // No problem depends on rules.
  if (touched.some((each) => !each.id.startsWith("ipr_") && !known.has(keyOf(each)))) return undefined;
  const edgeDeleted = eventType("https_edge", "deleted");
  const deleted = new Set(touched.filter(({ type }) => type === edgeDeleted).map(({ id }) => id));
  const after = <Item extends { id: string }>(old: Item[], read: Item[]): Item[] => {
    const ids = new Set([...touched, ...read].map(({ id }) => id));
    return [...old.filter(({ id }) => !ids.has(id)), ...read];
  };
  // The routes of edges without hostports stay: an outline has those of all edges.
  const routes = stored.routes.filter(({ edge_id }) => !deleted.has(edge_id));
  return {
    // An upper bound: the bytes of replaced and unused objects still count.
    bytes: bytes + more,
    stored: {
      version: next.version,
      tcp: after(stored.tcp, next.tcp),
      tls: after(stored.tls, next.tls),
      https: after(stored.https, next.https),
      routes: after(routes, next.routes),
      policies: after(stored.policies, next.policies),
      backends: after(stored.backends, next.backends),
      authorities: after(stored.authorities, next.authorities),
    },
  };
}

/** Changes of rules, and deleted objects. @param stored what was read for the events */
export function differences(
  touched: LoggedChange[],
  stored: StoredSnapshot,
): Pick<Changes, "rules" | "deleted"> {
  const whole = new Set(stored.policies.map(({ id }) => id));
  const policyDeleted = eventType("ip_policy", "deleted");
  const found = new Set(
    [stored.tcp, stored.tls, stored.https, stored.routes, stored.backends, stored.authorities].flatMap(
      (section) => section.map(({ id }) => id),
    ),
  );
  const isGone = ({ type, id, policy }: LoggedChange): boolean => {
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
