import { useState } from "preact/hooks";
import { useTraffic } from "../api/queries.ts";
import { count, now } from "../facts/amounts.ts";
import { amountOf, dayOf, outcomeOf } from "../facts/traffic.ts";
import { Legend, OutcomeChart, OutcomeTable } from "../widgets/chart.tsx";
import { Loaded, None, Panel } from "../widgets/page.tsx";
import { Stats } from "../widgets/stats.tsx";

/** The traffic of an edge or a route in the last day; without an edge, that of all. */
export function EdgeTraffic({
  edge,
  route,
  name,
}: {
  edge?: string;
  route?: string | undefined;
  name: string;
}) {
  const traffic = useTraffic(edge, route);
  const [isTable, setTable] = useState(false);
  const isKnown = (traffic.data?.series.length ?? 0) > 0;
  return (
    <Panel
      title="Traffic"
      note="last 24 hours"
      aside={
        isKnown && (
          <>
            <Legend />
            <button type="button" class="btn q s" onClick={() => setTable(!isTable)}>
              {isTable ? "As a chart" : "As a table"}
            </button>
          </>
        )
      }
    >
      <Loaded query={traffic}>
        {(known) =>
          known.series.length === 0 ? (
            <None>
              No traffic reported in the last 24 hours. An agent reports the 25 busiest edges and routes
              individually.
            </None>
          ) : (
            <>
              <Stats
                totals={known.totals}
                isHttp={edge?.startsWith("edghts_") || known.totals.requests > 0}
              />
              <div class="pad charted">
                {isTable ? (
                  <OutcomeTable title={`Traffic of ${name}`} outcomes={dayOf(known, now())} />
                ) : (
                  <OutcomeChart
                    label={`Traffic of ${name} in the last 24 hours. ${sentenceOf(known.totals)}`}
                    outcomes={dayOf(known, now())}
                  />
                )}
                {known.totals.lost > 0 && (
                  <p class="meta">
                    {count(known.totals.lost, "request or connection", "requests and connections")} of any
                    edge were not counted.
                  </p>
                )}
              </div>
            </>
          )
        }
      </Loaded>
    </Panel>
  );
}

/** All of it in words. */
function sentenceOf(totals: Parameters<typeof outcomeOf>[0]): string {
  const { denied, failed } = outcomeOf(totals);
  return `${amountOf(totals)}, ${count(denied, "denied", "denied")}, ${count(failed, "failed", "failed")}.`;
}
