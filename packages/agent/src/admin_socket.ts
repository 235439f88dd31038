import { connect, type Socket } from "node:net";

/*
 * Commands to HAProxy through its unix sockets.
 */

const COMMAND_TIMEOUT = 5000;
export const LARGEST_ANSWER = 256 * 1024 * 1024;
/** HAProxy cuts commands at its buffer's size, which is 16 KiB unless configured, and runs what is left. */
const LARGEST_COMMAND = 12_000;

/** Sends a command line to a socket. Resolves to the response. @throws if there is none in time, which is in milliseconds */
export function ask(path: string, command: string, timeout = COMMAND_TIMEOUT): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(path);
    const pieces: Buffer[] = [];
    let length = 0;
    const timer = setTimeout(() => socket.destroy(new Error(`${path} does not respond.`)), timeout);
    socket.on("data", (piece: Buffer) => {
      pieces.push(piece);
      length += piece.length;
      if (length > LARGEST_ANSWER) socket.destroy(new Error(`The response from ${path} is too large.`));
    });
    socket.once("error", reject);
    socket.once("end", () => resolve(Buffer.concat(pieces).toString("utf8")));
    socket.once("close", () => {
      clearTimeout(timer);
      reject(new Error(`${path} closed the connection.`));
    });
    socket.end(`${command}\n`);
  });
}

const PROMPT = "\n> ";
/** A worker that does not answer in this time, in milliseconds, holds nothing up. */
const SESSION_TIMEOUT = 1000;

/** A connection that stays open between commands (management guide §9.3, `prompt`). A worker that was replaced does not end before it. */
export class AdminSession {
  readonly #socket: Socket;
  #said = "";
  #answered: ((said: string | undefined) => void) | undefined;
  /** The response to the command before. */
  #ready: Promise<unknown>;

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.setEncoding("utf8").on("data", (piece: string) => {
      this.#said += piece;
      if (this.#said.endsWith(PROMPT)) this.#answer(this.#said.slice(0, -PROMPT.length));
    });
    socket.on("close", () => this.#answer(undefined));
    this.#ready = this.#send("prompt");
  }

  /** Connects. Resolves to undefined if that fails. */
  static async open(path: string): Promise<AdminSession | undefined> {
    const socket = connect(path).unref();
    const isOpen = await new Promise<boolean>((resolve) => {
      socket.once("connect", () => resolve(true));
      socket.on("error", () => resolve(false));
    });
    return isOpen ? new AdminSession(socket) : undefined;
  }

  /** Sends a command. Without a response in time, it closes the connection and resolves to undefined. */
  ask(command: string): Promise<string | undefined> {
    const asked = this.#ready.then(() => this.#send(command));
    this.#ready = asked;
    return asked;
  }

  async #send(command: string): Promise<string | undefined> {
    if (this.#socket.destroyed) return undefined;
    const timer = setTimeout(() => this.#socket.destroy(), SESSION_TIMEOUT).unref();
    const said = await new Promise<string | undefined>((resolve) => {
      this.#answered = resolve;
      this.#said = "";
      this.#socket.write(`${command}\n`);
    });
    clearTimeout(timer);
    return said;
  }

  close(): void {
    this.#socket.destroy();
  }

  #answer(said: string | undefined): void {
    this.#answered?.(said);
    this.#answered = undefined;
  }
}

/** Joins commands by semicolons into as few messages as HAProxy accepts. */
export function messages(commands: readonly string[]): string[] {
  const joined: string[] = [];
  let message = "";
  for (const command of commands) {
    if (message !== "" && message.length + command.length >= LARGEST_COMMAND) {
      joined.push(message);
      message = "";
    }
    message += message === "" ? command : `;${command}`;
  }
  return message === "" ? joined : [...joined, message];
}
