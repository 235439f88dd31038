import { count } from "../../../model/src/groups.ts";
import { derivedMap } from "../../../model/src/traffic/derived.ts";

/** Maps that are merged to one. The next one is derived from the last, so it costs as much as the parts that differ. */
export class Merged<Value> {
  readonly #isSame: (a: Value, b: Value) => boolean;
  #parts: ReadonlySet<ReadonlyMap<string, Value>> = new Set();
  /** How many parts have each key. */
  readonly #counts = new Map<string, number>();
  /** Whether parts have different values for a key. */
  #isAmbiguous = false;
  #merged: ReadonlyMap<string, Value> = new Map();

  /** @param isSame whether a value need not replace another one */
  constructor(isSame: (a: Value, b: Value) => boolean = (a, b) => a === b) {
    this.#isSame = isSame;
  }

  /** These parts as one map, with the values of the first part that has a key: the same map as before if nothing differs. */
  of(parts: readonly ReadonlyMap<string, Value>[]): ReadonlyMap<string, Value> {
    const [before, now] = [this.#parts, new Set(parts)];
    const changes = new Map<string, Value | undefined>();
    for (const part of before)
      if (!now.has(part))
        for (const key of part.keys()) if (count(this.#counts, key, -1) === 0) changes.set(key, undefined);
    for (const part of now) {
      if (before.has(part)) continue;
      for (const [key, value] of part) {
        const isFirst = count(this.#counts, key, 1) === 1;
        const known = isFirst ? undefined : (changes.get(key) ?? this.#merged.get(key));
        if (isFirst) changes.set(key, value);
        else if (known !== undefined && !this.#isSame(known, value)) this.#isAmbiguous = true;
      }
    }
    this.#parts = now;
    if (this.#isAmbiguous) return this.#mergeAll();
    for (const [key, value] of changes) {
      const known = this.#merged.get(key);
      const isKept = known !== undefined && value !== undefined && this.#isSame(known, value);
      if (isKept || known === value) changes.delete(key);
    }
    this.#merged = derivedMap(this.#merged, changes);
    return this.#merged;
  }

  #mergeAll(): ReadonlyMap<string, Value> {
    const merged = new Map<string, Value>();
    this.#isAmbiguous = false;
    for (const part of this.#parts)
      for (const [key, value] of part) {
        const known = merged.get(key);
        if (known === undefined) merged.set(key, value);
        else if (!this.#isSame(known, value)) this.#isAmbiguous = true;
      }
    this.#merged = merged;
    return merged;
  }
}

/** Several of them, by name. What was not used the last time is forgotten. */
export class MergedByName<Value> {
  readonly #make: () => Merged<Value>;
  #before = new Map<string, Merged<Value>>();
  #now = new Map<string, Merged<Value>>();

  constructor(make: () => Merged<Value> = () => new Merged()) {
    this.#make = make;
  }

  turn(): void {
    this.#before = this.#now;
    this.#now = new Map();
  }

  of(name: string, parts: readonly ReadonlyMap<string, Value>[]): ReadonlyMap<string, Value> {
    const merged = this.#now.get(name) ?? this.#before.get(name) ?? this.#make();
    this.#now.set(name, merged);
    return merged.of(parts);
  }
}
