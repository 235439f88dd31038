import "./common.ts";
import { useMemo, useState } from "preact/hooks";
import type { Schemas } from "../api/client.ts";
import type { EdgeObject } from "../api/lists.ts";
import { nameOf, useNames } from "../api/names.ts";
import { useTrafficSummary } from "../api/queries.ts";
import { mayPlan } from "../api/session.ts";
import { edgeLink } from "../base/links.ts";
import { link, place, setFilter } from "../base/routes.ts";
import { count } from "../facts/amounts.ts";
import { type Entrance, useEntrances, whoGetsIn } from "../facts/entrances.ts";
import { useKnown } from "../facts/known.ts";
import { needsAttention, type Served, servedOf, worstOf } from "../facts/served.ts";
import { compact, percent } from "../facts/traffic.ts";
import { Sparkline } from "../widgets/chart.tsx";
import { Filter, Parts, useFilter } from "../widgets/field.tsx";
import { Icon } from "../widgets/icons.tsx";
import { Menu } from "../widgets/menu.tsx";
import { Empty, Loaded, None, Page } from "../widgets/page.tsx";
import { ServedState } from "../widgets/state.tsx";
import { type Column, type Line, Table } from "../widgets/table.tsx";
import { Ref } from "../widgets/text.tsx";
import { AddedEdges } from "./added_edges.tsx";
import { Deletion } from "./deletion.tsx";

/** An edge with its places, or one of its routes. */
interface Row {
  id: string;
  edge: EdgeObject;
  served: Served;
  /** The route; of an edge, all its places. */
  entrances: Entrance[];
  isRoute: boolean;
}

/** With more edges than this, routes are only listed for those that need attention. */
const FEW = 30;

/** All edges with their routes: who gets in, where traffic goes, how much there is. Those that need attention come first. */
export function EdgeList() {
  const entrances = useEntrances();
  const known = useKnown();
  const edges = useMemo(() => rowsOf(entrances.data ?? [], known.data), [entrances.data, known.data]);
  const bad = edges.filter(isNeedy).length;
  const unknown = edges.filter(({ served: { kind } }) => kind === "not known").length;
  const actions = mayPlan.value && (
    <a class="btn p" href={link("new_edge")} data-key="n">
      <Icon name="add" />
      New edge <kbd aria-hidden="true">N</kbd>
    </a>
  );
  const isEmpty = entrances.data?.length === 0;
  return (
    <Page
      title="Edges"
      facts={
        entrances.data && !isEmpty
          ? [
              `${count(edges.length, "edge")} with ${count(entrances.data.length, "place")}`,
              bad > 0 && `${bad.toLocaleString("en")} ${bad === 1 ? "needs" : "need"} attention`,
              unknown > 0 &&
                (known.data?.machines.reporting === 0
                  ? "no machine reports"
                  : `${unknown.toLocaleString("en")} not known`),
              edges.every(({ served: { kind } }) => kind === "served") && "all served",
            ]
          : ["What clients connect to, and where their traffic goes"]
      }
      actions={!isEmpty && actions}
    >
      <AddedEdges />
      <Loaded query={{ ...entrances, data: entrances.data && edges }}>
        {(rows) =>
          rows.length === 0 ? (
            <Empty title="No edges yet" actions={actions}>
              An edge is a host that clients connect to, and where its traffic goes. Until there is one, no
              traffic comes in.
            </Empty>
          ) : (
            <Edges rows={rows} bad={bad} />
          )
        }
      </Loaded>
    </Page>
  );
}

function rowsOf(entrances: Entrance[], known: ReturnType<typeof useKnown>["data"]): Row[] {
  if (!known) return [];
  const byEdge = Map.groupBy(entrances, ({ edge }) => edge);
  return [...byEdge].map(([edge, own]) => ({
    id: edge.id,
    edge,
    served: worstOf(servedOf(known, edge), ...own.map(({ served }) => served)),
    entrances: own,
    isRoute: false,
  }));
}

const isNeedy = ({ served }: Row): boolean => needsAttention(served);

function Edges({ rows, bad }: { rows: Row[]; bad: number }) {
  const names = useNames();
  const summary = useTrafficSummary().data;
  const traffic = new Map(summary?.objects.map((one) => [one.object_id, one]));
  const matches = useFilter();
  const part = place.value.query.get("part") ?? "";
  const kind = place.value.query.get("kind") ?? "";
  const [toggled, toggle] = useToggled();
  const isFiltered = (place.value.query.get("filter") ?? "") !== "";
  const named = (id: string): string => names(id).name;
  const shown = rows.filter(
    (row) =>
      (part === "" || isNeedy(row)) &&
      (kind === "" || row.edge.kind === kind) &&
      (!isFiltered || row.entrances.some((entrance) => matches(...textsOf(entrance, named)))),
  );
  const isOpen = (row: Row): boolean =>
    (rows.length <= FEW || isNeedy(row) || isFiltered) !== toggled.has(row.id);
  const linesOf = (row: Row): Line<Row>[] => [
    { row },
    ...(hasRoutes(row) && isOpen(row)
      ? row.entrances.map((entrance) => ({
          row: { ...row, id: entrance.id, served: entrance.served, entrances: [entrance], isRoute: true },
          isSub: true,
        }))
      : []),
  ];
  const grouped = (group: string, own: Row[]): Line<Row>[] =>
    own.length === 0 ? [] : [{ group, number: own.length }, ...own.flatMap(linesOf)];
  const [attention, fine] = [shown.filter(isNeedy), shown.filter((row) => !isNeedy(row))];
  return (
    <>
      <div class="bar">
        <Filter label="Name, host, path, policy or backend" />
        <Parts
          label="Edges to show"
          name="part"
          options={[
            ["", "All", rows.length],
            ["attention", "Needs attention", bad],
          ]}
        />
        <Kinds rows={rows} kind={kind} />
      </div>
      <section class="panel">
        {shown.length === 0 ? (
          <None>No edge matches.</None>
        ) : (
          <Table
            label="Edges"
            lines={
              attention.length === 0
                ? fine.flatMap(linesOf)
                : [
                    ...grouped("Needs attention", attention),
                    ...grouped(
                      fine.every(({ served: { tone } }) => tone === "good") ? "Served" : "Others",
                      fine,
                    ),
                  ]
            }
            keyOf={({ id, isRoute }) => `${id} ${isRoute}`}
            columns={columnsFor(named, traffic, isOpen, toggle)}
          />
        )}
      </section>
    </>
  );
}

/** The strings that the filter searches. */
const textsOf = (entrance: Entrance, named: (id: string) => string): string[] => [
  entrance.edge.kind,
  nameOf(entrance.edge),
  nameOf(entrance.route ?? entrance.edge),
  entrance.id,
  entrance.edge.id,
  ...(entrance.edge.hostports ?? []),
  entrance.place,
  whoGetsIn(entrance, named),
  entrance.backend ? named(entrance.backend.backend.id) : "",
  entrance.served.text,
];

const KINDS = { https: "HTTPS", tls: "TLS", tcp: "TCP" } as const;

/** The choice of one kind, if there are several. */
function Kinds({ rows, kind }: { rows: Row[]; kind: string }) {
  const numbers = Map.groupBy(rows, ({ edge }) => edge.kind);
  if (numbers.size < 2 && kind === "") return null;
  const choose = (value: string, text: string) => ({
    text,
    isChosen: kind === value,
    run: () => setFilter("kind", value),
  });
  const chosen = Object.entries(KINDS).find(([value]) => value === kind)?.[1];
  return (
    <Menu
      label={`Kind: ${chosen ?? "all"}`}
      class="btn"
      items={[
        choose("", "All kinds"),
        ...Object.entries(KINDS).flatMap(([value, text]) => {
          const number = [...numbers].find(([one]) => one === value)?.[1].length;
          return number === undefined ? [] : [choose(value, `${text}, ${count(number, "edge")}`)];
        }),
      ]}
    />
  );
}

/** The edges whose routes were opened or closed by the reader. */
function useToggled(): [Set<string>, (id: string) => void] {
  const [toggled, setToggled] = useState<Set<string>>(new Set());
  const toggle = (id: string): void => {
    const next = new Set(toggled);
    if (!next.delete(id)) next.add(id);
    setToggled(next);
  };
  return [toggled, toggle];
}

/** Whether the routes of an edge have rows of their own: not the only one for every path. */
const hasRoutes = ({ edge, entrances: [first, second] }: Row): boolean =>
  edge.kind === "https" && first?.route !== undefined && (second !== undefined || first.route.match !== "/");

function columnsFor(
  named: (id: string) => string,
  traffic: Map<string, Day>,
  isOpen: (row: Row) => boolean,
  toggle: (id: string) => void,
): Column<Row>[] {
  /** What all places have in common. */
  const common = (row: Row, of: (entrance: Entrance) => string): string => {
    const values = new Set(row.entrances.map(of));
    return values.size === 1 ? ([...values][0] ?? "") : "differs by route";
  };
  return [
    {
      name: "Name",
      width: "minmax(0, 1.1fr)",
      class: "name cut",
      cell: (row) => (
        <span class={row.isRoute ? "route-name" : "edge-name"}>
          {!row.isRoute && hasRoutes(row) && (
            <button
              type="button"
              class="caret wide"
              aria-expanded={isOpen(row)}
              aria-label={`Routes of ${nameOf(row.edge)}`}
              onClick={() => toggle(row.id)}
            >
              <Icon name={isOpen(row) ? "open" : "next"} />
            </button>
          )}
          <a class="cut" href={edgeLink(row.edge.id, row.isRoute ? row.id : undefined)}>
            <bdi>{nameOf((row.isRoute ? row.entrances[0]?.route : undefined) ?? row.edge)}</bdi>
          </a>
        </span>
      ),
    },
    {
      name: "Host and path",
      width: "minmax(0, 1fr)",
      class: "cut line2",
      cell: (row) => <code>{row.isRoute ? `└ ${row.entrances[0]?.route?.match}` : hostsOf(row.edge)}</code>,
    },
    {
      name: "Who gets in",
      width: "minmax(0, 1.1fr)",
      class: "wide cut t2",
      cell: (row) => common(row, (entrance) => whoGetsIn(entrance, named)),
    },
    {
      name: "Goes to",
      width: "minmax(0, 1.1fr)",
      class: "wide cut t2",
      cell: (row) => {
        const to = common(row, ({ backend }) => (backend?.enabled ? backend.backend.id : ""));
        return to.includes("_") ? <Ref id={to} /> : to || "no backend";
      },
    },
    {
      name: "Requests, 24 h",
      width: "124px",
      class: "fig end",
      cell: ({ id }) => <Requests traffic={traffic.get(id)} />,
    },
    {
      name: "Errors",
      width: "58px",
      class: "wide end num t2",
      cell: ({ id }) => <Errors traffic={traffic.get(id)} />,
    },
    {
      name: "State",
      width: "156px",
      class: "st",
      cell: ({ edge, id, isRoute, served }) => (
        <Deletion path={`/edges/${edge.kind}/${edge.id}${isRoute ? `/routes/${id}` : ""}`}>
          <ServedState served={served} />
        </Deletion>
      ),
    },
  ];
}

/** The first host, and how many others there are. */
function hostsOf({ hostports }: EdgeObject): string {
  const [first = "–", ...others] = hostports ?? [];
  return others.length === 0 ? first : `${first} +${others.length}`;
}

type Day = Schemas["TrafficSummary"]["objects"][number];

/** The traffic of the last day. Nothing if it is not known. */
function Requests({ traffic }: { traffic: Day | undefined }) {
  if (!traffic) return <span class="t3">–</span>;
  const { day, trend } = traffic;
  return (
    <span class="nums">
      <span class="wide">
        <Sparkline amounts={trend} />
      </span>{" "}
      {compact(day.requests || day.connections)}
      <span class="only-phone">&nbsp;{day.requests > 0 ? "requests" : "connections"}</span>
    </span>
  );
}

function Errors({ traffic }: { traffic: Day | undefined }) {
  const all = traffic ? traffic.day.requests || traffic.day.connections : 0;
  if (!traffic || all === 0) return <span class="t3">–</span>;
  return <>{percent(traffic.day.errors, all)}</>;
}
