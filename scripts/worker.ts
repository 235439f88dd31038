import { readFileSync } from "node:fs";
import { relative } from "node:path";
import { type Plugin } from "esbuild";
import { parseSync, Visitor } from "oxc-parser";

/** Functions whose objects document something, with the members that only the documentation has. */
const documented: Record<string, string[]> = {
  schema: ["description", "examples"],
  meta: ["description", "examples"],
  operation: ["summary", "description"],
};

/** The code of a module without what only the documentation shows. */
export function withoutTexts(file: string, code: string): string {
  const cuts: [number, number][] = [];
  new Visitor({
    CallExpression({ callee, arguments: given, end }) {
      if (
        callee.type === "MemberExpression" &&
        callee.property.type === "Identifier" &&
        callee.property.name === "describe" &&
        given.length === 1
      )
        cuts.push([callee.object.end, end]);
      const name =
        callee.type === "Identifier"
          ? callee.name
          : callee.type === "MemberExpression" && callee.property.type === "Identifier"
            ? callee.property.name
            : "";
      const members = documented[name];
      if (!members) return;
      for (const one of given) {
        const object = one.type === "ArrowFunctionExpression" ? one.body : one;
        const made = object.type === "ParenthesizedExpression" ? object.expression : object;
        if (made.type !== "ObjectExpression") continue;
        for (const property of made.properties)
          if (
            property.type === "Property" &&
            property.key.type === "Identifier" &&
            members.includes(property.key.name)
          ) {
            const comma = /^\s*,/.exec(code.slice(property.end))?.[0].length ?? 0;
            cuts.push([property.start, property.end + comma]);
          }
      }
    },
  }).visit(parseSync(file, code).program);
  let result = "";
  let at = 0;
  for (const [start, end] of cuts.toSorted(([a], [b]) => a - b)) {
    if (start < at) continue;
    result += code.slice(at, start);
    at = end;
  }
  return result + code.slice(at);
}

export const stripped: Plugin = {
  name: "without-texts",
  setup: (bundle) =>
    bundle.onLoad({ filter: /\/(?:src|packages\/model\/src)\/.*\.ts$/ }, ({ path }) => ({
      contents: withoutTexts(relative(".", path), readFileSync(path, "utf8")),
      loader: "ts",
    })),
};
