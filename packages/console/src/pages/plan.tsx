import "./common.ts";
import { useState } from "preact/hooks";
import { queryClient } from "../api/cache.ts";
import { api, bodyOf, done } from "../api/client.ts";
import { failureOf } from "../api/errors.ts";
import { catchUp } from "../api/events.ts";
import { type Plan, usePlan } from "../api/queries.ts";
import { mayApply, mayPlan } from "../api/session.ts";
import { go, link } from "../base/routes.ts";
import { makePlan, withdraw } from "../changes/operations.ts";
import { discard, pendingPlan } from "../changes/pending.ts";
import { count } from "../facts/amounts.ts";
import { planStates } from "../facts/plan_states.ts";
import { Icon } from "../widgets/icons.tsx";
import { Menu } from "../widgets/menu.tsx";
import { Loaded, NotFound, Notice, Page, Problem, Skeleton } from "../widgets/page.tsx";
import { State } from "../widgets/state.tsx";
import { Time } from "../widgets/text.tsx";
import { hasLists, Lists } from "./plan_access.tsx";
import { Operations } from "./plan_operations.tsx";
import { mayBeApplied, Warnings } from "./plan_warnings.tsx";

/** A plan: what would change and who is affected. It can be applied, withdrawn, or sent to somebody. */
export function PlanPage({ id }: { id: string }) {
  const query = usePlan(id);
  if (query.error && failureOf(query.error).status === 404) return <NotFound what="plan" id={id} />;
  if (!query.data) return <Loaded query={query}>{() => <Skeleton />}</Loaded>;
  return <PlanView plan={query.data.plan} etag={query.data.etag} />;
}

function PlanView({ plan, etag }: { plan: Plan; etag: string }) {
  const [ticked, setTicked] = useState<Set<string>>(new Set());
  const actions = usePlanActions(plan, etag);
  const isOpen = plan.state === "open";
  const isReady = mayBeApplied(plan, etag, ticked);
  const isMine = pendingPlan.value === plan.id;
  const number = plan.operations.length;
  const { tone, text } = planStates[plan.state];
  return (
    <Page
      title={plan.description || `${verbs[plan.state]} ${count(number, "change")}`}
      of={[{ name: "Plans", href: link("plans") }]}
      state={
        <State tone={tone} {...(tone === "none" && { sign: "off" })}>
          {isMine ? "Not applied yet" : text}
        </State>
      }
      lead={plan.summary}
      facts={[
        <>
          <bdi>{plan.created_by.subject}</bdi>, <Time at={plan.created_at} />
        </>,
        plan.applied_by && (
          <>
            applied by <bdi>{plan.applied_by.subject}</bdi>
          </>
        ),
        isOpen && "together or not at all",
        isOpen && "nothing has changed yet",
      ]}
      isTask
      actions={
        <>
          {isOpen && <OpenActions number={number} isMine={isMine} isReady={isReady} actions={actions} />}
          {plan.state === "applied" && mayPlan.value && plan.operation_id !== null && (
            <button type="button" class="btn" data-key="u" disabled={actions.isBusy} onClick={actions.undo}>
              <Icon name="undo" />
              Undo <kbd aria-hidden="true">U</kbd>
            </button>
          )}
        </>
      }
    >
      {actions.error !== undefined && <Problem error={actions.error} />}
      {isOpen && actions.isConflict && <Conflict isMine={isMine} />}
      {actions.notice !== "" && <Notice role="status">{actions.notice}</Notice>}
      <Warnings
        plan={plan}
        etag={etag}
        ticked={ticked}
        onTick={isOpen && mayApply.value ? setTicked : undefined}
      />
      <div class={hasLists(plan) ? "grid even" : ""}>
        {hasLists(plan) && (
          <div class="col">
            <Lists plan={plan} />
          </div>
        )}
        <Operations plan={plan} />
      </div>
    </Page>
  );
}

/** What has become of a plan, as the title of one without a description. */
const verbs = { open: "Review", applied: "Applied", withdrawn: "Withdrawn:", expired: "Expired:" } as const;

/** Somebody has changed an object of the plan since, so no refresh can help. */
function Conflict({ isMine }: { isMine: boolean }) {
  return (
    <Notice
      tone="warn"
      title="Somebody changed the same objects after this plan was made"
      actions={
        isMine && (
          <a class="btn s" href={link("review")}>
            Merge with their changes
          </a>
        )
      }
    >
      {!isMine && "Its author has to make it again."}
    </Notice>
  );
}

type Actions = ReturnType<typeof usePlanActions>;

function OpenActions(props: { number: number; isMine: boolean; isReady: boolean; actions: Actions }) {
  const { number, isMine, isReady, actions } = props;
  return (
    <>
      {isMine && (
        <button type="button" class="btn q wide" data-key="escape" onClick={() => history.back()}>
          Back <kbd aria-hidden="true">Esc</kbd>
        </button>
      )}
      {mayPlan.value && (
        <Menu
          label="More"
          face={<Icon name="more" />}
          class="btn icon"
          items={[
            {
              text: "Refresh",
              note: "Shows the effect on the current configuration",
              run: actions.refresh,
            },
            ...(isMine ? [{ text: "Ask for approval", run: actions.ask }] : []),
          ]}
        />
      )}
      {mayPlan.value &&
        (isMine ? (
          !mayApply.value && (
            <button type="button" class="btn p" disabled={actions.isBusy} onClick={actions.ask}>
              Ask for approval
            </button>
          )
        ) : (
          <button type="button" class="btn" disabled={actions.isBusy} onClick={actions.withdraw}>
            Withdraw
          </button>
        ))}
      {mayApply.value && (
        <button
          type="button"
          class="btn p"
          data-key="enter"
          disabled={!isReady || actions.isBusy}
          onClick={actions.apply}
        >
          Apply {count(number, "change")} <kbd aria-hidden="true">Ctrl ↵</kbd>
        </button>
      )}
    </>
  );
}

/** What can be done with a plan. One thing happens at a time. */
function usePlanActions(plan: Plan, etag: string) {
  const [error, setError] = useState<unknown>();
  const [notice, setNotice] = useState("");
  const [isConflict, setConflict] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const path = { params: { path: { id: plan.id } } };
  const reread = () => queryClient.invalidateQueries({ queryKey: ["plans"] });
  const run = (action: () => Promise<unknown>) => (): void => {
    setBusy(true);
    setError(undefined);
    setNotice("");
    action()
      .catch(setError)
      .finally(() => setBusy(false));
  };
  const settle = (): void => {
    if (pendingPlan.value !== plan.id) return;
    pendingPlan.value = null;
    discard();
  };
  const apply = async (): Promise<void> => {
    try {
      await done(api.POST("/plans/{id}/apply", { ...path, headers: { "If-Match": etag } }));
    } catch (error) {
      // Somebody refreshed the plan, or something that it depends on has changed: the new effect is shown before anything else.
      if (failureOf(error).status === 412) await reread();
      throw error;
    }
    settle();
    setNotice("Applied.");
    await Promise.all([catchUp(), reread()]);
  };
  const refresh = async (): Promise<void> => {
    try {
      await bodyOf(api.POST("/plans/{id}/refresh", path));
    } catch (error) {
      setConflict(failureOf(error).status === 412);
      throw error;
    }
    await reread();
    setNotice("This is the effect on the current configuration.");
  };
  const ask = async (): Promise<void> => {
    settle();
    setNotice(`Send this address to somebody who may apply it: ${location.href}`);
  };
  const undo = async (): Promise<void> => {
    const id = await makePlan({ undo: { operation_id: plan.operation_id ?? "" } });
    go(link("plans", id));
  };
  return {
    error,
    isConflict,
    notice,
    isBusy,
    apply: run(apply),
    refresh: run(refresh),
    withdraw: run(() => withdraw(plan.id)),
    ask: run(ask),
    undo: run(undo),
  };
}
