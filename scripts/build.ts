// Puts together what is served as static assets: the OpenAPI document, the same as Markdown, the page of the documentation,
// the guides, and Scalar, which comes from npm. Files that are right already are left alone, as several builds may run at once and be
// served meanwhile.
import { cpSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { runInNewContext } from "node:vm";
import { operations } from "../src/app.ts";
import { SERVER_PLACEHOLDER } from "../src/http/openapi_json.ts";
import { openApiDocument } from "../src/openapi/document.ts";
import { guides } from "../src/openapi/guides.ts";
import { guidePage } from "./guides.ts";
import { llmsTxt } from "./llms_txt.ts";

const target = join("dist", "assets");
const scalar = dirname(dirname(fileURLToPath(import.meta.resolve("@scalar/fastify-api-reference"))));

/** Writes one file to a path. */
type Write = (path: string) => void;

const copyOf =
  (...source: string[]): Write =>
  (path) =>
    cpSync(join(...source), path);

const openApi = openApiDocument(operations(), SERVER_PLACEHOLDER);

/** Every file under `target`. */
const files = new Map<string, Write>([
  ["openapi.json", (path) => writeFileSync(path, openApi)],
  ["llms.txt", (path) => writeFileSync(path, llmsTxt(openApi, SERVER_PLACEHOLDER))],
  ["_headers", copyOf(join("docs", "site"), "_headers")],
  ["docs.html", copyOf(join("docs", "site"), "docs.html")],
  ["favicon.ico", copyOf(join("docs", "site"), "favicon.ico")],
  ...guides.map((guide): [string, Write] => [
    join("docs", "guides", `${guide.name}.html`),
    (path) => writeFileSync(path, guidePage(guide)),
  ]),
  ...["docs.js", "docs.css", "guides.css", "icon.svg"].map(
    (name) => [join("docs", name), copyOf(join("docs", "site"), name)] as const,
  ),
  [join("docs", "overview.svg"), copyOf("docs", "overview.svg")],
  [join("docs", "scalar.js"), (path) => writeFileSync(path, scalarScript())],
  [join("docs", "scalar-license.txt"), copyOf(scalar, "LICENSE")],
]);

/**
 * Scalar's script for browsers. Its own package, @scalar/api-reference, brings 270 others along that the script does not need;
 * the plugin for Fastify holds the same script as a text.
 */
function scalarScript(): string {
  const plugin = readFileSync(join(scalar, "dist", "index.js"), "utf8");
  const [, text] = /^var standalone_default = (".*");$/m.exec(plugin) ?? [];
  if (text === undefined) throw new Error("@scalar/fastify-api-reference holds no script where it was.");
  const script = searchable(String(runInNewContext(text)).replace(/\n\/\/# sourceMappingURL=.*$/, ""));
  return `/*! Scalar's API reference, https://scalar.com, under the licence in scalar-license.txt. */\n${script}\n`;
}

/**
 * How much each part of an operation counts in Scalar's search. Titles count most, as they say what an operation does.
 * Examples of responses are left out, and so are the methods: they match nearly every query.
 */
const SEARCH_WEIGHTS = {
  title: 1,
  description: 0.3,
  path: 0.2,
  parameters: 0.1,
  body: 0.1,
  parameterDescriptions: 0.05,
  bodyDescriptions: 0.05,
  operationId: 0.02,
};

/** The largest share of a word's letters that may differ: none of four, as "bulk" is not "buckets". */
const SEARCH_THRESHOLD = 0.2;

/**
 * Scalar's script with {@link SEARCH_WEIGHTS}, which its configuration cannot set: its own put the ids of operations and the
 * examples of errors above descriptions, and find "Delete an IP policy rule" for "delete policy".
 */
function searchable(script: string): string {
  const keys = Object.entries(SEARCH_WEIGHTS).map(([name, weight]) => ({ name, weight }));
  const options = /keys:\[\{name:`title`,weight:\.7\},\{name:`operationId`[^\]]*\],threshold:\.3/;
  if (!options.test(script))
    throw new Error("Scalar's search has other options than those that are replaced.");
  return script.replace(options, `keys:${JSON.stringify(keys)},threshold:${SEARCH_THRESHOLD}`);
}

/** A file byte by byte; undefined when there is none. */
function read(path: string): string | undefined {
  try {
    return readFileSync(path, "latin1");
  } catch {
    return undefined;
  }
}

mkdirSync(join(target, "docs", "guides"), { recursive: true });
// Written beside the assets and then moved, so that readers never find an incomplete file.
const draft = join("dist", `draft-${process.pid}`);
for (const [name, write] of files) {
  write(draft);
  if (read(draft) !== read(join(target, name))) renameSync(draft, join(target, name));
}
rmSync(draft, { force: true });
for (const entry of readdirSync(target, { recursive: true, withFileTypes: true })) {
  const path = join(entry.parentPath, entry.name);
  if (entry.isFile() && !files.has(path.slice(target.length + 1))) rmSync(path, { force: true });
}
