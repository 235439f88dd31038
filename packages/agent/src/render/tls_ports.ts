import { createHash } from "node:crypto";
import { argument, quote } from "../quote.ts";
import { edgeOfListener } from "./entrance.ts";
import { httpsRules } from "./https.ts";
import type { Place } from "./layout.ts";
import { bindLines } from "./listeners.ts";
import { placeAt, PLACE_FIELDS } from "./maps.ts";
import { connectionLog, type Output } from "./output.ts";
import type { EdgeOnPort, Entrance, Group, ServedHostport, TlsPort } from "./parts.ts";
import { restrictionRules } from "./restriction.ts";
import { chosenSection } from "./server_sections.ts";
import type { Shared } from "./shared.ts";
import { addressBind, namedBind } from "./tls_binds.ts";

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
export function tlsPorts(groups: readonly Group[], shared: Shared): void {
  const { output, maps } = shared;
  const ports = new Map<number, (readonly EdgeOnPort[])[]>();
  for (const { onPorts } of groups)
    for (const [port, list] of onPorts) {
      const onPort = ports.get(port);
      if (onPort) onPort.push(list);
      else ports.set(port, [list]);
    }
  const alone: (readonly [string, Place])[] = [];
  for (const [port, lists] of [...ports].toSorted(([a], [b]) => a - b)) {
    const made = output.once(output.known.ports, String(port), lists, (own) => tlsPort(lists.flat(), own));
    for (const [map, places] of made.places) maps.place(map, places);
    for (const each of made.alone) alone.push(each);
    for (const { entrance, bind } of made.inner) innerListener(entrance, bind, port, shared);
    outerListener(port, made.binds, shared);
  }
  if (alone.length === 0) return;
  const places = output.once(output.known.listeners, "", alone.flat(), () => new Map(alone));
  maps.place("listeners", places);
}

function tlsPort(onPort: readonly EdgeOnPort[], output: Output): TlsPort {
  const places = new Map<string, Map<string, Place>>();
  const alone: (readonly [string, Place])[] = [];
  const entrances = new Map<string, Entrance>();
  for (const edge of onPort)
    for (const { map, key, place, entrance, part } of doorsOf(edge)) {
      const own = places.get(map) ?? new Map<string, Place>();
      // The older edge wins.
      if (!own.has(key)) own.set(key, place);
      places.set(map, own);
      if (!entrance) continue;
      if (entrance.only !== undefined) alone.push([edge.id, place]);
      const known = entrances.get(entrance.name);
      if (known) known.edges.push(part);
      else entrances.set(entrance.name, { ...entrance, edges: [part] });
    }
  const inner = [...entrances.values()].map((entrance) => ({
    entrance,
    bind: entrance.literal ? addressBind(entrance, output) : namedBind(entrance, output),
  }));
  const all = onPort.flatMap(({ hostports }) => hostports);
  return { places, alone, inner, binds: bindLines(all, output) };
}

/** How clients arrive at a hostport: its line in a map, and the internal listener with the part of the edge there. */
interface Door {
  map: string;
  key: string;
  place: Place;
  entrance: Entrance | undefined;
  part: EdgeOnPort;
}

/** The doors that were made before: of many edges, few change. */
const known = new WeakMap<EdgeOnPort, Door[]>();

function doorsOf(edge: EdgeOnPort): Door[] {
  const found = known.get(edge);
  if (found) return found;
  const { port } = edge;
  const doors = edge.hostports.map((hostport): Door => {
    const entrance = entranceOf(edge, port, hostport);
    const { address, host } = hostport;
    const [map, key] = address === undefined ? [`names/${port}`, host] : [`addresses/${port}`, address];
    const place = placeAt(edge.id, entrance?.name ?? "");
    return { map, key, place, entrance, part: { ...edge, hostports: [hostport] } };
  });
  known.set(edge, doors);
  return doors;
}

/** The internal listener for a hostport, without its edges; undefined if TLS is passed through. */
function entranceOf(
  { kind, id, minVersion, authorities }: EdgeOnPort,
  port: number,
  hostport: ServedHostport,
): Entrance | undefined {
  if (minVersion === undefined) return undefined;
  if (hostport.address !== undefined) {
    const place = createHash("sha256").update(hostport.address).digest("hex").slice(0, 8);
    return { name: `${id}_${port}_${place}`, kind, edges: [], only: id, literal: hostport };
  }
  if (authorities) return { name: `${id}_${port}`, kind, edges: [], only: id };
  return { name: `${kind}_${port}`, kind, edges: [] };
}

/** The frontend of a port. */
function outerListener(port: number, binds: readonly string[], shared: Shared): void {
  const { output, maps, mostSets, mostTiers } = shared;
  const rule = "tcp-request content";
  const set = (name: string, fetch: string, condition = "") =>
    `${rule} set-var(sess.${name}) ${quote(fetch)}${condition}`;
  const looked = (key: string, path: string) => `${key},map_str(${argument(maps.path(path))})`;
  const choice = chosenSection(rule, mostTiers);
  output.section("frontend", `port_${port}`, [
    ...connectionLog("tcp"),
    ...binds,
    "tcp-request inspect-delay 5s",
    `${rule} reject unless { req.ssl_hello_type 1 }`,
    set("place", looked("req.ssl_sni,lower,rtrim(.)", `names/${port}`), " if { req.ssl_sni -m found }"),
    set("place", looked("dst", `addresses/${port}`), " if !{ req.ssl_sni -m found }"),
    set("edge", `var(sess.place),field(${PLACE_FIELDS.edge},~)`),
    set("listener", `var(sess.place),field(${PLACE_FIELDS.listener},~)`),
    set("table", `var(sess.place),field(${PLACE_FIELDS.table},~)`),
    set("entry", looked("var(sess.table)", "entries")),
    ...restrictionRules(rule, mostSets, maps),
    ...choice.slice(0, -1),
    `${rule} accept`,
    "use_backend to_%[var(sess.listener)] if { var(sess.listener) -m len gt 0 }",
    ...choice.slice(-1),
    "default_backend closed",
  ]);
}

/** Renders an internal listener, and the section that leads to it. */
function innerListener(entrance: Entrance, bind: string, port: number, shared: Shared): void {
  const { name, kind } = entrance;
  const { output, maps, mostSets, mostTiers } = shared;
  output.section("backend", `to_${name}`, [inwardServer(name, output)]);
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
          ...restrictionRules(rule, mostSets, maps),
          ...chosenSection(rule, mostTiers),
          "default_backend closed",
        ]),
  ]);
}

const inwardServer = (name: string, output: Output) =>
  `server inside ${quote(`unix@${output.socket(name)}`)} send-proxy-v2`;
