import "./common.ts";
import { api, done } from "../api/client.ts";
import { useAgents } from "../api/queries.ts";
import { mayAdminister } from "../api/session.ts";
import { type Agent, edgesOf, isFromBeforeRestore, isReporting, stateOfAgent } from "../facts/agents.ts";
import { count } from "../facts/amounts.ts";
import type { StateTone } from "../facts/tones.ts";
import { Action } from "../widgets/action.tsx";
import { Command } from "../widgets/command.tsx";
import { Install } from "../widgets/install.tsx";
import { Loaded, Page, Panel } from "../widgets/page.tsx";
import { State } from "../widgets/state.tsx";
import { Ref, Time } from "../widgets/text.tsx";

const attention = { bad: 0, warn: 1, busy: 2, none: 3, good: 4 } as const;

/** The machines that serve traffic: what each serves, and what is wrong. */
export function Agents() {
  const agents = useAgents();
  const all = agents.data?.toSorted(
    (a, b) => attention[stateOfAgent(a).tone] - attention[stateOfAgent(b).tone],
  );
  const numberOf = (...tones: StateTone[]): number =>
    all?.filter((agent) => tones.includes(stateOfAgent(agent).tone)).length ?? 0;
  const [fine, late, needy] = [numberOf("good"), numberOf("busy"), numberOf("bad", "warn")];
  return (
    <Page
      title="Agents"
      facts={[
        all && all.length > 0 && count(all.length, "machine"),
        fine > 0 && `${fine} ${fine === 1 ? "serves" : "serve"} everything`,
        late > 0 && `${late} behind`,
        needy > 0 && `${needy} ${needy === 1 ? "needs" : "need"} attention`,
        all?.length === 0 && "An agent configures HAProxy on each machine, and reports what it serves",
      ]}
    >
      <Loaded query={{ ...agents, data: all }}>
        {(list) =>
          list.length > 0 && (
            <section class="panel" aria-label="Machines">
              {list.map((agent) => (
                <Machine key={agent.name} agent={agent} />
              ))}
            </section>
          )
        }
      </Loaded>
      {mayAdminister.value && (
        <Panel title="Add a machine" note="Debian or Ubuntu, with Node 20.19 or later">
          <div class="pad">
            <Install />
          </div>
        </Panel>
      )}
    </Page>
  );
}

function Machine({ agent }: { agent: Agent }) {
  const { name, last_seen, applied_version: version, behind, behind_since, proxy, problems, error } = agent;
  const { tone, text } = stateOfAgent(agent);
  const edges = edgesOf(agent);
  return (
    <article class="machine">
      <div class="row">
        <div class="grow">
          <b class="wrap">{name}</b>
          <div class="meta">
            {edges
              ? `serves ${edges.served} of ${count(edges.of, "edge")} · `
              : version !== null && agent.edges === null && "does not report what it serves · "}
            reported <Time at={last_seen} />
            {" · "}
            {version === null ? (
              "no configuration yet"
            ) : isFromBeforeRestore(agent) ? (
              "configuration from before the service was restored"
            ) : behind === 0 ? (
              "newest configuration"
            ) : (
              <>
                {count(behind, "change")} behind
                {behind_since !== null && (
                  <>
                    {" "}
                    since <Time at={behind_since} />
                  </>
                )}
              </>
            )}
            {proxy !== null && ` · ${proxy}`}
          </div>
        </div>
        <State tone={tone}>{text}</State>
        {mayAdminister.value && (
          <Action
            label="Forget…"
            of={name}
            title={`Forget ${name}?`}
            effect={`${name} is not listed until it reports again. It keeps serving traffic.`}
            affects="agents"
            run={() => done(api.DELETE("/agents/{name}", { params: { path: { name } } }))}
          />
        )}
      </div>
      {(!isReporting(agent) || error !== null || problems.length > 0) && (
        <div class="why">
          {!isReporting(agent) && (
            <div class="row">
              <div class="grow stack">
                <p>
                  <b>The agent has not reported for three minutes.</b> HAProxy keeps serving its last
                  configuration. Look at the agent's journal on the machine:
                </p>
                <Command isShell text="journalctl -u edge-agent --since -15min" />
              </div>
            </div>
          )}
          {error !== null && <p class="row wrap">{error}</p>}
          {problems.map(({ object, code, msg }) => (
            <div class="row" key={`${object} ${code}`}>
              <div class="grow stack">
                <p class="wrap">{msg}</p>
                <Remedy msg={msg} />
                {object.includes("_") && (
                  <p class="meta">
                    Affects <Ref id={object} />
                  </p>
                )}
              </div>
            </div>
          ))}
        </div>
      )}
    </article>
  );
}

/** The option of the agent that a message names, to copy. */
function Remedy({ msg }: { msg: string }) {
  const option = /--allow-(?:upstream|listen) [\d.:a-f/]*[\da-f]/.exec(msg)?.[0];
  return option === undefined ? null : <Command text={option} label={`Copy ${option}`} />;
}
