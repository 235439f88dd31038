import { equal, type Json, type JsonObject } from "./json.ts";
import { type FileKind, kinds } from "./kinds.ts";
import type { Child, Content, Entry } from "./objects.ts";
import { childSchemaOf, fieldsOf, schemaOf } from "./schema.ts";
import {
  deletedPolicyTest,
  type ServiceChild,
  type ServiceEntry,
  type ServiceObject,
  toServiceEntry,
} from "./service_objects.ts";

/*
 * The differences between a file and the service: what has to change on the service.
 */

export interface FieldChange {
  field: string;
  /** Undefined if the field is not set. */
  from: Json | undefined;
  to: Json | undefined;
}

export type ChildStep =
  | { does: "create"; child: Child }
  | { does: "change"; child: Child; existing: ServiceChild; fields: FieldChange[] }
  | { does: "delete"; existing: ServiceChild };

interface Create {
  does: "create";
  entry: Entry;
  /** The object it replaces, because the fields that differ are immutable. */
  replaces?: ServiceEntry;
}

export interface ObjectChange {
  does: "change";
  entry: Entry;
  existing: ServiceEntry;
  fields: FieldChange[];
  children: ChildStep[];
}

export interface InUse {
  existing: ServiceEntry;
  /** Titles of the objects that use it. */
  by: string[];
}

interface Delete {
  does: "delete";
  existing: ServiceEntry;
}

export interface Differences {
  creates: Create[];
  changes: ObjectChange[];
  deletes: Delete[];
  /** Objects that are the same in the file and on the service. */
  kept: ServiceEntry[];
  /** Objects that exist on the service but not in the file, and are kept. */
  extra: ServiceEntry[];
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

/** The kinds whose objects must be read for a comparison with a file. */
export function kindsToRead(heldKinds: readonly FileKind[]): FileKind[] {
  const hasEdges = heldKinds.some(({ section }) => section.endsWith("_edges"));
  return kinds.filter((kind) => heldKinds.includes(kind) || (hasEdges && kind.section === "ip_policies"));
}

/**
 * Compares a file with the service.
 *
 * @param objects the service's objects of the kinds that `kindsToRead` returns
 * @param ids the ids of the file's names
 */
export function compareObjects(
  { entries, heldKinds }: Content,
  objects: readonly ServiceObject[],
  ids: ReadonlyMap<string, string>,
  { prune, resendSecrets }: CompareOptions,
): Differences {
  const byId = new Map(objects.map((object) => [object.id, object]));
  const matches = new Map<string, ServiceObject>();
  for (const { name, kind } of entries) {
    const match = byId.get(ids.get(name) ?? "");
    if (match?.kind === kind) matches.set(name, match);
  }
  const names = new Map([...matches].map(([name, { id }]) => [id, name]));
  const knownNames = new Map([...ids].map(([name, id]) => [id, name]));
  const naming = {
    nameOf: (id: string) => names.get(id),
    isDeleted: deletedPolicyTest(objects, kindsToRead(heldKinds)),
  };
  const differences: Differences = { creates: [], changes: [], deletes: [], kept: [], extra: [], inUse: [] };
  const replaced = new Map<string, ServiceEntry>();
  for (const entry of entries) {
    const match = matches.get(entry.name);
    if (!match || entry.kind.fixed.length === 0) continue;
    const existing = toServiceEntry(match, entry.name, naming);
    if (entry.kind.fixed.every((field) => equal(existing.own[field], entry.own[field]))) continue;
    replaced.set(entry.name, existing);
    // References to the old object will become references to the new one.
    names.delete(match.id);
  }
  for (const entry of entries) {
    const match = matches.get(entry.name);
    const replaces = replaced.get(entry.name);
    if (!match || replaces) {
      differences.creates.push({ does: "create", entry: described(entry), ...(replaces && { replaces }) });
      if (replaces) differences.deletes.push({ does: "delete", existing: replaces });
      continue;
    }
    const existing = toServiceEntry(match, entry.name, naming);
    const change = changeOf(entry, existing, resendSecrets);
    if (change.fields.length + change.children.length > 0) differences.changes.push(change);
    else differences.kept.push(existing);
  }
  const matched = new Set([...matches.values()].map(({ id }) => id));
  for (const object of objects) {
    if (matched.has(object.id) || !heldKinds.includes(object.kind)) continue;
    const existing = toServiceEntry(object, knownNames.get(object.id) ?? object.id, naming);
    if (prune) differences.deletes.push({ does: "delete", existing });
    else differences.extra.push(existing);
  }
  return differences;
}

function changeOf(given: Entry, existing: ServiceEntry, resend: boolean): ObjectChange {
  const { kind } = given;
  // An object that nobody has described stays so.
  const entry = existing.own["description"] === undefined ? given : described(given);
  const fields = changedFields(schemaOf(kind), existing.own, entry, resend);
  const before = new Map(existing.children.map((child) => [child.key, child]));
  const after = new Set(entry.children.map(({ key }) => key));
  const removed = [...existing.children.filter(({ key }) => !after.has(key)), ...existing.surplus];
  const children: ChildStep[] = removed.map((existing) => ({ does: "delete", existing }));
  for (const child of entry.children) {
    const match = before.get(child.key);
    if (!match) {
      children.push({ does: "create", child });
      continue;
    }
    if (!kind.children) continue;
    const fields = changedFields(childSchemaOf(kind.children), match.own, child, resend);
    if (fields.length > 0) children.push({ does: "change", child, existing: match, fields });
  }
  return { does: "change", entry, existing, fields, children };
}

/** An object of a file, described by its name if the file has no description: the console, plans and events could only show its id. */
const described = (entry: Entry): Entry =>
  fieldsOf(schemaOf(entry.kind)).includes("description")
    ? { ...entry, own: { description: entry.name, ...entry.own } }
    : entry;

/** The fields that differ. With `resend`, also the fields that contain secrets. */
function changedFields(
  schema: ReturnType<typeof schemaOf>,
  before: JsonObject,
  { own, secrets }: Pick<Entry, "own" | "secrets">,
  resend: boolean,
): FieldChange[] {
  const resent = new Set(resend ? [...secrets.keys()].map((place) => place.split("/")[1]) : []);
  return fieldsOf(schema)
    .map((field) => ({ field, from: before[field], to: own[field] }))
    .filter(({ field, from, to }) => !equal(from, to) || resent.has(field));
}
