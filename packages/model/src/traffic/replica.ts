import { type Changes, policiesIn, policyKey } from "./changes.ts";
import { type EndingRanges, endingRanges, withEnds } from "./ends.ts";
import type { Judge } from "./objections.ts";
import { type Changed, Resolution } from "./resolution.ts";
import type { Snapshot } from "./snapshot.ts";
import { listsOf, noObjects, type StoredPolicy, type StoredSnapshot } from "./stored_snapshot.ts";

const edgeSections = ["tcp", "tls", "https"] as const;
const sections = [...edgeSections, "routes", "policies", "backends", "authorities"] as const;

/** What is stored, kept up to date by changes. Objects are replaced and never modified. */
export class Replica {
  /** The version up to which changes are applied; undefined before the first. */
  version: number | undefined;
  /** The parameter `since` of the next request. */
  next: string | undefined;
  #objects = noObjects();
  /** The ids of the routes of each edge. */
  #routes = new Map<string, Set<string>>();
  /** What has changed since the last snapshot. */
  #changed = noChange();
  #resolution = this.#newResolution();
  readonly #compiled = new Map<string, ReturnType<Judge>>();

  /**
   * Applies changes, all or none.
   *
   * @throws RangeError if they do not follow the version that is here, or do not fit it. Then read everything again.
   */
  apply({ from, version, next, put, rules, deleted, compiled }: Changes): void {
    if (from !== null && from !== this.version)
      throw new RangeError(
        `The changes follow version ${from}, but version ${this.version ?? "none"} is here.`,
      );
    const policies = new Map<string, StoredPolicy>();
    for (const changed of rules) {
      const known =
        policies.get(changed.policy) ??
        put.policies.find(({ id }) => id === changed.policy) ??
        (from === null ? undefined : this.#objects.policies.get(changed.policy));
      if (!known) throw new RangeError(`The changes are of the unknown policy ${changed.policy}.`);
      policies.set(changed.policy, changedPolicy(known, changed));
    }
    if (from === null) this.#reset();
    for (const section of edgeSections) for (const edge of put[section]) this.#edgeChanges(section, edge);
    for (const route of put.routes) this.#routeChanges(route);
    for (const policy of [...put.policies, ...policies.values()]) this.#referenceChanges("policies", policy);
    for (const backend of put.backends) this.#referenceChanges("backends", backend);
    for (const authority of put.authorities) this.#referenceChanges("authorities", authority);
    const objects = this.#objects;
    putAll(objects.tcp, put.tcp);
    putAll(objects.tls, put.tls);
    putAll(objects.https, put.https);
    putAll(objects.routes, put.routes);
    putAll(objects.policies, [...put.policies, ...policies.values()]);
    putAll(objects.backends, put.backends);
    putAll(objects.authorities, put.authorities);
    for (const id of deleted) this.#delete(id);
    this.version = version;
    this.next = next;
    for (const { target, value, ...result } of compiled) this.#compiled.set(policyKey(target, value), result);
    if (compiled.length > 0) this.#forgetUnused();
  }

  #newResolution(): Resolution {
    return new Resolution((value, target) => {
      const compiled = this.#compiled.get(policyKey(target, value));
      if (!compiled) throw new RangeError("A traffic policy is not compiled.");
      return compiled;
    });
  }

  #reset(): void {
    this.#objects = noObjects();
    this.#routes = new Map();
    this.#changed = noChange();
    this.#resolution = this.#newResolution();
  }

  #edgeChanges(
    section: (typeof edgeSections)[number],
    edge: { id: string; hostports: string[] | null },
  ): void {
    const known = this.#objects[section].get(edge.id);
    this.#changed.edges.add(edge.id);
    if (!known || JSON.stringify(known.hostports) !== JSON.stringify(edge.hostports))
      this.#changed.hostports.add(edge.id);
  }

  #routeChanges({ id, edge_id }: { id: string; edge_id: string }): void {
    this.#forgetRoute(id);
    const own = this.#routes.get(edge_id) ?? new Set();
    this.#routes.set(edge_id, own.add(id));
    this.#changed.edges.add(edge_id);
  }

  #forgetRoute(id: string): void {
    const known = this.#objects.routes.get(id);
    if (!known) return;
    this.#changed.edges.add(known.edge_id);
    this.#routes.get(known.edge_id)?.delete(id);
  }

  /** An edge is resolved in the same way whatever the contents of a policy, an authority or a static backend are. */
  #referenceChanges(
    section: "policies" | "backends" | "authorities",
    object: { id: string; kind?: string },
  ): void {
    const known: { id: string; kind?: string } | undefined = this.#objects[section].get(object.id);
    const isPlain = known !== undefined && [known, object].every(({ kind = "static" }) => kind === "static");
    this.#changed[isPlain ? "contents" : "references"].add(object.id);
    this.#changed.contents.add(object.id);
  }

  #delete(id: string): void {
    this.#forgetRoute(id);
    if (edgeSections.some((section) => this.#objects[section].has(id))) {
      this.#changed.edges.add(id);
      this.#changed.hostports.add(id);
      for (const route of this.#routes.get(id) ?? []) this.#objects.routes.delete(route);
      this.#routes.delete(id);
    }
    this.#changed.references.add(id);
    this.#changed.contents.add(id);
    for (const section of sections) this.#objects[section].delete(id);
  }

  /** The objects, by id within each kind. */
  toStored(): StoredSnapshot {
    return { version: this.version ?? 0, ...listsOf(this.#objects) };
  }

  /** What is served. @throws if a traffic policy is not compiled */
  snapshot(): Snapshot {
    const { snapshot } = this.#resolution;
    if (snapshot && snapshot.version === this.version) return snapshot;
    const changed = this.#changed;
    this.#changed = noChange();
    return this.#resolution.update(this.version ?? 0, this.#objects, this.#routes, changed);
  }

  #forgetUnused(): void {
    const used = new Set(policiesIn(this.toStored()).map(({ target, value }) => policyKey(target, value)));
    for (const key of this.#compiled.keys()) if (!used.has(key)) this.#compiled.delete(key);
  }
}

const noChange = (): Changed => ({
  edges: new Set(),
  references: new Set(),
  contents: new Set(),
  hostports: new Set(),
});

function putAll<Item extends { id: string }>(known: Map<string, Item>, items: readonly Item[]): void {
  for (const item of items) known.set(item.id, item);
}

function changedPolicy(policy: StoredPolicy, changed: Changes["rules"][number]): StoredPolicy {
  const changedRanges = (list: "allow" | "deny"): EndingRanges => {
    const { add, remove, expires_at } = changed[list];
    const ranges = endingRanges(policy, list);
    const ends = new Map(Object.entries(expires_at ?? {}));
    for (const range of add) ranges.set(range, ends.get(range));
    for (const range of remove) ranges.delete(range);
    return ranges;
  };
  return { id: policy.id, ...withEnds(changedRanges("allow"), changedRanges("deny")) };
}
