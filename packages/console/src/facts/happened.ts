import type { Event } from "../api/cache.ts";
import { kindOf, type Named } from "../api/names.ts";

const verbOf = ({ event_type }: Event): string => /_([a-z]+)\.v\d+$/.exec(event_type)?.[1] ?? "changed";

/** What an event says, in words: "IP policy created". */
export const whatHappened = (event: Event): string => `${kindOf(event.object.id)} ${verbOf(event)}`;

/** The colour of an event: green for something new, red for something deleted. */
export function kindTone(event: Event): string {
  const verb = verbOf(event);
  return verb === "created" ? "good" : verb === "deleted" ? "bad" : "acc";
}

/** What the object of an event is called: as it is now, otherwise as the event shows it. */
export function nameIn({ object }: Event, names: (id: string) => Named): string {
  const { name } = names(object.id);
  if (name !== object.id) return name;
  const shown = [object["description"], object["cidr"], object["name"], object["subject"], object["host"]];
  return shown.find((text): text is string => typeof text === "string" && text !== "") ?? object.id;
}

/** Whether a plan can have the opposite of an event: only changes of configuration. */
export const canBeUndone = ({ object }: Event): boolean =>
  !/^(ak|apr|bot|crt|pln|ses|sgn|usr)_/.test(object.id);
