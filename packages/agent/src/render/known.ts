import { derivedMap, differingMembers } from "../../../traffic/src/derived.ts";
import type { Edge, Snapshot } from "../../../traffic/src/snapshot.ts";
import type { Place, Table } from "./layout.ts";
import type { EdgeOnPort, Group, KnownEdge, Part, PolicyLines, Server, TlsPort } from "./parts.ts";

/*
 * What was rendered before, by what it was rendered from: only what has changed is rendered again. Objects of a snapshot are never
 * modified, so what is the same object has not changed.
 */

/** With more, backends that are gone are forgotten. */
const MOST_SERVERS_KNOWN = 20_000;

const NOTHING = { backends: {}, certificate_authorities: {} };

/** Things that were made, each with the parts that it needs. */
export class Made<Thing> {
  readonly #known = new Map<string, { of: readonly unknown[]; thing: Thing; parts: readonly Part[] }>();

  /** What has this name if it was made of the same objects, or what `make` returns. */
  get(
    name: string,
    of: readonly unknown[],
    make: () => { thing: Thing; parts: readonly Part[] },
  ): { thing: Thing; parts: readonly Part[] } {
    const known = this.#known.get(name);
    if (known?.of.length === of.length && of.every((one, index) => one === known.of[index])) return known;
    const made = { of, ...make() };
    this.#known.set(name, made);
    return made;
  }

  /** Forgets what has another name. */
  keep(isKept: (name: string) => boolean): void {
    for (const name of this.#known.keys()) if (!isKept(name)) this.#known.delete(name);
  }

  get size(): number {
    return this.#known.size;
  }
}

/** What was rendered with the same settings. */
export class Known {
  /** What is known of each edge of the last snapshot, by id. */
  readonly edges = new Map<string, KnownEdge>();
  /** Their groups, by the first edge of each. */
  groups: ReadonlyMap<Edge, Group> = new Map();
  /** The servers of a backend that has no others in it, by its id. */
  readonly servers = new Made<readonly Server[]>();
  readonly sections = new Made<void>();
  /** By program and keys. */
  readonly policies = new Made<PolicyLines>();
  /** By port. */
  readonly ports = new Made<TlsPort>();
  readonly listeners = new Made<ReadonlyMap<string, Place>>();
  /** How many sections backends with servers of their own have, by the names of the first ones. */
  readonly serverSections = new Made<number>();
  /** The configuration of HAProxy. */
  readonly configurations = new Made<string>();
  /** By edge. */
  #tables: ReadonlyMap<string, Table> = new Map();
  /** The sets of rules that entries name: ids of policies by name. */
  #rules: ReadonlyMap<string, readonly string[]> = new Map();
  /** How many groups need each set. */
  readonly #uses = new Map<string, number>();
  #snapshot: Pick<Snapshot, "backends" | "certificate_authorities"> = NOTHING;
  /** Whether a snapshot is being rendered, or its rendering failed. */
  #isUnderWay = false;
  /** The last list that begins with each of these. */
  readonly #lists = new WeakMap<EdgeOnPort, readonly EdgeOnPort[]>();

  /**
   * Begins with the next snapshot, which ends with `regroup`. Returns the ids of backends and authorities that differ from the last
   * one.
   */
  turnTo(snapshot: Snapshot): ReadonlySet<string> {
    // Edges that were rendered before the failure are of another snapshot than the rest.
    if (this.#isUnderWay) this.#forgetEdges();
    this.#isUnderWay = true;
    const last = this.#snapshot;
    this.#snapshot = snapshot;
    return new Set([
      ...differingMembers(last.backends, snapshot.backends),
      ...differingMembers(last.certificate_authorities, snapshot.certificate_authorities),
    ]);
  }

  /** Takes the groups of a snapshot. Returns the tables of all edges, and the sets of rules that they name. */
  regroup(all: readonly Group[], { backends }: Snapshot) {
    const before = new Set(this.groups.values());
    const now = new Set(all);
    const gone = [...before].filter((group) => !now.has(group));
    const come = all.filter((group) => !before.has(group));
    this.groups = new Map(all.flatMap((group) => (group.edges[0] ? [[group.edges[0], group]] : [])));
    this.#forget(gone, come, backends);
    const tables = new Map<string, Table | undefined>();
    for (const { edge } of gone.flatMap(({ served }) => served)) tables.set(edge.id, undefined);
    for (const { edge, table } of come.flatMap(({ served }) => served)) tables.set(edge.id, table);
    for (const [id, table] of tables) if (this.#tables.get(id) === table) tables.delete(id);
    this.#tables = derivedMap(this.#tables, tables);
    const rules = new Map<string, readonly string[] | undefined>();
    const count = (group: Group, by: 1 | -1): void => {
      for (const [name, ids] of group.rules) {
        const uses = (this.#uses.get(name) ?? 0) + by;
        if (uses === 0) this.#uses.delete(name);
        else this.#uses.set(name, uses);
        rules.set(name, uses === 0 ? undefined : ids);
      }
    };
    for (const group of come) count(group, 1);
    for (const group of gone) count(group, -1);
    for (const [name, ids] of rules) if (this.#rules.has(name) === (ids !== undefined)) rules.delete(name);
    this.#rules = derivedMap(this.#rules, rules);
    this.#isUnderWay = false;
    return { tables: this.#tables, rules: this.#rules };
  }

  #forgetEdges(): void {
    this.edges.clear();
    this.groups = new Map();
    this.#tables = new Map();
    this.#rules = new Map();
    this.#uses.clear();
  }

  /** Forgets edges and backends that are gone. */
  #forget(gone: readonly Group[], come: readonly Group[], backends: Snapshot["backends"]): void {
    const ids = new Set(come.flatMap(({ edges }) => edges.map(({ id }) => id)));
    for (const { id } of gone.flatMap(({ edges }) => edges)) if (!ids.has(id)) this.edges.delete(id);
    if (this.servers.size > MOST_SERVERS_KNOWN) this.servers.keep((id) => Object.hasOwn(backends, id));
  }

  /** The last list that began in the same way, if it has the same elements. */
  sameList(list: readonly EdgeOnPort[]): readonly EdgeOnPort[] {
    const [first] = list;
    if (!first) return list;
    const known = this.#lists.get(first);
    if (known?.length === list.length && known.every((one, index) => one === list[index])) return known;
    this.#lists.set(first, list);
    return list;
  }
}
