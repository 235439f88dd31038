import { toRequest } from "./conversion.ts";
import type { Change, Differences, MemberChange } from "./differences.ts";
import { isJsonObject, type Json, type JsonObject, type Path, pointer, textOf } from "./json.ts";
import { type Kind, kinds } from "./kinds.ts";
import type { Entry, Part } from "./objects.ts";
import { childSchemaOf, cleared, isModule, schemaOf } from "./schema.ts";
import type { Found } from "./world.ts";

/*
 * Turns differences into operations of transactions, in an order in which each is possible.
 */

type Method = "POST" | "PATCH" | "DELETE";

/** The id, or the `$name` in a transaction, that a name of the file stands for; an id stands for itself. */
type IdOf = (name: string) => string;

export interface Operation {
  method: Method;
  path: (idOf: IdOf) => string;
  body?: (idOf: IdOf) => JsonObject;
  /** The name that the id of the created object gets. */
  creates?: string;
  /** The existing object that it changes or deletes, or whose ETag its result has. */
  owner?: Found;
  /** Whether it requires that `owner` has not changed since it was read. */
  isGuarded?: boolean;
  /** What it does, in words: "create static_backends.shop". */
  about: string;
  /** Its place in the file. */
  at: Path;
}

/** Operations that belong together: on one object, its modules and its children. */
export interface Unit {
  operations: Operation[];
  /** The object that they change; undefined for a new one. */
  found?: Found;
  /** A policy whose rules these operations change. One request can replace its rules instead. */
  rules?: { entry: Entry; found?: Found; operations: Operation[] };
}

/** Values of secrets by the names of their variables. */
export type Variables = Record<string, string | undefined>;

/** A secret whose variable is not set. */
export interface MissingSecret {
  path: Path;
  variable: string;
}

/** The operations that remove the differences. @param missing receives the secrets that must be sent but are not set */
export function operationsOf(
  differences: Differences,
  variables: Variables,
  missing: MissingSecret[],
): Unit[] {
  const write = writer(variables, missing);
  const created = differences.creates.map(({ entry }) => entry.name);
  const later: Unit[] = [];
  const creates = differences.creates.map(({ entry }, index) => {
    const notYet = new Set(created.slice(index));
    const { unit, rest } = createUnit(entry, write, notYet);
    if (rest) later.push({ operations: [rest] });
    return unit;
  });
  const changes = differences.changes.map((change) => changeUnit(change, write));
  const deletes = inOrderOfUse(differences.deletes.map(({ found }) => found)).map(deleteUnit);
  return [...creates, ...later, ...loosened(differences), ...changes, ...deletes].filter(
    ({ operations }) => operations.length > 0,
  );
}

/** A part of an object as the body of a request: these fields of it, or all. */
type Write = (
  schema: ReturnType<typeof schemaOf>,
  part: Part,
  members?: readonly string[],
) => (idOf: IdOf) => JsonObject;

function writer(variables: Variables, missing: MissingSecret[]): Write {
  return (schema, { own, secrets }, members = Object.keys(own)) => {
    const sent = Object.fromEntries(
      members
        .filter((name) => !isModule(schema, name) || Object.hasOwn(own, name))
        .map((name) => [name, own[name]]),
    );
    for (const [place, secret] of secrets) {
      const isSent = Object.hasOwn(sent, place.split("/")[1] ?? "");
      if (isSent && !variables[secret.variable]) missing.push(secret);
    }
    const secretAt = (within: Path): string => variables[secrets.get(pointer(within))?.variable ?? ""] ?? "";
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

const label = ({ kind, name }: Entry): string => `${kind.section}.${name}`;

/**
 * A new object with its children. A failover backend that refers to a backend that does not exist yet is created without its
 * children, which `rest` then sets, so objects are created in the order of the file.
 */
function createUnit(
  entry: Entry,
  write: Write,
  notYet: ReadonlySet<string>,
): { unit: Unit; rest: Operation | undefined } {
  const { kind, name, path: at } = entry;
  const about = `create ${label(entry)}`;
  const schema = schemaOf(kind);
  const { backends } = entry.own;
  const isEarly = Array.isArray(backends) && backends.some((child) => notYet.has(textOf(child)));
  const members = Object.keys(entry.own).filter((member) => !(isEarly && member === "backends"));
  const create: Operation = {
    method: "POST",
    path: () => kind.path,
    body: write(schema, entry, members),
    creates: name,
    about,
    at,
  };
  const children = entry.children.map((child) => childCreation(kind, name, entry, child, write));
  const isPolicy = kind.children?.member === "rules" && children.length > 0;
  const rest: Operation | undefined = isEarly
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
  kind: Kind,
  owner: string,
  entry: Entry,
  child: Part & { key: string },
  write: Write,
): Operation {
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
    about: `create the ${children.noun} ${child.key} of ${label(entry)}`,
    at: child.path,
  };
}

/** PATCHes of a part, and DELETEs of its modules. The DELETEs come first: what they remove can exclude what is set. */
function partChange(
  schema: ReturnType<typeof schemaOf>,
  part: Part,
  path: string,
  members: readonly MemberChange[],
  about: string,
  write: Write,
): Operation[] {
  const isRemoved = ({ member, to }: MemberChange): boolean => to === undefined && isModule(schema, member);
  const removed = members.filter(isRemoved).map(({ member }): Operation => ({
    method: "DELETE",
    path: () => `${path}/${member}`,
    about,
    at: part.path,
  }));
  const set = members.filter((change) => !isRemoved(change)).map(({ member }) => member);
  if (set.length === 0) return removed;
  return [
    ...removed,
    { method: "PATCH", path: () => path, body: write(schema, part, set), about, at: part.path },
  ];
}

function changeUnit(change: Change, write: Write): Unit {
  const { entry, found, members } = change;
  const { kind, path: at } = entry;
  const about = `change ${label(entry)}`;
  const path = `${kind.path}/${found.id}`;
  const own = partChange(schemaOf(kind), entry, path, members, about, write).map((operation) => ({
    ...operation,
    owner: found,
  }));
  const children = change.children.flatMap((step): Operation[] => {
    if (!kind.children) return [];
    const { noun } = kind.children;
    if (step.does === "create") return [childCreation(kind, found.id, entry, step.child, write)];
    const childPath = kind.children.path(found.id, step.found.id);
    const childAbout = `${step.does} the ${noun} ${step.found.key} of ${label(entry)}`;
    if (step.does === "delete") return [{ method: "DELETE", path: () => childPath, about: childAbout, at }];
    const schema = childSchemaOf(kind.children);
    return partChange(schema, step.child, childPath, step.members, childAbout, write);
  });
  // Every change of a child changes the version of its owner, so a guard on the owner covers them all.
  const first = own.length === 0 && children.length > 0 ? [guardOf(found, about, at)] : own;
  const operations = [...first, ...children].map((operation, index) => ({
    ...operation,
    ...(index === 0 && { isGuarded: true }),
  }));
  const isPolicy = kind.children?.member === "rules" && children.length > 0;
  return {
    found,
    operations,
    ...(isPolicy && { rules: { entry, found, operations: operations.slice(first.length) } }),
  };
}

/** An operation that changes nothing: it is sent for its precondition, and for the ETag in its result. */
export const guardOf = (found: Found, about: string, at: Path): Operation => ({
  method: "PATCH",
  path: () => `${found.kind.path}/${found.id}`,
  body: () => ({}),
  owner: found,
  about,
  at,
});

const deleteUnit = (found: Found): Unit => ({
  found,
  operations: [
    {
      method: "DELETE",
      path: () => `${found.kind.path}/${found.id}`,
      owner: found,
      isGuarded: true,
      about: `delete ${label(found)}`,
      at: [],
    },
  ],
});

/** Objects in an order in which they can be deleted: an object comes before the objects it refers to. */
function inOrderOfUse(objects: Found[]): Found[] {
  return kinds.toReversed().flatMap((kind) => {
    const own = objects.filter((object) => object.kind === kind);
    return kind.stem === "failover_backend" ? parentsFirst(own) : own;
  });
}

/** Children of a failover backend, as names or ids. */
const childrenIn = (own: JsonObject): string[] =>
  Array.isArray(own["backends"]) ? own["backends"].map(textOf) : [];

function parentsFirst(backends: Found[]): Found[] {
  const byName = new Map(
    backends.flatMap((backend) => [
      [backend.name, backend],
      [backend.id, backend],
    ]),
  );
  const ordered = new Set<Found>();
  const visit = (backend: Found): void => {
    if (ordered.has(backend)) return;
    for (const child of childrenIn(backend.own)) {
      const found = byName.get(child);
      if (found) visit(found);
    }
    ordered.add(backend);
  };
  for (const backend of backends) visit(backend);
  return [...ordered].toReversed();
}

/**
 * Removes children from failover backends that would otherwise contain themselves while other backends are not changed yet, as
 * when two of them swap places.
 */
function loosened({ changes, kept, extra }: Differences): Unit[] {
  const changed = changes.filter(({ members }) => members.some(({ member }) => member === "backends"));
  const backends = changed.filter(({ entry }) => entry.kind.stem === "failover_backend");
  if (backends.length === 0) return [];
  const both = new Map([...kept, ...extra].map(({ name, own }) => [name, new Set(childrenIn(own))]));
  for (const { entry, found } of backends)
    both.set(entry.name, new Set([...childrenIn(entry.own), ...childrenIn(found.own)]));
  return backends
    .filter(({ entry }) => reaches(both, entry.name, entry.name))
    .map(({ entry, found }) => {
      const stays = new Set(childrenIn(entry.own));
      const kept = childrenIn(found.own).filter((child) => stays.has(child));
      const guard = guardOf(found, `change ${label(entry)}`, entry.path);
      const body = (idOf: IdOf): JsonObject => ({ backends: kept.map(idOf) });
      return { found, operations: [{ ...guard, body, isGuarded: true }] };
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
