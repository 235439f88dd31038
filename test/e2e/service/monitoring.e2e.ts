import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { anchorsOf } from "../support/markdown.ts";

const promtool = process.env["PROMTOOL"] ?? "promtool";
const missing = spawnSync(promtool, ["--version"]).error !== undefined;

test(
  "the alert rules pass their tests",
  { skip: missing && "promtool is missing: install Debian's package prometheus, or name it in PROMTOOL" },
  () => {
    for (const args of [
      ["check", "rules", "monitoring/alerts.yml"],
      ["test", "rules", "monitoring/alerts.test.yml"],
    ]) {
      const { status, stdout, stderr } = spawnSync(promtool, args, { encoding: "utf8", timeout: 60_000 });
      assert.equal(status, 0, `${stdout}${stderr}`);
    }
  },
);

test("the alert rules use only metrics that the service and the agent have", () => {
  const source =
    readFileSync("src/resources/operating/metrics.ts", "utf8") +
    readFileSync("packages/agent/src/exporter.ts", "utf8");
  const names =
    readFileSync("monitoring/alerts.yml", "utf8").match(/\bedge_(?:agent|delivery|local)_\w+/g) ?? [];
  assert.ok(names.length > 0);
  for (const name of names) {
    assert.match(source, new RegExp(`\\b${name}\\b`), name);
  }
});

test("the runbook of each alert is a heading, and has its name", () => {
  const rules = [
    ...readFileSync("monitoring/alerts.yml", "utf8").matchAll(
      /- alert: (\w+)\n(?:(?! *- alert).*\n)*? +runbook: (\S+)#(\S+)/g,
    ),
  ];
  const alerts = readFileSync("monitoring/alerts.yml", "utf8").match(/- alert:/g) ?? [];
  assert.ok(rules.length > 0);
  assert.equal(rules.length, alerts.length);
  for (const [, alert = "", page = "", anchor = ""] of rules) {
    assert.ok(anchorsOf(page).includes(anchor), alert);
    assert.ok(readFileSync(page, "utf8").includes(alert), alert);
  }
});
