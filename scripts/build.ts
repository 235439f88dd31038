// Puts together what is served as static assets: the OpenAPI document, the same as Markdown, our page of the documentation,
// and Scalar, which comes from npm. Files that are right already are left alone, as several builds may run at once and be
// served meanwhile.
import { cpSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { runInNewContext } from "node:vm";
import { operations } from "../src/app.ts";
import { SERVER_PLACEHOLDER } from "../src/http/openapi_json.ts";
import { openApiDocument } from "../src/openapi/document.ts";
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
  ["llms.txt", (path) => writeFileSync(path, llmsTxt(openApi))],
  ["_headers", copyOf("site", "_headers")],
  ["docs.html", copyOf("site", "docs.html")],
  ...["docs.js", "docs.css", "icon.svg"].map((name) => [join("docs", name), copyOf("site", name)] as const),
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
  const script = String(runInNewContext(text)).replace(/\n\/\/# sourceMappingURL=.*$/, "");
  return `/*! Scalar's API reference, https://scalar.com, under the licence in scalar-license.txt. */\n${script}\n`;
}

/** A file byte by byte; undefined when there is none. */
function read(path: string): string | undefined {
  try {
    return readFileSync(path, "latin1");
  } catch {
    return undefined;
  }
}

mkdirSync(join(target, "docs"), { recursive: true });
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
