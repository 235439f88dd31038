import { type Match, placeOf } from "../../../packages/model/src/traffic/paths.ts";
import type { Route } from "../../../packages/model/src/traffic/snapshot.ts";
import { type Draft, NETWORKS, reason, type TraefikReason, weightsOf } from "./draft.ts";

/*
 * Reasons why Traefik cannot enforce a setting.
 */

/** Traefik reads the body as YAML, which rejects or folds all other characters. One of them makes Traefik drop the whole body. */
const PLAIN = /^[ -~]*$/;
/** YAML keys are limited to 1024 characters. */
const KEY_CHARACTERS = 256;

/** Reasons why Traefik cannot use a backend. */
export function backendReasons(draft: Draft, id: string): TraefikReason[] {
  const backend = draft.snapshot.backends[id];
  if (backend === undefined) return [missing(`The backend ${id}`)];
  if (backend.kind === "static") return [];
  if (backend.kind === "http_response")
    return [
      reason("not_in_traefik_fixed_response", `${id} is a fixed response, which Traefik does not support.`),
    ];
  if (backend.kind === "weighted") {
    const weights = weightsOf(backend);
    if (weights.length === 0) return [missing(`A weight above 0 in ${id}`)];
    return weights.flatMap(([child]) => backendReasons(draft, child));
  }
  const [first, ...others] = backend.backends;
  // Traefik switches to the next server only if health checks of a path or a status fail, not if a connection fails.
  if (first === undefined || others.length > 0)
    return [reason("not_in_traefik_failover", `Traefik cannot try the backends of ${id} in order.`)];
  return backendReasons(draft, first);
}

/** A missing reference. @param subject starts the sentence */
export const missing = (subject: string): TraefikReason =>
  reason("not_in_traefik_missing_reference", `${subject} is missing.`);

/** Reasons why Traefik cannot serve a route. */
export function routeReasons(draft: Draft, route: Route): TraefikReason[] {
  return [
    ...trafficPolicyReasons(route),
    ...(route.circuit_breaker ? [CIRCUIT_BREAKER] : []),
    ...(route.user_agent_filter ? [USER_AGENT_FILTER] : []),
    ...(route.websocket_tcp_converter ? [WEBSOCKET_TCP_CONVERTER] : []),
    ...headerReasons("request", route.request_headers),
    ...headerReasons("response", route.response_headers),
    ...restrictionReasons(draft, route),
    ...(route.backend ? backendReasons(draft, route.backend.backend_id) : []),
  ];
}

const CIRCUIT_BREAKER = reason(
  "not_in_traefik_circuit_breaker",
  "Traefik's circuit breaker has neither a rolling window nor a volume threshold.",
);
const USER_AGENT_FILTER = reason(
  "not_in_traefik_user_agent_filter",
  "If Traefik rejected one expression, a shorter route would receive the requests without the filter.",
);
const WEBSOCKET_TCP_CONVERTER = reason(
  "not_in_traefik_websocket_tcp_converter",
  "Traefik does not convert WebSocket messages to TCP.",
);

/** The reason why Traefik cannot enforce a traffic policy. */
export function trafficPolicyReasons({ traffic_policy }: Pick<Route, "traffic_policy">): TraefikReason[] {
  return traffic_policy
    ? [reason("not_in_traefik_traffic_policy", "Traefik does not interpret traffic policies.")]
    : [];
}

/** The reason why Traefik cannot enforce an IP restriction. */
export function restrictionReasons(
  draft: Draft,
  object: Pick<Route, "id" | "ip_restriction">,
): TraefikReason[] {
  if (!object.ip_restriction) return [];
  const { networks } = draft.allowed(object.id, object.ip_restriction);
  return networks
    ? []
    : [tooLarge(`allowed networks without the denied ones (at most ${NETWORKS} in a list)`)];
}

/** A part that is too large. @param items the noun after "too many" */
export const tooLarge = (items: string): TraefikReason =>
  reason("not_in_traefik_size", `The configuration would be too large: too many ${items}.`);

export type RouteHeaders = NonNullable<Route["request_headers"]>;

/** Headers that Traefik, or the HTTP server that it is built on, sets after all changes. */
const OWN_HEADERS = {
  request:
    /^(connection|content-length|expect|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade|x-forwarded-for)$/i,
  response: /^(connection|content-length|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade)$/i,
};
/** Headers that Traefik sets again after they were removed. */
const LASTING_HEADERS = { request: /^host$/i, response: /^date$/i };

function headerReasons(of: "request" | "response", changes: RouteHeaders | undefined): TraefikReason[] {
  const [first] = [...wrongAdditions(of, changes?.add ?? {}), ...wrongRemovals(of, changes?.remove ?? [])];
  return first === undefined ? [] : [reason("not_in_traefik_headers", `${of} headers: ${first}`)];
}

const wrongName = (of: "request" | "response", name: string): boolean =>
  OWN_HEADERS[of].test(name) || name.length > KEY_CHARACTERS;

function wrongAdditions(of: "request" | "response", add: Record<string, string>): string[] {
  return Object.entries(add).flatMap(([name, value]) => {
    if (wrongName(of, name)) return [`Traefik cannot set ${name}.`];
    if (value === "") return [`the value of ${name} is empty, which makes Traefik remove the header.`];
    return PLAIN.test(value) ? [] : [`the value of ${name} contains characters other than printable ASCII.`];
  });
}

const wrongRemovals = (of: "request" | "response", remove: string[]): string[] =>
  remove.flatMap((name) =>
    wrongName(of, name) || LASTING_HEADERS[of].test(name) ? [`Traefik cannot remove ${name}.`] : [],
  );

/**
 * The path of a route's rule; undefined if Traefik cannot match the route. Traefik decodes percent-encoding, and removes dot segments
 * and repeated slashes, before it matches a path, so its rules have readings. It reads a rule with an escape as another path.
 */
export function pathInTraefik(route: Match): string | undefined {
  const path = placeOf(route)?.path;
  return path !== undefined && PLAIN.test(path) && !path.includes("%") ? path : undefined;
}

/** The reason why a route gets no rule: {@link pathInTraefik} is undefined. */
export const pathReason = ({ match }: Route): TraefikReason =>
  reason(
    "not_in_traefik_path",
    `Traefik decodes and cleans paths before it matches them; it cannot match ${JSON.stringify(match)}.`,
  );

/** Reasons for routes that get no rule, so that a shorter route would receive their requests. */
export function uncoveredPaths(routes: Route[]): TraefikReason[] {
  const prefixes = routes
    .filter(({ match_type }) => match_type === "path_prefix")
    .flatMap((route) => pathInTraefik(route) ?? []);
  return routes
    .filter((route) => pathInTraefik(route) === undefined)
    .filter((route) => prefixes.some((prefix) => (placeOf(route)?.path ?? route.match).startsWith(prefix)))
    .map(pathReason);
}
