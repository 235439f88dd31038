import { fromShown } from "./conversion.ts";
import { equal, isJsonObject, type Json, member, pointer, textOf, toJson } from "./json.ts";
import { type Kind, kindOfId, kinds, type Page } from "./kinds.ts";
import { type Child, childOrder, type Entry, keyOf, nameProblem, type Part } from "./objects.ts";
import { read, type Reading } from "./read.ts";
import { Refusal } from "./refusal.ts";
import { childSchemaOf, schemaOf } from "./schema.ts";
import { bodyOf, eachOf, type Service } from "./service.ts";

/*
 * The objects of the service.
 */

/** An object as the service shows it, with its children. The service shows the rules of a policy separately. */
export interface Shown {
  id: string;
  kind: Kind;
  body: unknown;
  /** Oldest first. */
  children: { id: string; body: unknown }[];
}

export interface FoundChild extends Child {
  id: string;
}

/** An object of the service, normalized to be compared with one of a file. */
export interface Found extends Entry {
  id: string;
  shown: Shown;
  children: FoundChild[];
  /** Children with the key of an older one: duplicate rules. */
  surplus: FoundChild[];
}

/** Receives the number of objects that have been read. */
export type Progress = (what: string, count: number) => void;

/** Every object of a kind, oldest first. */
async function all(
  { api }: Service,
  list: Kind["list"],
  counted: (count: number) => void,
): Promise<{ id: string }[]> {
  const items: { id: string }[] = [];
  for (let before: string | null = null; ;) {
    const page: Page = bodyOf(await list(api, before === null ? {} : { before_id: before }));
    items.push(...page.items);
    counted(items.length);
    before = page.next === null ? null : new URL(page.next).searchParams.get("before_id");
    if (before === null) return items.toReversed();
  }
}

/** Rules, oldest first: of one policy, or of all. */
function rulesOf(service: Service, policy: string | undefined, counted: (count: number) => void) {
  const list: Kind["list"] = async (api, given) => {
    const query = { ...given, ...(policy !== undefined && { ip_policy_id: policy }) };
    const { data, error, response } = await api.GET("/ip_policy_rules", { params: { query } });
    return {
      response,
      ...(error && { error }),
      ...(data && { data: { items: data.ip_policy_rules, next: data.next_page_uri } }),
    };
  };
  return all(service, list, counted);
}

/** The most policies whose rules are requested policy by policy. For more, all rules are read. */
const FEW_POLICIES = 50;

/**
 * Objects of these kinds, oldest first. Objects are read before the objects that they refer to, so that a reference to an object
 * that is created meanwhile does not look like a reference to a deleted one.
 *
 * @param needsRules whether the rules of a policy with this id are needed
 */
export async function readObjects(
  service: Service,
  wanted: readonly Kind[],
  needsRules: (kind: Kind, id: string) => boolean,
  progress: Progress,
): Promise<Shown[]> {
  const shown: Shown[] = [];
  for (const kind of kinds.toReversed()) {
    if (!wanted.includes(kind)) continue;
    const items = await all(service, kind.list, (count) => progress(kind.section, count));
    shown.push(...items.map((body) => ({ id: body.id, kind, body: toJson(body), children: routesIn(body) })));
  }
  await addRules(
    service,
    shown.filter(({ id, kind }) => hasRules(kind) && needsRules(kind, id)),
    progress,
  );
  return shown;
}

const hasRules = (kind: Kind): boolean => kind.children?.member === "rules";

const isShown = (value: unknown): value is { id: string } => typeof member(value, "id") === "string";

/** The routes that an HTTPS edge shows. */
function routesIn(body: unknown): { id: string; body: unknown }[] {
  const routes = member(body, "routes");
  return Array.isArray(routes)
    ? routes.filter(isShown).map((route) => ({ id: route.id, body: toJson(route) }))
    : [];
}

async function addRules(service: Service, policies: Shown[], progress: Progress): Promise<void> {
  const owners = new Map(policies.map((policy) => [policy.id, policy]));
  let count = 0;
  const add = (rule: { id: string }): void => {
    if (hasEnded(rule)) return;
    const owner = owners.get(String(member(member(rule, "ip_policy"), "id")));
    owner?.children.push({ id: rule.id, body: toJson(rule) });
  };
  if (policies.length > FEW_POLICIES) {
    const rules = await rulesOf(service, undefined, (count) => progress("rules", count));
    for (const rule of rules) add(rule);
    return;
  }
  await eachOf(policies, async ({ id }) => {
    const rules = await rulesOf(service, id, () => {});
    for (const rule of rules) add(rule);
    count += rules.length;
    progress("rules", count);
  });
}

/** True for an expired rule. It counts as absent; the service shows it until it deletes it, within a minute. */
export const hasEnded = (rule: unknown): boolean =>
  Date.parse(textOf(member(rule, "expires_at"))) <= Date.now();

/** An object as it is now, and its ETag; undefined if it is gone. @param withRules whether to read a policy's rules again */
export async function reread(
  service: Service,
  { id, kind, children }: Shown,
  withRules: boolean,
): Promise<{ shown: Shown; etag: string } | undefined> {
  const result = await kind.get(service.api, id);
  if (result.response.status === 404) return undefined;
  const body = bodyOf(result);
  const isPolicy = hasRules(kind);
  const shown: Shown = {
    id,
    kind,
    body: toJson(body),
    children: isPolicy && !withRules ? children : routesIn(body),
  };
  // The ETag is read before the rules, so it no longer matches if they change in between.
  if (isPolicy && withRules) await addRules(service, [shown], () => {});
  return { shown, etag: etagOf(result.response, id) };
}

function etagOf({ headers }: Response, id: string): string {
  const etag = headers.get("ETag");
  if (etag === null) throw new Refusal(`The service returned ${id} without an ETag.`);
  // Cloudflare makes the ETag of a compressed response weak; the service accepts it in If-Match.
  return etag;
}

/** True if an object has not changed. */
export const isUnchanged = (before: Shown, now: Shown): boolean =>
  equal(before.body, now.body) && equal(before.children, now.children);

/** How objects of the service are normalized. */
export interface Naming {
  /** The name that stands for an id; undefined if the id itself is used. */
  nameOf: (id: string) => string | undefined;
  /** The variable for a secret of an object, or of its child with a key. */
  variableOf: (name: string, child: string | undefined, place: string) => string;
  /** True for the id of a policy that no longer exists. */
  isDeleted: (id: string) => boolean;
  /** Receives each reference that is left out. */
  leftOut: (name: string, id: string) => void;
}

/** An object of the service, normalized to be compared with one of a file. */
export function foundOf(shown: Shown, name: string, naming: Naming): Found {
  const { kind, id } = shown;
  const readingOf = (secrets: Part["secrets"], child?: string): Reading => ({
    problem: () => {},
    reference: (id) => {
      if (!naming.isDeleted(id)) return naming.nameOf(id) ?? id;
      naming.leftOut(name, id);
      return undefined;
    },
    secret: (_value, path, within) => {
      const place = pointer(within);
      secrets.set(place, { variable: naming.variableOf(name, child, place), path });
    },
  });
  const schema = schemaOf(kind);
  const part = (body: unknown, partSchema: typeof schema, child?: string): Part => {
    const secrets: Part["secrets"] = new Map();
    const own: Json | undefined = read(
      partSchema,
      fromShown(partSchema, body),
      readingOf(secrets, child),
      [],
    );
    return { own: isJsonObject(own) ? own : {}, path: [], secrets };
  };
  const children = new Map<string, FoundChild>();
  const surplus: FoundChild[] = [];
  for (const { id, body } of shown.children) {
    if (!kind.children) break;
    const childSchema = childSchemaOf(kind.children);
    const plain = fromShown(childSchema, body);
    const key = isJsonObject(plain) ? keyOf(kind, plain) : "";
    const child = { ...part(body, childSchema, key), key, id };
    if (children.has(key)) surplus.push(child);
    else children.set(key, child);
  }
  return {
    ...part(shown.body, schema),
    kind,
    name,
    id,
    shown,
    children: [...children.values()]
      .toSorted(childOrder(kind))
      .flatMap((child) => children.get(child.key) ?? []),
    surplus,
  };
}

/** Names for objects, given oldest first: the known name of its id, otherwise the kind and a number. */
export function namesFor(shown: readonly Shown[], known: ReadonlyMap<string, string>): Map<string, string> {
  const ids = new Set(shown.map(({ id }) => id));
  const names = new Map<string, string>();
  const taken = new Set<string>();
  for (const [name, id] of known)
    if (ids.has(id) && nameProblem(name) === undefined && !names.has(id)) {
      names.set(id, name);
      taken.add(name);
    }
  const counts = new Map<Kind, number>();
  for (const { id, kind } of shown) {
    let number = counts.get(kind) ?? 0;
    let name: string;
    do name = `${kind.stem}_${(number += 1)}`;
    while (taken.has(name) && !names.has(id));
    counts.set(kind, number);
    if (names.has(id)) continue;
    names.set(id, name);
    taken.add(name);
  }
  return names;
}

/** Tells ids of IP policies that are not among these, if all policies were read. */
export function deletedPolicies(shown: readonly Shown[], read: readonly Kind[]): (id: string) => boolean {
  if (!read.some(hasRules)) return () => false;
  const policies = new Set(shown.filter(({ kind }) => hasRules(kind)).map(({ id }) => id));
  return (id) => {
    const kind = kindOfId(id);
    return kind !== undefined && hasRules(kind) && !policies.has(id);
  };
}
