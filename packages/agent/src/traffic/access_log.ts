import { write } from "node:fs";
import { textOfInstant } from "../base/clock.ts";
import { isRejected, type LogLine } from "../base/log_line.ts";

/** Characters that wait for standard output. What does not fit is left out: the reader must not delay the counting. */
const MOST_WAITING = 1024 * 1024;
const STDOUT = 1;

/** Which lines are written. */
export const accessLogs = ["off", "errors", "all"] as const;
export type AccessLogMode = (typeof accessLogs)[number];

/** Writes requests and connections to standard output, a JSON object on each line. */
export class AccessLog {
  readonly #mode: AccessLogMode;
  #waiting: string[] = [];
  #length = 0;
  #leftOut = 0;
  #isWriting = false;

  constructor(mode: AccessLogMode) {
    this.#mode = mode;
  }

  /** Writes a line, if its kind is wanted. */
  line(line: LogLine): void {
    if (this.#mode === "off" || (this.#mode === "errors" && !isError(line))) return;
    // A connection that an inner listener goes on with is written there.
    if (line.kind === "connection" && line.place !== undefined && !isRejected(line)) return;
    this.#add(textOf(line));
  }

  #add(text: string): void {
    if (this.#length + text.length > MOST_WAITING) {
      this.#leftOut += 1;
      return;
    }
    this.#waiting.push(text);
    this.#length += text.length;
    if (!this.#isWriting) this.#write();
  }

  #write(): void {
    if (this.#leftOut > 0) this.#waiting.push(`${JSON.stringify({ left_out: this.#leftOut })}\n`);
    this.#leftOut = 0;
    const bytes = Buffer.from(this.#waiting.join(""));
    this.#waiting = [];
    this.#length = 0;
    this.#isWriting = bytes.length > 0;
    if (this.#isWriting) this.#writeBytes(bytes);
  }

  #writeBytes(bytes: Buffer): void {
    write(STDOUT, bytes, (error, written) => {
      if (error?.code === "EAGAIN") setTimeout(() => this.#writeBytes(bytes), 20);
      else if (!error && written < bytes.length) this.#writeBytes(bytes.subarray(written));
      // Nobody reads it any more, or the disk is full: the next lines are tried again.
      else this.#write();
    });
  }
}

/** Whether the edge, and not the upstream's answer, made it fail. */
const isError = (line: LogLine): boolean =>
  isRejected(line) || line.status >= 500 || /^[Ss]/.test(line.state) || isHandshake(line);

const isHandshake = ({ kind, status, duration }: LogLine): boolean =>
  kind === "failure" && status === 0 && duration > 0;

function textOf(line: LogLine): string {
  const {
    kind,
    instant,
    edge,
    place,
    status,
    state,
    why,
    bytes,
    duration,
    server,
    address,
    source,
    method,
    rest,
  } = line;
  const isRequest = kind === "request";
  const isFailure = kind === "failure";
  const entry = {
    at: textOfInstant(instant),
    kind: isFailure ? (isHandshake(line) ? "handshake" : "request") : isRequest ? "request" : "connection",
    edge,
    ...(isRequest && { route: place }),
    ...(status > 0 && { status }),
    ...(isRejected(line) && { rejected_by: why }),
    state,
    ...(isFailure
      ? { reason: rest }
      : { bytes, ms: Math.max(0, duration), upstream: address ?? serverOf(server) }),
    source,
    ...(isRequest && { method, path: rest }),
  };
  return `${JSON.stringify(entry)}\n`;
}

const serverOf = (server: string | undefined): string | undefined =>
  server === undefined || server.startsWith("<") || server === "inside" || server === "converter"
    ? undefined
    : server;
