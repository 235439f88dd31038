import { setTimeout as sleep } from "node:timers/promises";
import { elapsed } from "./base/clock.ts";
import { log } from "./log.ts";
import { haveEnded, isAlive, signal } from "./processes.ts";
import { reasonOf, Refusal } from "./refusal.ts";
import type { Ending } from "./render/layout.ts";
import { endRequests } from "./runtime_maps.ts";
import type { State } from "./state.ts";
import { Worker } from "./worker.ts";

/** How long clients that ignore GOAWAY are served as before, if the new version does not take access away. */
const LATER = 5000;
/** How long a worker is asked. Five seconds after a change that takes access away, nobody is served by the rules before. */
const ASKED_FOR = 3000;
const ASKED_AGAIN_AFTER = 500;
const END_TIMEOUT = 500;

/**
 * Workers that were replaced by a reload. They still serve the connections that were open then, by the rules that they loaded, for as
 * long as clients keep these connections. So they are told to answer 421 to further requests, which clients can repeat on a new
 * connection. Requests that have begun go on.
 */
export class OldWorkers {
  readonly #masterSocket: string;
  readonly #state: State;
  /** The commands that each process has received, or is receiving. */
  readonly #told = new Map<number, Map<Ending, Promise<void>>>();

  constructor(masterSocket: string, state: State) {
    this.#masterSocket = masterSocket;
    this.#state = state;
  }

  /**
   * Ends the requests of workers: all of them if the new version takes access away. Otherwise those that are counted, because only the
   * current worker has the counters; and some seconds later those over HTTP/2, because a client closes an HTTP/1.1 connection after the
   * response that says so. Resolves once the commands that are due immediately have been sent.
   */
  async end(pids: readonly number[], takesAccessAway: boolean): Promise<void> {
    for (const pid of this.#told.keys()) if (!isAlive(pid)) this.#told.delete(pid);
    await this.#tellAll(pids, takesAccessAway ? "all" : "counted");
    if (!takesAccessAway) setTimeout(() => void this.#tellAll(pids, "http2"), LATER).unref();
  }

  /** Resolves once every worker has been told, even if another call has begun to tell it. */
  async #tellAll(pids: readonly number[], ending: Ending): Promise<void> {
    await Promise.all(
      pids.map((pid) => {
        const told = this.#told.get(pid) ?? new Map<Ending, Promise<void>>();
        this.#told.set(pid, told);
        const telling = told.get("all") ?? told.get(ending) ?? this.#tell(pid, ending);
        told.set(ending, telling);
        return telling;
      }),
    );
  }

  /** Tells a worker. One that cannot be told is ended, with its connections. */
  async #tell(pid: number, ending: Ending): Promise<void> {
    const end = elapsed() + ASKED_FOR;
    for (; isAlive(pid); await sleep(ASKED_AGAIN_AFTER))
      try {
        return await Promise.race([this.#ask(pid, ending), silence(end - elapsed())]);
      } catch (error) {
        if (elapsed() < end) continue;
        log(
          `Ending the old HAProxy process ${pid}, which cannot be told to stop serving old rules: ${reasonOf(error)}`,
        );
        signal(pid, "SIGTERM");
        // A process that hangs keeps its part of new connections, too.
        if (!(await haveEnded([pid], END_TIMEOUT))) signal(pid, "SIGKILL");
        return;
      }
  }

  async #ask(pid: number, ending: Ending): Promise<void> {
    const worker = await Worker.connect(pid, this.#masterSocket, this.#state);
    await endRequests(worker, this.#state.releases, ending);
  }
}

/** Rejects after some milliseconds. */
async function silence(milliseconds: number): Promise<never> {
  await sleep(milliseconds, undefined, { ref: false });
  throw new Refusal("It does not respond.");
}
