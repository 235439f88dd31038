import { quote } from "./quote.ts";

/*
 * Lines of HAProxy's log: how the configuration has them written, and how they are read. Fields are separated by spaces:
 *
 *   KIND PROCESS INSTANT EDGE PLACE STATUS STATE WHY BYTES DURATION SERVER ADDRESS SOURCE METHOD REST
 *
 * Only METHOD and REST can contain what a client has sent, and REST can contain spaces, so a client cannot forge another field. A line has
 * no query, no header and no body; it has the address of the client and the path only if the options of the agent ask for them.
 */

/** What is logged. */
export interface LogSettings {
  /** The absolute path of the socket that receives the lines. */
  socket: string;
  /** Whether lines have the addresses of clients. */
  addresses: boolean;
  /** Whether lines have the paths of requests. */
  paths: boolean;
}

/** The ring that buffers the lines. */
const RING = "traffic";

/**
 * `request`: an HTTP request; `connection`: a connection to the frontend that clients reach; `inner`: the same connection at the listener
 * that terminates its TLS; `failure`: a TLS handshake that failed, or bytes that are not an HTTP request.
 */
const KINDS = { request: "r", connection: "c", inner: "i", failure: "f" } as const;
type Kind = keyof typeof KINDS;

const INSTANT = "%[date(0,ms)]";
/** The longest line, in bytes. HAProxy cuts longer ones. */
const LONGEST_LINE = 4096;

/** The lines of a frontend that logs what it serves. @param settings undefined if nothing is logged */
export function logLines(
  kind: Exclude<Kind, "failure">,
  settings: LogSettings | undefined,
  edgeOfFailure?: string,
): string[] {
  if (!settings) return ["no log"];
  const isHttp = kind === "request";
  const scope = isHttp ? "txn" : "sess";
  const source = settings.addresses ? "%ci" : "-";
  const fields = [
    KINDS[kind],
    "%pid",
    INSTANT,
    `%[var(${scope}.edge)]`,
    isHttp ? "%[var(txn.route)]" : "%[var(sess.listener)]",
    isHttp ? "%ST" : "0",
    "%ts",
    "%[var(txn.why)]",
    "%B",
    isHttp ? "%Ta" : "%Tt",
    "%s",
    `%[var(${scope}.address)]:%[var(${scope}.port)]`,
    source,
    ...(isHttp ? ["%HM", settings.paths ? "%HPO" : "-"] : ["-", "-"]),
  ];
  const edge = edgeOfFailure === undefined ? "-" : `%[${edgeOfFailure}]`;
  const failure = `${KINDS.failure} %pid ${INSTANT} ${edge} - %ST %ts - 0 %[fc_err] - - ${source} - %[ssl_fc_err_str]`;
  return [
    "no log",
    `log ring@${RING} len ${LONGEST_LINE} format raw local0 info`,
    `log-format ${quote(fields.join(" "))}`,
    `error-log-format ${quote(failure)}`,
  ];
}

/** The section of the ring. HAProxy never waits for the reader: what does not fit any more is dropped. */
export const ringSection = ({ socket }: LogSettings): string => `ring ${RING}
    format raw
    maxlen ${LONGEST_LINE + 64}
    # What arrives while the agent is busy, or restarts.
    size ${16 * 1024 * 1024}
    timeout connect 2s
    # A shorter timeout ends the connection, with lines on it, while the agent is busy.
    timeout server 1h
    server agent ${quote(`unix@${socket}`)} log-proto octet-count`;

/** A line that was read. */
export interface LogLine {
  kind: Kind;
  /** The HAProxy process. */
  pid: number;
  /** When it was written, in milliseconds since 1970, by the clock of this machine. */
  instant: number;
  /** The id of the edge; undefined if there is none. */
  edge: string | undefined;
  /** Of a request, the id of its route; of a connection, the listener that terminates its TLS. Undefined if there is none. */
  place: string | undefined;
  /** The status of the response; 0 if there is none. */
  status: number;
  /** How it ended: the first two characters of HAProxy's termination state. */
  state: string;
  /** The module that rejected it, if one did. */
  why: string | undefined;
  /** Bytes to the client. */
  bytes: number;
  /** Milliseconds, or -1; of a failure, HAProxy's number for the error, or 0 if it is none of the connection. */
  duration: number;
  /** The name of the server in HAProxy's configuration. */
  server: string | undefined;
  /** Address and port of the upstream, if the edge or route has only this one. */
  address: string | undefined;
  /** The address of the client. */
  source: string | undefined;
  method: string | undefined;
  /** The path; of a failure, the reason. */
  rest: string | undefined;
}

const kinds = ["request", "connection", "inner", "failure"] as const satisfies readonly Kind[];
const FIELDS = 15;
/** Ids, names of listeners and modules. */
const NAME = /^\w{1,100}$/;

/** Reads a line. Returns undefined if it is not one of ours. */
export function readLine(text: string): LogLine | undefined {
  // The last field is empty if there is no path.
  const all = text.replace(/\n$/, "").split(" ");
  if (all.length < FIELDS) return undefined;
  const field = (index: number): string => all[index] ?? "";
  const optional = (index: number): string | undefined =>
    field(index) === "-" || field(index) === "" ? undefined : field(index);
  const kind = kinds.find((one) => KINDS[one] === field(0));
  const numbers = [1, 2, 5, 8, 9].map((index) => Number(field(index)));
  const [pid = -1, instant = -1, status = -1, bytes = -1, duration = -1] = numbers;
  if (!kind || !numbers.every(Number.isSafeInteger) || pid < 0 || instant < 0 || bytes < 0) return undefined;
  const names = [optional(3), optional(4), optional(7)];
  if (names.some((name) => name !== undefined && !NAME.test(name))) return undefined;
  const [edge, place, why] = names;
  const rest = all.slice(FIELDS - 1).join(" ");
  return {
    kind,
    pid,
    instant,
    edge,
    place,
    status: Math.max(0, status),
    state: field(6),
    // A connection for no edge is not denied to anybody.
    why: edge === undefined ? undefined : why,
    bytes,
    duration,
    server: optional(10),
    address: addressIn(field(11)),
    source: optional(12),
    method: optional(13),
    rest: rest === "-" || rest === "" ? undefined : rest,
  };
}

/** An address and a port; undefined if one of them is missing. HAProxy writes IPv6 without brackets. */
function addressIn(text: string): string | undefined {
  const [, address = "", port = ""] = /^([\da-f.:]+):(\d+)$/i.exec(text) ?? [];
  if (address === "") return undefined;
  return address.includes(":") ? `[${address}]:${port}` : `${address}:${port}`;
}

/** Whether a rule of the configuration ended it, and not the client or the upstream. */
export const isRejected = ({ why, state }: LogLine): boolean => why !== undefined && /^[PL]/.test(state);
