import { decodeEvent, firstSince, type StoredEvent } from "../../db/event_log.ts";
import { events, uses } from "../../db/internal_schema.ts";
import { ipPolicyRules } from "../../db/schema.ts";
import { decoded, join, raw, sql, type Sql, type Statement } from "../../db/statements.ts";
import { instantOf } from "../../ids.ts";

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

/** For some events, the object of the event of the same object that is right before each. */
export const eventsBefore = (numbers: number[]): Statement<{ of: number; object: string }> =>
  decoded(
    sql`select e.seq as "of", (select earlier.object from ${events} as earlier where ${isOfSameObject(raw("earlier"))}
        and earlier.seq < e.seq order by earlier.seq desc limit 1) as object
      from json_each(${JSON.stringify(numbers)}) as given cross join ${events} as e on e.seq = given.value`,
    ({ of, object }) => ({ of: Number(of), object: typeof object === "string" ? object : "" }),
  );

/** The objects that have changed after an event. */
export const laterChanges = (last: { object_id: string; seq: number }[]): Statement<string> =>
  decoded(
    sql`select e.object_id from json_each(${JSON.stringify(last)}) as given cross join ${events} as e on e.seq = given.value ->> 'seq'
      where exists (select 1 from ${events} as later where ${isOfSameObject(raw("later"))} and later.seq > e.seq)`,
    ({ object_id }) => String(object_id),
  );

/** Who refers to an object that no longer exists. */
export const usersOfObject = (id: string): Statement<{ id: string; edge_id: string }> =>
  decoded(
    sql`select ${uses.user} as user, ${uses.edge_id} as edge_id from ${uses} where ${uses.target} = ${id}`,
    ({ user, edge_id }) => ({ id: String(user), edge_id: String(edge_id) }),
  );

/** All rules of a policy. */
export const rulesOfPolicy = (id: string): Sql =>
  sql`select * from ${ipPolicyRules} where ${ipPolicyRules.ip_policy_id} = ${id}`;
