import { join } from "node:path";
import { ask, messages } from "./admin_socket.ts";
import { Refusal } from "./refusal.ts";
import type { State } from "./state.ts";

/** How long the current worker may take to say who it is. */
const PATIENCE = 2000;

/** The commands of the runtime API for one of HAProxy's workers. */
export class Worker {
  readonly pid: number;
  readonly #socket: string;
  readonly #prefix: string;

  private constructor(pid: number, socket: string, prefix: string) {
    this.pid = pid;
    this.#socket = socket;
    this.#prefix = prefix;
  }

  /**
   * The worker's own socket is ten times faster than the master's, which forwards each command separately, but only the current
   * worker listens on it.
   */
  static async connect(pid: number, masterSocket: string, state: State): Promise<Worker> {
    const current = await Worker.current(state);
    return current?.pid === pid ? current : new Worker(pid, masterSocket, `@!${pid} `);
  }

  /** The current worker, without the master's help. Resolves to undefined if no worker answers. */
  static async current(state: State): Promise<Worker | undefined> {
    const own = join(state.sockets, "admin");
    const info = await ask(own, "show info", PATIENCE).catch(() => "");
    const [, pid] = /^Pid: (\d+)$/m.exec(info) ?? [];
    return pid === undefined ? undefined : new Worker(Number(pid), own, "");
  }

  /** Sends commands, several in each message. Resolves to the responses. @throws Refusal if they are not as `expected` */
  async run(commands: readonly string[], expected?: RegExp): Promise<string> {
    const answers: string[] = [];
    for (const message of messages(commands.map((command) => this.#prefix + command)))
      answers.push(await ask(this.#socket, message));
    return checked(answers.join(""), expected);
  }

  /**
   * Sends a command with lines of data.
   *
   * @param data without an empty line, which would end it
   * @throws Refusal if the response is not as `expected`
   */
  async runWith(command: string, data: string, expected: RegExp): Promise<void> {
    checked(await ask(this.#socket, `${this.#prefix}${command} <<\n${data.trimEnd()}\n`), expected);
  }
}

/** The response to a command. @throws Refusal with HAProxy's error if the response is not as expected */
function checked(said: string, expected = /^/): string {
  if (expected.test(said)) return said;
  throw new Refusal(`HAProxy rejects a command: ${said.trim().slice(0, 200)}`);
}
