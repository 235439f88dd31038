import type { Schemas } from "../api/client.ts";
import { useNames } from "../api/names.ts";
import { count } from "../facts/amounts.ts";
import { Panel, type Queried, Rows } from "./page.tsx";
import { Ref } from "./text.tsx";

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
          <div class="row" key={id}>
            <span class="cut grow">
              <Ref id={id} />
            </span>
            <span class="meta">{names(id).kind}</span>
          </div>
        )}
      </Rows>
    </Panel>
  );
}
