import "./common.ts";
import { useState } from "preact/hooks";
import type { Schemas } from "../api/client.ts";
import { nameOf } from "../api/names.ts";
import { usePolicies } from "../api/queries.ts";
import { mayPlan } from "../api/session.ts";
import { link } from "../base/routes.ts";
import { keep } from "../changes/pending.ts";
import { Dialog } from "../widgets/dialog.tsx";
import { Text } from "../widgets/inputs.tsx";
import { List } from "../widgets/list.tsx";
import { Page } from "../widgets/page.tsx";
import type { Column } from "../widgets/table.tsx";
import { Time } from "../widgets/text.tsx";

const columns: Column<Schemas["IpPolicy"]>[] = [
  {
    name: "Name",
    class: "cut",
    cell: (policy) => (
      <a class="b" href={link("policies", policy.id)} title={nameOf(policy)}>
        <bdi>{nameOf(policy)}</bdi>
      </a>
    ),
  },
  { name: "Id", class: "cut wide mono t3", cell: ({ id }) => id },
  { name: "Created", class: "t3 when", cell: ({ created_at }) => <Time at={created_at} /> },
];

/** All IP policies. */
export function PolicyList() {
  const [isNew, setNew] = useState(false);
  return (
    <Page
      title="IP policies"
      actions={
        mayPlan.value && (
          <button type="button" class="btn" data-key="n" onClick={() => setNew(true)}>
            New policy <kbd aria-hidden="true">N</kbd>
          </button>
        )
      }
    >
      <List
        title="IP policies"
        query={usePolicies()}
        columns={columns}
        keyOf={({ id }) => id}
        textsOf={({ description = "", id, metadata = "" }) => [description, id, metadata]}
        empty="There are no IP policies yet."
      />
      {isNew && <NewPolicy close={() => setNew(false)} />}
    </Page>
  );
}

function NewPolicy({ close }: { close: () => void }) {
  const [description, setDescription] = useState("");
  return (
    <Dialog title="New IP policy" close={close}>
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault();
          const path = "/ip_policies";
          keep(`${path} ${Date.now()}`, { type: "create", path, title: description, body: { description } });
          close();
        }}
      >
        <Text label="Description" required maxLength={255} value={description} set={setDescription} />
        <p class="t3 sm">The policy is created when you apply your changes. Then add its rules.</p>
        <button type="submit" class="btn p">
          Add
        </button>
      </form>
    </Dialog>
  );
}
