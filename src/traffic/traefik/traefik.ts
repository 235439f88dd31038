import type { Problem, Snapshot, Backend, Edge, Route } from "../../../packages/traffic/src/snapshot.ts";
import { isIpv4 } from "../../values/ip.ts";
import { characters, Draft, NOBODY, type Reason, weightsOf, withoutEmpty } from "./draft.ts";
import {
  backendReasons,
  type HeaderChanges,
  isPlainPath,
  missing,
  pathReason,
  restrictionReasons,
  routeReasons,
  tooLarge,
  trafficPolicyReasons,
  uncoveredPaths,
} from "./reasons.ts";
import type { HttpMiddleware, TraefikConfiguration, Weighted } from "./types.ts";

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

/**
 * A dynamic configuration for the HTTP provider of Traefik v3, and the parts of `snapshot` that are not in it (problems of the
 * snapshot itself are not repeated). If Traefik cannot enforce a setting, the edge is left out, or the route responds with 503
 * to all requests that it matches. Traefik drops the whole body for one unknown field or one empty map.
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
