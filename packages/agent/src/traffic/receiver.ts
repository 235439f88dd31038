import { existsSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import type { MessagePort } from "node:worker_threads";
import { readLine } from "../base/log_line.ts";
import { AccessLog, accessLogs } from "./access_log.ts";
import { Frames } from "./frames.ts";
import { Tallies } from "./tallies.ts";

/*
 * Reads HAProxy's log in a thread of its own, which never renders a configuration: a reader that is busy for a second loses lines.
 */

/** The argument with which the thread counts, and does not only write the access log. */
export const COUNTING = "counting";

/** What the agent asks the thread for. */
export interface Question {
  /** An instant of the wall clock, at which the agent has asked HAProxy how many lines it has written. */
  cut: number;
}

/** What the thread has counted since the last question. */
export interface ReceivedCounts extends Pick<Tallies, "total" | "objects" | "other" | "reached"> {
  /** Lines of each HAProxy process since the last question, and how many of them it wrote until the instant of that question. */
  lines: Map<number, { all: number; untilCut: number }>;
}

/** What the thread says once it listens. */
export const LISTENING = "listening";

/** Runs the thread. @param args the path of the socket, the kind of access log, and {@link COUNTING} if it counts */
export function runReceiver([socket = "", accessLog, counting]: readonly string[], port: MessagePort): void {
  const log = new AccessLog(accessLogs.find((mode) => mode === accessLog) ?? "off");
  const counts = counting === COUNTING;
  let tallies = new Tallies();
  let lines: ReceivedCounts["lines"] = new Map();
  let cut = 0;
  const take = (text: string): void => {
    const line = readLine(text);
    if (!line) return;
    log.line(line);
    if (!counts) return;
    tallies.line(line);
    const isCounted = line.kind !== "failure" || line.status > 0;
    if (!isCounted) return;
    const known = lines.get(line.pid) ?? { all: 0, untilCut: 0 };
    known.all += 1;
    if (line.instant <= cut) known.untilCut += 1;
    lines.set(line.pid, known);
  };
  if (existsSync(socket)) rmSync(socket);
  createServer((connection) => {
    const frames = new Frames();
    connection.on("data", (piece: Buffer) => {
      try {
        frames.push(piece, take);
      } catch {
        connection.destroy();
      }
    });
    connection.on("error", () => {});
  }).listen(socket, () => port.postMessage(LISTENING));
  port.on("message", (question: Question) => {
    const { total, objects, other, reached } = tallies;
    port.postMessage({ total, objects, other, reached, lines } satisfies ReceivedCounts);
    cut = question.cut;
    tallies = new Tallies();
    lines = new Map();
  });
}
