import { kindOf } from "./api/names.ts";
import type { Event } from "./api/queries.ts";

/** What an event says, in words: "IP policy created". */
export function whatHappened({ event_type, object }: Event): string {
  const verb = /_([a-z]+)\.v\d+$/.exec(event_type)?.[1] ?? "changed";
  return `${kindOf(object.id)} ${verb}`;
}
