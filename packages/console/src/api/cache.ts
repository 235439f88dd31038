import { QueryClient, type QueryKey } from "@tanstack/preact-query";
import type { Schemas } from "./client.ts";

/*
 * The cache of data that the page has read. It follows the event log: after a change elsewhere, the page only reads the event, and
 * does not read lists again.
 *
 * For example, the page has the edges e3 and e1 under the key `["edges"]`, and somebody creates e2:
 *
 * 1. `events.ts` reads the events after the last one that it knows: `tls_edge_created.v0`, with e2 as lists show it.
 * 2. It passes the event to {@link record}, which calls the {@link DataChange} of each query that follows the log.
 * 3. The {@link DataChange} of the edges (`lists.ts`) returns e3, e2, e1, so pages that show edges are rendered again. The one of an
 *    object's history adds the event if the object is e2. All others return the same data, so nothing else is rendered.
 *
 * If the edges are still being read in step 2, the event is applied to the result instead.
 */

export type Event = Schemas["Event"];

/** An event, prepared for lists. */
export interface RecordedEvent {
  event: Event;
  /** The object as lists show it; undefined if it was deleted. */
  object: Event["object"] | undefined;
}

/** Applies an event to data. Returns the same value if the event does not affect the data. */
export type DataChange<T> = (data: T, recorded: RecordedEvent) => T;

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: { retry: false, staleTime: Infinity, gcTime: 600_000, refetchOnWindowFocus: false },
  },
});

/** The queries that follow the log, by their keys. */
const following = new Map<string, (recorded: RecordedEvent[]) => void>();

/** The events that were recorded during each unfinished read. */
const reading = new Set<RecordedEvent[]>();

/** Applies recorded events to all queries, oldest first. */
export function record(recorded: RecordedEvent[]): void {
  for (const missed of reading) missed.push(...recorded);
  for (const change of following.values()) change(recorded);
}

/** Applies events to a query's data from now on, as long as it is kept. */
export function follow<T>(queryKey: QueryKey, change: DataChange<T>): void {
  const name = JSON.stringify(queryKey);
  following.set(name, (recorded) => {
    if (queryClient.getQueryState(queryKey) === undefined) following.delete(name);
    const data = queryClient.getQueryData<T>(queryKey);
    if (data === undefined) return;
    const next = recorded.reduce(change, data);
    if (next !== data) queryClient.setQueryData<T>(queryKey, () => next);
  });
}

/** Reads data, and applies the events that are recorded in the meantime. */
export async function readFollowing<T>(read: () => Promise<T>, change: DataChange<T>): Promise<T> {
  const missed: RecordedEvent[] = [];
  reading.add(missed);
  try {
    const data = await read();
    return missed.reduce(change, data);
  } finally {
    reading.delete(missed);
  }
}

/** The options of a query that follows the log. */
export const followed = <T>(queryKey: QueryKey, read: () => Promise<T>, change: DataChange<T>) => ({
  queryKey,
  queryFn: (): Promise<T> => {
    follow(queryKey, change);
    return readFollowing(read, change);
  },
  // Comparing thousands of objects, one by one, would cost more than rendering them.
  structuralSharing: false,
});
