import { arch, cpus, release, totalmem, type } from "node:os";
import type { Cost } from "../../src/db/session.ts";
import type { Cold } from "./cold.ts";
import type { Cpu } from "./cpu.ts";
import { type DeliveryFigures, EVENTS, EVENTS_ALONE } from "./delivery.ts";
import { OBJECTS, WHOLE_EDGES, withLog } from "./operations.ts";
import { LOG_LINE_BYTES, priceOf, PRICES_READ, prices } from "./price.ts";
import { type Scale, TABLES } from "./scale.ts";
import {
  type Comparison,
  EMULATED,
  FEWEST,
  FLOOR,
  labels,
  likeFloor,
  peers,
  MOST,
  RECORDING_FLOOR,
  STABLE,
  UNLOGGED,
} from "./side_by_side.ts";
import { median, type Quartiles } from "./statistics.ts";
import type { TrafficFigures } from "./traffic.ts";
import type { WholeFigures } from "./whole.ts";

export interface Measured {
  comparisons: Comparison[];
  cpu: Cpu[];
  cold: Cold;
  delivery: DeliveryFigures;
  whole: WholeFigures;
  /** Not measured in a quick run. */
  scale?: Scale;
  /** Null on a machine without HAProxy. */
  traffic?: TrafficFigures | null;
}

/** True if everything that a report requires was measured. */
export const isReportable = (measured: Partial<Measured>): measured is Measured =>
  [measured.comparisons, measured.cpu, measured.cold, measured.delivery, measured.whole].every(
    (part) => part !== undefined,
  );

/** The sections of the parts that were measured, without sections that combine several parts. */
export const sectionsOf = ({
  comparisons,
  cpu,
  scale,
  cold,
  whole,
  delivery,
  traffic,
}: Partial<Measured>): string =>
  [
    comparisons && sideBySide(comparisons),
    cpu && cpuPart({ cpu, comparisons: comparisons ?? [] }),
    scale && scalePart(scale),
    cold && coldPart(cold),
    whole && wholePart(whole),
    delivery && deliveryPart(delivery),
    traffic !== undefined && trafficPart(traffic),
  ]
    .filter((section) => typeof section === "string")
    .join("\n\n");

/**
 * Upper limits (bundle: bytes gzipped; cold: milliseconds over an empty Worker; cpu: microseconds; latency:
 * milliseconds; subscribed: time of a change with destinations relative to a change without), and lower limits of
 * ratios and rates.
 */
const GOALS = {
  bundle: 100 * 1024,
  cold: 60,
  cpu: 150,
  slowdown: 1.3,
  peer: 1,
  peerWithMoreTrips: 1.3,
  eventsPerSecond: 1_000,
  latency: 2_000,
  subscribed: 1.05,
};

const none: Cost = { roundTrips: 0, rowsRead: 0, rowsWritten: 0 };

const table = (head: string[], rows: string[][]): string =>
  [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");

const spread = ({ q1, median, q3 }: Quartiles, digits = 2): string =>
  `${median.toFixed(digits)} (${q1.toFixed(digits)}–${q3.toFixed(digits)})`;

const verdict = (isReached: boolean): string => (isReached ? "reached" : "**missed**");

const nothing: Quartiles = { q1: Number.NaN, median: Number.NaN, q3: Number.NaN };

/** The minimum ratio to a peer on an operation: higher if the peer needs more round trips. */
const goalOver = ({ costs }: Comparison, peer: string): number =>
  (costs[peer] ?? none).roundTrips > (costs["service"] ?? none).roundTrips
    ? GOALS.peerWithMoreTrips
    : GOALS.peer;

/** The report, in Markdown: the summary, the figures, and how they were measured. */
export const reportOf = (measured: Measured): string =>
  [
    "# What this service costs",
    summary(measured),
    `Written by \`npm run bench\` on ${new Date().toISOString().slice(0, 10)}. Absolute figures are **specific to this machine** (${machine()}, shared with other work); only ratios between subjects that ran side by side can be compared. Cells show the median and, in brackets, the quartiles. The subjects and the methods are described [at the end](#method).`,
    sideBySide(measured.comparisons),
    cpuPart(measured),
    measured.scale ? scalePart(measured.scale) : "## Scale\n\nNot measured in a quick run.",
    coldPart(measured.cold),
    pricePart(measured),
    wholePart(measured.whole),
    deliveryPart(measured.delivery),
    ...(measured.traffic === undefined ? [] : [trafficPart(measured.traffic)]),
    method(measured),
  ].join("\n\n") + "\n";

/** The smallest and the largest of some figures. */
const range = (values: number[], digits = 2): string =>
  `${Math.min(...values).toFixed(digits)} to ${Math.max(...values).toFixed(digits)}`;

/** The goals that were missed, in words. */
function misses({ comparisons, cpu, cold, delivery, scale }: Measured): string[] {
  const figure = (value: number, digits = 2): string => value.toFixed(digits);
  return [
    ...comparisons.flatMap(({ title, goal, ratios }) => {
      const { median } = likeFloor(ratios) ?? nothing;
      return goal === undefined || median >= goal
        ? []
        : [`${title} ÷ floor with event (${figure(median)}, goal ${figure(goal)})`];
    }),
    ...comparisons.flatMap((comparison) =>
      peers.flatMap((peer) => {
        const { median } = comparison.ratios[withLog(peer)] ?? nothing;
        const goal = goalOver(comparison, peer);
        return median >= goal
          ? []
          : [`${comparison.title} ÷ ${labels[withLog(peer)]} (${figure(median)}, goal ${figure(goal, 1)})`];
      }),
    ),
    ...cpu.flatMap(({ op, own }) =>
      !WITH_CPU_GOAL.has(op) || own.median < GOALS.cpu
        ? []
        : [`CPU of ${titleOf(comparisons, op)} (${figure(own.median, 0)} µs, goal ${GOALS.cpu})`],
    ),
    ...(cold.service.gzipBytes <= GOALS.bundle ? [] : ["the size of the bundle"]),
    ...((cold.overEmpty[0]?.over.clock.median ?? Number.NaN) < GOALS.cold ? [] : ["the cold start"]),
    ...deliveryMisses(delivery),
    ...slowdowns(scale)
      .filter(([, median]) => !(median <= GOALS.slowdown))
      .map(
        ([op, median]) =>
          `${op} at the largest size (${figure(median)} times as long, goal ${GOALS.slowdown})`,
      ),
  ];
}

const deliveryMisses = ({ rates, latency, changes }: DeliveryFigures): string[] => [
  ...rates
    .filter(({ perRequest, rate }) => perRequest > 1 && rate.median < GOALS.eventsPerSecond)
    .map(({ kind, rate }) => `events per second to ${kind} (${rate.median.toFixed(0)})`),
  ...(latency.median < GOALS.latency ? [] : ["the latency of events"]),
  ...changes
    .filter(({ ratio }) => ratio.median > GOALS.subscribed)
    .map(
      ({ destinations, ratio }) =>
        `a change with destinations: ${destinations} (${ratio.median.toFixed(2)} times as long, goal ${GOALS.subscribed})`,
    ),
];

/** The median slowdown of each timed operation at the largest size. */
function slowdowns(scale: Scale | undefined): [op: string, median: number][] {
  const largest = scale?.bytes.at(-1)?.[0];
  return (scale?.scaled ?? []).flatMap(({ op, rows, slowdown }): [string, number][] =>
    rows === largest && slowdown ? [[op, slowdown.median]] : [],
  );
}

function summary(measured: Measured): string {
  const { comparisons, cold } = measured;
  const over = (name: string): string =>
    range(comparisons.map(({ ratios }) => (ratios[name] ?? nothing).median));
  const overFloor = range(comparisons.map(({ ratios }) => (likeFloor(ratios) ?? nothing).median));
  const trips = comparisons.map(({ costs }) => (costs["service"] ?? none).roundTrips);
  const theirs = comparisons.flatMap(({ costs }) => peers.map((peer) => (costs[peer] ?? none).roundTrips));
  const missed = misses(measured);
  const bundle = cold.service.gzipBytes / 1024;
  const start = cold.overEmpty[0]?.over.clock.median ?? Number.NaN;
  return [
    `**Round trips** to the database: at most ${Math.max(...trips)} per request; the peers make up to ${Math.max(...theirs)}.`,
    `**Throughput ÷ floor** (a Worker that only does the same database work): **${overFloor}** like for like, including the event of each change; ${over(FLOOR)} compared with the bare floor, which records no events.`,
    `**Throughput ÷ peers**: ${peers.map((peer) => `**${over(withLog(peer))}** compared with ${peer} like for like, with an equally long log line, and ${over(peer)} without a log line`).join("; ")}.`,
    `**Bundle**: ${bundle.toFixed(1)} KiB gzipped (goal: at most ${GOALS.bundle / 1024}). **Cold start**: ${start.toFixed(1)} ms more than an empty Worker (goal: under ${GOALS.cold}).`,
    `**Goals missed**: ${missed.length === 0 ? "none" : `${missed.length}: ${missed.join("; ")}`}.`,
  ]
    .map((line) => `- ${line}`)
    .join("\n");
}

/** Operations with a CPU goal. */
const WITH_CPU_GOAL = new Set(["get_edge", "create_ip_policy", "create_edge"]);

const titleOf = (comparisons: Comparison[], op: string): string =>
  comparisons.find((each) => each.op === op)?.title ?? op;

const machine = (): string => {
  const [{ model } = { model: "?" }] = cpus();
  const gibibytes = Math.round(totalmem() / 2 ** 30);
  return `${cpus().length} × ${model.trim()}, ${gibibytes} GiB, ${type()} ${release()} ${arch()}`;
};

function sideBySide(comparisons: Comparison[]): string {
  const toFloor = comparisons.map(({ title, goal, ratios, ratioUnlogged, cpuRatios }) => {
    const ratio = likeFloor(ratios) ?? nothing;
    return [
      title,
      spread(ratio),
      goal === undefined ? "–" : `≥ ${goal.toFixed(2)}`,
      goal === undefined ? "–" : verdict(ratio.median >= goal),
      spread(ratios[FLOOR] ?? nothing),
      spread(ratioUnlogged),
      spread(likeFloor(cpuRatios) ?? nothing),
      spread(cpuRatios[FLOOR] ?? nothing),
    ];
  });
  const toPeers = comparisons.flatMap((comparison) =>
    peers.map((peer) => {
      const { title, ratios, cpuRatios } = comparison;
      const ratio = ratios[withLog(peer)] ?? nothing;
      const goal = goalOver(comparison, peer);
      return [
        title,
        peer,
        spread(ratio),
        `≥ ${goal.toFixed(1)}`,
        verdict(ratio.median >= goal),
        spread(ratios[peer] ?? nothing),
        spread(cpuRatios[withLog(peer)] ?? nothing),
        spread(cpuRatios[peer] ?? nothing),
      ];
    }),
  );
  const sides = [FLOOR, RECORDING_FLOOR, ...peers, "service"];
  const costs = comparisons.map(({ title, costs }) => [
    title,
    ...sides.map((side) => costText(costs[side] ?? none)),
  ]);
  const measured = [...Object.keys(labels), "service", UNLOGGED, EMULATED];
  const rates = comparisons.map(({ title, rates, cpu }) => [
    title,
    ...measured.map((side) =>
      rates[side] ? `${Math.round(rates[side].median)} / ${Math.round(cpu[side] ?? 0)}` : "–",
    ),
  ]);
  return `## Side by side

![Ratios](charts/ratios.svg)

Every ratio is the throughput of the service divided by that of another subject: above 1, the service is faster. Each comparison has two ratios. The one marked **like for like** compares the same work, and the goals apply to it:

- The **floor with event** sends as many statements as the service and writes the same rows. One of these rows is the event that each change records. The **bare floor** records no events. If a request changes nothing, there is no event, and the two floors are the same.
- A peer **with log line** writes one line of JSON per request, as long as the service's. **Without**, it does not log. In both cases, the peers do less than the service: they do not record events, look up keys or limit rates.

${table(["operation", "÷ floor with event (like for like)", "goal", "", "÷ bare floor", "like for like, service without log line", "CPU of the floor with event ÷ service", "CPU of the bare floor ÷ service"], toFloor)}

${table(["operation", "peer", "÷ peer with log line (like for like)", "goal", "", "÷ peer without", "CPU of the peer with log line ÷ service", "CPU of the peer without ÷ service"], toPeers)}

Database cost of one request (**round trips / rows read / rows written**). Before it measures anything, the bench checks that the floor with event makes as many round trips, sends as many statements, writes as many rows, records the same event and responds with as much JSON as the service:

${table(["operation", ...sides.map((side) => labels[side] ?? side)], costs)}

Requests per second / CPU microseconds of workerd per request, on this machine:

${table(["operation", ...measured.map((side) => labels[side] ?? variants[side] ?? side)], rates)}`;
}

/** The report's names for the variants of the service. */
const variants: Record<string, string> = {
  [UNLOGGED]: "service without its log line",
  [EMULATED]: "service with Miniflare's limiter",
};

function cpuPart({ cpu, comparisons }: Pick<Measured, "cpu" | "comparisons">): string {
  const names = [...new Set(cpu.flatMap(({ stages }) => Object.keys(stages)))];
  const total = (name: string): number => cpu.reduce((sum, { stages }) => sum + (stages[name] ?? 0), 0);
  const order = names.toSorted((a, b) => total(b) - total(a));
  const rows = cpu.map(({ op, own, stages }) => [
    titleOf(comparisons, op),
    spread(own, 0),
    WITH_CPU_GOAL.has(op) ? verdict(own.median < GOALS.cpu) : "–",
    ...order.map((name) => (stages[name] ?? 0).toFixed(0)),
  ]);
  const tops = cpu
    .filter(({ op }) => op === "get_edge" || op === "list_100" || op === "create_edge")
    .map(
      ({ op, top }) =>
        `${titleOf(comparisons, op)}:\n\n${table(
          ["function", "place", "share"],
          top.map(([name, place, share]) => [
            name === "" ? "" : `\`${name}\``,
            place === "" ? "the platform" : `\`${place}\``,
            `${(share * 100).toFixed(1)} %`,
          ]),
        )}`,
    );
  return `## CPU

Microseconds of CPU per request in the service's own code, and its stages. Goal: under ${GOALS.cpu} for GET and create.

${table(["operation", "own CPU", "goal", ...order], rows)}

Functions with the most samples:

${tops.join("\n\n")}`;
}

function scalePart({ scaled, bytes, bytesPerObject, indexes }: Scale): string {
  const sizes = [...new Set(scaled.map(({ rows }) => rows))];
  const ops = [...new Set(scaled.map(({ op }) => op))];
  const at = (op: string, rows: number) => scaled.find((each) => each.op === op && each.rows === rows);
  const largest = sizes.at(-1) ?? 0;
  const costs = ops.map((op) => {
    const all = sizes.map((rows) => {
      const { roundTrips, rowsRead, rowsWritten } = at(op, rows)?.cost ?? none;
      return `${roundTrips} / ${rowsRead} / ${rowsWritten}`;
    });
    return [op, ...all, new Set(all).size === 1 ? "identical" : "**differ**"];
  });
  const times = ops
    .filter((op) => at(op, largest)?.slowdown)
    .map((op) => [
      op,
      ...sizes.map((rows) => spread(at(op, rows)?.slowdown ?? nothing)),
      verdict((at(op, largest)?.slowdown?.median ?? Number.NaN) <= GOALS.slowdown),
    ]);
  const heads = sizes.map((rows) => rows.toLocaleString("en"));
  const worth = indexes.map(({ index, op, ...cost }) => [
    `\`${index}\``,
    op,
    `${cost.with.rowsRead.toLocaleString("en")} rows, ${cost.with.milliseconds.toFixed(1)} ms`,
    `${cost.without.rowsRead.toLocaleString("en")} rows, ${cost.without.milliseconds.toFixed(1)} ms`,
    `$${(cost.without.rowsRead * prices.rowsRead).toLocaleString("en", { maximumFractionDigits: 0 })}`,
  ]);
  return `## Scale

![Time by size](charts/scale.svg)

![Rows by size](charts/rows.svg)

All ${TABLES} tables of objects grow together, except routes: ${WHOLE_EDGES} HTTPS edges have 100 each. The operations include in-use checks and cascading deletions. **Round trips / rows read / rows written** of one request, by rows in each table:

${table(["operation", ...heads, ""], costs)}

The time of a request, relative to the same request to a database of 1,000 rows. The two are sent alternately (goal: at most ${GOALS.slowdown}):

${table(["operation", ...heads, ""], times)}

The database has ${bytes.map(([rows, size]) => `${(size / 2 ** 20).toFixed(1)} MiB at ${rows.toLocaleString("en")}`).join(", ")} rows per table: ${Math.round(bytesPerObject)} bytes per object with its share of the indexes. D1's maximum of 10 GB therefore holds ${Math.floor(1e10 / bytesPerObject / 1e6)} million objects like these.

### Is each index worth its write?

An index entry costs one row written, $${prices.rowsWritten.toFixed(2)} per million. Without the index, one deletion scans the whole table. At ${largest.toLocaleString("en")} rows:

${table(["index", "for", "with it", "without it", "a million such deletions without it"], worth)}

A row written costs as much as ${(prices.rowsWritten / prices.rowsRead).toLocaleString("en")} rows read, so by price alone an index pays for itself if deletions per entry written, times the rows of the table, exceed ${(prices.rowsWritten / prices.rowsRead).toLocaleString("en")}: with 10,000 rules, one deletion of an IP policy for ten rules written. There is another reason to keep each index: D1 has one writer, so a deletion that scans a table blocks all other writes. For the same reason, \`uses\` has a row for each reference.`;
}

function coldPart({ service, unminified, empty, overEmpty }: Cold): string {
  const [own] = overEmpty;
  const bytes = service.byPackage.map(([name, size]) => [
    name === "src" ? "this repository" : name,
    `${(size / 1000).toFixed(1)} kB`,
    `${((unminified.byPackage.find(([other]) => other === name)?.[1] ?? 0) / 1000).toFixed(1)} kB`,
  ]);
  const times = overEmpty.map(({ name, gzipBytes, over }) => [
    name,
    `${(gzipBytes / 1024).toFixed(1)} KiB`,
    spread(over.clock, 1),
    spread(over.cpu, 1),
  ]);
  return `## Cold start

Bundle as built by wrangler: ${(service.gzipBytes / 1024).toFixed(1)} KiB gzipped (goal: at most ${GOALS.bundle / 1024} KiB, ${verdict(service.gzipBytes <= GOALS.bundle)}), ${(service.bytes / 1024).toFixed(1)} KiB uncompressed. Without minification it would be ${(unminified.gzipBytes / 1024).toFixed(1)} KiB gzipped.

${table(["package", "in the bundle", "not minified"], bytes)}

From the start of the workerd process to its first response, minus that of an empty Worker (${spread(empty.clock, 1)} ms, of which CPU ${spread(empty.cpu, 1)} ms), on this machine (goal: under ${GOALS.cold}, ${verdict((own?.over.clock.median ?? Number.NaN) < GOALS.cold)}):

${table(["Worker", "gzipped", "milliseconds over empty", "of CPU"], times)}`;
}

function pricePart({ comparisons, cpu }: Measured): string {
  const dollars = (amount: number): string => `$${amount.toFixed(amount < 0.01 ? 4 : 3)}`;
  const others = [FLOOR, RECORDING_FLOOR, ...peers];
  const rows = comparisons.map(({ op, title, costs }) => {
    const micros = cpu.find((each) => each.op === op)?.own.median ?? 0;
    const price = priceOf(costs["service"] ?? none, micros, LOG_LINE_BYTES);
    const { requests, cpu: ofCpu, rowsRead, rowsWritten, logs, all } = price;
    return [
      title,
      ...[requests, ofCpu, rowsRead, rowsWritten, logs, all].map(dollars),
      ...others.map((other) => dollars(priceOf(costs[other] ?? none, 0).all)),
    ];
  });
  return `## Price

The price of a million requests of each operation on the Workers Paid plan, beyond what the plan includes: $${prices.requests.toFixed(2)} per million requests, $${prices.cpuMilliseconds} per million CPU milliseconds, $${prices.rowsRead} per million rows read, $${prices.rowsWritten.toFixed(2)} per million rows written, $${prices.logGigabyte} per GB of logs from December 2026 ([Workers](https://developers.cloudflare.com/workers/platform/pricing/), [D1](https://developers.cloudflare.com/d1/platform/pricing/); read ${PRICES_READ}).

${table(["operation", "requests", "CPU", "rows read", "rows written", "logs", "**all**", ...others.map((other) => labels[other] ?? other)], rows)}`;
}

/** A cost: round trips / rows read / rows written. */
const costText = ({ roundTrips, rowsRead, rowsWritten }: Cost): string =>
  `${roundTrips} / ${rowsRead} / ${rowsWritten}`;

function wholePart({ together, rows, asked }: WholeFigures): string {
  const times = together.flatMap(({ what, count, seconds, single, ratios }) =>
    Object.entries(single).map(([subject, one]) => [
      `${count.toLocaleString("en")} ${what}`,
      spread(seconds),
      labels[subject] ?? subject,
      spread(one),
      spread(ratios[subject] ?? nothing, 1),
    ]),
  );
  const costs = together.map(({ what, count, cost, singleCost }) => [
    `${count.toLocaleString("en")} ${what}`,
    costText(cost),
    costText(singleCost),
  ]);
  return `## Bulk requests

The same objects created by one request, and by one request each over 8 connections. The peers have no rules and no bulk requests.

${table(["objects", "seconds in one request", "subject, one by one", "seconds", "÷ one request"], times)}

**Round trips / rows read / rows written** in total:

${table(["objects", "one request", "one by one"], costs)}

Requests to tables of ${rows.toLocaleString("en")} rows, compared with a GET of an edge there:

${table(
  ["request", "rows read", "time ÷ GET's"],
  asked.map(({ what, rowsRead, ratio }) => [what, String(rowsRead), spread(ratio)]),
)}`;
}

/** The delivery of events: its speed and its cost. */
function deliveryPart({ rates, latency, changes, costs }: DeliveryFigures): string {
  const speed = rates.map(({ kind, perRequest, rate, cpuMicroseconds }) => [
    `\`${kind}\``,
    String(perRequest),
    spread(rate, 0),
    perRequest === 1 ? "–" : verdict(rate.median >= GOALS.eventsPerSecond),
    cpuMicroseconds.toFixed(0),
  ]);
  const times = changes.map(({ destinations, milliseconds, ratio }) => [
    String(destinations),
    spread(milliseconds, 1),
    spread(ratio),
    destinations === 0 ? "–" : verdict(ratio.median <= GOALS.subscribed),
  ]);
  const batch = Math.max(...rates.map(({ perRequest }) => perRequest));
  // Without its event, the measured change reads nothing and writes one row.
  const recording = { ...costs.change, rowsWritten: costs.change.rowsWritten - 1 };
  const parts: [string, Cost][] = [
    ["recording", recording],
    ["delivery to a destination, alone", costs.delivery],
    [`delivery to a destination, in batches of ${batch}`, costs.inBatches],
    ["expiry", costs.sweep],
  ];
  const dollarsOf = ({ rowsRead, rowsWritten }: Cost): number =>
    rowsRead * prices.rowsRead + rowsWritten * prices.rowsWritten;
  const rows = parts.map(([what, cost]) => [
    what,
    cost.rowsRead.toFixed(2),
    cost.rowsWritten.toFixed(2),
    `$${dollarsOf(cost).toFixed(2)}`,
  ]);
  const kept = dollarsOf(recording) + dollarsOf(costs.sweep);
  // Written, read and deleted once. A consumer is invoked for 100 messages.
  const message = 3 * prices.queueOperations + prices.requests / 100;
  const lives = [1, 2, 10].map((count) => [
    String(count),
    ...[
      kept + count * dollarsOf(costs.delivery),
      kept + count * dollarsOf(costs.inBatches),
      kept + dollarsOf(costs.inBatches) + count * message,
      count * message,
    ].map((dollars) => `$${dollars.toFixed(2)}`),
  ]);
  return `## Delivery of events

Events per second that reach a receiver on this machine, which accepts them immediately. The whole log is sent again: ${EVENTS.toLocaleString("en")} events, or ${EVENTS_ALONE} if they are sent one by one. Goal in batches: at least ${GOALS.eventsPerSecond.toLocaleString("en")}. CPU is that of the whole workerd process, including the database.

${table(["target", "events per request", "events per second", "", "CPU µs per event"], speed)}

The time from the start of a request that makes a change to the arrival of its event, in \`wrangler dev\`: ${spread(latency, 0)} ms (goal: under ${GOALS.latency.toLocaleString("en")}, ${verdict(latency.median < GOALS.latency)}).

Milliseconds of a change (create an IP policy) by the number of subscribed destinations. Each change starts after the previous delivery has ended. The numbers are interleaved, each with a separate database (goal: at most ${GOALS.subscribed} times as long as without a destination):

${table(["destinations", "milliseconds", "÷ without", ""], times)}

Rows per event, and the price of a million events at D1's prices, without the change itself:

${table(["", "rows read", "rows written", "a million"], rows)}

The price of a million events over their lifetime (recorded, delivered, expired), compared with designs that use Cloudflare Queues ($${prices.queueOperations.toFixed(2)} per million operations beyond the first million per month):

${table(["destinations", "here, each event alone", `here, in batches of ${batch}`, "outbox and queue", "queue alone"], lives)}

Each message is written, read and deleted once, has at most 64 KB (a larger one counts once more per 64 KB), and is never retried. Its consumer is invoked once per 100 messages. Each destination has its own message, so a failing destination does not delay others. "Outbox and queue": the event is still a row in the batch of the change, because a queue cannot take part in a transaction, and is put into the queue later, in batches. "Queue alone": the event is sent after the change is committed. It is lost if the Worker ends between the two, and there is no \`GET /events\` and no replay. CPU and the cron trigger's 43,200 runs per month are not included in either case.`;
}

const mebibytes = (bytes: number): string => (bytes / 2 ** 20).toFixed(0);
const inThousands = (value: number): string => value.toLocaleString("en");

/** How much longer things take with the most edges than with the fewest. */
function growth({ sized, rendered }: TrafficFigures): string {
  const ratio = <Figures extends { edges: number }>(all: Figures[], of: (figures: Figures) => number) => {
    const sorted = all.toSorted((a, b) => a.edges - b.edges);
    const [least, most] = [sorted[0], sorted.at(-1)];
    return least && most ? (of(most) / of(least)).toFixed(1) : "–";
  };
  const [fewest, most] = [
    Math.min(...rendered.map(({ edges }) => edges)),
    Math.max(...rendered.map(({ edges }) => edges)),
  ];
  return `From ${inThousands(fewest)} to ${inThousands(most)} edges, rendering takes ${ratio(rendered, (of) => of.renderMilliseconds)} times as long, \`haproxy -c\` ${ratio(rendered, (of) => of.checkMilliseconds)} times, and a start ${ratio(sized, (of) => of.startMilliseconds)} times.`;
}

/** The time from a change to served traffic, and its cost for the service and for the machine of the agent. */
function trafficPart(traffic: TrafficFigures | null): string {
  if (traffic === null) return "## Serving traffic\n\nNot measured: there is no HAProxy on this machine.";
  const { haproxy, changes, snapshots, agent, sized, rendered, resolved } = traffic;
  const times = changes.map(({ what, by, waitSeconds, milliseconds }) => [
    what,
    by,
    waitSeconds > 0 ? "waits" : "polls",
    median(milliseconds).toFixed(0),
    Math.max(...milliseconds).toFixed(0),
    String(milliseconds.length),
  ]);
  const deltas = snapshots.map(({ edges, rules, delta }) => [
    inThousands(edges),
    inThousands(rules),
    `${delta.bytes} bytes`,
    `${delta.milliseconds.toFixed(1)} ms`,
    `${delta.cost.rowsRead} rows`,
  ]);
  const sizes = snapshots.map(({ edges, rules, bytes, gzipBytes, milliseconds, cost }) => [
    inThousands(edges),
    inThousands(rules),
    `${(bytes / 1000).toFixed(0)} kB`,
    `${(gzipBytes / 1000).toFixed(0)} kB`,
    ...(["made", "again", "unchanged"] as const).map(
      (kind) =>
        `${milliseconds[kind].toFixed(1)} ms, ${inThousands(cost[kind].rowsRead)} row${cost[kind].rowsRead === 1 ? "" : "s"}`,
    ),
  ]);
  const memory = snapshots.map(({ edges, rules, memory }) => [
    inThousands(edges),
    inThousands(rules),
    mebibytes(memory.before),
    mebibytes(memory.first),
    mebibytes(memory.many),
  ]);
  const files = rendered.map(({ edges, rules, files, bytes, renderMilliseconds, checkMilliseconds }) => [
    inThousands(edges),
    inThousands(rules),
    `${inThousands(files)}, ${(bytes / 1000).toFixed(0)} kB`,
    renderMilliseconds.toFixed(0),
    checkMilliseconds.toFixed(0),
  ]);
  const computed = resolved.map(({ edges, rules, whole, rule, edge }) => [
    inThousands(edges),
    inThousands(rules),
    whole.toFixed(0),
    rule.toFixed(1),
    edge.toFixed(0),
  ]);
  const sizesOfProxy = sized.map(({ edges, rules, startMilliseconds, proxyBytes, agentBytes }) => [
    inThousands(edges),
    inThousands(rules),
    startMilliseconds.toFixed(0),
    mebibytes(proxyBytes),
    mebibytes(agentBytes),
  ]);
  const sizedChanges = sized.flatMap(({ edges, changes }) =>
    changes.map(({ what, by, servedMilliseconds, appliedMilliseconds, cpuMilliseconds }) => [
      inThousands(edges),
      what,
      by,
      servedMilliseconds.toFixed(0),
      appliedMilliseconds.toFixed(0),
      cpuMilliseconds.toFixed(0),
    ]),
  );
  return `## Serving traffic

The service in workerd, the agent and HAProxy ${haproxy} on this machine. Milliseconds from the response to a change until a client sees it in a new connection, with an agent that waits for changes, and with one that polls every two seconds (\`--wait 0\`; each interval is randomly 0.8 to 1.2 times as long):

${table(["change", "applied by", "agent", "median", "worst", "runs"], times)}

\`GET /snapshot\`. Of twenty edges, 18 are HTTPS edges with a route each; every edge has a separate IP policy and backend. Medians of sequential requests: built after a change, requested again, and with the newest \`ETag\`. A snapshot of more than 16,000,000 characters is not cached, so it is built for each request:

${table(["edges", "rules", "JSON", "gzipped", "built", "again", "304"], sizes)}

\`GET /snapshot/changes\` after one rule was added:

${table(["edges", "rules", "JSON", "time", "read"], deltas)}

Resident MiB of the workerd process, which includes the database: before the first snapshot, the maximum while it is built, and the maximum while many are built, each after a change, up to four at a time:

${table(["edges", "rules", "before", "the first", "many"], memory)}

The agent with ${inThousands(agent.edges)} edges and ${inThousands(agent.rules)} rules, waiting while nothing changes: ${agent.cpuSecondsPerMinute.toFixed(2)} s of CPU per minute, ${mebibytes(agent.residentBytes)} MiB resident. Its steps after a structural change, in milliseconds:

${table(["edges", "rules", "files", "rendering", "`haproxy -c`"], files)}

${growth(traffic)}

What the agent computes once it has read everything, or a change: it checks the response, applies it to its copy, resolves and renders. In milliseconds:

${table(["edges", "rules", "everything", "a new rule", "another backend of an edge"], computed)}

HAProxy with these configurations: milliseconds until it serves, and resident MiB of its master and worker, and of the agent:

${table(["edges", "rules", "start", "HAProxy", "agent"], sizesOfProxy)}

Changes of such configurations, with an agent that waits for changes: milliseconds from the response until the change is served, and the part of it that HAProxy needs. The rest is until the agent hears of the change, reading it, and rendering. The last column is the agent's CPU time for a change, with the files that it writes:

${table(["edges", "change", "applied by", "served", "in HAProxy", "agent's CPU"], sizedChanges)}`;
}

/** The description of all measurements. */
const method = ({ scale }: Measured): string => `## Method

### The subjects

- **bare floor**: hand-written prepared statements, which write the same rows as the service except the events, and return the same JSON. It has no router, validation, authentication, headers or log.
- **floor with event**: the bare floor, which also records each change as an event, in the same batch. This is the floor for like-for-like comparisons.
- **chanfana**: chanfana's D1 auto endpoints as in its documentation and Cloudflare's template. A list also counts all rows, and an update reads the row first. References are checked in \`before()\`, as its users would do, with one query per kind.
- **zod_openapi**: @hono/zod-openapi, Drizzle and drizzle-zod as in hono-open-api-starter. References are checked as above.
- Both peers authenticate with Hono's bearerAuth and one fixed token, the cheapest method. They do not look up keys, limit rates, assign request ids or record events.
- **with log line**: a peer that writes one line of JSON per request with \`console.info\`, with the same fields as the service's line and the same length within 5 %. This is the peer for like-for-like comparisons. Without it, the peers do not log.
- **service**: everything enabled: API key (cached by the isolate), role, rate limiter, version, strict validation, guarded statements, headers, operation id, log line.

### Throughput

All subjects run directly under Miniflare, in one workerd. Each subject, including the variants of the service, has a separate D1 database on disk with ${OBJECTS.toLocaleString("en")} objects of every kind. Requests go over 8 keep-alive loopback connections straight to each Worker. Each Worker first responds to as many requests of an operation as twelve rounds have, so that V8 has optimized the code. The figures therefore do not include the extra cost of the first requests (for the very first one, see [Cold start](#cold-start)). Rounds are then interleaved (service, floors, peers, service, floors, …) in a rotating and alternately reversed order, and each ratio compares a pair of adjacent rounds. An operation has at least ${FEWEST} rounds. It ends once the standard errors of its like-for-like ratios are below ${STABLE * 100} %, or after ${MOST} rounds. The goal compared with a peer is 1.3 if the peer needs more round trips, otherwise 1. CPU is that of the whole workerd process, including the database; on a busy machine it varies less than time.

Here, the rate limiter counts in the isolate. Cloudflare's rate limiter counts on the Worker's machine ("You are not waiting on a network request", [its documentation](https://developers.cloudflare.com/workers/runtime-apis/bindings/rate-limit/#performance)); Miniflare's emulation calls a Durable Object that writes to SQLite, a second database that the deployed service does not use. Its effect is in the last column of the absolute figures. Static assets are left out, because files are served before the Worker runs. Requests are sent over plain HTTP and not from a page, so responses have no \`Strict-Transport-Security\` and no CORS headers.

workerd formats the log line and writes it through a pipe to Miniflare's process on the same cores, which drops it. (\`wrangler dev\` encodes and parses each line once more.) A deployed Worker passes it to Workers Logs. The throughput without the log line is in a separate column, for information only.

### CPU

The CPU time of the workerd process (\`/proc/PID/task/*/schedstat\`) for rounds of requests to the service with a database in memory, minus that for the same requests to a Worker that reads them and responds with a constant of the same length. The stages are shares of a profile of the same Worker, taken with workerd's inspector (0.1 ms between samples), by the file that a function is in; built-in functions of V8 and the platform count towards their callers. Function names come from the source map; a function without a name is an arrow function in an expression. console.log costs more while the inspector is connected, so the log's share is an upper bound.
${
  scale
    ? `
### Scale

All nine tables of objects in the test grow together, and \`uses\` with them; the operations include in-use checks and cascading deletions. Requests are sent and timed one at a time. The first column of times compares databases of equal size: its distance from 1 shows the measurement error of this machine.
`
    : ""
}
### Cold start

The first response is to a GET of an edge (200), on a database in memory. "Only" is a Worker that imports one dependency and uses a small part of it. The rest of the total is the code of this service: building tables and routes, and handling the first request. The first request that needs a schema builds it; the second row shows the cost for a first write.

### Price

CPU is that of the service; the prices of the other subjects do not include CPU. Logs are the service's line of ${LOG_LINE_BYTES} bytes, without additions by the platform; the floors and the peers without log line do not log.`;

/** The contents of results.json. */
export function resultsOf({ comparisons, cpu, cold, whole, traffic }: Measured) {
  return {
    date: new Date().toISOString().slice(0, 10),
    machine: machine(),
    like_for_like: ["ratio_floor_with_event", "ratio_peers_with_log"],
    operations: comparisons.map(({ op, ratios, costs }) => {
      const { roundTrips, rowsRead, rowsWritten } = costs["service"] ?? none;
      return {
        op,
        ratio_floor: round(ratios[FLOOR]?.median, 3),
        ratio_floor_with_event: round(likeFloor(ratios)?.median, 3),
        ratio_peers: Object.fromEntries(peers.map((peer) => [peer, round(ratios[peer]?.median, 3)])),
        ratio_peers_with_log: Object.fromEntries(
          peers.map((peer) => [peer, round(ratios[withLog(peer)]?.median, 3)]),
        ),
        rows_read: rowsRead,
        rows_written: rowsWritten,
        round_trips: roundTrips,
        cpu_us: round(cpu.find((each) => each.op === op)?.own.median, 0),
      };
    }),
    bundle_gzip_bytes: cold.service.gzipBytes,
    cold_cpu_ms_over_empty: round(cold.overEmpty[0]?.over.cpu.median, 1),
    cold_ms_over_empty: round(cold.overEmpty[0]?.over.clock.median, 1),
    whole: wholeResults(whole),
    ...(traffic && { traffic: trafficResults(traffic) }),
  };
}

const costResults = ({ roundTrips, rowsRead, rowsWritten }: Cost) => ({
  rows_read: rowsRead,
  rows_written: rowsWritten,
  round_trips: roundTrips,
});

const wholeResults = ({ together, rows, asked }: WholeFigures) => ({
  together: together.map(({ what, count, seconds, ratios, cost, singleCost }) => ({
    what,
    count,
    seconds: round(seconds.median, 3),
    one_by_one_ratio: Object.fromEntries(
      Object.entries(ratios).map(([subject, ratio]) => [subject, round(ratio.median, 2)]),
    ),
    ...costResults(cost),
    one_by_one: costResults(singleCost),
  })),
  rows,
  asked: asked.map(({ what, rowsRead, ratio }) => ({
    what,
    rows_read: rowsRead,
    ratio_get: round(ratio.median, 3),
  })),
});

const trafficResults = ({
  haproxy,
  changes,
  snapshots,
  agent,
  sized,
  rendered,
  resolved,
}: TrafficFigures) => ({
  haproxy,
  changes: changes.map(({ what, by, waitSeconds, milliseconds }) => ({
    what,
    by,
    wait_seconds: waitSeconds,
    ms_median: round(median(milliseconds), 0),
    ms_worst: round(Math.max(...milliseconds), 0),
  })),
  snapshots: snapshots.map(({ edges, rules, bytes, gzipBytes, milliseconds, cost, memory, delta }) => ({
    edges,
    rules,
    bytes,
    gzip_bytes: gzipBytes,
    made: { ms: round(milliseconds.made, 1), ...costResults(cost.made) },
    again: { ms: round(milliseconds.again, 1), ...costResults(cost.again) },
    unchanged: { ms: round(milliseconds.unchanged, 1), ...costResults(cost.unchanged) },
    delta: { ms: round(delta.milliseconds, 1), bytes: delta.bytes, ...costResults(delta.cost) },
    workerd_bytes_before: memory.before,
    workerd_bytes_peak: memory.many,
  })),
  agent: {
    edges: agent.edges,
    rules: agent.rules,
    idle_cpu_s_per_minute: round(agent.cpuSecondsPerMinute, 2),
    resident_bytes: agent.residentBytes,
  },
  sized: sized.map(({ edges, rules, startMilliseconds, proxyBytes, changes }) => ({
    edges,
    rules,
    start_ms: startMilliseconds,
    proxy_bytes: proxyBytes,
    changes: changes.map(({ what, by, servedMilliseconds, appliedMilliseconds }) => ({
      what,
      by,
      served_ms: round(servedMilliseconds, 0),
      applied_ms: round(appliedMilliseconds, 0),
    })),
  })),
  rendered: rendered.map(({ edges, rules, renderMilliseconds, checkMilliseconds }) => ({
    edges,
    rules,
    render_ms: round(renderMilliseconds, 0),
    check_ms: round(checkMilliseconds, 0),
  })),
  resolved: resolved.map(({ edges, rules, whole, rule, edge }) => ({
    edges,
    rules,
    whole_ms: round(whole, 0),
    rule_ms: round(rule, 1),
    edge_ms: round(edge, 0),
  })),
});

const round = (value: number | undefined, digits: number): number | null =>
  value === undefined ? null : Number(value.toFixed(digits));
