import "./common.ts";
import type { Schemas } from "../api/client.ts";
import { usePlans } from "../api/operation_queries.ts";
import { usePlan } from "../api/queries.ts";
import { mayPlan } from "../api/session.ts";
import { link } from "../base/routes.ts";
import { isAwaitingApproval } from "../changes/pending.ts";
import { count } from "../facts/amounts.ts";
import { planStates } from "../facts/happened.ts";
import { List } from "../widgets/list.tsx";
import { Empty, NotAllowed, Page } from "../widgets/page.tsx";
import { State } from "../widgets/state.tsx";
import type { Column } from "../widgets/table.tsx";
import { Time } from "../widgets/text.tsx";

type Summary = Schemas["PlanSummary"];

/** Lists do not contain effects, so the newest plans are read one by one. */
const NEWEST = 20;

/** A plan's summary of its effect. */
function Effect({ id }: { id: string }) {
  const { data } = usePlan(id);
  return data ? <span class="meta cut">{data.plan.summary}</span> : null;
}

const columnsFor = (newest: Set<string>): Column<Summary>[] => [
  {
    name: "Plan",
    width: "minmax(0, 2fr)",
    class: "name two",
    cell: ({ id, description, created_by }) => (
      <>
        <a class="cut" href={link("plans", id)}>
          <bdi>{description || `Changes by ${created_by.subject}`}</bdi>
        </a>
        {newest.has(id) && <Effect id={id} />}
      </>
    ),
  },
  {
    name: "By",
    width: "minmax(0, 1fr)",
    class: "wide cut t2",
    cell: ({ created_by, applied_by }) => (
      <>
        <bdi>{created_by.subject}</bdi>
        {applied_by && (
          <span class="t3">
            , applied by <bdi>{applied_by.subject}</bdi>
          </span>
        )}
      </>
    ),
  },
  { name: "Made", width: "130px", class: "fig t2 cut", cell: ({ created_at }) => <Time at={created_at} /> },
  {
    name: "State",
    width: "160px",
    class: "st",
    cell: ({ id, state }) => (
      <State tone={planStates[state].tone} {...(planStates[state].tone === "none" && { sign: "off" })}>
        {state === "open" && !isAwaitingApproval({ id, state }) ? "Not applied yet" : planStates[state].text}
      </State>
    ),
  },
];

/** The newest plans: those that wait for somebody, and those that were applied. */
export function Plans() {
  const plans = usePlans();
  if (!mayPlan.value) return <NotAllowed role="planner" />;
  const columns = columnsFor(new Set(plans.data?.slice(0, NEWEST).map(({ id }) => id)));
  const open = plans.data?.filter(isAwaitingApproval).length ?? 0;
  return (
    <Page
      title="Plans"
      facts={[
        plans.data &&
          plans.data.length > 0 &&
          (open === 0
            ? "none waits for approval"
            : `${open >= 100 ? "at least " : ""}${count(open, "plan")} ${open === 1 ? "waits" : "wait"} for approval`),
        "proposed changes, and whom they affect",
      ]}
    >
      <List
        title="Plans"
        filter="Description, person, state or id"
        query={plans}
        columns={columns}
        keyOf={({ id }) => id}
        textsOf={({ id, description, state, created_by }) => [id, description, state, created_by.subject]}
        empty={
          <Empty title="No plans yet">
            Reviewing a change makes a plan. It shows who the change affects, and somebody applies it.
          </Empty>
        }
      />
    </Page>
  );
}
