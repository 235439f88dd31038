import "./common.ts";
import { useMemo } from "preact/hooks";
import type { Event } from "../api/cache.ts";
import { isFields } from "../api/client.ts";
import { useNames } from "../api/names.ts";
import { useEvents } from "../api/operation_queries.ts";
import { link, place, setFilter } from "../base/routes.ts";
import { count, now } from "../facts/amounts.ts";
import { told } from "../facts/happened.ts";
import { Filter, Parts, useFilter } from "../widgets/field.tsx";
import { changedLabels, secretLabels } from "../widgets/field_diff.tsx";
import { Select } from "../widgets/inputs.tsx";
import { Menu } from "../widgets/menu.tsx";
import { Loaded, None, Page } from "../widgets/page.tsx";
import { type Line, Table } from "../widgets/table.tsx";
import { utc } from "../widgets/text.tsx";

const spans: Record<string, number> = { "1": 86_400_000, "2": 2 * 86_400_000, "7": 7 * 86_400_000 };

/** The log of changes, newest first; changes of one request are one row. */
export function Changes() {
  const { query } = place.value;
  const [object, by, days] = [query.get("object"), query.get("by"), query.get("days") ?? ""];
  const since = spans[days];
  // Rounded, so that the filter stays the same while the page is open.
  const start =
    since === undefined ? undefined : new Date(Math.floor((now() - since) / 3_600_000) * 3_600_000);
  const events = useEvents({
    ...(object !== null && { object_id: object }),
    ...(by !== null && { principal_id: by }),
    ...(start && { since: start.toISOString().replace(".000", "") }),
  });
  const all = events.data?.pages.flatMap((page) => page.events);
  const part = query.get("part") ?? "";
  const isShown = (event: Event): boolean => part === "all" || partOf(event) === part;
  const hidden = all?.filter((event) => !isShown(event)).length ?? 0;
  const names = useNames();
  const matches = useFilter();
  const shown = all?.filter((event) => {
    const { object, event_type, event_id, operation_id, principal } = event;
    const texts = [told(event, names).title, object.id, event_type, event_id, operation_id];
    return isShown(event) && matches(...texts, principal?.subject ?? "");
  });
  return (
    <Page
      title="Changes"
      facts={["the newest first", object !== null && "of one object", by !== null && "by one person or key"]}
      actions={shown && shown.length > 0 && <Export events={shown} />}
    >
      <div class="bar">
        <Filter label="Object, person, type or id" />
        <Parts
          label="Changes to show"
          name="part"
          options={[
            ["", "Configuration"],
            ["access", "Access"],
            ["sessions", "Sign-ins"],
            ["all", "Everything"],
          ]}
        />
        <Select
          aria-label="Time"
          value={days}
          options={[
            { value: "", text: "any time" },
            { value: "1", text: "last 24 hours" },
            { value: "2", text: "last 2 days" },
            { value: "7", text: "last 7 days" },
          ]}
          set={(value) => setFilter("days", value)}
        />
        {(object !== null || by !== null) && (
          <a class="btn q" href={link("changes")}>
            All objects and people
          </a>
        )}
      </div>
      <section class="panel">
        <Loaded query={{ ...events, data: shown }}>
          {(list) => (
            <Groups
              events={list}
              // What other people changed in between is missing in the log of one person.
              history={by === null ? (all ?? []) : []}
              unfinished={events.hasNextPage ? (all?.at(-1)?.operation_id ?? "") : undefined}
            />
          )}
        </Loaded>
        <Footer hidden={hidden} events={events} />
      </section>
    </Page>
  );
}

/** How many events the chosen part leaves out, and a button for earlier ones. */
function Footer({ hidden, events }: { hidden: number; events: ReturnType<typeof useEvents> }) {
  if (hidden === 0 && !events.hasNextPage) return null;
  return (
    <footer class="line">
      {hidden > 0 && (
        <span>
          Hidden: {count(hidden, "other event")}.{" "}
          <a class="link" href={link("changes", undefined, { part: "all" })}>
            Show everything
          </a>
        </span>
      )}
      {events.hasNextPage && (
        <button
          type="button"
          class="btn s push"
          disabled={events.isFetching}
          onClick={() => void events.fetchNextPage()}
        >
          Show earlier changes
        </button>
      )}
    </footer>
  );
}

/** Which part of the log an event belongs to; "" is the configuration. */
const partOf = ({ object: { id } }: Event): string =>
  /^(?:ses|sgn)_/.test(id) ? "sessions" : /^(?:ak|apr|bot|usr)_/.test(id) ? "access" : "";

/**
 * The events of one request: a row, which shows the first of them.
 *
 * @param props.history all events of a time without gaps, as far as they have been read, whether they are shown or not
 * @param props.unfinished the last request that has been read, of which there can be more events; undefined if everything has been read
 */
function Groups(props: { events: Event[]; history: Event[]; unfinished: string | undefined }) {
  const { events, history, unfinished } = props;
  const earlier = useMemo(() => earlierStates(history), [history]);
  if (events.length === 0)
    return <None>{unfinished === undefined ? "No changes." : "None of the latest changes matches."}</None>;
  const groups = [...Map.groupBy(events, ({ operation_id }) => operation_id).values()];
  const byDay = Map.groupBy(groups, ([event]) => dayOf(event?.event_timestamp ?? ""));
  return (
    <Table<Event[]>
      label="Changes"
      lines={[...byDay].flatMap(([group, own]): Line<Event[]>[] => [
        { group, number: own.length },
        ...own.map((row) => ({ row })),
      ])}
      keyOf={(group) => group[0]?.event_id ?? ""}
      columns={[
        {
          name: "When",
          width: "64px",
          class: "fig t2",
          cell: ([event]) =>
            event && <span title={utc(event.event_timestamp)}>{timeOf(event.event_timestamp)}</span>,
        },
        {
          name: "By",
          width: "minmax(0, 180px)",
          class: "line2 cut",
          cell: ([event]) => <bdi>{event?.principal?.subject ?? "the service"}</bdi>,
        },
        {
          name: "What",
          width: "minmax(0, 1fr)",
          class: "name cut",
          cell: ([event]) => event && <Sentence event={event} before={earlier.get(event.event_id)} />,
        },
        {
          name: "More of the same request",
          width: "140px",
          isHidden: true,
          class: "end t3 wide",
          cell: ([event, ...others]) =>
            others.length > 0 &&
            `and ${event?.operation_id === unfinished ? "at least " : ""}${count(others.length, "other")}`,
        },
      ]}
    />
  );
}

/** The state of each event's object before the event, by the event's id, as far as it has been read. @param events the newest first */
function earlierStates(events: Event[]): Map<string, Event["object"]> {
  const states = new Map<string, Event["object"]>();
  const last = new Map<string, Event["object"]>();
  for (const { event_id, object, truncated } of events.toReversed()) {
    const before = last.get(object.id);
    if (before) states.set(event_id, before);
    if (truncated) last.delete(object.id);
    else last.set(object.id, object);
  }
  return states;
}

/** What happened, after who did it: "changed the route Checkout: who gets in, compression". */
function Sentence({ event, before }: { event: Event; before: Event["object"] | undefined }) {
  const names = useNames();
  const { name, kind, verb } = told(event, names);
  const { object, truncated } = event;
  const path = new URL(object.uri).pathname;
  const labels =
    verb === "changed" && before && !truncated
      ? changedLabels(before, object, path, (id) => names(id).name)
      : [];
  if (verb === "changed") labels.push(...secretLabels(event));
  const policy = isFields(object["ip_policy"]) ? object["ip_policy"]["id"] : undefined;
  return (
    <>
      <span class="t2">
        {verb} {name === undefined ? "the " : <span class="wide">the {kind} </span>}
      </span>
      <a href={link("changes", event.event_id)}>
        <bdi>{name ?? kind}</bdi>
      </a>
      <span class="t2">
        {typeof policy === "string" && (
          <>
            {" "}
            of <bdi>{names(policy).name}</bdi>
          </>
        )}
        {labels.length > 0 && `: ${labels.map(uncapitalized).join(", ")}`}
      </span>
    </>
  );
}

/** A label within a sentence. Abbreviations stay as they are. */
const uncapitalized = (label: string): string =>
  /^[A-Z][a-z]+\b/.test(label) ? label.slice(0, 1).toLowerCase() + label.slice(1) : label;

const dates = new Intl.DateTimeFormat("en-GB", { weekday: "long", day: "numeric", month: "long" });
const times = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit" });

/** The day of a time where the reader is: "Today", "Yesterday" or a date. */
function dayOf(at: string): string {
  const day = dates.format(new Date(at));
  if (day === dates.format(now())) return "Today";
  return day === dates.format(now() - 86_400_000) ? "Yesterday" : day;
}

const timeOf = (at: string): string => times.format(new Date(at));

function Export({ events }: { events: Event[] }) {
  const save = (name: string, type: string, text: string): void => {
    const url = URL.createObjectURL(new Blob([text], { type }));
    const anchor = document.createElement("a");
    anchor.href = url;
    anchor.download = name;
    anchor.click();
    URL.revokeObjectURL(url);
  };
  const csv = (): string =>
    [
      "time,type,object,person,operation",
      ...events.map(({ event_timestamp, event_type, object, principal, operation_id }) =>
        [event_timestamp, event_type, object.id, principal?.subject ?? "", operation_id]
          .map(quoted)
          .join(","),
      ),
    ].join("\r\n");
  return (
    <Menu
      label="Export"
      items={[
        {
          text: "As JSON",
          run: () => save("changes.json", "application/json", JSON.stringify(events, null, 2)),
        },
        { text: "As CSV", note: "For a spreadsheet", run: () => save("changes.csv", "text/csv", csv()) },
      ]}
    />
  );
}

/** A field of CSV. A spreadsheet does not run a formula that begins with an apostrophe. */
const quoted = (text: string): string =>
  `"${(/^[=+\-@\t]/.test(text) ? `'${text}` : text).replaceAll('"', '""')}"`;
