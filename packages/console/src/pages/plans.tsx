import "./common.ts";
import type { Schemas } from "../api/client.ts";
import { usePlans } from "../api/operation_queries.ts";
import { mayPlan } from "../api/session.ts";
import { link } from "../base/routes.ts";
import { planTones } from "../facts/plan_tones.ts";
import { List } from "../widgets/list.tsx";
import { Chip, NotAllowed, Page } from "../widgets/page.tsx";
import type { Column } from "../widgets/table.tsx";
import { Time } from "../widgets/text.tsx";

type Summary = Schemas["PlanSummary"];

const columns: Column<Summary>[] = [
  {
    name: "Plan",
    class: "cut",
    cell: ({ id, description }) => (
      <a class="b" href={link("plans", id)}>
        <bdi>{description || id}</bdi>
      </a>
    ),
  },
  { name: "By", class: "cut", cell: ({ created_by }) => <bdi>{created_by.subject}</bdi> },
  { name: "Made", class: "t3 when", cell: ({ created_at }) => <Time at={created_at} /> },
  {
    name: "Applied by",
    class: "cut wide",
    cell: ({ applied_by }) => applied_by && <bdi>{applied_by.subject}</bdi>,
  },
  { name: "State", class: "state", cell: ({ state }) => <Chip tone={planTones[state]}>{state}</Chip> },
];

/** The newest plans: those that wait for somebody, and those that were applied. */
export function Plans() {
  const plans = usePlans();
  if (!mayPlan.value) return <NotAllowed role="planner" />;
  return (
    <Page title="Plans">
      <List
        title="Plans"
        query={plans}
        columns={columns}
        keyOf={({ id }) => id}
        textsOf={({ id, description, state, created_by }) => [id, description, state, created_by.subject]}
        empty="There is no plan. Reviewing a change makes one."
      />
    </Page>
  );
}
