import { fromResponse } from "./conversion.ts";
import { UserError } from "./errors.ts";
import { equal, getField, isJsonObject, type Json, pointer, textOf, toJson } from "./json.ts";
import { type FileKind, kindOfId, kinds } from "./kinds.ts";
import { type Child, childOrder, type Entry, keyOf, nameProblem, type ObjectPart } from "./objects.ts";
import { clearProgress, progress } from "./output.ts";
import { read, type Reading } from "./read.ts";
import { childSchemaOf, schemaOf } from "./schema.ts";
import { all, bodyOf, type Cursor, eachOf, nextOf, type ServiceAccess } from "./service.ts";

/*
 * Reads the objects of the service.
 */

/** An object as the service returns it, with its children. */
export interface ServiceObject {
  id: string;
  kind: FileKind;
  body: unknown;
  /** Oldest first. */
  children: { id: string; body: unknown }[];
}

export interface ServiceChild extends Child {
  id: string;
}

/** An object of the service, normalized for comparison with an object of a file. */
export interface ServiceEntry extends Entry {
  id: string;
  object: ServiceObject;
  children: ServiceChild[];
  /** Duplicate rules: children with the same key as an older child. */
  surplus: ServiceChild[];
}

const reading = (what: string) => (count: number) => progress(`Reading ${what}: ${count}`);

/** The rules of a policy, oldest first; none if the policy was deleted. Starts again if they change between two pages. */
async function rulesOf({ api }: ServiceAccess, id: string): Promise<{ id: string }[]> {
  const rules: { id: string }[] = [];
  let etag: string | null = null;
  for (let query: Cursor | undefined = {}; query;) {
    const result = await api.GET("/ip_policies/{id}/rules", { params: { path: { id }, query } });
    if (result.response.status === 404) return [];
    const current = result.response.headers.get("ETag");
    if (query.after !== undefined && (result.response.status === 400 || current !== etag)) {
      rules.length = 0;
      query = {};
      continue;
    }
    etag = current;
    const page = bodyOf(result);
    rules.push(...page.rules);
    query = nextOf(page.next_page_uri);
  }
  return rules.toSorted((a, b) => (a.id < b.id ? -1 : 1));
}

/** Up to this many policies, rules are requested for each policy. For more policies, all rules are requested at once. */
const MAX_POLICIES_ONE_BY_ONE = 50;

/**
 * Reads the objects of these kinds, oldest first. Objects are read before the objects that they refer to, so that a reference
 * to an object created in the meantime does not look like a reference to a deleted object.
 *
 * @param needsRules returns true if a policy's rules are needed
 */
export async function readObjects(
  service: ServiceAccess,
  needed: readonly FileKind[],
  needsRules: (kind: FileKind, id: string) => boolean,
): Promise<ServiceObject[]> {
  const objects: ServiceObject[] = [];
  for (const kind of kinds.toReversed()) {
    if (!needed.includes(kind)) continue;
    const items = await all(
      (query) => service.api.GET(kind.path, { params: { query } }),
      reading(kind.section),
    );
    objects.push(
      ...items
        .toReversed()
        .map((body) => ({ id: body.id, kind, body: toJson(body), children: routesIn(body) })),
    );
  }
  await addRules(
    service,
    objects.filter(({ id, kind }) => hasRules(kind) && needsRules(kind, id)),
    reading("rules"),
  );
  clearProgress();
  return objects;
}

const hasRules = (kind: FileKind): boolean => kind.children?.field === "rules";

const hasId = (value: unknown): value is { id: string } => typeof getField(value, "id") === "string";

/** The routes in the body of an HTTPS edge. */
function routesIn(body: unknown): { id: string; body: unknown }[] {
  const routes = getField(body, "routes");
  return Array.isArray(routes)
    ? routes.filter(hasId).map((route) => ({ id: route.id, body: toJson(route) }))
    : [];
}

async function addRules(
  service: ServiceAccess,
  policies: ServiceObject[],
  counted: (count: number) => void = () => {},
): Promise<void> {
  const owners = new Map(policies.map((policy) => [policy.id, policy]));
  let count = 0;
  const add = (owner: ServiceObject | undefined, rule: { id: string }): void => {
    if (!isExpired(rule)) owner?.children.push({ id: rule.id, body: toJson(rule) });
  };
  if (policies.length > MAX_POLICIES_ONE_BY_ONE) {
    const rules = await all((query) => service.api.GET("/ip_policy_rules", { params: { query } }), counted);
    for (const listed of rules.toReversed()) {
      // Without the fields that only this list has, so that rules can be compared with those read one policy at a time.
      const { created_at: _, ip_policy, ...rule } = listed;
      add(owners.get(ip_policy.id), rule);
    }
    return;
  }
  await eachOf(policies, async (policy) => {
    const rules = await rulesOf(service, policy.id);
    for (const rule of rules) add(policy, rule);
    count += rules.length;
    counted(count);
  });
}

/** True for an expired rule, which is treated as absent. The service lists it until it is deleted, within a minute. */
export const isExpired = (rule: unknown): boolean =>
  Date.parse(textOf(getField(rule, "expires_at"))) <= Date.now();

/** Reads an object and its ETag again; undefined if it was deleted. @param withRules true to read a policy's rules, too */
export async function reread(
  service: ServiceAccess,
  { id, kind, children }: ServiceObject,
  withRules: boolean,
): Promise<{ object: ServiceObject; etag: string } | undefined> {
  const result = await service.api.GET(`${kind.path}/{id}`, { params: { path: { id } } });
  if (result.response.status === 404) return undefined;
  const body = bodyOf(result);
  const isPolicy = hasRules(kind);
  const object: ServiceObject = {
    id,
    kind,
    body: toJson(body),
    children: isPolicy && !withRules ? children : routesIn(body),
  };
  // The ETag is read before the rules, so it no longer matches if they change in between.
  if (isPolicy && withRules) await addRules(service, [object]);
  return { object, etag: etagOf(result.response, id) };
}

function etagOf({ headers }: Response, id: string): string {
  const etag = headers.get("ETag");
  if (etag === null) throw new UserError(`The service returned ${id} without an ETag.`);
  // Cloudflare weakens the ETag of a compressed response. The service accepts weak ETags in If-Match.
  return etag;
}

/** True if an object has not changed. */
export const isUnchanged = (before: ServiceObject, now: ServiceObject): boolean =>
  equal(before.body, now.body) && equal(before.children, now.children);

/** How to normalize objects of the service. */
export interface Naming {
  /** Returns the name of an id; undefined to keep the id. */
  nameOf: (id: string) => string | undefined;
  /** Returns the variable for a secret of an object or of one of its children. */
  variableOf?: (name: string, child: string | undefined, place: string) => string;
  /** True for the id of a policy that no longer exists. References to it are left out. */
  isDeleted?: (id: string) => boolean;
  /** Receives each reference that is left out. */
  leftOut?: (name: string, id: string) => void;
}

/** An object of the service, normalized for comparison with an object of a file. */
export function toServiceEntry(object: ServiceObject, name: string, naming: Naming): ServiceEntry {
  const { kind, id } = object;
  const readingOf = (secrets: ObjectPart["secrets"], child?: string): Reading => ({
    problem: () => {},
    reference: (id) => {
      if (!naming.isDeleted?.(id)) return naming.nameOf(id) ?? id;
      naming.leftOut?.(name, id);
      return undefined;
    },
    secret: (_value, path, within) => {
      const place = pointer(within);
      secrets.set(place, { variable: naming.variableOf?.(name, child, place) ?? "", path });
    },
  });
  const schema = schemaOf(kind);
  const part = (body: unknown, partSchema: typeof schema, child?: string): ObjectPart => {
    const secrets: ObjectPart["secrets"] = new Map();
    const own: Json | undefined = read(
      partSchema,
      fromResponse(partSchema, body),
      readingOf(secrets, child),
      [],
    );
    return { own: isJsonObject(own) ? own : {}, path: [], secrets };
  };
  const children = new Map<string, ServiceChild>();
  const surplus: ServiceChild[] = [];
  for (const { id, body } of object.children) {
    if (!kind.children) break;
    const childSchema = childSchemaOf(kind.children);
    const plain = fromResponse(childSchema, body);
    const key = isJsonObject(plain) ? keyOf(kind, plain) : "";
    const child = { ...part(body, childSchema, key), key, id };
    if (children.has(key)) surplus.push(child);
    else children.set(key, child);
  }
  return {
    ...part(object.body, schema),
    kind,
    name,
    id,
    object,
    children: [...children.values()]
      .toSorted(childOrder(kind))
      .flatMap((child) => children.get(child.key) ?? []),
    surplus,
  };
}

/** Names objects, given oldest first: the known name of the id, otherwise the description, otherwise the kind and a number. */
export function namesFor(
  objects: readonly ServiceObject[],
  known: ReadonlyMap<string, string>,
): Map<string, string> {
  const ids = new Set(objects.map(({ id }) => id));
  const names = new Map<string, string>();
  const taken = new Set<string>();
  for (const [name, id] of known)
    if (ids.has(id) && nameProblem(name) === undefined && !names.has(id)) {
      names.set(id, name);
      taken.add(name);
    }
  /** The next number of each stem. */
  const numbers = new Map<string, number>();
  const numbered = (stem: string, first: number): string => {
    let number = numbers.get(stem) ?? first;
    while (taken.has(`${stem}_${number}`)) number += 1;
    numbers.set(stem, number + 1);
    return `${stem}_${number}`;
  };
  for (const { id, kind, body } of objects) {
    if (names.has(id)) continue;
    const stem = stemOf(body);
    const name = stem === undefined ? numbered(kind.stem, 1) : taken.has(stem) ? numbered(stem, 2) : stem;
    names.set(id, name);
    taken.add(name);
  }
  return names;
}

/** The most characters of a description in a name. */
const STEM_CHARACTERS = 40;

/** The start of an object's name: its description as a word; undefined if that is not possible. */
function stemOf(body: unknown): string | undefined {
  const words = textOf(getField(body, "description"))
    .normalize("NFKD")
    .replaceAll(/[\p{M}'’]/gu, "")
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== "");
  let stem = "";
  for (const word of words) {
    const longer = stem === "" ? word : `${stem}_${word}`;
    if (longer.length > STEM_CHARACTERS) break;
    stem = longer;
  }
  return stem !== "" && nameProblem(stem) === undefined ? stem : undefined;
}

/** Returns a test for ids of deleted IP policies. It is always false unless all policies were read. */
export function deletedPolicyTest(
  objects: readonly ServiceObject[],
  read: readonly FileKind[],
): (id: string) => boolean {
  if (!read.some(hasRules)) return () => false;
  const policies = new Set(objects.filter(({ kind }) => hasRules(kind)).map(({ id }) => id));
  return (id) => {
    const kind = kindOfId(id);
    return kind !== undefined && hasRules(kind) && !policies.has(id);
  };
}
