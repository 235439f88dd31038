import type { Schemas } from "../api/client.ts";
import type { EdgeObject, RouteObject } from "../api/lists.ts";
import { nameOf, useNames } from "../api/names.ts";
import { useTrafficSummary } from "../api/queries.ts";
import { mayPlan } from "../api/session.ts";
import { edgeLink } from "../base/links.ts";
import { whoGetsIn } from "../facts/entrances.ts";
import { useKnown } from "../facts/known.ts";
import { servedOf } from "../facts/served.ts";
import { compact, percent } from "../facts/traffic.ts";
import { Sparkline } from "../widgets/chart.tsx";
import { Icon } from "../widgets/icons.tsx";
import { None, Panel } from "../widgets/page.tsx";
import { ServedState } from "../widgets/state.tsx";
import { type Column, Table } from "../widgets/table.tsx";
import { Ref } from "../widgets/text.tsx";
import { AddedRoutes } from "./added_edges.tsx";
import { Deletion } from "./deletion.tsx";

/** The routes of an edge: who gets in, where traffic goes, how much there is, and whether they are served. */
export function EdgeRoutes({ edge, add }: { edge: EdgeObject & { kind: "https" }; add: () => void }) {
  const names = useNames();
  const known = useKnown().data;
  const summary = useTrafficSummary().data;
  const traffic = new Map(summary?.objects.map((one) => [one.object_id, one]));
  return (
    <Panel title="Routes" aside="the longest matching path is used">
      {edge.routes.length === 0 && <None>There is no route, so every request gets 404.</None>}
      {edge.routes.length > 0 && (
        <Table<RouteObject>
          label="Routes"
          rows={edge.routes}
          keyOf={({ id }) => id}
          columns={columnsFor(edge, (id) => names(id).name, known, traffic)}
        />
      )}
      <AddedRoutes edge={edge.id} />
      {mayPlan.value && (
        <div class="row">
          <button type="button" class="btn q s add" onClick={add}>
            <Icon name="add" />
            Add route
          </button>
        </div>
      )}
    </Panel>
  );
}

type Known = NonNullable<ReturnType<typeof useKnown>["data"]>;
type Day = Schemas["TrafficSummary"]["objects"][number];

function columnsFor(
  edge: EdgeObject,
  named: (id: string) => string,
  known: Known | undefined,
  traffic: Map<string, Day>,
): Column<RouteObject>[] {
  return [
    {
      name: "Path",
      width: "minmax(0, 1fr)",
      class: "name two",
      cell: (route) => (
        <>
          <a class="cut" href={edgeLink(edge.id, route.id)}>
            <code class="b">{route.match}</code>
          </a>
          {nameOf(route) !== route.match && <bdi class="meta cut">{nameOf(route)}</bdi>}
        </>
      ),
    },
    {
      name: "Who gets in",
      width: "minmax(0, 1.4fr)",
      class: "wide cut t2",
      cell: (route) => whoGetsIn({ restriction: route.ip_restriction, edge, route }, named),
    },
    {
      name: "Goes to",
      width: "minmax(0, .9fr)",
      class: "wide cut",
      cell: ({ backend }) =>
        backend?.enabled ? <Ref id={backend.backend.id} /> : <span class="t3">no backend</span>,
    },
    {
      name: "Requests, 24 h",
      width: "180px",
      class: "fig end",
      cell: ({ id }) => {
        const own = traffic.get(id);
        if (!own) return <span class="t3">–</span>;
        return (
          <span class="nums">
            <span class="wide">
              <Sparkline amounts={own.trend} />
            </span>{" "}
            {compact(own.day.requests)}
            {own.day.errors > 0 && (
              <span class="meta wide"> {percent(own.day.errors, own.day.requests)} errors</span>
            )}
          </span>
        );
      },
    },
    {
      name: "State",
      width: "156px",
      class: "st",
      cell: (route) => {
        const served = known && servedOf(known, edge, route);
        return (
          <Deletion path={`/edges/https/${edge.id}/routes/${route.id}`}>
            {served && <ServedState served={served} />}
          </Deletion>
        );
      },
    },
  ];
}
