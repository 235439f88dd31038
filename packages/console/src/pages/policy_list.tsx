import "./common.ts";
import { useState } from "preact/hooks";
import { nameOf } from "../api/names.ts";
import { usePolicies } from "../api/queries.ts";
import { mayPlan } from "../api/session.ts";
import { link } from "../base/routes.ts";
import { keep } from "../changes/pending.ts";
import { Dialog } from "../widgets/dialog.tsx";
import { Filter, useFilter } from "../widgets/field.tsx";
import { Empty, Loaded, Page, Panel } from "../widgets/page.tsx";
import { Table } from "../widgets/table.tsx";
import { Time } from "../widgets/text.tsx";

/** All IP policies. */
export function PolicyList() {
  const policies = usePolicies();
  const [isNew, setNew] = useState(false);
  const matches = useFilter();
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
      <Filter label="Name or id" />
      <Panel title="Policies">
        <Loaded query={policies}>
          {(all) => {
            const shown = all.filter((policy) =>
              matches(policy.description ?? "", policy.id, policy.metadata ?? ""),
            );
            if (shown.length === 0)
              return (
                <Empty>
                  {all.length === 0 ? "There is no IP policy yet." : "No policy matches the filter."}
                </Empty>
              );
            return (
              <Table
                label="IP policies"
                rows={shown}
                keyOf={({ id }) => id}
                class="fixed stack"
                columns={[
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
                ]}
              />
            );
          }}
        </Loaded>
      </Panel>
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
        <label htmlFor="description">Description</label>
        <input
          id="description"
          class="input"
          required
          maxLength={255}
          value={description}
          onInput={(event) => setDescription(event.currentTarget.value)}
        />
        <p class="t3 sm">The policy is created when you apply your changes. Then add its rules.</p>
        <button type="submit" class="btn p">
          Add
        </button>
      </form>
    </Dialog>
  );
}
