import { argument, quote } from "../quote.ts";
import { connectionLog, mapFile, type Output } from "./output.ts";
import type { Routes } from "./routes.ts";
import type { EdgeOnPort } from "./scope.ts";
import { chosenInVariable } from "./upstreams.ts";

/**
 * The rules of an HTTPS listener: finds the edge by SNI (or knows it, where the listener is the edge's own), holds the Host header
 * to it, and finds the route by the path as it was sent. Nothing in the path is decoded or normalised: `//`, `/../` and `%2e` are
 * bytes like others, and the upstream gets them as they came.
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
    // A worker that is replaced answers once more on each idle connection: closed at once, a request may be on its way.
    "option idle-close-on-response",
    ...connectionLog("httplog"),
    `http-request set-var(txn.edge) ${edge}`,
    `http-request set-var(txn.host) ${quote(`req.fhdr(host),host_only,lower,rtrim(.),map_str(${argument(hosts)},none)`)}`,
    // A request for another edge on this connection (RFC 9110 §15.5.20).
    `${MISDIRECTED} if { req.hdr(host) -m found } !{ var(txn.host),strcmp(txn.edge) eq 0 }`,
    // Without Host, upstreams read the host in a target in absolute form (RFC 9112 §3.2.2).
    `${MISDIRECTED} if !{ req.hdr(host) -m found } !{ url -m beg / * }`,
    // After an upgrade to another protocol, such as h2c, requests would go past routes and their modules unseen.
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

/** `host_only` gives an IPv6 address with its brackets in some versions, without in others. */
const hostKeys = (host: string) => (host.startsWith("[") ? [host, host.slice(1, -1)] : [host]);
