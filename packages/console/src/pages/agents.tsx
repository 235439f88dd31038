import "../common.ts";
import { api, done, type Schemas } from "../api/client.ts";
import { useAgents } from "../api/queries.ts";
import { mayAdminister } from "../api/session.ts";
import { Action } from "../widgets/action.tsx";
import { List } from "../widgets/list.tsx";
import { Chip, Page, type Tone } from "../widgets/page.tsx";
import type { Column } from "../widgets/table.tsx";
import { now, Time } from "../widgets/text.tsx";

type Agent = Schemas["Agent"];

const MINUTE = 60_000;

/** How recently an agent reported: amber after two minutes, red after five. */
function toneOf({ last_seen }: Agent): Tone {
  const silence = now() - Date.parse(last_seen);
  return silence > 5 * MINUTE ? "bad" : silence > 2 * MINUTE ? "warn" : "good";
}

/** The agents that serve traffic, and those that are behind. */
export function Agents() {
  const columns: Column<Agent>[] = [
    { name: "Name", class: "cut b", cell: ({ name }) => <bdi>{name}</bdi> },
    {
      name: "Last seen",
      cell: (agent) => (
        <Chip tone={toneOf(agent)}>
          <Time at={agent.last_seen} />
        </Chip>
      ),
    },
    {
      name: "Version",
      cell: ({ applied_version, behind, behind_since }) => (
        <>
          {applied_version ?? "none"}{" "}
          {behind > 0 && (
            <Chip tone="warn">
              {behind} behind
              {behind_since !== null && (
                <>
                  {" "}
                  since <Time at={behind_since} />
                </>
              )}
            </Chip>
          )}
        </>
      ),
    },
    { name: "Proxy", class: "cut t3 wide", cell: ({ proxy }) => proxy },
    {
      name: "Problems",
      class: "cut wide",
      cell: ({ error, problems }) => error ?? problems.map(({ object, msg }) => <p key={object}>{msg}</p>),
    },
  ];
  if (mayAdminister.value)
    columns.push({
      name: "Forget",
      isHidden: true,
      class: "end do",
      cell: ({ name }) => (
        <Action
          label="Forget"
          effect={`${name} is no longer listed, until it reports again. It goes on serving traffic.`}
          affects="agents"
          run={() => done(api.DELETE("/agents/{name}", { params: { path: { name } } }))}
        />
      ),
    });
  return (
    <Page title="Agents">
      <List
        title="Agents"
        query={useAgents()}
        columns={columns}
        keyOf={({ name }) => name}
        textsOf={({ name, proxy, error }) => [name, proxy ?? "", error ?? ""]}
        empty="No agent has reported yet, so nothing serves the configuration."
      />
    </Page>
  );
}
