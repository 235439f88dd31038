import { type Fields, isFields } from "../api/client.ts";
import { kept } from "../base/kept.ts";

/** The text of a traffic policy that somebody has begun to edit, by the path of its object; undefined if there is none. */
export const draftOf = (path: string): unknown => drafts.value[path];

/** Keeps a text that somebody edits, or forgets it. It outlasts a look at another page. */
export function setDraft(path: string, text: string | undefined): void {
  drafts.value = { ...drafts.value, [path]: text };
}

const drafts = kept<Fields>("traffic policies", {}, isFields);
