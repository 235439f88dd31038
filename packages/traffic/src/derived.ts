/*
 * Large maps and records of which few values change at a time. One that is derived from another remembers which keys can differ, so
 * comparing the two looks at these only. None is ever modified.
 */

/** What each was derived from, and the keys that can differ. */
const origins = new WeakMap<object, { from: WeakRef<object>; keys: readonly string[] }>();

/** Values by key; undefined for what is deleted. */
type Changes<Value> = ReadonlyMap<string, Value | undefined>;

/** A map with other values. The same one if there are no changes. */
export function derivedMap<Value>(
  from: ReadonlyMap<string, Value>,
  changes: Changes<Value>,
): ReadonlyMap<string, Value> {
  if (changes.size === 0) return from;
  const derived = new Map(from);
  for (const [key, value] of changes)
    if (value === undefined) derived.delete(key);
    else derived.set(key, value);
  origins.set(derived, { from: new WeakRef(from), keys: [...changes.keys()] });
  return derived;
}

/** A record with other values for keys that it has. The same one if there are no changes. */
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
