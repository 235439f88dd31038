/*
 * HAProxy's own counts, as its command `show stat` lists them (management guide §9.1).
 */

/** The commands for {@link statsIn}: frontends, and the bind lines of TCP edges. */
export const STAT_COMMANDS = ["show stat -1 1 -1", "show stat tcp 8 -1"];
/** The command for {@link serversIn}. */
export const SERVER_COMMAND = "show stat -1 4 -1";

/** What one HAProxy process has counted since it started. */
export interface WorkerStats {
  /** How many lines it has written for requests and connections that have ended. */
  lines: number;
  /** Open connections of clients. */
  open: number;
  /** Connections that it rejected before they could be logged, by the id of the TCP edge. */
  rejected: Map<string, number>;
}

type Row = (column: string) => string;

/** The rows of tables with a header each. */
function rowsIn(text: string): Row[] {
  let columns = new Map<string, number>();
  const rows: Row[] = [];
  for (const line of text.split("\n")) {
    const fields = line.split(",");
    if (line.startsWith("# "))
      columns = new Map(fields.map((name, index) => [name.replace("# ", ""), index]));
    else if (fields.length >= columns.size && columns.size > 0)
      rows.push((column) => fields[columns.get(column) ?? -1] ?? "");
  }
  return rows;
}

/** Whether a frontend logs what it serves. Those that only HAProxy itself calls do not. */
export const isLogged = (frontend: string): boolean => !/^(?:metrics$|wsup_|bkdhr_)/.test(frontend);

const RESPONSES = ["1xx", "2xx", "3xx", "4xx", "5xx", "other"].map((suffix) => `hrsp_${suffix}`);

/** Reads the response to {@link STAT_COMMANDS}. */
export function statsIn(text: string): WorkerStats {
  const stats: WorkerStats = { lines: 0, open: 0, rejected: new Map() };
  for (const row of rowsIn(text)) {
    const number = (column: string): number => Number(row(column));
    if (row("svname") !== "FRONTEND") {
      const id = row("svname");
      if (number("dcon") > 0) stats.rejected.set(id, (stats.rejected.get(id) ?? 0) + number("dcon"));
    } else if (isLogged(row("pxname"))) {
      stats.open += number("scur");
      // A line follows the end of a request, when its response is counted, and the end of a connection.
      stats.lines +=
        row("mode") === "http"
          ? RESPONSES.reduce((sum, column) => sum + number(column), 0)
          : Math.max(0, number("stot") - number("scur"));
    }
  }
  return stats;
}

/** The state of a server that HAProxy checks. */
export interface ServerState {
  backend: string;
  address: string;
  isUp: boolean;
  /** For how many seconds. */
  since: number;
}

/** Reads the response to {@link SERVER_COMMAND}. A server that several sections have is up if it is in one of them. */
export function serversIn(text: string): ServerState[] {
  const states = new Map<string, ServerState>();
  for (const row of rowsIn(text)) {
    const [, backend] = /^(bkd\w*?)(?:__\d+)?$/.exec(row("svname")) ?? [];
    const [status, address] = [row("status"), row("addr")];
    // Those without an address are sockets, which answer with fixed responses.
    if (backend === undefined || !/^(?:UP|DOWN|NOLB|DRAIN)/.test(status) || !/:\d+$/.test(address)) continue;
    const state = { backend, address, isUp: !status.startsWith("DOWN"), since: Number(row("lastchg")) };
    const key = `${backend} ${address}`;
    const known = states.get(key);
    if (!known || (state.isUp && !known.isUp)) states.set(key, state);
  }
  return [...states.values()];
}
