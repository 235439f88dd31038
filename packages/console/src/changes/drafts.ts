import { type Fields, isFields } from "../api/client.ts";
import { kept } from "../base/kept.ts";

/** The unfinished text of a traffic policy, by the path of its object; undefined if there is none. */
export const draftOf = (path: string): unknown => drafts.value[path];

/** Stores an unfinished text, or with undefined deletes it. It survives a visit to another page, and a reload. */
export function setDraft(path: string, text: string | undefined): void {
  drafts.value = { ...drafts.value, [path]: text };
}

const drafts = kept<Fields>("traffic policies", {}, isFields);
