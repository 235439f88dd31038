import fc from "fast-check";

/*
 * Paths that servers read differently: encoded twice and badly, with dot segments, empty segments and bytes of every kind.
 */

/** Parts of paths that mean something to one reader or another. */
const PARTS = [
  ..."/ // /a /%61 /A /admin /%61dmin /./ /../ /.. /. /... /%2e%2E/ /%2e %2F %2f%2F /..;/ \\".split(" "),
  ..."/..\\ %5c %25 %2561 % %4 %zz %00 %0a %0D %09 %7f %20 %ff %C3%BC + ;x=1 ~_-.".split(" "),
  ..."'\"`$&|<>()[]{}^!*,:@=".split(" "),
];

const one = <T>(...items: T[]) => fc.constantFrom(...items);
const byte = fc.integer({ min: 0, max: 255 });
const hexOf = (value: number): string => value.toString(16).padStart(2, "0");

const escape = fc.tuple(byte, fc.boolean()).map(([value, isUpper]) => {
  const hex = hexOf(value);
  return `%${isUpper ? hex.toUpperCase() : hex}`;
});
const printable = fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code));

/** Parts of paths that can be sent as they are: printable ASCII without `?` and `#`. */
const part = fc.oneof(
  { weight: 8, arbitrary: one(...PARTS) },
  { weight: 2, arbitrary: escape },
  { weight: 2, arbitrary: printable.filter((character) => character !== "?" && character !== "#") },
);
export const oddPath = fc.array(part, { maxLength: 6 }).map((parts) => `/${parts.join("")}`);

/** Raw bytes that no path can have. */
const RAW = ["\u0080", "\u00ff", "\u00c3\u00bc", "\u007f", "#"];
const QUERIES = ["?", "?a=/../b", "?%zz"];

const mostly = <T>(usual: T, ...others: T[]) =>
  fc.oneof({ weight: 6, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: one(...others) });

/** Targets of requests, in bytes: paths, some with a query, some with bytes that cannot be sent as they are. */
export const oddTarget = fc
  .tuple(oddPath, mostly("", ...QUERIES), mostly("", ...RAW), fc.nat(20))
  .map(([path, query, raw, at]) => `${path.slice(0, 1 + at)}${raw}${path.slice(1 + at)}${query}`);

const encoder = new TextEncoder();

/** Another spelling of a path, in bytes, mostly with the same reading. */
export const respelled = (path: string): fc.Arbitrary<string> =>
  fc
    .tuple(
      fc.array(one("", "", "", "", "escape", "slash"), { minLength: 40, maxLength: 40 }),
      mostly("", "/", "x", "/../x", "//"),
    )
    .map(([changes, end]) => {
      const spelled = Array.from(path, (character, at) => {
        const change = changes[at % changes.length];
        const code = character.codePointAt(0) ?? 0;
        if (code > 0x7e || (change === "escape" && character !== "%"))
          return Array.from(encoder.encode(character), (value) => `%${hexOf(value)}`).join("");
        return change === "slash" && character === "/" ? "/%2f//" : character;
      });
      // The first slash is not escaped: without it, the target is no path.
      return `/${spelled.slice(1).join("")}${end}`;
    });

/** Matches of routes as the service accepts them in form, and as clients write them: not all can be read. */
export const oddMatch = fc.oneof(
  { weight: 4, arbitrary: oddPath },
  { weight: 1, arbitrary: fc.tuple(oddPath, one("ü", "é", "日本", "😀")).map((parts) => parts.join("")) },
);

/** A route's type and match. */
export const oddRoute = fc.record({
  match_type: one<"exact_path" | "path_prefix">("exact_path", "path_prefix"),
  match: oddMatch,
});
