import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { build, type BuildOptions, type Plugin } from "esbuild";
import { type Node, parseSync, Visitor } from "oxc-parser";
import { forBytes } from "./byte_tables.ts";

/*
 * Bundles the Worker without the parts of its sources that only the documentation needs. The build writes the documentation to static
 * assets. When a Worker starts, every byte of it is compiled, even code that never runs.
 *
 * For example, `schema("Ref", () => ({ description: "A reference.", type: z.strictObject({ id: z.string().describe("Its id.") }) }))`
 * becomes `/* @__PURE__ *\/ schema("Ref", () => ({ type: z.strictObject({ id: z.string() }) }))`. If only responses use the schema, the
 * bundler then removes it.
 */

/** The fields that only the documentation needs, by the function that receives them in an object, or by the table that has them. */
const members: Record<string, readonly string[]> = {
  schema: ["description", "examples"],
  meta: ["description", "examples"],
  operation: ["summary", "description", "tag", "response", "errors", "names"],
  edgeModule: ["about", "description", "example", "shown"],
  plainModule: ["about", "description", "example", "shown"],
  tool: ["title", "description", "output", "hints"],
  kinds: ["about", "purpose"],
  errorCodes: ["cause", "cure"],
};

/** The index of an argument that only the documentation needs, by function. */
const schemas: Record<string, number> = { operationsOn: 1 };

type Edit = [start: number, end: number, text?: string];

/** The edit that removes a field of an object literal, with its comma. */
const cutMember = ({ start, end }: Pick<Node, "start" | "end">, code: string): Edit => [
  start,
  end + (/^\s*,/.exec(code.slice(end))?.[0].length ?? 0),
];

/** The edits that remove fields from an object literal, from the literals in it, or from the literal that an arrow function returns. */
function without(names: readonly string[] | undefined, value: Node | null, code: string): Edit[] {
  if (!names || !value) return [];
  if (value.type === "ArrowFunctionExpression") return without(names, value.body, code);
  if (
    value.type === "ParenthesizedExpression" ||
    value.type === "TSAsExpression" ||
    value.type === "TSSatisfiesExpression"
  )
    return without(names, value.expression, code);
  if (value.type !== "ObjectExpression") return [];
  return value.properties.flatMap((property) => {
    if (property.type !== "Property") return [];
    const { key, value: inner } = property;
    if (key.type === "Identifier" && names.includes(key.name)) return [cutMember(property, code)];
    return inner.type === "ObjectExpression" ? without(names, inner, code) : [];
  });
}

/** The code of a module without the parts that only the documentation needs. */
function withoutTexts(file: string, code: string): string {
  const edits: Edit[] = [];
  new Visitor({
    CallExpression({ callee, arguments: given, start, end }) {
      if (callee.type === "MemberExpression" && callee.property.type === "Identifier") {
        if (callee.property.name === "describe" && given.length === 1) edits.push([callee.object.end, end]);
        if (callee.property.name === "meta") edits.push(...without(members["meta"], given[0] ?? null, code));
      }
      if (callee.type !== "Identifier") return;
      if (callee.name === "schema") edits.push([start, start, "/* @__PURE__ */ "]);
      const schema = given[schemas[callee.name] ?? Number.NaN];
      if (schema) edits.push([schema.start, schema.end, "undefined"]);
      for (const each of given) edits.push(...without(members[callee.name], each, code));
    },
    VariableDeclarator({ id, init }) {
      if (id.type === "Identifier" && (id.name === "kinds" || id.name === "errorCodes"))
        edits.push(...without(members[id.name], init, code));
    },
    // Only requests are validated, so the Worker needs no schemas of responses.
    Property(property) {
      const { key, value } = property;
      if (key.type !== "Identifier" || key.name !== "response" || value.type !== "CallExpression") return;
      if (value.callee.type === "Identifier" && value.callee.name === "schema")
        edits.push(cutMember(property, code));
    },
  }).visit(parseSync(file, code).program);
  let result = "";
  let at = 0;
  for (const [start, end, text = ""] of edits.toSorted(([a], [b]) => a - b)) {
    if (start < at) continue;
    result += code.slice(at, start) + text;
    at = end;
  }
  return result + code.slice(at);
}

/** The sources of the service. */
const SOURCES = /\/(?:src|packages\/model\/src)\/.*\.ts$/;

/** The modules of Zod that generate JSON Schemas, which only the build does, and Zod's error messages in all languages. */
const JSON_SCHEMAS =
  /\/zod\/v4\/(?:core\/(?:json-schema-processors|to-json-schema|json-schema-generator)|classic\/from-json-schema|locales\/index)\.js$/;

/** The modules of yaml that write documents: the Worker only reads them. */
const YAML_WRITING = /\/yaml\/browser\/dist\/stringify\/\w+\.js$/;

/** The part of Drizzle for enumerations of PostgreSQL, which its SQL refers to, with the columns that they need. */
const POSTGRES = /\/drizzle-orm\/pg-core\/columns\/enum\.js$/;

const RE2 = /\/re2js\/build\/index\.js$/;

/** The same exports as functions that throw. Zod imports English, the default language, from another module. */
const unusable = (file: string, code: string): string =>
  parseSync(file, code)
    .module.staticExports.flatMap(({ entries }) => entries.map(({ exportName: { name } }) => name ?? ""))
    .map((name) => `export const ${name} = () => { throw new Error("${name} is not in the Worker"); };`)
    .join("\n");

/** Removes code from the bundle that the Worker never uses. */
const leaner: Plugin = {
  name: "leaner",
  setup: (bundle) => {
    bundle.onLoad({ filter: SOURCES }, ({ path }) => ({
      contents: withoutTexts(path, readFileSync(path, "utf8")),
      loader: "ts",
    }));
    bundle.onLoad({ filter: RE2 }, ({ path }) => ({
      contents: forBytes(readFileSync(path, "utf8")),
      loader: "js",
    }));
    for (const filter of [JSON_SCHEMAS, YAML_WRITING, POSTGRES])
      bundle.onLoad({ filter }, ({ path }) => ({
        contents: unusable(path, readFileSync(path, "utf8")),
        loader: "js",
      }));
  },
};

/** The options for bundling a Worker. */
export const bundling = {
  bundle: true,
  write: false,
  format: "esm",
  target: "es2024",
  platform: "browser",
  conditions: ["workerd", "worker", "browser"],
  external: ["cloudflare:*", "node:*"],
  plugins: [leaner],
} as const satisfies BuildOptions;

/**
 * The Worker that wrangler deploys, with its source map. If the bundler rejects the sources, it prints why, and the Worker is a module
 * that imports them. Wrangler then rejects them too: it deploys nothing, and under `npm run dev` it waits until they change.
 */
export async function workerFiles(): Promise<{ name: string; text: string }[]> {
  try {
    const { outputFiles } = await build({
      ...bundling,
      plugins: [...bundling.plugins],
      entryPoints: ["src/index.ts"],
      outfile: "index.js",
      sourcemap: true,
      logLevel: "error",
    });
    return outputFiles.map(({ path, text }) => ({ name: basename(path), text }));
  } catch {
    return [{ name: "index.js", text: 'export { default } from "../../src/index.ts";\n' }];
  }
}
