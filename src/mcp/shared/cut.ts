/*
 * Results have at most 24 kB, because everything in them takes space in the context of a model.
 */

/** The most bytes of a result, as JSON. */
const RESULT_BYTES = 24_000;

/** The most bytes of one item of a result. */
const ITEM_BYTES = 6_000;

/** The most characters of a sentence. */
const SENTENCE = 1_000;

const encoder = new TextEncoder();
const bytesOf = (value: unknown): number => encoder.encode(JSON.stringify(value)).byteLength;

/** Limits for the parts of an item, from the mildest: characters of a string, and members of a list or a map. */
const LIMITS = [
  { characters: 4_000, members: 200 },
  { characters: 1_000, members: 50 },
  { characters: 200, members: 20 },
  { characters: 100, members: 8 },
  { characters: 50, members: 4 },
] as const;

type Limits = (typeof LIMITS)[number];

/** A value with long strings, lists and maps cut to the limits; strings end with an ellipsis. */
function within(value: unknown, limits: Limits): unknown {
  if (typeof value === "string")
    return value.length > limits.characters
      ? `${value.slice(0, limits.characters).toWellFormed()}… (${value.length} characters)`
      : value;
  if (Array.isArray(value)) return value.slice(0, limits.members).map((item) => within(item, limits));
  if (typeof value !== "object" || value === null) return value;
  // Objects of the API have fewer fields than that: only maps have more.
  const members = Object.entries(value).slice(0, Math.max(limits.members, 40));
  return Object.fromEntries(members.map(([name, member]) => [name, within(member, limits)]));
}

/** Part of a result, which has fields of the API. */
type Item = Record<string, unknown>;

/** An item that fits, with its parts cut if necessary. */
function fitting(given: object, most: number): { item: Item; isCut: boolean } {
  const item: Item = { ...given };
  if (bytesOf(item) <= most) return { item, isCut: false };
  for (const limits of LIMITS) {
    const shown: Item = Object.fromEntries(
      Object.entries(item).map(([name, member]) => [name, within(member, limits)]),
    );
    if (bytesOf(shown) <= most) return { item: shown, isCut: true };
  }
  // Nothing of the API gets here: as a last resort, show only the id.
  return { item: { id: item["id"] }, isCut: true };
}

/** A list from whose start as many items are kept as fit. */
interface Kept {
  items: Item[];
  /** True if items, or parts of items, were left out. */
  isCut: boolean;
}

/** The space in a result, which its parts use up in order. */
export class Room {
  #left: number;

  /** @param used the parts of the result that are not cut */
  constructor(used: object = {}) {
    this.#left = RESULT_BYTES - 500 - bytesOf(used);
  }

  /** One object, whose parts are cut if necessary. */
  one(given: object): { item: Item; isCut: boolean } {
    const shown = fitting(given, Math.max(1_000, Math.min(this.#left, RESULT_BYTES / 2)));
    this.#left -= bytesOf(shown.item);
    return shown;
  }

  /** A sentence, which is cut if it is long. */
  text(given: string): string {
    return given.length > SENTENCE ? `${given.slice(0, SENTENCE).toWellFormed()}…` : given;
  }

  /** As many items of a list as fit. */
  list(given: readonly object[]): Kept {
    const items: Item[] = [];
    let isCut = false;
    for (const each of given) {
      const shown = fitting(each, ITEM_BYTES);
      const bytes = bytesOf(shown.item) + 1;
      if (bytes > this.#left) return { items, isCut: true };
      this.#left -= bytes;
      isCut ||= shown.isCut;
      items.push(shown.item);
    }
    return { items, isCut };
  }
}
