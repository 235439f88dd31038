import type { Schemas } from "../api/client.ts";
import { count } from "./amounts.ts";

/*
 * Traffic, in the amounts that pages show.
 */

type Counts = Pick<
  Schemas["Traffic"]["totals"],
  "requests" | "connections" | "status" | "denied" | "limited" | "upstream_errors"
>;

/** How the traffic of an interval ended. */
export interface ChartedInterval {
  /** The beginning, in milliseconds since the Unix epoch. */
  at: number;
  served: number;
  denied: number;
  failed: number;
}

/** How requests ended, or connections if there were none. */
export function outcomeOf(counts: Counts): Omit<ChartedInterval, "at"> {
  const { requests, connections, status, limited, upstream_errors: upstream } = counts;
  const all = requests || connections;
  const failed = Math.min(all, requests > 0 ? status["5xx"] : upstream);
  const rejected = Object.values(counts.denied).reduce((sum, number) => sum + number, limited);
  const denied = Math.min(all - failed, rejected);
  return { served: all - denied - failed, denied, failed };
}

const DAY = 86_400_000;
/** The length of the intervals that a chart of a day shows. */
const HALF_HOUR = 1_800_000;

/**
 * The traffic of a day in intervals of half an hour, or of an hour if it is not known in more detail; undefined where nothing is known.
 *
 * @param now milliseconds since the Unix epoch
 */
export function dayOf(
  { series, resolution }: Pick<Schemas["Traffic"], "series" | "resolution">,
  now: number,
) {
  const length = Math.max(HALF_HOUR, resolution * 1000);
  const end = Math.floor(now / length) * length + length;
  const byInterval = Map.groupBy(series, ({ at }) => Math.floor(Date.parse(at) / length));
  return Array.from({ length: DAY / length }, (_, index): ChartedInterval | undefined => {
    const at = end - DAY + index * length;
    const parts = byInterval.get(at / length)?.map(outcomeOf);
    return parts?.reduce<ChartedInterval>(
      (sum, { served, denied, failed }) => ({
        at,
        served: sum.served + served,
        denied: sum.denied + denied,
        failed: sum.failed + failed,
      }),
      { at, served: 0, denied: 0, failed: 0 },
    );
  });
}

/** An amount of requests, or of connections if there are none. */
export const amountOf = ({ requests, connections }: Pick<Counts, "requests" | "connections">): string =>
  requests > 0 || connections === 0 ? count(requests, "request") : count(connections, "connection");

/** A share in percent, with one digit below 10. Only nothing is "0 %", and only the whole is "100 %". */
export function percent(part: number, whole: number): string {
  const share = whole === 0 ? 0 : (100 * part) / whole;
  if (share > 0 && share < 0.1) return "less than 0.1 %";
  if (share > 99 && share < 100) return "more than 99 %";
  return `${share.toFixed(share > 0 && share < 10 ? 1 : 0)} %`;
}

const UNITS: [number, string][] = [
  [1e9, "G"],
  [1e6, "M"],
  [1e4, "k"],
];

/** A number with three digits: "2,310", "41.2 k", "9.42 M". */
export function compact(number: number): string {
  const [from, unit] = UNITS.find(([from]) => number >= from) ?? [0, ""];
  if (from === 0) return number.toLocaleString("en");
  return `${(number / (from === 1e4 ? 1e3 : from)).toPrecision(3).replace(/e.*/, "")} ${unit}`;
}
