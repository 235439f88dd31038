import type { EdgeObject } from "../api/lists.ts";
import { nameOf } from "../api/names.ts";
import { count } from "./amounts.ts";
import type { Entrance } from "./entrances.ts";
import { type NotServedBecause, type ServedKind, worstFirst } from "./served.ts";
import type { StateTone } from "./tones.ts";

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

/** How things stand, in one sentence. @param reporting how many machines report */
export function standing(entrances: Entrance[], reporting: number): string {
  const all = entrances.length;
  const places = count(all, "place");
  const [be, them] = all === 1 ? ["is", "it"] : ["are", "them"];
  const numberOf = (...tones: StateTone[]): number =>
    entrances.filter(({ served: { tone } }) => tones.includes(tone)).length;
  const are = (number: number, what: string, of = ` of ${places}`): string =>
    `${number.toLocaleString("en")}${of} ${number === 1 ? "is" : "are"} ${what}`;
  const bad = numberOf("bad", "warn");
  if (bad > 0) return are(bad, "not served as configured");
  const [unknown, applying, served] = [numberOf("none"), numberOf("busy"), numberOf("good")];
  if (unknown === all)
    return `${places} ${be} configured, and ${reporting === 0 ? "no machine reports" : `it is not known whether all machines serve ${them}`}`;
  const whole = served === all ? "served" : applying === all ? "being applied" : undefined;
  if (whole) return all === 1 ? `The only place is ${whole}` : `All ${places} are ${whole}`;
  return [
    ...(served > 0 ? [are(served, "served")] : []),
    ...(applying > 0 ? [are(applying, "being applied", served > 0 ? "" : undefined)] : []),
    ...(unknown > 0 ? [`and for ${unknown.toLocaleString("en")} it is not known`] : []),
  ].join(", ");
}
