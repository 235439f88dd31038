import { hasLimit } from "../../../model/src/traffic/objections.ts";
import { encodedPath, matchProblems, placeOf } from "../../../model/src/traffic/paths.ts";
import { problemCodes } from "../../../model/src/traffic/problems.ts";
import type { Edge, Route } from "../../../model/src/traffic/snapshot.ts";
import { rejectingFor } from "../base/rules.ts";
import { circuitBreakerLines } from "./circuit_breaker.ts";
import { headerLines } from "./headers.ts";
import { countedRule } from "./https.ts";
import { ENDED, type MapEntry, keyOfLine } from "./layout.ts";
import { entryOf } from "./maps.ts";
import type { Output } from "./output.ts";
import type { ForwardTarget } from "./parts.ts";
import { policyLines } from "./policies.ts";
import { OPEN, restrictionOf } from "./restriction.ts";
import { targetOf } from "./upstreams.ts";
import { userAgentLines } from "./user_agents.ts";
import { websocketSection } from "./websockets.ts";

type HttpsEdge = Extract<Edge, { kind: "https" }>;

/** A route that cannot be served responds with 503. A shorter route never replaces it. */
const unserved = ({ id }: Route): MapEntry => entryOf(id, OPEN, { section: "unserved" });

/** The lines of an edge's routes in its table. Adds the sections with their modules. */
export function routeLines({ routes }: HttpsEdge, output: Output): Map<string, MapEntry> {
  const lines = new Map<string, MapEntry>();
  const faults = matchProblems(routes);
  for (const route of routes) {
    const fault = faults.get(route.id);
    const place = placeOf(route);
    // The snapshot reports it too, unless it is from an older service.
    if (fault && route.backend) output.problem(route.id, fault.code, problemCodes[fault.code]);
    if (!place) continue;
    // No name of a table has a slash, so the key is unambiguous.
    const key = keyOfLine(
      place.match_type === "exact_path" ? "routes/exact" : "routes/prefix",
      `/${encodedPath(place.path)}`,
    );
    // The older route wins.
    const entry = fault ? unserved(route) : routeEntry(route, output);
    if (!lines.has(key)) lines.set(key, entry);
  }
  return lines;
}

function routeEntry(route: Route, output: Output): MapEntry {
  if (!route.backend || output.settings.rejected.has(route.id)) return unserved(route);
  const policy = policyLines(route, output);
  const userAgents = userAgentLines(route, output);
  const headers = headerLines(route.id, route, output);
  if (!policy || !userAgents || !headers) return unserved(route);
  const isCounted = route.circuit_breaker !== undefined || hasLimit(route.traffic_policy?.program);
  const modules = [
    ...(isCounted ? [countedRule(output.path(ENDED))] : []),
    ...rejectingFor("http-request", "user_agent_filter", userAgents),
    ...policy.before,
    ...rejectingFor("http-request", "circuit_breaker", circuitBreakerLines(route, output)),
    ...(route.compression ? COMPRESSION : []),
    ...headers,
    ...policy.after,
  ];
  return entryOf(
    route.id,
    restrictionOf(route.ip_restriction, output),
    routeTarget(route, route.backend.backend_id, modules, output),
  );
}

function routeTarget(
  { id, websocket_tcp_converter }: Route,
  backendId: string,
  modules: readonly string[],
  output: Output,
): ForwardTarget {
  if (!websocket_tcp_converter) return targetOf("http", backendId, output, modules);
  const target = targetOf("tcp", backendId, output);
  output.add({ is: "websocket", websocket: { route: id, target, modules } });
  return { section: websocketSection(id) };
}

const COMPRESSION = [
  "compression algo gzip deflate",
  "compression type text/html text/plain text/css text/csv text/xml text/javascript application/javascript application/json application/problem+json application/ld+json application/xml application/rss+xml application/atom+xml application/wasm image/svg+xml font/ttf font/otf",
];
