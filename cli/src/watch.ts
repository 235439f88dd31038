import { setTimeout as sleep } from "node:timers/promises";
import type { components } from "edge-configuration-client";
import type { Call } from "./args.ts";
import { member } from "./json.ts";
import { bodyOf, Refusal, type Service } from "./service.ts";
import { paint, plain, print } from "./terminal.ts";

/*
 * Events as they come.
 */

type Event = components["schemas"]["Event"];
type EventList = components["schemas"]["EventList"];

const SHORTEST_SECONDS = 0.1;
const DAY_SECONDS = 86_400;

/** Prints events until the process is ended. */
export async function watch({ api }: Service, call: Call): Promise<never> {
  const seconds = Number(call.text("interval") ?? "2");
  if (!(seconds >= SHORTEST_SECONDS && seconds <= DAY_SECONDS))
    throw new Refusal(
      `Expected a number of seconds from ${SHORTEST_SECONDS} to ${DAY_SECONDS} for --interval.`,
    );
  const newest = async (): Promise<string> => {
    const { events } = bodyOf(await api.GET("/events", { params: { query: { limit: 1 } } }));
    return events[0]?.event_id ?? "";
  };
  let last = call.text("after") ?? (await newest());
  if (last !== "" && !/^ev_[0-9A-Za-z]{27}$/.test(last))
    throw new Refusal("Expected the id of an event for --after: ev_ and 27 letters and digits.");
  for (;;) {
    for (const event of await eventsAfter(last)) {
      print(call.has("json") ? JSON.stringify(event) : line(event));
      last = event.event_id;
    }
    await sleep(seconds * 1000);
  }

  /** Events after one, oldest first. */
  async function eventsAfter(id: string): Promise<Event[]> {
    const found: Event[] = [];
    for (let before: string | null = null; ;) {
      const query: { before_id?: string } = before === null ? {} : { before_id: before };
      const page: EventList = bodyOf(await api.GET("/events", { params: { query } }));
      const fresh = page.events.filter(({ event_id }) => event_id > id);
      found.push(...fresh);
      before = page.next_page_uri === null ? null : new URL(page.next_page_uri).searchParams.get("before_id");
      if (before === null || before <= id || fresh.length < page.events.length) return found.toReversed();
    }
  }
}

function line({ event_timestamp, event_type, object, principal, event_id }: Event): string {
  const what = member(object, "description") ?? member(object, "name");
  const quoted = typeof what === "string" ? `  ${JSON.stringify(what)}` : "";
  const who = principal ? `  ${principal.subject}` : "";
  return `${plain(`${event_timestamp}  ${event_type}  ${object.id}${quoted}${who}`)}  ${paint("dim", plain(event_id))}`;
}
