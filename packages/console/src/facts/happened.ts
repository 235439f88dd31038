import type { Event } from "../api/cache.ts";
import { kindOf, type Named } from "../api/names.ts";
import type { Plan } from "../api/queries.ts";
import { happeningOf } from "../changes/sources.ts";
import type { StateTone } from "./tones.ts";

/** An event in words. */
interface Told {
  /** The object's name; undefined if it has none. */
  name: string | undefined;
  /** Such as "IP policy". */
  kind: string;
  /** Such as "changed". */
  verb: string;
  /** The name, or else the kind. */
  title: string;
  /** What happened, after the title: "IP policy changed". */
  what: string;
}

/** What an event is about, and what happened to it. */
export function told({ object, event_type }: Event, names: (id: string) => Named): Told {
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
  const verb = happeningOf(event_type);
  return found === undefined
    ? { name: found, kind, verb, title: kind.slice(0, 1).toUpperCase() + kind.slice(1), what: verb }
    : { name: found, kind, verb, title: found, what: `${kind} ${verb}` };
}

/** Whether a plan can have the opposite of an event: only changes of configuration. */
export const canBeUndone = ({ object }: Event): boolean =>
  !/^(ak|apr|bot|crt|pln|ses|sgn|usr)_/.test(object.id);

/** The states of a plan in words. */
export const planStates = {
  open: { tone: "busy", text: "Waiting for approval" },
  applied: { tone: "good", text: "Applied" },
  withdrawn: { tone: "none", text: "Withdrawn" },
  expired: { tone: "none", text: "Expired" },
} as const satisfies Record<Plan["state"], { tone: StateTone; text: string }>;
