import { useState } from "preact/hooks";
import { queryClient } from "../api/cache.ts";
import { api, bodyOf } from "../api/client.ts";
import { failureOf, type RequestFailure } from "../api/errors.ts";
import { catchUp } from "../api/events.ts";
import type { Plan } from "../api/queries.ts";
import { goLater, link } from "../base/routes.ts";
import { makePlan } from "../changes/operations.ts";
import { pendingPlan, undoPlan } from "../changes/pending.ts";
import { createdIn, settlePlan } from "../changes/settling.ts";
import { takeOver } from "../changes/take_over.ts";

/** What can be done with a plan. */
export type PlanActions = ReturnType<typeof usePlanActions>;

/** The result of the last action: a message, the address to send for approval, or the operations that were left out. */
type Outcome =
  | ""
  | "Applied."
  | "This is the effect on the current configuration."
  | "ask"
  | { left: string[] };

/** Removes the changes in a plan from the pending changes, if the plan was made in this tab. @param created the objects that the plan created */
function settle({ id }: Plan, created?: Parameters<typeof settlePlan>[0]): void {
  if (undoPlan.value === id) undoPlan.value = null;
  if (pendingPlan.value === id) settlePlan(created);
}

/** The actions on a plan. Only one runs at a time. @param titles the titles of its operations */
export function usePlanActions(plan: Plan, etag: string, titles: string[]) {
  // A plan can be applied although the request failed. The error is of no use then, unless it is that of the undo.
  const [failed, setFailed] = useState<{ error: unknown; while: Plan["state"] }>();
  const [outcome, setOutcome] = useState<Outcome>("");
  // A plan with this ETag cannot be applied.
  const [outdated, setOutdated] = useState<{ etag: string; why: RequestFailure; isFinal: boolean }>();
  const [isBusy, setBusy] = useState(false);
  const path = { params: { path: { id: plan.id } } };
  const reread = () => queryClient.invalidateQueries({ queryKey: ["plans"] });
  const run = (action: () => Promise<unknown>) => (): void => {
    setBusy(true);
    setFailed(undefined);
    setOutcome("");
    action()
      .catch((error: unknown) => setFailed({ error, while: plan.state }))
      .finally(() => setBusy(false));
  };
  const apply = async (): Promise<void> => {
    try {
      const { results } = await bodyOf(
        api.POST("/plans/{id}/apply", { ...path, headers: { "If-Match": etag } }),
      );
      const ids = results.map(({ body }) => body?.["id"]);
      settle(plan, createdIn(plan, ids));
    } catch (error) {
      const failure = failureOf(error);
      // If an operation is rejected, a refresh is rejected, too.
      const isFinal = failure.details["operation"] !== undefined;
      if (isFinal || failure.code === "ERR_PLAN_OUTDATED")
        return setOutdated({ etag, why: failure, isFinal });
      const hasRead = reread();
      // Somebody else refreshed the plan, so the new effect is shown first.
      if (failure.status === 412) await hasRead;
      throw error;
    }
    setOutcome("Applied.");
    await Promise.allSettled([catchUp(), reread()]);
  };
  const refresh = async (): Promise<void> => {
    try {
      await bodyOf(api.POST("/plans/{id}/refresh", path));
    } catch (error) {
      const failure = failureOf(error);
      // Otherwise the service could not be reached, or is busy.
      if (failure.details["operation"] === undefined && failure.status !== 412) throw error;
      return setOutdated({ etag, why: failure, isFinal: true });
    }
    await reread();
    setOutcome("This is the effect on the current configuration.");
  };
  const ask = async (): Promise<void> => {
    settle(plan);
    setOutcome("ask");
    await reread();
  };
  const undo = async (): Promise<void> => {
    const goOn = goLater();
    const id = await makePlan({ undo: { operation_id: plan.operation_id ?? "" } });
    goOn(link("plans", id));
  };
  const again = async (): Promise<void> => {
    const goOn = goLater();
    const left = await takeOver(plan, titles);
    if (left.length > 0) setOutcome({ left });
    else goOn(link("review"));
  };
  return {
    error: failed?.while === "open" && plan.state === "applied" ? undefined : failed?.error,
    // Somebody may have applied it since.
    outcome: outcome === "ask" && plan.state !== "open" ? "" : outcome,
    isBusy,
    outdated: outdated?.etag === etag ? outdated : undefined,
    apply: run(apply),
    refresh: run(refresh),
    ask: run(ask),
    undo: run(undo),
    again: run(again),
  };
}
