import "./common.ts";
import { useState } from "preact/hooks";
import { api, done, type Schemas } from "../api/client.ts";
import { nameOf } from "../api/names.ts";
import { useBots, useKeys } from "../api/operation_queries.ts";
import { identity, mayAdminister } from "../api/session.ts";
import { now } from "../facts/amounts.ts";
import { Action } from "../widgets/action.tsx";
import { List } from "../widgets/list.tsx";
import { Chip, Rows, NotAllowed, Page, Panel } from "../widgets/page.tsx";
import type { Column } from "../widgets/table.tsx";
import { Time } from "../widgets/text.tsx";
import { NewKey } from "./new_key.tsx";

type Key = Schemas["ApiKey"];

const DAY = 86_400_000;

/** API keys and bot users for admins; a person's own keys for everybody else who signed in as a person. */
export function Keys() {
  const isAdmin = mayAdminister.value;
  const isPerson = identity.value?.kind === "user";
  if (!isAdmin && !isPerson) return <NotAllowed role="admin" />;
  return <KeysView isAdmin={isAdmin} />;
}

function KeysView({ isAdmin }: { isAdmin: boolean }) {
  const keys = useKeys(isAdmin);
  const bots = useBots(isAdmin);
  const [isNew, setNew] = useState(false);
  const remove = (id: string) => {
    const params = { path: { id } };
    return isAdmin ? api.DELETE("/api_keys/{id}", { params }) : api.DELETE("/users/me/keys/{id}", { params });
  };
  const ownerOf = ({ owner_id }: Key): string =>
    bots.data?.find(({ id }) => id === owner_id)?.name ?? owner_id ?? "";
  const columns: Column<Key>[] = [
    { name: "Key", class: "cut b", cell: (key) => <bdi>{nameOf(key)}</bdi> },
    { name: "Role", cell: ({ role }) => role },
    { name: "Owner", class: "cut wide", cell: (key) => <bdi>{ownerOf(key)}</bdi> },
    { name: "Last used", cell: LastUsed },
    { name: "Expires", class: "wide", cell: Expiry },
    {
      name: "Delete",
      isHidden: true,
      class: "end do",
      cell: ({ id }) => (
        <Action
          label="Delete"
          effect="Programs with this key get 401 within 20 seconds."
          affects="keys"
          isDangerous
          run={() => done(remove(id))}
        />
      ),
    },
  ];
  return (
    <Page
      title={isAdmin ? "Keys and bots" : "My keys"}
      actions={
        <button type="button" class="btn" data-key="n" onClick={() => setNew(true)}>
          New key <kbd aria-hidden="true">N</kbd>
        </button>
      }
    >
      <List
        title="Keys"
        query={keys}
        columns={columns}
        keyOf={({ id }) => id}
        textsOf={(key) => [nameOf(key), key.id, key.role, ownerOf(key)]}
        empty="There is no key yet."
      />
      {isAdmin && (
        <Panel title="Bot users">
          <Rows query={bots} empty="There are no bot users.">
            {({ id, name, active }) => (
              <div class="row" key={id}>
                <bdi class="b grow cut">{name}</bdi>
                <Chip tone={active ? "good" : "bad"}>{active ? "active" : "inactive"}</Chip>
              </div>
            )}
          </Rows>
        </Panel>
      )}
      {isNew && <NewKey isAdmin={isAdmin} bots={bots.data ?? []} close={() => setNew(false)} />}
    </Page>
  );
}

/** When a key was last used; marked if it has not been for 90 days. */
function LastUsed({ last_used_at, created_at }: Key) {
  const isUnused = now() - Date.parse(last_used_at ?? created_at) > 90 * DAY;
  return (
    <>
      {last_used_at === undefined ? "never" : <Time at={last_used_at} />}{" "}
      {isUnused && <Chip tone="warn">unused</Chip>}
    </>
  );
}

/** When a key expires; marked if that is within 7 days. */
function Expiry({ expires_at }: Key) {
  if (expires_at === undefined) return <span class="t3">never</span>;
  const left = Date.parse(expires_at) - now();
  return (
    <>
      <Time at={expires_at} /> {left < 7 * DAY && <Chip tone="warn">{left < 0 ? "expired" : "soon"}</Chip>}
    </>
  );
}
