import { setTimeout as sleep } from "node:timers/promises";
import type { components } from "edge-configuration-client";
import type { Call } from "./args.ts";
import { UserError } from "./errors.ts";
import { getField } from "./json.ts";
import { type Line, paint, print } from "./output.ts";
import { bodyOf, type Service } from "./service.ts";

/*
 * Prints events as they happen.
 */

type Event = components["schemas"]["Event"];
type EventList = components["schemas"]["EventList"];

const MIN_SECONDS = 0.1;
const MAX_SECONDS = 86_400;

/** Prints events until the process is ended. */
export async function watch({ api }: Service, call: Call): Promise<never> {
  const seconds = Number(call.text("interval") ?? "2");
  if (!(seconds >= MIN_SECONDS && seconds <= MAX_SECONDS))
    throw new UserError(`--interval must be a number of seconds from ${MIN_SECONDS} to ${MAX_SECONDS}.`);
  const newest = async (): Promise<string> => {
    const { events } = bodyOf(await api.GET("/events", { params: { query: { limit: 1 } } }));
    return events[0]?.event_id ?? "";
  };
  let last = call.text("after") ?? (await newest());
  if (last !== "" && !/^ev_[0-9A-Za-z]{27}$/.test(last))
    throw new UserError("--after must be an event id: ev_ followed by 27 letters or digits.");
  for (;;) {
    for (const event of await eventsAfter(last)) {
      print(call.has("json") ? JSON.stringify(event) : line(event));
      last = event.event_id;
    }
    await sleep(seconds * 1000);
  }

  /** The events after an event, oldest first. */
  async function eventsAfter(id: string): Promise<Event[]> {
    const events: Event[] = [];
    for (let before: string | null = null; ;) {
      const query: { before_id?: string } = before === null ? {} : { before_id: before };
      const page: EventList = bodyOf(await api.GET("/events", { params: { query } }));
      const fresh = page.events.filter(({ event_id }) => event_id > id);
      events.push(...fresh);
      before = page.next_page_uri === null ? null : new URL(page.next_page_uri).searchParams.get("before_id");
      if (before === null || before <= id || fresh.length < page.events.length) return events.toReversed();
    }
  }
}

function line({ event_timestamp, event_type, object, principal, event_id }: Event): Line {
  const what = getField(object, "description") ?? getField(object, "name");
  const quoted = typeof what === "string" ? `  ${JSON.stringify(what)}` : "";
  const who = principal ? `  ${principal.subject}` : "";
  return [`${event_timestamp}  ${event_type}  ${object.id}${quoted}${who}  `, paint("dim", event_id)];
}
