import {
  addTally,
  count,
  denials,
  emptyTally,
  placeOfLatency,
  PLACES,
  placeOfStatus,
  type Tally,
} from "../../../model/src/traffic/counts.ts";
import { isRejected, type LogLine } from "../base/log_line.ts";
import { see, type SourceCounts } from "./top.ts";

/** The most edges and routes that are counted one by one. The others are counted together. */
const MOST_COUNTED = 2000;
/** The most upstreams without health checks whose last connection is known. */
const MOST_UPSTREAMS = 2000;

/** What is counted of one edge or route. */
export interface Counted {
  tally: Tally;
  sources: SourceCounts;
}

const nothing = (): Counted => ({ tally: emptyTally(), sources: new Map() });

/** The last connection to an upstream that HAProxy does not check, by the object and the address. */
export interface Reached {
  object: string;
  address: string;
  isUp: boolean;
}

/** Counts of edges and routes, in constant memory. */
export class Tallies {
  /** Everything, also what belongs to no edge. */
  total = emptyTally();
  objects = new Map<string, Counted>();
  /** What found no place among the objects. */
  other = nothing();
  reached = new Map<string, Reached>();

  /** Counts a line. */
  line(line: LogLine): void {
    const { edge, kind, source } = line;
    const places = placesOf(line);
    const targets = new Set(kind === "request" ? [edge, line.place] : [edge]);
    for (const [place, added] of places) count(this.total, place, added);
    // The requests of a connection that an inner listener goes on with are seen.
    const isWhole = kind === "connection" && (line.place === undefined || isRejected(line));
    const isSeen = source !== undefined && (kind === "request" || isWhole);
    for (const id of targets) {
      if (id === undefined) continue;
      const { tally, sources } = this.of(id);
      for (const [place, added] of places) count(tally, place, added);
      if (isSeen) see(sources, source);
    }
    this.#reach(line);
  }

  /** Adds other counts. */
  add({ total, objects, other, reached }: Pick<Tallies, "total" | "objects" | "other" | "reached">): void {
    addTally(this.total, total);
    for (const [id, counted] of objects) merge(this.of(id), counted);
    merge(this.other, other);
    for (const [key, one] of reached)
      if (this.reached.has(key) || this.reached.size < MOST_UPSTREAMS) this.reached.set(key, one);
  }

  /** What is counted of an object. */
  of(id: string): Counted {
    const known = this.objects.get(id);
    if (known) return known;
    if (this.objects.size >= MOST_COUNTED) return this.other;
    const counted = nothing();
    this.objects.set(id, counted);
    return counted;
  }

  #reach(line: LogLine): void {
    const { kind, address, state } = line;
    const object = kind === "request" ? line.place : line.edge;
    if (address === undefined || object === undefined || line.server !== "any") return;
    // The second character says that the connection to the upstream was being made.
    const isUp = !/^[Ss]C/.test(state);
    if (!isUp || !/^[CPRLc]/.test(state)) {
      const key = `${object} ${address}`;
      if (this.reached.has(key) || this.reached.size < MOST_UPSTREAMS)
        this.reached.set(key, { object, address, isUp });
    }
  }
}

function merge(into: Counted, { tally, sources }: Counted): void {
  addTally(into.tally, tally);
  for (const [source, times] of sources) see(into.sources, source, times);
}

/** What a line adds, by place. */
function placesOf(line: LogLine): [place: number, added: number][] {
  const { kind, status, bytes, place } = line;
  switch (kind) {
    case "failure":
      return placesOfFailure(line);
    case "request":
      return [
        [PLACES.requests, 1],
        [PLACES.bytes, bytes],
        ...placesOfStatus(status),
        ...placesOfEnd(line),
        ...latencyOf(line),
      ];
    case "connection":
      // The inner listener knows the rest.
      return place === undefined || isRejected(line)
        ? [[PLACES.connections, 1], [PLACES.bytes, bytes], ...placesOfEnd(line)]
        : [[PLACES.connections, 1]];
    case "inner":
      return [[PLACES.bytes, bytes], ...placesOfEnd(line)];
  }
}

/** A request that HAProxy could not read, or a handshake that failed. A client that leaves without a request is neither. */
function placesOfFailure({ status, state, duration }: LogLine): [number, number][] {
  if (status > 0) return state === "PR" ? [[PLACES.requests, 1], ...placesOfStatus(status)] : [];
  return duration > 0 ? [[PLACES.tls_failures, 1]] : [];
}

function placesOfStatus(status: number): [number, number][] {
  const place = placeOfStatus(status);
  return place === undefined ? [] : [[place, 1]];
}

/** Why a request or a connection has ended, unless all went well. */
function placesOfEnd(line: LogLine): [number, number][] {
  const { why, state } = line;
  if (isRejected(line)) {
    const denial = denials.find((one) => one === why);
    if (denial) return [[PLACES[denial], 1]];
    return [[why === "rate_limit" ? PLACES.limited : PLACES.circuit_open, 1]];
  }
  if (/^[Ss]/.test(state)) return [[PLACES.upstream_errors, 1]];
  return state.startsWith("C") ? [[PLACES.aborted, 1]] : [];
}

function latencyOf(line: LogLine): [number, number][] {
  const { duration, status } = line;
  return isRejected(line) || status === 101 || status === 0 || duration < 0
    ? []
    : [[placeOfLatency(duration), 1]];
}
