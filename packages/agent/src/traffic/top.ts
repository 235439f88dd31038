import { MOST_SOURCES } from "../../../model/src/traffic/counts.ts";

/** How many sources are counted. */
const COUNTED = 16;

/** SourceCounts by how often they were seen. */
export type SourceCounts = Map<string, number>;

/**
 * Counts a source, in constant memory: a source that finds no place takes that of the rarest, with its count (Space-Saving, Metwally,
 * Agrawal and El Abbadi 2005, §3). So a count is never too low, and the most frequent sources are among those that are kept.
 */
export function see(sources: SourceCounts, source: string, times = 1): void {
  const known = sources.get(source);
  if (known !== undefined || sources.size < COUNTED) {
    sources.set(source, (known ?? 0) + times);
    return;
  }
  let [rarest, least] = ["", Infinity];
  for (const [one, seen] of sources) if (seen < least) [rarest, least] = [one, seen];
  sources.delete(rarest);
  sources.set(source, least + times);
}

/** The most frequent sources, most frequent first. */
export const mostFrequent = (sources: SourceCounts): [source: string, times: number][] =>
  [...sources].toSorted(([a, m], [b, n]) => n - m || (a < b ? -1 : 1)).slice(0, MOST_SOURCES);
