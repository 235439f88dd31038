import "./common.ts";
import { useState } from "preact/hooks";
import type { Schemas } from "../api/client.ts";
import { nameOf } from "../api/names.ts";
import { usePolicies } from "../api/queries.ts";
import { mayPlan } from "../api/session.ts";
import { link } from "../base/routes.ts";
import { newIn } from "../changes/pending.ts";
import { count } from "../facts/amounts.ts";
import { useUsers } from "../facts/users.ts";
import { Icon } from "../widgets/icons.tsx";
import { List } from "../widgets/list.tsx";
import { Empty, Page } from "../widgets/page.tsx";
import type { Column } from "../widgets/table.tsx";
import { Time } from "../widgets/text.tsx";
import { Users } from "../widgets/used_by.tsx";
import { Added } from "./added.tsx";
import { deletionColumn } from "./deletion.tsx";
import { NewObject } from "./edit_object.tsx";

type Policy = Schemas["IpPolicy"];

/** All IP policies. */
export function PolicyList() {
  const policies = usePolicies();
  const users = useUsers();
  const [isNew, setNew] = useState(false);
  const columns: Column<Policy>[] = [
    {
      name: "Name",
      width: "minmax(0, 2fr)",
      class: "name cut",
      cell: (policy) => (
        <a href={link("policies", policy.id)} title={nameOf(policy)}>
          <bdi>{nameOf(policy)}</bdi>
        </a>
      ),
    },
    {
      name: "Used by",
      width: "minmax(0, 1fr)",
      class: "line2 t2 cut",
      cell: ({ id }) => <Users users={users} of={id} one="place" />,
    },
    {
      name: "Created",
      width: "140px",
      class: "fig t3 cut",
      cell: ({ created_at }) => <Time at={created_at} />,
    },
    ...deletionColumn<Policy>("/ip_policies", ({ id }) => `/ip_policies/${id}`),
  ];
  const isEmpty = policies.data?.length === 0;
  const actions = mayPlan.value && (
    <button type="button" class="btn p" data-key="n" onClick={() => setNew(true)}>
      <Icon name="add" />
      New policy <kbd aria-hidden="true">N</kbd>
    </button>
  );
  return (
    <Page
      title="IP policies"
      facts={
        policies.data && !isEmpty
          ? [count(policies.data.length, "policy", "policies"), "lists of networks that get in, or do not"]
          : ["Lists of networks that get in, or do not"]
      }
      actions={!isEmpty && actions}
    >
      <Added added={newIn("/ip_policies")} />
      <List
        title="IP policies"
        filter="Name, id or metadata"
        query={policies}
        columns={columns}
        keyOf={({ id }) => id}
        textsOf={({ description = "", id, metadata = "" }) => [description, id, metadata]}
        empty={
          <Empty title="No IP policies yet" actions={actions}>
            A policy is a list of networks that are allowed or denied. Several edges can share one.
          </Empty>
        }
      />
      {isNew && <NewObject kinds={["policy"]} close={() => setNew(false)} />}
    </Page>
  );
}
