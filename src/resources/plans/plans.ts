import type { Context } from "hono";
import type * as z from "zod";
import { clock, timestamp } from "../../../packages/model/src/clock.ts";
import { stamp } from "../../../packages/model/src/ids.ts";
import { kinds, titled, plural } from "../../../packages/model/src/kinds.ts";
import { reaches } from "../../../packages/model/src/roles.ts";
import { placeOf, unseal } from "../../db/seals.ts";
import { parsedAs } from "../../db/unchecked.ts";
import type { App } from "../../http/env.ts";
import {
  badRequest,
  conflict,
  notFound,
  outdated,
  tooManyPlans,
  unauthenticated,
} from "../../http/errors.ts";
import { LARGEST_PAGE, pageLinks, beforeLast } from "../../http/lists.ts";
import { operation } from "../../http/operation.ts";
import { etagOf, respond, show, tagsOf } from "../../http/respond.ts";
import { endpoints } from "../../http/router.ts";
import { keyRingFor } from "../../http/sealing_keys.ts";
import { causeOf, commit, commitAll, earlierResponse } from "../../writes/commit.ts";
import { conditionsMet, rule } from "../../writes/requirements.ts";
import { type Write } from "../../writes/write.ts";
import { collect, type Handle, inOperation, type TransactionOperation } from "../operations.ts";
import {
  applyPlan,
  findPlan,
  hasRoom,
  insertPlan,
  isNotApplied,
  isOpen,
  isVisible,
  KEPT,
  MOST_PLANS,
  planPage,
  planRow,
  type PlanRow,
  refreshPlan,
  notOpen,
  toPlanSummary,
  withdrawPlan,
} from "../plan_rows.ts";
import { keptOf, replay, resultsOf, Transaction, withCreated } from "../transactions.ts";
import { unknownEffect } from "./effect.ts";
import type { ShownEffect } from "./effect_schemas.ts";
import { NOTHING_READ, type Reads, shownReads, unchanged } from "./plan_dependencies.ts";
import {
  EXPIRES_IN,
  Plan,
  PlanCreate,
  PlanList,
  PlanPreview,
  PlanPreviewRequest,
  planQuery,
} from "./plan_schemas.ts";
import { withTraffic } from "./plan_traffic.ts";
import { columnsOf, type Proposal, propose } from "./planning.ts";
import { operationsToUndo, type Undo } from "./undo.ts";

/*
 * Plans: proposed operations with their effect, for somebody else to apply.
 *
 *     made      planning.ts tries the operations, and adds the results to a row of ../plan_rows.ts
 *     read      plan_dependencies.ts reads all rows that matter; rows_in_memory.ts has these rows before and after the writes
 *     compared  effect.ts: changes and problems. access_effect.ts: who gets in, for the places of places.ts, by the rules of policies
 *               (admission.ts, rule_sets.ts)
 *     worded    words.ts: the summary and the warnings
 *     shown     plan_traffic.ts adds how much traffic the edges and routes had
 *     applied   here: a batch with the operations' writes, if nothing that was read has changed
 *     undone    undo.ts reads the changes in the log, and restoring.ts makes operations of them, for another plan
 */

const tag = titled(plural(kinds.plan.noun));
const path = { id: "plan" } as const;
/** Errors of the operations of a plan. */
const errors = ["ERR_UNKNOWN_REFERENCE", "ERR_IN_USE", "ERR_CONFLICT"] as const;

/** What an effect says that an earlier version of the service computed: it did not compare places, and could be wrong. */
const OUTDATED_EFFECT = "An earlier version of the service made the plan. Refresh it.";

/** An effect as it is stored; undefined if an earlier version computed it. */
const effectIn = (row: PlanRow): ShownEffect | undefined => {
  const effect = parsedAs<ShownEffect | Omit<ShownEffect, "totals">>(row.effect);
  return "totals" in effect ? effect : undefined;
};

/** A plan's row as responses show it. */
function toPlan(row: PlanRow, origin: string): z.output<typeof Plan> {
  const effect = effectIn(row);
  return {
    ...toPlanSummary(row, origin),
    operations: withCreated(parsedAs<TransactionOperation[]>(row.operations), row.response),
    ...(effect ?? {
      ...unknownEffect(parsedAs<ShownEffect>(row.effect).changes, OUTDATED_EFFECT),
      access: null,
      later: null,
    }),
    reads: shownReads(effect ? parsedAs<Reads>(row.reads) : NOTHING_READ),
  };
}

/** A plan's row as responses show it, with the traffic that it touches while it is open. */
async function toPlanWithTraffic(c: Context<App>, row: PlanRow): Promise<z.output<typeof Plan>> {
  const { session, origin } = c.get("request");
  const plan = toPlan(row, origin);
  return plan.state === "open" ? withTraffic(session, plan) : plan;
}

/** Whose plans a caller sees: undefined for all, which editors do. */
function makerFor(c: Context<App>): string | undefined {
  const { caller } = c.get("request");
  if (!caller) throw unauthenticated();
  return reaches(caller.role, "editor") ? undefined : causeOf(c).principal.id;
}

/** Reads a plan that the caller may see. @throws 404 */
async function planOf(c: Context<App>, id = c.req.param("id") ?? ""): Promise<PlanRow> {
  const row = await c.get("request").session.first(findPlan(id));
  const maker = makerFor(c);
  if (!row || (maker !== undefined && row.maker !== maker)) throw notFound("plan");
  return row;
}

/** What is undone: of a plan, the changes of the request that applied it. @throws 404; 409 if the plan was not applied */
async function changesToUndo(
  c: Context<App>,
  { plan_id, ...undo }: Undo & { plan_id?: string },
): Promise<Undo> {
  if (plan_id === undefined) return undo;
  const { operation_id } = await planOf(c, plan_id);
  if (operation_id === null) throw conflict("The plan was not applied, so there is nothing to undo.");
  return { operation_id };
}

/** The operations of a plan, with their secrets. */
async function operationsOf(
  c: Context<App>,
  { id, operations, sealed }: PlanRow,
): Promise<TransactionOperation[]> {
  if (sealed === null) return parsedAs<TransactionOperation[]>(operations);
  return parsedAs<TransactionOperation[]>(
    await unseal(await keyRingFor(c), sealed, placeOf(id, "plan.operations")),
  );
}

/** Applies a plan: its state and everything that its effect depends on are checked by the batch that writes. */
async function apply(c: Context<App>, handle: Handle, row: PlanRow): Promise<Response> {
  const { session, operationId } = c.get("request");
  if (!effectIn(row)) throw outdated([], "an earlier version of the service computed it");
  const collected = await collect(c, handle, await operationsOf(c, row));
  const { writes, rejected } = collected;
  if (rejected) throw rejected;
  const kept = JSON.stringify(keptOf(collected));
  const by = causeOf(c).principal;
  const own: Write = {
    requires: [
      rule(isOpen(row.id), () => notOpen(row)),
      conditionsMet(c, planRow(row.id)),
      ...unchanged(parsedAs<Reads>(row.reads), timestamp(clock.now())),
    ],
    change: (cause) => applyPlan(row.id, by, operationId, kept, cause),
  };
  const committed = await commitAll(c, [own, ...writes], { plan_id: row.id });
  if ("rejected" in committed) {
    const { operation: n, error } = committed.rejected;
    if (n !== 0) throw inOperation(n && n - 1, error);
    // Another request may have applied it at the same time.
    const current = await session.first(findPlan(row.id));
    if (current?.response === undefined || current.response === null) throw error;
    return replay(c, current.response, taggedAs(c, current.version));
  }
  if (!("answers" in committed)) throw new Error("a plan that was applied without an answer");
  const [, ...answers] = committed.answers;
  const results = resultsOf(c, collected, answers);
  return respond(c, 200, JSON.stringify({ dry_run: false, results }), taggedAs(c, row.version + 1));
}

const taggedAs = (c: Context<App>, version: number) => ({ ETag: etagOf(c, version) });

const operations = {
  create: operation({
    id: "PlansCreate",
    access: "planner",
    summary: "Create a plan",
    description: `Checks operations as a dry run, computes their effect, and keeps both for somebody to apply. With \`undo\` instead of \`operations\`, the plan has the operations that undo earlier changes. Operations that would be rejected are rejected here, with the same error. A planner's operations are checked like those of an editor. Plans that were not applied are kept for a day after they ended, others for 30 days. There can be ${MOST_PLANS.ofMaker} plans of a maker that were not applied, and ${MOST_PLANS.all} in all.`,
    tag,
    body: PlanCreate,
    status: 201,
    response: Plan,
    errors: [...errors, "ERR_NOT_FOUND", "ERR_PRECONDITION_FAILED", "ERR_CANNOT_UNDO", "ERR_TOO_MANY_PLANS"],
  }),
  preview: operation({
    id: "PreviewsCreate",
    access: "planner",
    summary: "Preview the effect of operations",
    description: "Returns the effect that a plan of the operations would show, and keeps nothing.",
    tag,
    body: PlanPreviewRequest,
    status: 200,
    response: PlanPreview,
    errors: [...errors, "ERR_NOT_FOUND", "ERR_PRECONDITION_FAILED", "ERR_CANNOT_UNDO"],
  }),
  list: operation({
    id: "PlansList",
    access: "planner",
    summary: "List plans",
    description: "Lists plans without their operations and effects, newest first. Planners see their own.",
    tag,
    query: planQuery,
    status: 200,
    response: PlanList,
  }),
  get: operation({
    id: "PlansGet",
    access: "planner",
    summary: "Get a plan",
    description: "Returns a plan with its operations and its effect. Planners see their own.",
    conditional: "read",
    tag,
    path,
    status: 200,
    response: Plan,
  }),
  refresh: operation({
    id: "PlansRefresh",
    access: "planner",
    summary: "Refresh a plan",
    description:
      "Computes the effect of a plan again, on the current state, which changes its `ETag`. Rejected if the operations would be rejected now.",
    conditional: "change",
    tag,
    path,
    status: 200,
    response: Plan,
    errors: [...errors],
  }),
  apply: operation({
    id: "PlansApply",
    access: "editor",
    summary: "Apply a plan",
    description:
      "Executes the operations of a plan, all or nothing, and responds like a transaction. `If-Match` is required, with the `ETag` of the plan that you have seen. Rejected with 412 if anything has changed that the effect depends on: refresh the plan then. Applying a plan again returns the first response.",
    conditional: "change",
    tag,
    path,
    status: 200,
    response: Transaction,
    isReplayed: true,
    errors: [...errors, "ERR_PLAN_OUTDATED", "ERR_LOCK_OUT"],
  }),
  remove: operation({
    id: "PlansDelete",
    access: "planner",
    summary: "Withdraw a plan",
    description:
      "Withdraws a plan, so that it can no longer be applied. Planners withdraw their own. Succeeds for a plan that was withdrawn or has expired.",
    conditional: "change",
    tag,
    path,
    status: 204,
    errors: ["ERR_CONFLICT"],
  }),
};

/** Tries operations, or those that undo changes. */
const proposalOf = async (
  c: Context<App>,
  handle: Handle,
  { operations: wanted, undo = {} }: z.output<typeof PlanPreviewRequest>,
): Promise<Proposal> =>
  propose(c, handle, wanted ?? (await operationsToUndo(c, await changesToUndo(c, undo))));

/** Makes a plan of operations, or of those that undo changes. */
async function make(c: Context<App>, handle: Handle, given: z.output<typeof PlanCreate>): Promise<Response> {
  const earlier = await earlierResponse(c);
  if (earlier) return earlier;
  const { description = null, expires_in = EXPIRES_IN.usual } = given;
  const proposal = await proposalOf(c, handle, given);
  const identity = stamp("plan");
  const by = causeOf(c).principal;
  const expires = clock.now() + expires_in * 1000;
  const row: PlanRow = {
    ...identity,
    description,
    state: "open",
    expires_at: timestamp(expires),
    created_by: by,
    maker: by.id,
    applied_by: null,
    operation_id: null,
    deleted_at: expires + KEPT.ended,
    ...(await columnsOf(c, identity.id, proposal)),
    response: null,
  };
  const body = await toPlanWithTraffic(c, row);
  const room = hasRoom(by.id);
  return commit(c, {
    requires: [
      rule(room.own, () =>
        tooManyPlans(
          `You have ${MOST_PLANS.ofMaker} plans that were not applied. Apply some, or wait: withdrawn plans count for a day.`,
          MOST_PLANS.ofMaker,
        ),
      ),
      rule(room.all, () =>
        tooManyPlans(`There are ${MOST_PLANS.all} plans that were not applied.`, MOST_PLANS.all),
      ),
    ],
    change: (cause) => insertPlan(row, cause),
    creates: { id: row.id, answer: { status: 201, version: 1, body }, kept: body },
  });
}

/** Lists plans: of planners, their own. */
async function list(c: Context<App>, query: z.output<typeof planQuery>): Promise<Response> {
  const { session, origin } = c.get("request");
  const { limit: most = LARGEST_PAGE, ...rest } = query;
  const maker = makerFor(c);
  const found = await session.all(planPage({ limit: most, ...rest, ...(maker !== undefined && { maker }) }));
  const page = found.slice(0, most);
  const body = {
    plans: page.map((row) => toPlanSummary(row, origin)),
    ...pageLinks(
      c,
      `${origin}${kinds.plan.path}`,
      most,
      beforeLast({ rows: page, isMore: found.length > most }),
    ),
  } satisfies z.output<typeof PlanList>;
  return respond(c, 200, JSON.stringify(body));
}

/** Computes the effect of a plan again. */
async function refresh(c: Context<App>, handle: Handle): Promise<Response> {
  const row = await planOf(c);
  const proposal = await propose(c, handle, await operationsOf(c, row));
  const { effect, reads } = await columnsOf(c, row.id, proposal);
  const { origin, session } = c.get("request");
  const shown = await withTraffic(session, proposal.effect);
  const refreshed = refreshPlan(row.id, { effect, reads });
  return commit(c, {
    requires: [rule(isOpen(row.id), () => notOpen(row)), conditionsMet(c, planRow(row.id))],
    change: () => ({ statements: [refreshed], main: 0 }),
    answer(found) {
      const changed = refreshed.decode(found);
      return { status: 200, version: changed.version, body: { ...toPlan(changed, origin), ...shown } };
    },
  });
}

/** Applies a plan that the caller has seen, or returns the response of the request that applied it. */
async function applySeen(c: Context<App>, handle: Handle): Promise<Response> {
  const row = await planOf(c);
  if (row.response !== null) return replay(c, row.response, taggedAs(c, row.version));
  const wanted = tagsOf(c.req.header("If-Match"));
  if (wanted === undefined || wanted === "any")
    throw badRequest(
      "Send If-Match with the ETag of the plan, so that nothing is applied that you have not seen.",
    );
  return apply(c, handle, row);
}

/** The write that withdraws a plan. */
const withdrawal = (c: Context<App>, id: string): Write => ({
  requires: [
    rule(isVisible(id, makerFor(c)), () => notFound("plan")),
    rule(isNotApplied(id), () => conflict("The plan was applied. To undo it, make a plan with undo.")),
    conditionsMet(c, planRow(id)),
  ],
  change: () => ({ statements: [withdrawPlan(id)] }),
  otherwise: () => ({ status: 204 }),
});

/** @param handle handles a request with the whole service */
export const plans = (handle: Handle) =>
  endpoints()
    .post("/", operations.create, (c) => make(c, handle, c.req.valid("json")))
    .get("/", operations.list, (c) => list(c, c.req.valid("query")))
    .get("/:id", operations.get, async (c) => {
      const row = await planOf(c);
      return show(c, row.version, await toPlanWithTraffic(c, row));
    })
    .post("/:id/refresh", operations.refresh, (c) => refresh(c, handle))
    .post("/:id/apply", operations.apply, (c) => applySeen(c, handle))
    .delete("/:id", operations.remove, (c) => commit(c, withdrawal(c, c.req.param("id"))));

/** @param handle handles a request with the whole service */
export const previews = (handle: Handle) =>
  endpoints().post("/", operations.preview, async (c) => {
    const { effect } = await proposalOf(c, handle, c.req.valid("json"));
    return respond(c, 200, JSON.stringify(await withTraffic(c.get("request").session, effect)));
  });
