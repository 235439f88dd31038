import { setTimeout as sleep } from "node:timers/promises";
import type { components } from "edge-configuration-client";
import type { Call } from "./args.ts";
import { Describer } from "./describer.ts";
import { UserError } from "./errors.ts";
import { print } from "./output.ts";
import { bodyOf, nextOf, type ServiceAccess } from "./service.ts";

/*
 * Prints events as they happen.
 */

type EventList = components["schemas"]["EventList"];

const MIN_SECONDS = 0.1;
const MAX_SECONDS = 86_400;

/** The position before the first event. */
const BEGINNING = `ev_${"0".repeat(27)}`;

/** Prints events until the process is ended. */
export async function watch({ api }: ServiceAccess, call: Call): Promise<never> {
  const describer = new Describer(api);
  const seconds = Number(call.text("interval") ?? "2");
  if (!(seconds >= MIN_SECONDS && seconds <= MAX_SECONDS))
    throw new UserError(`--interval must be a number of seconds from ${MIN_SECONDS} to ${MAX_SECONDS}.`);
  const newest = async (): Promise<string> => {
    const { events } = bodyOf(await api.GET("/events", { params: { query: { limit: 1 } } }));
    return events[0]?.event_id ?? BEGINNING;
  };
  let last = call.text("after") ?? (await newest());
  if (!/^ev_[0-9A-Za-z]{27}$/.test(last))
    throw new UserError("--after must be an event id: ev_ followed by 27 letters or digits.");
  for (;;) {
    const page: EventList = bodyOf(await api.GET("/events", { params: { query: { after_id: last } } }));
    for (const event of page.events)
      print(call.has("json") ? JSON.stringify(event) : await describer.lineOf(event));
    const next = nextOf(page.next_page_uri)?.after_id;
    last = next ?? page.events.at(-1)?.event_id ?? last;
    if (next === undefined) await sleep(seconds * 1000);
  }
}
