import "./common.ts";
import { useState } from "preact/hooks";
import type { Schemas } from "../api/client.ts";
import { nameOf } from "../api/names.ts";
import { useAuthorities } from "../api/queries.ts";
import { mayPlan } from "../api/session.ts";
import { deletionOf, newIn } from "../changes/pending.ts";
import { count, now } from "../facts/amounts.ts";
import { useUsers } from "../facts/users.ts";
import { Icon } from "../widgets/icons.tsx";
import { List } from "../widgets/list.tsx";
import { ObjectMenu } from "../widgets/object_menu.tsx";
import { Empty, Page } from "../widgets/page.tsx";
import { State } from "../widgets/state.tsx";
import type { Column } from "../widgets/table.tsx";
import { Time } from "../widgets/text.tsx";
import { Users } from "../widgets/used_by.tsx";
import { Added } from "./added.tsx";
import { Deletion } from "./deletion.tsx";
import { EditObject, NewObject } from "./edit_object.tsx";

type Authority = Schemas["CertificateAuthority"];

const MONTH = 30 * 86_400_000;

/** The certificate authorities that clients' certificates can come from. */
export function Authorities() {
  const authorities = useAuthorities();
  const users = useUsers();
  const [isNew, setNew] = useState(false);
  const [edited, setEdited] = useState<Authority>();
  const columns = columnsFor(users, setEdited);
  const isEmpty = authorities.data?.length === 0;
  const actions = mayPlan.value && (
    <button type="button" class="btn p" data-key="n" onClick={() => setNew(true)}>
      <Icon name="add" />
      New authority <kbd aria-hidden="true">N</kbd>
    </button>
  );
  return (
    <Page
      title="Authorities"
      facts={[
        authorities.data && !isEmpty && count(authorities.data.length, "authority", "authorities"),
        "for certificates that clients show",
      ]}
      actions={!isEmpty && actions}
    >
      <Added added={newIn("/certificate_authorities")} />
      <List
        title="Authorities"
        filter="Name, subject or id"
        query={authorities}
        columns={columns}
        keyOf={({ id }) => id}
        textsOf={(authority) => [nameOf(authority), authority.id, authority.subject_common_name ?? ""]}
        empty={
          <Empty title="No authorities yet" actions={actions}>
            An edge can require that clients show a certificate of an authority. Until there is one, no edge
            can.
          </Empty>
        }
      />
      {isNew && <NewObject kinds={["authority"]} close={() => setNew(false)} />}
      {edited && (
        <EditObject
          path={`/certificate_authorities/${edited.id}`}
          title={nameOf(edited)}
          close={() => setEdited(undefined)}
        />
      )}
    </Page>
  );
}

function columnsFor(
  users: ReturnType<typeof useUsers>,
  edit: (authority: Authority) => void,
): Column<Authority>[] {
  return [
    {
      name: "Name",
      width: "minmax(0, 1.2fr)",
      class: "name cut",
      cell: (authority) => <bdi>{nameOf(authority)}</bdi>,
    },
    {
      name: "Subject",
      width: "minmax(0, 1fr)",
      class: "wide cut t2",
      cell: ({ subject_common_name }) => <bdi>{subject_common_name}</bdi>,
    },
    {
      name: "Used by",
      width: "minmax(0, 1fr)",
      class: "cut line2",
      cell: ({ id }) => <Users users={users} of={id} />,
    },
    {
      name: "Ends",
      width: "110px",
      class: "t2 cut wide",
      cell: ({ not_after }) => <Time at={not_after} />,
    },
    {
      name: "State",
      width: "132px",
      class: "st",
      cell: ({ id, not_after }) => {
        const path = `/certificate_authorities/${id}`;
        if (deletionOf(path)) return <Deletion path={path} />;
        const left = Date.parse(not_after) - now();
        if (left < 0) return <State tone="bad">Expired</State>;
        return left < MONTH ? <State tone="warn">Ends soon</State> : <State tone="good">Valid</State>;
      },
    },
    {
      name: "More",
      isHidden: true,
      width: "32px",
      class: "end fig",
      cell: (authority) => (
        <ObjectMenu
          id={authority.id}
          path={`/certificate_authorities/${authority.id}`}
          title={nameOf(authority)}
          isSmall
          more={mayPlan.value ? [{ text: "Edit", run: () => edit(authority) }] : []}
        />
      ),
    },
  ];
}
