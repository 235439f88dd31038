import { connect } from "node:net";

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
