/*
 * Large maps and records of which few values change at a time. One that is derived from another remembers which keys can differ, so
 * comparing the two looks at these only. None is ever modified.
 */

/** What each was derived from, and the keys that can differ. */
const origins = new WeakMap<object, { from: WeakRef<object>; keys: readonly string[] }>();

/** Values by key; undefined for what is deleted. */
type Changes<Value> = ReadonlyMap<string, Value | undefined>;

/** With more other values than this, all are copied. */
const MOST_OTHERS = 200;

/** A map that only has what differs from another one. Values that are replaced keep their place. */
class Overlay<Value> implements ReadonlyMap<string, Value> {
  readonly base: ReadonlyMap<string, Value>;
  readonly others: Changes<Value>;
  readonly size: number;

  constructor(base: ReadonlyMap<string, Value>, others: Changes<Value>) {
    this.base = base;
    this.others = others;
    let { size } = base;
    for (const [key, value] of others) size += Number(value !== undefined) - Number(base.has(key));
    this.size = size;
  }

  get(key: string): Value | undefined {
    return this.others.has(key) ? this.others.get(key) : this.base.get(key);
  }

  has(key: string): boolean {
    return this.get(key) !== undefined;
  }

  *entries(): MapIterator<[string, Value]> {
    for (const [key, value] of this.base) {
      const other = this.others.has(key) ? this.others.get(key) : value;
      if (other !== undefined) yield [key, other];
    }
    for (const [key, value] of this.others)
      if (value !== undefined && !this.base.has(key)) yield [key, value];
  }

  *keys(): MapIterator<string> {
    for (const [key] of this.entries()) yield key;
  }

  *values(): MapIterator<Value> {
    for (const [, value] of this.entries()) yield value;
  }

  [Symbol.iterator](): MapIterator<[string, Value]> {
    return this.entries();
  }

  forEach(call: (value: Value, key: string, map: ReadonlyMap<string, Value>) => void): void {
    for (const [key, value] of this.entries()) call(value, key, this);
  }
}

const isOverlay = <Value>(map: ReadonlyMap<string, Value>): map is Overlay<Value> => map instanceof Overlay;

/** A map with some values replaced. Without changes, the map itself. */
export function derivedMap<Value>(
  from: ReadonlyMap<string, Value>,
  changes: Changes<Value>,
): ReadonlyMap<string, Value> {
  if (changes.size === 0) return from;
  const { base, others } = isOverlay(from) ? from : { base: from, others: [] };
  const overlay = new Overlay(base, new Map([...others, ...changes]));
  const derived = overlay.others.size > MOST_OTHERS ? new Map(overlay) : overlay;
  origins.set(derived, { from: new WeakRef(from), keys: [...changes.keys()] });
  return derived;
}

/** A record with the values of some of its keys replaced. Without changes, the record itself. */
export function derivedRecord<Value>(
  from: Readonly<Record<string, Value>>,
  changes: ReadonlyMap<string, Value>,
): Readonly<Record<string, Value>> {
  if (changes.size === 0) return from;
  const derived = { ...from };
  for (const [key, value] of changes) derived[key] = value;
  origins.set(derived, { from: new WeakRef(from), keys: [...changes.keys()] });
  return derived;
}

function differing<Of extends object>(
  a: Of,
  b: Of,
  keysOf: (of: Of) => Iterable<string>,
  valueIn: (of: Of, key: string) => unknown,
): string[] {
  if (a === b) return [];
  const origin = origins.get(b);
  const isOther = (key: string): boolean => valueIn(a, key) !== valueIn(b, key);
  if (origin?.from.deref() === a) return origin.keys.filter(isOther);
  const keys = [...keysOf(b)].filter(isOther);
  for (const key of keysOf(a)) if (valueIn(b, key) === undefined) keys.push(key);
  return keys;
}

/** The keys of two maps whose values are not identical. */
export const differingKeys = <Value>(
  a: ReadonlyMap<string, Value>,
  b: ReadonlyMap<string, Value>,
): string[] =>
  differing(
    a,
    b,
    (map) => map.keys(),
    (map, key) => map.get(key),
  );

/** The names of the members of two records whose values are not identical. */
export const differingMembers = <Value>(
  a: Readonly<Record<string, Value>>,
  b: Readonly<Record<string, Value>>,
): string[] =>
  differing(a, b, Object.keys, (record, name) => (Object.hasOwn(record, name) ? record[name] : undefined));
