import type { Context } from "hono";
import { eventId, instantOf, seqOf } from "../../../packages/model/src/ids.ts";
import { decodeEvent, firstSince, type StoredEvent } from "../../db/event_reads.ts";
import { events, uses } from "../../db/internal_schema.ts";
import { httpsEdgeRoutes, ipPolicyRules } from "../../db/schema.ts";
import { decoded, join, raw, type Sql, sql, type Statement, type Values } from "../../db/statements.ts";
import { parsedAs } from "../../db/unchecked.ts";
import type { RowKey } from "../../db/uses.ts";
import type { App } from "../../http/env.ts";
import { cannotUndo, notFound } from "../../http/errors.ts";
import { isVisible } from "../events/events.ts";
import type { TransactionOperation } from "../operations.ts";
import { MOST_EVENTS } from "./plan_schemas.ts";
import { routesWithKeys, rowsWithIds } from "./plan_statements.ts";
import {
  isNothing,
  ownerOf,
  type Recorded,
  refusal,
  Restoring,
  type LogRow,
  rulesBefore,
} from "./restoring.ts";
import { EDGES, isConfigKind, nameOf } from "./rows_in_memory.ts";

/*
 * The operations that undo changes in the log, in reverse order.
 */

/** What is undone. */
export interface Undo {
  events?: string[];
  operation_id?: string;
}

/** Kinds of objects that no other object refers to. */
const UNREFERRED = new Set([
  "ip_policy_rule",
  "https_edge_route",
  "tcp_edge",
  "tls_edge",
  "https_edge",
  "event_subscription",
  "certificate_issuer",
]);

/** True for the deletion of an object that others can still refer to. */
const isLasting = ({ kind, verb }: Recorded): boolean =>
  verb === "deleted" && (kind === "ip_policy" || kind === "certificate_authority");

/**
 * The operations that undo changes.
 *
 * @throws 404 for an event that does not exist; 409 for a change that cannot be undone, which says why
 */
export async function operationsToUndo(c: Context<App>, undo: Undo): Promise<TransactionOperation[]> {
  const recorded = await changesOf(c, await wantedEvents(c, undo));
  const changes = recorded.filter((one) => !isNothing(one));
  const replaced = replacedPolicies(changes, recorded);
  const { single, ofRules } = byPolicy(changes, replaced);
  if (single.length > MOST_EVENTS)
    throw cannotUndo(
      `The request made ${single.length} changes: at most ${MOST_EVENTS} can be undone at once.`,
    );
  const restoring = new Restoring();
  const reversed = single.toReversed();
  // The lasting ones come first, so that the new ids are known.
  for (const one of [...reversed.filter(isLasting), ...reversed.filter((other) => !isLasting(other))]) {
    const { id, kind, verb, row } = one;
    if (kind !== "ip_policy" || verb !== "deleted") restoring.add(one);
    else restoring.add(one, row.rules && rulesBefore(row.rules, ofRules.get(id) ?? []));
  }
  const gone = changes.filter(isLasting).map(({ id }) => id);
  const { rules, users } = await currentOf(c, [...replaced], gone);
  for (const policy of replaced)
    restoring.replaceRules(policy, rulesBefore(rules.get(policy) ?? [], ofRules.get(policy) ?? []));
  await referAgain(c, users, restoring);
  if (restoring.operations.length === 0)
    throw cannotUndo("There is nothing to undo: the changes left everything as it was.");
  return restoring.operations;
}

/** The events that are undone, oldest first. */
async function wantedEvents(c: Context<App>, { events = [], operation_id }: Undo): Promise<StoredEvent[]> {
  const { session, caller } = c.get("request");
  const isSeen = (event: StoredEvent) => isVisible(caller, event);
  if (operation_id !== undefined) {
    const all = await session.all(eventsOfRequest(operation_id));
    // The request that applies a plan also records that it was applied.
    const found = all.filter((event) => isSeen(event) && !event.type.startsWith("plan_"));
    if (found.length > 0) return found;
    throw cannotUndo(`The log has no changes of ${operation_id}: it made none, or they are no longer kept.`);
  }
  const numbered = await session.all(eventsWithNumbers([...new Set(events.map((id) => seqOf(id) ?? 0))]));
  const found = numbered.filter(isSeen);
  const known = new Set(found.map((event) => eventId(event)));
  if (events.some((id) => !known.has(id))) throw notFound("event");
  return found;
}

/**
 * The changes that events record, with the state of their objects before.
 *
 * @throws 409 for an event of something that operations cannot change, and if something has changed since
 */
async function changesOf(c: Context<App>, events: StoredEvent[]): Promise<Recorded[]> {
  const numbers = events.map(({ seq }) => seq);
  const owners = events.filter(({ type }) => /^(?:ip_policy|https_edge)_created\./.test(type));
  const statements = [
    eventsBefore(numbers),
    laterChanges(numbers),
    ownersOfOthers(
      owners.map(({ object_id }) => object_id),
      events.map(({ object_id }) => object_id),
    ),
  ] as const;
  const [before = [], later = [], others = []] = await c.get("request").session.batch([...statements]);
  const recorded = withPrevious(events, before.map(statements[0].decode));
  const expired = expiredSince(recorded, later.map(statements[1].decode));
  const [changed] = others.map(statements[2].decode);
  const owner = owners.find(({ object_id }) => object_id === changed);
  if (owner)
    throw refusal(
      owner,
      `${owner.object_id} has changed since: it has rules or routes that other events created.`,
    );
  return withoutPassing(recorded.filter(({ name }) => !expired.has(name)));
}

/** Events with the state of their objects before. @throws 409 for an event of something that operations cannot change */
function withPrevious(events: StoredEvent[], found: EventBefore[]): Recorded[] {
  const before = new Map(found.map(({ of, type, object }) => [of, { type, object }]));
  return events.map((event): Recorded => {
    const split = event.type.lastIndexOf("_");
    const kind = event.type.slice(0, split);
    const verb = event.type.slice(split + 1, event.type.lastIndexOf("."));
    if (!isConfigKind(kind)) throw refusal(event, "operations of plans cannot change such objects.");
    const row = parsedAs<LogRow>(event.object);
    // A deletion needs no state.
    if (row.truncated && verb !== "created") throw refusal(event, "its object was too long for the log.");
    const earlier = before.get(event.seq);
    // After its deletion, an id can be that of an edge or a route that is managed elsewhere, and has no modules yet.
    const previous = earlier && (earlier.type.includes("_deleted.") ? {} : parsedAs<LogRow>(earlier.object));
    const name = nameOf({ id: event.object_id, edge_id: row.edge_id });
    return { event, id: event.object_id, name, kind, verb, row, ...(previous && { previous }) };
  });
}

/**
 * The names of rules that the changes created and that have expired since: these rules are gone anyway.
 *
 * @throws 409 if something else has changed after one of the changes
 */
function expiredSince(recorded: Recorded[], later: LaterEvent[]): Set<string> {
  const bySeq = new Map(recorded.map((one) => [one.event.seq, one]));
  const created = new Set(recorded.flatMap(({ name, verb }) => (verb === "created" ? [name] : [])));
  const expired = new Set<string>();
  for (const { of, type, object_id, source } of later) {
    const one = bySeq.get(of);
    if (!one) continue;
    if (object_id !== one.id) throw refusal(one.event, `${object_id} was deleted since.`);
    const isExpiry = type === "ip_policy_rule_deleted.v0" && source === "System";
    if (!isExpiry || !created.has(one.name)) throw refusal(one.event, `${one.id} has changed since.`);
    expired.add(one.name);
  }
  return expired;
}

/** Changes without those of objects that were created and deleted by them, and of what belonged to these objects. */
function withoutPassing(recorded: Recorded[]): Recorded[] {
  const named = (wanted: string) =>
    new Set(recorded.flatMap(({ name, verb }) => (verb === wanted ? [name] : [])));
  const [created, deleted] = [named("created"), named("deleted")];
  const isPassing = (name: string) => created.has(name) && deleted.has(name);
  return recorded.filter((one) => {
    const owner = ownerOf(one);
    // Rules refer to nothing, so they can go with their policy.
    if (one.kind === "ip_policy_rule" && created.has(owner)) return false;
    return (
      !(UNREFERRED.has(one.kind) && isPassing(one.name)) &&
      !(one.kind === "https_edge_route" && isPassing(owner))
    );
  });
}

/**
 * The policies whose rules are restored as one: because they were replaced, of which the policy has an event that changes nothing
 * else, or because there are many. @param recorded the changes, and events that changed nothing
 */
function replacedPolicies(changes: Recorded[], recorded: Recorded[]): Set<string> {
  const rules = Map.groupBy(
    changes.filter(({ kind }) => kind === "ip_policy_rule"),
    ownerOf,
  );
  const deleted = new Set(changes.filter(isLasting).map(({ id }) => id));
  const touched = new Set(recorded.filter(isNothing).map(({ id }) => id));
  const isReplaced = (policy: string, { length }: Recorded[]) =>
    !deleted.has(policy) && (touched.has(policy) || length > MOST_EVENTS);
  return new Set([...rules].flatMap(([policy, own]) => (isReplaced(policy, own) ? [policy] : [])));
}

/** Divides changes into those of rules that are restored with their policy, and all others. */
function byPolicy(
  changes: Recorded[],
  replaced: Set<string>,
): { single: Recorded[]; ofRules: Map<string, Recorded[]> } {
  const policies = new Set([...replaced, ...changes.filter(isLasting).map(({ id }) => id)]);
  const isOfOne = (one: Recorded) => one.kind === "ip_policy_rule" && policies.has(ownerOf(one));
  return {
    single: changes.filter((one) => !isOfOne(one)),
    ofRules: Map.groupBy(changes.filter(isOfOne), ownerOf),
  };
}

/** The rules of policies, and what still refers to deleted objects. */
async function currentOf(
  c: Context<App>,
  policies: string[],
  gone: string[],
): Promise<{ rules: Map<unknown, Values[]>; users: RowKey[] }> {
  if (policies.length + gone.length === 0) return { rules: new Map(), users: [] };
  const statements = [rulesOfPolicies(policies), usersOfObjects(gone)] as const;
  const [rules = [], users = []] = await c.get("request").session.batch([...statements]);
  return { rules: Map.groupBy(rules, (row) => row["ip_policy_id"]), users: users.map(statements[1].decode) };
}

/** Makes edges and routes that still refer to deleted objects refer to the new ones. */
async function referAgain(c: Context<App>, users: RowKey[], restoring: Restoring): Promise<void> {
  if (users.length === 0) return;
  const ids = users.map(({ id }) => id);
  const found = await c
    .get("request")
    .session.batch([...EDGES.map((kind) => rowsWithIds(kind, ids)), routesWithKeys(users)]);
  for (const [i, kind] of ([...EDGES, "https_edge_route"] as const).entries())
    for (const row of found[i] ?? []) restoring.refer(kind, row);
}

/** How many events after the first event of a request are searched: the request may have waited, and replaced 10,000 rules. */
const LOOKED_AT = 40_000;

const columns = join(
  ["seq", "type", "object_id", "at", "operation_id", "principal", "origin", "object"].map((name) =>
    raw(`e."${name}"`),
  ),
);
const event = sql`${columns}, hex(e.salt) as salt`;

/** Reads events by their numbers in the log, oldest first. */
const eventsWithNumbers = (numbers: number[]): Statement<StoredEvent> =>
  decoded(
    sql`select ${event} from json_each(${JSON.stringify(numbers)}) as given cross join ${events} as e on e.seq = given.value order by e.seq`,
    decodeEvent,
  );

/** Reads the events of a request, oldest first. */
function eventsOfRequest(operation_id: string): Statement<StoredEvent> {
  const first = firstSince(instantOf(operation_id));
  return decoded(
    sql`with start (seq) as materialized (select ${first})
      select ${event} from start cross join ${events} as e
      where e.seq >= start.seq and e.seq < start.seq + ${raw(LOOKED_AT)} and e.operation_id = ${operation_id} order by e.seq`,
    decodeEvent,
  );
}

const isOfSameObject = (other: Sql): Sql =>
  sql`${other}.object_id = e.object_id and ifnull(${other}.object ->> '$.edge_id', '') = ifnull(e.object ->> '$.edge_id', '')`;

/** The event of the same object right before another. */
interface EventBefore {
  /** The number of the other event. */
  of: number;
  type: string;
  object: string;
}

/** For some events, the event of the same object that is right before each. */
const eventsBefore = (numbers: number[]): Statement<EventBefore> =>
  decoded(
    sql`select e.seq as "of", earlier.type as type, earlier.object as object
      from json_each(${JSON.stringify(numbers)}) as given cross join ${events} as e on e.seq = given.value
      cross join ${events} as earlier on earlier.seq = (select other.seq from ${events} as other where ${isOfSameObject(raw("other"))}
        and other.seq < e.seq order by other.seq desc limit 1)`,
    ({ of, type, object }) => ({ of: Number(of), type: String(type), object: String(object) }),
  );

/** An event after one of those that are undone. */
interface LaterEvent {
  /** The number of the event that is undone. */
  of: number;
  type: string;
  object_id: string;
  /** Where it came from: `System` for changes that the service makes on its own. */
  source: string;
}

/**
 * For each of some events, the first later one of the same object; and for each policy or edge that objects of these events belong
 * to, its later deletion. None of them is among these events.
 */
function laterChanges(numbers: number[]): Statement<LaterEvent> {
  const given = JSON.stringify(numbers);
  // The service's own notes about an account change nothing that operations can change.
  const isNote = sql`other.type = 'certificate_issuer_updated.v0' and other.principal ->> '$.source' = 'System'`;
  const chosen = sql`json_each(${given}) as given cross join ${events} as e on e.seq = given.value`;
  const isOther = sql`other.seq > e.seq and other.seq not in (select value from json_each(${given})) and not (${isNote})`;
  const first = (condition: Sql) =>
    sql`(select other.seq from ${events} as other where ${condition} and ${isOther} order by other.seq limit 1)`;
  const found = sql`later.type as type, later.object_id as object_id, later.principal ->> 'source' as source`;
  return decoded(
    sql`select e.seq as "of", ${found} from ${chosen}
        cross join ${events} as later on later.seq = ${first(isOfSameObject(raw("other")))}
      union all select e.seq, ${found} from (
          select max(e.seq) as seq, coalesce(e.object ->> '$.ip_policy_id', e.object ->> '$.edge_id') as owner
          from ${chosen} group by 2
        ) as e cross join ${events} as later
        on later.seq = ${first(sql`other.object_id = e.owner and other.type in ('ip_policy_deleted.v0', 'https_edge_deleted.v0')`)}`,
    ({ of, type, object_id, source }) => ({
      of: Number(of),
      type: String(type),
      object_id: String(object_id),
      source: String(source),
    }),
  );
}

/** The policies and the edges among some objects that have rules or routes, except some of these. */
const ownersOfOthers = (owners: string[], parts: string[]): Statement<string> =>
  decoded(
    sql`select value as id from json_each(${JSON.stringify(owners)}) as owner where
      exists (select 1 from ${ipPolicyRules} where ${ipPolicyRules.ip_policy_id} = owner.value
        and ${ipPolicyRules.id} not in (select value from json_each(${JSON.stringify(parts)})))
      or exists (select 1 from ${httpsEdgeRoutes} where ${httpsEdgeRoutes.edge_id} = owner.value
        and ${httpsEdgeRoutes.id} not in (select value from json_each(${JSON.stringify(parts)})))`,
    ({ id }) => String(id),
  );

/** The modules that refer to objects that no longer exist. */
const usersOfObjects = (ids: string[]): Statement<RowKey> =>
  decoded(
    sql`select distinct ${uses.user} as user, ${uses.edge_id} as edge_id from ${uses}
      where ${uses.target} in (select value from json_each(${JSON.stringify(ids)}))`,
    ({ user, edge_id }) => ({ id: String(user), edge_id: String(edge_id) }),
  );

/** All rules of some policies. */
const rulesOfPolicies = (ids: string[]): Sql =>
  sql`select * from ${ipPolicyRules} where ${ipPolicyRules.ip_policy_id} in (select value from json_each(${JSON.stringify(ids)}))`;
