import { allowedNetworks } from "../../packages/traffic/src/networks.ts";
import type {
  Backend,
  Edge,
  IpRestriction,
  Problem,
  Route,
  Snapshot,
} from "../../packages/traffic/src/snapshot.ts";
import { isIpv4 } from "../values/ip.ts";

/** Why a part of a snapshot is not in the configuration for Traefik. */
export const TRAEFIK_PROBLEMS = [
  "not_in_traefik_circuit_breaker",
  "not_in_traefik_failover",
  "not_in_traefik_fixed_response",
  "not_in_traefik_headers",
  "not_in_traefik_ip_address_host",
  "not_in_traefik_missing_reference",
  "not_in_traefik_path",
  "not_in_traefik_size",
  "not_in_traefik_traffic_policy",
  "not_in_traefik_user_agent_filter",
  "not_in_traefik_websocket_tcp_converter",
] as const;

interface Reason {
  code: (typeof TRAEFIK_PROBLEMS)[number];
  msg: string;
}

/** The members of Traefik's dynamic configuration that are used here. No map and no list in it is empty. */
export interface TraefikConfiguration {
  http?: {
    routers?: Record<string, HttpRouter>;
    services?: Record<string, HttpService>;
    middlewares?: Record<string, HttpMiddleware>;
    serversTransports?: Record<string, { serverName: string }>;
  };
  tcp?: {
    routers?: Record<string, TcpRouter>;
    services?: Record<string, TcpService>;
    middlewares?: Record<string, TcpMiddleware>;
    serversTransports?: Record<string, { tls: { serverName: string } }>;
  };
  tls?: { options?: Record<string, TlsOptions> };
}
interface Router {
  entryPoints: string[];
  rule: string;
  service: string;
  middlewares?: string[];
}
interface HttpRouter extends Router {
  priority: number;
  tls: { options: string };
}
interface TcpRouter extends Router {
  tls?: { passthrough: true } | { options: string };
}
interface Weighted {
  weighted: { services: { name: string; weight: number }[] };
}
type HttpService = Weighted | { loadBalancer: { servers: { url: string }[]; serversTransport?: string } };
type TcpService =
  | Weighted
  | { loadBalancer: { servers: { address: string; tls?: boolean }[]; serversTransport?: string } };
type HttpMiddleware =
  | { ipAllowList: { sourceRange: string[]; rejectStatusCode?: number } }
  | { compress: Record<string, never> }
  | { headers: Record<string, Record<string, string>> };
interface TcpMiddleware {
  ipAllowList: { sourceRange: string[] };
}
interface TlsOptions {
  minVersion: string;
  alpnProtocols?: string[];
  clientAuth?: { caFiles: string[]; clientAuthType: "RequireAndVerifyClientCert" };
}

/** Networks in one list. A few denials inside a large network make many. */
const NETWORKS = 20_000;
/** Characters of rules that are read, of networks and of certificates that are written. Traefik waits 5 seconds for it all. */
const CHARACTERS = 4_000_000;

/** An empty list is an error to Traefik. No client has this address (RFC 1122 §3.2.1.3). */
const NOBODY = "255.255.255.255/32";

/** Traefik's own service that always exists; what precedes it here lets nobody through. */
const NOOP = "noop@internal";

/** A router's priority: an exact path, then the longest prefix, then what closes an edge. A path has at most 512 bytes. */
const EXACT = 10_000;
const CLOSING = 1;

const TLS_VERSIONS = {
  "1.0": "VersionTLS10",
  "1.1": "VersionTLS11",
  "1.2": "VersionTLS12",
  "1.3": "VersionTLS13",
} as const;

/** Traefik reads the body as YAML, where other characters are refused or folded: one of them and all of it is dropped. */
const PLAIN = /^[ -~]*$/;
/** Keys of YAML end at 1024 characters. */
const KEY_CHARACTERS = 256;

/**
 * A dynamic configuration for the HTTP provider of Traefik v3, and what of `snapshot` is not in it (problems of the snapshot
 * itself are not repeated). What Traefik cannot enforce is left out: an edge as a whole, or a route, which then answers 503
 * to whatever it matches. Traefik drops the whole body for one unknown member or one empty map.
 *
 * Entry points belong to Traefik's static configuration. Routers name them `edge-<port>`, which listens on all addresses,
 * and for a TCP edge on an IP address `edge-<port>-<address>`, its dots and colons replaced by hyphens:
 * `edge-5432-192-0-2-1`. Certificates of servers are the operator's, in another provider. The default rule syntax must be
 * v3's, `sanitizePath` on, and no entry point may replace sources (`proxyProtocol`) that it cannot trust.
 *
 * @see https://doc.traefik.io/traefik/reference/routing-configuration/http/routing/rules-and-priority/
 */
export function toTraefik(snapshot: Snapshot): { configuration: TraefikConfiguration; problems: Problem[] } {
  const draft = new Draft(snapshot);
  for (const edge of snapshot.edges) {
    if (edge.kind === "https") addHttpsEdge(draft, edge);
    else addTcpEdge(draft, edge);
  }
  return { configuration: draft.configuration(), problems: draft.sortedProblems() };
}

/** The configuration while it is made. */
class Draft {
  readonly snapshot: Snapshot;
  readonly http = {
    routers: new Map<string, HttpRouter>(),
    services: new Map<string, HttpService>(),
    middlewares: new Map<string, HttpMiddleware>(),
    serversTransports: new Map<string, { serverName: string }>(),
  };
  readonly tcp = {
    routers: new Map<string, TcpRouter>(),
    services: new Map<string, TcpService>(),
    middlewares: new Map<string, TcpMiddleware>(),
    serversTransports: new Map<string, { tls: { serverName: string } }>(),
  };
  readonly options = new Map<string, TlsOptions>();
  /** By the policies of a restriction. */
  readonly #allowed = new Map<string, { name: string; networks: string[] | undefined }>();
  readonly #problems = new Map<string, Problem>();
  #characters = CHARACTERS;

  constructor(snapshot: Snapshot) {
    this.snapshot = snapshot;
  }

  leaveOut(object: string, reasons: Reason[]): void {
    for (const { code, msg } of reasons) {
      const key = `${object} ${code}`;
      if (!this.#problems.has(key)) this.#problems.set(key, { object, code, msg });
    }
  }

  /** Takes a number of characters of those that remain; false when they are too few. */
  take(characters: number): boolean {
    if (characters > this.#characters) return false;
    this.#characters -= characters;
    return true;
  }

  /** The sources that a restriction lets in, under the name of their list; none are undefined when there are too many. */
  allowed(
    object: string,
    { ip_policy_ids }: IpRestriction,
  ): { name: string; networks: string[] | undefined } {
    const ids = [...new Set(ip_policy_ids)].toSorted();
    const key = ids.join(" ");
    const known = this.#allowed.get(key);
    if (known) return known;
    const made = { name: `${object}-sources`, networks: this.#networks(ids) };
    this.#allowed.set(key, made);
    return made;
  }

  #networks(ids: string[]): string[] | undefined {
    const policies = ids.flatMap((id) => this.snapshot.ip_policies[id] ?? []);
    const allow = policies.flatMap((policy) => policy.allow);
    const deny = policies.flatMap((policy) => policy.deny);
    if (!this.take(characters(allow) + characters(deny))) return undefined;
    const networks = allowedNetworks({ allow, deny }, NETWORKS);
    if (networks === undefined || !this.take(characters(networks))) return undefined;
    return networks.length === 0 ? [NOBODY] : networks;
  }

  configuration(): TraefikConfiguration {
    return withoutEmpty({
      http: withoutEmpty({
        routers: fromMap(this.http.routers),
        services: fromMap(this.http.services),
        middlewares: fromMap(this.http.middlewares),
        serversTransports: fromMap(this.http.serversTransports),
      }),
      tcp: withoutEmpty({
        routers: fromMap(this.tcp.routers),
        services: fromMap(this.tcp.services),
        middlewares: fromMap(this.tcp.middlewares),
        serversTransports: fromMap(this.tcp.serversTransports),
      }),
      tls: withoutEmpty({ options: fromMap(this.options) }),
    });
  }

  sortedProblems(): Problem[] {
    return [...this.#problems.values()].toSorted(
      (a, b) => compare(a.object, b.object) || compare(a.code, b.code),
    );
  }
}

const compare = (a: string, b: string): number => (a < b ? -1 : Number(a > b));
const characters = (texts: string[]): number => texts.reduce((sum, text) => sum + text.length, 0);
const fromMap = <T>(map: Map<string, T>): Record<string, T> => Object.fromEntries(map);

/** Without the members that have none themselves. */
function withoutEmpty<T extends Record<string, object>>(members: T): Partial<T> {
  const kept: Partial<T> = { ...members };
  for (const name in members) if (Object.keys(members[name] ?? {}).length === 0) delete kept[name];
  return kept;
}

/** The hosts of an edge by the entry point that they are served on. */
type Places = Map<string, string[]>;

function splitHostport(hostport: string): { host: string; port: string } {
  const colon = hostport.lastIndexOf(":");
  return { host: hostport.slice(0, colon).replace(/^\[(.*)\]$/, "$1"), port: hostport.slice(colon + 1) };
}

const isIpAddress = (host: string): boolean => host.includes(":") || isIpv4(host);

function placesOf(hostports: string[]): Places {
  const places: Places = new Map();
  for (const hostport of hostports) {
    const { host, port } = splitHostport(hostport);
    const entryPoint = isIpAddress(host) ? `edge-${port}-${host.replaceAll(/[.:]/g, "-")}` : `edge-${port}`;
    places.set(entryPoint, [...(places.get(entryPoint) ?? []), host]);
  }
  return places;
}

/** The places of an edge that is chosen by SNI, which is never an IP address: those of its names. */
function namedPlaces(draft: Draft, edge: Edge): Places {
  const isNamed = (hostport: string): boolean => !isIpAddress(splitHostport(hostport).host);
  const addresses = edge.hostports.filter((hostport) => !isNamed(hostport));
  if (addresses.length > 0) {
    draft.leaveOut(edge.id, [
      {
        code: "not_in_traefik_ip_address_host",
        msg: `Clients send no SNI for an IP address, and Traefik chooses TLS options by SNI alone: not served on ${addresses.join(", ")}.`,
      },
    ]);
  }
  return placesOf(edge.hostports.filter(isNamed));
}

/** A string of Go, as rules have them. */
const quoted = (text: string): string => (text.includes("`") ? JSON.stringify(text) : `\`${text}\``);

/** `Host(…) || Host(…)`, in parentheses. */
const anyOf = (matcher: string, hosts: string[]): string =>
  `(${hosts.map((host) => `${matcher}(${quoted(host)})`).join(" || ")})`;

function addTcpEdge(draft: Draft, edge: Extract<Edge, { kind: "tcp" | "tls" }>): void {
  const places = edge.kind === "tls" ? namedPlaces(draft, edge) : placesOf(edge.hostports);
  if (places.size === 0) return;
  const reasons = [
    ...trafficPolicyReasons(edge),
    ...backendReasons(draft, edge.backend.backend_id),
    ...restrictionReasons(draft, edge),
    ...(edge.kind === "tls" ? addTlsOptions(draft, edge) : []),
  ];
  if (reasons.length > 0) {
    draft.options.delete(edge.id);
    draft.leaveOut(edge.id, reasons);
    return;
  }
  const service = addTcpService(draft, edge.backend.backend_id);
  const middlewares: string[] = [];
  if (edge.ip_restriction) {
    const { name, networks } = draft.allowed(edge.id, edge.ip_restriction);
    draft.tcp.middlewares.set(name, { ipAllowList: { sourceRange: networks ?? [NOBODY] } });
    middlewares.push(name);
  }
  for (const [entryPoint, hosts] of places) {
    draft.tcp.routers.set(`${edge.id}-${entryPoint}`, {
      entryPoints: [entryPoint],
      rule: edge.kind === "tls" ? anyOf("HostSNI", hosts) : "HostSNI(`*`)",
      service,
      ...(middlewares.length > 0 && { middlewares }),
      ...(edge.kind === "tls" && {
        tls: edge.tls_termination ? { options: edge.id } : { passthrough: true as const },
      }),
    });
  }
}

function addHttpsEdge(draft: Draft, edge: Extract<Edge, { kind: "https" }>): void {
  const places = namedPlaces(draft, edge);
  if (places.size === 0) return;
  const reasons = [...uncoveredPaths(edge.routes), ...addTlsOptions(draft, edge)];
  if (reasons.length > 0) {
    draft.options.delete(edge.id);
    draft.leaveOut(edge.id, reasons);
    return;
  }
  const tls = { options: edge.id };
  for (const [entryPoint, hosts] of places) {
    // Without a router of its own, an edge that has no route would be answered under other TLS options.
    draft.http.routers.set(`${edge.id}-${entryPoint}`, {
      entryPoints: [entryPoint],
      rule: anyOf("Host", hosts),
      priority: CLOSING,
      ...refusing(draft, 404),
      tls,
    });
  }
  for (const route of edge.routes) {
    const way = wayOf(draft, route);
    if (way === undefined) continue;
    for (const [entryPoint, hosts] of places) {
      draft.http.routers.set(`${route.id}-${entryPoint}`, {
        entryPoints: [entryPoint],
        rule: `${anyOf("Host", hosts)} && ${route.match_type === "exact_path" ? "Path" : "PathPrefix"}(${quoted(route.match)})`,
        priority: route.match_type === "exact_path" ? EXACT : CLOSING + route.match.length,
        ...way,
        tls,
      });
    }
  }
}

/** Where the requests of a route go, and through what; 503 for what cannot be served. Undefined without a rule for them. */
function wayOf(draft: Draft, route: Route): { service: string; middlewares?: string[] } | undefined {
  if (!isPlainPath(route)) {
    draft.leaveOut(route.id, [pathReason(route)]);
    return undefined;
  }
  const reasons = routeReasons(draft, route);
  draft.leaveOut(route.id, reasons);
  if (reasons.length > 0 || route.backend === undefined) return refusing(draft, 503);
  const middlewares = addMiddlewares(draft, route);
  const service = addHttpService(draft, route.backend.backend_id);
  return { service, ...(middlewares.length > 0 && { middlewares }) };
}

/** Answers every request with a status. */
function refusing(draft: Draft, status: 404 | 503): { service: string; middlewares: string[] } {
  const name = `answer-${status}`;
  draft.http.middlewares.set(name, { ipAllowList: { sourceRange: [NOBODY], rejectStatusCode: status } });
  return { service: NOOP, middlewares: [name] };
}

/** The first is the first to see a request, and the last to see its response. */
function addMiddlewares(draft: Draft, route: Route): string[] {
  const names: string[] = [];
  const add = (name: string, middleware: HttpMiddleware): void => {
    draft.http.middlewares.set(name, middleware);
    names.push(name);
  };
  if (route.ip_restriction) {
    const { name, networks } = draft.allowed(route.id, route.ip_restriction);
    add(name, { ipAllowList: { sourceRange: networks ?? [NOBODY] } });
  }
  if (route.compression) add(`${route.id}-compression`, { compress: {} });
  const headers = withoutEmpty({
    customRequestHeaders: changesOf(route.request_headers),
    customResponseHeaders: changesOf(route.response_headers),
  });
  if (Object.keys(headers).length > 0) add(`${route.id}-headers`, { headers });
  return names;
}

type HeaderChanges = NonNullable<Route["request_headers"]>;

/** Headers are removed, then added: an empty value removes. */
function changesOf(changes: HeaderChanges | undefined): Record<string, string> {
  const added = Object.entries(changes?.add ?? {});
  const names = new Set(added.map(([name]) => name.toLowerCase()));
  const removed = new Map<string, string>();
  for (const name of changes?.remove ?? [])
    if (!names.has(name.toLowerCase())) removed.set(name.toLowerCase(), "");
  // Not by assignment, which would lose a header named `__proto__`.
  return Object.fromEntries([...removed, ...added]);
}

/** The TLS options of an edge, named after it: Traefik then answers 421 when Host and SNI name different edges. */
function addTlsOptions(draft: Draft, edge: Extract<Edge, { kind: "tls" | "https" }>): Reason[] {
  if (edge.tls_termination === undefined) return [];
  const ids = edge.mutual_tls?.certificate_authority_ids ?? [];
  const caFiles = ids.flatMap((id) => draft.snapshot.certificate_authorities[id] ?? []);
  if (caFiles.length < ids.length || (edge.mutual_tls && ids.length === 0)) {
    return [missing("A certificate authority of mutual TLS")];
  }
  if (!draft.take(characters(caFiles))) return [tooLarge("certificate authorities")];
  draft.options.set(edge.id, {
    minVersion: TLS_VERSIONS[edge.tls_termination.min_version],
    // Traefik offers HTTP/2 otherwise, which an upstream that is sent the bytes need not speak.
    ...(edge.kind === "tls" && { alpnProtocols: ["http/1.1"] }),
    ...(edge.mutual_tls && {
      clientAuth: { caFiles, clientAuthType: "RequireAndVerifyClientCert" as const },
    }),
  });
  return [];
}

/** Adds a backend and all that it leads to; the name of its service. */
function addHttpService(draft: Draft, id: string): string {
  const { services, serversTransports } = draft.http;
  return addService(draft, id, services, addHttpService, ({ address, tls }) => {
    const servers = [{ url: `${tls ? "https" : "http"}://${address}` }];
    if (!tls) return { loadBalancer: { servers } };
    serversTransports.set(id, { serverName: serverName(address) });
    return { loadBalancer: { servers, serversTransport: id } };
  });
}

/** Adds a backend and all that it leads to; the name of its service. */
function addTcpService(draft: Draft, id: string): string {
  const { services, serversTransports } = draft.tcp;
  return addService(draft, id, services, addTcpService, ({ address, tls }) => {
    if (!tls) return { loadBalancer: { servers: [{ address }] } };
    serversTransports.set(id, { tls: { serverName: serverName(address) } });
    return { loadBalancer: { servers: [{ address, tls }], serversTransport: id } };
  });
}

function addService<T>(
  draft: Draft,
  id: string,
  services: Map<string, T | Weighted>,
  add: (draft: Draft, id: string) => string,
  leaf: (backend: Extract<Backend, { kind: "static" }>) => T,
): string {
  const backend = draft.snapshot.backends[id];
  if (backend?.kind === "failover") return add(draft, backend.backends[0] ?? "");
  if (services.has(id)) return id;
  if (backend?.kind === "static") services.set(id, leaf(backend));
  if (backend?.kind === "weighted") {
    const children = weightsOf(backend).map(([child, weight]) => ({ name: add(draft, child), weight }));
    services.set(id, { weighted: { services: children } });
  }
  return id;
}

/** The host of an upstream, as it is verified and sent as SNI. Named always: what Traefik does by default is the operator's. */
const serverName = (address: string): string => splitHostport(address).host.replace(/\.$/, "");

const weightsOf = (backend: Extract<Backend, { kind: "weighted" }>): [string, number][] =>
  Object.entries(backend.backends).filter(([, weight]) => weight > 0);

function backendReasons(draft: Draft, id: string): Reason[] {
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

const missing = (what: string): Reason => ({
  code: "not_in_traefik_missing_reference",
  msg: `${what} is missing.`,
});

function routeReasons(draft: Draft, route: Route): Reason[] {
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
      msg: "One expression that Traefik does not accept would open the route to a shorter one's rule.",
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

function trafficPolicyReasons({ traffic_policy }: Pick<Route, "traffic_policy">): Reason[] {
  if (!traffic_policy) return [];
  return [{ code: "not_in_traefik_traffic_policy", msg: "Traefik does not interpret traffic policies." }];
}

function restrictionReasons(draft: Draft, object: Pick<Route, "id" | "ip_restriction">): Reason[] {
  if (!object.ip_restriction) return [];
  const { networks } = draft.allowed(object.id, object.ip_restriction);
  return networks
    ? []
    : [tooLarge(`allowed networks without the denied ones (at most ${NETWORKS} in a list)`)];
}

const tooLarge = (what: string): Reason => ({
  code: "not_in_traefik_size",
  msg: `The configuration would grow too large: too many ${what}.`,
});

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
function isPlainPath({ match, match_type }: Pick<Route, "match" | "match_type">): boolean {
  // The start of a segment may be a dot: /.well-known has the prefix /. too.
  const segments = match_type === "exact_path" ? match.replace(/\/?$/, "/") : match;
  return PLAIN.test(match) && !match.includes("%") && !/\/\.{0,2}\//.test(segments);
}

const pathReason = ({ match }: Route): Reason => ({
  code: "not_in_traefik_path",
  msg: `Traefik decodes and cleans paths before it matches them; it cannot match ${JSON.stringify(match)}.`,
});

/** Routes without a rule whose requests a shorter route would take. */
const uncoveredPaths = (routes: Route[]): Reason[] =>
  routes
    .filter((route) => !isPlainPath(route))
    .filter(({ match }) =>
      routes.some(
        (other) => other.match_type === "path_prefix" && isPlainPath(other) && match.startsWith(other.match),
      ),
    )
    .map(pathReason);
