import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import { warningCodes } from "../../../packages/cli/src/warnings.ts";
import { warningCodes as codesOfService } from "../../../src/resources/plans/effect_schemas.ts";
import { edge, pathIn, type TestService, withServices } from "./services.ts";

let service: TestService;

withServices((started) => (service = started));

test("the example of docs/files.md can be applied", async () => {
  const [, text = ""] = /```yaml\n([\s\S]*?)```/.exec(readFileSync("docs/files.md", "utf8")) ?? [];
  writeFileSync(pathIn("edge.yaml"), text);
  const { code, stdout, stderr } = await edge(service, [
    "apply",
    "edge.yaml",
    "--yes",
    "--accept",
    "newly_allowed",
  ]);
  assert.equal(code, 0, stderr);
  assert.match(stdout, /^Plan: 3 to create, 0 to change, 0 to delete \(plus 3 rules\/routes to create\)\.$/m);
  assert.equal((await edge(service, ["diff", "edge.yaml"])).stdout, "No differences.\n");
});

test("the tests in docs/files.md pass on a file that has what they name", async () => {
  const [, text = ""] = /```yaml\n(tests:[\s\S]*?)```/.exec(readFileSync("docs/files.md", "utf8")) ?? [];
  const objects = `ip_policies: { office: { rules: [{ action: allow, cidr: 203.0.113.0/24 }] } }
static_backends: { db_servers: { address: "db.internal.example.com:5432" } }
tcp_edges:
  db:
    hostports: ["db.example.com:5432"]
    backend: { backend_id: db_servers }
    ip_restriction: { ip_policy_ids: [office] }
https_edges:
  shop:
    hostports: ["shop.example.com:443"]
    routes:
      - match: /
        match_type: path_prefix
        backend: { backend_id: db_servers }
        traffic_policy:
          value: |
            on_http_request:
              - name: administration
                expressions: ["req.url.path.startsWith('/admin')"]
                actions: [{ type: deny }]
`;
  writeFileSync(pathIn("tested.yaml"), objects + text);
  const { code, stdout, stderr } = await edge(undefined, ["test", "tested.yaml"]);
  assert.equal(code, 0, stdout + stderr);
  assert.match(stdout, /^2 tests, all passed\.$/m);
});

test("the command and docs/files.md know the codes of all warnings of the service", () => {
  const codes = Object.keys(codesOfService);
  assert.deepEqual(warningCodes, codes);
  const [, section = ""] = /\n### Warnings\n([^]*?)\n## /.exec(readFileSync("docs/files.md", "utf8")) ?? [];
  const [, list = ""] = /The codes are ([^]*)/.exec(section) ?? [];
  assert.deepEqual(
    Array.from(list.matchAll(/`(\w+)`/g), ([, code]) => code),
    codes,
  );
});
