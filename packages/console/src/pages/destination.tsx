import "./common.ts";
import { useState } from "preact/hooks";
import { api, bodyOf, done } from "../api/client.ts";
import { nameOf } from "../api/names.ts";
import { type Destination, useDeadLetters, useDestinations } from "../api/operation_queries.ts";
import { mayApply } from "../api/session.ts";
import { link } from "../base/routes.ts";
import { deliveryTones, targetOf } from "../facts/deliveries.ts";
import { Action } from "../widgets/action.tsx";
import { History } from "../widgets/history.tsx";
import { Chip, Loaded, Rows, NotFound, Page, Panel, Skeleton } from "../widgets/page.tsx";
import { Time } from "../widgets/text.tsx";

/** A destination of events: its delivery status, its dead letters, and what can be tried. */
export function DestinationPage({ id }: { id: string }) {
  const destinations = useDestinations();
  if (!destinations.data) return <Loaded query={destinations}>{() => <Skeleton />}</Loaded>;
  const destination = destinations.data.find((one) => one.id === id);
  return destination ? <View destination={destination} /> : <NotFound what="destination" id={id} />;
}

function View({ destination }: { destination: Destination }) {
  const { id, delivery } = destination;
  const dead = useDeadLetters(id);
  const [outcome, setOutcome] = useState("");
  return (
    <Page
      title={nameOf(destination)}
      of={{ name: "Deliveries", href: link("deliveries") }}
      subtitle={
        <>
          <Chip tone={deliveryTones[delivery.state]}>{delivery.state}</Chip> {targetOf(destination)} ·{" "}
          <code class="t3">{id}</code>
        </>
      }
      actions={mayApply.value && <Actions id={id} report={setOutcome} />}
    >
      {outcome !== "" && (
        <p class="notice" role="status">
          {outcome}
        </p>
      )}
      <div class="grid">
        <div class="col">
          <Status delivery={delivery} />
          <Panel title="Dead letters">
            <Rows query={dead} empty="The target has not rejected any event because of its content.">
              {({ event_id, error, at }) => (
                <div class="row" key={event_id}>
                  <a class="link mono" href={link("changes", event_id)}>
                    {event_id}
                  </a>
                  <span class="grow wrap">{error.msg}</span>
                  <span class="t3 sm">
                    <Time at={at} />
                  </span>
                </div>
              )}
            </Rows>
          </Panel>
        </div>
        <History id={id} />
      </div>
    </Page>
  );
}

function Status({ delivery }: { delivery: Destination["delivery"] }) {
  const at = (time: string | null) => (time === null ? "never" : <Time at={time} />);
  return (
    <Panel title="Delivery">
      <dl class="facts">
        <dt>Waiting</dt>
        <dd>{delivery.pending}</dd>
        <dt>Delivered</dt>
        <dd>{delivery.delivered}</dd>
        <dt>Lost</dt>
        <dd>{delivery.lost}</dd>
        <dt>Last delivered</dt>
        <dd>{at(delivery.last_delivered_at)}</dd>
        <dt>Failing since</dt>
        <dd>
          {at(delivery.failing_since)}
          {delivery.consecutive_failures > 0 && `, ${delivery.consecutive_failures} attempts`}
        </dd>
        <dt>Next attempt</dt>
        <dd>{at(delivery.next_attempt_at)}</dd>
        <dt>Last error</dt>
        <dd class="wrap">{delivery.last_error?.msg ?? "none"}</dd>
      </dl>
    </Panel>
  );
}

function Actions({ id, report }: { id: string; report: (outcome: string) => void }) {
  const params = { path: { id } };
  const test = async (): Promise<void> => {
    const { delivered, status, error, duration_ms } = await bodyOf(
      api.POST("/event_destinations/{id}/test", { params, body: {} }),
    );
    const why = error?.msg ?? `status ${status ?? "none"}`;
    report(
      delivered ? `The test event arrived after ${duration_ms} ms.` : `The test event did not arrive: ${why}`,
    );
  };
  const replay = async (): Promise<void> => {
    const from = new Date(Date.now() - 86_400_000).toISOString().replace(/\.\d+/, "");
    await done(api.POST("/event_destinations/{id}/replay", { params, body: { from } }));
    report("The events of the last 24 hours are sent again.");
  };
  return (
    <>
      <Action
        label="Send a test"
        effect="An event of type test.v0 is sent to the target now."
        affects="destinations"
        run={test}
      />
      <Action
        label="Try now"
        effect="Waiting events are sent now, even if the delivery is suspended."
        affects="destinations"
        run={() => done(api.POST("/event_destinations/{id}/resume", { params, body: {} }))}
      />
      <Action
        label="Replay 24 hours"
        effect="Every event of the last 24 hours is sent again. The target may receive events twice; their ids stay the same."
        affects="destinations"
        run={replay}
      />
    </>
  );
}
