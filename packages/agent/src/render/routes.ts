import type { Edge, Route } from "../../../traffic/src/snapshot.ts";
import { circuitBreakerLines, CircuitBreakers } from "./circuit_breaker.ts";
import { headerLines } from "./headers.ts";
import { mapFile, type Output } from "./output.ts";
import { restricted } from "./restriction.ts";
import type { Choice, Upstreams } from "./upstreams.ts";
import { userAgentLines } from "./user_agents.ts";
import { websocketServer } from "./websockets.ts";

type HttpsEdge = Extract<Edge, { kind: "https" }>;

/** A route that cannot be served responds with 503. A shorter route never replaces it. */
const UNSERVED: Choice = ["unserved"];

/** Routes of HTTPS edges. Each has a `backend` section with its modules. Two maps lead from edge and path to the section. */
export class Routes {
  readonly #output: Output;
  readonly #upstreams: Upstreams;
  readonly #breakers: CircuitBreakers;
  readonly #byEdge = new Map<string, Choice[]>();
  readonly #exact: [string, string][] = [];
  readonly #prefix: [string, string][] = [];

  constructor(output: Output, upstreams: Upstreams) {
    this.#output = output;
    this.#upstreams = upstreams;
    this.#breakers = new CircuitBreakers(output);
  }

  /** The sections of an edge's routes. Renders them on first use. */
  of(edge: HttpsEdge): Choice[] {
    const known = this.#byEdge.get(edge.id);
    if (known) return known;
    const choices = edge.routes.map((route) => {
      const choice = this.#route(route);
      // An id has no slash and a path begins with one, so the key is unambiguous.
      const key = `${edge.id}${asSent(route.match)}`;
      (route.match_type === "exact_path" ? this.#exact : this.#prefix).push([key, choice[0]]);
      return choice;
    });
    this.#byEdge.set(edge.id, choices);
    return choices;
  }

  /** The paths of the maps from edge and path to section. The longest prefix wins. */
  maps(): { exact: string; prefix: string } {
    return { exact: this.#output.path("routes/exact"), prefix: this.#output.path("routes/prefix") };
  }

  /** Renders the maps, and the tables that routes share. */
  finish(): void {
    this.#output.file("routes/exact", mapFile(this.#exact));
    this.#output.file("routes/prefix", mapFile(this.#prefix));
    this.#breakers.finish();
  }

  #route(route: Route): Choice {
    const output = this.#output;
    if (!route.backend || output.settings.rejected.has(route.id)) return UNSERVED;
    if (route.traffic_policy && !output.settings.ignoreTrafficPolicies) {
      output.problem(
        route.id,
        "traffic_policy",
        "The route returns 503: this agent does not interpret its traffic_policy. Disable the module, or start the agent with --ignore-traffic-policies.",
      );
      return UNSERVED;
    }
    const userAgents = userAgentLines(route, output);
    const headers = headerLines(route.id, route, output);
    if (!userAgents || !headers) return UNSERVED;
    const lines = [
      "mode http",
      ...userAgents,
      ...circuitBreakerLines(route, this.#breakers),
      ...(route.compression ? COMPRESSION : []),
      ...headers,
    ];
    const { backend_id } = route.backend;
    const from = restricted("http", route.ip_restriction, output);
    if (!route.websocket_tcp_converter) return this.#upstreams.sections(route.id, backend_id, lines, from);
    const server = websocketServer(route.id, this.#upstreams.tcp(backend_id), output);
    output.section("backend", route.id, [...lines, server], from);
    return [route.id];
  }
}

/** A path as clients send it: non-ASCII characters are percent-encoded. */
const asSent = (path: string) =>
  path.replaceAll(/[^\u0021-\u007E]+/g, (text) => encodeURIComponent(text.toWellFormed()));

const COMPRESSION = [
  "compression algo gzip deflate",
  "compression type text/html text/plain text/css text/csv text/xml text/javascript application/javascript application/json application/problem+json application/ld+json application/xml application/rss+xml application/atom+xml application/wasm image/svg+xml font/ttf font/otf",
];
