import type { EdgeObject } from "../api/lists.ts";
import { nameOf } from "../api/names.ts";
import { count } from "./amounts.ts";
import type { Entrance } from "./entrances.ts";
import { type NotServedBecause, type ServedKind, worstFirst } from "./served.ts";

/*
 * Why places are not served as written: each cause once, however many places it affects.
 */

/** A cause, and the places that it affects. */
export interface ServedCause {
  key: string;
  kind: ServedKind;
  /** What the service or the agent says; of several that differ only in names, one. */
  msg: string;
  /** The machines that say it; none if it is the configuration. */
  machines: string[];
  places: Entrance[];
}

/** What causes have in common: the code, and on which machines, but not the message, which names its object. */
const keyOf = ({ machine, code }: NotServedBecause): string => `${machine === null} ${code}`;

/** The name of a kind without reasons says what is missing. */
const missing: Partial<Record<ServedKind, string>> = {
  "no host": "An edge without a host and port cannot be reached.",
  "no route": "An HTTPS edge without a route answers every request with 404.",
};

/** The causes of places, the worst first, and of those the ones that affect most places. */
export function causesOf(entrances: Entrance[]): ServedCause[] {
  const causes = new Map<string, ServedCause>();
  for (const entrance of entrances) {
    const { kind, tone, reasons } = entrance.served;
    if (tone !== "bad" && tone !== "warn") continue;
    const all: NotServedBecause[] =
      reasons.length > 0
        ? reasons
        : [{ machine: null, code: kind, msg: missing[kind] ?? entrance.served.text }];
    for (const reason of all) {
      const key = `${kind} ${keyOf(reason)}`;
      const known = causes.get(key) ?? { key, kind, msg: reason.msg, machines: [], places: [] };
      if (reason.machine !== null && !known.machines.includes(reason.machine))
        known.machines.push(reason.machine);
      if (!known.places.includes(entrance)) known.places.push(entrance);
      causes.set(key, known);
    }
  }
  return [...causes.values()].toSorted(
    (a, b) => worstFirst.indexOf(a.kind) - worstFirst.indexOf(b.kind) || b.places.length - a.places.length,
  );
}

/** Where a place is, as a client names it; the name of the edge if it has no host. */
export const whereIs = ({ edge, route }: { edge: EdgeObject; route: Entrance["route"] }): string =>
  `${edge.hostports?.[0] ?? nameOf(edge)}${route?.match ?? ""}`;

/** How things stand, in one sentence. */
export function standing(entrances: Entrance[]): string {
  const bad = entrances.filter(({ served: { tone } }) => tone === "bad" || tone === "warn").length;
  const unknown = entrances.filter(({ served: { kind } }) => kind === "not known").length;
  if (bad > 0)
    return `${bad.toLocaleString("en")} of ${count(entrances.length, "place")} ${bad === 1 ? "is" : "are"} not served as configured`;
  if (unknown === entrances.length)
    return `${count(entrances.length, "place")} ${entrances.length === 1 ? "is" : "are"} configured, and no machine reports`;
  return entrances.length === 1
    ? "The only place is served"
    : `All ${count(entrances.length, "place")} are served`;
}
