// Fails if two folders import each other, or if an exported type has the name of another: npm run check:layout
import { globSync, readFileSync } from "node:fs";
import { posix } from "node:path";
import { parseSync, type Program } from "oxc-parser";

/** Objects of the API, which programs name as the contract does. */
const OF_THE_API = new Set(["Plan", "Problem", "TransactionOperation", "Warning"]);

/** By the folder that imports (a folder is its own files, without those of its subfolders): the folders that it imports, each with one of the imports. */
const imports = new Map<string, Map<string, string>>();
/** The files that export a type, by its name. */
const types = new Map<string, string[]>();

const typesIn = ({ body }: Program): string[] =>
  body.flatMap((statement) => {
    if (statement.type !== "ExportNamedDeclaration") return [];
    const { declaration } = statement;
    const isType =
      declaration?.type === "TSTypeAliasDeclaration" ||
      declaration?.type === "TSInterfaceDeclaration" ||
      declaration?.type === "ClassDeclaration";
    return isType && declaration.id ? [declaration.id.name] : [];
  });

for (const file of globSync(["src/**/*.ts", "packages/*/src/**/*.{ts,tsx}"])) {
  const folder = posix.dirname(file);
  const { module, program } = parseSync(file, readFileSync(file, "utf8"));
  for (const name of typesIn(program)) types.set(name, [...(types.get(name) ?? []), file]);
  for (const { moduleRequest } of module.staticImports) {
    if (!moduleRequest.value.startsWith(".")) continue;
    const imported = posix.join(folder, moduleRequest.value);
    if (posix.dirname(imported) === folder) continue;
    const found = imports.get(folder) ?? new Map<string, string>();
    imports.set(folder, found.set(posix.dirname(imported), `${file} imports ${imported}`));
  }
}

const problems = [
  ...[...imports].flatMap(([folder, imported]) =>
    [...imported].flatMap(([other, example]) => {
      const back = imports.get(other)?.get(folder);
      return back === undefined || folder > other
        ? []
        : `${folder} and ${other} import each other: ${example}, and ${back}.`;
    }),
  ),
  ...[...types].flatMap(([name, files]) =>
    files.length === 1 || OF_THE_API.has(name)
      ? []
      : `${name} means several things: ${files.join(", ")}. Give each its own name.`,
  ),
];
for (const problem of problems) console.error(problem);
if (problems.length > 0) process.exitCode = 1;
