// Writes the Worker and the static assets: the OpenAPI document, the same as Markdown and as pages, the documentation page, the guides, the
// console, and Scalar, which comes from npm. Unchanged files are not written, because several builds can run at the same time, and be served in
// the meantime.
import { cpSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { runInNewContext } from "node:vm";
import { operations } from "../src/app.ts";
import { SERVER_PLACEHOLDER } from "../src/http/openapi_json.ts";
import { tools } from "../src/mcp/tools.ts";
import { openApiDocument } from "../src/openapi/document.ts";
import { guides } from "../src/openapi/guides.ts";
import { toolList } from "../src/openapi/tool_list.ts";
import { buildConsole, builtName } from "./console.ts";
import { operationSheets } from "./operation_sheets.ts";
import { guidePage, referencePages, searchIndex } from "./pages.ts";
import { llmsTxt, referenceParts } from "./reference.ts";
import { workerFiles } from "./worker.ts";

const target = join("dist", "assets");
const scalar = dirname(dirname(fileURLToPath(import.meta.resolve("@scalar/fastify-api-reference"))));

/** Writes a file to a path. */
type Write = (path: string) => void;

const copyOf =
  (...source: string[]): Write =>
  (path) =>
    cpSync(join(...source), path);

const openApi = openApiDocument(operations(), SERVER_PLACEHOLDER);
const reference = referenceParts(openApi, SERVER_PLACEHOLDER);
const consoleFiles = await buildConsole();
const stylesOf = (stem: string): string => `/${builtName([...consoleFiles.keys()], stem, "css")}`;

/** Every file under `target`. */
const files = new Map<string, Write>([
  ["openapi.json", (path) => writeFileSync(path, openApi)],
  ["llms.txt", (path) => writeFileSync(path, llmsTxt(reference))],
  ...Array.from(operationSheets(openApi), ([name, text]): [string, Write] => [
    join("operations", name),
    (path) => writeFileSync(path, text),
  ]),
  [join("mcp", "tools.json"), (path) => writeFileSync(path, toolList(tools))],
  [join("schemas", "edge.yaml.json"), copyOf("packages", "contract", "edge.yaml.schema.json")],
  ["_headers", copyOf(join("docs", "site"), "_headers")],
  ["_redirects", copyOf(join("docs", "site"), "_redirects")],
  ["docs.html", (path) => writeFileSync(path, docsPage())],
  ["favicon.ico", copyOf(join("docs", "site"), "favicon.ico")],
  ...guides.map((guide): [string, Write] => [
    join("docs", "guides", `${guide.name}.html`),
    (path) => writeFileSync(path, guidePage(guide, stylesOf("guides"))),
  ]),
  ...Array.from(referencePages(reference, stylesOf("guides")), ([name, page]): [string, Write] => [
    join("docs", "reference", `${name}.html`),
    (path) => writeFileSync(path, page),
  ]),
  [join("docs", "search.json"), (path) => writeFileSync(path, searchIndex(reference))],
  ...["docs.js", "guides.js", "theme.js", "icon.svg"].map(
    (name) => [join("docs", name), copyOf(join("docs", "site"), name)] as const,
  ),
  ...["overview.svg", ...readdirSync(join("docs", "pictures")).map((name) => join("pictures", name))].map(
    (name) => [join("docs", name), copyOf("docs", name)] as const,
  ),
  [join("docs", "scalar.js"), (path) => writeFileSync(path, scalarScript())],
  [join("docs", "scalar-license.txt"), copyOf(scalar, "LICENSE")],
  ...[...consoleFiles].map(([name, contents]): [string, Write] => [
    name,
    (path) => writeFileSync(path, contents),
  ]),
]);

/** The page of Scalar, with the address of its style sheet. */
const docsPage = (): string =>
  readFileSync(join("docs", "site", "docs.html"), "utf8").replace(
    "/console/assets/docs.css",
    stylesOf("docs"),
  );

/**
 * Scalar's script for browsers. Its own package, @scalar/api-reference, has 270 dependencies that the script does not need. The
 * plugin for Fastify contains the same script as a string.
 */
function scalarScript(): string {
  const plugin = readFileSync(join(scalar, "dist", "index.js"), "utf8");
  const [, text] = /^var standalone_default = (".*");$/m.exec(plugin) ?? [];
  if (text === undefined)
    throw new Error("@scalar/fastify-api-reference has no script in the expected place.");
  const script = searchable(String(runInNewContext(text)).replace(/\n\/\/# sourceMappingURL=.*$/, ""));
  return `/*! Scalar's API reference, https://scalar.com, under the licence in scalar-license.txt. */\n${script}\n`;
}

/**
 * The weight of each part of an operation in Scalar's search. Titles have the highest weight, because they say what an
 * operation does. Examples of responses and methods are omitted, because they match nearly every query.
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

/** The maximum share of a word's letters that can differ: none of four, because "bulk" is not "buckets". */
const SEARCH_THRESHOLD = 0.2;

/**
 * Scalar's script with {@link SEARCH_WEIGHTS}, which its configuration cannot set. Its own weights rank operation ids and error
 * examples above descriptions, and find "Delete an IP policy rule" for "delete policy".
 */
function searchable(script: string): string {
  const keys = Object.entries(SEARCH_WEIGHTS).map(([name, weight]) => ({ name, weight }));
  const options = /keys:\[\{name:`title`,weight:\.7\},\{name:`operationId`[^\]]*\],threshold:\.3/;
  if (!options.test(script)) throw new Error("Scalar's search does not have the options to replace.");
  return script.replace(options, `keys:${JSON.stringify(keys)},threshold:${SEARCH_THRESHOLD}`);
}

/** The bytes of a file; undefined if there is no file. */
function read(path: string): string | undefined {
  try {
    return readFileSync(path, "latin1");
  } catch {
    return undefined;
  }
}

/** Writes everything. Files that are as they should be stay. @param note called with the path of each file, once it is there */
export async function build(note: (path: string) => void): Promise<void> {
  for (const folder of [join("docs", "guides"), join("docs", "reference"), join("console", "assets")])
    mkdirSync(join(target, folder), { recursive: true });
  // Files are written to another folder and then moved, so readers never find an incomplete file.
  const draft = join("dist", `draft-${process.pid}`);
  const place = (path: string, write: Write): void => {
    write(draft);
    if (read(draft) !== read(path)) {
      mkdirSync(dirname(path), { recursive: true });
      renameSync(draft, path);
    }
    note(path);
  };
  for (const [name, write] of files) place(join(target, name), write);
  for (const { name, text } of await workerFiles())
    place(join("dist", "worker", name), (path) => writeFileSync(path, text));
  rmSync(draft, { force: true });
  for (const entry of readdirSync(target, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isFile() && !files.has(path.slice(target.length + 1))) rmSync(path, { force: true });
  }
}
