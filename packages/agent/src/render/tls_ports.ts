import { createHash } from "node:crypto";
import { argument, quote } from "../quote.ts";
import { edgeOfListener, type Entrance } from "./entrance.ts";
import { httpsRules } from "./https.ts";
import type { Entry } from "./layout.ts";
import { bindLines } from "./listeners.ts";
import { entryOf, PLACE_FIELDS } from "./maps.ts";
import { connectionLog, type Output } from "./output.ts";
import { OPEN } from "./restriction.ts";
import type { Routes } from "./routes.ts";
import {
  terminates,
  type EdgeOnPort,
  type ServedEdge,
  type ServedHostport,
  type TlsOrHttpsEdge,
} from "./scope.ts";
import type { Shared } from "./shared.ts";
import { addressBind, namedBind } from "./tls_binds.ts";
import { chosenSection } from "./upstreams.ts";

/**
 * Renders TLS and HTTPS edges. Each port has a frontend that reads the SNI of a connection, or its destination address if there is no
 * SNI. It checks the restriction of a TLS edge, so that a rejected client sees no certificate. Then it passes TLS through to the
 * upstream, or to an internal listener that terminates it. The internal listeners of a port are:
 *
 * - one for all TLS edges that terminate TLS for a name, and one for all HTTPS edges;
 * - a separate one for each edge with mutual TLS. A session ticket is valid for a whole listener: a ticket issued without a client
 *   certificate must not resume a session that requires one;
 * - a separate one for each IP address, because clients do not send SNI for addresses.
 *
 * After a HelloRetryRequest (RFC 8446 §4.1.4), a client could name another edge than at first. So a shared listener finds the edge
 * again by the name in the completed handshake, and the restriction and the upstream are those of that edge. It only
 * accepts edges whose listener it is.
 */
export function tlsPorts(edges: readonly ServedEdge[], shared: Shared, routes: Routes): void {
  const ports = new Map<number, EdgeOnPort[]>();
  for (const { edge, policy, hostports } of edges) {
    if (edge.kind === "tcp") continue;
    shared.maps.line(edge.id, "entries", "", entryOfEdge(edge, policy, shared));
    if (edge.kind === "https") routes.add(edge);
    for (const hostport of hostports) {
      const onPort = ports.get(hostport.port) ?? [];
      const last = onPort.at(-1);
      if (last?.edge === edge) last.hostports.push(hostport);
      else onPort.push({ edge, hostports: [hostport] });
      ports.set(hostport.port, onPort);
    }
  }
  for (const [port, onPort] of [...ports].toSorted(([a], [b]) => a - b)) tlsPort(port, onPort, shared);
}

/** Routes of HTTPS edges have restrictions and upstreams of their own. */
const entryOfEdge = (
  edge: TlsOrHttpsEdge,
  policy: readonly string[],
  { restrictions, upstreams }: Shared,
): Entry =>
  edge.kind === "https"
    ? entryOf(edge.id, OPEN, { section: "" })
    : entryOf(
        edge.id,
        restrictions.of(edge.ip_restriction),
        upstreams.target("tcp", edge.backend.backend_id, policy),
      );

function tlsPort(port: number, onPort: readonly EdgeOnPort[], shared: Shared): void {
  const { maps } = shared;
  const entrances = new Map<string, Entrance>();
  for (const { edge, hostports } of onPort) {
    for (const hostport of hostports) {
      const entrance = entranceOf(edge, port, hostport);
      const { address, host } = hostport;
      const [map, key] = address === undefined ? [`names/${port}`, host] : [`addresses/${port}`, address];
      maps.place(map, key, { edge: edge.id, listener: entrance?.name ?? "" });
      if (edge.kind === "https" && address === undefined) maps.line(edge.id, "hosts", `/${port}/${host}`);
      if (!entrance) continue;
      if (entrance.only !== undefined)
        maps.place("listeners", edge.id, { edge: edge.id, listener: entrance.name });
      const known = entrances.get(entrance.name) ?? entrance;
      const last = known.edges.at(-1);
      if (last?.edge === edge) last.hostports.push(hostport);
      else known.edges.push({ edge, hostports: [hostport] });
      entrances.set(entrance.name, known);
    }
  }
  shared.later(() => {
    for (const entrance of entrances.values()) innerListener(entrance, port, shared);
    outerListener(port, onPort, shared);
  });
}

/** The internal listener for a hostport, without its edges; undefined if TLS is passed through. */
function entranceOf(edge: TlsOrHttpsEdge, port: number, hostport: ServedHostport): Entrance | undefined {
  const { kind, id } = edge;
  if (!terminates(edge)) return undefined;
  if (hostport.address !== undefined) {
    const place = createHash("sha256").update(hostport.address).digest("hex").slice(0, 8);
    return { name: `${id}_${port}_${place}`, kind, edges: [], only: id, literal: hostport };
  }
  if (edge.mutual_tls) return { name: `${id}_${port}`, kind, edges: [], only: id };
  return { name: `${kind}_${port}`, kind, edges: [] };
}

/** The frontend of a port. */
function outerListener(port: number, onPort: readonly EdgeOnPort[], shared: Shared): void {
  const { output, maps, restrictions, upstreams } = shared;
  const rule = "tcp-request content";
  const set = (name: string, fetch: string, condition = "") =>
    `${rule} set-var(sess.${name}) ${quote(fetch)}${condition}`;
  const looked = (key: string, path: string) => `${key},map_str(${argument(maps.path(path))})`;
  const choice = chosenSection(rule, upstreams.mostTiers);
  output.section("frontend", `port_${port}`, [
    ...connectionLog("tcp"),
    ...bindLines(
      onPort.flatMap(({ hostports }) => hostports),
      output,
    ),
    "tcp-request inspect-delay 5s",
    `${rule} reject unless { req.ssl_hello_type 1 }`,
    set("place", looked("req.ssl_sni,lower,rtrim(.)", `names/${port}`), " if { req.ssl_sni -m found }"),
    set("place", looked("dst", `addresses/${port}`), " if !{ req.ssl_sni -m found }"),
    set("edge", `var(sess.place),field(${PLACE_FIELDS.edge},~)`),
    set("listener", `var(sess.place),field(${PLACE_FIELDS.listener},~)`),
    set("table", `var(sess.place),field(${PLACE_FIELDS.table},~)`),
    set("entry", looked("var(sess.table)", "entries")),
    ...restrictions.rules(rule),
    ...choice.slice(0, -1),
    `${rule} accept`,
    "use_backend to_%[var(sess.listener)] if { var(sess.listener) -m len gt 0 }",
    ...choice.slice(-1),
    "default_backend closed",
  ]);
}

/** Renders an internal listener, and the section that leads to it. */
function innerListener(entrance: Entrance, port: number, shared: Shared): void {
  const { name, kind } = entrance;
  const { output, maps, restrictions, upstreams } = shared;
  output.section("backend", `to_${name}`, [inwardServer(name, output)]);
  const bind = entrance.literal ? addressBind(entrance, output) : namedBind(entrance, output);
  const rule = "tcp-request content";
  output.section("frontend", name, [
    bind,
    ...(kind === "https"
      ? httpsRules(entrance, port, shared)
      : [
          ...connectionLog("tcp"),
          "tcp-request inspect-delay 5s",
          ...edgeOfListener(rule, "sess", entrance, port, maps),
          `${rule} set-var(sess.entry) ${quote(`var(sess.table),map_str(${argument(maps.path("entries"))})`)}`,
          ...restrictions.rules(rule),
          ...chosenSection(rule, upstreams.mostTiers),
          "default_backend closed",
        ]),
  ]);
}

const inwardServer = (name: string, output: Output) =>
  `server inside ${quote(`unix@${output.socket(name)}`)} send-proxy-v2`;
