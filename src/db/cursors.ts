import { sql } from "drizzle-orm";
import { cursors, deadLetters, events, eventSubscriptions as subscriptions } from "./schema.ts";
import { raw, type Statement, statement, type Values } from "./statements.ts";

/*
 * How far each event destination has got in the log of events: one row a destination, whatever the number of events.
 */

/** `seq` of the newest event. */
const newest = sql`coalesce((select max(${events.seq}) from ${events}), 0)`;

/** What a subscription begins with: for a source or a destination that is noted already, as it is noted. */
const beginnings = sql`(
  select json_group_object(value, coalesce(${subscriptions.since} -> ('$."' || value || '"'), ${newest}))
  from (select value from json_each(${subscriptions.sources}) union all select value from json_each(${subscriptions.destination_ids})) as given
)`;

/**
 * Notes for each source and each destination of a subscription that has none yet which events are before it: all there are,
 * with that of the change that added it. For each new destination, makes a cursor there. To be sent right after the event of
 * a change: without one, nothing is noted.
 */
export const subscribed = ({ id }: Values): Statement[] => [
  statement(
    "note what a subscription begins with",
    () =>
      raw(sql`update ${subscriptions} set since = ${beginnings}
        where ${subscriptions.id} = ${sql.placeholder("id")} and changes() > 0 and coalesce(${subscriptions.since}, '{}') <> ${beginnings}`),
    { id },
  ),
  statement(
    "make cursors",
    () =>
      raw(sql`insert or ignore into ${cursors} (destination_id, position)
        select json_each.value, ${newest} from ${subscriptions}, json_each(${subscriptions.destination_ids})
        where ${subscriptions.id} = ${sql.placeholder("id")}`),
    { id },
  ),
];

/** Tries a destination anew at once, from where it is: after a change of it. Ends the run that delivers to it now. */
export const resumed = ({ id }: Values): Statement[] => [
  statement(
    "resume after a change",
    () =>
      raw(sql`update ${cursors} set lease = null, leased_until = 0, next_attempt_at = 0, failures = 0, failing_since = null, suspended = 0
        where ${cursors.destination_id} = ${sql.placeholder("id")} and changes() > 0`),
    { id },
  ),
];

/** Deletes what is known of a destination that was deleted right before. */
export const forgotten = (id: string): Statement[] => [
  statement(
    "forget a cursor",
    () =>
      raw(
        sql`delete from ${cursors} where ${cursors.destination_id} = ${sql.placeholder("id")} and changes() > 0`,
      ),
    { id },
  ),
  statement(
    "forget dead letters",
    () =>
      raw(
        sql`delete from ${deadLetters} where ${deadLetters.destination_id} = ${sql.placeholder("id")} and not exists (select 1 from ${cursors} where ${cursors.destination_id} = ${sql.placeholder("id")})`,
      ),
    { id },
  ),
];
