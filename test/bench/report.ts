import { readFileSync, writeFileSync } from "node:fs";
import { arch, cpus, release, totalmem, type } from "node:os";
import { join } from "node:path";
import type { Cost } from "../../src/db/session.ts";
import type { Cold } from "./cold.ts";
import type { Cpu } from "./cpu.ts";
import type { DeliveryFigures } from "./delivery.ts";
import type { HeapFigures } from "./heap.ts";
import { LOG_LINE_BYTES, priceOf, prices } from "./price.ts";
import type { Scale } from "./scale.ts";
import {
  type Comparison,
  FLOOR,
  likeFloor,
  LOGGED_PEER,
  PEER,
  RECORDING_FLOOR,
  UNLOGGED,
} from "./side_by_side.ts";
import { median, type Quartiles } from "./statistics.ts";
import type { TrafficFigures } from "./traffic.ts";
import type { WholeFigures } from "./whole.ts";

/*
 * REPORT.md is written by people, except its tables: a comment with a table's name precedes each of them.
 */

export interface Measured {
  comparisons: Comparison[];
  cpu: Cpu[];
  cold: Cold;
  delivery: DeliveryFigures;
  whole: WholeFigures;
  scale: Scale;
  heap: HeapFigures[];
  traffic: TrafficFigures;
}

interface Table {
  name: string;
  head: string[];
  rows: string[][];
}

/** A table with a row for each item. */
const table = <Item>(
  name: string,
  items: Item[],
  columns: Record<string, (item: Item) => string>,
): Table => ({
  name,
  head: Object.keys(columns),
  rows: items.map((item) => Object.values(columns).map((cell) => cell(item))),
});

const markdown = ({ head, rows }: Table): string =>
  [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");

const FOLDER = join("test", "bench");

/** Writes the figures into REPORT.md and results.json; returns the paths of these files. */
export function writeReport(measured: Measured): string[] {
  const [report, results] = [join(FOLDER, "REPORT.md"), join(FOLDER, "results.json")];
  let text = readFileSync(report, "utf8");
  for (const each of tablesOf(measured)) {
    const place = new RegExp(`(?<=<!-- table: ${each.name} -->\n\n)(\\|.*\n)+`);
    if (!place.test(text)) throw new Error(`${report} has no table ${each.name}`);
    text = text.replace(place, () => `${markdown(each)}\n`);
  }
  writeFileSync(report, text);
  const rounded = (_: string, value: unknown): unknown =>
    typeof value === "number" && !Number.isInteger(value) ? Number(value.toPrecision(4)) : value;
  writeFileSync(results, JSON.stringify({ date: today(), machine: machine(), ...measured }, rounded, 2));
  return [report, results];
}

/** The tables of the parts that were measured, to be printed. */
export const textOf = (measured: Partial<Measured>): string =>
  tablesOf(measured)
    .map((each) => `${each.name}:\n\n${markdown(each)}`)
    .join("\n\n");

const tablesOf = (measured: Partial<Measured>): Table[] =>
  [
    table("summary", summaryOf(measured), { "": ([what]) => what, figure: ([, figure]) => figure }),
    table("goals", goalsOf(measured), {
      goal: ({ what }) => what,
      "": ({ isMost, limit }) => `${isMost ? "≤" : "≥"} ${count(limit)}`,
      measured: ({ figure, digits = 2 }) => spread(figure, digits),
      "reached?": ({ figure, isMost, limit }) =>
        (isMost ? figure.median <= limit : figure.median >= limit) ? "yes" : "**no**",
    }),
    ...comparisonTables(measured.comparisons ?? []),
    ...cpuTables(measured.cpu ?? [], titleIn(measured)),
    ...(measured.scale ? scaleTables(measured.scale) : []),
    ...(measured.cold ? coldTables(measured.cold) : []),
    ...(measured.cpu ? priceTables(measured.comparisons ?? [], measured.cpu) : []),
    ...(measured.whole ? wholeTables(measured.whole) : []),
    ...(measured.delivery ? deliveryTables(measured.delivery) : []),
    ...(measured.traffic ? trafficTables(measured.traffic) : []),
    table("heap", measured.heap ?? [], {
      edges: ({ edges }) => count(edges),
      rules: ({ rules }) => count(rules),
      requests: ({ what }) => what,
      "MB of heap": ({ heap }) => count(heap),
      "MB of cached JSON": ({ cached }) => count(cached),
    }),
  ].filter(({ rows }) => rows.length > 0);

const today = (): string => new Date().toISOString().slice(0, 10);

const machine = (): string => {
  const [{ model } = { model: "?" }] = cpus();
  const gibibytes = Math.round(totalmem() / 2 ** 30);
  return `${cpus().length} × ${model.trim()}, ${gibibytes} GiB, ${type()} ${release()} ${arch()}`;
};

const none: Cost = { roundTrips: 0, rowsRead: 0, rowsWritten: 0 };
const nothing: Quartiles = { q1: Number.NaN, median: Number.NaN, q3: Number.NaN };

const exactly = (figure: number): Quartiles => ({ q1: figure, median: figure, q3: figure });

const spread = ({ q1, median, q3 }: Quartiles = nothing, digits = 2): string =>
  q1 === q3
    ? median.toFixed(digits)
    : `${median.toFixed(digits)} (${q1.toFixed(digits)}–${q3.toFixed(digits)})`;
const count = (value: number): string => value.toLocaleString("en");
const whole = (value: number): string => value.toFixed(0);
const kibibytes = (bytes: number): string => `${(bytes / 1024).toFixed(1)} KiB`;
const mebibytes = (bytes: number): string => whole(bytes / 2 ** 20);
const kilobytes = (bytes: number, digits = 1): string => `${(bytes / 1000).toFixed(digits)} kB`;
const dollars = (amount: number, digits = 2): string => `$${amount.toFixed(digits)}`;
/** A cost: round trips / rows read / rows written. */
const work = ({ roundTrips, rowsRead, rowsWritten }: Cost = none): string =>
  `${roundTrips} / ${rowsRead} / ${rowsWritten}`;

/** The report's names for subjects. */
const labels: Record<string, string> = {
  [FLOOR]: "bare floor",
  [RECORDING_FLOOR]: "floor with event",
  [LOGGED_PEER]: "zod_openapi with log line",
  [UNLOGGED]: "service without its log line",
};
const labelOf = (subject: string): string => labels[subject] ?? subject;

const titleIn =
  ({ comparisons = [] }: Partial<Measured>) =>
  (op: string): string =>
    comparisons.find((each) => each.op === op)?.title ?? op;

/** The most important figures, in words and numbers. */
function summaryOf({ comparisons = [], cold, traffic }: Partial<Measured>): [string, string][] {
  const overall = (what: string, of: (comparison: Comparison) => Quartiles = () => nothing) => {
    const medians = comparisons.map((comparison) => of(comparison).median);
    return [what, `${Math.min(...medians).toFixed(2)} to ${Math.max(...medians).toFixed(2)}`] as [
      string,
      string,
    ];
  };
  const trips = (subject: string): [string, string] => [
    `round trips to the database per request, at most, ${labelOf(subject)}`,
    String(Math.max(...comparisons.map(({ costs }) => costs[subject]?.roundTrips ?? 0))),
  ];
  return [
    ["date", today()],
    ["machine", `${machine()}, shared with other work`],
    ...(traffic ? [["HAProxy", traffic.haproxy] as [string, string]] : []),
    ...(comparisons.length === 0
      ? []
      : [
          trips("service"),
          trips(PEER),
          overall(
            "throughput ÷ floor with event (like for like)",
            ({ ratios }) => likeFloor(ratios) ?? nothing,
          ),
          overall("throughput ÷ bare floor", ({ ratios }) => ratios[FLOOR] ?? nothing),
          overall(
            "throughput ÷ zod_openapi with log line (like for like)",
            ({ ratios }) => ratios[LOGGED_PEER] ?? nothing,
          ),
          overall("throughput ÷ zod_openapi", ({ ratios }) => ratios[PEER] ?? nothing),
        ]),
    ...(cold ? [["bundle, gzipped", kibibytes(cold.service.gzipBytes)] as [string, string]] : []),
  ];
}

interface Goal {
  what: string;
  limit: number;
  /** True if the figure must be at most the limit, otherwise at least. */
  isMost: boolean;
  figure: Quartiles;
  digits?: number;
}

/** Operations with a CPU goal. */
const WITH_CPU_GOAL = new Set(["get_edge", "create_ip_policy", "create_edge"]);

/** The goals of what was measured, and the figures that must reach them. */
function goalsOf(measured: Partial<Measured>): Goal[] {
  const { comparisons = [], cpu = [], cold, delivery, scale, heap = [] } = measured;
  const least = (what: string, limit: number, figure: Quartiles = nothing, digits = 2): Goal => ({
    what,
    limit,
    isMost: false,
    figure,
    digits,
  });
  const most = (...[what, limit, figure, digits]: Parameters<typeof least>): Goal => ({
    ...least(what, limit, figure, digits),
    isMost: true,
  });
  const trips = ({ costs }: Comparison, subject: string): number => costs[subject]?.roundTrips ?? 0;
  const largest = scale?.bytes.at(-1)?.[0];
  return [
    ...comparisons.flatMap(({ title, goal, ratios }) =>
      goal === undefined ? [] : [least(`throughput of ${title} ÷ floor with event`, goal, likeFloor(ratios))],
    ),
    ...comparisons.map((each) => {
      const limit = trips(each, PEER) > trips(each, "service") ? 1.3 : 1;
      return least(`throughput of ${each.title} ÷ ${labelOf(LOGGED_PEER)}`, limit, each.ratios[LOGGED_PEER]);
    }),
    ...cpu
      .filter(({ op }) => WITH_CPU_GOAL.has(op))
      .map(({ op, own }) => most(`µs of CPU of ${titleIn(measured)(op)}`, 150, own, 0)),
    ...(cold
      ? [
          most("KiB of the bundle, gzipped", 320, exactly(cold.service.gzipBytes / 1024), 1),
          most("million instructions of a start over an empty Worker", 354, cold.overEmpty[0]?.over, 0),
        ]
      : []),
    ...(delivery?.rates ?? [])
      .filter(({ perRequest }) => perRequest > 1)
      .map(({ kind, rate }) => least(`events per second to ${kind}`, 1_000, rate, 0)),
    ...(delivery
      ? [most("ms from the request of a change to the arrival of its event", 2_000, delivery.latency, 0)]
      : []),
    ...(delivery?.changes ?? [])
      .filter(({ destinations }) => destinations > 0)
      .map(({ destinations, ratio }) =>
        most(`time of a change with ${destinations} subscribed destinations ÷ without`, 1.05, ratio),
      ),
    ...heap.map((each) =>
      most(`MB in an isolate for ${each.what}`, 100, exactly(each.heap + each.cached), 0),
    ),
    ...(scale?.scaled ?? [])
      .filter(({ rows, slowdown }) => rows === largest && slowdown)
      .map(({ op, rows, slowdown }) =>
        most(`time of ${op} with ${count(rows)} rows ÷ 1,000 rows`, 1.3, slowdown),
      ),
  ];
}

function comparisonTables(comparisons: Comparison[]): Table[] {
  const sides = [FLOOR, RECORDING_FLOOR, PEER, "service"];
  const timed = [FLOOR, RECORDING_FLOOR, PEER, LOGGED_PEER, "service", UNLOGGED];
  const operation = { operation: ({ title }: Comparison) => title };
  const rate = ({ rates, cpu }: Comparison, side: string): string =>
    rates[side] ? `${whole(rates[side].median)} / ${whole(cpu[side] ?? 0)}` : "–";
  return [
    table("floor", comparisons, {
      ...operation,
      "÷ floor with event (like for like)": ({ ratios }) => spread(likeFloor(ratios)),
      "÷ bare floor": ({ ratios }) => spread(ratios[FLOOR]),
      "like for like, service without log line": ({ ratioUnlogged }) => spread(ratioUnlogged),
      "CPU of the floor with event ÷ service": ({ cpuRatios }) => spread(likeFloor(cpuRatios)),
      "CPU of the bare floor ÷ service": ({ cpuRatios }) => spread(cpuRatios[FLOOR]),
    }),
    table("peer", comparisons, {
      ...operation,
      "÷ peer with log line (like for like)": ({ ratios }) => spread(ratios[LOGGED_PEER]),
      "÷ peer without": ({ ratios }) => spread(ratios[PEER]),
      "CPU of the peer with log line ÷ service": ({ cpuRatios }) => spread(cpuRatios[LOGGED_PEER]),
      "CPU of the peer without ÷ service": ({ cpuRatios }) => spread(cpuRatios[PEER]),
    }),
    table("work", comparisons, {
      ...operation,
      ...columns(sides, labelOf, ({ costs }, side) => work(costs[side])),
    }),
    table("rates", comparisons, { ...operation, ...columns(timed, labelOf, rate) }),
  ];
}

/** A column for each key. */
const columns = <Key, Item>(
  keys: readonly Key[],
  head: (key: Key) => string,
  cell: (item: Item, key: Key) => string,
) => Object.fromEntries(keys.map((key) => [head(key), (item: Item) => cell(item, key)]));

function cpuTables(cpu: Cpu[], titleOf: (op: string) => string): Table[] {
  const total = (stage: string): number => cpu.reduce((sum, { stages }) => sum + (stages[stage] ?? 0), 0);
  const stages = [...new Set(cpu.flatMap((each) => Object.keys(each.stages)))].toSorted(
    (a, b) => total(b) - total(a),
  );
  const shown = cpu.filter(({ op }) => ["get_edge", "list_100", "create_edge"].includes(op));
  const functions = shown.flatMap(({ op, top }) => top.map((each) => [titleOf(op), ...each] as const));
  return [
    table("cpu", cpu, {
      operation: ({ op }) => titleOf(op),
      "own CPU": ({ own }) => spread(own, 0),
      ...columns(stages, String, (each, stage) => whole(each.stages[stage] ?? 0)),
    }),
    table("functions", functions, {
      operation: ([title]) => title,
      function: ([, name]) => (name === "" ? "" : `\`${name}\``),
      place: ([, , place]) => (place === "" ? "the platform" : `\`${place}\``),
      share: ([, , , share]) => `${(share * 100).toFixed(1)} %`,
    }),
  ];
}

function scaleTables({ scaled, bytes, bytesPerObject, indexes }: Scale): Table[] {
  const sizes = bytes.map(([rows]) => rows);
  const byOp = [...Map.groupBy(scaled, ({ op }) => op)].map(([op, each]) => ({ op, each }));
  const at = ({ each }: (typeof byOp)[number], size: number) => each.find(({ rows }) => rows === size);
  const operation = { operation: ({ op }: (typeof byOp)[number]) => op };
  const cost = ({ rowsRead, milliseconds }: Scale["indexes"][number]["with"]): string =>
    `${count(rowsRead)} rows, ${milliseconds.toFixed(1)} ms`;
  return [
    table("scale-work", byOp, {
      ...operation,
      ...columns(sizes, count, (row, size) => work(at(row, size)?.cost)),
      "": ({ each }) => (new Set(each.map((one) => work(one.cost))).size === 1 ? "identical" : "**differ**"),
    }),
    table(
      "scale-time",
      byOp.filter(({ each }) => each.some(({ slowdown }) => slowdown)),
      { ...operation, ...columns(sizes, count, (row, size) => spread(at(row, size)?.slowdown)) },
    ),
    table("scale-size", bytes, {
      "rows in each table": ([rows]) => count(rows),
      MiB: ([, size]) => (size / 2 ** 20).toFixed(1),
      "bytes per object": ([rows]) => (rows === sizes.at(-1) ? whole(bytesPerObject) : "–"),
    }),
    table("indexes", indexes, {
      index: ({ index }) => `\`${index}\``,
      for: ({ op }) => op,
      "with it": (each) => cost(each.with),
      "without it": ({ without }) => cost(without),
      "a million such deletions without it": ({ without }) =>
        `$${count(Math.round(without.rowsRead * prices.rowsRead))}`,
    }),
  ];
}

function coldTables({ service, unminified, empty, overEmpty }: Cold): Table[] {
  const sizeIn = (all: Cold["service"]["byPackage"], name: string): number =>
    all.find(([other]) => other === name)?.[1] ?? 0;
  const packages = service.byPackage.map(([name]) => ({
    name: name === "src" ? "this repository" : name,
    minified: kilobytes(sizeIn(service.byPackage, name)),
    not: kilobytes(sizeIn(unminified.byPackage, name)),
  }));
  const sums = [
    { name: "all", minified: kibibytes(service.bytes), not: kibibytes(unminified.bytes) },
    { name: "all, gzipped", minified: kibibytes(service.gzipBytes), not: kibibytes(unminified.gzipBytes) },
  ];
  const starts = overEmpty.map(({ name, gzipBytes, over }) => ({
    name,
    gzipped: kibibytes(gzipBytes),
    over,
  }));
  return [
    table("bundle", [...packages, ...sums], {
      package: ({ name }) => name,
      "in the bundle": ({ minified }) => minified,
      "not minified": ({ not }) => not,
    }),
    table("cold", [...starts, { name: "the empty Worker itself", gzipped: "–", over: empty }], {
      Worker: ({ name }) => name,
      gzipped: ({ gzipped }) => gzipped,
      "million instructions over empty": ({ over }) => spread(over, 1),
    }),
  ];
}

function priceTables(comparisons: Comparison[], cpu: Cpu[]): Table[] {
  const priced = comparisons.map(({ op, title, costs }) => {
    const micros = cpu.find((each) => each.op === op)?.own.median ?? 0;
    return { title, costs, price: priceOf(costs["service"] ?? none, micros, LOG_LINE_BYTES) };
  });
  const items = ["requests", "cpu", "rowsRead", "rowsWritten", "logs", "all"] as const;
  const heads = { cpu: "CPU", rowsRead: "rows read", rowsWritten: "rows written", all: "**all**" };
  const exact = (amount: number): string => dollars(amount, amount < 0.01 ? 4 : 3);
  return [
    table("price", priced, {
      operation: ({ title }) => title,
      ...columns(
        items,
        (item) => Object(heads)[item] ?? item,
        ({ price }, item) => exact(price[item]),
      ),
      ...columns([FLOOR, RECORDING_FLOOR, PEER], labelOf, ({ costs }, other) =>
        exact(priceOf(costs[other] ?? none, 0).all),
      ),
    }),
  ];
}

function wholeTables({ together, asked }: WholeFigures): Table[] {
  const titled = together.map((each) => ({ ...each, title: `${count(each.count)} ${each.what}` }));
  const singles = titled.flatMap(({ title, seconds, single, ratios }) =>
    Object.entries(single).map(([subject, one]) => ({
      title,
      seconds,
      subject,
      one,
      ratio: ratios[subject],
    })),
  );
  return [
    table("bulk-time", singles, {
      objects: ({ title }) => title,
      "seconds in one request": ({ seconds }) => spread(seconds),
      "subject, one by one": ({ subject }) => labelOf(subject),
      seconds: ({ one }) => spread(one),
      "÷ one request": ({ ratio }) => spread(ratio, 1),
    }),
    table("bulk-work", titled, {
      objects: ({ title }) => title,
      "one request": ({ cost }) => work(cost),
      "one by one": ({ singleCost }) => work(singleCost),
    }),
    table("lookups", asked, {
      request: ({ what }) => what,
      "rows read": ({ rowsRead }) => String(rowsRead),
      "time ÷ GET's": ({ ratio }) => spread(ratio),
    }),
  ];
}

function deliveryTables({ rates, changes, costs }: DeliveryFigures): Table[] {
  // Without its event, the measured change reads nothing and writes one row.
  const recording = { ...costs.change, rowsWritten: costs.change.rowsWritten - 1 };
  const price = ({ rowsRead, rowsWritten }: Cost): number =>
    rowsRead * prices.rowsRead + rowsWritten * prices.rowsWritten;
  const kept = price(recording) + price(costs.sweep);
  // Written, read and deleted once. A consumer is invoked for 100 messages.
  const message = 3 * prices.queueOperations + prices.requests / 100;
  const steps: [string, Cost][] = [
    ["recording", recording],
    ["delivery to a destination, alone", costs.delivery],
    ["delivery to a destination, in batches", costs.inBatches],
    ["expiry", costs.sweep],
  ];
  return [
    table("delivery-rates", rates, {
      target: ({ kind }) => `\`${kind}\``,
      "events per request": ({ perRequest }) => String(perRequest),
      "events per second": ({ rate }) => spread(rate, 0),
      "CPU µs per event": ({ cpuMicroseconds }) => whole(cpuMicroseconds),
    }),
    table("delivery-changes", changes, {
      destinations: ({ destinations }) => String(destinations),
      milliseconds: ({ milliseconds }) => spread(milliseconds, 1),
      "÷ without": ({ ratio }) => spread(ratio),
    }),
    table("delivery-work", steps, {
      "": ([step]) => step,
      "rows read": ([, { rowsRead }]) => rowsRead.toFixed(2),
      "rows written": ([, { rowsWritten }]) => rowsWritten.toFixed(2),
      "a million": ([, cost]) => dollars(price(cost)),
    }),
    table("delivery-price", [1, 2, 10], {
      destinations: String,
      "here, each event alone": (all) => dollars(kept + all * price(costs.delivery)),
      "here, in batches": (all) => dollars(kept + all * price(costs.inBatches)),
      "outbox and queue": (all) => dollars(kept + price(costs.inBatches) + all * message),
      "queue alone": (all) => dollars(all * message),
    }),
  ];
}

function trafficTables({ changes, snapshots, sized }: TrafficFigures): Table[] {
  const size = {
    edges: ({ edges }: { edges: number }) => count(edges),
    rules: ({ rules }: { rules: number }) => count(rules),
  };
  const read = ({ milliseconds, cost }: { milliseconds: number; cost: Cost }): string =>
    `${milliseconds.toFixed(1)} ms, ${count(cost.rowsRead)} row${cost.rowsRead === 1 ? "" : "s"}`;
  return [
    table("changes", changes, {
      change: ({ what }) => what,
      "applied by": ({ by }) => by,
      agent: ({ waitSeconds }) => (waitSeconds > 0 ? "waits" : "polls"),
      median: ({ milliseconds }) => whole(median(milliseconds)),
      worst: ({ milliseconds }) => whole(Math.max(...milliseconds)),
      runs: ({ milliseconds }) => String(milliseconds.length),
    }),
    table("snapshots", snapshots, {
      ...size,
      JSON: ({ bytes }) => kilobytes(bytes, 0),
      gzipped: ({ gzipBytes }) => kilobytes(gzipBytes, 0),
      built: ({ made }) => read(made),
      again: ({ again }) => read(again),
      "unchanged (304)": ({ unchanged }) => read(unchanged),
      "changes after a new rule": ({ delta }) => `${read(delta)}, ${delta.bytes} bytes`,
    }),
    table("memory", snapshots, {
      ...size,
      before: ({ memory }) => mebibytes(memory.before),
      "the first": ({ memory }) => mebibytes(memory.first),
      many: ({ memory }) => mebibytes(memory.many),
    }),
    table("computed", sized, {
      ...size,
      files: ({ files, bytes }) => `${count(files)}, ${kilobytes(bytes, 0)}`,
      rendering: ({ renderMilliseconds }) => whole(renderMilliseconds),
      "`haproxy -c`": ({ checkMilliseconds }) => whole(checkMilliseconds),
      everything: ({ resolve }) => whole(resolve.everything),
      "a new rule": ({ resolve }) => resolve.rule.toFixed(1),
      "another backend of an edge": ({ resolve }) => whole(resolve.edge),
    }),
    table("processes", sized, {
      ...size,
      "start of HAProxy": ({ startMilliseconds }) => whole(startMilliseconds),
      "MiB of HAProxy": ({ proxyBytes }) => mebibytes(proxyBytes),
      "MiB of the agent": ({ agentBytes }) => mebibytes(agentBytes),
      "idle agent's CPU, s per minute": ({ idleCpuSeconds }) => idleCpuSeconds.toFixed(2),
    }),
    table(
      "sized-changes",
      sized.flatMap(({ edges, changes }) => changes.map((each) => ({ edges, ...each }))),
      {
        edges: size.edges,
        change: ({ what }) => what,
        "applied by": ({ by }) => by,
        served: ({ servedMilliseconds }) => whole(servedMilliseconds),
        "in HAProxy": ({ appliedMilliseconds }) => whole(appliedMilliseconds),
        "agent's CPU": ({ cpuMilliseconds }) => whole(cpuMilliseconds),
      },
    ),
  ];
}
