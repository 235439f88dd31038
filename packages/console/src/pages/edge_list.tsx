import "./common.ts";
import { useState } from "preact/hooks";
import { nameOf, useNames } from "../api/names.ts";
import { mayPlan } from "../api/session.ts";
import { edgeLink } from "../base/links.ts";
import { type Entrance, tones, useEntrances, whoGetsIn } from "../facts/entrances.ts";
import { List } from "../widgets/list.tsx";
import { Chip, Page } from "../widgets/page.tsx";
import type { Column } from "../widgets/table.tsx";
import { Ref } from "../widgets/text.tsx";
import { NewEdge } from "./new_edge.tsx";

/** All edges with their routes, who gets in, and where traffic goes. */
export function EdgeList() {
  const entrances = useEntrances();
  const names = useNames();
  const [isNew, setNew] = useState(false);
  const named = (id: string): string => names(id).name;
  const columns: Column<Entrance>[] = [
    {
      name: "Name",
      class: "cut",
      cell: ({ edge, route }) => (
        <a class="b" href={edgeLink(edge.id, route?.id)}>
          <bdi>{nameOf(route ?? edge)}</bdi>
        </a>
      ),
    },
    {
      name: "Entrance",
      class: "cut mono",
      cell: ({ edge, route }) => `${(edge.hostports ?? []).join(", ")}${route?.match ?? ""}`,
    },
    { name: "Kind", class: "t3 wide kind", cell: ({ edge }) => edge.kind.toUpperCase() },
    { name: "Who gets in", class: "cut wide", cell: (entrance) => whoGetsIn(entrance, named) },
    {
      name: "Goes to",
      class: "cut t2 wide",
      cell: ({ backend }) => (backend?.enabled ? <Ref id={backend.backend.id} /> : "no backend"),
    },
    {
      name: "State",
      isHidden: true,
      class: "end state",
      cell: ({ state }) => <Chip tone={tones[state]}>{state}</Chip>,
    },
  ];
  return (
    <Page
      title="Edges"
      actions={
        mayPlan.value && (
          <button type="button" class="btn" data-key="n" onClick={() => setNew(true)}>
            New edge <kbd aria-hidden="true">N</kbd>
          </button>
        )
      }
    >
      <List
        title="Edges and routes"
        query={entrances}
        columns={columns}
        keyOf={({ id }) => id}
        textsOf={(entrance) => [
          entrance.edge.kind,
          nameOf(entrance.edge),
          nameOf(entrance.route ?? entrance.edge),
          entrance.id,
          entrance.edge.id,
          ...(entrance.edge.hostports ?? []),
          entrance.place,
          whoGetsIn(entrance, named),
          entrance.backend ? named(entrance.backend.backend.id) : "",
          entrance.state,
        ]}
        empty="There is no edge yet, so no traffic comes in."
      />
      {isNew && <NewEdge close={() => setNew(false)} />}
    </Page>
  );
}
