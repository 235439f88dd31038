import { addressOf } from "../../../src/values/cidrs.ts";
import { listeningPoint } from "../../../src/values/hostports.ts";
import type { Line, Situation } from "./policy/evaluate.ts";
import type * as Language from "./policy/language.ts";
import { type Outcome, type PolicyOf, Simulation, type Step } from "./simulate.ts";
import type { Snapshot } from "./snapshot.ts";

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

/** What a simulation needs of the language of traffic policies, which callers load when they need it. */
export type Tools = Pick<typeof Language, "bytesOf" | "textOf" | "runPhase" | "Matching">;

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

/** The headers that policies see, after what the proxy changes in every request. */
function headersOf(given: Line[], authority: string, sourceIp: string): Line[] {
  const own = new Set(["x-forwarded-for", "x-forwarded-proto", "http2-settings"]);
  const isWebsocket = given.some(
    ([name, value]) => name === "upgrade" && value.toLowerCase() === "websocket",
  );
  const kept = given.filter(([name]) => !own.has(name) && (name !== "upgrade" || isWebsocket));
  const host: Line[] = kept.some(([name]) => name === "host") ? [] : [["host", authority]];
  return [...host, ...kept, ["x-forwarded-for", sourceIp], ["x-forwarded-proto", "https"]];
}

function situationOf(
  { request, response = {} }: Assumptions,
  { authority, hostport, target }: { authority: string; hostport: string; target: string },
  now: number,
  { bytesOf, Matching }: Tools,
): Situation {
  const { host, port } = listeningPoint(hostport);
  const toLines = (of: [string, string][]): Line[] =>
    of.map(([name, value]) => [name.toLowerCase(), bytesOf(value).replaceAll(/^[ \t]+|[ \t]+$/g, "")]);
  const client = addressOf(request.source_ip);
  const server = addressOf(host.replaceAll(/[[\]]/g, ""));
  return {
    method: request.method ?? "GET",
    target: bytesOf(target),
    headers: headersOf(toLines(request.headers ?? []), authority, request.source_ip),
    client: { ip: client?.ip ?? "", networks: client?.networks ?? [], port: request.source_port ?? 40_000 },
    server: { ip: server?.ip ?? "", networks: server?.networks ?? [], port },
    tls: {
      sni: server ? "" : host,
      version: request.tls?.version ?? "1.3",
      alpn: "http/1.1",
      clientCommonName: request.tls?.client_common_name,
    },
    response: { status: response.status_code ?? 200, headers: toLines(response.headers ?? []) },
    now: Math.floor(now / 1000),
    vars: new Map(),
    kept: {},
    matching: new Matching(),
  };
}

/** After its prefix, an id begins with the time of its creation. */
const ageOf = (id: string): string => id.slice(id.indexOf("_") + 1);

/** The oldest of some edges that claims a hostport. */
export const holderOf = (
  hostport: string,
  edges: readonly { id: string; hostports: string[] | null }[],
): string | undefined =>
  edges
    .toSorted((a, b) => (ageOf(a.id) < ageOf(b.id) ? -1 : 1))
    .find(({ hostports }) => (hostports ?? []).some((each) => canonical(each) === hostport))?.id;

/**
 * Runs one request through what is served. Nothing is sent.
 *
 * @param holder the edge that has the hostport of the request: see {@link holderOf}
 * @param now milliseconds
 * @throws TooManySteps if patterns take too long
 */
export function simulate(
  snapshot: Snapshot,
  holder: string,
  given: Assumptions,
  policyOf: PolicyOf,
  { now, tools, sha256 }: { now: number; tools: Tools; sha256: (bytes: string) => string },
): Simulated {
  const parts = urlPartsOf(given.request.url) ?? { authority: "", hostport: "", target: "/" };
  const { hostport } = parts;
  const edge = snapshot.edges.find((each) => each.id === holder && each.hostports.includes(hostport));
  const common = { hostport, edge_id: holder };
  if (!edge) {
    const problems = snapshot.problems.filter(({ object }) => object === holder);
    const outcome: Outcome = { kind: "not_served", problems };
    return { ...common, route_id: null, steps: [], outcome, assumptions: [] };
  }
  const { counts = {}, jwt_signatures } = given;
  const simulation = new Simulation(snapshot, situationOf(given, parts, now, tools), tools, policyOf, {
    counts,
    signatures: jwt_signatures !== "invalid",
    sha256,
  });
  const route = edge.kind === "https" ? simulation.routeIn(edge) : undefined;
  const outcome = edge.kind === "https" ? simulation.request(edge, route) : simulation.connection(edge);
  const { steps, assumptions } = simulation;
  return { ...common, route_id: route?.id ?? null, steps, outcome, assumptions };
}
