import type { BackendObject } from "../api/lists.ts";
import { childrenOf, describeBackend } from "../facts/backends.ts";
import { Chip } from "./page.tsx";
import { Ref } from "./text.tsx";

/** A backend with its children. */
export function Branch(props: {
  backend: BackendObject;
  all: BackendObject[];
  depth: number;
  note?: string;
}) {
  const { backend, all, depth } = props;
  const children = childrenOf(backend);
  return (
    <li>
      <Ref id={backend.id} /> <span class="t3 sm">{describeBackend(backend)}</span>{" "}
      {props.note !== undefined && <Chip>{props.note}</Chip>}
      {children.length > 0 && depth < 8 && (
        <ul class="tree">
          {children.map(({ id, note }) => {
            const child = all.find((one) => one.id === id);
            return child ? (
              <Branch key={id} backend={child} all={all} depth={depth + 1} note={note} />
            ) : (
              <li key={id} class="t3">
                <code>{id}</code> does not exist
              </li>
            );
          })}
        </ul>
      )}
    </li>
  );
}
