import "./common.ts";
import { useState } from "preact/hooks";
import type { BackendObject } from "../api/lists.ts";
import { nameOf } from "../api/names.ts";
import { useBackends } from "../api/queries.ts";
import { mayPlan } from "../api/session.ts";
import { link } from "../base/routes.ts";
import { newIn } from "../changes/pending.ts";
import { count } from "../facts/amounts.ts";
import { backendKinds, describeBackend } from "../facts/backends.ts";
import { useUsers } from "../facts/users.ts";
import { Icon } from "../widgets/icons.tsx";
import { List } from "../widgets/list.tsx";
import { Empty, Page } from "../widgets/page.tsx";
import type { Column } from "../widgets/table.tsx";
import { Users } from "../widgets/used_by.tsx";
import { Added } from "./added.tsx";
import { deletionColumn } from "./deletion.tsx";
import { NewObject } from "./edit_object.tsx";

/** All backends. */
export function BackendList() {
  const backends = useBackends();
  const users = useUsers();
  const [isNew, setNew] = useState(false);
  const columns: Column<BackendObject>[] = [
    {
      name: "Name",
      width: "minmax(0, 1.3fr)",
      class: "name cut",
      cell: (backend) => (
        <a href={link("backends", backend.id)}>
          <bdi>{nameOf(backend)}</bdi>
        </a>
      ),
    },
    { name: "Kind", width: "120px", class: "wide t2", cell: ({ kind }) => backendKinds[kind] },
    { name: "Traffic goes to", width: "minmax(0, 1.2fr)", class: "line2 cut t2", cell: describeBackend },
    {
      name: "Used by",
      width: "110px",
      class: "fig t2 cut",
      cell: ({ id }) => <Users users={users} of={id} one="object" />,
    },
    ...deletionColumn<BackendObject>("/backends", ({ kind, id }) => `/backends/${kind}/${id}`),
  ];
  const isEmpty = backends.data?.length === 0;
  const actions = mayPlan.value && (
    <button type="button" class="btn p" data-key="n" onClick={() => setNew(true)}>
      <Icon name="add" />
      New backend <kbd aria-hidden="true">N</kbd>
    </button>
  );
  return (
    <Page
      title="Backends"
      facts={[
        backends.data && !isEmpty && count(backends.data.length, "backend"),
        "where edges send traffic",
      ]}
      actions={!isEmpty && actions}
    >
      <Added
        added={["static", "weighted", "failover", "http_response"].flatMap((kind) =>
          newIn(`/backends/${kind}`),
        )}
      />
      <List
        title="Backends"
        filter="Name, address, kind or id"
        query={backends}
        columns={columns}
        keyOf={({ id }) => id}
        textsOf={(backend) => [
          nameOf(backend),
          backend.id,
          backendKinds[backend.kind],
          describeBackend(backend),
        ]}
        empty={
          <Empty title="No backends yet" actions={actions}>
            A backend is what answers: a server with an address, a weighted split, a fallback, or a fixed
            response. One backend can serve several edges.
          </Empty>
        }
      />
      {isNew && (
        <NewObject kinds={["static", "weighted", "failover", "http_response"]} close={() => setNew(false)} />
      )}
    </Page>
  );
}
