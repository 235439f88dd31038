import { type Fields, readObject, type TaggedObject } from "../api/client.ts";
import { failureOf } from "../api/errors.ts";
import { readRules, type TaggedRules } from "../api/rules.ts";
import type { RuleInput } from "../base/networks.ts";
import { isEqual, ruleInput, ruleKey } from "./diff.ts";
import { labelOf } from "./labels.ts";
import { conflicts, mergeRules, remaining, ruleConflicts } from "./merge.ts";
import { discard, keep, pending, type PendingChange, tell } from "./pending.ts";
import { requestOf } from "./request.ts";

/*
 * Merges the pending changes with changes that somebody else applied.
 */

/** A pending change that conflicts with somebody else's change. */
export interface Conflict {
  key: string;
  title: string;
  /** What both sides changed differently: an object's fields, a policy's rules, or whether an object is deleted. */
  fields: string[];
  /** The values of the fields: before, theirs and mine. */
  base: Fields;
  theirs: Fields;
  mine: Fields;
  /** Merges the change. @param left the fields that keep somebody else's value */
  merge: (left: string[]) => void;
}

type Merging = Omit<Conflict, "key" | "title">;

/**
 * Merges the changes without conflicts, and drops changes to deleted objects.
 *
 * @returns the conflicts, which need a choice
 * @throws RequestFailure
 */
export async function mergeAll(): Promise<Conflict[]> {
  const found: Conflict[] = [];
  await Promise.all(
    Object.entries(pending.value).map(async ([key, change]) => {
      const { title } = change;
      try {
        const merging = await read(key, change);
        if (!merging) return;
        if (merging.fields.length > 0) found.push({ key, title, ...merging });
        else merging.merge([]);
        if (pending.value[key] === undefined) tell(`${title} already has your changes.`);
      } catch (error) {
        if (failureOf(error).status !== 404) throw error;
        discard(key);
        tell(`${title} was deleted in the meantime, so your changes to it are left out.`);
      }
    }),
  );
  return found;
}

/** Reads the object of a change. @throws RequestFailure 404 if the object was deleted */
async function read(key: string, change: PendingChange): Promise<Merging | undefined> {
  const { type, path } = change;
  if (type === "rules") return ofRules(key, change, await readRules(path.split("/")[2] ?? ""));
  if (type === "update") return ofFields(key, change, await readObject(path));
  if (type === "delete") return ofDeletion(key, change, await readObject(path));
  // A new route needs an existing edge, unless the edge is new, too.
  const [, edge] = /^(\/edges\/https\/[^$/]+)\/routes$/.exec(path) ?? [];
  if (edge !== undefined) await readObject(edge);
  return undefined;
}

function ofRules(
  key: string,
  change: PendingChange & { type: "rules" },
  { etag, rules }: TaggedRules & { etag: string },
): Merging {
  const { base, rules: mine } = change;
  const theirs = rules.map(ruleInput);
  return {
    fields: ruleConflicts(base, theirs, mine),
    base: byKey(base),
    theirs: byKey(theirs),
    mine: byKey(mine),
    merge: (left) =>
      keep(key, { ...change, etag, base: theirs, rules: mergeRules(base, theirs, mine, left) }),
  };
}

const byKey = (rules: RuleInput[]): Fields => Object.fromEntries(rules.map((rule) => [ruleKey(rule), rule]));

function ofFields(
  key: string,
  change: PendingChange & { type: "update" },
  { object, etag }: TaggedObject,
): Merging {
  const { base, body: mine } = change;
  return {
    fields: conflicts(base, object, mine),
    base: requestOf(base),
    theirs: requestOf(object),
    mine,
    merge: (left) => {
      const kept = Object.entries(remaining(object, mine)).filter(([name]) => !left.includes(name));
      keep(key, { ...change, etag, base: object, body: Object.fromEntries(kept) });
    },
  };
}

/** The field name for the choice about a deletion. */
export const DELETION = "deletion";

function ofDeletion(
  key: string,
  change: PendingChange & { type: "delete" },
  { object, etag }: TaggedObject,
): Merging | undefined {
  if (etag === change.etag) return undefined;
  const before: Fields = change.base ?? object;
  const names = Object.keys(object)
    .filter((name) => !isEqual(before[name], object[name]))
    .map((name) => labelOf(key, name));
  return {
    fields: [DELETION],
    base: {},
    theirs: { [DELETION]: `keep it as it is now (changed: ${names.join(", ") || "its parts"})` },
    mine: { [DELETION]: "delete it anyway" },
    merge: ([left]) => (left === undefined ? keep(key, { ...change, etag, base: object }) : discard(key)),
  };
}
