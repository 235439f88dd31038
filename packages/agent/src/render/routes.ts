import { encodedPath, matchProblems, placeOf } from "../../../traffic/src/paths.ts";
import { problemCodes } from "../../../traffic/src/problems.ts";
import type { Edge, Route } from "../../../traffic/src/snapshot.ts";
import { circuitBreakerLines, CircuitBreakers } from "./circuit_breaker.ts";
import { headerLines } from "./headers.ts";
import type { Entry } from "./layout.ts";
import { entryOf, type Target } from "./maps.ts";
import { OPEN } from "./restriction.ts";
import type { Shared } from "./shared.ts";
import { userAgentLines } from "./user_agents.ts";
import { websocketServer } from "./websockets.ts";

type HttpsEdge = Extract<Edge, { kind: "https" }>;

/** A route that cannot be served responds with 503. A shorter route never replaces it. */
const unserved = ({ id }: Route): Entry => entryOf(id, OPEN, { section: "unserved" });

/** Routes of HTTPS edges: lines of the tables of their edges, and the sections with their modules. */
export class Routes {
  readonly #shared: Shared;
  readonly #breakers: CircuitBreakers;
  readonly #edges = new Set<string>();

  constructor(shared: Shared) {
    this.#shared = shared;
    this.#breakers = new CircuitBreakers(shared.output);
  }

  /** Adds the routes of an edge, which can have several listeners. */
  add(edge: HttpsEdge): void {
    if (this.#edges.has(edge.id)) return;
    this.#edges.add(edge.id);
    const { maps } = this.#shared;
    const faults = matchProblems(edge.routes);
    for (const route of edge.routes) {
      const fault = faults.get(route.id);
      const place = placeOf(route);
      if (fault) this.#unserved(route, fault.code);
      if (!place) continue;
      const map = place.match_type === "exact_path" ? "routes/exact" : "routes/prefix";
      // No name of a table has a slash, so the key is unambiguous.
      maps.line(edge.id, map, `/${encodedPath(place.path)}`, fault ? unserved(route) : this.#entry(route));
    }
  }

  /** Renders the tables that routes share. */
  finish(): void {
    this.#breakers.finish();
  }

  /** Reports a route whose match is a problem, unless the snapshot does: an older service does not know the problem. */
  #unserved({ id, backend }: Route, code: keyof typeof problemCodes): void {
    if (backend) this.#shared.output.problem(id, code, problemCodes[code]);
  }

  #entry(route: Route): Entry {
    const { output, restrictions, policies } = this.#shared;
    if (!route.backend || output.settings.rejected.has(route.id)) return unserved(route);
    const policy = policies.of(route);
    const userAgents = userAgentLines(route, output);
    const headers = headerLines(route.id, route, output);
    if (!policy || !userAgents || !headers) return unserved(route);
    const modules = [
      ...userAgents,
      ...policy.before,
      ...circuitBreakerLines(route, this.#breakers),
      ...(route.compression ? COMPRESSION : []),
      ...headers,
      ...policy.after,
    ];
    return entryOf(
      route.id,
      restrictions.of(route.ip_restriction),
      this.#target(route, route.backend.backend_id, modules),
    );
  }

  #target(route: Route, backendId: string, modules: readonly string[]): Target {
    const { output, maps, upstreams, later } = this.#shared;
    if (!route.websocket_tcp_converter) return upstreams.target("http", backendId, modules);
    const section = `ws_${route.id}`;
    const target = upstreams.target("tcp", backendId);
    later(() => {
      const server = websocketServer(route.id, target, upstreams.mostTiers, output, maps);
      output.section("backend", section, ["mode http", ...modules, server]);
    });
    return { section };
  }
}

const COMPRESSION = [
  "compression algo gzip deflate",
  "compression type text/html text/plain text/css text/csv text/xml text/javascript application/javascript application/json application/problem+json application/ld+json application/xml application/rss+xml application/atom+xml application/wasm image/svg+xml font/ttf font/otf",
];
