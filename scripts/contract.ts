// Writes the files that are generated from the code's schemas and committed, so that changes of the contract are visible in
// review: in packages/contract the OpenAPI document, its types and the schemas of the command's files; docs/errors.md; monitoring/dashboard.json; and src/http/version.ts from
// package.json. With --check, it writes nothing and fails if they are out of date.
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { createConfig, lintFromString } from "@redocly/openapi-core";
import * as z from "zod";
import { operations } from "../src/app.ts";
import { openApiDocument } from "../src/openapi/document.ts";
import { errorExample, errorTable } from "../src/openapi/error_responses.ts";
import { dashboard } from "./dashboard.ts";
import { fileSchema, schemasOfFiles } from "./file_schema.ts";

/** The URL of `npm run dev`. The committed document needs an absolute URL, and the served document has its own origin. */
const DEVELOPMENT = "http://127.0.0.1:8787";

/** The workspace of generated files, which clients install for the types. */
const CONTRACT = join("packages", "contract");

const ERRORS = join("docs", "errors.md");

const { values: options } = parseArgs({ options: { check: { type: "boolean", default: false } } });
const document = `${JSON.stringify(JSON.parse(openApiDocument(operations(), DEVELOPMENT)), null, 2)}\n`;

const CLIENT_HEADER = `// Generated from openapi.json by \`npm run contract\`. It is stricter than the service: an optional field cannot be null here.
// It is looser in one way: a call can omit Service-Version, because the client should send it with every call.

`;

const read = (file: string): string => {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
};

/** Problems that Redocly's `recommended-strict` rules find in the document, one per line. */
async function lint(): Promise<string[]> {
  const config = await createConfig({ extends: ["recommended-strict"] });
  const problems = await lintFromString({ source: document, absoluteRef: "openapi.json", config });
  return problems.map(
    ({ severity, ruleId, message, location }) =>
      `${severity} ${ruleId}: ${message} (${location[0]?.pointer ?? ""})`,
  );
}

/** The client's types. The generator needs TypeScript 5, so it is installed in that workspace. */
async function clientTypes(): Promise<string> {
  const generator: unknown = createRequire(join(process.cwd(), CONTRACT, "package.json"))(
    "openapi-typescript",
  );
  if (!isGenerator(generator)) throw new Error("openapi-typescript has changed its interface");
  // A client sets the version once for all its calls, so it is optional in each call. Also, openapi-fetch would hide fields
  // that are always null.
  const lenient: unknown = JSON.parse(document, (name, value: unknown) => {
    if (typeof value !== "object" || value === null) return value;
    if (name === "ServiceVersion") return { ...value, required: false };
    const isNullMember = "type" in value && value.type === "null" && Number.isNaN(Number(name));
    return isNullMember ? { ...value, type: ["string", "null"] } : value;
  });
  const nodes = await generator.default(JSON.stringify(lenient));
  return `${CLIENT_HEADER}${generator.astToString(nodes)}`;
}

interface Generator {
  default: (document: string) => Promise<unknown>;
  astToString: (nodes: unknown) => string;
}

const isGenerator = (value: unknown): value is Generator =>
  typeof value === "object" && value !== null && "default" in value && "astToString" in value;

/** The page of errors. */
const errorPage = `<!-- Written by \`npm run contract\` from src/http/error_codes.ts. -->

# Errors

Every error has the same shape. If fields, query parameters or headers are rejected, \`errors\` lists them, up to 50: \`path\` is a
JSON Pointer into the body, or the name of the parameter or header. \`details.operation_id\` is also in the header
\`Service-Operation-Id\` and in the service's log.

\`\`\`json
${JSON.stringify(errorExample(), null, 2)}
\`\`\`

A program should decide by \`error_code\`; \`msg\` is for people and may change.

${errorTable()}
`;

/** The version in package.json, which the Worker cannot import without bundling the rest of that file. */
const { version } = z.object({ version: z.string() }).parse(JSON.parse(readFileSync("package.json", "utf8")));
const versionModule = `/** The release of the service. Written by \`npm run contract\` from package.json. */
export const version = ${JSON.stringify(version)};
`;

const problems = await lint();
for (const problem of problems) console.error(problem);
if (problems.length > 0) process.exitCode = 1;

/** Removes the whitespace that the formatter adds or removes. */
const words = (text: string): string => text.replace(/-{3,}/g, "---").replace(/\s+/g, "");

for (const [file, text] of [
  ["src/http/version.ts", versionModule],
  [join(CONTRACT, "openapi.json"), document],
  [join(CONTRACT, "schema.d.ts"), await clientTypes()],
  [join(CONTRACT, "files.json"), schemasOfFiles(document)],
  [join(CONTRACT, "edge.yaml.schema.json"), fileSchema(document)],
  [ERRORS, errorPage],
  ["monitoring/dashboard.json", dashboard()],
] as const) {
  const isSame = file === ERRORS ? words(read(file)) === words(text) : read(file) === text;
  if (isSame) continue;
  if (options.check) {
    console.error(`${file} is out of date: run npm run contract and review the difference.`);
    process.exitCode = 1;
  } else {
    writeFileSync(file, text);
    console.info(`Wrote ${file}.`);
  }
}
