import { toRequest } from "./conversion.ts";
import type { ObjectChange, Differences, FieldChange } from "./differences.ts";
import { isJsonObject, type Json, type JsonObject, type Path, pointer, textOf } from "./json.ts";
import { type FileKind, kinds } from "./kinds.ts";
import { type Entry, type ObjectPart, titleOfEntry } from "./objects.ts";
import { childSchemaOf, cleared, isModule, schemaOf } from "./schema.ts";
import type { ServiceEntry } from "./service_objects.ts";
import type { FileProblem } from "./source.ts";

/*
 * Turns differences into operations of transactions, in an order in which the service accepts them.
 */

type Method = "POST" | "PUT" | "PATCH" | "DELETE";

/** Returns the id of a name in the file, or its `$name` in a transaction. Returns an id unchanged. */
type IdOf = (name: string) => string;

export interface FileOperation {
  method: Method;
  path: (idOf: IdOf) => string;
  body?: (idOf: IdOf) => JsonObject;
  /** The name of the object that it creates. */
  creates?: string;
  /** The existing object that it changes or deletes. Its result contains the object's ETag. */
  owner?: ServiceEntry;
  /** True to send `If-Match`, so it fails if `owner` has changed since it was read. */
  isGuarded?: boolean;
  /** Its description: "create static_backends.shop". */
  about: string;
  /** Its place in the file. */
  at: Path;
  /** The places of the rules in the operation's body. */
  rulePaths?: Path[];
}

/** Operations that belong together: on an object, its modules and its children. */
export interface Unit {
  operations: FileOperation[];
  /** The object that they change; undefined for a new object. */
  existing?: ServiceEntry;
  /** The operations that change the rules of a policy. A single operation that replaces all rules can take their place. */
  rules?: { entry: Entry; existing?: ServiceEntry; operations: FileOperation[] };
}

/** A secret that has to be sent, but whose variable is not set. */
interface MissingSecret extends FileProblem {
  variable: string;
}

/** The operations that remove the differences, with secrets from the environment. */
export function operationsOf(differences: Differences): { units: Unit[]; missing: MissingSecret[] } {
  const missing: MissingSecret[] = [];
  const write = writer(missing);
  const created = differences.creates.map(({ entry }) => entry.name);
  const later: Unit[] = [];
  const creates = differences.creates.map(({ entry }, index) => {
    const notYet = new Set(created.slice(index));
    const { unit, rest } = createUnit(entry, write, notYet);
    if (rest) later.push({ operations: [rest] });
    return unit;
  });
  const changes = differences.changes.map((change) => changeUnit(change, write));
  const deletes = deletionOrder(differences.deletes.map(({ existing }) => existing)).map(deleteUnit);
  const all = [...creates, ...later, ...breakCycles(differences), ...changes, ...deletes];
  return { units: all.filter(({ operations }) => operations.length > 0), missing };
}

/** Makes the body of a request from some or all fields of an object or child. */
type Write = (
  schema: ReturnType<typeof schemaOf>,
  part: ObjectPart,
  fields?: readonly string[],
) => (idOf: IdOf) => JsonObject;

function writer(missing: MissingSecret[]): Write {
  return (schema, { own, secrets }, fields = Object.keys(own)) => {
    const sent = Object.fromEntries(
      fields
        .filter((name) => !isModule(schema, name) || Object.hasOwn(own, name))
        .map((name) => [name, own[name]]),
    );
    for (const [place, { path, variable }] of secrets) {
      const isSent = Object.hasOwn(sent, place.split("/")[1] ?? "");
      if (isSent && !process.env[variable])
        missing.push({ path, variable, msg: `The environment variable ${variable} is not set.` });
    }
    const secretAt = (within: Path): string =>
      process.env[secrets.get(pointer(within))?.variable ?? ""] ?? "";
    return (idOf) =>
      Object.fromEntries(
        Object.entries(sent).map(([name, value]): [string, Json] => {
          if (value === undefined) return [name, cleared(schema, name)];
          const body = toRequest(schema, { [name]: value }, idOf, secretAt);
          return [name, isJsonObject(body) ? (body[name] ?? null) : null];
        }),
      );
  };
}

/**
 * Creates an object and its children. A failover backend that refers to a backend that does not exist yet is created without
 * its children, which `rest` sets later. So objects can be created in the order of the file.
 */
function createUnit(
  entry: Entry,
  write: Write,
  notYet: ReadonlySet<string>,
): { unit: Unit; rest: FileOperation | undefined } {
  const { kind, name, path: at } = entry;
  const about = `create ${titleOfEntry(entry)}`;
  const schema = schemaOf(kind);
  const { backends } = entry.own;
  const isEarly = Array.isArray(backends) && backends.some((child) => notYet.has(textOf(child)));
  const fields = Object.keys(entry.own).filter((field) => !(isEarly && field === "backends"));
  const create: FileOperation = {
    method: "POST",
    path: () => kind.path,
    body: write(schema, entry, fields),
    creates: name,
    about,
    at,
  };
  const children = entry.children.map((child) => childCreation(kind, name, entry, child, write));
  const isPolicy = kind.children?.field === "rules" && children.length > 0;
  const rest: FileOperation | undefined = isEarly
    ? {
        method: "PATCH",
        path: (idOf) => `${kind.path}/${idOf(name)}`,
        body: write(schema, entry, ["backends"]),
        about,
        at,
      }
    : undefined;
  const operations = [create, ...children];
  return { unit: { operations, ...(isPolicy && { rules: { entry, operations: children } }) }, rest };
}

function childCreation(
  kind: FileKind,
  owner: string,
  entry: Entry,
  child: ObjectPart & { key: string },
  write: Write,
): FileOperation {
  const { children } = kind;
  if (!children) throw new Error(`${kind.section} have no children`);
  const body = write(childSchemaOf(children), child);
  return {
    method: "POST",
    path: (idOf) => children.collection(idOf(owner)),
    body: (idOf) => ({
      ...(children.owner !== undefined && { [children.owner]: idOf(owner) }),
      ...body(idOf),
    }),
    about: `create the ${children.noun} ${child.key} of ${titleOfEntry(entry)}`,
    at: child.path,
  };
}

/** Changes an object or child. DELETEs of modules come first, because a removed module may be incompatible with a new one. */
function partChange(
  schema: ReturnType<typeof schemaOf>,
  part: ObjectPart,
  path: string,
  fields: readonly FieldChange[],
  about: string,
  write: Write,
): FileOperation[] {
  const isRemoved = ({ field, to }: FieldChange): boolean => to === undefined && isModule(schema, field);
  const removed = fields.filter(isRemoved).map(({ field }): FileOperation => ({
    method: "DELETE",
    path: () => `${path}/${field}`,
    about,
    at: part.path,
  }));
  const set = fields.filter((change) => !isRemoved(change)).map(({ field }) => field);
  if (set.length === 0) return removed;
  return [
    ...removed,
    { method: "PATCH", path: () => path, body: write(schema, part, set), about, at: part.path },
  ];
}

function changeUnit(change: ObjectChange, write: Write): Unit {
  const { entry, existing, fields } = change;
  const { kind, path: at } = entry;
  const about = `change ${titleOfEntry(entry)}`;
  const path = `${kind.path}/${existing.id}`;
  const own = partChange(schemaOf(kind), entry, path, fields, about, write).map((operation) => ({
    ...operation,
    owner: existing,
  }));
  const children = change.children.flatMap((step): FileOperation[] => {
    if (!kind.children) return [];
    const { noun } = kind.children;
    if (step.does === "create") return [childCreation(kind, existing.id, entry, step.child, write)];
    const childPath = kind.children.path(existing.id, step.existing.id);
    const childAbout = `${step.does} the ${noun} ${step.existing.key} of ${titleOfEntry(entry)}`;
    if (step.does === "delete") return [{ method: "DELETE", path: () => childPath, about: childAbout, at }];
    const schema = childSchemaOf(kind.children);
    return partChange(schema, step.child, childPath, step.fields, childAbout, write);
  });
  // Every change of a child changes the version of its owner, so a guard on the owner covers them all.
  const first = own.length === 0 && children.length > 0 ? [guardOf(existing, about, at)] : own;
  const operations = [...first, ...children].map((operation, index) => ({
    ...operation,
    ...(index === 0 && { isGuarded: true }),
  }));
  const isPolicy = kind.children?.field === "rules" && children.length > 0;
  return {
    existing,
    operations,
    ...(isPolicy && { rules: { entry, existing, operations: operations.slice(first.length) } }),
  };
}

/** An operation that changes nothing, sent for its precondition and for the ETag in its result. */
export const guardOf = (existing: ServiceEntry, about: string, at: Path): FileOperation => ({
  method: "PATCH",
  path: () => `${existing.kind.path}/${existing.id}`,
  body: () => ({}),
  owner: existing,
  about,
  at,
});

/** The operation that replaces all rules of a policy. */
export const replacementOf = ({ entry, existing }: NonNullable<Unit["rules"]>): FileOperation => ({
  method: "PUT",
  path: (idOf) => `/ip_policies/${existing?.id ?? idOf(entry.name)}/rules`,
  body: () => ({ rules: entry.children.map(({ own }) => own) }),
  ...(existing && { owner: existing, isGuarded: true }),
  about: `replace the rules of ${entry.name}`,
  at: entry.path,
  rulePaths: entry.children.map(({ path }) => path),
});

const deleteUnit = (existing: ServiceEntry): Unit => ({
  existing,
  operations: [
    {
      method: "DELETE",
      path: () => `${existing.kind.path}/${existing.id}`,
      owner: existing,
      isGuarded: true,
      about: `delete ${titleOfEntry(existing)}`,
      at: [],
    },
  ],
});

/** Orders objects for deletion: an object comes before the objects that it refers to. */
function deletionOrder(objects: ServiceEntry[]): ServiceEntry[] {
  return kinds.toReversed().flatMap((kind) => {
    const own = objects.filter((object) => object.kind === kind);
    return kind.stem === "failover_backend" ? parentsFirst(own) : own;
  });
}

/** The children of a failover backend, as names or ids. */
const childrenIn = (own: JsonObject): string[] =>
  Array.isArray(own["backends"]) ? own["backends"].map(textOf) : [];

function parentsFirst(backends: ServiceEntry[]): ServiceEntry[] {
  const byName = new Map(
    backends.flatMap((backend) => [
      [backend.name, backend],
      [backend.id, backend],
    ]),
  );
  const ordered = new Set<ServiceEntry>();
  const visit = (backend: ServiceEntry): void => {
    if (ordered.has(backend)) return;
    for (const child of childrenIn(backend.own)) {
      const existing = byName.get(child);
      if (existing) visit(existing);
    }
    ordered.add(backend);
  };
  for (const backend of backends) visit(backend);
  return [...ordered].toReversed();
}

/**
 * Removes children from failover backends that would otherwise contain themselves until other backends are changed, for example
 * when two of them swap places.
 */
function breakCycles({ changes, kept, extra }: Differences): Unit[] {
  const changed = changes.filter(({ fields }) => fields.some(({ field }) => field === "backends"));
  const backends = changed.filter(({ entry }) => entry.kind.stem === "failover_backend");
  if (backends.length === 0) return [];
  const graph = new Map([...kept, ...extra].map(({ name, own }) => [name, new Set(childrenIn(own))]));
  for (const { entry, existing } of backends)
    graph.set(entry.name, new Set([...childrenIn(entry.own), ...childrenIn(existing.own)]));
  return backends
    .filter(({ entry }) => reaches(graph, entry.name, entry.name))
    .map(({ entry, existing }) => {
      const remaining = new Set(childrenIn(entry.own));
      const kept = childrenIn(existing.own).filter((child) => remaining.has(child));
      const guard = guardOf(existing, `change ${titleOfEntry(entry)}`, entry.path);
      const body = (idOf: IdOf): JsonObject => ({ backends: kept.map(idOf) });
      return { existing, operations: [{ ...guard, body, isGuarded: true }] };
    });
}

function reaches(graph: ReadonlyMap<string, ReadonlySet<string>>, from: string, to: string): boolean {
  const seen = new Set<string>();
  const open = [from];
  for (let name = open.pop(); name !== undefined; name = open.pop())
    for (const child of graph.get(name) ?? []) {
      if (child === to) return true;
      if (!seen.has(child)) open.push(child);
      seen.add(child);
    }
  return false;
}
