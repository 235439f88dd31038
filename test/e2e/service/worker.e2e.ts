import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { RE2JS } from "re2js";
import { kinds } from "../../../packages/model/src/kinds.ts";
import { forBytes } from "../../../scripts/byte_tables.ts";
import { errorCodes } from "../../../src/http/error_codes.ts";
import { workerBundle } from "../support/prepared.ts";

/*
 * Checks which parts of the sources the deployed Worker leaves out. The other suites test what it does.
 */

test("the Worker has the service, and nothing that only the documentation shows", () => {
  const worker = readFileSync(join(workerBundle(), "index.js"), "utf8");
  for (const code of Object.keys(errorCodes)) assert.ok(worker.includes(code), code);
  const { paths } = JSON.parse(readFileSync(join("dist", "assets", "openapi.json"), "utf8")) as {
    paths: Record<string, Record<string, { summary: string; description: string }>>;
  };
  const shown = [
    ...Object.values(kinds).flatMap(({ about, purpose = "" }: { about: string; purpose?: string }) => [
      about,
      purpose,
    ]),
    ...Object.values(errorCodes).map(({ cause }) => cause),
    ...Object.values(paths)
      .flatMap((path) => Object.values(path))
      .flatMap(({ summary, description }) => [summary, description]),
  ].filter((text) => text.length > 40);
  assert.ok(shown.length > 200);
  assert.deepEqual(
    shown.filter((text) => worker.includes(text)),
    [],
  );
});

/** Which of the 256 bytes a pattern matches, as 256 digits; or the error. */
function matchedBytes(re2: typeof RE2JS, pattern: string): string {
  try {
    const compiled = re2.compile(pattern);
    return Array.from({ length: 256 }, (_, code) =>
      compiled.matcher(String.fromCharCode(code)).find() ? "1" : "0",
    ).join("");
  } catch (error) {
    return String(error);
  }
}

test("patterns match the same bytes with the tables that the Worker has", async () => {
  const code = readFileSync("node_modules/re2js/build/index.js", "utf8");
  const cut = forBytes(code);
  assert.ok(cut.length < code.length - 45_000, `${cut.length} characters`);
  const { RE2JS: own }: { RE2JS: typeof RE2JS } = await import(
    `data:text/javascript,${encodeURIComponent(cut)}`
  );
  const names = Array.from(code.matchAll(/^\t\t(\w+): \(\) => new UnicodeRangeTable/gm), ([, name]) => name);
  assert.ok(names.length > 200);
  const sets = [...names, "Any", "Ascii", "Assigned", "Nothing"].flatMap((name) =>
    [`\\p{${name}}`, `\\P{${name}}`].flatMap((set) => [set, `(?i)${set}`, `[^${set}a]`]),
  );
  // Folding leads from some bytes to characters above U+00FF, and from these back.
  const characters = [...Array.from({ length: 0x180 }, (_, i) => i), 0x39c, 0x3bc, 0x1e9e, 0x212a, 0x212b];
  const letters = characters.flatMap((character) => {
    const written = `\\x{${character.toString(16)}}`;
    return [`(?i)${written}`, `(?i)[^${written}]`, `(?i)[${written}-\\x{3000}]`];
  });
  for (const pattern of [...sets, ...letters])
    assert.equal(matchedBytes(own, pattern), matchedBytes(RE2JS, pattern), pattern);
});
