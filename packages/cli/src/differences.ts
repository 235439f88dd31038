import { equal, type Json, type JsonObject } from "./json.ts";
import { type Kind, kinds } from "./kinds.ts";
import type { Child, Content, Entry } from "./objects.ts";
import { childSchemaOf, membersOf, schemaOf } from "./schema.ts";
import { deletedPolicies, type Found, type FoundChild, foundOf, type Shown } from "./world.ts";

/*
 * The differences between a file and the service: what has to change on the service.
 */

export interface MemberChange {
  member: string;
  /** Undefined if it is not set. */
  from: Json | undefined;
  to: Json | undefined;
}

export type ChildStep =
  | { does: "create"; child: Child }
  | { does: "change"; child: Child; found: FoundChild; members: MemberChange[] }
  | { does: "delete"; found: FoundChild };

interface Create {
  does: "create";
  entry: Entry;
  /** The object it replaces, because the fields that differ are immutable. */
  replaces?: Found;
}

export interface Change {
  does: "change";
  entry: Entry;
  found: Found;
  members: MemberChange[];
  children: ChildStep[];
}

export interface InUse {
  found: Found;
  /** The objects that use it, in words. */
  by: string[];
}

interface Delete {
  does: "delete";
  found: Found;
}

export interface Differences {
  creates: Create[];
  changes: Change[];
  deletes: Delete[];
  /** Objects that are the same in the file and on the service. */
  kept: Found[];
  /** Objects that exist on the service but not in the file, and are kept. */
  extra: Found[];
  /** Objects that would be deleted if no other objects used them. */
  inUse: InUse[];
}

export interface CompareOptions {
  /** Whether to delete objects that are not in the file. */
  prune: boolean;
  /** Whether to send every secret again. */
  resendSecrets: boolean;
}

/** True if there are no differences. */
export const isEmpty = ({ creates, changes, deletes }: Differences): boolean =>
  creates.length + changes.length + deletes.length === 0;

/** The kinds of which objects must be read to compare them with a file. */
export function kindsToRead(held: readonly Kind[]): Kind[] {
  const hasEdges = held.some(({ section }) => section.endsWith("_edges"));
  return kinds.filter((kind) => held.includes(kind) || (hasEdges && kind.section === "ip_policies"));
}

/**
 * Compares a file with the service.
 *
 * @param shown the service's objects of the kinds that `kindsToRead` names
 * @param ids of the file's names
 */
export function compareObjects(
  { entries, held }: Content,
  shown: readonly Shown[],
  ids: ReadonlyMap<string, string>,
  { prune, resendSecrets }: CompareOptions,
): Differences {
  const byId = new Map(shown.map((object) => [object.id, object]));
  const matches = new Map<string, Shown>();
  for (const { name, kind } of entries) {
    const match = byId.get(ids.get(name) ?? "");
    if (match?.kind === kind) matches.set(name, match);
  }
  const names = new Map([...matches].map(([name, { id }]) => [id, name]));
  const knownNames = new Map([...ids].map(([name, id]) => [id, name]));
  const naming = {
    nameOf: (id: string) => names.get(id),
    variableOf: () => "",
    isDeleted: deletedPolicies(shown, kindsToRead(held)),
    leftOut: () => {},
  };
  const differences: Differences = { creates: [], changes: [], deletes: [], kept: [], extra: [], inUse: [] };
  const replaced = new Map<string, Found>();
  for (const entry of entries) {
    const match = matches.get(entry.name);
    if (!match || entry.kind.fixed.length === 0) continue;
    const found = foundOf(match, entry.name, naming);
    if (entry.kind.fixed.every((member) => equal(found.own[member], entry.own[member]))) continue;
    replaced.set(entry.name, found);
    // Objects that refer to it will refer to the new one.
    names.delete(match.id);
  }
  for (const entry of entries) {
    const match = matches.get(entry.name);
    const replaces = replaced.get(entry.name);
    if (!match || replaces) {
      differences.creates.push({ does: "create", entry, ...(replaces && { replaces }) });
      if (replaces) differences.deletes.push({ does: "delete", found: replaces });
      continue;
    }
    const found = foundOf(match, entry.name, naming);
    const change = changeOf(entry, found, resendSecrets);
    if (change.members.length + change.children.length > 0) differences.changes.push(change);
    else differences.kept.push(found);
  }
  const matched = new Set([...matches.values()].map(({ id }) => id));
  for (const object of shown) {
    if (matched.has(object.id) || !held.includes(object.kind)) continue;
    const found = foundOf(object, knownNames.get(object.id) ?? object.id, naming);
    if (prune) differences.deletes.push({ does: "delete", found });
    else differences.extra.push(found);
  }
  return differences;
}

function changeOf(entry: Entry, found: Found, resend: boolean): Change {
  const { kind } = entry;
  const members = changedMembers(schemaOf(kind), found.own, entry, resend);
  const before = new Map(found.children.map((child) => [child.key, child]));
  const after = new Set(entry.children.map(({ key }) => key));
  const gone = [...found.children.filter(({ key }) => !after.has(key)), ...found.surplus];
  const children: ChildStep[] = gone.map((found) => ({ does: "delete", found }));
  for (const child of entry.children) {
    const match = before.get(child.key);
    if (!match) {
      children.push({ does: "create", child });
      continue;
    }
    if (!kind.children) continue;
    const members = changedMembers(childSchemaOf(kind.children), match.own, child, resend);
    if (members.length > 0) children.push({ does: "change", child, found: match, members });
  }
  return { does: "change", entry, found, members, children };
}

/** Fields that differ, and those with secrets if these should be sent again. */
function changedMembers(
  schema: ReturnType<typeof schemaOf>,
  before: JsonObject,
  { own, secrets }: Pick<Entry, "own" | "secrets">,
  resend: boolean,
): MemberChange[] {
  const resent = new Set(resend ? [...secrets.keys()].map((place) => place.split("/")[1]) : []);
  return membersOf(schema)
    .map((member) => ({ member, from: before[member], to: own[member] }))
    .filter(({ member, from, to }) => !equal(from, to) || resent.has(member));
}
