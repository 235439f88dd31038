import { type Fields, isFields } from "../api/client.ts";
import { isLike, kept } from "../base/kept.ts";

/** An unfinished traffic policy. */
interface Draft {
  value: string;
  isEnabled: boolean;
  /** The object that the draft is based on, and its ETag. */
  object: Fields;
  etag: string;
}

type Drafts = Record<string, Draft | undefined>;

const isDrafts = (value: unknown): value is Drafts =>
  isFields(value) &&
  Object.values(value).every((draft) => isLike(draft, { value: "", isEnabled: true, object: {}, etag: "" }));

const drafts = kept<Drafts>("traffic policies", {}, isDrafts);

/** The unfinished traffic policy of the object with a path; undefined if there is none. */
export const draftOf = (path: string): Draft | undefined => drafts.value[path];

/** Whether there is any unfinished traffic policy. */
export const hasDrafts = (): boolean => Object.values(drafts.value).some(Boolean);

/** Stores an unfinished traffic policy, or with undefined deletes it. It survives a visit to another page, and a reload. */
export function setDraft(path: string, draft: Draft | undefined): void {
  drafts.value = { ...drafts.value, [path]: draft };
}
