import { useAgents } from "../api/queries.ts";
import { link } from "../base/routes.ts";
import { isReporting } from "../facts/agents.ts";
import { count } from "../facts/amounts.ts";
import type { Served } from "../facts/served.ts";
import type { StateTone } from "../facts/tones.ts";
import { Panel, Rows } from "./page.tsx";
import { State } from "./state.tsx";

/** The most machines that are listed. */
const MOST = 8;

const attention = { bad: 0, warn: 1, busy: 2, none: 3, good: 4 } as const satisfies Record<StateTone, number>;

/** Which machines serve something, and why the others do not. */
export function Machines({ served }: { served: Served | undefined }) {
  const agents = useAgents();
  const ofAll = served?.reasons.filter(({ machine }) => machine === null) ?? [];
  const rows = agents.data
    ?.map((agent) => {
      const own = served?.reasons.filter(({ machine }) => machine === agent.name) ?? [];
      const why = own.map(({ msg }) => msg).join(" ");
      if (!isReporting(agent))
        return {
          agent,
          why: "It has not reported for five minutes.",
          tone: "none" as const,
          text: "Not known",
        };
      if (served?.kind === "answers 503") return { agent, why, tone: "bad" as const, text: "Answers 503" };
      if (ofAll.length > 0 && served?.kind === "not served")
        return { agent, why, tone: "bad" as const, text: "Not served" };
      if (own.length === 0) return { agent, why, tone: "good" as const, text: "Served" };
      return served?.kind === "applying"
        ? { agent, why, tone: "busy" as const, text: "Applying" }
        : served?.text === "Served in part"
          ? { agent, why, tone: "warn" as const, text: "In part" }
          : { agent, why, tone: "bad" as const, text: "Not served" };
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
