import { derivedMap } from "../../traffic/src/derived.ts";

/** Maps that are merged to one. The next one is derived from the last, so it costs as much as the parts that differ. */
export class Merged<Value> {
  readonly #isAlike: boolean;
  #parts: ReadonlySet<ReadonlyMap<string, Value>> = new Set();
  /** How many parts have each key. */
  readonly #counts = new Map<string, number>();
  /** How many keys are in several parts. */
  #shared = 0;
  #merged: ReadonlyMap<string, Value> = new Map();

  /** @param isAlike whether parts never have different values for a key. Otherwise, the value of the first part wins. */
  constructor(isAlike = false) {
    this.#isAlike = isAlike;
  }

  /** These parts as one map: the same one as before if nothing differs. Parts are never modified. */
  of(parts: readonly ReadonlyMap<string, Value>[]): ReadonlyMap<string, Value> {
    const [before, now] = [this.#parts, new Set(parts)];
    const changes = new Map<string, Value | undefined>();
    const wereShared = this.#shared > 0;
    for (const part of now) {
      if (before.has(part)) continue;
      for (const [key, value] of part) {
        this.#count(key, 1);
        changes.set(key, value);
      }
    }
    for (const part of before) {
      if (now.has(part)) continue;
      for (const key of part.keys()) if (this.#count(key, -1) === 0) changes.set(key, undefined);
    }
    this.#parts = now;
    if (!this.#isAlike && (wereShared || this.#shared > 0)) return (this.#merged = firstOf(parts));
    for (const [key, value] of changes) {
      const known = this.#merged.get(key);
      if (known === value || (this.#isAlike && known !== undefined && value !== undefined))
        changes.delete(key);
    }
    this.#merged = derivedMap(this.#merged, changes);
    return this.#merged;
  }

  #count(key: string, by: 1 | -1): number {
    const count = (this.#counts.get(key) ?? 0) + by;
    if (count === 0) this.#counts.delete(key);
    else this.#counts.set(key, count);
    if (count === 2 && by === 1) this.#shared++;
    if (count === 1 && by === -1) this.#shared--;
    return count;
  }
}

function firstOf<Value>(parts: readonly ReadonlyMap<string, Value>[]): Map<string, Value> {
  const merged = new Map<string, Value>();
  for (const part of parts) for (const [key, value] of part) if (!merged.has(key)) merged.set(key, value);
  return merged;
}

/** Several of them, by name. What was not used the last time is forgotten. */
export class MergedByName<Value> {
  readonly #isAlike: boolean;
  #before = new Map<string, Merged<Value>>();
  #now = new Map<string, Merged<Value>>();

  constructor(isAlike = false) {
    this.#isAlike = isAlike;
  }

  turn(): void {
    this.#before = this.#now;
    this.#now = new Map();
  }

  of(name: string, parts: readonly ReadonlyMap<string, Value>[]): ReadonlyMap<string, Value> {
    const merged = this.#now.get(name) ?? this.#before.get(name) ?? new Merged<Value>(this.#isAlike);
    this.#now.set(name, merged);
    return merged.of(parts);
  }
}
