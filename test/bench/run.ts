// Compares the cost of this service with the platform's floor and with common alternatives: npm run bench.
// --quick omits the scale part, takes fewer rounds and writes no files; --delivery measures only the delivery of events,
// --whole only transactions, whole sets of rules, filters and access; they write none either.
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
import { deliveryPart, type Measured, reportOf, resultsOf, wholePart } from "./report.ts";
import { measureScale } from "./scale.ts";
import { compare } from "./side_by_side.ts";
import { measureWhole } from "./whole.ts";

const {
  values: { quick: isQuick, delivery: isDeliveryAlone, whole: isWholeAlone, help: isHelp },
} = parseArgs({
  options: {
    quick: { type: "boolean", default: false },
    delivery: { type: "boolean", default: false },
    whole: { type: "boolean", default: false },
    help: { type: "boolean", default: false },
  },
});
if (isHelp) {
  console.info("Usage: npm run bench [-- --quick] [-- --delivery] [-- --whole]");
  process.exit();
}
const started = performance.now();
const folder = mkdtempSync(join(tmpdir(), "edge-configuration-bench-"));

process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => process.exit(1));

/** Runs one part in its own folder. */
async function part<T>(title: string, run: (folder: string) => Promise<T>): Promise<T> {
  console.info(`${title} (${Math.round((performance.now() - started) / 1000)} s)`);
  return run(mkdtempSync(join(folder, "part-")));
}

if (isWholeAlone) {
  console.info(wholePart(await part("As a whole", (folder) => measureWhole(folder, isQuick))));
  process.exit();
}
const delivery = await part("Delivery of events", (folder) => measureDelivery(folder, isQuick));
if (isDeliveryAlone) {
  console.info(deliveryPart(delivery));
  process.exit();
}
const measured: Measured = {
  delivery,
  whole: await part("As a whole", (folder) => measureWhole(folder, isQuick)),
  comparisons: await part("Side by side", (folder) => compare(folder, isQuick ? 12 : 64)),
  cpu: await part("CPU", (folder) =>
    measureCpu(
      operations,
      folder,
      isQuick ? { rounds: 15, profileSeconds: 0.3 } : { rounds: 61, profileSeconds: 1 },
    ),
  ),
  cold: await part("Cold start", (folder) => measureCold(folder, isQuick ? 5 : 15)),
  ...(!isQuick && { scale: await part("Scale", (folder) => measureScale(folder, 50)) }),
};
const report = reportOf(measured);
console.info(report);
if (!isQuick) {
  const charts = join("test", "bench", "charts");
  mkdirSync(charts, { recursive: true });
  writeFileSync(join(charts, "ratios.svg"), ratioChart(measured.comparisons));
  if (measured.scale) {
    writeFileSync(join(charts, "scale.svg"), scaleChart(measured.scale));
    writeFileSync(join(charts, "rows.svg"), rowsChart(measured.scale));
  }
  writeFileSync(join("test", "bench", "REPORT.md"), report);
  writeFileSync("bench-results.json", JSON.stringify(resultsOf(measured), null, 2));
  spawnSync("oxfmt", [join("test", "bench", "REPORT.md"), "bench-results.json"], { stdio: "inherit" });
}
console.info(`${Math.round((performance.now() - started) / 1000)} s in all.`);
