/** Why a policy is not enforced: it breaks a rule of the language, or nothing here can do what it says. */
export type Reason = "invalid" | "not_enforced";

/** What is wrong with a policy. */
export class Wrong extends Error {
  readonly reason: Reason;
  /** Position in the string that contains it, in UTF-16 units. */
  readonly at: number | undefined;
  readonly code: string;
  readonly #sentence: Sentence;

  constructor(reason: Reason, sentence: Sentence, at?: number, code = `traffic_policy_${reason}`) {
    super(reason);
    this.reason = reason;
    this.at = at;
    this.code = code;
    this.#sentence = sentence;
  }

  /** What is wrong, for people. */
  sentence(): string {
    return typeof this.#sentence === "string" ? this.#sentence : this.#sentence();
  }
}

/** What is wrong. A sentence with a suggestion takes time, and is only made if it is shown. */
export type Sentence = string | (() => string);

/** @throws Wrong always: the policy breaks a rule of the language */
export function invalid(sentence: Sentence, at?: number): never {
  throw new Wrong("invalid", sentence, at);
}

/** @throws Wrong always: the policy is valid, but cannot be enforced */
export function notEnforced(sentence: string, at?: number): never {
  throw new Wrong("not_enforced", sentence, at);
}

/** The longest names that are compared: the time is quadratic in their length. */
const LONGEST_NAME = 64;
/** The most names that a name is compared with. */
const MOST_NAMES = 100;

/** `; did you mean "…"?` with the most similar name, or nothing if none is similar. */
export function suggestion(name: string, names: Iterable<string>): string {
  if (name.length > LONGEST_NAME) return "";
  let best: string | undefined;
  let least = Math.max(2, Math.floor(name.length / 3)) + 1;
  for (const known of Array.from(names).slice(0, MOST_NAMES)) {
    const distance = distanceOf(name.toLowerCase(), known.toLowerCase());
    if (distance < least) [best, least] = [known, distance];
  }
  return best === undefined ? "" : `; did you mean "${best}"?`;
}

/** Levenshtein distance. */
function distanceOf(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 0; i < a.length; i++) {
    const next = [i + 1];
    for (let j = 0; j < b.length; j++) {
      const replaced = (row[j] ?? 0) + (a[i] === b[j] ? 0 : 1);
      next.push(Math.min(replaced, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
