import type { Schemas } from "../api/client.ts";
import { useNames } from "../api/names.ts";
import { count } from "../facts/amounts.ts";
import { Panel, type Queried, Rows } from "./page.tsx";
import { Ref } from "./text.tsx";

/** How many objects refer to one, in a cell of a list. @param props.one what one of them is called; without it, the first is named */
export function Users(props: { users: Queried<Map<string, string[]>>; of: string; one?: string }) {
  const { users, of, one } = props;
  if (!users.data) return <span class="t3">{users.error === null ? "…" : "not known"}</span>;
  const [first, ...others] = users.data.get(of) ?? [];
  if (first === undefined) return <span class="t3">nothing</span>;
  if (one !== undefined) return count(others.length + 1, one);
  return (
    <>
      <Ref id={first} />
      {others.length > 0 && <span class="t3"> +{others.length}</span>}
    </>
  );
}

/** What refers to an object. @param note what that means for the object */
export function UsedBy(props: { users: Queried<Schemas["Ref"][]>; none: string; note?: string }) {
  const { users, none, note } = props;
  const names = useNames();
  return (
    <Panel
      title="Used by"
      {...(users.data && { aside: count(users.data.length, "object") })}
      {...(note !== undefined && users.data && users.data.length > 0 && { footer: note })}
    >
      <Rows query={users} empty={none}>
        {({ id }) => (
          <div class="row base" key={id}>
            <span class="cut grow">
              <Ref id={id} />
            </span>
            <span class="meta cut">{names(id).kind}</span>
          </div>
        )}
      </Rows>
    </Panel>
  );
}
