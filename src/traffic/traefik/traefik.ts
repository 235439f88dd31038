import { judged, type JudgedProblem } from "../../../packages/model/src/traffic/problems.ts";
import type { Snapshot, Backend, Edge, Route } from "../../../packages/model/src/traffic/snapshot.ts";
import { isIpv4 } from "../../../packages/model/src/values/ip.ts";
import { characters, Draft, NOBODY, reason, type TraefikReason, weightsOf, withoutEmpty } from "./draft.ts";
import {
  backendReasons,
  type RouteHeaders,
  missing,
  pathInTraefik,
  pathReason,
  restrictionReasons,
  routeReasons,
  tooLarge,
  trafficPolicyReasons,
  uncoveredPaths,
} from "./reasons.ts";
import type { HttpMiddleware, TraefikConfiguration, Weighted } from "./types.ts";

/** A service that always exists in Traefik. A middleware in front of it rejects every request. */
const NOOP = "noop@internal";

/**
 * Priorities of routers: exact paths, then prefixes from long to short, then the router that rejects all other requests. A path
 * has at most 512 bytes.
 */
const EXACT = 10_000;
const FALLBACK = 1;

const TLS_VERSIONS = {
  "1.0": "VersionTLS10",
  "1.1": "VersionTLS11",
  "1.2": "VersionTLS12",
  "1.3": "VersionTLS13",
} as const;

/**
 * A dynamic configuration for the HTTP provider of Traefik v3, and the parts of `snapshot` that are not in it (problems of the
 * snapshot itself are not repeated). If Traefik cannot enforce a setting, the edge is left out, or the route responds with 503
 * to all requests that it matches. A single unknown field or empty map makes Traefik drop the whole body.
 *
 * Entry points are defined in Traefik's static configuration. Routers refer to `edge-<port>`, which listens on all addresses. For
 * a TCP edge on an IP address, they refer to `edge-<port>-<address>`, with hyphens in place of dots and colons:
 * `edge-5432-192-0-2-1`. The operator configures server certificates in another provider. The default rule syntax must be v3,
 * `sanitizePath` must be on, and `proxyProtocol` must only be on for entry points behind trusted proxies.
 *
 * @see https://doc.traefik.io/traefik/reference/routing-configuration/http/routing/rules-and-priority/
 */
export function toTraefik(snapshot: Snapshot): {
  configuration: TraefikConfiguration;
  problems: JudgedProblem[];
} {
  const draft = new Draft(snapshot);
  for (const edge of snapshot.edges) {
    if (edge.kind === "https") addHttpsEdge(draft, edge);
    else addTcpEdge(draft, edge);
  }
  const configuration = draft.configuration();
  const routers = [configuration.http, configuration.tcp].flatMap((part) => Object.keys(part?.routers ?? {}));
  const isServed = (edge: string): boolean => routers.some((name) => name.startsWith(`${edge}-`));
  return { configuration, problems: judged(draft.sortedProblems(), isServed) };
}

/** The hosts of an edge, by entry point. */
type Hosts = Map<string, string[]>;

function splitHostport(hostport: string): { host: string; port: string } {
  const colon = hostport.lastIndexOf(":");
  return { host: hostport.slice(0, colon).replace(/^\[(.*)\]$/, "$1"), port: hostport.slice(colon + 1) };
}

const isIpAddress = (host: string): boolean => host.includes(":") || isIpv4(host);

function hostsOf(hostports: string[]): Hosts {
  const byEntryPoint: Hosts = new Map();
  for (const hostport of hostports) {
    const { host, port } = splitHostport(hostport);
    const entryPoint = isIpAddress(host) ? `edge-${port}-${host.replaceAll(/[.:]/g, "-")}` : `edge-${port}`;
    byEntryPoint.set(entryPoint, [...(byEntryPoint.get(entryPoint) ?? []), host]);
  }
  return byEntryPoint;
}

/** The DNS names of an edge that is selected by SNI, which is never an IP address. */
function namesOf(draft: Draft, edge: Edge): Hosts {
  const isNamed = (hostport: string): boolean => !isIpAddress(splitHostport(hostport).host);
  const addresses = edge.hostports.filter((hostport) => !isNamed(hostport));
  if (addresses.length > 0) {
    draft.leaveOut(edge.id, [
      reason(
        "not_in_traefik_ip_address_host",
        `Not served on ${addresses.join(", ")}: Traefik selects TLS options by SNI, which clients do not send for an IP address.`,
      ),
    ]);
  }
  return hostsOf(edge.hostports.filter(isNamed));
}

/** A Go string literal, for rules. */
const quoted = (text: string): string => (text.includes("`") ? JSON.stringify(text) : `\`${text}\``);

/** `Host(…) || Host(…)`, in parentheses. */
const anyOf = (matcher: string, hosts: string[]): string =>
  `(${hosts.map((host) => `${matcher}(${quoted(host)})`).join(" || ")})`;

function addTcpEdge(draft: Draft, edge: Extract<Edge, { kind: "tcp" | "tls" }>): void {
  const hostsByEntryPoint = edge.kind === "tls" ? namesOf(draft, edge) : hostsOf(edge.hostports);
  if (hostsByEntryPoint.size === 0) return;
  const reasons = [
    ...trafficPolicyReasons(edge),
    ...backendReasons(draft, edge.backend.backend_id),
    ...restrictionReasons(draft, edge),
    ...(edge.kind === "tls" ? addTlsOptions(draft, edge) : []),
  ];
  if (reasons.length > 0) {
    delete draft.options[edge.id];
    draft.leaveOut(edge.id, reasons);
    return;
  }
  const service = addTcpService(draft, edge.backend.backend_id);
  const middlewares: string[] = [];
  if (edge.ip_restriction) {
    const { name, networks } = draft.allowed(edge.id, edge.ip_restriction);
    draft.tcp.middlewares[name] = { ipAllowList: { sourceRange: networks ?? [NOBODY] } };
    middlewares.push(name);
  }
  for (const [entryPoint, hosts] of hostsByEntryPoint) {
    draft.tcp.routers[`${edge.id}-${entryPoint}`] = {
      entryPoints: [entryPoint],
      rule: edge.kind === "tls" ? anyOf("HostSNI", hosts) : "HostSNI(`*`)",
      service,
      ...(middlewares.length > 0 && { middlewares }),
      ...(edge.kind === "tls" && {
        tls: edge.tls_termination ? { options: edge.id } : { passthrough: true as const },
      }),
    };
  }
}

function addHttpsEdge(draft: Draft, edge: Extract<Edge, { kind: "https" }>): void {
  const hostsByEntryPoint = namesOf(draft, edge);
  if (hostsByEntryPoint.size === 0) return;
  const reasons = [...uncoveredPaths(edge.routes), ...addTlsOptions(draft, edge)];
  if (reasons.length > 0) {
    delete draft.options[edge.id];
    draft.leaveOut(edge.id, reasons);
    return;
  }
  const tls = { options: edge.id };
  for (const [entryPoint, hosts] of hostsByEntryPoint) {
    // Without this router, Traefik would respond to requests that no route matches with the TLS options of another edge.
    draft.http.routers[`${edge.id}-${entryPoint}`] = {
      entryPoints: [entryPoint],
      rule: anyOf("Host", hosts),
      priority: FALLBACK,
      ...rejecting(draft, 404),
      tls,
    };
  }
  for (const route of edge.routes) {
    const path = pathInTraefik(route);
    if (path === undefined) {
      draft.leaveOut(route.id, [pathReason(route)]);
      continue;
    }
    const destination = destinationOf(draft, route);
    for (const [entryPoint, hosts] of hostsByEntryPoint) {
      draft.http.routers[`${route.id}-${entryPoint}`] = {
        entryPoints: [entryPoint],
        rule: `${anyOf("Host", hosts)} && ${route.match_type === "exact_path" ? "Path" : "PathPrefix"}(${quoted(path)})`,
        priority: route.match_type === "exact_path" ? EXACT : FALLBACK + path.length,
        ...destination,
        tls,
      };
    }
  }
}

/** The service and middlewares of a route; they respond with 503 if it cannot be served. */
function destinationOf(draft: Draft, route: Route): { service: string; middlewares?: string[] } {
  const reasons = routeReasons(draft, route);
  draft.leaveOut(route.id, reasons);
  if (reasons.length > 0 || route.backend === undefined) return rejecting(draft, 503);
  const middlewares = addMiddlewares(draft, route);
  const service = addHttpService(draft, route.backend.backend_id);
  return { service, ...(middlewares.length > 0 && { middlewares }) };
}

/** A service and a middleware that respond to every request with `status`. */
function rejecting(draft: Draft, status: 404 | 503): { service: string; middlewares: string[] } {
  const name = `answer-${status}`;
  draft.http.middlewares[name] = { ipAllowList: { sourceRange: [NOBODY], rejectStatusCode: status } };
  return { service: NOOP, middlewares: [name] };
}

/** Adds the middlewares of a route, and returns their names. The first one handles a request first, and its response last. */
function addMiddlewares(draft: Draft, route: Route): string[] {
  const names: string[] = [];
  const add = (name: string, middleware: HttpMiddleware): void => {
    draft.http.middlewares[name] = middleware;
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

/** Header changes as Traefik expects them: an empty value removes a header. A header that is both removed and added is added. */
function changesOf(changes: RouteHeaders | undefined): Record<string, string> {
  const added = Object.entries(changes?.add ?? {});
  const names = new Set(added.map(([name]) => name.toLowerCase()));
  const removed = new Map<string, string>();
  for (const name of changes?.remove ?? [])
    if (!names.has(name.toLowerCase())) removed.set(name.toLowerCase(), "");
  // Not by assignment, which would lose a header named `__proto__`.
  return Object.fromEntries([...removed, ...added]);
}

/** Adds the TLS options of an edge, named after it, so that Traefik responds with 421 if Host and SNI name different edges. */
function addTlsOptions(draft: Draft, edge: Extract<Edge, { kind: "tls" | "https" }>): TraefikReason[] {
  if (edge.tls_termination === undefined) return [];
  const ids = edge.mutual_tls?.certificate_authority_ids ?? [];
  const caFiles = ids.flatMap((id) => draft.snapshot.certificate_authorities[id] ?? []);
  if (caFiles.length < ids.length || (edge.mutual_tls && ids.length === 0)) {
    return [missing("A certificate authority of mutual TLS")];
  }
  if (!draft.reserve(characters(caFiles))) return [tooLarge("certificate authorities")];
  draft.options[edge.id] = {
    minVersion: TLS_VERSIONS[edge.tls_termination.min_version],
    // By default, Traefik also offers HTTP/2, which the upstream of a TLS edge may not support.
    ...(edge.kind === "tls" && { alpnProtocols: ["http/1.1"] }),
    ...(edge.mutual_tls && {
      clientAuth: { caFiles, clientAuthType: "RequireAndVerifyClientCert" as const },
    }),
  };
  return [];
}

/** Adds the services of a backend and of its children, and returns the name of its service. */
function addHttpService(draft: Draft, id: string): string {
  const { services, serversTransports } = draft.http;
  return addService(draft, id, services, addHttpService, ({ address, tls }) => {
    const servers = [{ url: `${tls ? "https" : "http"}://${address}` }];
    if (!tls) return { loadBalancer: { servers } };
    serversTransports[id] = { serverName: serverName(address) };
    return { loadBalancer: { servers, serversTransport: id } };
  });
}

/** Adds the services of a backend and of its children, and returns the name of its service. */
function addTcpService(draft: Draft, id: string): string {
  const { services, serversTransports } = draft.tcp;
  return addService(draft, id, services, addTcpService, ({ address, tls }) => {
    if (!tls) return { loadBalancer: { servers: [{ address }] } };
    serversTransports[id] = { tls: { serverName: serverName(address) } };
    return { loadBalancer: { servers: [{ address, tls }], serversTransport: id } };
  });
}

function addService<T>(
  draft: Draft,
  id: string,
  services: Record<string, T | Weighted>,
  add: (draft: Draft, id: string) => string,
  leaf: (backend: Extract<Backend, { kind: "static" }>) => T,
): string {
  const backend = draft.snapshot.backends[id];
  if (backend?.kind === "failover") return add(draft, backend.backends[0] ?? "");
  if (services[id]) return id;
  if (backend?.kind === "static") services[id] = leaf(backend);
  if (backend?.kind === "weighted") {
    const children = weightsOf(backend).map(([child, weight]) => ({ name: add(draft, child), weight }));
    services[id] = { weighted: { services: children } };
  }
  return id;
}

/** The host of an upstream, which is verified and sent as SNI. Always set, because the operator can change Traefik's default. */
const serverName = (address: string): string => splitHostport(address).host.replace(/\.$/, "");
