import { and, eq, type SQL, sql } from "drizzle-orm";
import { ADMIN_TYPES } from "../event_types.ts";
import { subscribed } from "./cursors.ts";
import type { Cause } from "./events.ts";
import { changeOf, rowsOf, type TableOptions, userOf } from "./rows.ts";
import { eventSubscriptions as table, uses } from "./schema.ts";
import { type Change, combined, decoderOf, draft, type Guard, statement } from "./statements.ts";
import { next } from "./versions.ts";

/*
 * Event subscriptions, and their sources: a list of event types in the subscription's row, so that every change of one is a
 * change of the subscription.
 */

type Row = typeof table.$inferSelect;

const options: TableOptions = {
  short: ["description", "metadata"],
  references: { destination_ids: { path: "$", filter: "destination_id" } },
  linked: ["sources"],
  hidden: { since: "all" },
  followUps: subscribed,
};

/** The statements on event subscriptions. */
export const rows = rowsOf("event_subscription", table, options);
const changed = changeOf("event_subscription", userOf(table, options), options);
const decode = decoderOf(table);

/** A source. */
type Source = { id: string; type: string };

const byId = eq(table.id, sql.placeholder("id"));

const ofType = sql`exists (select 1 from ${table}, json_each(${table.sources}) where ${byId} and json_each.value = ${sql.placeholder("type")})`;

/** Guard: the event subscription `id` has a source of `type`. */
export const hasSource = (source: Source): Guard => ({
  shape: "source there",
  sql: () => ofType,
  values: source,
});

/** Guard: the event subscription `id` has no source of `type`. */
export const lacksSource = (source: Source): Guard => ({
  shape: "no such source",
  sql: () => sql`not ${ofType}`,
  values: source,
});

const isOfKeys = sql`json_each.value glob ${ADMIN_TYPES}`;

/** Guard: the event subscription `id` does not send events of API keys. */
export const hasNoKeySource = (id: string): Guard => ({
  shape: "no source of keys",
  sql: () =>
    sql`not exists (select 1 from ${table}, json_each(${table.sources}) where ${byId} and ${isOfKeys})`,
  values: { id },
});

/** Guard: no event subscription sends events of API keys to the event destination `id`. */
export const isNoKeyDestination = (id: string): Guard => ({
  shape: "no destination of keys",
  sql: () =>
    sql`not exists (select 1 from ${uses} join ${table} on ${table.id} = ${uses.user}, json_each(${table.sources}) where ${uses.target} = ${sql.placeholder("id")} and ${isOfKeys})`,
  values: { id },
});

/** Changes the list of sources if `guard` holds; returns the subscription then. */
const change = (what: string, sources: SQL, source: Source, guard: Guard, cause: Cause): Change<Row> =>
  changed({ id: source.id }, {}, guard, cause, {
    ...statement(
      `${what} source ${guard.shape}`,
      () =>
        draft
          .update(table)
          .set({ sources, version: next(table.version) })
          .where(and(byId, guard.sql()))
          .returning(),
      combined(source, guard.values),
    ),
    decode,
  });

/** Adds a source, as the last one. Requires {@link lacksSource}. */
export const addSource = (source: Source, guard: Guard, cause: Cause): Change<Row> =>
  change(
    "add",
    sql`json_insert(coalesce(${table.sources}, '[]'), '$[#]', ${sql.placeholder("type")})`,
    source,
    guard,
    cause,
  );

/** Removes a source. Requires {@link hasSource}. */
export const removeSource = (source: Source, guard: Guard, cause: Cause): Change<Row> =>
  change(
    "remove",
    sql`nullif(json_remove(${table.sources}, (select json_each.fullkey from json_each(${table.sources}) where json_each.value = ${sql.placeholder("type")})), '[]')`,
    source,
    guard,
    cause,
  );
