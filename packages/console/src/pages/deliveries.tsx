import "./common.ts";
import { useState } from "preact/hooks";
import { nameOf } from "../api/names.ts";
import { type Destination, useDestinations } from "../api/operation_queries.ts";
import { mayPlan } from "../api/session.ts";
import { link } from "../base/routes.ts";
import { newIn } from "../changes/pending.ts";
import { count } from "../facts/amounts.ts";
import { addressOf, deliveryStates, targetOf } from "../facts/deliveries.ts";
import { Icon } from "../widgets/icons.tsx";
import { List } from "../widgets/list.tsx";
import { Empty, Page } from "../widgets/page.tsx";
import { State } from "../widgets/state.tsx";
import type { Column } from "../widgets/table.tsx";
import { Labelled, Time } from "../widgets/text.tsx";
import { Added } from "./added.tsx";
import { Subscriptions } from "./destination.tsx";
import { NewObject } from "./edit_object.tsx";

const columns: Column<Destination>[] = [
  {
    name: "Name",
    width: "minmax(0, 1fr)",
    class: "name cut",
    cell: (destination) => (
      <a href={link("deliveries", destination.id)}>
        <bdi>{nameOf(destination)}</bdi>
      </a>
    ),
  },
  { name: "Kind", width: "130px", class: "wide t2 cut", cell: targetOf },
  {
    name: "Sends to",
    width: "minmax(0, 1.2fr)",
    class: "line2 cut",
    cell: (destination) => <code>{addressOf(destination)}</code>,
  },
  {
    name: "Waiting",
    width: "80px",
    class: "fig end num",
    cell: ({ delivery }) => <Labelled number={delivery.pending} label="waiting" />,
  },
  {
    name: "Last delivered",
    width: "120px",
    class: "wide t2 cut",
    cell: ({ delivery: { last_delivered_at: at } }) => (at === null ? "never" : <Time at={at} />),
  },
  {
    name: "State",
    width: "116px",
    class: "st",
    cell: ({ delivery: { state } }) => (
      <State tone={deliveryStates[state].tone}>{deliveryStates[state].text}</State>
    ),
  },
];

/** Where events are sent, and whether they arrive. */
export function Deliveries() {
  const destinations = useDestinations();
  const [isNew, setNew] = useState(false);
  const all = destinations.data;
  const failing = all?.filter(({ delivery: { state } }) =>
    ["warn", "bad"].includes(deliveryStates[state].tone),
  ).length;
  const actions = mayPlan.value && (
    <button type="button" class="btn p" data-key="n" onClick={() => setNew(true)}>
      <Icon name="add" />
      New destination <kbd aria-hidden="true">N</kbd>
    </button>
  );
  const isEmpty = all?.length === 0;
  return (
    <Page
      title="Deliveries"
      facts={[
        all && !isEmpty && count(all.length, "destination"),
        all &&
          !isEmpty &&
          (failing === 0
            ? "none needs attention"
            : `${failing} ${failing === 1 ? "needs" : "need"} attention`),
        "Changes are sent as events",
      ]}
      actions={!isEmpty && actions}
    >
      <Added added={newIn("/event_destinations")} />
      <List
        title="Destinations"
        filter="Name, target, state or id"
        query={destinations}
        columns={columns}
        keyOf={({ id }) => id}
        textsOf={(destination) => [
          nameOf(destination),
          destination.id,
          targetOf(destination),
          addressOf(destination),
          destination.delivery.state,
        ]}
        empty={
          <Empty title="No destinations yet" actions={actions}>
            Every change is an event. A destination is where events are sent: a webhook, a log or a bucket.
          </Empty>
        }
      />
      <Subscriptions />
      {isNew && <NewObject kinds={["destination"]} close={() => setNew(false)} />}
    </Page>
  );
}
