import type { AddressVariable, Bool, Int, Order, Text } from "../../../model/src/policy/base/program.ts";
import { chunks } from "../base/groups.ts";
import { quote } from "../base/quote.ts";
import { allLines, count, hasCookie, resultVariable, type Sample, Texts, variable } from "./texts.ts";
import {
  ALWAYS,
  type Both,
  cross,
  flag,
  limited,
  negated,
  NEVER,
  regexArgument,
  test,
  when,
  type Writer,
} from "./writer.ts";

const MATCHES = { is: "str", begins: "beg", ends: "end", contains: "sub", matches: "reg" } as const;
const ORDERS: Record<Order, string> = { "==": "eq", "<": "lt", "<=": "le", ">": "gt", ">=": "ge" };
const FETCHES: Record<AddressVariable, string> = { client_ip: "src", server_ip: "dst" };

/** Values in one condition: a line has at most 64 words. */
const VALUES = 20;

/** Translates expressions of one rule. They are all evaluated at the same point. */
export class Conditions {
  readonly #writer: Writer;
  readonly #request: Writer;
  texts: Texts;

  /** @param request the writer at the end of the request, in the phase of responses; otherwise the same */
  constructor(writer: Writer, request: Writer) {
    this.#writer = writer;
    this.#request = request;
    this.texts = new Texts(writer, request);
  }

  /** Forgets what was fetched: an action has changed it. */
  forget(): void {
    this.texts = new Texts(this.#writer, this.#request);
  }

  /** When an expression is true, and when it is false. */
  bool(bool: Bool): Both {
    const writer = this.#writer;
    switch (bool.op) {
      case "const":
        return bool.value ? { yes: ALWAYS, no: NEVER } : { yes: NEVER, no: ALWAYS };
      case "error":
        return { yes: NEVER, no: NEVER };
      case "not":
        return not(this.bool(bool.of));
      case "and":
        return this.all(bool.of);
      case "or":
        return not(this.all(bool.of.map((of) => ({ op: "not", of }))));
      case "if": {
        const [condition, yes, no] = [this.bool(bool.if), this.bool(bool.yes), this.bool(bool.no)];
        return writer.compact({
          yes: [...cross(condition.yes, yes.yes), ...cross(condition.no, no.yes)],
          no: [...cross(condition.yes, yes.no), ...cross(condition.no, no.no)],
        });
      }
      case "text":
        return writer.compact(this.#text(bool));
      case "same": {
        const [a, b] = [this.texts.text(bool.a), this.texts.text(bool.b)];
        const other = writer.hold(b.fetch);
        return writer.compact(
          test([...a.known, ...b.known], `{ ${quote(`${a.fetch},strcmp(${other})`)} eq 0 }`),
        );
      }
      case "line":
        return this.#inRequest(bool.of.from === "header", (at) =>
          at.any([], conditionsOf(allLines(bool.of), MATCHES[bool.test], bool.values)),
        );
      case "int":
        return this.#int(bool.int, bool.order, bool.value);
      case "address":
        return this.addresses(bool.address, bool.in);
      case "has":
        return this.#inRequest(true, () =>
          bool.map === "cookie"
            ? test([], hasCookie(bool.name))
            : test([this.texts.plainNames()], this.texts.hasParameter(bool.name)),
        );
      case "time":
        return test([], compared("date", bool.order, bool.value));
      case "var":
        return flag(variable(writer, bool.name));
      case "kept":
        return flag(resultVariable(writer, bool.name));
    }
  }

  /** A conjunction: false if any part is false, even if another is an error. */
  all(parts: Bool[]): Both {
    return parts
      .map((part) => this.bool(part))
      .reduce<Both>((a, b) => this.#writer.compact({ yes: cross(a.yes, b.yes), no: [...a.no, ...b.no] }), {
        yes: ALWAYS,
        no: NEVER,
      });
  }

  /** What only the request can answer is asked at its end, in the phase of responses. */
  #inRequest(isOfRequest: boolean, make: (at: Writer) => Both): Both {
    if (!isOfRequest || this.#request === this.#writer) return this.#writer.compact(make(this.#writer));
    return this.#request.keep(make(this.#request));
  }

  #text({ text, test: asked, values }: { text: Text; test: keyof typeof MATCHES; values: string[] }): Both {
    const { fetch, known } = this.texts.text(text);
    const [value = ""] = values;
    if (asked === "matches") return this.#matches(fetch, known, value);
    // Everything begins with, ends with and contains an empty string.
    if (asked !== "is" && values.includes("")) return { yes: [known], no: NEVER };
    return values.length === 0
      ? { yes: NEVER, no: [known] }
      : this.#writer.any(known, conditionsOf(fetch, MATCHES[asked], values));
  }

  /** PCRE gives up after some steps, which looks as if nothing matched. False needs a proof that it came to an end. */
  #matches(fetch: string, known: string[], pattern: string): Both {
    const held = this.#writer.hold(fetch);
    const proof = this.#writer.hold(
      `var(${held}),regsub(${regexArgument(`${limited(pattern, 2000)}|\\z`)},${regexArgument("\n")})`,
    );
    const both = test(known, when(`var(${held})`, "reg", limited(pattern)));
    const isProven = negated(`{ ${quote(`var(${proof}),strcmp(${held})`)} eq 0 }`);
    return { yes: both.yes, no: both.no.map((conditions) => [...conditions, isProven]) };
  }

  #int(int: Int, order: Order, value: number): Both {
    const { fetch, known } = this.number(int);
    return this.#writer.compact(test(known, compared(fetch, order, value)));
  }

  /** A number. In the phase of responses, what only the request can answer is kept at its end. */
  number(int: Int): Sample {
    const ofRequest = (sample: Sample): Sample => {
      if (this.#request === this.#writer) return sample;
      const name = this.#request.hold(sample.fetch, sample.known);
      return { fetch: `var(${name})`, known: [`{ var(${name}) -m found }`] };
    };
    switch (int.from) {
      case "client_port":
        return { fetch: "src_port", known: [] };
      case "server_port":
        return { fetch: "dst_port", known: [] };
      case "status_code":
        return { fetch: "status", known: [] };
      case "content_length":
        return ofRequest({
          fetch: "req.fhdr(content-length,1)",
          known: ["{ req.fhdr_cnt(content-length) gt 0 }"],
        });
      case "count": {
        const sample = { fetch: count(int.of), known: [] };
        return int.of.from === "header" ? ofRequest(sample) : sample;
      }
      case "var": {
        const name = variable(this.#writer, int.name);
        return { fetch: `var(${name})`, known: [`{ var(${name}) -m found }`] };
      }
      case "size": {
        const { fetch, known } = this.texts.text(int.of);
        const held = this.#writer.hold(fetch);
        // HAProxy counts bytes, CEL code points: other strings than ASCII are errors.
        const isAscii = when(`var(${held})`, "reg", String.raw`^[\x01-\x7f]*\z`);
        return { fetch: `var(${held}),length`, known: [...known, isAscii] };
      }
    }
  }

  /** HAProxy matches addresses across families: the family is asked first. */
  addresses(address: AddressVariable, ranges: string[]): Both {
    const fetch = FETCHES[address];
    const isIpv4 = `{ ${fetch} ::ffff:0:0/96 }`;
    const name = this.#writer.name();
    if (ranges.length === 0) return { yes: NEVER, no: ALWAYS };
    this.#writer.add(`set-var(${name}) bool(false)`);
    for (const [family, own] of [
      [isIpv4, ranges.filter((range) => !range.includes(":"))],
      [negated(isIpv4), ranges.filter((range) => range.includes(":"))],
    ] as const)
      for (const some of chunks(own, VALUES))
        this.#writer.add(`set-var(${name}) bool(true)`, [family, `{ ${fetch} ${some.join(" ")} }`]);
    return flag(name);
  }
}

const not = ({ yes, no }: Both): Both => ({ yes: no, no: yes });

/** Conditions that compare a sample with values, of which any may hold. */
function conditionsOf(fetch: string, match: string, values: string[]): string[] {
  const full = values.filter((value) => value !== "");
  const empty = match === "str" ? [when(fetch, "str", "")] : [`{ ${quote(fetch)} -m found }`];
  return [
    ...chunks(full, VALUES).map((some) => when(fetch, match, ...some)),
    ...(full.length < values.length ? empty : []),
  ];
}

/** Compares a number. A pattern with a minus sign would be read as a range. */
const compared = (fetch: string, order: Order, value: number): string =>
  value < 0
    ? `{ ${quote(`${fetch},add(${-value})`)} -m int ${ORDERS[order]} 0 }`
    : `{ ${quote(fetch)} -m int ${ORDERS[order]} ${value} }`;
