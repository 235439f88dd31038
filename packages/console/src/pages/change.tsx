import "./common.ts";
import { useState } from "preact/hooks";
import type { Event } from "../api/cache.ts";
import { failureOf } from "../api/errors.ts";
import { useNames, withNames } from "../api/names.ts";
import { useEvent } from "../api/operation_queries.ts";
import { mayPlan } from "../api/session.ts";
import { goLater, link } from "../base/routes.ts";
import { isEqual } from "../changes/diff.ts";
import { makePlan } from "../changes/operations.ts";
import { canBeUndone, told } from "../facts/happened.ts";
import { FieldDiff, secretLabels } from "../widgets/field_diff.tsx";
import { Icon } from "../widgets/icons.tsx";
import { Menu } from "../widgets/menu.tsx";
import { NotFound, Page, Panel, Problem, Unread } from "../widgets/page.tsx";
import { Ref, Time, utc } from "../widgets/text.tsx";

/** One change: who made it, what is different, and how to undo it. */
export function ChangePage({ id }: { id: string }) {
  const query = useEvent(id);
  if (query.error && failureOf(query.error).status === 404) return <NotFound what="change" id={id} />;
  if (!query.data) return <Unread query={query} what="change" />;
  return <ChangeView event={query.data.event} before={query.data.before} />;
}

function ChangeView({ event, before }: { event: Event; before: Event | undefined }) {
  const names = useNames();
  const [error, setError] = useState<unknown>();
  const [isBusy, setBusy] = useState(false);
  const undo: Undo = async (what) => {
    const goOn = goLater();
    setBusy(true);
    setError(undefined);
    try {
      goOn(link("plans", await makePlan({ undo: what })));
    } catch (error) {
      setError(error);
    }
    setBusy(false);
  };
  const { title, what } = told(event, names);
  const isDeleted = event.event_type.includes("_deleted");
  const secrets = isDeleted ? [] : secretLabels(event);
  const isCreated = event.event_type.includes("_created");
  return (
    <Page
      title={title}
      of={[{ name: "Changes", href: link("changes") }]}
      facts={[
        what,
        <>
          <bdi>{event.principal?.subject ?? "system"}</bdi>, <Time at={event.event_timestamp} />
        </>,
      ]}
      actions={
        <>
          <a class="btn" href={link("changes", undefined, { object: event.object.id })}>
            Its history
          </a>
          {mayPlan.value && canBeUndone(event) && <UndoButtons event={event} isBusy={isBusy} undo={undo} />}
        </>
      }
    >
      {error !== undefined && <Problem error={error} words={(text) => withNames(text, names)} />}
      <div class="grid even">
        <Panel title="Difference">
          {event.truncated && <p class="nothing">The object was too long for the log.</p>}
          {!isCreated && before && isEqual(before.object, event.object) && secrets.length === 0 ? (
            <p class="nothing">
              Its own fields did not change. See{" "}
              <OfRequest event={event}>all changes in this request</OfRequest>.
            </p>
          ) : (
            <FieldDiff
              before={isCreated ? {} : isDeleted ? event.object : (before?.object ?? {})}
              after={isDeleted ? {} : event.object}
              path={new URL(event.object.uri).pathname}
              secrets={secrets}
            />
          )}
          {!isCreated && !isDeleted && !before && (
            <p class="nothing">The log no longer has the object's earlier state.</p>
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
      <dl class="facts-list">
        <dt>Object</dt>
        <dd>
          <Ref id={event.object.id} />
        </dd>
        <dt>Changed</dt>
        <dd>
          {utc(event.event_timestamp)} (<Time at={event.event_timestamp} />)
        </dd>
        <dt>By</dt>
        <dd>
          <a class="link" href={link("changes", undefined, { by: event.principal?.id ?? "" })}>
            <bdi>{event.principal?.subject ?? "system"}</bdi>
          </a>{" "}
          <span class="t3">{event.principal?.source}</span>
        </dd>
        {event.plan_id !== undefined && (
          <>
            <dt>Plan</dt>
            <dd>
              <Ref id={event.plan_id} />
            </dd>
          </>
        )}
      </dl>
      <details class="pad">
        <summary>Ids</summary>
        <dl class="facts-list">
          <dt>Event</dt>
          <dd>
            <code>{event.event_type}</code>
          </dd>
          <dt>Id</dt>
          <dd>
            <code>{event.event_id}</code>
          </dd>
          <dt>Operation</dt>
          <dd>
            <code>{event.operation_id}</code>
          </dd>
        </dl>
      </details>
    </Panel>
  );
}

/** A link to all changes that an event's request made. */
const OfRequest = ({ event, children }: { event: Event; children: string }) => (
  <a class="link" href={link("changes", undefined, { part: "all", filter: event.operation_id })}>
    {children}
  </a>
);

type Undo = (what: { events: string[] } | { operation_id: string }) => Promise<void>;

function UndoButtons({ event, isBusy, undo }: { event: Event; isBusy: boolean; undo: Undo }) {
  return (
    <>
      <Menu
        label="More"
        face={<Icon name="more" />}
        class="btn icon"
        items={[
          {
            text: "Undo the whole request…",
            note: "With all other changes that were made by it",
            run: () => void undo({ operation_id: event.operation_id }),
          },
        ]}
      />
      <button
        type="button"
        class="btn p"
        data-key="u"
        disabled={isBusy}
        onClick={() => void undo({ events: [event.event_id] })}
      >
        <Icon name="undo" />
        Undo… <kbd aria-hidden="true">U</kbd>
      </button>
    </>
  );
}
