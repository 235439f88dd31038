import { type AccessEffect, shareOf } from "./access_effect.ts";
import type { AccessChange, Place, PlanEffect, Totals, Warning, warningCodes } from "./effect_schemas.ts";

/*
 * What people have to know about an effect, in words. They contain ids, hostports, matches and networks, and no other text by
 * callers, who could otherwise write there that nobody newly gets in.
 */

type WarningCode = keyof typeof warningCodes;

/** The full lists that were computed. */
type Found = AccessEffect & { problems: NonNullable<PlanEffect["problems"]>; totals: Totals };

/** What the words are made of. */
export interface Told {
  /** Undefined if who gets in was not computed. */
  found: Found | undefined;
  /** Why something was not computed. */
  omitted: string | undefined;
  /** How many items of each list are shown, if not all, and how many there are. */
  cut: Record<"shown" | "all", NonNullable<PlanEffect["shown"]>> | undefined;
  /** For the ids of new objects, the operations that create them. */
  creators: Map<string, number>;
  /** The changed policies that the API restriction uses. */
  ofApi: ReadonlySet<string>;
}

/** One part of an effect. */
interface Finding {
  count: number;
  /** Its clause in the summary. */
  clause: string;
  /** The code of its warning. */
  code?: WarningCode;
  /** The start of the warning; the clause if left out. */
  start?: string;
  /** What follows the start. */
  more?: string;
  /** What the warning names. */
  named?: string;
  /** False if no person has to confirm it. */
  confirm?: boolean;
}

/** The most places that a message names, and the most networks of each. */
const MOST = 3;
/** The most characters of a match that a message shows. */
const CHARACTERS = 100;

const places = (count: number): string => (count === 1 ? "1 place" : `${count} places`);

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** One sentence about an effect. */
export function summaryOf({ found, omitted = "", creators, ofApi }: Told): string {
  if (!found) return `Who gets in afterwards is not known. ${omitted}`.trimEnd();
  const clauses = findingsOf(found, creators, ofApi).map(({ clause }) => clause);
  if (clauses.length === 0) return "Nobody newly gets in, and no source is shut out.";
  return `${capital([...(isNobodyNew(found, ofApi) ? ["nobody newly gets in"] : []), ...clauses].join("; "))}.`;
}

/** The warnings about an effect. */
export function warningsOf({ found, omitted = "", cut, creators, ofApi }: Told): Warning[] {
  const unknown = found
    ? "What changes when rules expire is not known."
    : "Who gets in afterwards is not known.";
  const warning = (code: WarningCode, msg: string, confirm = true): Warning => ({ code, msg, confirm });
  return [
    ...(found?.later ? [] : [warning("effect_unknown", `${unknown} ${omitted}`.trimEnd())]),
    ...(cut ? [warning("effect_truncated", `Not everything is shown: ${shares(cut)}.`)] : []),
    ...(found ? findingsOf(found, creators, ofApi) : []).flatMap(
      ({ code, clause, start = capital(clause), more = "", named, confirm }) =>
        code ? [warning(code, `${start}${more}: ${named}.`, confirm)] : [],
    ),
  ];
}

/** The parts of an effect, the most important first. */
function findingsOf(found: Found, creators: Told["creators"], ofApi: Told["ofApi"]): Finding[] {
  const { totals, notes, later } = found;
  const { added } = found.problems;
  const messages = new Messages(creators);
  const then = (later ?? []).filter((item) => !isOfPolicy(item));
  const pairs = totals.later_newly_allowed ?? 0;
  const refused = totals.places_newly_refused - totals.places_to_nobody;
  const problems = added
    .slice(0, MOST)
    .map(({ object, code }) => `${code.replaceAll("_", " ")} (${messages.object(object)})`);
  const findings: Finding[] = [
    ...openingsOf(found, messages, ofApi),
    {
      count: pairs,
      clause: `more sources get in${notes.later_stay ? ", or stay in" : " later"}, when rules expire`,
      start: `More sources get in${notes.later_stay ? ", or stay in," : ""} when rules expire`,
      code: "later_newly_allowed",
      named: messages.list(largestFirst(then), pairs, (item) => `from ${item.at}, ${largestOf(item)}`),
      confirm: notes.later_new > 0,
    },
    { count: later === null ? 1 : 0, clause: "what changes when rules expire is not known" },
    {
      count: totals.places_to_nobody,
      clause: `nobody gets in any more at ${places(totals.places_to_nobody)}`,
    },
    { count: refused, clause: `some sources are shut out at ${places(refused)}` },
    {
      count: usedByApi(found.access, ofApi).filter(isRefusing).length,
      clause: "a policy of the API restriction shuts out some sources",
    },
    {
      count: usedByApi(later ?? [], ofApi).length,
      clause: "a policy of the API restriction lets in other sources when rules expire",
    },
    {
      count: notes.checks_added,
      clause: `something is newly checked at ${places(notes.checks_added)}, and whom that rejects is not known`,
    },
    {
      count: then.filter(({ newly_refused }) => newly_refused.length > 0).length,
      clause: "some sources are shut out, or stay out, when rules expire",
    },
    {
      count: added.length,
      clause: added.length === 1 ? "a problem appears" : `${added.length} problems appear`,
      code: "problem_added",
      named: withOthers(problems, added.length - problems.length),
      confirm: false,
    },
  ];
  return findings.filter(({ count }) => count > 0);
}

/** The parts of an effect that can let in somebody now. */
function openingsOf(
  { access, totals, notes: { opened, taken_over } }: Found,
  messages: Messages,
  ofApi: Told["ofApi"],
): Finding[] {
  const items = access.filter((item) => !isOfPolicy(item));
  const { places_to_everyone: all, checks_removed, checks_changed } = totals;
  const some = totals.places_newly_allowed - all;
  const checks = (name: "no_longer" | "changed", count: number) => {
    const concerned = items.filter((item) => item[name].length > 0);
    return messages.list(concerned, count, (item) => item[name].join(", "));
  };
  const toApi = usedByApi(access, ofApi).filter(isAllowing);
  const instead = (_: AccessChange, { object, instead_of }: Place) =>
    `${messages.object(object)} instead of ${messages.object(instead_of ?? "")}`;
  return [
    {
      count: all,
      clause: `everybody newly gets in at ${places(all)}`,
      code: "opens_to_everyone",
      more: `, ${servedBefore(opened, all)}`,
      named: messages.list(items.filter(isOpened), all, unlessRejected),
    },
    {
      count: some + toApi.length,
      clause: [
        ...(some > 0 ? [`some sources newly get in at ${places(some)}`] : []),
        ...(toApi.length > 0 ? ["a policy of the API restriction newly lets in some sources"] : []),
      ].join(", and "),
      code: "newly_allowed",
      named: [
        ...(some > 0
          ? [messages.list(largestFirst(items.filter((item) => !isOpened(item))), some, largestOf)]
          : []),
        ...largestFirst(toApi)
          .slice(0, 1)
          .map((item) => `the API restriction (${largestOf(item)})`),
      ].join("; "),
    },
    {
      count: checks_removed,
      clause: `something is no longer checked at ${places(checks_removed)}`,
      code: "check_removed",
      named: checks("no_longer", checks_removed),
    },
    {
      count: checks_changed,
      clause: `a check changes at ${places(checks_changed)}`,
      code: "check_changed",
      more: ", and what it lets through is not compared",
      named: checks("changed", checks_changed),
    },
    {
      count: taken_over,
      clause: `another object serves ${places(taken_over)}`,
      code: "taken_over",
      start: `Another object than before serves ${places(taken_over)}`,
      named: messages.list(items.map(takenOver), taken_over, instead),
    },
  ];
}

/** Whether it may be said that nobody newly gets in, now and later. */
const isNobodyNew = ({ totals, access, later }: Found, ofApi: Told["ofApi"]): boolean =>
  !usedByApi(access, ofApi).some(isAllowing) &&
  !usedByApi(later ?? [], ofApi).some(isAllowing) &&
  totals.places_newly_allowed === 0 &&
  totals.later_newly_allowed === 0 &&
  totals.checks_removed === 0 &&
  totals.checks_changed === 0;

/** A match in quotes. Only printable ASCII is left as it is: other characters can change the direction of the text. */
function quoted(match: string): string {
  const text = JSON.stringify(match.slice(0, CHARACTERS)).replace(
    /[^\x20-\x7e]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
  return match.length > CHARACTERS ? `${text} and ${match.length - CHARACTERS} more characters` : text;
}

/** Writes messages about places. */
class Messages {
  readonly #creators: Told["creators"];

  constructor(creators: Told["creators"]) {
    this.#creators = creators;
  }

  /** An object by its id; a new one by the operation that creates it. */
  object(name: string): string {
    const id = name.slice(name.indexOf("/") + 1);
    const operation = this.#creators.get(id);
    return operation === undefined ? id : `the object of operation ${operation}`;
  }

  /** The first places of some items, each with something about it, and how many of `count` places are left. */
  list<Item extends Pick<AccessChange, "places">>(
    items: Item[],
    count: number,
    detail: (item: Item, place: Place) => string,
  ): string {
    const named = items
      .flatMap((item) =>
        item.places.slice(0, MOST).map((place) => {
          const about = detail(item, place);
          return about === "" ? this.#place(place) : `${this.#place(place)} (${about})`;
        }),
      )
      .slice(0, MOST);
    return withOthers(named, count - named.length);
  }

  #place({ hostport, match, object }: Place): string {
    if (hostport === null) return this.object(object);
    if (match === null) return hostport;
    return `${hostport} ${match.match_type === "exact_path" ? "at" : "under"} ${quoted(match.match)}`;
  }
}

/** "a; b; and 2 others" */
const withOthers = (named: string[], others: number): string =>
  [...named, ...(others > 0 ? [`and ${others === 1 ? "1 other" : `${others} others`}`] : [])].join("; ");

/** The largest networks of some sources; of more than three, also how many addresses they are. */
const largestOf = ({ newly_allowed, count_allowed, truncated }: Allowing): string =>
  newly_allowed.length > MOST || truncated
    ? `${newly_allowed.slice(0, MOST).join(", ")} and others, in all ${addresses(count_allowed)}`
    : newly_allowed.join(", ");

type Allowing = Pick<AccessChange, "newly_allowed" | "count_allowed" | "truncated">;

/** "512 IPv4 addresses and 2 ** 96 IPv6 addresses". Rounded down: nobody reads 29 digits. */
function addresses({ ipv4, ipv6 }: AccessChange["count_allowed"]): string {
  const some = [
    ...(ipv4 === "0" ? [] : [`${Number(ipv4).toLocaleString("en")} IPv4`]),
    ...(ipv6 === "0" ? [] : [`${ipv6.length < 10 ? ipv6 : `2^${BigInt(ipv6).toString(2).length - 1}`} IPv6`]),
  ];
  return `${some.join(" and ")} addresses`;
}

/** The items in which some sources newly get in, those with the most first. */
const largestFirst = <Item extends Allowing>(items: Item[]): Item[] =>
  items
    .filter(({ newly_allowed }) => newly_allowed.length > 0)
    .toSorted((a, b) => shareOf(b.count_allowed) - shareOf(a.count_allowed));

/** How many of some places were served before: "2 of which were served before". */
function servedBefore(served: number, all: number): string {
  if (all === 1) return `which was ${served === 1 ? "" : "not "}served before`;
  const some = served === 0 ? "none" : served === all ? "all" : String(served);
  return `${some} of which ${served > 1 ? "were" : "was"} served before`;
}

const isOpened = ({ from_everyone, to_everyone }: AccessChange): boolean => to_everyone && !from_everyone;

/** What else is checked afterwards: whether that rejects anybody is not known. */
const unlessRejected = ({ also, newly, changed }: AccessChange): string => {
  const checks = [...also, ...newly, ...changed];
  return checks.length === 0 ? "" : `unless rejected by ${checks.join(" or ")}`;
};

/** An item with only the places that another object serves. */
const takenOver = (item: AccessChange): AccessChange => ({
  ...item,
  places: item.places.filter(({ instead_of }) => instead_of !== null),
});

const isAllowing = ({ count_allowed: { ipv4, ipv6 } }: Pick<AccessChange, "count_allowed">): boolean =>
  ipv4 !== "0" || ipv6 !== "0";

const isRefusing = ({ count_refused: { ipv4, ipv6 } }: Pick<AccessChange, "count_refused">): boolean =>
  ipv4 !== "0" || ipv6 !== "0";

/** The items of policies that the API restriction uses. Of an item with more policies than are listed, any can be among them. */
const usedByApi = <Item extends Pick<AccessChange, "places" | "places_more">>(
  items: Item[],
  ofApi: Told["ofApi"],
): Item[] =>
  items.filter(
    (item) =>
      isOfPolicy(item) &&
      ofApi.size > 0 &&
      (item.places_more > 0 || item.places.some(({ object }) => ofApi.has(object))),
  );

/** Policies have no places: they count where they are used. */
const isOfPolicy = ({ places: [place] }: Pick<AccessChange, "places">): boolean =>
  place?.hostport === null && place.object.startsWith("ipp_");

const LISTS = {
  access: "items about who gets in",
  later: "items about what changes later",
  changes: "operations",
  problems: "problems",
} as const;

/** "40 of 65 operations, without what they change". */
function shares({ shown, all }: NonNullable<Told["cut"]>): string {
  const names = ["access", "later", "changes", "problems"] as const;
  const parts = names
    .filter((name) => shown[name] < all[name])
    .map((name) => `${shown[name]} of ${all[name]} ${LISTS[name]}`);
  return parts.length === 0 ? "what some operations change is left out" : parts.join(", ");
}
