import { randomUUID } from "node:crypto";
import { differingMembers } from "../../model/src/traffic/derived.ts";
import type { Edge, Snapshot } from "../../model/src/traffic/snapshot.ts";
import { log } from "./log.ts";
import { matching } from "./matching.ts";
import { reasonOf } from "./refusal.ts";
import type { Fetched } from "./service.ts";
import type { State } from "./state.ts";
import { differenceFile, snapshotFile } from "./state_files.ts";

/*
 * Snapshots on disk: the newest that was applied, and one that came after it. HAProxy may serve that one: an agent that is killed
 * while it applies it begins with it the next time.
 *
 *   snapshot.json   a whole snapshot, the base
 *   good.json       how the newest one that was applied differs from the base, unless it is the base
 *   next.json       the one that came after it: whole, or how it differs from the base
 *
 * A whole snapshot of 10,000 edges has megabytes, and a change has a few hundred bytes.
 */

const [BASE, GOOD, NEXT] = ["snapshot.json", "good.json", "next.json"];

/** Snapshots of fewer characters are written whole. */
const SMALL = 200_000;
/** Of a larger one, differences up to this part of it are written. */
const SHARE = 0.1;

const RECORDS = ["ip_policies", "backends", "certificate_authorities"] as const;

/** The base, as it is on disk. */
interface Base extends Fetched {
  /** Identifies it for differences. */
  id: string;
  characters: number;
}

export class SavedSnapshots {
  readonly #state: State;
  /** Only if this agent has written it: then what has not changed since is the same object. */
  #base: Base | undefined;
  #good: Fetched | undefined;
  #next: Fetched | undefined;
  /** What is in `next.json` is whole. */
  #whole: Base | undefined;
  /** The snapshot that was compared last with the base, and what differs since the base, by record. */
  #compared: Snapshot | undefined;
  readonly #differing = { ip_policies: keys(), backends: keys(), certificate_authorities: keys() };

  constructor(state: State) {
    this.#state = state;
  }

  /** The newest snapshot that was applied. */
  get good(): Fetched | undefined {
    return this.#good;
  }

  /** One that came after it. */
  get next(): Fetched | undefined {
    return this.#next;
  }

  /** Reads what an earlier agent has saved. */
  load(): void {
    const base = this.#state.read(BASE, snapshotFile);
    this.#good = base;
    const next = this.#state.read(NEXT, differenceFile.or(snapshotFile));
    const good = this.#state.read(GOOD, differenceFile);
    if (base && good) this.#good = this.#patched(GOOD, base, good) ?? base;
    if (!next) return;
    if ("base" in next) this.#next = base && this.#patched(NEXT, base, next);
    else {
      this.#next = next;
      this.#whole = { snapshot: next.snapshot, etag: next.etag, id: next.id ?? "", characters: 0 };
    }
  }

  /** Saves a snapshot before it is applied. */
  keep(newest: Fetched): void {
    if (newest === this.#good || newest === this.#next) return;
    const difference = this.#difference(newest);
    this.#whole = undefined;
    if (difference === undefined) {
      const id = randomUUID();
      const { length } = this.#state.write(NEXT, { ...newest, id });
      this.#whole = { ...newest, id, characters: length };
    } else this.#state.writeText(NEXT, difference);
    this.#next = newest;
  }

  /** A snapshot is applied. */
  succeeded(applied: Fetched): void {
    if (applied !== this.#next) return;
    this.#good = applied;
    this.#next = undefined;
    if (!this.#whole) return this.#state.rename(NEXT, GOOD);
    this.#state.rename(NEXT, BASE);
    this.#base = this.#whole;
    this.#compared = this.#whole.snapshot;
    for (const record of RECORDS) this.#differing[record].clear();
    // It belongs to another base, so a crash in between does no harm.
    this.#state.remove(GOOD);
  }

  /** How a snapshot differs from the base, as text; undefined if it is to be written whole. */
  #difference({ snapshot, etag }: Fetched): string | undefined {
    const [base, compared] = [this.#base, this.#compared];
    if (!base || !compared) return undefined;
    for (const record of RECORDS)
      for (const key of differingMembers<unknown>(compared[record], snapshot[record]))
        this.#differing[record].add(key);
    this.#compared = snapshot;
    if (base.characters < SMALL) return undefined;
    const changed = RECORDS.map((record) => {
      const values = [...this.#differing[record]].map((key) => [key, snapshot[record][key] ?? null] as const);
      return [record, Object.fromEntries(values)] as const;
    });
    const text = JSON.stringify({
      base: base.id,
      etag,
      version: snapshot.version,
      edges: edgesBetween(base.snapshot.edges, snapshot.edges),
      ...(snapshot.problems !== base.snapshot.problems && { problems: snapshot.problems }),
      ...Object.fromEntries(changed),
    });
    return text.length > base.characters * SHARE ? undefined : text;
  }

  /** The snapshot that differs from a base. Undefined if it was another base, or if what comes out is not a snapshot. */
  #patched(
    name: string,
    base: { snapshot: Snapshot; id?: string | undefined },
    { base: id, etag, version, edges, problems, ...records }: Difference,
  ): Fetched | undefined {
    if (id !== base.id) return undefined;
    const others = RECORDS.map((record) => {
      const values = Object.entries({ ...base.snapshot[record], ...records[record] });
      return [
        record,
        Object.fromEntries(values.filter(([, value]) => value !== null).toSorted(byKey)),
      ] as const;
    });
    const snapshot = {
      version,
      edges: edges.flatMap((one) => (isRange(one) ? base.snapshot.edges.slice(one[0], one[1]) : [one])),
      ...Object.fromEntries(others),
      problems: problems ?? base.snapshot.problems,
    };
    try {
      return matching(snapshotFile, { snapshot, etag });
    } catch (error) {
      log(`${name} in ${this.#state.directory} is ignored: ${reasonOf(error)}`);
      return undefined;
    }
  }
}

const isRange = (value: unknown): value is [number, number] => Array.isArray(value);

type Difference = ReturnType<typeof differenceFile.parse>;

const keys = (): Set<string> => new Set();

const byKey = ([a]: [string, unknown], [b]: [string, unknown]): number => (a < b ? -1 : 1);

/** A list of edges as ranges of another list (from, to) and as the edges that are not in it. */
function edgesBetween(base: readonly Edge[], edges: readonly Edge[]): ([number, number] | Edge)[] {
  const parts: ([number, number] | Edge)[] = [];
  let places: Map<Edge, number> | undefined;
  let range: [number, number] | undefined;
  /** Where the next edge is if the base has it. */
  let next = 0;
  for (const edge of edges) {
    if (base[next] !== edge) {
      // In place of another form of the same edge.
      const isReplaced = base[next]?.id === edge.id;
      places ??= isReplaced ? undefined : new Map(base.map((each, index) => [each, index]));
      const place = isReplaced ? undefined : places?.get(edge);
      range = undefined;
      if (place === undefined) {
        parts.push(edge);
        if (isReplaced) next++;
        continue;
      }
      next = place;
    }
    if (range) range[1]++;
    else parts.push((range = [next, next + 1]));
    next++;
  }
  return parts;
}
