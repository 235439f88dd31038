import type { Route } from "../../../packages/traffic/src/snapshot.ts";
import { type Draft, NETWORKS, type Reason, weightsOf } from "./draft.ts";

/*
 * Reasons why Traefik cannot enforce a setting.
 */

/** Traefik reads the body as YAML, which rejects or folds other characters. A single one makes Traefik drop the whole body. */
const PLAIN = /^[ -~]*$/;
/** YAML keys are limited to 1024 characters. */
const KEY_CHARACTERS = 256;

export function backendReasons(draft: Draft, id: string): Reason[] {
  const backend = draft.snapshot.backends[id];
  if (backend === undefined) return [missing(`The backend ${id}`)];
  if (backend.kind === "static") return [];
  if (backend.kind === "http_response") {
    return [{ code: "not_in_traefik_fixed_response", msg: `Traefik has no fixed responses, as ${id} is.` }];
  }
  if (backend.kind === "weighted") {
    const weights = weightsOf(backend);
    if (weights.length === 0) return [missing(`A weight above 0 in ${id}`)];
    return weights.flatMap(([child]) => backendReasons(draft, child));
  }
  const [first, ...others] = backend.backends;
  // Traefik leaves a server only when checks of a path or a status say so, not when it cannot connect.
  if (first === undefined || others.length > 0) {
    return [{ code: "not_in_traefik_failover", msg: `Traefik cannot try the backends of ${id} in order.` }];
  }
  return backendReasons(draft, first);
}

export const missing = (what: string): Reason => ({
  code: "not_in_traefik_missing_reference",
  msg: `${what} is missing.`,
});

export function routeReasons(draft: Draft, route: Route): Reason[] {
  const reasons = [...trafficPolicyReasons(route)];
  if (route.circuit_breaker) {
    reasons.push({
      code: "not_in_traefik_circuit_breaker",
      msg: "Traefik's circuit breaker has neither a rolling window nor a volume threshold.",
    });
  }
  if (route.user_agent_filter) {
    reasons.push({
      code: "not_in_traefik_user_agent_filter",
      msg: "If Traefik rejected one expression, a shorter route would receive the requests without the filter.",
    });
  }
  if (route.websocket_tcp_converter) {
    reasons.push({
      code: "not_in_traefik_websocket_tcp_converter",
      msg: "Traefik does not convert WebSocket messages to TCP.",
    });
  }
  reasons.push(
    ...headerReasons("request", route.request_headers),
    ...headerReasons("response", route.response_headers),
    ...restrictionReasons(draft, route),
    ...(route.backend ? backendReasons(draft, route.backend.backend_id) : []),
  );
  return reasons;
}

export function trafficPolicyReasons({ traffic_policy }: Pick<Route, "traffic_policy">): Reason[] {
  if (!traffic_policy) return [];
  return [{ code: "not_in_traefik_traffic_policy", msg: "Traefik does not interpret traffic policies." }];
}

export function restrictionReasons(draft: Draft, object: Pick<Route, "id" | "ip_restriction">): Reason[] {
  if (!object.ip_restriction) return [];
  const { networks } = draft.allowed(object.id, object.ip_restriction);
  return networks
    ? []
    : [tooLarge(`allowed networks without the denied ones (at most ${NETWORKS} in a list)`)];
}

export const tooLarge = (what: string): Reason => ({
  code: "not_in_traefik_size",
  msg: `The configuration would be too large: too many ${what}.`,
});

export type HeaderChanges = NonNullable<Route["request_headers"]>;

/** Headers that Traefik, or the HTTP server that it is built on, writes itself after all changes. */
const OWN_HEADERS = {
  request:
    /^(connection|content-length|expect|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade|x-forwarded-for)$/i,
  response: /^(connection|content-length|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade)$/i,
};
/** Headers that come back when they are removed. */
const LASTING_HEADERS = { request: /^host$/i, response: /^date$/i };

function headerReasons(of: "request" | "response", changes: HeaderChanges | undefined): Reason[] {
  const wrong = [...wrongAdditions(of, changes?.add ?? {}), ...wrongRemovals(of, changes?.remove ?? [])];
  const [first] = wrong;
  return first === undefined ? [] : [{ code: "not_in_traefik_headers", msg: `${of} headers: ${first}` }];
}

const wrongName = (of: "request" | "response", name: string): boolean =>
  OWN_HEADERS[of].test(name) || name.length > KEY_CHARACTERS;

function wrongAdditions(of: "request" | "response", add: Record<string, string>): string[] {
  return Object.entries(add).flatMap(([name, value]) => {
    if (wrongName(of, name)) return [`Traefik cannot set ${name}.`];
    if (value === "") return [`an empty value, as of ${name}, removes the header in Traefik.`];
    return PLAIN.test(value) ? [] : [`the value of ${name} is not all printable ASCII.`];
  });
}

const wrongRemovals = (of: "request" | "response", remove: string[]): string[] =>
  remove.flatMap((name) =>
    wrongName(of, name) || LASTING_HEADERS[of].test(name) ? [`Traefik cannot remove ${name}.`] : [],
  );

/**
 * True for a path that requests have when Traefik matches them: it decodes percent-encoding, and removes dots and doubled
 * slashes, so that no rule tells apart what is written otherwise.
 */
export function isPlainPath({ match, match_type }: Pick<Route, "match" | "match_type">): boolean {
  // The start of a segment may be a dot: /.well-known has the prefix /. too.
  const segments = match_type === "exact_path" ? match.replace(/\/?$/, "/") : match;
  return PLAIN.test(match) && !match.includes("%") && !/\/\.{0,2}\//.test(segments);
}

export const pathReason = ({ match }: Route): Reason => ({
  code: "not_in_traefik_path",
  msg: `Traefik decodes and cleans paths before it matches them; it cannot match ${JSON.stringify(match)}.`,
});

/** Routes without a rule whose requests a shorter route would take. */
export const uncoveredPaths = (routes: Route[]): Reason[] =>
  routes
    .filter((route) => !isPlainPath(route))
    .filter(({ match }) =>
      routes.some(
        (other) => other.match_type === "path_prefix" && isPlainPath(other) && match.startsWith(other.match),
      ),
    )
    .map(pathReason);
