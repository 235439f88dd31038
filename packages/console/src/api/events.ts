import { signal } from "@preact/signals";
import { api, bodyOf } from "./client.ts";
import { shownKindOf } from "./names.ts";
import { type Event, queryClient } from "./queries.ts";

/*
 * Follows the log of events, and reads again what events name.
 */

/** Whether the page is up to date. */
export const live = signal<{ isLive: boolean; newest: Event | undefined }>({
  isLive: false,
  newest: undefined,
});

const EVERY = 5000;
const EVERY_WHEN_IDLE = 60_000;

/** Starts following; returns a function that stops. */
export function followEvents(): () => void {
  let after: string | undefined;
  let timer = 0;
  let isStopped = false;
  const poll = async (): Promise<void> => {
    let isOk = true;
    try {
      const query = after === undefined ? { limit: 1 } : { limit: 100, after_id: after };
      const { events } = await bodyOf(api.GET("/events", { params: { query } }));
      if (after !== undefined && events.length > 0) await refresh(events);
      const newest = after === undefined ? events[0] : events.at(-1);
      if (newest) after = newest.event_id;
      live.value = { isLive: true, newest: newest ?? live.value.newest };
    } catch {
      isOk = false;
      // If the id has left the log, everything is read again.
      if (after !== undefined) void queryClient.invalidateQueries();
      after = undefined;
      live.value = { ...live.value, isLive: false };
    }
    if (!isStopped) timer = window.setTimeout(poll, isOk && !document.hidden ? EVERY : EVERY_WHEN_IDLE);
  };
  const onVisible = (): void => {
    if (document.hidden) return;
    clearTimeout(timer);
    void poll();
  };
  document.addEventListener("visibilitychange", onVisible);
  void poll();
  return () => {
    isStopped = true;
    clearTimeout(timer);
    document.removeEventListener("visibilitychange", onVisible);
  };
}

/** Reads what events name again. */
async function refresh(events: Event[]): Promise<void> {
  const keys = new Set(["events"]);
  for (const { object } of events) for (const key of shownKindOf(object.id).reads ?? []) keys.add(key);
  const policies = new Set(events.map(policyOf).filter((id) => id !== undefined));
  await Promise.all([
    ...[...keys].map((key) => queryClient.invalidateQueries({ queryKey: [key] })),
    ...[...policies].map((id) => queryClient.invalidateQueries({ queryKey: ["rules", id] })),
  ]);
}

/** The policy whose rules an event changes. */
function policyOf({ object }: Event): string | undefined {
  if (object.id.startsWith("ipp_")) return object.id;
  const policy: unknown = object["ip_policy"];
  if (typeof policy !== "object" || policy === null || !("id" in policy)) return undefined;
  return typeof policy.id === "string" ? policy.id : undefined;
}
