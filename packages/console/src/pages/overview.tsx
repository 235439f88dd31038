import type { Event } from "../api/cache.ts";
import { useNames } from "../api/names.ts";
import { useAgents, useRecentEvents } from "../api/queries.ts";
import { link } from "../base/routes.ts";
import { servedBy, stateOfAgent, toneOf } from "../facts/agents.ts";
import { count, now } from "../facts/amounts.ts";
import {
  effectOf,
  type Entrance,
  type EntranceState,
  tones,
  useEntrances,
  whoGetsIn,
} from "../facts/entrances.ts";
import { nameIn, whatHappened } from "../facts/happened.ts";
import { useProblems } from "../facts/problems.ts";
import { AccessTest } from "../widgets/access_test.tsx";
import { Chip, Empty, Loaded, Rows, Page, Panel } from "../widgets/page.tsx";
import { type Column, Table } from "../widgets/table.tsx";
import { Ref, Time } from "../widgets/text.tsx";

/** What is served, what is not, and who changed it. */
export function Overview() {
  const query = useEntrances();
  const entrances = query.data;
  return (
    <Page title={entrances ? summaryOf(entrances) : "Overview"} subtitle={entrances && details(entrances)}>
      <div class="grid">
        <div class="col">
          <ProblemPanel entrances={entrances ?? []} />
          <Panel
            title="What is served, and to whom"
            class="o4"
            aside={
              <a class="link" href={link("map")}>
                Open the map
              </a>
            }
          >
            <Loaded query={query}>{(all) => <Entrances entrances={all} />}</Loaded>
          </Panel>
          <Changes />
        </div>
        <div class="col">
          <AccessTest />
          <Agents />
        </div>
      </div>
    </Page>
  );
}

function summaryOf(entrances: Entrance[]): string {
  if (entrances.length === 0) return "Nothing is configured yet";
  const bad = entrances.filter(({ state }) => state !== "served").length;
  if (bad === 0) return `All ${count(entrances.length, "entrance")} are served as written`;
  return `${bad} of ${count(entrances.length, "entrance")} ${bad === 1 ? "is" : "are"} not served as written`;
}

function details(entrances: Entrance[]): string {
  const number = (state: Entrance["state"]) =>
    entrances.filter((entrance) => entrance.state === state).length;
  const parts = [
    ["not served", `${number("not served")} not served`],
    ["answers 503", `${number("answers 503")} answering 503`],
    ["in part", `${number("in part")} served in part`],
    ["no host", `${number("no host")} without a host`],
    ["no route", `${number("no route")} without a route`],
    ["served", `${number("served")} served as written`],
  ] as const;
  return parts
    .filter(([state]) => number(state) > 0)
    .map(([, text]) => text)
    .join(" · ");
}

const order: EntranceState[] = ["not served", "answers 503", "in part", "no host", "no route", "served"];

/** The most objects with problems that the page lists. */
const MOST = 20;

function ProblemPanel({ entrances }: { entrances: Entrance[] }) {
  const problems = useProblems();
  const names = useNames();
  return (
    <Panel
      title="Problems"
      class="o1"
      aside={
        problems.data && <Chip tone={problems.data.length > 0 ? "bad" : "good"}>{problems.data.length}</Chip>
      }
    >
      <Loaded query={problems}>
        {(all) => {
          const objects = [...Map.groupBy(all, ({ object }) => object)]
            .map(([id, own]) => {
              const state = effectOf(own);
              // Less bad ones may say that the object is served.
              const list = own.filter((one) => effectOf([one]) === state);
              const at = entrances.find((one) => one.id === id);
              return { id, state, list, others: own.length - 1, at };
            })
            .toSorted((a, b) => order.indexOf(a.state) - order.indexOf(b.state));
          if (objects.length === 0) return <Empty>Everything is served as written.</Empty>;
          const rows = objects.slice(0, MOST).map(({ id, list, others, state, at }) => (
            <div class="row" key={id}>
              <span class={`dot ${tones[state]}`} />
              <div class="grow">
                <div class="pl">
                  <span class="cut grow">
                    <span class="b" title={names(id).name}>
                      <Ref id={id} />
                    </span>{" "}
                    <span class="mono t3 gap">{at?.place}</span>
                  </span>
                  <span class="mono t3 code">
                    {list[0]?.code}
                    {others > 0 && ` +${others}`}
                  </span>
                </div>
                {list.map(({ msg }) => (
                  <p class="t2" key={msg}>
                    {msg}
                  </p>
                ))}
              </div>
              <Chip tone={tones[state]}>{state}</Chip>
            </div>
          ));
          return (
            <>
              {rows}
              {objects.length > MOST && (
                <a class="row link" href={link("map", undefined, { state: "problems" })}>
                  {count(objects.length - MOST, "more object")} on the map
                </a>
              )}
            </>
          );
        }}
      </Loaded>
    </Panel>
  );
}

function Entrances({ entrances }: { entrances: Entrance[] }) {
  const names = useNames();
  if (entrances.length === 0)
    return (
      <Empty>
        No traffic comes in yet.{" "}
        <a class="link" href={link("edges")}>
          Create an edge
        </a>
        .
      </Empty>
    );
  const columns: Column<Entrance>[] = [
    {
      name: "Entrance",
      class: "cut",
      cell: ({ place, route, edge }) => (
        <span class="mono">
          {route && <span class="t3">{edge.hostports?.[0] ?? ""}</span>}
          {place}
        </span>
      ),
    },
    { name: "Kind", class: "t3 wide", cell: ({ edge }) => edge.kind.toUpperCase() },
    { name: "Who gets in", class: "cut", cell: (entrance) => whoGetsIn(entrance, (id) => names(id).name) },
    {
      name: "Goes to",
      class: "cut t2 wide",
      cell: ({ backend }) => (backend?.enabled ? <Ref id={backend.backend.id} /> : "no backend"),
    },
    {
      name: "State",
      isHidden: true,
      class: "end",
      cell: ({ state }) => <Chip tone={tones[state]}>{state}</Chip>,
    },
  ];
  return (
    <Table
      label="Entrances"
      columns={columns}
      rows={entrances}
      keyOf={({ id }) => id}
      class="fixed stack entrances"
    />
  );
}

function Agents() {
  const agents = useAgents();
  return (
    <Panel title="Agents" class="o5">
      <Rows query={agents} empty="No agent has reported yet.">
        {(agent) => (
          <div class="row" key={agent.name}>
            <span class={`dot ${toneOf(agent)}`} />
            <div class="grow">
              <span class="b">{agent.name}</span>
              {agent.error !== null && <p class="t2 sm">{agent.error}</p>}
            </div>
            <span class="t3 sm">
              {stateOfAgent(agent)}
              {servedBy(agent)} · <Time at={agent.last_seen} />
            </span>
          </div>
        )}
      </Rows>
    </Panel>
  );
}

function Changes() {
  const events = useRecentEvents();
  return (
    <Panel
      title="Changes"
      class="o6"
      aside={
        <a class="link" href={link("changes")}>
          All changes
        </a>
      }
    >
      <Loaded query={events}>
        {(all) =>
          all.length === 0 ? <Empty>Nothing has changed yet.</Empty> : <RecentChanges events={all} />
        }
      </Loaded>
    </Panel>
  );
}

const HOURS = 24;

function RecentChanges({ events }: { events: Event[] }) {
  const names = useNames();
  const bars = Array.from({ length: HOURS }, () => 0);
  for (const { event_timestamp } of events) {
    const hours = Math.floor((now() - Date.parse(event_timestamp)) / 3_600_000);
    const index = HOURS - 1 - hours;
    if (index >= 0 && index < HOURS) bars[index] = (bars[index] ?? 0) + 1;
  }
  const highest = Math.max(1, ...bars);
  return (
    <>
      <svg
        class="bars"
        viewBox="0 0 240 30"
        preserveAspectRatio="none"
        role="img"
        aria-label={`${count(events.length, "change")}, by hour`}
      >
        {bars.map((value, hour) => {
          const height = value === 0 ? 0.6 : Math.max(2, (value / highest) * 28);
          return <rect key={hour} x={hour * 10 + 0.8} width="8.4" y={29 - height} height={height} rx="0.8" />;
        })}
      </svg>
      <p class="ax t3" aria-hidden="true">
        <span>24 hours ago</span>
        <span>now</span>
      </p>
      {events.slice(0, 6).map((event) => (
        <div class="row" key={event.event_id}>
          <span class="t3 when">
            <Time at={event.event_timestamp} />
          </span>
          <span class="t2 who-did cut">{event.principal?.subject ?? "system"}</span>
          <span class="grow cut">
            <a class="b" href={link("changes", event.event_id)}>
              <bdi>{nameIn(event, names)}</bdi>
            </a>{" "}
            <span class="t3">{whatHappened(event)}</span>
          </span>
        </div>
      ))}
    </>
  );
}
