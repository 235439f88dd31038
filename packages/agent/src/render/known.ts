import { differingMembers } from "../../../model/src/traffic/derived.ts";
import type { Edge, Snapshot } from "../../../model/src/traffic/snapshot.ts";
import { Merged, MergedByName } from "../base/merged.ts";
import type { Configuration, ServerCertificate } from "./contract.ts";
import type { HostPlace, Table } from "./layout.ts";
import {
  type EdgeOnPort,
  type Group,
  isSamePart,
  type KnownEdge,
  type ConfigurationPart,
  type PolicyLines,
  type PortShare,
  type Server,
  type Several,
} from "./parts.ts";

/*
 * What was rendered before, by what it was rendered from: only what has changed is rendered again. Objects of a snapshot are never
 * modified, so what is the same object has not changed.
 */

/** With more names, all are forgotten, and with them those that are gone. */
const MOST_NAMES = 100_000;

const NOTHING = { backends: {}, certificate_authorities: {} };

interface MadeOf<Thing> {
  of: readonly unknown[];
  thing: Thing;
  parts: readonly ConfigurationPart[];
}

/** Things that were made, each with the parts that it needs. */
export class Made<Thing> {
  readonly #isSame: (a: unknown, b: unknown) => boolean;
  readonly #byName = new Map<string, MadeOf<Thing>>();
  readonly #byObject = new WeakMap<object, MadeOf<Thing>>();

  constructor(isSame: (a: unknown, b: unknown) => boolean = (a, b) => a === b) {
    this.#isSame = isSame;
  }

  /** What this name or object has if it was made of the same objects, or what `make` returns. */
  get(
    key: string | object,
    of: readonly unknown[],
    make: () => { thing: Thing; parts: readonly ConfigurationPart[] },
  ): { thing: Thing; parts: readonly ConfigurationPart[] } {
    const known = typeof key === "string" ? this.#byName.get(key) : this.#byObject.get(key);
    if (known?.of.length === of.length && of.every((one, index) => this.#isSame(one, known.of[index])))
      return known;
    const made = { of, ...make() };
    if (typeof key === "object") this.#byObject.set(key, made);
    else {
      if (this.#byName.size >= MOST_NAMES) this.#byName.clear();
      this.#byName.set(key, made);
    }
    return made;
  }
}

/** Values that are the same if they have the same key. */
const alike = <Value>(): Merged<Value> => new Merged(() => true);

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
  /** By the edges. */
  readonly shares = new Made<PortShare>();
  /** Where edges are, by map. */
  readonly places = new MergedByName<HostPlace>();
  /** The certificates of shared internal listeners, by file. */
  readonly certificates = new MergedByName<ServerCertificate>(alike);
  /** The lines of certificates in lists, by internal listener and by name. */
  readonly certificateLines = new Made<ReadonlyMap<string, string>>();
  /** Names that need other lines, by what wants them. */
  readonly otherLines = new Made<readonly (readonly [name: string, line: string])[]>();
  /** The `bind` lines of shared internal listeners. */
  readonly lists = new Made<string>();
  /** The `bind` lines of ports by port, and of TCP edges by their hostports. */
  readonly outer = new Made<string[]>();
  /** How many sections backends with servers of their own have, by the names of the first ones. */
  readonly serverSections = new Made<number>();
  /** The most of them. */
  readonly mostTiers = new Made<number>();
  /** The edges of groups on ports, by port and first edge: the same list as long as it has the same elements. */
  readonly onPorts = new Made<readonly EdgeOnPort[]>();
  readonly several = new Made<Several>();
  readonly configurations = new Made<Configuration>(isSamePart);
  /** By edge. */
  #tables = new Merged<Table>();
  /** The sets of rules that entries name: ids of policies by name. */
  #rules = alike<readonly string[]>();
  #thumbprints = alike<string>();
  #parts = new Merged<ConfigurationPart>(isSamePart);
  #snapshot: Pick<Snapshot, "backends" | "certificate_authorities"> = NOTHING;
  /** Whether a snapshot is being rendered, or its rendering failed. */
  #isUnderWay = false;

  /**
   * Begins with the next snapshot, which ends with `regroup`. Returns the ids of backends and authorities that differ from the last
   * one.
   */
  turnTo(snapshot: Snapshot): ReadonlySet<string> {
    // Edges that were rendered before the failure are of another snapshot than the rest.
    if (this.#isUnderWay) this.#forgetEdges();
    this.#isUnderWay = true;
    this.places.turn();
    this.certificates.turn();
    const last = this.#snapshot;
    this.#snapshot = snapshot;
    return new Set([
      ...differingMembers(last.backends, snapshot.backends),
      ...differingMembers(last.certificate_authorities, snapshot.certificate_authorities),
    ]);
  }

  /** Takes the groups of a snapshot. Returns what they add together: parts, tables, the sets of rules that these name, and thumbprints. */
  regroup(all: readonly Group[]) {
    this.#forgetBut(new Set(all));
    this.groups = new Map(all.flatMap((group) => (group.edges[0] ? [[group.edges[0], group]] : [])));
    const tables = this.#tables.of(all.map((group) => group.tables));
    const rules = this.#rules.of(all.map((group) => group.rules));
    const thumbprints = this.#thumbprints.of(all.map((group) => group.thumbprints));
    const parts = this.#parts.of(all.map((group) => group.parts));
    this.#isUnderWay = false;
    return { tables, rules, thumbprints, parts };
  }

  /** Forgets edges that are in none of these groups. */
  #forgetBut(groups: ReadonlySet<Group>): void {
    const before = new Set(this.groups.values());
    const come = [...groups].filter((group) => !before.has(group));
    const ids = new Set(come.flatMap(({ edges }) => edges.map(({ id }) => id)));
    for (const group of before)
      if (!groups.has(group)) for (const { id } of group.edges) if (!ids.has(id)) this.edges.delete(id);
  }

  #forgetEdges(): void {
    this.edges.clear();
    this.groups = new Map();
    this.#tables = new Merged();
    this.#rules = alike();
    this.#thumbprints = alike();
    this.#parts = new Merged<ConfigurationPart>(isSamePart);
  }
}
