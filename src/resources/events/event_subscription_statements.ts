import { ADMIN_TYPES } from "../../../packages/model/src/event_types.ts";
import { type Cause, recorderOf } from "../../db/event_writes.ts";
import { uses } from "../../db/internal_schema.ts";
import { type Change, changeOf, rowsOf, type TableOptions, userOf } from "../../db/rows.ts";
import { eventSubscriptions as table } from "../../db/schema.ts";
import { decoderOf, raw, sql, type Sql } from "../../db/statements.ts";
import { nextVersion } from "../../db/versions.ts";
import { subscribed } from "./delivery_statements.ts";

/*
 * Event subscriptions, and their sources. The sources are a list of event types in the subscription's row, so changing one
 * changes the subscription.
 */

const options: TableOptions = {
  short: ["description", "metadata"],
  references: { destination_ids: { path: "$", filter: "destination_id" } },
  linked: ["sources"],
  hidden: { since: "all" },
  followUps: subscribed,
};

/** The statements on event subscriptions. */
export const rows = rowsOf("event_subscription", table, options);
const user = userOf(table, options);
const changed = changeOf(
  "event_subscription",
  user,
  recorderOf("event_subscription", user, options),
  options,
);
const decode = decoderOf(table);

/** A source. */
type Source = { id: string; type: string };

/** The event subscription `id` has a source of `type`. */
export const hasSource = ({ id, type }: Source): Sql =>
  sql`exists (select 1 from ${table}, json_each(${table.sources}) where ${table.id} = ${id} and json_each.value = ${type})`;

/** The event subscription `id` has no source of `type`. */
export const lacksSource = (source: Source): Sql => sql`not ${hasSource(source)}`;

const isOfKeys = raw(`(${ADMIN_TYPES.map((pattern) => `json_each.value glob '${pattern}'`).join(" or ")})`);

/** The event subscription `id` does not send events of API keys. */
export const hasNoKeySource = (id: string): Sql =>
  sql`not exists (select 1 from ${table}, json_each(${table.sources}) where ${table.id} = ${id} and ${isOfKeys})`;

/** No event subscription sends events of API keys to the event destination `id`. */
export const isNoKeyDestination = (id: string): Sql =>
  sql`not exists (select 1 from ${uses} join ${table} on ${table.id} = ${uses.user}, json_each(${table.sources}) where ${uses.target} = ${id} and ${isOfKeys})`;

/** Changes the list of sources; returns the subscription. @param next the same change as `sources`, for plans */
const change = ({ id }: Source, sources: Sql, next: (types: string[]) => string[], cause: Cause): Change => ({
  ...changed(
    { id },
    sql`${table.id} = ${id}`,
    {},
    cause,
    sql`update ${table} set sources = ${sources}, ${nextVersion} where ${table.id} = ${id} returning *`,
  ),
  effect: {
    kind: "event_subscription",
    key: { id },
    verb: "change",
    values: (row) => {
      const types = next(decode({ ...row }).sources ?? []);
      return { sources: types.length > 0 ? types : null };
    },
  },
});

/** Adds a source, as the last one. Requires {@link lacksSource}. */
export const addSource = (source: Source, cause: Cause): Change =>
  change(
    source,
    sql`json_insert(coalesce(${table.sources}, '[]'), '$[#]', ${source.type})`,
    (types) => [...types, source.type],
    cause,
  );

/** Removes a source. Requires {@link hasSource}. */
export const removeSource = (source: Source, cause: Cause): Change =>
  change(
    source,
    sql`nullif(json_remove(${table.sources}, (select json_each.fullkey from json_each(${table.sources}) where json_each.value = ${source.type})), '[]')`,
    (types) => types.filter((type) => type !== source.type),
    cause,
  );
