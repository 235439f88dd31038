import { clock, timestamp } from "../../packages/model/src/clock.ts";
import { uriOf } from "../../packages/model/src/ids.ts";
import type { StoredPrincipal } from "../db/column_types.ts";
import { type Cause, eventType, recorderOf } from "../db/event_writes.ts";
import { insertion, userOf, type Change } from "../db/rows.ts";
import { plans as table } from "../db/schema.ts";
import { and, decoded, decoderOf, join, raw, sql, type Sql, type Statement } from "../db/statements.ts";
import type { Versioned } from "../db/versions.ts";
import { type ApiError, conflict } from "../http/errors.ts";

/*
 * The rows of plans. An open plan that has expired is not changed: its state follows from the time.
 */

export type PlanRow = typeof table.$inferSelect;
/** What a plan can be. */
export const states = ["open", "applied", "withdrawn", "expired"] as const;

type State = (typeof states)[number];

/** How long plans are kept: after they ended, and after they were applied; in milliseconds. */
const DAY = 86_400_000;
export const KEPT = { ended: DAY, applied: 30 * DAY };

/** The most plans that were not applied: of a maker, and in all. */
export const MOST_PLANS = { ofMaker: 100, all: 1_000 };

/** The most plans that are deleted at once. */
export const PLANS_SWEPT_AT_ONCE = 50;

const decode = decoderOf(table);
const byId = (id: string): Sql => sql`${table.id} = ${id}`;

/** A plan's row, for use in conditions. */
export const planRow = (id: string): Versioned => ({ table, byKey: byId(id) });

/** Reads a plan. */
export const findPlan = (id: string): Statement<PlanRow> =>
  decoded(sql`select * from ${table} where ${byId(id)}`, decode);

/** The columns that lists and events show. */
const shown = [
  "id",
  "created_at",
  "version",
  "description",
  "state",
  "expires_at",
  "created_by",
  "applied_by",
  "operation_id",
] as const;
const hidden = Object.fromEntries(
  ["maker", "deleted_at", "operations", "sealed", "effect", "reads", "response"].map((name) => [
    name,
    "all" as const,
  ]),
);

type Summary = Pick<PlanRow, (typeof shown)[number]>;

const stateOf = ({ state, expires_at }: Summary, now: string): State =>
  state === "open" && expires_at <= now ? "expired" : state;

const isExpired = (now: string): Sql => sql`${table.expires_at} <= ${now}`;

/** True for a plan in a state. */
function isIn(state: State, now: string): Sql {
  if (state === "open") return sql`(${table.state} = 'open' and not ${isExpired(now)})`;
  if (state === "expired") return sql`(${table.state} = 'open' and ${isExpired(now)})`;
  return sql`${table.state} = ${state}`;
}

/** The plan is open and has not expired. */
export const isOpen = (id: string): Sql =>
  sql`exists (select 1 from ${table} where ${and(byId(id), isIn("open", timestamp(clock.now())))})`;

/** Counts the plans that can be applied at an instant (milliseconds since the Unix epoch). */
export const openPlans = (now: number): Sql =>
  sql`select count(*) from ${table} where ${isIn("open", timestamp(now))}`;

/** The plan has not been applied. */
export const isNotApplied = (id: string): Sql =>
  sql`not exists (select 1 from ${table} where ${byId(id)} and ${table.state} = 'applied')`;

/** The plan exists, and a maker may see it. @param maker undefined for callers who may see all plans */
export const isVisible = (id: string, maker: string | undefined): Sql =>
  sql`exists (select 1 from ${table} where ${and(byId(id), maker === undefined ? undefined : sql`${table.maker} = ${maker}`)})`;

/** Reads a page of plans, newest first, and one more. */
export function planPage(query: {
  limit: number;
  before_id?: string;
  state?: State;
  maker?: string;
}): Statement<Summary> {
  const { limit, before_id, state, maker } = query;
  const matching = and(
    before_id === undefined ? undefined : sql`${table.id} < ${before_id}`,
    state === undefined ? undefined : isIn(state, timestamp(clock.now())),
    maker === undefined ? undefined : sql`${table.maker} = ${maker}`,
  );
  const columns = join(shown.map((name) => sql`${table[name]}`));
  return decoded(
    sql`select ${columns} from ${table} where ${matching} order by ${table.id} desc limit ${limit + 1}`,
    decode,
  );
}

/** There is room for another plan of a maker, and for another one at all. */
export const hasRoom = (maker: string): { own: Sql; all: Sql } => ({
  own: sql`(select count(*) from ${table} where ${table.maker} = ${maker} and ${table.state} in ('open', 'withdrawn')) < ${raw(MOST_PLANS.ofMaker)}`,
  all: sql`(select count(*) from ${table} where ${table.state} in ('open', 'withdrawn')) < ${raw(MOST_PLANS.all)}`,
});

const recorder = recorderOf("plan", userOf(table, {}), { hidden });

/** Inserts a plan. */
export const insertPlan = (row: PlanRow, cause: Cause): Change => ({
  statements: [insertion(table, row), recorder.change("created", byId(row.id), cause)],
  records: [eventType("plan", "created")],
});

/** Replaces the effect of a plan; returns its row. */
export const refreshPlan = (
  id: string,
  { effect, reads }: Pick<PlanRow, "effect" | "reads">,
): Statement<PlanRow> =>
  decoded(
    sql`update ${table} set effect = ${effect}, reads = ${reads}, version = version + 1 where ${byId(id)} returning *`,
    decode,
  );

/** Withdraws a plan; returns its id. One that was withdrawn or has expired stays as it is. */
export const withdrawPlan = (id: string): Statement<unknown> =>
  sql`update ${table} set state = 'withdrawn', sealed = null, version = version + 1, deleted_at = ${clock.now() + KEPT.ended}
    where ${byId(id)} and ${isIn("open", timestamp(clock.now()))} returning id`;

/** Notes that a plan is applied. */
export const applyPlan = (
  id: string,
  by: StoredPrincipal,
  operation_id: string,
  response: string,
  cause: Cause,
): Change => ({
  statements: [
    sql`update ${table} set state = 'applied', version = version + 1, applied_by = ${JSON.stringify(by)},
      operation_id = ${operation_id}, response = ${response}, sealed = null, deleted_at = ${clock.now() + KEPT.applied} where ${byId(id)}`,
    recorder.change("applied", byId(id), cause),
  ],
  records: [eventType("plan", "applied")],
});

/** Deletes some plans that are no longer kept, and returns a row for each. @param now milliseconds since the Unix epoch */
export const sweepPlans = (now: number): Sql =>
  sql`delete from ${table} where id in (select id from ${table} where deleted_at <= ${now} order by deleted_at limit ${raw(PLANS_SWEPT_AT_ONCE)}) returning id`;

/** A plan in lists and in events. @param now RFC 3339, UTC */
export function toPlanSummary(row: Summary, origin: string, now = timestamp(clock.now())) {
  const { id, created_at, expires_at, description, created_by, applied_by, operation_id } = row;
  return {
    id,
    uri: uriOf(origin, id),
    created_at,
    expires_at,
    state: stateOf(row, now),
    description: description ?? "",
    created_by: who(created_by),
    applied_by: applied_by && who(applied_by),
    operation_id,
  };
}

const who = ({ id, subject }: StoredPrincipal) => ({ id, subject });

/** Why a plan that was read cannot be applied or changed any more. */
export function notOpen(row: PlanRow): ApiError {
  const { state, applied_by, expires_at } = toPlanSummary(row, "");
  switch (state) {
    case "applied":
      return conflict(
        `The plan was applied by ${applied_by?.subject ?? "somebody"}. To undo it, make a plan with undo.`,
      );
    case "withdrawn":
      return conflict("The plan was withdrawn. Make it again.");
    case "expired":
      return conflict(`The plan expired at ${expires_at}. Make it again.`);
    case "open":
      return conflict(
        "The plan was applied or withdrawn by another request, or has expired meanwhile. Read it again.",
      );
  }
}
