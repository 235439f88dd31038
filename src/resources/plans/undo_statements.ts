import { instantOf } from "../../../packages/model/src/ids.ts";
import { decodeEvent, firstSince, type StoredEvent } from "../../db/event_reads.ts";
import { events, uses } from "../../db/internal_schema.ts";
import { httpsEdgeRoutes, ipPolicyRules } from "../../db/schema.ts";
import { decoded, join, raw, sql, type Sql, type Statement } from "../../db/statements.ts";

/*
 * Reads from the log what undoing changes takes.
 */

/** How many events after the start of a request are looked at: it may have waited, and replaced 10,000 rules by others. */
const LOOKED_AT = 40_000;

const columns = join(
  ["seq", "type", "object_id", "at", "operation_id", "principal", "origin", "object"].map((name) =>
    raw(`e."${name}"`),
  ),
);
const event = sql`${columns}, hex(e.salt) as salt`;

/** Reads events by their numbers in the log, oldest first. */
export const eventsWithNumbers = (numbers: number[]): Statement<StoredEvent> =>
  decoded(
    sql`select ${event} from json_each(${JSON.stringify(numbers)}) as given cross join ${events} as e on e.seq = given.value order by e.seq`,
    decodeEvent,
  );

/** Reads the events of a request, oldest first. */
export function eventsOfRequest(operation_id: string): Statement<StoredEvent> {
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
export interface EventBefore {
  /** The number of the other event. */
  of: number;
  type: string;
  object: string;
}

/** For some events, the event of the same object that is right before each. */
export const eventsBefore = (numbers: number[]): Statement<EventBefore> =>
  decoded(
    sql`select e.seq as "of", earlier.type as type, earlier.object as object
      from json_each(${JSON.stringify(numbers)}) as given cross join ${events} as e on e.seq = given.value
      cross join ${events} as earlier on earlier.seq = (select other.seq from ${events} as other where ${isOfSameObject(raw("other"))}
        and other.seq < e.seq order by other.seq desc limit 1)`,
    ({ of, type, object }) => ({ of: Number(of), type: String(type), object: String(object) }),
  );

/** An event after one of those that are undone. */
export interface LaterEvent {
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
export function laterChanges(numbers: number[]): Statement<LaterEvent> {
  const given = JSON.stringify(numbers);
  const chosen = sql`json_each(${given}) as given cross join ${events} as e on e.seq = given.value`;
  const isOther = sql`other.seq > e.seq and other.seq not in (select value from json_each(${given}))`;
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
export const ownersOfOthers = (owners: string[], parts: string[]): Statement<string> =>
  decoded(
    sql`select value as id from json_each(${JSON.stringify(owners)}) as owner where
      exists (select 1 from ${ipPolicyRules} where ${ipPolicyRules.ip_policy_id} = owner.value
        and ${ipPolicyRules.id} not in (select value from json_each(${JSON.stringify(parts)})))
      or exists (select 1 from ${httpsEdgeRoutes} where ${httpsEdgeRoutes.edge_id} = owner.value
        and ${httpsEdgeRoutes.id} not in (select value from json_each(${JSON.stringify(parts)})))`,
    ({ id }) => String(id),
  );

/** What refers to an object: a route with the id of its edge, which is "" for all others. */
export interface ObjectUser {
  id: string;
  edge_id: string;
}

/** What refers to objects that no longer exist. */
export const usersOfObjects = (ids: string[]): Statement<ObjectUser> =>
  decoded(
    sql`select distinct ${uses.user} as user, ${uses.edge_id} as edge_id from ${uses}
      where ${uses.target} in (select value from json_each(${JSON.stringify(ids)}))`,
    ({ user, edge_id }) => ({ id: String(user), edge_id: String(edge_id) }),
  );

/** All rules of some policies. */
export const rulesOfPolicies = (ids: string[]): Sql =>
  sql`select * from ${ipPolicyRules} where ${ipPolicyRules.ip_policy_id} in (select value from json_each(${JSON.stringify(ids)}))`;
