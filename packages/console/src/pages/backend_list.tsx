import "./common.ts";
import type { BackendObject } from "../api/lists.ts";
import { nameOf } from "../api/names.ts";
import { useBackends } from "../api/queries.ts";
import { link } from "../base/routes.ts";
import { backendKinds, describeBackend } from "../facts/backends.ts";
import { List } from "../widgets/list.tsx";
import { Page } from "../widgets/page.tsx";
import type { Column } from "../widgets/table.tsx";

const columns: Column<BackendObject>[] = [
  {
    name: "Name",
    class: "cut",
    cell: (backend) => (
      <a class="b" href={link("backends", backend.id)}>
        <bdi>{nameOf(backend)}</bdi>
      </a>
    ),
  },
  { name: "Kind", class: "t3", cell: ({ kind }) => backendKinds[kind] },
  { name: "What it does", class: "cut wide", cell: describeBackend },
];

/** All backends of the four kinds. */
export function BackendList() {
  return (
    <Page title="Backends">
      <List
        title="Backends"
        query={useBackends()}
        columns={columns}
        keyOf={({ id }) => id}
        textsOf={(backend) => [
          nameOf(backend),
          backend.id,
          backendKinds[backend.kind],
          describeBackend(backend),
        ]}
        empty="There is no backend yet, so no edge has anywhere to send traffic."
      />
    </Page>
  );
}
