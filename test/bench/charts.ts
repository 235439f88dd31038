import * as Plot from "@observablehq/plot";
import { parseHTML } from "linkedom";
import type { Scale } from "./scale.ts";
import { type Comparison, labels, likeFloor, likeForLike, RECORDING_FLOOR } from "./side_by_side.ts";

const BLUE = "#1d4ed8";
const style = { fontFamily: "DejaVu Sans, Verdana, sans-serif", fontSize: "12px", background: "white" };

/** A chart as the text of an SVG file. */
function draw(options: Plot.PlotOptions): string {
  const { document } = parseHTML("<!doctype html><html><body></body></html>");
  const figure = Plot.plot({ ...options, style, document });
  const svg = figure.tagName.toLowerCase() === "svg" ? figure : figure.querySelector("svg");
  svg?.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  return `${svg?.outerHTML ?? ""}\n`;
}

/**
 * The ratio of the service's throughput to the floors' and the peers': medians, with bars from the first to the third
 * quartile.
 */
export function ratioChart(comparisons: Comparison[]): string {
  const points = comparisons.flatMap(({ title, ratios }) =>
    Object.entries(labels).map(([name, over]) => ({
      title,
      over,
      isLike: likeForLike.includes(name),
      ...(name === RECORDING_FLOOR ? likeFloor(ratios) : ratios[name]),
    })),
  );
  const goals = comparisons.flatMap(({ title, goal }) =>
    goal === undefined ? [] : [{ title, over: labels[RECORDING_FLOOR], goal }],
  );
  return draw({
    width: 900,
    height: 980,
    marginLeft: 170,
    marginRight: 300,
    insetLeft: 10,
    insetRight: 45,
    marginBottom: 42,
    x: {
      type: "log",
      label: "throughput of this service ÷ theirs (orange: like for like; green: the goal)",
      labelAnchor: "center",
      grid: true,
      tickFormat: "~g",
    },
    y: { label: null, domain: Object.values(labels) },
    fy: { label: null, domain: comparisons.map(({ title }) => title) },
    marks: [
      Plot.ruleX([1], { stroke: "#888" }),
      Plot.ruleY(points, { fy: "title", y: "over", x1: "q1", x2: "q3", strokeWidth: 5, strokeOpacity: 0.4 }),
      Plot.dot(points, {
        fy: "title",
        y: "over",
        x: "median",
        r: 4,
        fill: (point: { isLike: boolean }) => (point.isLike ? "#c2410c" : BLUE),
      }),
      Plot.text(points, {
        fy: "title",
        y: "over",
        x: "q3",
        text: ({ median = Number.NaN }) => median.toFixed(2),
        dx: 8,
        textAnchor: "start",
        fontSize: 10,
      }),
      Plot.tickX(goals, { fy: "title", y: "over", x: "goal", stroke: "#15803d", strokeWidth: 2 }),
    ],
  });
}

/** Time relative to the time with 1,000 rows, by rows in each table. */
export function scaleChart({ scaled }: Scale): string {
  const points = scaled.flatMap(({ op, rows, slowdown }) => (slowdown ? [{ op, rows, ...slowdown }] : []));
  const highest = Math.max(1.6, ...points.map(({ q3 }) => q3));
  return draw({
    width: 900,
    height: 290,
    marginTop: 44,
    marginBottom: 42,
    fx: { label: null, domain: [...new Set(points.map(({ op }) => op))] },
    x: { type: "log", label: "rows in each table", labelAnchor: "center", tickFormat: "~s", ticks: 4 },
    y: { label: "time ÷ time with 1,000 rows", domain: [0, highest], grid: true },
    marks: [
      Plot.ruleY([1], { stroke: "#888" }),
      Plot.ruleY([1.3], { stroke: "#15803d", strokeDasharray: "4 3" }),
      Plot.ruleX(points, {
        fx: "op",
        x: "rows",
        y1: "q1",
        y2: "q3",
        stroke: BLUE,
        strokeOpacity: 0.4,
        strokeWidth: 5,
      }),
      Plot.line(points, { fx: "op", x: "rows", y: "median", stroke: BLUE }),
      Plot.dot(points, { fx: "op", x: "rows", y: "median", fill: BLUE, r: 4 }),
    ],
  });
}

/** Rows that one request reads, by rows in each table. */
export function rowsChart({ scaled }: Scale): string {
  const points = scaled.map(({ op, rows, cost }) => ({ op, rows, read: cost.rowsRead }));
  const last = points.filter(({ rows }) => rows === Math.max(...points.map((point) => point.rows)));
  return draw({
    width: 760,
    height: 320,
    marginRight: 250,
    marginBottom: 42,
    x: {
      type: "log",
      label: "rows in each table",
      tickFormat: (rows: number) => rows.toLocaleString("en"),
      ticks: 4,
    },
    y: { type: "log", label: "rows read by one request", tickFormat: "~g", grid: true, ticks: 4 },
    marks: [
      Plot.line(points, { x: "rows", y: "read", z: "op", stroke: BLUE, strokeOpacity: 0.5 }),
      Plot.dot(points, { x: "rows", y: "read", fill: BLUE, r: 3 }),
      Plot.text(
        [...Map.groupBy(last, ({ read }) => Math.round(Math.log(read) * 8))].map(([, same]) => ({
          read: same[0]?.read,
          rows: same[0]?.rows,
          text: same.map(({ op }) => op).join("\n"),
        })),
        { x: "rows", y: "read", text: "text", dx: 8, textAnchor: "start", fontSize: 9 },
      ),
    ],
  });
}
