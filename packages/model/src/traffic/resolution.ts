import { count, grouped } from "../groups.ts";
import { byAge, KeptClaims } from "./claims.ts";
import { derivedRecord } from "./derived.ts";
import type { Judge } from "./objections.ts";
import { byObjectAndCode, type Problem } from "./problems.ts";
import {
  authoritiesIn,
  childrenOf,
  ipPoliciesIn,
  reachedFrom,
  resolve,
  rulesOf,
  staticBackend,
  targetsIn,
} from "./resolve.ts";
import type { Backend, Edge, Policy, Snapshot } from "./snapshot.ts";
import type { StoredById, StoredLists, StoredSnapshot } from "./stored_snapshot.ts";

/*
 * Resolves again what a change concerns. For example: a route gets another backend. Its edge is resolved, together with what it refers
 * to, as if there were nothing else. The result replaces the edge in the last snapshot; the backend before goes if no other
 * edge uses it.
 */

/** What has changed, by id. */
export interface Changed {
  /** Edges that are new, changed or deleted, and edges with such routes. */
  edges: Set<string>;
  /** What edges refer to, if edges can be resolved in another way than before. */
  references: Set<string>;
  /** Policies, backends and authorities with other contents. */
  contents: Set<string>;
  /** Those of the edges that are new or deleted, or have other hostports. */
  hostports: Set<string>;
}

/** What is known of an edge. */
interface Resolved {
  problems: readonly Problem[];
  /** All backends that its modules reach, whether they exist or not. */
  backends: readonly string[];
  /** These backends, and its policies and authorities. */
  references: readonly string[];
  /** What a snapshot has for it. */
  used: { policies: readonly string[]; backends: readonly string[]; authorities: readonly string[] };
}

export class Resolution {
  readonly #judge: Judge;
  #snapshot: Snapshot | undefined;
  readonly #claims = new KeptClaims();
  readonly #edges = new Map<string, Resolved>();
  readonly #policies = new Used<Policy>();
  readonly #backends = new Used<Backend>();
  readonly #authorities = new Used<string>();
  /** The problems of edges and of backends that have any, by the id of the edge or the backend. */
  readonly #problems = new Map<string, readonly Problem[]>();
  /** How many edges reach a backend. */
  readonly #reached = new Map<string, number>();

  constructor(judge: Judge) {
    this.#judge = judge;
  }

  /** The last snapshot. */
  get snapshot(): Snapshot | undefined {
    return this.#snapshot;
  }

  /** Resolves what has changed. @param routes the ids of the routes of each edge */
  update(
    version: number,
    objects: StoredById,
    routes: ReadonlyMap<string, ReadonlySet<string>>,
    changed: Changed,
  ): Snapshot {
    const affected = new Set(changed.edges);
    for (const id of this.#claims.update(changed.hostports, objects)) affected.add(id);
    if (changed.references.size > 0)
      for (const [id, { references }] of this.#edges)
        if (references.some((reference) => changed.references.has(reference))) affected.add(id);
    const stored = storedOf(version, affected, objects, routes);
    const byEdge = new Map(
      [...affected].flatMap((id) => {
        const claimed = this.#claims.of(id);
        return claimed ? [[id, claimed]] : [];
      }),
    );
    const part = resolve(stored, this.#judge, { byEdge });
    const haveProblemsChanged = this.#replace(affected, stored, part);
    for (const id of changed.contents)
      for (const used of [this.#policies, this.#backends, this.#authorities]) used.touch(id);
    const policyOf = (id: string): Policy => {
      const policy = objects.policies.get(id);
      return policy ? rulesOf(policy) : { allow: [], deny: [] };
    };
    const backendOf = (id: string): Backend | undefined => {
      const known = objects.backends.get(id);
      return known?.kind === "static" ? staticBackend(known) : part.backends[id];
    };
    const last = this.#snapshot;
    this.#snapshot = {
      version,
      edges: this.#edgesAfter(affected, part),
      ip_policies: this.#policies.record(policyOf),
      backends: this.#backends.record(backendOf),
      certificate_authorities: this.#authorities.record((id) => objects.authorities.get(id)?.ca_pem ?? ""),
      problems:
        last && !haveProblemsChanged
          ? last.problems
          : [...this.#problems.values()].flat().toSorted(byObjectAndCode),
    };
    return this.#snapshot;
  }

  /** Replaces what is known of edges. Returns whether the problems have changed. */
  #replace(affected: ReadonlySet<string>, stored: StoredSnapshot, part: Snapshot): boolean {
    let haveProblemsChanged = false;
    const edges = new Map(part.edges.map((edge) => [edge.id, edge]));
    const edgeOfRoute = new Map(stored.routes.map(({ id, edge_id }) => [id, edge_id]));
    const problems = grouped(part.problems, ({ object }) => edgeOfRoute.get(object) ?? object);
    const rows = rowsOf(stored);
    const setProblems = (id: string, found: readonly Problem[]): void => {
      if (found.length === 0 && !this.#problems.has(id)) return;
      haveProblemsChanged = true;
      if (found.length > 0) this.#problems.set(id, found);
      else this.#problems.delete(id);
    };
    const backends = new Map(stored.backends.map((backend) => [backend.id, backend]));
    for (const id of affected) {
      const own = rows.get(id);
      const next = own && resolvedOf(own, edges.get(id), problems.get(id) ?? [], backends, part);
      const old = this.#edges.get(id);
      // In this order, so that nothing goes that comes again.
      if (next) this.#count(next, 1);
      if (old) this.#count(old, -1);
      if (next) this.#edges.set(id, next);
      else this.#edges.delete(id);
      setProblems(id, next?.problems ?? []);
      for (const backend of next?.backends ?? []) setProblems(backend, problems.get(backend) ?? []);
      for (const backend of old?.backends ?? []) if (!this.#reached.has(backend)) setProblems(backend, []);
      // Each was resolved again, so it is another object.
      for (const backend of next?.used.backends ?? []) this.#backends.touch(backend);
    }
    return haveProblemsChanged;
  }

  #count({ backends, used }: Resolved, by: 1 | -1): void {
    for (const id of backends) count(this.#reached, id, by);
    this.#policies.count(used.policies, by);
    this.#backends.count(used.backends, by);
    this.#authorities.count(used.authorities, by);
  }

  #edgesAfter(affected: ReadonlySet<string>, part: Snapshot): Edge[] {
    const last = this.#snapshot?.edges ?? [];
    if (affected.size === 0) return last;
    const found = new Map(part.edges.map((edge) => [edge.id, edge]));
    const before = last.filter(({ id }) => affected.has(id));
    if (before.length === found.size && before.every(({ id }) => found.has(id)))
      return last.map((edge) => found.get(edge.id) ?? edge);
    return [...last.filter(({ id }) => !affected.has(id)), ...part.edges].toSorted(byAge);
  }
}

/** Objects that edges use, by id, and how many do. */
class Used<Value> {
  readonly #counts = new Map<string, number>();
  #record: Readonly<Record<string, Value>> = {};
  /** Whether `#record` has other ids than `#counts`. */
  #hasOtherIds = false;
  /** The ids with other values than in `#record`. */
  readonly #touched = new Set<string>();

  count(ids: readonly string[], by: 1 | -1): void {
    for (const id of ids) {
      const times = count(this.#counts, id, by);
      if (times > 1 || (times === 1 && by === -1)) continue;
      this.#hasOtherIds = true;
      this.#touched.add(id);
    }
  }

  /** Takes note that an object has another value, if it is used. */
  touch(id: string): void {
    if (this.#counts.has(id)) this.#touched.add(id);
  }

  /** The objects by id, in order: the same record and the same values as before if they are equal. */
  record(valueOf: (id: string) => Value | undefined): Readonly<Record<string, Value>> {
    const before = this.#record;
    const others = new Map<string, Value>();
    for (const id of this.#touched) {
      const value = valueOf(id);
      if (value === undefined || !this.#counts.has(id)) continue;
      if (!Object.hasOwn(before, id) || !isSame(before[id], value)) others.set(id, value);
    }
    this.#touched.clear();
    if (this.#hasOtherIds) {
      const values = [...this.#counts.keys()].toSorted().flatMap((id): [string, Value][] => {
        const value = others.get(id) ?? before[id];
        return value === undefined ? [] : [[id, value]];
      });
      this.#record = Object.fromEntries(values);
    } else this.#record = derivedRecord(before, others);
    this.#hasOtherIds = false;
    return this.#record;
  }
}

const isSame = (a: unknown, b: unknown): boolean => a === b || JSON.stringify(a) === JSON.stringify(b);

/** The stored objects of an edge. */
interface Rows {
  edge: StoredLists["tcp" | "tls" | "https"][number];
  routes: StoredLists["routes"];
}

function rowsOf({ tcp, tls, https, routes }: StoredSnapshot): Map<string, Rows> {
  const rows = new Map(
    [...tcp, ...tls, ...https].map((edge): [string, Rows] => [edge.id, { edge, routes: [] }]),
  );
  for (const route of routes) rows.get(route.edge_id)?.routes.push(route);
  return rows;
}

/** What the enabled modules of an edge and its routes name. */
function namedIn({ edge, routes }: Rows): { backends: string[]; policies: string[]; authorities: string[] } {
  const entries = "backend" in edge ? [edge] : routes;
  return {
    backends: entries.flatMap(({ backend }) => (backend?.enabled ? [backend.backend_id] : [])),
    policies: entries.flatMap(({ ip_restriction }) =>
      ip_restriction?.enabled ? (ip_restriction.ip_policy_ids ?? []) : [],
    ),
    authorities:
      "mutual_tls" in edge && edge.mutual_tls?.enabled
        ? (edge.mutual_tls.certificate_authority_ids ?? [])
        : [],
  };
}

function resolvedOf(
  rows: Rows,
  edge: Edge | undefined,
  problems: readonly Problem[],
  stored: ReadonlyMap<string, StoredLists["backends"][number]>,
  { backends: served }: Snapshot,
): Resolved {
  const named = namedIn(rows);
  const backends = reachedFrom(named.backends, (id) => childrenOf(stored.get(id)));
  return {
    problems,
    backends,
    references: [...backends, ...named.policies, ...named.authorities],
    used: {
      policies: edge ? [...new Set(ipPoliciesIn(edge))] : [],
      backends: edge ? reachedFrom(targetsIn(edge), (id) => childrenOf(served[id])) : [],
      authorities: edge ? [...new Set(authoritiesIn(edge))] : [],
    },
  };
}

/** Edges with their routes, and everything that they refer to. */
function storedOf(
  version: number,
  edges: ReadonlySet<string>,
  objects: StoredById,
  routes: ReadonlyMap<string, ReadonlySet<string>>,
): StoredSnapshot {
  const some = <Item>(known: ReadonlyMap<string, Item>, ids: Iterable<string>): Item[] => {
    const found: Item[] = [];
    for (const id of new Set(ids)) {
      const item = known.get(id);
      if (item !== undefined) found.push(item);
    }
    return found;
  };
  const own = {
    tcp: some(objects.tcp, edges),
    tls: some(objects.tls, edges),
    https: some(objects.https, edges),
    routes: some(
      objects.routes,
      [...edges].flatMap((id) => [...(routes.get(id) ?? [])]),
    ),
  };
  const all = { version, ...own, policies: [], backends: [], authorities: [] };
  const named = [...rowsOf(all).values()].map(namedIn);
  const backends = reachedFrom(
    named.flatMap((each) => each.backends),
    (id) => childrenOf(objects.backends.get(id)),
  );
  return {
    ...all,
    policies: some(
      objects.policies,
      named.flatMap((each) => each.policies),
    ),
    backends: some(objects.backends, backends),
    authorities: some(
      objects.authorities,
      named.flatMap((each) => each.authorities),
    ),
  };
}
