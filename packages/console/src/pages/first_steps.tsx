import "./common.ts";
import { useRef, useState } from "preact/hooks";
import { useAgents } from "../api/queries.ts";
import { mayAdminister, mayPlan } from "../api/session.ts";
import { go, link } from "../base/routes.ts";
import { newIn } from "../changes/pending.ts";
import { draft, faultsOf, keepAnswers, start } from "../changes/wizard.ts";
import { stateOfAgent } from "../facts/agents.ts";
import { Command } from "../widgets/command.tsx";
import { FieldErrors, focusWrong } from "../widgets/faults.tsx";
import { Icon } from "../widgets/icons.tsx";
import { Text } from "../widgets/inputs.tsx";
import { Install } from "../widgets/install.tsx";
import { Loaded, Page, Panel } from "../widgets/page.tsx";
import { State } from "../widgets/state.tsx";
import { Time } from "../widgets/text.tsx";

/** What an empty service shows: the steps to a first host that is served, in any order. */
export function FirstSteps() {
  const query = useAgents();
  const agents = query.data ?? [];
  // The page is only shown while there is no edge.
  const isAdded = ["https", "tls", "tcp"].some((kind) => newIn(`/edges/${kind}`).length > 0);
  return (
    <Page
      title="Serve your first host"
      name="Overview"
      facts={["three steps, in any order", "this page follows along"]}
    >
      <div class="grid">
        <section class="panel">
          <ol class="steps">
            <li>
              <Number number={1} isDone={isAdded} />
              <div class="stack">
                <div>
                  <h2>Create an edge</h2>
                  <p class="t2">An edge is a host that clients connect to, and where its traffic goes.</p>
                </div>
                {isAdded ? <Added /> : mayPlan.value && <FirstEdge />}
              </div>
            </li>
            <li>
              <Number number={2} isDone={agents.length > 0} />
              <div class="stack">
                <div>
                  <h2>Install an agent on a machine</h2>
                  <p class="t2">
                    It configures HAProxy there. The machine needs Debian or Ubuntu, Node 20.19 or later, and
                    free ports 80 and 443.
                  </p>
                </div>
                {agents.length === 0 &&
                  (mayAdminister.value ? (
                    <Install />
                  ) : (
                    <p class="t2">An admin can make the key that it needs.</p>
                  ))}
              </div>
            </li>
            <li>
              <Number number={3} isDone={false} />
              <div class="stack">
                <h2>See it served</h2>
                {agents.map((agent) => (
                  <p key={agent.name} class="line">
                    <b>{agent.name}</b>
                    <State tone={stateOfAgent(agent).tone}>{stateOfAgent(agent).text}</State>
                    <span class="meta">
                      reported <Time at={agent.last_seen} />
                    </span>
                  </p>
                ))}
                <Loaded query={query} isQuiet>
                  {(all) => all.length === 0 && <State tone="busy">Waiting for a first report</State>}
                </Loaded>
                <p class="t2">The agent reports within seconds. You then see here what it serves.</p>
              </div>
            </li>
          </ol>
        </section>
        <Aside />
      </div>
    </Page>
  );
}

/** What else there is to know. */
const Aside = () => (
  <div class="col">
    <Panel title="Have a file already?">
      <div class="pad stack">
        <p class="t2">Describe everything in a file and apply it, now or in CI.</p>
        <Command isShell text="edge apply edge.yaml" />
        <a class="link" href="/docs/guides/files">
          Configuration in files
        </a>
      </div>
    </Panel>
    <Panel title="Good to know">
      <ul>
        <li class="row">
          <Icon name="plans" />
          <span class="grow">Nothing changes before you have seen who it affects.</span>
        </li>
        <li class="row">
          <Icon name="undo" />
          <span class="grow">Each change can be undone.</span>
        </li>
        <li class="row">
          <Icon name="agents" />
          <span class="grow">If this service is down, machines keep serving.</span>
        </li>
      </ul>
    </Panel>
  </div>
);

function Number({ number, isDone }: { number: number; isDone: boolean }) {
  return (
    <span class={isDone ? "no done" : "no"} aria-hidden="true">
      {isDone ? <Icon name="allow" /> : number}
    </span>
  );
}

const Added = () => (
  <p class="line">
    <State tone="busy">Not applied yet</State>
    <a class="link" href={link("review")}>
      Review who it affects, and apply it
    </a>
  </p>
);

/** A host and where it goes: everybody gets in. What is entered is also there in the form with more options. */
function FirstEdge() {
  const { hosts, address } = draft.value;
  const faults = faultsOf({ ...start, hosts, address });
  const [isTried, setTried] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const submit = (event: Event): void => {
    event.preventDefault();
    if (faults.hosts !== undefined || faults.address !== undefined) {
      setTried(true);
      setTimeout(() => focusWrong(form.current));
      return;
    }
    keepAnswers({ ...start, hosts, address });
    draft.value = start;
    go(link("review"));
  };
  return (
    <form class="stack" ref={form} onSubmit={submit} noValidate>
      <FieldErrors isTried={isTried}>
        <div class="fields">
          <Text
            label="Host"
            isMono
            required
            placeholder="shop.example.com"
            hint="Port 443, unless you add another"
            fault={faults.hosts}
            value={hosts}
            set={(text) => (draft.value = { ...draft.value, hosts: text })}
          />
          <Text
            label="Goes to"
            isMono
            required
            placeholder="10.0.4.12:8080"
            hint="A server that your machines can reach"
            fault={faults.address}
            value={address}
            set={(text) => (draft.value = { ...draft.value, address: text })}
          />
        </div>
      </FieldErrors>
      <p class="line">
        <button type="submit" class="btn p">
          Review the edge
        </button>
        <a class="btn q" href={link("new_edge")}>
          More options
        </a>
        <span class="meta">Everybody gets in. You can restrict that at any time.</span>
      </p>
    </form>
  );
}
