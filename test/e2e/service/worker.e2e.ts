import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { kinds } from "../../../packages/model/src/kinds.ts";
import { errorCodes } from "../../../src/http/error_codes.ts";
import { workerBundle } from "../support/workerd.ts";

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
