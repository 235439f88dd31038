import { cursors, deadLetters, events, eventSubscriptions as subscriptions } from "./schema.ts";
import { type Sql, sql } from "./statements.ts";
import type { Key } from "./uses.ts";

/*
 * How far each event destination has got in the log of events: one row per destination, however many events there are.
 */

/** `seq` of the newest event. */
export const newest = sql`coalesce((select max(${events.seq}) from ${events}), 0)`;

/** Where a subscription starts for each of its sources and destinations. Those that it had before keep their start. */
const beginnings = sql`(
  select json_group_object(value, coalesce(${subscriptions.since} -> ('$."' || value || '"'), ${newest}))
  from (select value from json_each(${subscriptions.sources}) union all select value from json_each(${subscriptions.destination_ids})) as given
)`;

/**
 * Records where a subscription starts for each source and each destination that is new to it: after the newest event, which is
 * that of the change that added it. Makes a cursor there for each destination that has none. To be sent right after the event
 * of a change: if no event was recorded, no start is recorded either.
 */
export const subscribed = ({ id }: Key): Sql[] => [
  sql`update ${subscriptions} set since = ${beginnings}
    where ${subscriptions.id} = ${id} and changes() > 0 and coalesce(${subscriptions.since}, '{}') <> ${beginnings}`,
  sql`insert or ignore into ${cursors} (destination_id, position)
    select json_each.value, ${newest} from ${subscriptions}, json_each(${subscriptions.destination_ids})
    where ${subscriptions.id} = ${id}`,
];

/** What lets a destination be tried immediately, from where it is, and ends the run that delivers to it now. For `set`. */
export const resumption = sql`lease = null, leased_until = 0, next_attempt_at = 0, failures = 0, failing_since = null, suspended = 0`;

/** Resumes delivery to a destination that the previous statement changed: see {@link resumption}. */
export const resumed = ({ id }: Key): Sql[] => [
  sql`update ${cursors} set ${resumption} where ${cursors.destination_id} = ${id} and changes() > 0`,
];

/** Deletes the cursor and the dead letters of a destination that the previous statement deleted. */
export const forgotten = (id: string): Sql[] => [
  sql`delete from ${cursors} where ${cursors.destination_id} = ${id} and changes() > 0`,
  sql`delete from ${deadLetters} where ${deadLetters.destination_id} = ${id} and not exists (select 1 from ${cursors} where ${cursors.destination_id} = ${id})`,
];
