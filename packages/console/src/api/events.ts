import { signal } from "@preact/signals";
import { type Event, queryClient, record, type RecordedEvent } from "./cache.ts";
import { api, bodyOf, clockSkew, readObject } from "./client.ts";
import { failureOf } from "./errors.ts";

/*
 * Follows the event log: reads the events since the last read, and applies them to the cached data (`cache.ts`). If a part of the log is
 * missed, everything is read again.
 */

/** Whether the page is up to date. */
export const live = signal<{ isLive: boolean; newest: Event | undefined }>({
  isLive: false,
  newest: undefined,
});

const EVERY = 5000;
const EVERY_WHEN_HIDDEN = 60_000;
/** Problems are read again at most this often, because each read checks the whole configuration. */
const PROBLEMS_EVERY = 5000;
/** If more pages of events were missed, reading everything again takes fewer requests. */
const MOST_PAGES = 50;
/** How long before the first read the page begins to follow. This is longer than clocks differ. */
const OVERLAP = 5000;
/** An id that sorts before all ids of events. */
const START = `ev_${"0".repeat(27)}`;

/** The id of the last event that is known; undefined before the first read, and after a gap. */
let position: string | undefined;
let reading = Promise.resolve();

/** Reads the events since the last read. @throws {@link RequestFailure} */
export const catchUp = (): Promise<void> => (reading = reading.catch(() => undefined).then(readOn));

/** Starts following; returns a function that stops. */
export function followEvents(): () => void {
  let timer = 0;
  let isStopped = false;
  const poll = async (): Promise<void> => {
    // The bar at the top shows a failure. The next read can succeed.
    await catchUp().catch(() => undefined);
    clearTimeout(timer);
    if (!isStopped) timer = window.setTimeout(poll, document.hidden ? EVERY_WHEN_HIDDEN : EVERY);
  };
  const onVisible = (): void => {
    if (!document.hidden) void poll();
  };
  document.addEventListener("visibilitychange", onVisible);
  void poll();
  return () => {
    isStopped = true;
    position = undefined;
    clearTimeout(timer);
    document.removeEventListener("visibilitychange", onVisible);
  };
}

async function readOn(): Promise<void> {
  try {
    if (position === undefined || !(await readSince(position))) await begin();
    live.value = { ...live.value, isLive: true };
  } catch (error) {
    live.value = { ...live.value, isLive: false };
    throw error;
  }
}

/** Begins to follow the log at a position shortly before the reads that the page makes now. */
async function begin(): Promise<void> {
  const until = new Date(Date.now() + clockSkew.value - OVERLAP).toISOString();
  const { events, next_page_uri } = await bodyOf(
    api.GET("/events", { params: { query: { limit: 1, until } } }),
  );
  const [newest] = events;
  position = newest?.event_id ?? parameterOf(next_page_uri, "before_id") ?? START;
  live.value = { ...live.value, newest };
}

/** Reads all events after an event. Resolves to false after a gap: everything else is then read again. */
async function readSince(known: string): Promise<boolean> {
  let after = known;
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const query = { limit: 100, after_id: after };
    const answer = await bodyOf(api.GET("/events", { params: { query } })).catch((error: unknown) => {
      if (failureOf(error).status === 410) return undefined;
      throw error;
    });
    if (!answer) break;
    const { events, next_page_uri } = answer;
    if (events.length > 0) await apply(events);
    after = parameterOf(next_page_uri, "after_id") ?? events.at(-1)?.event_id ?? after;
    position = after;
    if (next_page_uri === null) return true;
  }
  position = undefined;
  void queryClient.invalidateQueries();
  return false;
}

const parameterOf = (uri: string | null, name: string): string | undefined =>
  (uri === null ? null : new URL(uri).searchParams.get(name)) ?? undefined;

async function apply(events: Event[]): Promise<void> {
  record(await Promise.all(events.map(withObject)));
  live.value = { ...live.value, newest: events.at(-1) };
  const ids = events.map(({ object }) => object.id);
  for (const id of new Set(ids.filter((each) => each.startsWith("pln_"))))
    void queryClient.invalidateQueries({ queryKey: ["plans", id] });
  // The list is not followed, because it contains deliveries.
  if (ids.some((id) => id.startsWith("ed_")))
    void queryClient.invalidateQueries({ queryKey: ["destinations"] });
  if (!ids.some((id) => /^(edg|ip|bkd|ca_)/.test(id))) return;
  readProblems();
  void queryClient.invalidateQueries({ queryKey: ["access"], refetchType: "none" });
}

/** An event with its object, which is read if it was too long for the log. */
async function withObject(event: Event): Promise<RecordedEvent> {
  const { event_type, object, truncated } = event;
  if (/_deleted\.v\d+$/.test(event_type)) return { event, object: undefined };
  if (!truncated) return { event, object };
  const { id, uri } = object;
  try {
    const read = await readObject(new URL(uri).pathname);
    return { event, object: { ...read.object, id, uri } };
  } catch (error) {
    // It was deleted since.
    if (failureOf(error).status === 404) return { event, object: undefined };
    throw error;
  }
}

let problemsReadAt = 0;
let problemsTimer = 0;

/** Reads the problems again: now, or as soon as the last read is long enough ago. */
function readProblems(): void {
  clearTimeout(problemsTimer);
  const wait = Math.max(0, problemsReadAt + PROBLEMS_EVERY - Date.now());
  problemsTimer = window.setTimeout(() => {
    problemsReadAt = Date.now();
    void queryClient.invalidateQueries({ queryKey: ["problems"] });
  }, wait);
}
