// Compares the cost of this service with the platform's floor and with common alternatives, and measures its other
// features:
// npm run bench. USAGE explains how to measure single parts.
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { measureCold } from "./cold.ts";
import { measureCpu } from "./cpu.ts";
import { measureDelivery } from "./delivery.ts";
import { measureHeap } from "./heap.ts";
import { operations } from "./operations.ts";
import { Parts } from "./parts.ts";
import { type Measured, textOf, writeReport } from "./report.ts";
import { measureScale } from "./scale.ts";
import { compare, FEWEST, MOST } from "./side_by_side.ts";
import { measureTraffic } from "./traffic.ts";
import { measureWhole } from "./whole.ts";

const USAGE = `Usage: npm run bench [-- --PART…] [--quick]
       npm run bench -- --report

Measures everything and writes the tables of test/bench/REPORT.md, and test/bench/results.json. With the names of parts, measures
those alone and prints their figures:

  --delivery     the delivery of events
  --whole        transactions, whole sets of rules, filters and access
  --traffic      from a change to served traffic, snapshots, the agent (needs HAProxy 2.6 or later, openssl)
  --comparisons  the service compared with the floor and with a library, like for like and not
  --cpu          the CPU of the service's own code; both together show what a change of the code costs
  --cold         the bundle and its start (needs valgrind)
  --heap         the smallest heap in which snapshots are built
  --scale        tables of up to a million rows

  --quick        takes fewer samples, has smaller tables and configurations, and keeps and writes nothing
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
  ["cold", { title: "Cold start", measure: (folder, isQuick) => measureCold(folder, isQuick ? 1 : 3) }],
  ["heap", { title: "Heap", measure: measureHeap }],
  [
    "scale",
    {
      title: "Scale",
      measure: (folder, isQuick) =>
        isQuick ? measureScale(folder, 10, [1_000, 10_000]) : measureScale(folder, 50),
    },
  ],
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
    heap: flag,
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
const chosen = flags.report ? [] : isAll ? all : named;
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
console.info(textOf(measured));
if (failed.length > 0) console.error(`Failed: ${failed.join(", ")}.`);
if (!flags.quick && (isAll || flags.report)) {
  if (missing.length === 0) {
    const files = writeReport(measured as Measured);
    spawnSync("oxfmt", files, { stdio: "inherit" });
  } else
    console.error(
      `No report is written, as parts are missing: npm run bench -- ${missing.map((name) => `--${name}`).join(" ")} measures them, then npm run bench -- --report writes it.`,
    );
}
console.info(`${Math.round((performance.now() - started) / 1000)} s in all.`);
process.exit(missing.length === 0 ? 0 : 1);
