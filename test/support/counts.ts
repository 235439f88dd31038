import { type Counts, countsOf, emptyTally, PLACES } from "../../packages/model/src/traffic/counts.ts";

/** Counts of traffic, which are 0 unless they are given. */
export function counts(some: Partial<Record<keyof typeof PLACES, number>> = {}): Counts {
  const tally = emptyTally();
  for (const [name, place] of Object.entries(PLACES)) tally[place] = some[name as keyof typeof PLACES] ?? 0;
  return countsOf(tally);
}
