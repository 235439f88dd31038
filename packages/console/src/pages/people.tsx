import "./common.ts";
import { useState } from "preact/hooks";
import { queryClient } from "../api/cache.ts";
import { api, bodyOf, done, type Schemas } from "../api/client.ts";
import { usePeople } from "../api/operation_queries.ts";
import { count } from "../facts/amounts.ts";
import { Action } from "../widgets/action.tsx";
import { FormDialog } from "../widgets/dialog.tsx";
import { Choice } from "../widgets/inputs.tsx";
import { List } from "../widgets/list.tsx";
import { Empty, Page } from "../widgets/page.tsx";
import { State } from "../widgets/state.tsx";
import type { Column } from "../widgets/table.tsx";
import { Time } from "../widgets/text.tsx";

type User = Schemas["User"];

const titleOf = ({ email, name, subject }: User): string => email ?? name ?? subject;

const roles = ["viewer", "planner", "editor", "admin"] as const;

/** The people who have signed in: what each may do, and whether they still may. */
export function People() {
  const people = usePeople();
  const [changed, setChanged] = useState<User>();
  const columns: Column<User>[] = [
    {
      name: "Person",
      width: "minmax(0, 1.4fr)",
      class: "name cut",
      cell: (user) => (
        <span class="line">
          <span class="av" aria-hidden="true">
            {titleOf(user).slice(0, 2)}
          </span>
          <bdi class="cut">{titleOf(user)}</bdi>
        </span>
      ),
    },
    {
      name: "Role",
      width: "minmax(0, 1fr)",
      class: "line2 cut t2",
      cell: ({ role, provider_role: given }) =>
        role === undefined ? `${given ?? "none"}, from the provider` : `${role}, set by an admin`,
    },
    {
      name: "Last signed in",
      width: "130px",
      class: "wide t2 cut",
      cell: ({ last_seen_at }) => <Time at={last_seen_at} />,
    },
    {
      name: "State",
      width: "92px",
      class: "st",
      cell: ({ active }) => (
        <State tone={active ? "good" : "none"} {...(!active && { sign: "off" })}>
          {active ? "Active" : "Off"}
        </State>
      ),
    },
    {
      name: "Actions",
      width: "250px",
      isHidden: true,
      class: "end fig do",
      cell: (user) => <Actions user={user} change={() => setChanged(user)} />,
    },
  ];
  return (
    <Page
      title="People"
      facts={[
        people.data && people.data.length > 0 && count(people.data.length, "person", "people"),
        "everybody who has signed in with the identity provider",
      ]}
    >
      <List
        title="People"
        filter="Name, email address or role"
        query={people}
        columns={columns}
        keyOf={({ id }) => id}
        textsOf={(user) => [titleOf(user), user.name ?? "", user.id, user.role ?? user.provider_role ?? ""]}
        empty={
          <Empty title="Nobody has signed in yet">
            People appear here once they have signed in with the identity provider.
          </Empty>
        }
      />
      {changed && <RoleForm user={changed} close={() => setChanged(undefined)} />}
    </Page>
  );
}

function Actions({ user, change }: { user: User; change: () => void }) {
  const { id, active } = user;
  const title = titleOf(user);
  const params = { path: { id } };
  return (
    <>
      <button type="button" class="btn q s" onClick={change}>
        Role<span class="hidden"> of {title}</span>
      </button>
      <Action
        label="Sign out"
        of={title}
        title={`Sign out ${title}?`}
        effect="Every browser of this person is signed out. Personal keys keep working."
        affects="people"
        run={() => done(api.DELETE("/users/{id}/sessions", { params }))}
      />
      <Action
        label={active ? "Switch off" : "Switch on"}
        of={title}
        title={`Switch ${active ? "off" : "on"} ${title}?`}
        effect={
          active ? "All sessions and personal keys of this person end." : "This person may sign in again."
        }
        affects="people"
        isDangerous={active}
        run={() => bodyOf(api.PATCH("/users/{id}", { params, body: { active: !active } }))}
      />
    </>
  );
}

/** Sets the role of a person, in place of the one that the provider gives. */
function RoleForm({ user, close }: { user: User; close: () => void }) {
  const [role, setRole] = useState<Schemas["UserUpdate"]["role"] & string>(user.role ?? "");
  const submit = async (): Promise<void> => {
    const params = { path: { id: user.id } };
    await bodyOf(api.PATCH("/users/{id}", { params, body: { role } }));
    close();
    await queryClient.invalidateQueries({ queryKey: ["people"] });
  };
  return (
    <FormDialog title={`Role of ${titleOf(user)}`} verb="Set the role" close={close} submit={submit}>
      <Choice
        label="Role"
        name="role"
        hint="It works immediately, also in open browsers."
        value={role}
        options={[
          { value: "", text: `as the provider says (${user.provider_role ?? "none"})` },
          ...roles.map((value) => ({ value, text: value })),
        ]}
        set={(value) => setRole(roles.find((one) => one === value) ?? "")}
      />
    </FormDialog>
  );
}
