import type { Json } from "../../json.ts";
import type { Steps } from "./steps.ts";
import { invalid, notEnforced, suggestion, Wrong } from "./wrong.ts";

/** Something that is wrong with a policy, or worth a warning. */
export interface Finding {
  severity: "error" | "warning";
  code: string;
  /** JSON pointer of the string or object. */
  path: string;
  /** Position in the string at `path`, in UTF-16 units. */
  offset: number | null;
  msg: string;
}

/** What changes nobody's access may be left out, and is reported. */
export const PARTLY = "traffic_policy_partly_enforced";
const MOST_FINDINGS = 100;

/** Collects findings. */
export class Findings {
  readonly list: Finding[] = [];
  #isInvalid = false;
  #isUnenforced = false;

  get verdict(): "enforced" | "invalid" | "not_enforced" {
    if (this.#isInvalid) return "invalid";
    return this.#isUnenforced ? "not_enforced" : "enforced";
  }

  /** Whether nothing else that is wrong changes anything. */
  get isComplete(): boolean {
    return this.#isFull && this.#isInvalid;
  }

  /** Runs a step, and keeps what is wrong with it. Returns undefined then. */
  try<Result>(path: string, step: () => Result): Result | undefined {
    try {
      return step();
    } catch (error) {
      return this.#wrong(path, error);
    }
  }

  /** The same for a step that can pause. */
  *trySteps<Result>(path: string, steps: Steps<Result>): Steps<Result | undefined> {
    try {
      return yield* steps;
    } catch (error) {
      return this.#wrong(path, error);
    }
  }

  #wrong(path: string, error: unknown): undefined {
    if (!(error instanceof Wrong)) throw error;
    this.#isInvalid ||= error.reason === "invalid";
    this.#isUnenforced ||= error.reason === "not_enforced";
    this.#add(() => ({
      severity: "error",
      code: error.code,
      path,
      offset: error.at ?? null,
      msg: error.sentence(),
    }));
  }

  warn(code: string, path: string, msg: string): void {
    this.#add(() => ({ severity: "warning", code, path, offset: null, msg }));
  }

  #add(finding: () => Finding): void {
    if (!this.#isFull) this.list.push(finding());
  }

  get #isFull(): boolean {
    return this.list.length >= MOST_FINDINGS;
  }
}

/** One token of a JSON pointer (RFC 6901). */
export const pointer = (path: string, name: string | number): string =>
  `${path}/${String(name).replaceAll("~", "~0").replaceAll("/", "~1")}`;

/** An object of a policy, whose members are read by name. Reports members that nothing has read. */
export class PolicyFields {
  readonly path: string;
  readonly findings: Findings;
  readonly #members: Map<string, Json>;

  /** @throws Wrong if the value is not an object */
  constructor(value: Json, path: string, findings: Findings) {
    if (typeof value !== "object" || value === null || Array.isArray(value)) invalid("Expected an object.");
    this.#members = new Map(Object.entries(value));
    this.path = path;
    this.findings = findings;
  }

  has(name: string): boolean {
    return (this.#members.get(name) ?? null) !== null;
  }

  /** Reports members other than these. */
  only(names: string[]): this {
    for (const name of this.#members.keys()) {
      if (this.findings.isComplete) break;
      if (!names.includes(name))
        this.findings.try(pointer(this.path, name), () =>
          invalid(
            () =>
              `Unknown member "${name}"${suggestion(name, names) || `; accepted: ${names.join(", ") || "none"}.`}`,
          ),
        );
    }
    return this;
  }

  /** Reads a member; `otherwise` if it is absent. Undefined if it is wrong. */
  read<Result>(
    name: string,
    step: (value: Json, path: string) => Result,
    otherwise?: Result,
  ): Result | undefined {
    const value = this.#members.get(name) ?? null;
    const path = pointer(this.path, name);
    if (value !== null) return this.findings.try(path, () => step(value, path));
    return otherwise ?? this.findings.try(this.path, () => invalid(`"${name}" is missing.`));
  }
}

export const aString =
  (most = Number.POSITIVE_INFINITY) =>
  (value: Json): string => {
    if (typeof value !== "string") return invalid("Expected a string.");
    if (value.includes("\0")) return notEnforced("Strings with NUL are not enforced.", value.indexOf("\0"));
    return new TextEncoder().encode(value).length > most ? notEnforced(`Longer than ${most} bytes.`) : value;
  };

export const aBoolean = (value: Json): boolean =>
  typeof value === "boolean" ? value : invalid("Expected true or false.");

/** An integer of a range. */
export const anInteger =
  (least: number, most: number) =>
  (value: Json): number =>
    typeof value === "number" && Number.isInteger(value) && value >= least && value <= most
      ? value
      : invalid(`Expected a whole number from ${least} to ${most}.`);

/** The items of a list of at most `most`. */
export function itemsOf(value: Json, least: number, most: number): Json[] {
  if (!Array.isArray(value)) return invalid("Expected a list.");
  if (value.length < least) return invalid(`Expected at least ${least}.`);
  return value.length > most ? notEnforced(`More than ${most} are not enforced.`) : value;
}

/** A list of at most `most` items; what is wrong with one is reported at its place. */
export const aList =
  <Item>(findings: Findings, item: (value: Json, path: string) => Item, least: number, most: number) =>
  (value: Json, path: string): Item[] =>
    itemsOf(value, least, most).flatMap((each, index) => {
      const at = pointer(path, index);
      const read = findings.try(at, () => [item(each, at)]);
      return read ?? [];
    });
