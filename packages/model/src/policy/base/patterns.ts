import { invalid, notEnforced } from "./wrong.ts";

/*
 * Regular expressions that RE2 and PCRE2 read alike. They are parsed and written again in a form that has one meaning in both:
 * `$` becomes `\z`, `\s` a class, and every literal punctuation character is escaped.
 */

const LONGEST_PATTERN = 512;
const MOST_REPETITIONS = 1000;
const DEEPEST = 32;
/** RE2 copies what is repeated: nested repetitions multiply. */
const MOST_COPIES = 1000;

const CLASSES: Record<string, string> = {
  d: "0-9",
  w: "0-9A-Za-z_",
  s: String.raw`\t\n\f\r `,
};
const POSIX: Record<string, string> = {
  alnum: "0-9A-Za-z",
  alpha: "A-Za-z",
  digit: "0-9",
  lower: "a-z",
  upper: "A-Z",
  xdigit: "0-9A-Fa-f",
  word: "0-9A-Za-z_",
};
const CONTROLS: Record<string, number> = { t: 9, n: 10, v: 11, f: 12, r: 13, a: 7 };
const ASSERTIONS: Record<string, string> = {
  b: String.raw`\b`,
  B: String.raw`\B`,
  A: "^",
  z: String.raw`\z`,
};

/** A pattern in a form that RE2 and PCRE2 read alike. */
export interface Pattern {
  text: string;
  groups: number;
  /** Whether it asks what is around a position: \b, \B. */
  hasBoundaries: boolean;
  /** Whether it repeats a group without a limit: PCRE remembers a state for each repetition, and gives up after some. */
  repeatsGroups: boolean;
}

/** Parses a pattern. @throws Wrong */
export function patternOf(source: string): Pattern {
  if (source.length > LONGEST_PATTERN)
    notEnforced(`The pattern has more than ${LONGEST_PATTERN} characters.`);
  return new Reader(source).read();
}

/** A character that stands for itself. */
const literal = (code: number): string => {
  const character = String.fromCharCode(code);
  if (/[0-9A-Za-z_ ]/.test(character)) return character;
  if (code < 32 || code === 127) return String.raw`\x${code.toString(16).padStart(2, "0")}`;
  return `\\${character}`;
};

interface Atom {
  text: string;
  canRepeat: boolean;
  /** The most copies that RE2 makes of a part of it. */
  copies: number;
}

class Reader {
  readonly #source: string;
  #at = 0;
  #groups = 0;
  #repeatsGroups = false;
  #depth = 0;

  constructor(source: string) {
    this.#source = source;
  }

  read(): Pattern {
    const { text } = this.#alternatives();
    if (this.#at < this.#source.length) invalid(`Pattern: unexpected ")" at ${this.#at}.`);
    return {
      text,
      groups: this.#groups,
      hasBoundaries: /(?:^|[^\\])(?:\\\\)*\\b/i.test(text),
      repeatsGroups: this.#repeatsGroups,
    };
  }

  #peek(text: string): boolean {
    return this.#source.startsWith(text, this.#at);
  }

  #take(text: string): boolean {
    if (!this.#peek(text)) return false;
    this.#at += text.length;
    return true;
  }

  #next(): number {
    const code = this.#source.codePointAt(this.#at);
    if (code === undefined) return invalid("Pattern: it ends too early.");
    if (code === 0) return invalid("Pattern: it contains NUL.");
    if (code > 126 && code !== 127) return notEnforced("The pattern has characters that are not ASCII.");
    this.#at++;
    return code;
  }

  #alternatives(): Atom {
    if (++this.#depth > DEEPEST) notEnforced("The pattern is nested too deeply.");
    let text = "";
    let copies = 1;
    for (;;) {
      while (this.#at < this.#source.length && !this.#peek("|") && !this.#peek(")")) {
        const item = this.#repeated();
        text += item.text;
        copies = Math.max(copies, item.copies);
      }
      if (!this.#take("|")) break;
      text += "|";
    }
    this.#depth--;
    return { text, canRepeat: true, copies };
  }

  #repeated(): Atom {
    const isGroup = this.#peek("(");
    const atom = this.#atom();
    const sign = /^(?:[*+?]|\{(\d{1,4})(,(\d{0,4}))?\})(\??)/.exec(this.#source.slice(this.#at));
    if (!sign) return atom;
    const [whole, least, comma, most, lazy = ""] = sign;
    if (!atom.canRepeat) notEnforced("The pattern repeats something that has no length.");
    this.#at += whole.length;
    if (/^[*+?]|^\{\d/.test(this.#source.slice(this.#at)))
      notEnforced("The pattern has a possessive repetition, or repeats a repetition.");
    if (isGroup && (whole.startsWith("*") || whole.startsWith("+") || most === ""))
      this.#repeatsGroups = true;
    if (least === undefined) return { ...atom, text: atom.text + whole, canRepeat: false };
    const from = Number(least);
    const to = comma === undefined ? from : most === "" || most === undefined ? undefined : Number(most);
    if (from > MOST_REPETITIONS || (to ?? 0) > MOST_REPETITIONS)
      invalid(`Pattern: at most ${MOST_REPETITIONS} repetitions.`);
    if (to !== undefined && to < from) invalid("Pattern: the range of repetitions is reversed.");
    const copies = atom.copies * Math.max(from, to ?? 0, 1);
    if (copies > MOST_COPIES) notEnforced(`The pattern repeats a part more than ${MOST_COPIES} times.`);
    const range = to === undefined ? `{${from},}` : to === from ? `{${from}}` : `{${from},${to}}`;
    return { text: atom.text + range + lazy, canRepeat: false, copies };
  }

  #atom(): Atom {
    const plain = (text: string, canRepeat = true): Atom => ({ text, canRepeat, copies: 1 });
    if (this.#take("(")) return this.#group();
    if (this.#take("[")) return plain(this.#class());
    if (this.#take(".")) return plain(".");
    if (this.#take("^")) return plain("^", false);
    if (this.#take("$")) return plain(String.raw`\z`, false);
    if (/^(?:[*+?]|\{\d+(?:,\d*)?\})/.test(this.#source.slice(this.#at)))
      invalid(`Pattern: nothing to repeat at ${this.#at}.`);
    if (!this.#take("\\")) return plain(literal(this.#next()));
    const escape = this.#source[this.#at] ?? "";
    const assertion = ASSERTIONS[escape];
    if (assertion !== undefined) {
      this.#at++;
      return plain(assertion, false);
    }
    const members = CLASSES[escape.toLowerCase()];
    if (members !== undefined) {
      this.#at++;
      return plain(escape === escape.toLowerCase() ? `[${members}]` : `[^${members}]`);
    }
    return plain(literal(this.#escaped()));
  }

  /** The character of an escape, after the backslash. */
  #escaped(): number {
    const [hex, code] = /^x(?:\{([0-9A-Fa-f]{1,2})\}|([0-9A-Fa-f]{2}))/
      .exec(this.#source.slice(this.#at))
      ?.filter((part) => part !== undefined) ?? [undefined, undefined];
    if (hex !== undefined && code !== undefined) {
      this.#at += hex.length;
      const value = Number.parseInt(code, 16);
      if (value === 0 || value > 127) notEnforced("The pattern has an escape that is not ASCII.");
      return value;
    }
    const next = this.#next();
    const character = String.fromCharCode(next);
    const control = CONTROLS[character];
    if (control !== undefined) return control;
    if (/[0-9A-Za-z]/.test(character)) {
      if (/[0-9]/.test(character)) return notEnforced("The pattern has a back-reference.");
      if (/[pPCQE]/.test(character)) return notEnforced(`The pattern has the escape \\${character}.`);
      return invalid(`Pattern: unknown escape \\${character}.`);
    }
    return next;
  }

  #group(): Atom {
    let opening = "(";
    if (this.#take("?")) {
      if (/^(?:[=!]|<[=!])/.test(this.#source.slice(this.#at))) notEnforced("The pattern has a look-around.");
      const name = /^P?<([A-Za-z_]\w{0,31})>/.exec(this.#source.slice(this.#at));
      const flags = /^(-?[is]{1,2}|[is]-[is])?([:)])/.exec(this.#source.slice(this.#at));
      if (name) {
        this.#at += name[0].length;
        this.#groups++;
      } else if (flags) {
        this.#at += flags[0].length;
        opening = `(?${flags[1] ?? ""}${flags[2]}`;
        if (flags[2] === ")") {
          if (flags[1] === undefined) invalid("Pattern: (?) has no flags.");
          return { text: opening, canRepeat: false, copies: 1 };
        }
      } else notEnforced("The pattern has a group other than (…), (?:…), (?<name>…) and the flags i and s.");
    } else this.#groups++;
    const inside = this.#alternatives();
    if (!this.#take(")")) invalid('Pattern: ")" is missing.');
    return { text: `${opening}${inside.text})`, canRepeat: true, copies: inside.copies };
  }

  #class(): string {
    let text = this.#take("^") ? "[^" : "[";
    let isFirst = true;
    while (isFirst || !this.#peek("]")) {
      const posix = /^\[:(\^?)(\w+):\]/.exec(this.#source.slice(this.#at));
      const members = posix && POSIX[posix[2] ?? ""];
      if (posix) {
        if (members === undefined || posix[1] === "^") notEnforced(`The pattern has the class ${posix[0]}.`);
        this.#at += posix[0].length;
        text += members;
      } else text += this.#member();
      isFirst = false;
    }
    this.#at++;
    return `${text}]`;
  }

  /** A character, a range, or a class inside a class. */
  #member(): string {
    const inner = /^\\([dws])/.exec(this.#source.slice(this.#at));
    if (inner) {
      this.#at += 2;
      if (this.#peek("-") && !this.#peek("-]")) invalid("Pattern: a class begins a range.");
      return CLASSES[inner[1] ?? ""] ?? "";
    }
    if (/^\\[DWS]/.test(this.#source.slice(this.#at)))
      notEnforced("The pattern has a negated class inside a class.");
    const from = this.#classCharacter();
    if (!this.#peek("-") || this.#peek("-]")) return literal(from);
    this.#at++;
    if (/^(?:\\[dwsDWS]|\[:)/.test(this.#source.slice(this.#at))) invalid("Pattern: a class ends a range.");
    const to = this.#classCharacter();
    if (to < from) invalid("Pattern: the range of characters is reversed.");
    return `${literal(from)}-${literal(to)}`;
  }

  #classCharacter(): number {
    return this.#take("\\") ? this.#escaped() : this.#next();
  }
}
