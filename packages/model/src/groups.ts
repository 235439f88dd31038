/** Values by what `keyOf` returns for them, in order: `Map.groupBy`, which Node.js 20 does not have. */
export function grouped<Key, Value>(
  values: Iterable<Value>,
  keyOf: (value: Value) => Key,
): Map<Key, Value[]> {
  const groups = new Map<Key, Value[]>();
  for (const value of values) {
    const key = keyOf(value);
    const group = groups.get(key);
    if (group) group.push(value);
    else groups.set(key, [value]);
  }
  return groups;
}

/** Adds to the count of a key. Returns the new count. */
export function count(counts: Map<string, number>, key: string, by: 1 | -1): number {
  const times = (counts.get(key) ?? 0) + by;
  if (times === 0) counts.delete(key);
  else counts.set(key, times);
  return times;
}
