import type { ComponentChild } from "preact";
import { deletionOf, discard, pending } from "../changes/pending.ts";
import { Chip } from "./page.tsx";

/** Says whether an object has changes that are not applied yet, or is marked for deletion, as a fact of its page; false if neither. */
export function pendingMark(path: string, isChanged = pending.value[path] !== undefined): ComponentChild {
  const deletion = deletionOf(path);
  if (!deletion) return isChanged && <Chip tone="acc">changes not applied yet</Chip>;
  return (
    <>
      <Chip tone="warn">will be deleted</Chip>{" "}
      <button type="button" class="btn q s" onClick={() => discard(deletion.path)}>
        Keep<span class="hidden"> {deletion.title}</span>
      </button>
    </>
  );
}
