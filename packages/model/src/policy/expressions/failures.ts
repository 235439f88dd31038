import type { Bool, Int, Lines, Text } from "../base/program.ts";

/*
 * Whether a condition can end in an error, for the warnings of `check`. An error is ruled out by a guard next to it:
 * `'x' in req.headers && req.headers['x'][0] == 'a'`.
 */

/**
 * What must hold so that a part is not an error: for a header's lines, how many there are at least; 1 for anything else. A guard
 * assures the same.
 */
type Demands = ReadonlyMap<string, number>;

const NOTHING: Demands = new Map();

const demanding = (...names: string[]): Demands => new Map(names.map((name) => [name, 1]));

/** The lines of a header or of a response header. */
const linesOf = ({ from, name }: Lines): string => `${from} ${name}`;

function ofText(text: Text): Demands {
  switch (text.from) {
    case "path":
    case "host":
    case "content_type":
    case "client_common_name":
    case "restrict_ips_action":
      return demanding(text.from);
    case "line":
      return new Map([[linesOf(text.of), text.index + 1]]);
    case "query_param":
    case "cookie":
      // Its value can be an error even if it is there: a bad escape, or a second cookie of the name.
      return demanding(`${text.from} ${text.name}`, `${text.from} value`);
    case "var":
      return demanding(`var ${text.name}`);
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
      return NOTHING;
  }
}

function ofInt(int: Int): Demands {
  if (int.from === "size") return all([ofText(int.of), demanding("ascii")]);
  if (int.from === "var") return demanding(`var ${int.name}`);
  return int.from === "content_length" ? demanding(int.from) : NOTHING;
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
      return demanding("more than 8 lines");
    case "text":
      return bool.test === "matches" ? all([ofText(bool.text), demanding("steps")]) : ofText(bool.text);
    case "same":
      return all([ofText(bool.a), ofText(bool.b)]);
    case "int":
      return ofInt(bool.int);
    case "has":
      return bool.map === "query_param" ? demanding("names of parameters") : NOTHING;
    case "var":
      return demanding(`var ${bool.name}`);
    case "kept":
      return demanding(bool.name);
    case "not":
      return demandsOf(bool.of);
    case "and":
    case "or":
      return without(
        all(bool.of.map(demandsOf)),
        all(bool.of.map((each) => assured(each, bool.op === "and"))),
      );
    case "if":
      return all([
        demandsOf(bool.if),
        without(demandsOf(bool.yes), assured(bool.if, true)),
        without(demandsOf(bool.no), assured(bool.if, false)),
      ]);
  }
}

/** What is known if a condition, which is a guard, is `value`. */
function assured(bool: Bool, value: boolean): Demands {
  switch (bool.op) {
    case "not":
      return assured(bool.of, !value);
    case "and":
    case "or":
      return value === (bool.op === "and") ? all(bool.of.map((each) => assured(each, value))) : NOTHING;
    case "int": {
      const { int, order } = bool;
      if (int.from !== "count") return NOTHING;
      return new Map([[linesOf(int.of), leastCount(order, bool.value, value)]]);
    }
    case "has":
      return value ? demanding(`${bool.map} ${bool.name}`) : NOTHING;
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

function all(demands: Demands[]): Demands {
  const [only] = demands;
  if (only && demands.length === 1) return only;
  const most = new Map<string, number>();
  for (const each of demands)
    for (const [name, count] of each) most.set(name, Math.max(count, most.get(name) ?? 0));
  return most;
}

const without = (demands: Demands, guards: Demands): Demands =>
  guards.size === 0
    ? demands
    : new Map([...demands].filter(([name, count]) => count > (guards.get(name) ?? 0)));

/** Whether a condition can end in an error. */
export const canFail = (bool: Bool): boolean => demandsOf(bool).size > 0;
