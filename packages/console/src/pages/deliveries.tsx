import "./common.ts";
import { nameOf } from "../api/names.ts";
import { type Destination, useDestinations } from "../api/operation_queries.ts";
import { link } from "../base/routes.ts";
import { deliveryTones, targetOf } from "../facts/deliveries.ts";
import { List } from "../widgets/list.tsx";
import { Chip, Page } from "../widgets/page.tsx";
import type { Column } from "../widgets/table.tsx";
import { Time } from "../widgets/text.tsx";

const columns: Column<Destination>[] = [
  {
    name: "Destination",
    class: "cut",
    cell: (destination) => (
      <a class="b" href={link("deliveries", destination.id)}>
        <bdi>{nameOf(destination)}</bdi>
      </a>
    ),
  },
  { name: "Target", class: "cut t3 wide", cell: targetOf },
  {
    name: "State",
    cell: ({ delivery: { state } }) => <Chip tone={deliveryTones[state]}>{state}</Chip>,
  },
  { name: "Waiting", class: "num", cell: ({ delivery }) => delivery.pending },
  {
    name: "Failing since",
    class: "cut wide",
    cell: ({ delivery: { failing_since } }) => failing_since !== null && <Time at={failing_since} />,
  },
  {
    name: "Next attempt",
    class: "cut wide",
    cell: ({ delivery: { next_attempt_at } }) => next_attempt_at !== null && <Time at={next_attempt_at} />,
  },
];

/** Where events are sent, and whether they arrive. */
export function Deliveries() {
  return (
    <Page title="Deliveries">
      <List
        title="Destinations"
        query={useDestinations()}
        columns={columns}
        keyOf={({ id }) => id}
        textsOf={(destination) => [
          nameOf(destination),
          destination.id,
          targetOf(destination),
          destination.delivery.state,
        ]}
        empty="Events are not sent anywhere yet."
      />
    </Page>
  );
}
