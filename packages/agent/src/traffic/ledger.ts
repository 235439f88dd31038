import type * as z from "zod";
import {
  addTally,
  count,
  countsOf,
  emptyTally,
  isTally,
  MOST_OBJECTS,
  PLACES,
  REPORT_LATE,
  type IntervalLength,
  type ReportedServer,
  RESOLUTIONS,
  type TrafficReport,
} from "../../../model/src/traffic/counts.ts";
import { textOfInstant } from "../base/clock.ts";
import type { savedReports, savedTraffic } from "./saved.ts";
import { type Counted, Tallies } from "./tallies.ts";
import { mostFrequent } from "./top.ts";

/** A report that waits for the service. */
export type WaitingReport = z.output<typeof savedReports>[number];

/** An interval that is not over. */
interface Open {
  /** Its beginning, in milliseconds since 1970, by the clock of the service. */
  at: number;
  tallies: Tallies;
  lost: number;
}

/** How many beginnings of reported intervals are remembered, and of an earlier agent, those of how many milliseconds. */
const MOST_REMEMBERED = 200;
const REMEMBERED = 3_600_000;

/** Counts by interval. */
export class Ledger {
  readonly #open = new Map<IntervalLength, Open>();
  /** The beginnings of the last intervals that were reported, so that none is reported twice after the clock was set. */
  readonly #closed = new Map<IntervalLength, Set<number>>(
    RESOLUTIONS.map((resolution) => [resolution, new Set()]),
  );
  #waiting: readonly WaitingReport[] = [];

  /** Restores what an earlier agent has counted. */
  static restored(
    saved: z.output<typeof savedTraffic> | undefined,
    waiting: readonly WaitingReport[] | undefined,
  ): Ledger {
    const ledger = new Ledger();
    ledger.#waiting = waiting ?? [];
    for (const { resolution, at, lost, total, objects, other } of saved?.open ?? []) {
      const tallies = new Tallies();
      if (isTally(total)) addTally(tallies.total, total);
      for (const [id, tally] of Object.entries(objects))
        if (isTally(tally)) addTally(tallies.of(id).tally, tally);
      if (isTally(other)) addTally(tallies.other.tally, other);
      ledger.#open.set(resolution, { at, tallies, lost });
      for (let back = resolution * 1000; back <= REMEMBERED; back += resolution * 1000)
        ledger.#closed.get(resolution)?.add(at - back);
    }
    return ledger;
  }

  /** What the next agent needs to know, without the addresses of clients. */
  get saved(): z.output<typeof savedTraffic>["open"] {
    return Array.from(
      this.#open,
      ([
        resolution,
        {
          at,
          tallies: { total, objects, other },
          lost,
        },
      ]) => ({
        resolution,
        at,
        lost,
        total,
        objects: Object.fromEntries(Array.from(objects, ([id, { tally }]) => [id, tally])),
        other: other.tally,
      }),
    );
  }

  /**
   * Adds counts to the intervals that are open, after it has closed those that are over.
   *
   * @param now by the clock of the service
   * @param servers the servers of backends
   */
  add(tallies: Tallies, lost: number, now: number, servers: () => ReportedServer[]): void {
    for (const resolution of RESOLUTIONS) {
      const at = Math.floor(now / (resolution * 1000)) * resolution * 1000;
      const open = this.#open.get(resolution) ?? { at, tallies: new Tallies(), lost: 0 };
      // These were counted since the last time, which was in the interval that ends.
      open.tallies.add(tallies);
      open.lost += lost;
      this.#open.set(resolution, open);
      const closed = this.#closed.get(resolution);
      // Until the clock has passed what is reported, counts are added to the interval that is open.
      if (at === open.at || closed?.has(at)) continue;
      if (at > open.at) {
        this.#close(resolution, open, resolution === 60 ? servers() : undefined);
        closed?.add(open.at);
        for (const oldest of closed ?? []) if ((closed?.size ?? 0) > MOST_REMEMBERED) closed?.delete(oldest);
        this.#open.set(resolution, { at, tallies: new Tallies(), lost: 0 });
      } else open.at = at;
    }
    this.#waiting = this.#waiting.filter(({ ends }) => now - ends < REPORT_LATE);
  }

  /** When the minute began that is not over; undefined if nothing was counted yet. */
  get begun(): number | undefined {
    return this.#open.get(60)?.at;
  }

  /** The reports that the service does not have yet, oldest first. */
  get waiting(): readonly WaitingReport[] {
    return this.#waiting;
  }

  /** Forgets a report that the service has, or does not accept. */
  forget(report: WaitingReport): void {
    this.#waiting = this.#waiting.filter((one) => one !== report);
  }

  #close(resolution: IntervalLength, { at, tallies, lost }: Open, servers?: ReportedServer[]): void {
    const report: TrafficReport = {
      resolution,
      at: textOfInstant(at),
      totals: countsOf(tallies.total),
      ...reportedOf(tallies),
      ...(servers && { upstreams: servers }),
      lost,
    };
    this.#waiting = [...this.#waiting, { ends: at + resolution * 1000, body: JSON.stringify(report) }];
  }
}

const weight = ({ tally }: Counted): number =>
  (tally[PLACES.requests] ?? 0) + (tally[PLACES.connections] ?? 0) + (tally[PLACES.tls_failures] ?? 0);

/** The objects with the most traffic, and all others together. */
function reportedOf({ objects, other }: Tallies): Pick<TrafficReport, "objects" | "other"> {
  const sorted = [...objects].toSorted(([, a], [, b]) => weight(b) - weight(a));
  const rest = emptyTally();
  addTally(rest, other.tally);
  for (const [, { tally }] of sorted.slice(MOST_OBJECTS)) addTally(rest, tally);
  const reported = sorted.slice(0, MOST_OBJECTS).map(([id, { tally, sources }]) => {
    const top = mostFrequent(sources).map(([source, requests]) => ({ source, requests }));
    return { id, ...countsOf(tally), ...(top.length > 0 && { top_sources: top }) };
  });
  return { objects: reported, ...(rest.some((value) => value > 0) && { other: countsOf(rest) }) };
}

/** Counts connections to TCP edges that HAProxy rejected before it logs them. */
export function addRejected(tallies: Tallies, rejected: ReadonlyMap<string, number>): void {
  for (const [edge, times] of rejected)
    for (const tally of [tallies.total, tallies.of(edge).tally])
      for (const place of [PLACES.connections, PLACES.ip_restriction]) count(tally, place, times);
}
