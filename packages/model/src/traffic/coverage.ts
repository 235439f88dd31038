import type { Problem } from "./problems.ts";

/*
 * Which edges of its snapshot an agent serves, in a compact form. The agent reports it, and the service reads it.
 *
 * A bitmap refers to edges by their position in ascending order of ids. Both sides have the list of edges. A digest shows whether the lists
 * are equal.
 */

/** Edges of which nothing is served, or not all of their hostports and routes. */
export const COVERAGE_EFFECTS = ["not_served", "partly"] as const;

/** The code of edges that an agent leaves out on purpose, because it was started with `--only`. */
export const NOT_WANTED = "not_wanted";

/** The longest message, in characters. */
export const LONGEST_REASON = 400;

/** Why an edge is not served, or only in part. */
export interface Exception extends Omit<Problem, "object"> {
  effect: (typeof COVERAGE_EFFECTS)[number];
}

export interface Coverage {
  /** How many edges the snapshot has. */
  count: number;
  /** Identifies these edges: see {@link digestOf}. */
  digest: string;
  /** The edges that are not served, or only in part, as a bitmap in base64 for each reason. No edge is in two of them. */
  exceptions: (Exception & { edges: string })[];
}

/** SHA-256 of a text in UTF-8, in hexadecimal. */
export type Sha256 = (text: string) => string;

/** Identifies edges: the first 16 digits of the SHA-256 of their ids, each followed by a line feed. @param ids in ascending order */
export const digestOf = (ids: readonly string[], sha256: Sha256): string =>
  sha256(ids.map((id) => `${id}\n`).join("")).slice(0, 16);

/** A set of places as a bitmap in base64. */
function bitmapOf(places: readonly number[]): string {
  const last = places.reduce((most, place) => Math.max(most, place), -1);
  const bytes = new Uint8Array(Math.floor(last / 8) + 1);
  for (const place of places) bytes[place >> 3] = (bytes[place >> 3] ?? 0) | (1 << (place & 7));
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
}

/** Whether a place is in a bitmap. */
const isIn = (bytes: string, place: number): boolean =>
  ((bytes.charCodeAt(place >> 3) >> (place & 7)) & 1) === 1;

/** How many places are in a bitmap in base64. */
function sizeOf(bitmap: string): number {
  const bytes = atob(bitmap);
  let size = 0;
  for (let place = 0; place < bytes.length * 8; place += 1) if (isIn(bytes, place)) size += 1;
  return size;
}

/** What is served of some edges. @param exceptions by id: all others are served */
export function coverageOf(
  ids: readonly string[],
  exceptions: ReadonlyMap<string, Exception>,
  sha256: Sha256,
): Coverage {
  const sorted = ids.every((id, place) => place === 0 || (ids[place - 1] ?? "") < id) ? ids : ids.toSorted();
  const groups = new Map<string, Exception & { places: number[] }>();
  for (const [place, id] of sorted.entries()) {
    const exception = exceptions.get(id);
    if (!exception) continue;
    const key = `${exception.effect} ${exception.code}`;
    const group = groups.get(key) ?? { ...exception, places: [] };
    group.places.push(place);
    groups.set(key, group);
  }
  return {
    count: ids.length,
    digest: digestOf(sorted, sha256),
    exceptions: Array.from(groups.values(), ({ places, ...rest }) => ({ ...rest, edges: bitmapOf(places) })),
  };
}

/** Returns a function that says why the edge at a place is not served, or only in part; and whether the message is of this very edge. */
export function reasonAt({
  exceptions,
}: Coverage): (place: number) => (Exception & { isOwn: boolean }) | undefined {
  const sets = exceptions.map(({ edges, ...exception }) => {
    const bytes = atob(edges);
    let first = 0;
    while (first < bytes.length * 8 && !isIn(bytes, first)) first += 1;
    return { bytes, first, exception };
  });
  return (place) => {
    const found = sets.find(({ bytes }) => isIn(bytes, place));
    return found && { ...found.exception, isOwn: place === found.first };
  };
}

/** How many edges are served as written, in part, or not at all; those that an agent leaves out on purpose are counted separately. */
export function countsOf({ count, exceptions }: Coverage) {
  const counts = { served: count, partly: 0, not_served: 0, not_wanted: 0 };
  for (const { effect, code, edges } of exceptions) {
    const places = sizeOf(edges);
    counts.served -= places;
    counts[code === NOT_WANTED && effect === "not_served" ? NOT_WANTED : effect] += places;
  }
  return { ...counts, served: Math.max(0, counts.served) };
}
