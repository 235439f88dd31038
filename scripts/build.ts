// Builds the static assets: the OpenAPI document, the documentation page, and Swagger UI from npm. Files that are up to
// date are not touched, because several builds may run concurrently while the files are being served.
import { cpSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { operations } from "../src/app.ts";
import { SERVER_PLACEHOLDER } from "../src/http/openapi_json.ts";
import { openApiDocument } from "../src/openapi/document.ts";

const target = join("dist", "assets");
const swaggerUi = dirname(createRequire(import.meta.url).resolve("swagger-ui-dist/package.json"));

/** Writes one file to a path. */
type Write = (path: string) => void;

const copyOf =
  (...source: string[]): Write =>
  (path) =>
    cpSync(join(...source), path);

/** Every file under `target`. */
const files = new Map<string, Write>([
  ["openapi.json", (path) => writeFileSync(path, openApiDocument(operations(), SERVER_PLACEHOLDER))],
  ["_headers", copyOf("docs", "_headers")],
  ["docs.html", copyOf("docs", "docs.html")],
  ...["docs.js", "docs.css"].map((name) => [join("docs", name), copyOf("docs", name)] as const),
  ...["swagger-ui-bundle.js", "swagger-ui.css", "favicon-32x32.png", "LICENSE", "NOTICE"].map(
    (name) => [join("docs", name), copyOf(swaggerUi, name)] as const,
  ),
]);

/** The bytes of a file; undefined if there is none. */
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
