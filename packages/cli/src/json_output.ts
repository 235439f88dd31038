import type { ChildStep, Differences } from "./differences.ts";
import type { ServiceEntry } from "./service_objects.ts";

/*
 * What `--json` prints of differences. docs/files.md describes it.
 */

const existing = ({ kind, name, id }: ServiceEntry) => ({ section: kind.section, name, id });

const step = (one: ChildStep) =>
  one.does === "create"
    ? { does: one.does, key: one.child.key, fields: one.child.own }
    : one.does === "change"
      ? { does: one.does, key: one.child.key, fields: fieldsOf(one.fields) }
      : { does: one.does, key: one.existing.key };

/** Null stands for a field that is not set. */
const fieldsOf = (fields: { field: string; from: unknown; to: unknown }[]) =>
  fields.map(({ field, from = null, to = null }) => ({ field, from, to }));

/** Differences as JSON. Secrets are replaced. */
export const differencesJson = ({ creates, changes, deletes, extra, inUse }: Differences) => ({
  creates: creates.map(({ entry, replaces }) => ({
    section: entry.kind.section,
    name: entry.name,
    replaces: replaces?.id ?? null,
    fields: entry.own,
    children: entry.children.map(({ key, own }) => ({ key, fields: own })),
  })),
  changes: changes.map(({ entry, existing: { id }, fields, children }) => ({
    section: entry.kind.section,
    name: entry.name,
    id,
    fields: fieldsOf(fields),
    children: children.map(step),
  })),
  deletes: deletes.map((one) => existing(one.existing)),
  in_use: inUse.map((one) => ({ ...existing(one.existing), used_by: one.by })),
  not_in_file: extra.map(existing),
});
