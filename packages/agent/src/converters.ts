import { spawn } from "node:child_process";
import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { controlSocket, type Conversion } from "./converter.ts";

/*
 * The agent's side of the converter process: finds the one that runs, or starts one.
 */

const ANSWER_TIMEOUT = 3000;

export class Converters {
  readonly #sockets: string;

  constructor(sockets: string) {
    this.#sockets = sockets;
  }

  /** Makes the converter listen on these sockets and no others; resolves when it does. @throws if it does not */
  async listenOn(conversions: readonly Conversion[]): Promise<void> {
    const line = JSON.stringify(conversions.map(({ socket, upstream }) => ({ socket, upstream })));
    const first = await this.#tell(line).catch(() => undefined);
    if (first === "ok" || (first === undefined && conversions.length === 0)) return;
    if (first !== undefined) throw new Error(first);
    this.#start();
    const end = Date.now() + ANSWER_TIMEOUT;
    for (;;) {
      await sleep(50);
      const answer = await this.#tell(line).catch(() => undefined);
      if (answer === "ok") return;
      if (answer !== undefined || Date.now() > end) throw new Error(answer ?? "It does not respond.");
    }
  }

  #start(): void {
    const { EDGE_AGENT_KEY: _key, ...environment } = process.env;
    const [, program = ""] = process.argv;
    const child = spawn(process.execPath, [...process.execArgv, program, "--converter", this.#sockets], {
      detached: true,
      stdio: ["ignore", 2, 2],
      cwd: "/",
      env: environment,
    });
    child.on("error", () => {});
    child.unref();
  }

  #tell(line: string): Promise<string> {
    return new Promise((resolve, reject) => {
      const socket = connect(controlSocket(this.#sockets));
      let text = "";
      socket.setEncoding("utf8");
      socket.setTimeout(ANSWER_TIMEOUT, () => socket.destroy(new Error("timeout")));
      socket.on("data", (piece: string) => (text += piece));
      socket.once("error", reject);
      socket.once("close", () => (text === "" ? reject(new Error("no response")) : resolve(text.trim())));
      socket.write(`${line}\n`);
    });
  }
}
