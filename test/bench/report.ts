import { arch, cpus, release, totalmem, type } from "node:os";
import type { Cost } from "../../src/db/calls.ts";
import type { Cold } from "./cold.ts";
import type { Cpu } from "./cpu.ts";
import { OBJECTS } from "./operations.ts";
import { LOG_LINE_BYTES, priceOf, PRICES_READ, prices } from "./price.ts";
import type { Scale } from "./scale.ts";
import { type Comparison, EMULATED, peers, UNLOGGED } from "./side_by_side.ts";
import type { Quartiles } from "./statistics.ts";

export interface Measured {
  comparisons: Comparison[];
  cpu: Cpu[];
  cold: Cold;
  /** Left out of a quick run. */
  scale?: Scale;
}

/** Most bytes that the bundle is to have, gzipped, and most milliseconds that its cold start is to take beyond an empty one's. */
const GOALS = { bundle: 100 * 1024, cold: 60, cpu: 150, slowdown: 1.3, peer: 1, peerWithMoreTrips: 1.3 };

const none: Cost = { roundTrips: 0, rowsRead: 0, rowsWritten: 0 };

const table = (head: string[], rows: string[][]): string =>
  [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");

const spread = ({ q1, median, q3 }: Quartiles, digits = 2): string =>
  `${median.toFixed(digits)} (${q1.toFixed(digits)}–${q3.toFixed(digits)})`;

const verdict = (isReached: boolean): string => (isReached ? "reached" : "**missed**");

const nothing: Quartiles = { q1: Number.NaN, median: Number.NaN, q3: Number.NaN };

/** What a peer is to be beaten by on an operation: more where it needs more round trips. */
const goalOver = ({ costs }: Comparison, peer: string): number =>
  (costs[peer] ?? none).roundTrips > (costs["service"] ?? none).roundTrips
    ? GOALS.peerWithMoreTrips
    : GOALS.peer;

/** The report, in Markdown. */
export const reportOf = (measured: Measured): string =>
  [
    "# What this service costs",
    `Written by \`npm run bench\` on ${new Date().toISOString().slice(0, 10)}. Everything absolute is **as of this machine** (${machine()}, shared with other work); only ratios of what ran side by side are claims. Cells show the median and, in brackets, the quartiles.`,
    sideBySide(measured.comparisons),
    cpuPart(measured),
    measured.scale ? scalePart(measured.scale) : "## Scale\n\nLeft out of a quick run.",
    coldPart(measured.cold),
    pricePart(measured),
  ].join("\n\n") + "\n";

const machine = (): string => {
  const [{ model } = { model: "?" }] = cpus();
  const gibibytes = Math.round(totalmem() / 2 ** 30);
  return `${cpus().length} × ${model.trim()}, ${gibibytes} GiB, ${type()} ${release()} ${arch()}`;
};

function sideBySide(comparisons: Comparison[]): string {
  const toFloor = comparisons.map(({ title, goal, ratios, ratioUnlogged, cpuRatios }) => {
    const ratio = ratios["floor"] ?? nothing;
    return [
      title,
      spread(ratio),
      goal === undefined ? "–" : `≥ ${goal.toFixed(2)}`,
      goal === undefined ? "–" : verdict(ratio.median >= goal),
      spread(ratioUnlogged),
      spread(cpuRatios["floor"] ?? nothing),
    ];
  });
  const toPeers = comparisons.flatMap((comparison) =>
    peers.map((peer) => {
      const ratio = comparison.ratios[peer] ?? nothing;
      const goal = goalOver(comparison, peer);
      return [
        comparison.title,
        peer,
        spread(ratio),
        `≥ ${goal.toFixed(1)}`,
        verdict(ratio.median >= goal),
        spread(comparison.cpuRatios[peer] ?? nothing),
      ];
    }),
  );
  const sides = ["floor", ...peers, "service"];
  const costs = comparisons.map(({ title, costs }) => [
    title,
    ...sides.map((side) => {
      const { roundTrips, rowsRead, rowsWritten } = costs[side] ?? none;
      return `${roundTrips} / ${rowsRead} / ${rowsWritten}`;
    }),
  ]);
  const rates = comparisons.map(({ title, rates, cpu }) => [
    title,
    ...[...sides, UNLOGGED, EMULATED].map((side) =>
      rates[side] ? `${Math.round(rates[side].median)} / ${Math.round(cpu[side] ?? 0)}` : "–",
    ),
  ]);
  return `## Side by side

![Ratios](charts/ratios.svg)

All under Miniflare directly, in one workerd, each on its own D1 database on disk with ${OBJECTS.toLocaleString("en")} objects of every kind; requests over 8 keep-alive connections of loopback straight to each Worker; each answers 500 requests of an operation first, so that V8 knows the code: what the first ones cost more is not in these figures, and of the very first there is more under [Cold start](#cold-start). Then rounds are interleaved (service, floor, peers, service, floor, …), each side taking every place in turn, there and back, and ratios taken pair by pair. The variants of the service share its database.

- **floor**: prepared statements by hand, the same SQL and the same JSON; no router, validation, authentication, headers or log.
- **chanfana**: chanfana's D1 auto endpoints as its documentation and Cloudflare's template write them. A list also counts all rows, an update reads first. References are asked for in \`before()\`, as its users would: one query for each kind. It writes no log.
- **zod_openapi**: @hono/zod-openapi, Drizzle and drizzle-zod as in hono-open-api-starter, with Hono's logger. References as above.
- Both peers authenticate with Hono's bearerAuth and one fixed token, which is the cheapest that there is: they look no key up, limit no rate, and number no request.
- **service**: everything on: API key (remembered by the isolate), role, rate limiter, version, strict validation, guarded statements, headers, operation id, log line.

The rate limiter counts in the isolate here. Cloudflare's counts on the Worker's machine ("You are not waiting on a network request", [its documentation](https://developers.cloudflare.com/workers/runtime-apis/bindings/rate-limit/#performance)); Miniflare's stand-in asks a Durable Object that writes SQLite, a second database that the deployed service has not. What that does is the last column of the absolute figures. Static assets are left out: files are answered before the Worker. Requests come over plain HTTP and from no page, so there are neither \`Strict-Transport-Security\` nor CORS headers in the responses.

The log line is written here as workerd writes it by itself: formatted, and through a pipe to Miniflare's process, which drops it, on the same cores. (\`wrangler dev\` has each encoded and parsed once more.) A deployed Worker hands it to Workers Logs. What the service does without that is a column of its own; it is no claim.

${table(["operation", "throughput ÷ floor's", "goal", "", "without the log line", "floor's CPU ÷ ours"], toFloor)}

${table(["operation", "peer", "throughput ÷ peer's", "goal", "", "peer's CPU ÷ ours"], toPeers)}

The goal is 1.3 where the peer needs more round trips. CPU is all of workerd's, the database's included: it wavers less than time does when others use the machine.

At the database, **round trips / rows read / rows written** of one request:

${table(["operation", ...sides], costs)}

Requests per second / CPU microseconds of workerd per request, as of this machine:

${table(["operation", ...sides, "service without its log line", "service with Miniflare's limiter"], rates)}`;
}

function cpuPart({ cpu, comparisons }: Measured): string {
  const names = [...new Set(cpu.flatMap(({ stages }) => Object.keys(stages)))];
  const total = (name: string): number => cpu.reduce((sum, { stages }) => sum + (stages[name] ?? 0), 0);
  const order = names.toSorted((a, b) => total(b) - total(a));
  const titleOf = (op: string): string => comparisons.find((each) => each.op === op)?.title ?? op;
  const rows = cpu.map(({ op, own, stages }) => [
    titleOf(op),
    spread(own, 0),
    ["get_edge", "create_ip_policy", "create_edge"].includes(op) ? verdict(own.median < GOALS.cpu) : "–",
    ...order.map((name) => (stages[name] ?? 0).toFixed(0)),
  ]);
  const tops = cpu
    .filter(({ op }) => op === "get_edge" || op === "create_edge")
    .map(
      ({ op, top }) =>
        `${titleOf(op)}:\n\n${table(
          ["function", "share"],
          top.map(([place, share]) => [`\`${place}\``, `${(share * 100).toFixed(1)} %`]),
        )}`,
    );
  return `## CPU

Microseconds of CPU per request in the service's own code, as of this machine: the CPU of the workerd process (\`/proc/PID/task/*/schedstat\`) over rounds of requests to the service on a database that answers from memory, less that over the same requests to a Worker that reads them and answers a constant of the same length. Goal: under ${GOALS.cpu} for GET and create. The stages are shares of a profile that workerd's inspector takes of the same Worker (0.1 ms between samples), by the file that a function stands in; what V8 and the platform do for a function counts as that function's. An inspected console.log costs more than one that is not, so the log's share is an upper bound.

${table(["operation", "own CPU", "goal", ...order], rows)}

Where most samples stand:

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

All nine tables of objects grow together; the in-use checks and the cascades are among the operations. **Round trips / rows read / rows written** of one request, by rows in each table:

${table(["operation", ...heads, ""], costs)}

Time of a request, one after the other, over that on a database of 1,000 rows that runs beside it, pair by pair (goal: at most ${GOALS.slowdown}). The first column compares equals: how far it is from 1 is how far this machine can be trusted.

${table(["operation", ...heads, ""], times)}

The database has ${bytes.map(([rows, size]) => `${(size / 2 ** 20).toFixed(1)} MiB at ${rows.toLocaleString("en")}`).join(", ")} rows per table: ${Math.round(bytesPerObject)} bytes per object with its share of the indexes, so 10 GB, the largest that D1 is, hold ${Math.floor(1e10 / bytesPerObject / 1e6)} million objects like these.

### Is each index worth its write?

An index entry costs one row written, $${prices.rowsWritten.toFixed(2)} per million. Without the index, one deletion looks through the whole table. At ${largest.toLocaleString("en")} rows:

${table(["index", "for", "with it", "without it", "a million such deletions without it"], worth)}

A row written costs as much as ${(prices.rowsWritten / prices.rowsRead).toLocaleString("en")} rows read, so by price alone an index pays for itself where deletions per entry written, times the rows of the table, exceed ${(prices.rowsWritten / prices.rowsRead).toLocaleString("en")}: with 10,000 edges, one deletion of a backend in ten writes of an edge's backend. Each stays for another reason too: D1 has one writer, and a deletion that scans keeps all others waiting for as long. \`failover_children\` is one row per child for the same reason.`;
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

Bundle as wrangler makes it: ${(service.gzipBytes / 1024).toFixed(1)} KiB gzipped (goal: at most ${GOALS.bundle / 1024} KiB, ${verdict(service.gzipBytes <= GOALS.bundle)}), ${(service.bytes / 1024).toFixed(1)} KiB plain. Not minified it would be ${(unminified.gzipBytes / 1024).toFixed(1)} KiB gzipped.

${table(["package", "in the bundle", "not minified"], bytes)}

From the start of the workerd process to its first response (GET of an edge, 200, on a database in memory), over an empty Worker's ${spread(empty.clock, 1)} ms, of which CPU ${spread(empty.cpu, 1)} ms, as of this machine (goal: under ${GOALS.cold}, ${verdict((own?.over.clock.median ?? Number.NaN) < GOALS.cold)}). "Only" is a Worker that imports and uses a little of one dependency; what the parts do not add up to is this service's own: making tables and routes, and the first request. Schemas are made by the first request that needs them: what that costs a first write is in the second line.

${table(["Worker", "gzipped", "milliseconds over empty", "of CPU"], times)}`;
}

function pricePart({ comparisons, cpu }: Measured): string {
  const dollars = (amount: number): string => `$${amount.toFixed(amount < 0.01 ? 4 : 3)}`;
  const rows = comparisons.map(({ op, title, costs }) => {
    const micros = cpu.find((each) => each.op === op)?.own.median ?? 0;
    const price = priceOf(costs["service"] ?? none, micros, LOG_LINE_BYTES);
    const floor = priceOf(costs["floor"] ?? none, 0);
    return [
      title,
      ...[price.requests, price.cpu, price.rowsRead, price.rowsWritten, price.logs, price.all, floor.all].map(
        dollars,
      ),
      ...peers.map((peer) => dollars(priceOf(costs[peer] ?? none, 0).all)),
    ];
  });
  return `## Price

What a million of each costs on the Workers Paid plan past what the plan includes: $${prices.requests.toFixed(2)} per million requests, $${prices.cpuMilliseconds} per million CPU milliseconds, $${prices.rowsRead} per million rows read, $${prices.rowsWritten.toFixed(2)} per million rows written, $${prices.logGigabyte} per GB of logs from December 2026 ([Workers](https://developers.cloudflare.com/workers/platform/pricing/), [D1](https://developers.cloudflare.com/d1/platform/pricing/); read ${PRICES_READ}). CPU is our own code's of above; the others' stands without theirs. Logs are our line of ${LOG_LINE_BYTES} bytes, without what the platform adds to it; the floor and chanfana write none, zod_openapi's is not counted.

${table(["operation", "requests", "CPU", "rows read", "rows written", "logs", "**all**", "floor", ...peers], rows)}`;
}

/** What bench-results.json holds. */
export function resultsOf({ comparisons, cpu, cold }: Measured) {
  return {
    date: new Date().toISOString().slice(0, 10),
    machine: machine(),
    operations: comparisons.map(({ op, ratios, costs }) => {
      const { roundTrips, rowsRead, rowsWritten } = costs["service"] ?? none;
      return {
        op,
        ratio_floor: round(ratios["floor"]?.median, 3),
        ratio_peers: Object.fromEntries(peers.map((peer) => [peer, round(ratios[peer]?.median, 3)])),
        rows_read: rowsRead,
        rows_written: rowsWritten,
        round_trips: roundTrips,
        cpu_us: round(cpu.find((each) => each.op === op)?.own.median, 0),
      };
    }),
    bundle_gzip_bytes: cold.service.gzipBytes,
    cold_cpu_ms_over_empty: round(cold.overEmpty[0]?.over.cpu.median, 1),
    cold_ms_over_empty: round(cold.overEmpty[0]?.over.clock.median, 1),
  };
}

const round = (value: number | undefined, digits: number): number | null =>
  value === undefined ? null : Number(value.toFixed(digits));
