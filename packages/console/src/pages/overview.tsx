import type { Schemas } from "../api/client.ts";
import { placeName, useNames } from "../api/names.ts";
import {
  useAgents,
  useEndingCertificates,
  useRecentEvents,
  useTraffic,
  useTrafficSummary,
} from "../api/queries.ts";
import { mayPlan } from "../api/session.ts";
import { edgeLink } from "../base/links.ts";
import { link } from "../base/routes.ts";
import { edgesOf, isReporting, stateOfAgent } from "../facts/agents.ts";
import { count } from "../facts/amounts.ts";
import { causesOf, type ServedCause, standing, whereIs } from "../facts/causes.ts";
import { type HostCertificate, stateOfCertificate } from "../facts/certificates.ts";
import { type Entrance, useEntrances, whoGetsIn } from "../facts/entrances.ts";
import { told } from "../facts/happened.ts";
import { compact, percent } from "../facts/traffic.ts";
import { AccessTest } from "../widgets/access_test.tsx";
import { Sparkline } from "../widgets/chart.tsx";
import { Icon } from "../widgets/icons.tsx";
import { Lazy } from "../widgets/lazy.tsx";
import { Loaded, Page, Panel, Rows } from "../widgets/page.tsx";
import { State } from "../widgets/state.tsx";
import { type Column, Table } from "../widgets/table.tsx";
import { Time } from "../widgets/text.tsx";
import { ComingUp } from "./coming_up.tsx";
import { EdgeTraffic } from "./edge_traffic.tsx";

const firstSteps = async () => (await import("./configuration.ts")).FirstSteps;

/** How things stand: what is served and what is not, with which traffic, and who changed it. */
export function Overview() {
  const query = useEntrances();
  const agents = useAgents().data;
  const ending = useEndingCertificates().data;
  const entrances = query.data;
  if (entrances?.length === 0) return <Lazy load={firstSteps} id="" />;
  const reporting = agents?.filter(isReporting).length ?? 0;
  // A machine that does not report may have any certificate.
  const isKnown = reporting > 0 && reporting === agents?.length;
  const causes = entrances && causesOf(entrances);
  return (
    <Page
      title={entrances ? standing(entrances, reporting) : "Overview"}
      name="Overview"
      facts={[
        causes && causes.length > 0 && count(causes.length, "cause"),
        agents &&
          (agents.length === 0
            ? "no machine has reported"
            : `${reporting} of ${count(agents.length, "machine")} ${agents.length === 1 ? "reports" : "report"}`),
        ending &&
          (ending.length === 0
            ? isKnown && "no certificate needs attention"
            : `${count(ending.length, "certificate")} ${ending.length === 1 ? "needs" : "need"} attention`),
      ]}
      actions={
        mayPlan.value && (
          <a class="btn p" href={link("new_edge")} data-key="n">
            <Icon name="add" />
            New edge <kbd aria-hidden="true">N</kbd>
          </a>
        )
      }
    >
      <AllTraffic />
      <div class="grid">
        <div class="col">
          <Loaded query={query}>
            {(all) => (
              <>
                {causes && causes.length > 0 && <Causes causes={causes} />}
                <Busiest entrances={all} />
              </>
            )}
          </Loaded>
        </div>
        <div class="col">
          <AccessTest />
          <MachineList />
          <EndingCertificates />
          <ComingUp />
          <LatestChanges />
        </div>
      </div>
    </Page>
  );
}

/** The traffic of all edges together. Nothing if agents report none. */
function AllTraffic() {
  const known = useTraffic(undefined, undefined).data;
  return known && known.series.length > 0 ? <EdgeTraffic name="all edges" /> : null;
}

/** The most causes, and the most places of each, that are listed. */
const [CAUSES, PLACES] = [8, 3];

function Causes({ causes }: { causes: ServedCause[] }) {
  return (
    <Panel
      title="Causes"
      note="the worst first"
      {...(causes.length > CAUSES && { footer: `and ${count(causes.length - CAUSES, "other cause")}` })}
    >
      <div>
        {causes.slice(0, CAUSES).map((cause) => (
          <CauseRow key={cause.key} cause={cause} />
        ))}
      </div>
    </Panel>
  );
}

function CauseRow({ cause: { msg, machines, places } }: { cause: ServedCause }) {
  const [first] = places;
  if (!first) return null;
  const { tone, sign, text } = first.served;
  return (
    <article class="cause">
      <div>
        <State tone={tone} sign={sign}>
          {text}
        </State>
      </div>
      <div>
        <h3 class="wrap">
          {places.length === 1 ? whereIs(first) : count(places.length, "place")}
          {machines.length > 0 && <span class="t2"> on {machines.slice(0, 3).join(", ")}</span>}
        </h3>
        <p class="t2 wrap">{msg}</p>
        {places.length > 1 && (
          <p class="line">
            {places.slice(0, PLACES).map((place) => (
              <a key={place.id} class="link" href={edgeLink(place.edge.id, place.route?.id)}>
                <code>{whereIs(place)}</code>
              </a>
            ))}
            {places.length > PLACES && (
              <a class="link" href={link("edges", undefined, { part: "attention" })}>
                and {(places.length - PLACES).toLocaleString("en")} more
              </a>
            )}
          </p>
        )}
      </div>
      <div class="end">
        <a
          class="btn s"
          href={
            places.length === 1
              ? edgeLink(first.edge.id, first.route?.id)
              : link("edges", undefined, { part: "attention" })
          }
        >
          {places.length === 1 ? "Open" : "Show them"}
        </a>
      </div>
    </article>
  );
}

/** How many places the overview lists. */
const BUSIEST = 8;

type Day = Schemas["TrafficSummary"]["objects"][number];

/** The places with the most traffic, or the first ones if none is known. */
function Busiest({ entrances }: { entrances: Entrance[] }) {
  const names = useNames();
  const summary = useTrafficSummary().data;
  const traffic = new Map(summary?.objects.map((one) => [one.object_id, one]));
  const rows = entrances
    .toSorted((a, b) => amountOf(traffic.get(b.id)) - amountOf(traffic.get(a.id)))
    .slice(0, BUSIEST);
  const isKnown = traffic.size > 0;
  return (
    <Panel
      title={isKnown ? "Busiest places" : "Places"}
      {...(isKnown && { note: "last 24 hours" })}
      aside={
        <a class="link" href={link("edges")}>
          All edges
        </a>
      }
    >
      <Table<Entrance>
        label="Places"
        rows={rows}
        keyOf={({ id }) => id}
        columns={columnsFor((id) => names(id).name, traffic)}
      />
    </Panel>
  );
}

const amountOf = (day: Day | undefined): number => (day ? day.day.requests || day.day.connections : 0);

function columnsFor(named: (id: string) => string, traffic: Map<string, Day>): Column<Entrance>[] {
  return [
    {
      name: "Place",
      width: "minmax(0, 1.3fr)",
      class: "name two",
      cell: (entrance) => (
        <>
          <a class="cut" href={edgeLink(entrance.edge.id, entrance.route?.id)}>
            <bdi>{placeName(entrance)}</bdi>
          </a>
          <code class="meta cut">{whereIs(entrance)}</code>
        </>
      ),
    },
    {
      name: "Who gets in",
      width: "minmax(0, 1fr)",
      class: "wide cut t2",
      cell: (entrance) => whoGetsIn(entrance, named),
    },
    {
      name: "Requests",
      width: "124px",
      class: "fig end",
      cell: ({ id }) => {
        const day = traffic.get(id);
        if (!day) return <span class="t3">–</span>;
        return (
          <span class="nums">
            <span class="wide">
              <Sparkline amounts={day.trend} />
            </span>{" "}
            {compact(amountOf(day))}
          </span>
        );
      },
    },
    {
      name: "Errors",
      width: "56px",
      class: "wide end num t2",
      cell: ({ id }) => {
        const day = traffic.get(id)?.day;
        return day && day.requests > 0 ? percent(day.errors, day.requests) : <span class="t3">–</span>;
      },
    },
    {
      name: "State",
      width: "156px",
      class: "st",
      cell: ({ served: { tone, sign, text } }) => (
        <State tone={tone} sign={sign}>
          {text}
        </State>
      ),
    },
  ];
}

/** The most machines that the overview lists. */
const MACHINES = 6;

function MachineList() {
  const agents = useAgents();
  return (
    <Panel
      title="Machines"
      aside={
        <a class="link" href={link("agents")}>
          {agents.data ? count(agents.data.length, "agent") : "All"}
        </a>
      }
    >
      <Rows
        query={{ ...agents, data: agents.data?.slice(0, MACHINES) }}
        empty="No machine has reported yet, so nothing is served."
      >
        {(agent) => {
          const { tone, text } = stateOfAgent(agent);
          const edges = edgesOf(agent);
          return (
            <div class="row" key={agent.name}>
              <div class="grow">
                <b class="wrap">{agent.name}</b>
                <div class="meta">
                  {edges && `${edges.served} of ${count(edges.of, "edge")} · `}
                  <Time at={agent.last_seen} />
                </div>
              </div>
              <State tone={tone}>{text}</State>
            </div>
          );
        }}
      </Rows>
    </Panel>
  );
}

/** Certificates that somebody has to do something about. Nothing if there are none. */
function EndingCertificates() {
  return (
    <Loaded query={useEndingCertificates()} isQuiet>
      {(ending) => <Ending ending={ending} />}
    </Loaded>
  );
}

function Ending({ ending }: { ending: HostCertificate[] }) {
  if (ending.length === 0) return null;
  return (
    <Panel
      title="Certificates"
      aside={
        <a class="link" href={link("certificates")}>
          All
        </a>
      }
    >
      <div>
        {ending.slice(0, 5).map((certificate) => {
          const { tone, text } = stateOfCertificate(certificate);
          return (
            <div class="row" key={certificate.host}>
              <div class="grow">
                <code class="b wrap">{certificate.host}</code>
                {certificate.not_after !== null && (
                  <div class="meta">
                    {text === "Expired" ? "ended" : "ends"} <Time at={certificate.not_after} />
                  </div>
                )}
              </div>
              <State tone={tone}>{text}</State>
            </div>
          );
        })}
      </div>
    </Panel>
  );
}

function LatestChanges() {
  const events = useRecentEvents();
  const names = useNames();
  const shown = events.data?.filter(({ object: { id } }) => !/^(?:ses|sgn)_/.test(id)).slice(0, 5);
  return (
    <Panel
      title="Latest changes"
      aside={
        <a class="link" href={link("changes")}>
          All
        </a>
      }
    >
      <Rows query={{ ...events, data: shown }} empty="Nothing has changed yet.">
        {(event) => (
          <div class="row" key={event.event_id}>
            <div class="grow">
              <a class="link wrap" href={link("changes", event.event_id)}>
                <bdi>{told(event, names).title}</bdi>
              </a>{" "}
              <span class="t2">{told(event, names).what}</span>
              <div class="meta">
                <bdi>{event.principal?.subject ?? "system"}</bdi>, <Time at={event.event_timestamp} />
              </div>
            </div>
          </div>
        )}
      </Rows>
    </Panel>
  );
}
