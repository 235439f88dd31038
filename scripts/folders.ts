// Fails if two folders import each other: npm run check:folders. A folder is its own files, without those of its subfolders.
import { globSync, readFileSync } from "node:fs";
import { posix } from "node:path";
import { parseSync } from "oxc-parser";

/** Where folders must not import each other. */
const SOURCES = ["src/**/*.ts", "packages/model/src/**/*.ts", "packages/cli/src/**/*.ts"];

/** By the folder that imports: the folders that it imports, each with one of the imports. */
const imports = new Map<string, Map<string, string>>();
for (const file of globSync(SOURCES)) {
  const folder = posix.dirname(file);
  const { module } = parseSync(file, readFileSync(file, "utf8"));
  for (const { moduleRequest } of module.staticImports) {
    if (!moduleRequest.value.startsWith(".")) continue;
    const imported = posix.join(folder, moduleRequest.value);
    if (posix.dirname(imported) === folder) continue;
    const found = imports.get(folder) ?? new Map<string, string>();
    imports.set(folder, found.set(posix.dirname(imported), `${file} imports ${imported}`));
  }
}
for (const [folder, imported] of imports)
  for (const [other, example] of imported) {
    const back = imports.get(other)?.get(folder);
    if (back === undefined || folder > other) continue;
    console.error(`${folder} and ${other} import each other: ${example}, and ${back}.`);
    process.exitCode = 1;
  }
