import type { Problem } from "../../../packages/model/src/traffic/problems.ts";
import { type EffectNotes, shareOf } from "./access_effect.ts";
import type {
  AccessChange,
  LaterChange,
  Place,
  PlanEffect,
  Totals,
  Warning,
  warningCodes,
} from "./effect_schemas.ts";

/*
 * What people have to know about an effect, in words. They contain ids, hostports, matches and networks, and no other text by
 * callers, who could otherwise write there that nobody newly gets in.
 */

type WarningCode = keyof typeof warningCodes;

/** What the words are made of: lists in full. */
export interface Told {
  access: AccessChange[] | null;
  later: LaterChange[] | null;
  problems: { added: Problem[] } | null;
  totals: Totals | null;
  notes: EffectNotes | null;
  /** Why something was not computed. */
  omitted: string | undefined;
  /** How many items of each list are shown, if not all, and how many there are. */
  cut: Record<"shown" | "all", NonNullable<PlanEffect["shown"]>> | undefined;
  /** For the ids of new objects, the operations that create them. */
  creators: Map<string, number>;
}

/** The most places that a message names, and the most networks of each. */
const MOST = 3;
/** The most characters of a match that a message shows. */
const CHARACTERS = 100;

const places = (count: number): string => (count === 1 ? "1 place" : `${count} places`);

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** One sentence about an effect. */
export function summaryOf({ access, later, totals, notes, omitted }: Told): string {
  if (!access || !totals || !notes) return `Who gets in afterwards is not known. ${omitted ?? ""}`.trimEnd();
  const some = totals.places_newly_allowed - totals.places_to_everyone;
  const refused = totals.places_newly_refused - totals.places_to_nobody;
  const clauses: [number | null, (count: number) => string][] = [
    [totals.places_to_everyone, (n) => `everybody newly gets in at ${places(n)}`],
    [some, (n) => `some sources newly get in at ${places(n)}`],
    [totals.checks_removed, (n) => `something is no longer checked at ${places(n)}`],
    [totals.checks_changed, (n) => `a check changes at ${places(n)}`],
    [notes.taken_over, (n) => `another object serves ${places(n)}`],
    [totals.later_newly_allowed, () => "more sources get in later, when rules expire"],
    [later === null ? 1 : 0, () => "what changes when rules expire is not known"],
    [totals.places_to_nobody, (n) => `nobody gets in any more at ${places(n)}`],
    [refused, (n) => `some sources are shut out at ${places(n)}`],
    [
      (later ?? []).filter((item) => item.newly_refused.length > 0 && !isOfPolicy(item)).length,
      () => "some sources are shut out later, when rules expire",
    ],
    [totals.problems_added, (n) => (n === 1 ? "a problem appears" : `${n} problems appear`)],
  ];
  const told = clauses.flatMap(([count, text]) => (count === null || count === 0 ? [] : [text(count)]));
  const isQuiet = isNobodyNew(totals);
  if (told.length === 0) return "Nobody newly gets in, and nobody is shut out.";
  return `${capital([...(isQuiet ? ["nobody newly gets in"] : []), ...told].join("; "))}.`;
}

/** Whether it may be said that nobody newly gets in, now and later. */
const isNobodyNew = (totals: Totals): boolean =>
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
    ...(ipv4 === "0" ? [] : [`${ipv4} IPv4`]),
    ...(ipv6 === "0" ? [] : [`${ipv6.length < 10 ? ipv6 : `2^${BigInt(ipv6).toString(2).length - 1}`} IPv6`]),
  ];
  return `${some.join(" and ")} addresses`;
}

const largestFirst = <Item extends Allowing>(items: Item[]): Item[] =>
  items.toSorted((a, b) => shareOf(b.count_allowed) - shareOf(a.count_allowed));

const warning = (code: WarningCode, msg: string, confirm = true): Warning => ({ code, msg, confirm });

/** The warnings about an effect. */
export function warningsOf(told: Told): Warning[] {
  const { access, later, problems, totals, notes, omitted = "", cut, creators } = told;
  const messages = new Messages(creators);
  const unknown =
    access === null ? "Who gets in afterwards is not known." : "What changes when rules expire is not known.";
  const isUnknown = access === null || later === null || totals === null;
  const added = problems?.added ?? [];
  const problemsNamed = added
    .slice(0, MOST)
    .map(({ object, code }) => `${code} of ${messages.object(object)}`);
  const appear = added.length === 1 ? "A problem appears" : `${added.length} problems appear`;
  return [
    ...(isUnknown ? [warning("effect_unknown", `${unknown} ${omitted}`.trimEnd())] : []),
    ...(cut ? [warning("effect_truncated", `Not everything is shown: ${shares(cut)}.`)] : []),
    ...(access && totals && notes ? warningsNow(access, totals, notes, messages) : []),
    ...(later && totals && notes ? warningsLater(later, totals, notes, messages) : []),
    ...(added.length > 0
      ? [
          warning(
            "problem_added",
            `${appear}: ${withOthers(problemsNamed, added.length - problemsNamed.length)}.`,
            false,
          ),
        ]
      : []),
  ];
}

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

/** The warnings about what changes now. */
function warningsNow(
  access: AccessChange[],
  totals: Totals,
  notes: EffectNotes,
  messages: Messages,
): Warning[] {
  const items = access.filter((item) => !isOfPolicy(item));
  const { places_to_everyone: opened, checks_removed, checks_changed } = totals;
  const some = totals.places_newly_allowed - opened;
  const instead = (_: AccessChange, { object, instead_of }: Place) =>
    `${messages.object(object)} instead of ${messages.object(instead_of ?? "")}`;
  const all: [WarningCode, number, string, string][] = [
    [
      "opens_to_everyone",
      opened,
      `Everybody newly gets in at ${places(opened)}, ${servedBefore(notes.opened, opened)}`,
      messages.list(items.filter(isOpened), opened, unlessRejected),
    ],
    [
      "newly_allowed",
      some,
      `Some sources newly get in at ${places(some)}`,
      messages.list(
        largestFirst(items.filter((item) => item.newly_allowed.length > 0 && !isOpened(item))),
        some,
        largestOf,
      ),
    ],
    [
      "check_removed",
      checks_removed,
      `Something is no longer checked at ${places(checks_removed)}`,
      messages.list(
        items.filter(({ no_longer }) => no_longer.length > 0),
        checks_removed,
        ({ no_longer }) => no_longer.join(", "),
      ),
    ],
    [
      "check_changed",
      checks_changed,
      `A check changes at ${places(checks_changed)}, and what it lets through is not compared`,
      messages.list(
        items.filter(({ changed }) => changed.length > 0),
        checks_changed,
        ({ changed }) => changed.join(", "),
      ),
    ],
    [
      "taken_over",
      notes.taken_over,
      `Another object than before serves ${places(notes.taken_over)}`,
      messages.list(items.map(takenOver), notes.taken_over, instead),
    ],
  ];
  return all.flatMap(([code, count, start, named]) =>
    count > 0 ? [warning(code, `${start}: ${named}.`)] : [],
  );
}

/** The warning about what changes when rules expire. */
function warningsLater(
  later: LaterChange[],
  { later_newly_allowed: pairs }: Totals,
  { later_new }: EffectNotes,
  messages: Messages,
): Warning[] {
  if (pairs === null || pairs === 0) return [];
  const items = later.filter((item) => item.newly_allowed.length > 0 && !isOfPolicy(item));
  const named = messages.list(largestFirst(items), pairs, (item) => `from ${item.at}, ${largestOf(item)}`);
  return [warning("later_newly_allowed", `More sources get in when rules expire: ${named}.`, later_new > 0)];
}

/** An item with only the places that another object serves. */
const takenOver = (item: AccessChange): AccessChange => ({
  ...item,
  places: item.places.filter(({ instead_of }) => instead_of !== null),
});

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
