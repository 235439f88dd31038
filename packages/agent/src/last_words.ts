import { setTimeout as sleep } from "node:timers/promises";
import { AdminSession } from "./admin_socket.ts";
import { elapsed } from "./base/clock.ts";
import { STAT_COMMANDS, statsIn, type WorkerStats } from "./traffic/worker_stats.ts";

/** The first and the longest pause before a worker is asked again, in milliseconds. */
const FIRST_PAUSE = 50;
const LONGEST_PAUSE = 30_000;

/** A worker that does not end yet. */
interface Held {
  pid: number;
  /** Resolves once it has been let go. */
  isDone: Promise<void>;
  /** What it has counted, when it was asked last. */
  said: WorkerStats | undefined;
}

/**
 * Asks workers that end what they have counted. HAProxy closes the log of a worker as soon as it is replaced, so that what it still serves
 * has no lines. And it would end before it could be asked how many lines are missing: an open connection to it prevents that.
 */
export class LastWords {
  readonly #path: string;
  /** The workers that are held. */
  readonly #held = new Map<AdminSession, Held>();
  readonly #isOver = new AbortController();
  /** Takes what a worker has counted. */
  hear: (pid: number, stats: WorkerStats) => void = () => {};

  /** @param path the admin socket of the current worker */
  constructor(path: string) {
    this.#path = path;
  }

  /**
   * Keeps the current worker from ending. Resolves to a function that is called once it is known whether the worker ends: one that does is
   * asked until it serves no connection any more.
   *
   * @param pid its process
   */
  async hold(pid: number | undefined): Promise<(isEnding: boolean) => void> {
    const session = await AdminSession.open(this.#path);
    if (!session || pid === undefined) return () => session?.close();
    const held: Held = { pid, isDone: Promise.resolve(), said: undefined };
    this.#held.set(session, held);
    const letGo = (): void => {
      session.close();
      this.#held.delete(session);
    };
    return (isEnding) => {
      if (isEnding) held.isDone = this.#listen(held, session).finally(letGo);
      else letGo();
    };
  }

  /** Waits until no worker serves connections any more, or for some milliseconds, then lets all of them end. */
  async end(timeout: number): Promise<void> {
    this.#isOver.abort();
    const all = Array.from(this.#held.values(), ({ isDone }) => isDone);
    await Promise.race([Promise.all(all), sleep(timeout)]);
    for (const [session, { pid, said }] of this.#held) {
      // What is still open is cut off, and has no line.
      if (said) this.hear(pid, { ...said, lines: said.lines + said.open });
      session.close();
    }
  }

  async #listen(held: Held, session: AdminSession): Promise<void> {
    const begin = elapsed();
    // The worker may not know yet that it ends.
    await sleep(FIRST_PAUSE, undefined, { ref: false });
    for (;;) {
      const said: string[] = [];
      for (const command of STAT_COMMANDS) said.push((await session.ask(command)) ?? "");
      if (said.includes("")) return;
      held.said = statsIn(said.join("\n"));
      this.hear(held.pid, held.said);
      if (held.said.open === 0) return;
      await this.#pause(elapsed() - begin);
    }
  }

  /** Waits before a worker is asked again: longer and longer, but not while HAProxy ends. @param age for how long it has been asked */
  async #pause(age: number): Promise<void> {
    const { signal } = this.#isOver;
    if (signal.aborted) await sleep(FIRST_PAUSE, undefined, { ref: false });
    else
      await sleep(Math.min(LONGEST_PAUSE, Math.max(FIRST_PAUSE, age / 4)), undefined, {
        ref: false,
        signal,
      }).catch(() => {});
  }
}
