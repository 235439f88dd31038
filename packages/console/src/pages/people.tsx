import "./common.ts";
import { api, bodyOf, done, type Schemas } from "../api/client.ts";
import { usePeople } from "../api/operation_queries.ts";
import { Action } from "../widgets/action.tsx";
import { List } from "../widgets/list.tsx";
import { Chip, Page } from "../widgets/page.tsx";
import type { Column } from "../widgets/table.tsx";
import { Time } from "../widgets/text.tsx";

type User = Schemas["User"];

const titleOf = ({ email, name, subject }: User): string => email ?? name ?? subject;

const columns: Column<User>[] = [
  { name: "Person", class: "cut b", cell: (user) => <bdi>{titleOf(user)}</bdi> },
  {
    name: "Role",
    cell: ({ role, provider_role }) => (
      <>
        {role ?? provider_role ?? "none"} {role !== undefined && <Chip>set by an admin</Chip>}
      </>
    ),
  },
  { name: "Last signed in", class: "t3", cell: ({ last_seen_at }) => <Time at={last_seen_at} /> },
  {
    name: "State",
    cell: ({ active }) => <Chip tone={active ? "good" : "bad"}>{active ? "active" : "deactivated"}</Chip>,
  },
  {
    name: "Actions",
    isHidden: true,
    class: "end",
    cell: ({ id, active }) => (
      <>
        <Action
          label="Sign out"
          effect="Every browser of this person is signed out. Personal keys keep working."
          affects="people"
          run={() => done(api.DELETE("/users/{id}/sessions", { params: { path: { id } } }))}
        />{" "}
        <Action
          label={active ? "Deactivate" : "Activate"}
          effect={
            active ? "All sessions and personal keys of this person end." : "This person may sign in again."
          }
          affects="people"
          isDangerous={active}
          run={() =>
            bodyOf(api.PATCH("/users/{id}", { params: { path: { id } }, body: { active: !active } }))
          }
        />
      </>
    ),
  },
];

/** The people who have signed in. */
export function People() {
  return (
    <Page title="People">
      <List
        title="People"
        query={usePeople()}
        columns={columns}
        keyOf={({ id }) => id}
        textsOf={(user) => [titleOf(user), user.name ?? "", user.id, user.role ?? user.provider_role ?? ""]}
        empty="Nobody has signed in with the identity provider yet."
      />
    </Page>
  );
}
