import { parentPort } from "node:worker_threads";
import { CONVERTER, RECEIVER } from "./programs.ts";
import { runAgent } from "./run.ts";
import { runReceiver } from "./traffic/receiver.ts";
import { runConverter } from "./websocket_converter.ts";

/*
 * The command `edge-agent`. Two of its parts run elsewhere: the reader of HAProxy's log in a thread, and the converter of WebSockets in a
 * process. All are one file, because the Debian package has one.
 */

// The agent keeps running if standard error is a pipe whose reader has ended.
process.stderr.on("error", () => {});
const [, , first, ...rest] = process.argv;
if (first === RECEIVER && parentPort) runReceiver(rest, parentPort);
else if (first === CONVERTER) runConverter(rest[0] ?? "");
else process.exit(await runAgent(process.argv.slice(2)));
