import "./common.ts";
import { useState } from "preact/hooks";
import { api, bodyOf, done, type Schemas } from "../api/client.ts";
import { nameOf } from "../api/names.ts";
import {
  type Destination,
  useDeadLetters,
  useDestinations,
  useSubscriptions,
} from "../api/operation_queries.ts";
import { mayApply, mayPlan } from "../api/session.ts";
import { link } from "../base/routes.ts";
import { newIn } from "../changes/pending.ts";
import { grouped } from "../changes/sources.ts";
import { count } from "../facts/amounts.ts";
import { addressOf, deliveryStates, targetOf } from "../facts/deliveries.ts";
import { Action } from "../widgets/action.tsx";
import { useListed } from "../widgets/dialog.tsx";
import { History } from "../widgets/history.tsx";
import { Icon } from "../widgets/icons.tsx";
import { Choice } from "../widgets/inputs.tsx";
import { ObjectMenu } from "../widgets/object_menu.tsx";
import { Chip, Notice, NotListed, Page, Panel, Rows, Unread } from "../widgets/page.tsx";
import { pendingMark } from "../widgets/pending_mark.tsx";
import { State } from "../widgets/state.tsx";
import { Time } from "../widgets/text.tsx";
import { AddedRows } from "./added.tsx";
import { EditButton, EditObject, NewObject } from "./edit_object.tsx";

/** A destination of events: its delivery status, its dead letters, and what can be tried. */
export function DestinationPage({ id }: { id: string }) {
  const destinations = useDestinations();
  const destination = useListed(destinations.data, id);
  if (!destinations.data) return <Unread query={destinations} what="destination" />;
  return destination ? (
    <View destination={destination} />
  ) : (
    <NotListed what="destination" id={id} update={() => destinations.refetch({ throwOnError: true })} />
  );
}

function View({ destination }: { destination: Destination }) {
  const { id, delivery } = destination;
  const title = nameOf(destination);
  const path = `/event_destinations/${id}`;
  const [outcome, setOutcome] = useState("");
  const { tone, text } = deliveryStates[delivery.state];
  return (
    <Page
      title={title}
      of={[{ name: "Deliveries", href: link("deliveries") }]}
      state={<State tone={tone}>{text}</State>}
      facts={[
        targetOf(destination),
        addressOf(destination) !== "" && <code>{addressOf(destination)}</code>,
        pendingMark(path),
      ]}
      actions={
        <>
          <ObjectMenu id={id} path={path} title={title} />
          {mayApply.value && <SendTest id={id} title={title} report={setOutcome} />}
          <EditButton path={path} title={title} isPrimary />
        </>
      }
    >
      {outcome !== "" && <Notice role="status">{outcome}</Notice>}
      <Waiting destination={destination} />
      <div class="grid">
        <div class="col">
          <Figures delivery={delivery} />
          <Subscriptions id={id} />
          <DeadLetters id={id} />
        </div>
        <div class="col">
          {mayApply.value && <SendAgain id={id} report={setOutcome} />}
          <History id={id} />
        </div>
      </div>
    </Page>
  );
}

/** Why events wait, and since when. */
function Waiting({ destination: { id, delivery } }: { destination: Destination }) {
  const { state, pending: number, failing_since: since, next_attempt_at: next, last_error: error } = delivery;
  const { tone } = deliveryStates[state];
  if (tone !== "warn" && tone !== "bad") return null;
  return (
    <Notice
      tone={tone}
      title={`${count(number, "event")} ${number === 1 ? "waits" : "wait"}${error === null ? "" : `: ${error.msg}`}`}
      actions={
        mayApply.value && (
          <Action
            label="Try now"
            title="Try to deliver now?"
            class="btn s"
            effect="Waiting events are sent now, even if the delivery is suspended."
            affects="destinations"
            run={() =>
              done(api.POST("/event_destinations/{id}/resume", { params: { path: { id } }, body: {} }))
            }
          />
        )
      }
    >
      {since !== null && (
        <>
          Failing, first <Time at={since} />, {count(delivery.consecutive_failures, "attempt")}.{" "}
        </>
      )}
      {next !== null && (
        <>
          The next attempt is <Time at={next} />, in order, so later events wait too.
        </>
      )}
    </Notice>
  );
}

function Figures({ delivery }: { delivery: Destination["delivery"] }) {
  return (
    <Panel
      title="Deliveries"
      {...(delivery.last_delivered_at !== null && {
        aside: (
          <>
            last one <Time at={delivery.last_delivered_at} />
          </>
        ),
      })}
    >
      <dl class="stats">
        {(
          [
            ["Delivered", delivery.delivered],
            ["Waiting", delivery.pending],
            ["Rejected", delivery.dead_letters],
            ["Lost", delivery.lost],
          ] as const
        ).map(([name, number]) => (
          <div class="stat" key={name}>
            <dt>{name}</dt>
            <dd>{number.toLocaleString("en")}</dd>
          </div>
        ))}
      </dl>
    </Panel>
  );
}

/** Which events are sent to a destination; without an id, the subscriptions that have none. */
export function Subscriptions({ id }: { id?: string }) {
  const subscriptions = useSubscriptions();
  const data = subscriptions.data?.filter(({ destinations }) =>
    id === undefined ? !destinations?.length : destinations?.some((one) => one.id === id),
  );
  const [isNew, setNew] = useState(false);
  const [edited, setEdited] = useState<Schemas["EventSubscription"]>();
  const all = useDestinations().data;
  // Where else a subscription sends its events.
  const othersOf = ({ destinations }: Schemas["EventSubscription"]): string =>
    (destinations ?? [])
      .filter((other) => other.id !== id)
      .map((other) => nameOf(all?.find((one) => one.id === other.id) ?? other))
      .join(", ");
  const pathOf = (one: { id: string }): string => `/event_subscriptions/${one.id}`;
  if (id === undefined && !data?.length) return null;
  const added = newIn("/event_subscriptions").filter(
    ({ body: { destination_ids: ids } }) => Array.isArray(ids) && ids.includes(id),
  );
  return (
    <Panel
      title={id ? "Subscriptions" : "Subscriptions without a destination"}
      note={id && "which events are sent"}
      aside={
        mayPlan.value &&
        id !== undefined && (
          <button type="button" class="btn s" onClick={() => setNew(true)}>
            <Icon name="add" />
            Add a subscription
          </button>
        )
      }
    >
      <AddedRows added={added} />
      <Rows
        query={{ ...subscriptions, data }}
        empty={added.length === 0 ? "No subscription, so nothing is sent here." : "No other subscription."}
      >
        {(one) => (
          <div class="row" key={one.id}>
            <div class="grow">
              <b>
                <bdi>{one.description || "Subscription"}</bdi>
              </b>
              <div class="line">
                {grouped((one.sources ?? []).map(({ type }) => type)).map(([group]) => (
                  <Chip key={group}>{group}</Chip>
                ))}
              </div>
            </div>
            <ObjectMenu
              id={one.id}
              path={pathOf(one)}
              title={one.description || "the subscription"}
              effect={othersOf(one) && `Its events are then not sent to ${othersOf(one)} either.`}
              isSmall
              more={mayPlan.value ? [{ text: "Edit", run: () => setEdited(one) }] : []}
            />
          </div>
        )}
      </Rows>
      {isNew && (
        <NewObject kinds={["subscription"]} given={{ destination_ids: [id] }} close={() => setNew(false)} />
      )}
      {edited && (
        <EditObject
          path={pathOf(edited)}
          title={edited.description || "the subscription"}
          close={() => setEdited(undefined)}
        />
      )}
    </Panel>
  );
}

/** Events that the target rejected because of their content. */
function DeadLetters({ id }: { id: string }) {
  return (
    <Panel title="Rejected events" note="kept, and not sent again automatically">
      <Rows query={useDeadLetters(id)} empty="The target has not rejected any event because of its content.">
        {({ event_id, error, at }) => (
          <div class="row" key={event_id}>
            <div class="grow">
              <a class="link wrap" href={link("changes", event_id)}>
                {error.msg}
              </a>
              <div class="meta">
                <Time at={at} />
              </div>
            </div>
          </div>
        )}
      </Rows>
    </Panel>
  );
}

/** Sends events of the past once more. */
function SendAgain({ id, report }: { id: string; report: (outcome: string) => void }) {
  const [hours, setHours] = useState("24");
  const text = spans.find(({ value }) => value === hours)?.text.toLowerCase() ?? "";
  const replay = async (): Promise<void> => {
    const from = new Date(Date.now() - Number(hours) * 3_600_000).toISOString().replace(/\.\d+/, "");
    await done(api.POST("/event_destinations/{id}/replay", { params: { path: { id } }, body: { from } }));
    report(`The events of the ${text} are sent again.`);
  };
  return (
    <Panel title="Send again">
      <div class="pad stack">
        <Choice
          label="Events of the"
          value={hours}
          options={spans}
          set={setHours}
          hint="The receiver sees the same event ids."
        />
        <Action
          label="Send again…"
          title={`Send the events of the ${text} again?`}
          class="btn"
          effect="Every event of that time is sent again. The target may receive events twice; their ids stay the same."
          affects="destinations"
          run={replay}
        />
      </div>
    </Panel>
  );
}

const spans = [
  { value: "1", text: "Last hour" },
  { value: "24", text: "Last 24 hours" },
  { value: "168", text: "Last 7 days" },
];

function SendTest({ id, title, report }: { id: string; title: string; report: (outcome: string) => void }) {
  const test = async (): Promise<void> => {
    const { delivered, status, error, duration_ms } = await bodyOf(
      api.POST("/event_destinations/{id}/test", { params: { path: { id } }, body: {} }),
    );
    const why = error?.msg ?? `status ${status ?? "none"}`;
    report(
      delivered ? `The test event arrived after ${duration_ms} ms.` : `The test event did not arrive: ${why}`,
    );
  };
  return (
    <Action
      label="Send a test"
      title={`Send a test to ${title}?`}
      class="btn"
      effect="An event of type test.v0 is sent to the target now."
      affects="destinations"
      run={test}
    />
  );
}
