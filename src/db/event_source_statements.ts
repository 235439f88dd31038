import { and, eq, type SQL, sql } from "drizzle-orm";
import { ADMIN_TYPES } from "../event_types.ts";
import { eventSubscriptions as table, uses } from "./schema.ts";
import { combined, draft, type Guard, type Statement, statement, type Values } from "./statements.ts";
import { next } from "./versions.ts";

/*
 * The sources of event subscriptions: a list of event types in the subscription's row, so that every change of one is a
 * change of the subscription.
 */

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

/** Changes the list of sources if `guard` holds; returns the subscription's version then. */
const change = (
  what: string,
  sources: SQL,
  source: Source,
  guard: Guard,
): Statement<{ version: number }> => ({
  ...statement(
    `${what} source ${guard.shape}`,
    () =>
      draft
        .update(table)
        .set({ sources, version: next(table.version) })
        .where(and(byId, guard.sql()))
        .returning({ version: table.version }),
    combined(source, guard.values),
  ),
  decode: ({ version }: Values) => ({ version: Number(version) }),
});

/** Adds a source, as the last one. Requires {@link lacksSource}. */
export const addSource = (source: Source, guard: Guard): Statement<{ version: number }> =>
  change(
    "add",
    sql`json_insert(coalesce(${table.sources}, '[]'), '$[#]', ${sql.placeholder("type")})`,
    source,
    guard,
  );

/** Removes a source. Requires {@link hasSource}. */
export const removeSource = (source: Source, guard: Guard): Statement<{ version: number }> =>
  change(
    "remove",
    sql`nullif(json_remove(${table.sources}, (select json_each.fullkey from json_each(${table.sources}) where json_each.value = ${sql.placeholder("type")})), '[]')`,
    source,
    guard,
  );
