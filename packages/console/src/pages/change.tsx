import "./common.ts";
import { useState } from "preact/hooks";
import type { Event } from "../api/cache.ts";
import { failureOf } from "../api/errors.ts";
import { useNames } from "../api/names.ts";
import { useEvent } from "../api/operation_queries.ts";
import { mayPlan } from "../api/session.ts";
import { go, link } from "../base/routes.ts";
import { makePlan } from "../changes/operations.ts";
import { canBeUndone, nameIn, whatHappened } from "../facts/happened.ts";
import { FieldDiff } from "../widgets/field_diff.tsx";
import { Loaded, NotFound, Page, Panel, Problem, Skeleton } from "../widgets/page.tsx";
import { Ref, Time } from "../widgets/text.tsx";

/** One change: who made it, what is different, and how to undo it. */
export function ChangePage({ id }: { id: string }) {
  const query = useEvent(id);
  if (query.error && failureOf(query.error).status === 404) return <NotFound what="change" id={id} />;
  if (!query.data) return <Loaded query={query}>{() => <Skeleton />}</Loaded>;
  return <ChangeView event={query.data.event} before={query.data.before} />;
}

function ChangeView({ event, before }: { event: Event; before: Event | undefined }) {
  const names = useNames();
  const [error, setError] = useState<unknown>();
  const [isBusy, setBusy] = useState(false);
  const undo: Undo = async (what) => {
    setBusy(true);
    setError(undefined);
    try {
      go(link("plans", await makePlan({ undo: what })));
    } catch (error) {
      setError(error);
    }
    setBusy(false);
  };
  const isDeleted = event.event_type.includes("_deleted");
  const isCreated = event.event_type.includes("_created");
  return (
    <Page
      title={nameIn(event, names)}
      of={{ name: "Changes", href: link("changes") }}
      subtitle={whatHappened(event)}
      actions={
        <>
          <a class="btn q" href={link("changes", undefined, { object: event.object.id })}>
            History of this object
          </a>
          {mayPlan.value && canBeUndone(event) && <UndoButtons event={event} isBusy={isBusy} undo={undo} />}
        </>
      }
    >
      {error !== undefined && <Problem error={error} />}
      <div class="grid plan">
        <Panel title="Difference">
          {event.truncated && <p class="t3 pad">The object was too long for the log.</p>}
          <FieldDiff
            before={isCreated ? {} : isDeleted ? event.object : (before?.object ?? {})}
            after={isDeleted ? {} : event.object}
          />
          {!isCreated && !isDeleted && !before && (
            <p class="t3 pad">The log no longer has the object's earlier state.</p>
          )}
        </Panel>
        <Facts event={event} />
      </div>
    </Page>
  );
}

function Facts({ event }: { event: Event }) {
  return (
    <Panel title="Who and when">
      <dl class="facts">
        <dt>Object</dt>
        <dd>
          <Ref id={event.object.id} />
        </dd>
        <dt>Changed</dt>
        <dd>
          {event.event_timestamp} (<Time at={event.event_timestamp} />)
        </dd>
        <dt>By</dt>
        <dd>
          <a class="link" href={link("changes", undefined, { by: event.principal?.id ?? "" })}>
            <bdi>{event.principal?.subject ?? "system"}</bdi>
          </a>{" "}
          <span class="t3">{event.principal?.source}</span>
        </dd>
        <dt>Event</dt>
        <dd class="mono">{event.event_type}</dd>
        <dt>Id</dt>
        <dd class="mono">{event.event_id}</dd>
        <dt>Operation</dt>
        <dd class="mono">{event.operation_id}</dd>
        {event.plan_id !== undefined && (
          <>
            <dt>Plan</dt>
            <dd class="mono">
              <Ref id={event.plan_id} />
            </dd>
          </>
        )}
      </dl>
    </Panel>
  );
}

type Undo = (what: { events: string[] } | { operation_id: string }) => Promise<void>;

function UndoButtons({ event, isBusy, undo }: { event: Event; isBusy: boolean; undo: Undo }) {
  return (
    <>
      <button
        type="button"
        class="btn"
        disabled={isBusy}
        onClick={() => void undo({ operation_id: event.operation_id })}
      >
        Undo the whole request…
      </button>
      <button
        type="button"
        class="btn"
        data-key="u"
        disabled={isBusy}
        onClick={() => void undo({ events: [event.event_id] })}
      >
        Undo… <kbd aria-hidden="true">U</kbd>
      </button>
    </>
  );
}
