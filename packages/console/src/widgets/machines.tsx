import { useAgents } from "../api/queries.ts";
import { link } from "../base/routes.ts";
import { isReporting } from "../facts/agents.ts";
import { count } from "../facts/amounts.ts";
import { useKnown } from "../facts/known.ts";
import { type Served, servedBy } from "../facts/served.ts";
import type { StateTone } from "../facts/tones.ts";
import { Panel, Rows } from "./page.tsx";
import { State } from "./state.tsx";

/** The most machines that are listed. */
const MOST = 8;

const attention = { bad: 0, warn: 1, busy: 2, none: 3, good: 4 } as const satisfies Record<StateTone, number>;

/** The machines that serve an edge or a route, and why the other machines do not. @param edge the edge's id */
export function Machines({ edge, served }: { edge: string; served: Served | undefined }) {
  const agents = useAgents();
  const known = useKnown().data;
  const rows =
    served &&
    agents.data
      ?.map((agent) => {
        if (isReporting(agent))
          return { agent, ...servedBy(agent.name, served, known?.incomplete.get(edge)) };
        const why = "It has not reported for three minutes.";
        return { agent, why, tone: "none" as const, text: "Not known" };
      })
      .toSorted((a, b) => attention[a.tone] - attention[b.tone]);
  return (
    <Panel
      title="Machines"
      aside={
        <a class="link" href={link("agents")}>
          {rows === undefined ? "All" : count(rows.length, "agent")}
        </a>
      }
      {...(rows && rows.length > MOST && { footer: `and ${count(rows.length - MOST, "other machine")}` })}
    >
      <Rows query={{ ...agents, data: rows?.slice(0, MOST) }} empty="No machine has reported yet.">
        {({ agent: { name }, why, tone, text }) => (
          <div class="row" key={name}>
            <div class="grow">
              <b class="wrap">{name}</b>
              {why !== "" && <div class="meta wrap">{why}</div>}
            </div>
            <State tone={tone} {...(text === "Answers 503" && { sign: "triangle" })}>
              {text}
            </State>
          </div>
        )}
      </Rows>
    </Panel>
  );
}
