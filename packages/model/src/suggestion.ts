/** The number of changes of one character, and of swaps of two neighbors, that turn one string into another. */
function distance(a: string, b: string): number {
  const rows = [Array.from({ length: b.length + 1 }, (_, j) => j)];
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const isSame = a[i - 1] === b[j - 1];
      const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      row[j] = Math.min(
        (rows[i - 1]?.[j] ?? 0) + 1,
        (row[j - 1] ?? 0) + 1,
        (rows[i - 1]?.[j - 1] ?? 0) + (isSame ? 0 : 1),
        isSwapped ? (rows[i - 2]?.[j - 2] ?? 0) + 1 : Infinity,
      );
    }
    rows.push(row);
  }
  return rows[a.length]?.[b.length] ?? 0;
}

const MOST_CHANGES = 2;
const LONGEST = 40;

/** The known word that is most like a given one; undefined if none is like it. */
export function suggestionFor(given: string, known: readonly string[]): string | undefined {
  if (given.length > LONGEST) return undefined;
  const near = known
    .map((word) => ({ word, changes: distance(given, word) }))
    .filter(({ word, changes }) => changes <= Math.min(MOST_CHANGES, Math.floor(word.length / 3)))
    .toSorted((a, b) => a.changes - b.changes);
  return near[0]?.word;
}

/** " Did you mean …?" with the known word that is most like a given one; "" if none is like it. */
export function didYouMean(given: string, known: readonly string[]): string {
  const suggestion = suggestionFor(given, known);
  return suggestion === undefined ? "" : ` Did you mean ${suggestion}?`;
}
