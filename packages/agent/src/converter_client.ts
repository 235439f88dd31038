import { spawn } from "node:child_process";
import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import type { Problem } from "../../model/src/traffic/problems.ts";
import { elapsed } from "./base/clock.ts";
import { log } from "./log.ts";
import { CONVERTER } from "./programs.ts";
import { reasonOf } from "./refusal.ts";
import type { RouteConversion } from "./render/render.ts";
import { controlSocket, type Conversion } from "./websocket_converter.ts";

const ANSWER_TIMEOUT = 3000;

/** The agent's side of the converter process: starts it, and sends it the sockets to listen on. */
export class ConverterClient {
  readonly #sockets: string;
  #served: readonly RouteConversion[] = [];
  #error: string | undefined;

  /** @param sockets directory of the unix sockets */
  constructor(sockets: string) {
    this.#sockets = sockets;
  }

  /** Sets the conversions that the live configuration needs. */
  set served(served: readonly RouteConversion[]) {
    this.#served = served;
  }

  get isNeeded(): boolean {
    return this.#served.length > 0;
  }

  /** Makes the converter listen for the live configuration, and for a configuration that will replace it. */
  async listen(next: readonly RouteConversion[] = []): Promise<void> {
    const all = new Map([...this.#served, ...next].map((conversion) => [conversion.socket, conversion]));
    try {
      await this.#listenOn([...all.values()]);
      this.#error = undefined;
    } catch (error) {
      const reason = `The WebSocket converter is not running: ${reasonOf(error)}`;
      if (reason !== this.#error) log(reason);
      this.#error = reason;
    }
  }

  /** Ends the converter process once its connections have ended. */
  async stop(): Promise<void> {
    await this.#listenOn([]).catch(() => {});
  }

  problems(): Problem[] {
    if (this.#error === undefined) return [];
    const [first] = this.#served;
    return [{ object: first?.route ?? "agent", code: "converter_down", msg: this.#error }];
  }

  /** Makes the converter listen on exactly these sockets; resolves once it does. @throws if it does not */
  async #listenOn(conversions: readonly Conversion[]): Promise<void> {
    const line = JSON.stringify(conversions.map(({ socket, upstream }) => ({ socket, upstream })));
    const first = await this.#send(line).catch(() => undefined);
    if (first === "ok" || (first === undefined && conversions.length === 0)) return;
    if (first !== undefined) throw new Error(first);
    this.#start();
    const end = elapsed() + ANSWER_TIMEOUT;
    for (;;) {
      await sleep(50);
      const answer = await this.#send(line).catch(() => undefined);
      if (answer === "ok") return;
      if (answer !== undefined || elapsed() > end) throw new Error(answer ?? "It does not respond.");
    }
  }

  #start(): void {
    const { EDGE_AGENT_KEY: _key, ...environment } = process.env;
    const [, program = ""] = process.argv;
    const child = spawn(process.execPath, [...process.execArgv, program, CONVERTER, this.#sockets], {
      detached: true,
      stdio: ["ignore", 2, 2],
      cwd: "/",
      env: environment,
    });
    child.on("error", () => {});
    child.unref();
  }

  #send(line: string): Promise<string> {
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
