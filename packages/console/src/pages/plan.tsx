import "./common.ts";
import { useEffect, useRef, useState } from "preact/hooks";
import { failureOf } from "../api/errors.ts";
import { withNames } from "../api/names.ts";
import { type Plan, usePlan } from "../api/queries.ts";
import { mayApply, mayPlan } from "../api/session.ts";
import { go, link } from "../base/routes.ts";
import { modules } from "../changes/modules.ts";
import { withdraw } from "../changes/operations.ts";
import { discard, isPlanCurrent, pending, pendingCount, pendingPlan, undoPlan } from "../changes/pending.ts";
import { count } from "../facts/amounts.ts";
import { planStates } from "../facts/happened.ts";
import { Action } from "../widgets/action.tsx";
import { Command } from "../widgets/command.tsx";
import { Icon } from "../widgets/icons.tsx";
import { Menu } from "../widgets/menu.tsx";
import { NotAllowed, NotFound, Notice, Page, Problem, Unread } from "../widgets/page.tsx";
import { State } from "../widgets/state.tsx";
import { Time } from "../widgets/text.tsx";
import { hasLists, Lists } from "./plan_access.tsx";
import { type PlanActions, usePlanActions } from "./plan_actions.ts";
import { kindAt, nameInPlan, usePlanNames } from "./plan_names.tsx";
import { changesIn, Operations } from "./plan_operations.tsx";
import { mayBeApplied, Warnings } from "./plan_warnings.tsx";
import { TakeBack } from "./waiting.tsx";

const PLANS = [{ name: "Plans", href: link("plans") }];

/** A plan: what would change and who is affected. It can be applied, withdrawn, or sent to somebody. */
export function PlanPage({ id }: { id: string }) {
  const query = usePlan(id);
  const status = query.error ? failureOf(query.error).status : 0;
  if (status === 404) return <NotFound what="plan" id={id} />;
  if (status === 403) return <NotAllowed role="planner" of={PLANS} />;
  if (!query.data) return <Unread query={query} what="plan" />;
  return <PlanView key={id} plan={query.data.plan} etag={query.data.etag} />;
}

/** The names of the operations' objects. */
function useTitles(plan: Plan): string[] {
  const names = usePlanNames(plan);
  return plan.operations.map(({ path }, i) => {
    const change = plan.changes[i];
    const id = change?.object?.id ?? "";
    const known = id === "" || id.startsWith("$") ? "" : names(id).name;
    return change?.object?.description || known || (change && nameInPlan(change)) || kindAt(path);
  });
}

/** Withdraws an undo plan when the user leaves its page, so that an undo that was only viewed does not wait for approval. */
function useUndoWithdrawal(id: string, isBusy: boolean): void {
  const isKept = useRef(false);
  // The plan can be about to be applied.
  isKept.current = isBusy;
  useEffect(
    () => () => {
      if (undoPlan.value !== id || isKept.current) return;
      undoPlan.value = null;
      void withdraw(id).catch(() => undefined);
    },
    [],
  );
}

function PlanView({ plan, etag }: { plan: Plan; etag: string }) {
  const [ticked, setTicked] = useState<Set<string>>(new Set());
  const titles = useTitles(plan);
  const actions = usePlanActions(plan, etag, titles);
  const names = usePlanNames(plan);
  useUndoWithdrawal(plan.id, actions.isBusy);
  const isOpen = plan.state === "open";
  const isReady = mayBeApplied(plan, etag, ticked) && !actions.outdated;
  const isPending = isOpen && pendingPlan.value === plan.id;
  const isMine = isPending || undoPlan.value === plan.id;
  const number = isPending && isPlanCurrent.value ? pendingCount.value : changesIn(plan);
  const { tone, text } = planStates[plan.state];
  return (
    <Page
      title={plan.description || `${verbs[plan.state]} ${count(number, "change")}`}
      of={PLANS}
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
          {isOpen && (
            <OpenActions id={plan.id} number={number} isMine={isMine} isReady={isReady} actions={actions} />
          )}
          {mayPlan.value && !isOpen && <ClosedActions plan={plan} actions={actions} />}
        </>
      }
    >
      {actions.error !== undefined && (
        <Problem error={actions.error} words={(text) => withNames(text, names)} />
      )}
      {isOpen && <Outdated plan={plan} titles={titles} actions={actions} isPending={isPending} />}
      {isPending && !isPlanCurrent.value && <Edited />}
      <Outcome actions={actions} />
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
        <Operations
          plan={plan}
          number={number}
          action={
            isPending && isOpen
              ? (operation) => <TakeBackOf operation={operation} isBusy={actions.isBusy} />
              : undefined
          }
        />
      </div>
    </Page>
  );
}

/** What has become of a plan, as the title of one without a description. */
const verbs = { open: "Review", applied: "Applied", withdrawn: "Withdrawn:", expired: "Expired:" } as const;

/** The result of the last action. */
function Outcome({ actions: { outcome } }: { actions: PlanActions }) {
  if (outcome === "") return null;
  if (outcome === "ask")
    return (
      <Notice role="status">
        Send this address to somebody who can apply the plan:
        <Command text={location.href} label="Copy the address" />
      </Notice>
    );
  // The title and the state show this, too.
  if (outcome === "Applied.")
    return (
      <p class="hidden" role="status">
        {outcome}
      </p>
    );
  if (typeof outcome === "string") return <Notice role="status">{outcome}</Notice>;
  return (
    <Notice
      tone="warn"
      role="alert"
      title="Not everything can be made again"
      actions={
        <a class="btn s" href={link("review")}>
          Review the rest
        </a>
      }
    >
      <ul>
        {outcome.left.map((text) => (
          <li key={text}>{text}</li>
        ))}
      </ul>
    </Notice>
  );
}

/** Explains why an outdated plan cannot be applied, and what to do. */
function Outdated(props: { plan: Plan; titles: string[]; actions: PlanActions; isPending: boolean }) {
  const { plan, titles, actions, isPending } = props;
  const names = usePlanNames(plan);
  if (!actions.outdated || typeof actions.outcome === "object") return null;
  const { why, isFinal } = actions.outdated;
  const isChanged = isFinal && why.status === 412;
  // An operation's error message starts with the operation's number.
  const at = /^Operation (\d+): /.exec(why.message);
  const message = at
    ? `${titles[Number(at[1])] ?? "An object"}: ${why.message.slice(at[0].length)}`
    : why.message;
  return (
    <Notice
      tone="warn"
      role="alert"
      title={
        isChanged ? "Somebody changed the same objects after this plan was made" : withNames(message, names)
      }
      actions={
        !isFinal ? (
          <button type="button" class="btn s" disabled={actions.isBusy} onClick={actions.refresh}>
            Refresh
          </button>
        ) : isPending ? (
          <a class="btn s" href={link("review")}>
            {isChanged ? "Merge the changes" : "Review again"}
          </a>
        ) : (
          mayPlan.value && (
            <button type="button" class="btn s" disabled={actions.isBusy} onClick={actions.again}>
              Make it again
            </button>
          )
        )
      }
    >
      {isFinal &&
        !isPending &&
        (mayPlan.value
          ? "Making it again adds its changes to yours. You then review them against the current objects."
          : "A planner has to make it again.")}
    </Notice>
  );
}

/** A notice that the pending changes differ from the plan's changes. */
const Edited = () => (
  <Notice
    tone="warn"
    role="status"
    title="You have edited your changes since this plan was made"
    actions={
      <a class="btn s" href={link("review")}>
        Review all changes
      </a>
    }
  >
    Only the changes shown here are applied.
  </Notice>
);

const isModuleAt = (path: string, of: string): boolean =>
  path.startsWith(`${of}/`) && path.slice(of.length + 1) in modules;

/** Takes back an operation's pending change, and plans the remaining changes again. */
function TakeBackOf({ operation, isBusy }: { operation: Plan["operations"][number]; isBusy: boolean }) {
  const { method, path, name } = operation;
  const found = Object.entries(pending.value).find(([, change]) =>
    change.type === "create"
      ? method === "POST" && change.name === name
      : // Removing a module is a separate operation.
        path === change.path || (change.type === "update" && isModuleAt(path, change.path)),
  );
  if (!found || isBusy) return null;
  const [key, { title }] = found;
  return (
    <TakeBack
      title={title}
      run={() => {
        discard(key);
        go(link("review"), "replace");
      }}
    />
  );
}

/** The actions on a plan that is no longer open: Undo, or Make it again. */
function ClosedActions({ plan, actions }: { plan: Plan; actions: PlanActions }) {
  if (plan.state !== "applied")
    return (
      <button type="button" class="btn" disabled={actions.isBusy} onClick={actions.again}>
        Make it again
      </button>
    );
  if (plan.operation_id === null) return null;
  return (
    <button type="button" class="btn" data-key="u" disabled={actions.isBusy} onClick={actions.undo}>
      <Icon name="undo" />
      Undo <kbd aria-hidden="true">U</kbd>
    </button>
  );
}

function OpenActions(props: {
  id: string;
  number: number;
  isMine: boolean;
  isReady: boolean;
  actions: PlanActions;
}) {
  const { id, number, isMine, isReady, actions } = props;
  return (
    <>
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
      {isMine && (
        <button type="button" class="btn q wide" data-key="escape" onClick={() => history.back()}>
          Back <kbd aria-hidden="true">Esc</kbd>
        </button>
      )}
      {mayPlan.value &&
        (isMine ? (
          !mayApply.value && (
            <button type="button" class="btn p" disabled={actions.isBusy} onClick={actions.ask}>
              Ask for approval
            </button>
          )
        ) : (
          <Action
            class="btn"
            label="Withdraw…"
            title="Withdraw this plan?"
            effect="Nobody can apply it then."
            run={() => withdraw(id)}
            affects="plans"
          />
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
