import { argument, quote } from "../quote.ts";
import { connectionLog, mapFile, type Output } from "./output.ts";
import type { Routes } from "./routes.ts";
import type { EdgeOnPort } from "./scope.ts";
import { chosenInVariable } from "./upstreams.ts";

/**
 * The rules of an HTTPS listener. They find the edge by SNI (unless the listener has only one edge), check that the Host header belongs
 * to it, and find the route by the path. Paths are neither decoded nor normalized: `//`, `/../` and `%2e` reach the upstream as sent.
 */
export function httpsRules(
  name: string,
  edges: readonly EdgeOnPort[],
  isShared: boolean,
  output: Output,
  routes: Routes,
): string[] {
  const hosts = output.file(
    `names/${name}`,
    mapFile(
      edges.flatMap(({ edge, hostports }) =>
        hostports.flatMap(({ host }) => hostKeys(host).map((key) => [key, edge.id] as const)),
      ),
    ),
  );
  const [only] = edges;
  const edge = isShared
    ? quote(`ssl_fc_sni,lower,map_str(${argument(hosts)})`)
    : quote(`str(${argument(only?.edge.id ?? "")})`);
  const { exact, prefix } = routes.maps();
  const found = edges.flatMap(({ edge }) => (edge.kind === "https" ? routes.of(edge) : []));
  return [
    "mode http",
    // An old worker serves one more request on each idle connection, because a request can already be in transit.
    "option idle-close-on-response",
    ...connectionLog("httplog"),
    `http-request set-var(txn.edge) ${edge}`,
    `http-request set-var(txn.host) ${quote(`req.fhdr(host),host_only,lower,rtrim(.),map_str(${argument(hosts)},none)`)}`,
    // The request is for another edge (RFC 9110 §15.5.20).
    `${MISDIRECTED} if { req.hdr(host) -m found } !{ var(txn.host),strcmp(txn.edge) eq 0 }`,
    // Without a Host header, upstreams use the host of an absolute target (RFC 9112 §3.2.2).
    `${MISDIRECTED} if !{ req.hdr(host) -m found } !{ url -m beg / * }`,
    // After an upgrade to another protocol, such as h2c, requests would bypass routes and their modules.
    "acl websocket req.fhdr(upgrade) -i -m str websocket",
    "acl one_upgrade req.fhdr_cnt(upgrade) eq 1",
    "http-request del-header upgrade unless websocket one_upgrade",
    "http-request del-header http2-settings",
    "http-request set-header x-forwarded-for %[src]",
    "http-request set-header x-forwarded-proto https",
    "http-request set-var(txn.path) path",
    "http-request set-var(txn.path) var(txn.edge),concat(,txn.path)",
    `http-request set-var(txn.to) ${quote(`var(txn.path),map_str(${argument(exact)})`)}`,
    `http-request set-var(txn.to) ${quote(`var(txn.path),map_beg(${argument(prefix)})`)} unless { var(txn.to) -m found }`,
    `http-request return status 404 content-type text/plain string "No route for this path.\\n" unless { var(txn.to) -m found }`,
    ...found.flatMap((choice) => chosenInVariable("http-request", "txn.to", choice)),
    "use_backend %[var(txn.to)]",
  ];
}

const MISDIRECTED =
  'http-request return status 421 content-type text/plain string "This connection is for another host.\\n"';

/** `host_only` returns an IPv6 address with brackets in some versions of HAProxy, and without in others. */
const hostKeys = (host: string) => (host.startsWith("[") ? [host, host.slice(1, -1)] : [host]);
