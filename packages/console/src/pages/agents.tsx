import "./common.ts";
import { api, done } from "../api/client.ts";
import { useAgents } from "../api/queries.ts";
import { mayAdminister } from "../api/session.ts";
import { type Agent, servedBy, stateOfAgent, toneOf } from "../facts/agents.ts";
import { Action } from "../widgets/action.tsx";
import { List } from "../widgets/list.tsx";
import { Chip, Page } from "../widgets/page.tsx";
import type { Column } from "../widgets/table.tsx";
import { Time } from "../widgets/text.tsx";

/** The agents that serve traffic, and those that are behind. */
export function Agents() {
  const columns: Column<Agent>[] = [
    { name: "Name", class: "wrap b", cell: ({ name }) => <bdi>{name}</bdi> },
    {
      name: "State",
      cell: (agent) => (
        <>
          <Chip tone={toneOf(agent)}>{stateOfAgent(agent)}</Chip>
          {servedBy(agent)}
        </>
      ),
    },
    { name: "Last seen", cell: ({ last_seen }) => <Time at={last_seen} /> },
    {
      name: "Version",
      cell: ({ applied_version, behind, behind_since }) => (
        <>
          {applied_version ?? "none"}
          {behind_since !== null && (
            <>
              , {behind} behind since <Time at={behind_since} />
            </>
          )}
        </>
      ),
    },
    { name: "Proxy", class: "cut t3 wide", cell: ({ proxy }) => proxy },
    {
      name: "Problems",
      class: "problems",
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
