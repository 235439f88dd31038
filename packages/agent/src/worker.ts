import { join } from "node:path";
import { ask, messages } from "./admin_socket.ts";
import { Refusal } from "./refusal.ts";
import type { State } from "./state.ts";

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
    const own = join(state.sockets, "admin");
    const info = await ask(own, "show info").catch(() => "");
    const isOwn = new RegExp(`^Pid: ${pid}$`, "m").test(info);
    return isOwn ? new Worker(pid, own, "") : new Worker(pid, masterSocket, `@!${pid} `);
  }

  /** Sends commands, several in each message. Resolves to the responses. */
  async run(commands: readonly string[]): Promise<string> {
    const answers: string[] = [];
    for (const message of messages(commands.map((command) => this.#prefix + command)))
      answers.push(await ask(this.#socket, message));
    return answers.join("");
  }

  /** Sends a command with lines of data. Resolves to the response. @param data without an empty line, which would end it */
  async runWith(command: string, data: string): Promise<string> {
    return ask(this.#socket, `${this.#prefix}${command} <<\n${data.trimEnd()}\n`);
  }
}

/** That HAProxy responded to a command with an error. @param said its response */
export const rejected = (said: string): Refusal =>
  new Refusal(`HAProxy rejects a command: ${said.trim().slice(0, 200)}`);
