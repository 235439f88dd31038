import type { Bool, Int, Text } from "../program.ts";

/*
 * Whether a condition can end in an error, for the warnings of `check`. An error is ruled out by a guard next to it:
 * `'x' in req.headers && req.headers['x'][0] == 'a'`.
 */

/** What must hold so that a part is not an error. */
type Demands = ReadonlySet<string>;

const NOTHING: Demands = new Set();

function ofText(text: Text): string[] {
  switch (text.from) {
    case "path":
    case "host":
    case "content_type":
    case "client_common_name":
    case "restrict_ips_action":
      return [text.from];
    case "line":
      return Array.from({ length: text.index + 1 }, (_, i) => `${text.of.from} ${text.of.name} ${i}`);
    case "query_param":
    case "cookie":
      // Its value can be an error even if it is there: a bad escape, or a second cookie of the name.
      return [`${text.from} ${text.name}`, `${text.from} value`];
    case "var":
      return [`var ${text.name}`];
    case "lower":
    case "upper":
      return ofText(text.of);
    case "method":
    case "raw_path":
    case "query":
    case "uri":
    case "user_agent":
    case "sni":
    case "tls_version":
    case "alpn":
      return [];
  }
}

function ofInt(int: Int): string[] {
  if (int.from === "size") return [...ofText(int.of), "ascii"];
  if (int.from === "var") return [`var ${int.name}`];
  return int.from === "content_length" ? [int.from] : [];
}

/** What a condition demands. */
function demandsOf(bool: Bool): Demands {
  switch (bool.op) {
    case "const":
    case "line":
    case "address":
    case "time":
      return NOTHING;
    case "error":
      return new Set(["more than 8 lines"]);
    case "text":
      return new Set(bool.test === "matches" ? [...ofText(bool.text), "steps"] : ofText(bool.text));
    case "same":
      return new Set([...ofText(bool.a), ...ofText(bool.b)]);
    case "int":
      return new Set(ofInt(bool.int));
    case "has":
      return bool.map === "query_param" ? new Set(["names of parameters"]) : NOTHING;
    case "var":
      return new Set([`var ${bool.name}`]);
    case "kept":
      return new Set([bool.name]);
    case "not":
      return demandsOf(bool.of);
    case "and":
    case "or": {
      const guards = new Set(bool.of.flatMap((each) => [...assured(each, bool.op === "and")]));
      return without(new Set(bool.of.flatMap((each) => [...demandsOf(each)])), guards);
    }
    case "if": {
      const [yes, no] = [demandsOf(bool.yes), demandsOf(bool.no)];
      return new Set([
        ...demandsOf(bool.if),
        ...without(yes, assured(bool.if, true)),
        ...without(no, assured(bool.if, false)),
      ]);
    }
  }
}

/** What is known if a condition, which is a guard, is `value`. */
function assured(bool: Bool, value: boolean): Demands {
  switch (bool.op) {
    case "not":
      return assured(bool.of, !value);
    case "and":
    case "or":
      return value === (bool.op === "and")
        ? new Set(bool.of.flatMap((each) => [...assured(each, value)]))
        : NOTHING;
    case "int": {
      const { int, order } = bool;
      if (int.from !== "count") return NOTHING;
      const least = leastCount(order, bool.value, value);
      return new Set(
        Array.from({ length: Math.min(least, 101) }, (_, i) => `${int.of.from} ${int.of.name} ${i}`),
      );
    }
    case "has":
      return value ? new Set([`${bool.map} ${bool.name}`]) : NOTHING;
    case "const":
    case "error":
    case "if":
    case "text":
    case "same":
    case "line":
    case "address":
    case "time":
    case "var":
    case "kept":
      return NOTHING;
  }
}

/** The least count for which a comparison has this result. */
function leastCount(order: string, limit: number, value: boolean): number {
  if (value) return order === ">" ? limit + 1 : order === ">=" || order === "==" ? limit : 0;
  return order === "<=" ? limit + 1 : order === "<" ? limit : 0;
}

const without = (all: Demands, removed: Demands): Demands =>
  new Set([...all].filter((each) => !removed.has(each)));

/** Whether a condition can end in an error. */
export const canFail = (bool: Bool): boolean => demandsOf(bool).size > 0;
