import type { Event } from "../api/cache.ts";
import { kindOf, type Named } from "../api/names.ts";

const verbOf = ({ event_type }: Event): string => /_([a-z]+)\.v\d+$/.exec(event_type)?.[1] ?? "changed";

/** What an event is about and what happened, in words: "Offices" and "IP policy updated"; "Route" and "deleted" if it has no name. */
export function told(event: Event, names: (id: string) => Named): { name: string; what: string } {
  const { object } = event;
  const kind = kindOf(object.id);
  const { name } = names(object.id);
  const { description, cidr, name: named, subject, host, match, address } = object;
  const found = [
    name === object.id ? "" : name,
    description,
    cidr,
    named,
    subject,
    host,
    match,
    address,
  ].find((text): text is string => typeof text === "string" && text !== "");
  return found === undefined
    ? { name: kind.slice(0, 1).toUpperCase() + kind.slice(1), what: verbOf(event) }
    : { name: found, what: `${kind} ${verbOf(event)}` };
}

/** Whether a plan can have the opposite of an event: only changes of configuration. */
export const canBeUndone = ({ object }: Event): boolean =>
  !/^(ak|apr|bot|crt|pln|ses|sgn|usr)_/.test(object.id);
