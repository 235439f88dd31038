// Compares the cost of this service with the platform's floor and with common alternatives, and measures its other
// features:
// npm run bench. USAGE explains how to measure single parts.
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { ratioChart, rowsChart, scaleChart } from "./charts.ts";
import { measureCold } from "./cold.ts";
import { measureCpu } from "./cpu.ts";
import { measureDelivery } from "./delivery.ts";
import { operations } from "./operations.ts";
import { Parts } from "./parts.ts";
import { isReportable, type Measured, reportOf, resultsOf, sectionsOf } from "./report.ts";
import { measureScale } from "./scale.ts";
import { compare, FEWEST, MOST } from "./side_by_side.ts";
import { measureTraffic } from "./traffic.ts";
import { measureWhole } from "./whole.ts";

const USAGE = `Usage: npm run bench [-- --PART…] [--quick]
       npm run bench -- --report

Measures everything and writes test/bench/REPORT.md, its charts and test/bench/results.json. With the names of parts, measures those
alone and prints their figures:

  --delivery     the delivery of events
  --whole        transactions, whole sets of rules, filters and access
  --traffic      from a change to served traffic, snapshots, the agent (needs HAProxy 2.6 or later, openssl)
  --comparisons  the service compared with the floor and with libraries, like for like and not
  --cpu          the CPU of the service's own code; both together show what a change of the code costs
  --cold         the bundle and its start
  --scale        tables of up to a million rows

  --quick        takes fewer samples, leaves out --scale unless it is named, and keeps and writes nothing
  --report       writes the report of the parts that were measured last, and nothing if one is missing

The figures of each part are kept in test/bench/parts/ as soon as it has ended. If one fails, the others go on: measure it again by
its name, then write the report. Parts that were measured on other code do not count.`;

/** A part of a run, whose figures are the field of {@link Measured} with the same name. */
interface Part {
  title: string;
  measure: (folder: string, isQuick: boolean) => Promise<Measured[keyof Measured]>;
}

const all: [name: keyof Measured, part: Part][] = [
  ["delivery", { title: "Delivery of events", measure: measureDelivery }],
  ["whole", { title: "Bulk requests", measure: measureWhole }],
  ["traffic", { title: "Serving traffic", measure: measureTraffic }],
  [
    "comparisons",
    { title: "Side by side", measure: (folder, isQuick) => compare(folder, isQuick ? FEWEST : MOST) },
  ],
  [
    "cpu",
    {
      title: "CPU",
      measure: (folder, isQuick) =>
        measureCpu(
          operations,
          folder,
          isQuick ? { rounds: 15, profileSeconds: 0.3 } : { rounds: 61, profileSeconds: 1 },
        ),
    },
  ],
  ["cold", { title: "Cold start", measure: (folder, isQuick) => measureCold(folder, isQuick ? 5 : 15) }],
  ["scale", { title: "Scale", measure: (folder, isQuick) => measureScale(folder, isQuick ? 10 : 50) }],
];
const names = all.map(([name]) => name);

const flag = { type: "boolean", default: false } as const;
const { values: flags } = parseArgs({
  options: {
    quick: flag,
    report: flag,
    help: flag,
    delivery: flag,
    whole: flag,
    traffic: flag,
    comparisons: flag,
    cpu: flag,
    cold: flag,
    scale: flag,
  } satisfies Record<keyof Measured | "quick" | "report" | "help", typeof flag>,
});
if (flags.help) {
  console.info(USAGE);
  process.exit();
}
const started = performance.now();
const folder = mkdtempSync(join(tmpdir(), "edge-configuration-bench-"));
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => process.exit(1));

const named = all.filter(([name]) => flags[name]);
const isAll = named.length === 0;
const inQuick = all.filter(([name]) => name !== "scale");
const chosen = flags.report ? [] : isAll ? (flags.quick ? inQuick : all) : named;
const kept = new Parts(flags.quick ? join(folder, "parts") : join("test", "bench", "parts"));

const failed: string[] = [];
if (!flags.quick) for (const [name] of chosen) kept.forget(name);
for (const [name, { title, measure }] of chosen) {
  console.info(`${title} (${Math.round((performance.now() - started) / 1000)} s)`);
  try {
    kept.keep(name, await measure(mkdtempSync(join(folder, "part-")), flags.quick));
  } catch (error) {
    console.error(error);
    failed.push(name);
  }
}

const { measured, missing } = kept.read(chosen.length === 0 ? names : chosen.map(([name]) => name));
if ((isAll || flags.report) && isReportable(measured)) {
  const report = reportOf(measured);
  console.info(report);
  if (!flags.quick && missing.length === 0) writeReport(measured, report);
} else console.info(sectionsOf(measured));
if (failed.length > 0) console.error(`Failed: ${failed.join(", ")}.`);
if (!flags.quick && (isAll || flags.report) && missing.length > 0)
  console.error(
    `No report is written, as parts are missing: npm run bench -- ${missing.map((name) => `--${name}`).join(" ")} measures them, then npm run bench -- --report writes it.`,
  );
console.info(`${Math.round((performance.now() - started) / 1000)} s in all.`);
process.exit(missing.length === 0 ? 0 : 1);

function writeReport(measured: Measured, report: string): void {
  const charts = join("test", "bench", "charts");
  mkdirSync(charts, { recursive: true });
  writeFileSync(join(charts, "ratios.svg"), ratioChart(measured.comparisons));
  if (measured.scale) {
    writeFileSync(join(charts, "scale.svg"), scaleChart(measured.scale));
    writeFileSync(join(charts, "rows.svg"), rowsChart(measured.scale));
  }
  writeFileSync(join("test", "bench", "REPORT.md"), report);
  writeFileSync(join("test", "bench", "results.json"), JSON.stringify(resultsOf(measured), null, 2));
  spawnSync("oxfmt", [join("test", "bench", "REPORT.md"), join("test", "bench", "results.json")], {
    stdio: "inherit",
  });
}
