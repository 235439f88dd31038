import { forwardedHeaders } from "../policy/client_headers.ts";
import { bytesOf, type HeaderLine, type Situation, trimmed } from "../policy/evaluate.ts";
import { addressOf } from "../values/cidrs.ts";
import { listeningPoint } from "../values/hostports.ts";
import { byAge, type Claimants, claimAll } from "./claims.ts";
import { readTarget, RoutesByPlace, storedMatch } from "./paths.ts";
import { problemsOf } from "./problems.ts";
import { type Outcome, type PolicyOf, Simulation, type Step } from "./simulate.ts";
import type { Edge, Route, Snapshot } from "./snapshot.ts";
import type { StoredSnapshot } from "./stored_snapshot.ts";

/*
 * What becomes of one request: who gets it, and what each module does.
 */

/** A request, and what is assumed about it. */
export interface Assumptions {
  request: {
    method?: string;
    /** `https://host/path`; `tcp://host:port` or `tls://host:port` for edges without routes. */
    url: string;
    headers?: [string, string][];
    source_ip: string;
    source_port?: number;
    tls?: { version?: "1.0" | "1.1" | "1.2" | "1.3"; client_common_name?: string };
  };
  response?: { status_code?: number; headers?: [string, string][] };
  /** How many requests each rate limit has let through, by its name. */
  counts?: Record<string, number>;
  jwt_signatures?: "valid" | "invalid";
}

/** What a simulation does not read from the configuration or the request. */
interface Surroundings {
  /** Milliseconds since the Unix epoch. */
  now: number;
  sha256: (bytes: string) => string;
  /** Callers load it when they need it. */
  matching: Situation["matching"];
}

export interface Simulated {
  hostport: string;
  edge_id: string;
  /** Null if no route matches. */
  route_id: string | null;
  steps: Step[];
  outcome: Outcome;
  assumptions: string[];
}

/** Scheme, authority and the rest, as written: a parser of URLs would change paths. */
export const TARGET = /^(https|tls|tcp):\/\/([^/?#@\s\p{Cc}]+)([/?][^#\s\p{Cc}]*)?$/u;

/** The parts of a URL, as written; undefined without a host and, unless it is https, a port. */
export function urlPartsOf(url: string): { authority: string; hostport: string; target: string } | undefined {
  const [, scheme = "", authority = "", rest = "/"] = TARGET.exec(url) ?? [];
  const hostport = /:\d+$/.test(authority) ? authority : `${authority}:${scheme === "https" ? 443 : 0}`;
  if (!/^(?:\[[0-9a-fA-F:.]+\]|[\w.-]+):[1-9]\d{0,4}$/.test(hostport)) return undefined;
  return { authority, hostport: canonical(hostport), target: rest.startsWith("?") ? `/${rest}` : rest };
}

const canonical = (hostport: string): string => {
  const { host, port } = listeningPoint(hostport);
  return `${host}:${port}`;
};

/** Header lines in bytes. */
const linesOf = (headers: [string, string][] = []): HeaderLine[] =>
  headers.map(([name, value]) => [name.toLowerCase(), trimmed(bytesOf(value))]);

function situationOf(
  { request, response = {} }: Assumptions,
  { authority, hostport, target }: { authority: string; hostport: string; target: string },
  { now, matching }: Surroundings,
): Situation {
  const { host, port } = listeningPoint(hostport);
  const client = addressOf(request.source_ip);
  const server = addressOf(host.replaceAll(/[[\]]/g, ""));
  return {
    method: request.method ?? "GET",
    target: bytesOf(target),
    headers: forwardedHeaders(linesOf(request.headers), authority, request.source_ip),
    client: { ip: client?.ip ?? "", networks: client?.networks ?? [], port: request.source_port ?? 40_000 },
    server: { ip: server?.ip ?? "", networks: server?.networks ?? [], port },
    tls: {
      sni: server ? "" : host,
      version: request.tls?.version ?? "1.3",
      alpn: "http/1.1",
      clientCommonName: request.tls?.client_common_name,
    },
    response: { status: response.status_code ?? 200, headers: linesOf(response.headers) },
    now: Math.floor(now / 1000),
    vars: new Map(),
    kept: {},
    matching,
  };
}

/**
 * The edge that gets what arrives at a hostport; if none does, the oldest that claims it. A TCP edge gets all connections to its
 * port.
 */
export function holderOf(hostport: string, edges: Claimants): string | undefined {
  const holder = claimAll(edges).claims.holderOf(listeningPoint(hostport));
  if (holder !== undefined) return holder;
  return [...edges.tcp, ...edges.tls, ...edges.https]
    .toSorted(byAge)
    .find(({ hostports }) => (hostports ?? []).some((each) => canonical(each) === hostport))?.id;
}

/** An edge listens where a connection arrives: a TCP edge under any name. */
function isAt({ kind, hostports }: Edge, hostport: string): boolean {
  if (kind !== "tcp") return hostports.includes(hostport);
  const { host, port, isAddress } = listeningPoint(hostport);
  return hostports
    .map(listeningPoint)
    .some((own) => own.port === port && (own.isAddress ? isAddress && own.host === host : true));
}

/**
 * The id of the stored object whose policy a request meets: the edge that has its hostport, or the route of that edge that its path
 * leads to. Undefined if no route matches, or if the path cannot be read.
 *
 * @param holder the edge: see {@link holderOf}
 * @param target path and query
 */
export function receiverIn(
  { https, routes }: Pick<StoredSnapshot, "https" | "routes">,
  holder: string,
  target: string,
): string | undefined {
  if (!https.some(({ id }) => id === holder)) return holder;
  const own = routes.filter(({ edge_id }) => edge_id === holder).toSorted(byAge);
  const path = readTarget(target);
  return path === undefined
    ? undefined
    : new RoutesByPlace(own.map(storedMatch)).at({ match_type: "exact_path", path })?.id;
}

/**
 * Runs one request through what is served. Nothing is sent.
 *
 * @param holder the edge that has the hostport of the request: see {@link holderOf}
 * @throws TooManySteps if patterns take too long
 */
export function simulate(
  snapshot: Snapshot,
  holder: string,
  given: Assumptions,
  policyOf: PolicyOf,
  surroundings: Surroundings,
): Simulated {
  const parts = urlPartsOf(given.request.url) ?? { authority: "", hostport: "", target: "/" };
  const { hostport } = parts;
  const edge = snapshot.edges.find((each) => each.id === holder && isAt(each, hostport));
  const common = { hostport, edge_id: holder };
  if (!edge) {
    const problems = problemsOf(snapshot).filter(({ object }) => object === holder);
    const outcome: Outcome = { kind: "not_served", problems };
    return { ...common, route_id: null, steps: [], outcome, assumptions: [] };
  }
  const { counts = {}, jwt_signatures } = given;
  const situation = situationOf(given, parts, surroundings);
  const simulation = new Simulation(snapshot, situation, policyOf, {
    counts,
    signatures: jwt_signatures !== "invalid",
    sha256: surroundings.sha256,
  });
  const { outcome, route }: { outcome: Outcome; route?: Route } =
    edge.kind === "https"
      ? simulation.request(edge, hostport, linesOf(given.request.headers))
      : { outcome: simulation.connection(edge) };
  const { steps, assumptions } = simulation;
  return { ...common, route_id: route?.id ?? null, steps, outcome, assumptions };
}
