import type * as z from "zod";
import type { ReceivedCounts } from "./receiver.ts";
import type { savedWorkers } from "./saved.ts";
import type { WorkerStats } from "./worker_stats.ts";

/** What is known of a HAProxy process. */
interface Known {
  /** Lines that arrived until the last question. */
  lines: number;
  /** Lines that it should have written by then, if it was asked. */
  expected: number | undefined;
  lost: number;
  rejected: ReadonlyMap<string, number>;
  hasEnded: boolean;
}

/**
 * Compares the lines that arrive with HAProxy's own counts. A line that is on its way is not lost: HAProxy says at an instant how many
 * lines it has written, and those that it wrote until then are counted for one more interval before the two are compared.
 */
export class Losses {
  readonly #workers = new Map<number, Known>();
  /** Whether HAProxy has not been asked yet. A process that is not known then has written lines that nobody has counted. */
  #isFirst = true;

  /** Restores what an earlier agent knew. */
  restore(saved: z.output<typeof savedWorkers>): void {
    for (const [pid, { lines, lost, expected, rejected }] of Object.entries(saved))
      this.#workers.set(Number(pid), {
        lines,
        lost,
        rejected: new Map(Object.entries(rejected)),
        expected,
        hasEnded: false,
      });
  }

  /** What the next agent needs to know. */
  get saved(): z.output<typeof savedWorkers> {
    return Object.fromEntries(
      Array.from(this.#workers, ([pid, { lines, lost, expected, rejected }]) => [
        pid,
        { lines, lost, ...(expected !== undefined && { expected }), rejected: Object.fromEntries(rejected) },
      ]),
    );
  }

  /**
   * Takes the lines since the last question. Returns how many more are lost than was known.
   *
   * @param isLate whether all lines from before that question must have arrived by now
   */
  settle(arrived: ReceivedCounts["lines"], isLate: boolean): number {
    let found = 0;
    for (const [pid, known] of this.#workers) {
      const { all = 0, untilCut = 0 } = arrived.get(pid) ?? {};
      if (isLate && known.expected !== undefined) {
        // A process that has ended writes no more lines.
        const missing = known.expected - known.lines - (known.hasEnded ? all : untilCut);
        const more = Math.max(0, missing - known.lost);
        known.lost += more;
        found += more;
        known.expected = undefined;
      }
      known.lines += all;
      if (isLate && known.hasEnded) this.#workers.delete(pid);
    }
    // What came from others before the first answer of HAProxy is in that answer.
    if (!this.#isFirst)
      for (const [pid, { all }] of arrived) if (!this.#workers.has(pid)) this.#workers.set(pid, fresh(all));
    return found;
  }

  /**
   * Takes what HAProxy's processes have just said. Returns the connections that they have rejected since, by the id of the edge.
   *
   * @param isRunning whether a process runs, also one that said nothing
   */
  note(stats: ReadonlyMap<number, WorkerStats>, isRunning: (pid: number) => boolean): Map<string, number> {
    const rejected = new Map<string, number>();
    for (const [pid, known] of this.#workers) {
      known.hasEnded = !isRunning(pid);
      // What one has said to an earlier agent says nothing about now.
      if (!known.hasEnded) known.expected = undefined;
    }
    for (const [pid, stat] of stats) {
      const known = this.#known(pid, stat);
      // The reader of the log may not run yet.
      if (!this.#isFirst) known.expected = stat.lines;
      for (const [edge, times] of stat.rejected) {
        const more = times - (known.rejected.get(edge) ?? 0);
        if (more > 0) rejected.set(edge, (rejected.get(edge) ?? 0) + more);
      }
      known.rejected = stat.rejected;
    }
    this.#isFirst = false;
    return rejected;
  }

  #known(pid: number, { lines, rejected }: WorkerStats): Known {
    const known = this.#workers.get(pid);
    // The system reuses process ids.
    if (known && !(this.#isFirst && lines < known.lines)) return known;
    const next = this.#isFirst && !known ? { ...fresh(lines), rejected } : fresh(0);
    this.#workers.set(pid, next);
    return next;
  }
}

const fresh = (lines: number): Known => ({
  lines,
  lost: 0,
  rejected: new Map(),
  expected: undefined,
  hasEnded: false,
});
