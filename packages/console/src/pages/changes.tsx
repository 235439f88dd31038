import "./common.ts";
import type { Event } from "../api/cache.ts";
import { useNames } from "../api/names.ts";
import { useEvents } from "../api/operation_queries.ts";
import { link, place, setFilter } from "../base/routes.ts";
import { count, now } from "../facts/amounts.ts";
import { kindTone, nameIn, whatHappened } from "../facts/happened.ts";
import { Filter, useFilter } from "../widgets/field.tsx";
import { Empty, Loaded, Page, Panel } from "../widgets/page.tsx";
import { Table } from "../widgets/table.tsx";
import { Time } from "../widgets/text.tsx";

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
  return (
    <Page title="Changes" actions={all && <Export events={all} />}>
      <div class="bar filters">
        <Filter label="Object, person, type, id or operation" />
        <select
          class="input days"
          aria-label="Time"
          value={days}
          onChange={(event) => setFilter("days", event.currentTarget.value)}
        >
          <option value="">any time</option>
          <option value="1">last 24 hours</option>
          <option value="2">last 2 days</option>
          <option value="7">last 7 days</option>
        </select>
        {(object !== null || by !== null) && (
          <a class="btn q" href={link("changes")}>
            All objects and people
          </a>
        )}
      </div>
      <Panel title="Changes">
        <Loaded query={{ ...events, data: all }}>{(list) => <Rows events={list} />}</Loaded>
        {events.hasNextPage && (
          <footer>
            <button
              type="button"
              class="btn"
              disabled={events.isFetching}
              onClick={() => void events.fetchNextPage()}
            >
              Show earlier changes
            </button>
          </footer>
        )}
      </Panel>
    </Page>
  );
}

function Rows({ events }: { events: Event[] }) {
  const names = useNames();
  const matches = useFilter();
  const shown = events.filter((event) =>
    matches(
      names(event.object.id).name,
      event.object.id,
      event.event_type,
      event.event_id,
      event.operation_id,
      event.principal?.subject ?? "",
    ),
  );
  if (shown.length === 0) return <Empty>No change matches.</Empty>;
  const groups = [...Map.groupBy(shown, ({ operation_id }) => operation_id).values()];
  return (
    <Table
      label="Changes"
      class="fixed"
      rows={groups}
      keyOf={(group) => group[0]?.event_id ?? ""}
      columns={[
        { name: "When", class: "when t3", cell: ([event]) => event && <Time at={event.event_timestamp} /> },
        {
          name: "Object",
          class: "cut",
          cell: ([event]) =>
            event && (
              <>
                <span class={`dot inline ${kindTone(event)}`} />{" "}
                <a class="b" href={link("changes", event.event_id)}>
                  <bdi>{nameIn(event, names)}</bdi>
                </a>
              </>
            ),
        },
        { name: "What", class: "cut t2", cell: ([event]) => event && whatHappened(event) },
        {
          name: "By",
          class: "cut wide",
          cell: ([event]) => <bdi>{event?.principal?.subject ?? "system"}</bdi>,
        },
        {
          name: "More of the same request",
          isHidden: true,
          class: "end t3 more wide",
          cell: (group) =>
            group.length > 1 && <span title={count(group.length, "event")}>×{group.length}</span>,
        },
      ]}
    />
  );
}

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
    <>
      <button
        type="button"
        class="btn"
        onClick={() => save("changes.json", "application/json", JSON.stringify(events, null, 2))}
      >
        JSON
      </button>
      <button type="button" class="btn" onClick={() => save("changes.csv", "text/csv", csv())}>
        CSV
      </button>
    </>
  );
}

/** A field of CSV. A spreadsheet does not run a formula that begins with an apostrophe. */
const quoted = (text: string): string =>
  `"${(/^[=+\-@\t]/.test(text) ? `'${text}` : text).replaceAll('"', '""')}"`;
