import { join } from "node:path";
import { ask, messages } from "./admin_socket.ts";
import { log } from "./log.ts";
import { type Lines, linesOf, type Step } from "./map_lines.ts";
import type { Processes } from "./processes.ts";
import { reasonOf, Refusal } from "./refusal.ts";
import type { State } from "./state.ts";

/** HAProxy 2.6 searches a list for each line that it deletes. With more deletions, the whole map is replaced at once. */
const MOST_DELETIONS = 20;

/** Sends commands to a worker, several in each message. Resolves to the responses. */
type Run = (commands: readonly string[]) => Promise<string>;

/** The maps in the memory of HAProxy's workers. */
export class RuntimeMaps {
  readonly #masterSocket: string;
  readonly #state: State;

  constructor(masterSocket: string, state: State) {
    this.#masterSocket = masterSocket;
    this.#state = state;
  }

  /**
   * Changes maps in the memory of all workers, and looks up every changed line in the current ones.
   *
   * @param found HAProxy's processes
   * @param directory of the release that the current workers have loaded
   * @throws Refusal if a current worker does not have the new lines
   */
  async change(found: Processes, directory: string, steps: readonly Step[]): Promise<void> {
    for (const pid of found.current) {
      const ids = await this.#mapIds(pid);
      const run = await this.#runner(pid);
      for (const step of steps) {
        const id = ids.get(join(directory, step.path));
        if (id === undefined) throw new Refusal(`HAProxy process ${pid} has no map ${step.path}.`);
        await take(run, id, step);
      }
    }
    for (const pid of found.old)
      await this.#changeOld(pid, steps).catch((error: unknown) =>
        log(`The old HAProxy process ${pid} keeps its previous rules until it exits: ${reasonOf(error)}`),
      );
  }

  /** An old worker can have loaded any release, so it can lack lines that are deleted. */
  async #changeOld(pid: number, steps: readonly Step[]): Promise<void> {
    const ids = await this.#mapIds(pid);
    const within = `${this.#state.releases}/`;
    const byPath = new Map(
      [...ids]
        .filter(([path]) => path.startsWith(within))
        .map(([path, id]) => [path.slice(path.indexOf("/", within.length) + 1), id]),
    );
    const run = await this.#runner(pid);
    for (const step of steps) {
      const id = byPath.get(step.path);
      if (id !== undefined) await run(commandsFor(id, step));
    }
  }

  /** The ids of a worker's maps, by the path of the file that it loaded each from. */
  async #mapIds(pid: number): Promise<Map<string, string>> {
    const answer = await ask(this.#masterSocket, `@!${pid} show map`);
    return new Map(
      [...answer.matchAll(/^(-?\d+) \((\/[^)]*)\)/gm)].map(([, id = "", path = ""]) => [path, id]),
    );
  }

  /**
   * The worker's own socket is ten times faster than the master's, which forwards each command separately, but only the current
   * worker listens on it.
   */
  async #runner(pid: number): Promise<Run> {
    const own = join(this.#state.sockets, "admin");
    const info = await ask(own, "show info").catch(() => "");
    const isOwn = new RegExp(`^Pid: ${pid}$`, "m").test(info);
    const [socket, prefix] = isOwn ? [own, ""] : [this.#masterSocket, `@!${pid} `];
    return async (commands) => {
      const answers: string[] = [];
      for (const message of messages(commands.map((command) => prefix + command)))
        answers.push(await ask(socket, message));
      return answers.join("");
    };
  }
}

/** Takes a step in a current worker. @throws Refusal if the worker does not have the new lines then */
async function take(run: Run, id: string, step: Step): Promise<void> {
  const { from, to, rest } = step;
  const deleted = [...from.keys()].filter((key) => !to.has(key));
  if (deleted.length > MOST_DELETIONS) return replace(run, id, new Map([...linesOf(rest), ...to]));
  const said = (await run(commandsFor(id, step))).trim();
  if (said !== "") throw new Refusal(`HAProxy rejects a command: ${said.slice(0, 200)}`);
  const keys = [...changedKeys(step)];
  const found = linesFound(await run(keys.map((key) => `get map #${id} ${key}`)));
  if (found.length !== keys.length)
    throw new Refusal(`HAProxy looked up ${found.length} of ${keys.length} lines.`);
  for (const [index, key] of keys.entries()) {
    const line = found[index];
    // A lookup finds the longest key that the text begins with, so it can find a shorter one.
    const value = line?.key === key ? line.value : undefined;
    if (value !== to.get(key)) throw new Refusal(`HAProxy has another value for ${key}.`);
  }
}

/** Replaces all lines at once. @throws Refusal if HAProxy does not accept all of them */
async function replace(run: Run, id: string, to: Lines): Promise<void> {
  const prepared = await run([`prepare map #${id}`]);
  const [, version] = /created: (\d+)/.exec(prepared) ?? [];
  if (version === undefined) throw new Refusal(`prepare map: ${prepared.trim()}`);
  await run([...to].map(([key, value]) => `add map @${version} #${id} ${key} ${value}`));
  // A failed command does not stop the commands after it, so count the lines, and commit all of them or none.
  const shown = await run([`show map @${version} #${id}`]);
  const count = shown.split("\n").filter((line) => line.startsWith("0x")).length;
  if (count !== to.size) {
    await run([`clear map @${version} #${id}`]);
    throw new Refusal(`HAProxy accepted only ${count} of ${to.size} lines.`);
  }
  const said = (await run([`commit map @${version} #${id}`])).trim();
  if (said !== "") throw new Refusal(`commit map: ${said}`);
}

function commandsFor(id: string, { from, to }: Step): string[] {
  const set = [...to]
    .filter(([key, value]) => from.get(key) !== value)
    .map(([key, value]) => `${from.has(key) ? "set" : "add"} map #${id} ${key} ${value}`);
  const deleted = [...from.keys()].filter((key) => !to.has(key)).map((key) => `del map #${id} ${key}`);
  return [...set, ...deleted];
}

function* changedKeys({ from, to }: Step): Iterable<string> {
  for (const [key, value] of to) if (from.get(key) !== value) yield key;
  for (const key of from.keys()) if (!to.has(key)) yield key;
}

/** Parses the responses to `get map`. */
const linesFound = (answer: string): { key?: string; value?: string }[] =>
  answer
    .split("\n")
    .filter((line) => line.startsWith("type="))
    .map((line) => {
      const [, key, value] = /\bkey="([^"]*)", value="([^"]*)"/.exec(line) ?? [];
      return key === undefined || value === undefined ? {} : { key, value };
    });
