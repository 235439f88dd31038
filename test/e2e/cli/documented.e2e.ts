import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import { edge, pathIn, type TestService, withServices } from "./services.ts";

let service: TestService;

withServices((started) => (service = started));

test("the example of docs/files.md can be applied", async () => {
  const [, text = ""] = /```yaml\n([\s\S]*?)```/.exec(readFileSync("docs/files.md", "utf8")) ?? [];
  writeFileSync(pathIn("edge.yaml"), text);
  const { code, stdout, stderr } = await edge(service, ["apply", "edge.yaml", "--yes"]);
  assert.equal(code, 0, stderr);
  assert.match(stdout, /^Plan: 3 to create, 0 to change, 0 to delete \(plus 3 rules\/routes to create\)\.$/m);
  assert.equal((await edge(service, ["diff", "edge.yaml"])).stdout, "No differences.\n");
});
