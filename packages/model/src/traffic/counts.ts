/*
 * What agents count of the traffic of an edge or a route. An agent counts in lists of numbers, which are cheap to add and to save, and
 * reports them by name.
 */

/** Buckets of latencies: bucket 0 is for less than a millisecond, bucket n for less than 2ⁿ, and the last one for all others. */
export const LATENCY_BUCKETS = 20;

/** The lengths of the intervals that agents report, in seconds, and how many intervals of each are kept. */
export const RESOLUTIONS = [60, 300, 3600] as const;
export type IntervalLength = (typeof RESOLUTIONS)[number];
export const SLOTS: Readonly<Record<IntervalLength, number>> = { 60: 60, 300: 288, 3600: 720 };

/** The most objects, sources of an object, and servers of backends in a report. */
export const MOST_OBJECTS = 25;
export const MOST_SOURCES = 8;
export const MOST_SERVERS = 150;
/** The longest report, in bytes. */
export const REPORT_BYTES = 65_536;
/** The largest count. */
export const LARGEST_COUNT = 2 ** 40;
/** How long after the end of its interval a report is accepted, and how long before, in milliseconds. */
export const REPORT_LATE = 59 * 60_000;
export const REPORT_EARLY = 60_000;

/** The modules that deny access, and that are counted separately. */
export const denials = ["ip_restriction", "traffic_policy", "user_agent_filter"] as const;
export type Denial = (typeof denials)[number];

/** Where a {@link Tally} has each count. The latencies are the last {@link LATENCY_BUCKETS}. */
export const PLACES = {
  requests: 0,
  connections: 1,
  bytes: 2,
  limited: 3,
  circuit_open: 4,
  upstream_errors: 5,
  aborted: 6,
  tls_failures: 7,
  "1xx": 8,
  "2xx": 9,
  "3xx": 10,
  "4xx": 11,
  "5xx": 12,
  ip_restriction: 13,
  traffic_policy: 14,
  user_agent_filter: 15,
  latency: 16,
} as const;

/** Counts as a list: see {@link PLACES}. */
export type Tally = number[];

const LENGTH = PLACES.latency + LATENCY_BUCKETS;

export const emptyTally = (): Tally => Array<number>(LENGTH).fill(0);

/** Whether a list can be a tally. */
export const isTally = (numbers: readonly number[]): boolean => numbers.length === LENGTH;

/** Adds one count to a tally. */
export const count = (tally: Tally, place: number, added = 1): void => {
  tally[place] = (tally[place] ?? 0) + added;
};

/** Adds a whole tally to another. */
export function addTally(tally: Tally, added: readonly number[]): void {
  for (const [place, value] of added.entries()) count(tally, place, value);
}

/** The place for a status such as 404; undefined if it is in no class. */
export const placeOfStatus = (status: number): number | undefined =>
  status >= 100 && status < 600 ? PLACES["1xx"] + Math.floor(status / 100) - 1 : undefined;

/** The place of a latency in whole milliseconds. */
export const placeOfLatency = (milliseconds: number): number =>
  PLACES.latency + Math.min(LATENCY_BUCKETS - 1, 32 - Math.clz32(milliseconds));

/** Counts by name. */
export interface Counts {
  requests: number;
  /** TCP connections from clients. */
  connections: number;
  /** Bytes that were sent to clients. */
  bytes: number;
  /** Responses by the class of their status. */
  status: { "1xx": number; "2xx": number; "3xx": number; "4xx": number; "5xx": number };
  /** Requests and connections that were rejected, by the module that did it. */
  denied: Record<Denial, number>;
  /** Requests above a rate limit. */
  limited: number;
  /** Requests that got a 503 because the circuit breaker was open. */
  circuit_open: number;
  /** Upstreams that could not be reached, or ended or did not answer in time. */
  upstream_errors: number;
  /** Requests and connections that the client ended early. */
  aborted: number;
  /** TLS handshakes that failed. */
  tls_failures: number;
  /** Requests by latency, in {@link LATENCY_BUCKETS}. Those that were denied, limited or upgraded have none. */
  latency: number[];
}

/** A server of a backend, as an agent sees it. */
export interface ReportedServer {
  backend_id: string;
  /** Address and port. */
  address: string;
  up: boolean;
  /** Since when, RFC 3339. */
  since: string;
}

/** What an agent reports of an interval. */
export interface TrafficReport {
  resolution: IntervalLength;
  /** The beginning of the interval, RFC 3339. */
  at: string;
  /** All traffic, also what belongs to no edge. */
  totals: Counts;
  /** The edges and routes with the most traffic, each with its most frequent clients if addresses are counted. */
  objects: (Counts & { id: string; top_sources?: { source: string; requests: number }[] })[];
  /** All other edges and routes together, if they had any traffic. */
  other?: Counts;
  upstreams?: ReportedServer[];
  /** Requests and connections that were not counted. */
  lost: number;
}

/** A tally by name. */
export function countsOf(tally: readonly number[]): Counts {
  const at = (name: keyof typeof PLACES): number => tally[PLACES[name]] ?? 0;
  return {
    requests: at("requests"),
    connections: at("connections"),
    bytes: at("bytes"),
    status: { "1xx": at("1xx"), "2xx": at("2xx"), "3xx": at("3xx"), "4xx": at("4xx"), "5xx": at("5xx") },
    denied: {
      ip_restriction: at("ip_restriction"),
      traffic_policy: at("traffic_policy"),
      user_agent_filter: at("user_agent_filter"),
    },
    limited: at("limited"),
    circuit_open: at("circuit_open"),
    upstream_errors: at("upstream_errors"),
    aborted: at("aborted"),
    tls_failures: at("tls_failures"),
    latency: tally.slice(PLACES.latency),
  };
}

/** Counts as a tally. */
export function tallyOf(counts: Counts): Tally {
  const tally = emptyTally();
  const { status, denied, latency, ...plain } = counts;
  for (const [name, value] of Object.entries({ ...plain, ...status, ...denied })) {
    const place = placeOf(name);
    if (place !== undefined) tally[place] = value;
  }
  for (const [bucket, value] of latency.entries()) tally[PLACES.latency + bucket] = value;
  return tally;
}

const places = new Map<string, number>(Object.entries(PLACES));
const placeOf = (name: string): number | undefined => places.get(name);

/**
 * The latency that a share of the requests of a tally did not exceed, in milliseconds, interpolated within its bucket; null without
 * requests. @param share from 0 to 1
 */
export function quantile(tally: readonly number[], share: number): number | null {
  const buckets = tally.slice(PLACES.latency);
  const wanted = share * buckets.reduce((sum, value) => sum + value, 0);
  let before = 0;
  for (const [bucket, value] of buckets.entries()) {
    if (value > 0 && before + value >= wanted) {
      const [from, to] = bucket === 0 ? [0, 1] : [2 ** (bucket - 1), 2 ** bucket];
      return Math.round((from + ((wanted - before) / value) * (to - from)) * 10) / 10;
    }
    before += value;
  }
  return null;
}
