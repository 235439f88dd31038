import { hash } from "node:crypto";
import { grouped } from "../../../model/src/groups.ts";
import { logLines } from "../base/log_line.ts";
import { quote } from "../base/quote.ts";
import { setter } from "../base/rules.ts";
import { edgeOfHandshake, edgeOfListener, httpsRules, isTold } from "./https.ts";
import { ENDED, type HostPlace } from "./layout.ts";
import { bindLines } from "./listeners.ts";
import { type Maps, placeAt, PLACE_FIELDS, type Shared } from "./maps.ts";
import type { Output } from "./output.ts";
import type { EdgeOnPort, TlsEntrance, Group, PortShare, ServedHostport, WantedNames } from "./parts.ts";
import { restrictionRules } from "./restriction.ts";
import { chosenSection } from "./server_sections.ts";
import { addressBind, ownBind, sharedBind } from "./tls_binds.ts";

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
  const { known } = output;
  const lists = groups.flatMap(({ onPorts }) => [...onPorts]);
  const ports = new Map(
    Array.from(
      grouped(lists, ([port]) => port),
      ([port, own]) => [port, own.map(([, edges]) => shareOf(edges, port, output))],
    ),
  );
  for (const [port, shares] of [...ports].toSorted(([a], [b]) => a - b)) {
    for (const map of ["names", "addresses"] as const)
      maps.place(
        `${map}/${port}`,
        known.places.of(
          `${map}/${port}`,
          shares.map((share) => share[map]),
        ),
      );
    for (const { entrance, bind } of shares.flatMap(({ own }) => own))
      innerListener(entrance, bind, port, shared);
    const wanted = grouped(
      shares.flatMap(({ shared }) => shared),
      ({ entrance: { name } }) => name,
    );
    for (const all of wanted.values()) {
      const bind = sharedBind(all, output);
      for (const { entrance } of all.slice(0, 1)) innerListener(entrance, bind, port, shared);
    }
    const hostports = shares.flatMap((share) => share.hostports);
    const binds = output.once(known.outer, String(port), hostports, (own) => bindLines(hostports, own));
    outerListener(port, binds, shared);
  }
  const alone = [...ports.values()].flat().map((share) => share.alone);
  if (alone.some(({ size }) => size > 0)) maps.place("listeners", known.places.of("listeners", alone));
}

/** What edges next to each other by age add to a port. */
const shareOf = (edges: readonly EdgeOnPort[], port: number, output: Output): PortShare =>
  output.once(output.known.shares, edges, [], (own) => madeShare(edges, port, own));

function madeShare(edges: readonly EdgeOnPort[], port: number, output: Output): PortShare {
  const places = { names: new Map<string, HostPlace>(), addresses: new Map<string, HostPlace>() };
  const alone = new Map<string, HostPlace>();
  const own: PortShare["own"] = [];
  const shared = new Map<string, WantedNames>();
  const hostports = new Map<readonly string[], ServedHostport>();
  for (const edge of edges) {
    /** Of an internal listener for the edge's names only. */
    const ofNames: ServedHostport[] = [];
    for (const hostport of edge.hostports) {
      const { address, host, certificate, bind } = hostport;
      // Most listen on all addresses, and these are the same list.
      if (!hostports.has(bind)) hostports.set(bind, hostport);
      const entrance = entranceOf(edge, port, hostport);
      const [map, key] =
        address === undefined ? (["names", host] as const) : (["addresses", address] as const);
      const place = placeAt(edge.id, entrance?.name ?? "");
      // The older edge wins.
      if (!places[map].has(key)) places[map].set(key, place);
      if (!entrance || !certificate) continue;
      if (entrance.only === undefined) {
        const wanted = shared.get(entrance.name) ?? { entrance, names: new Map(), certificates: new Map() };
        wanted.names.set(host, { certificate, minVersion: edge.minVersion });
        wanted.certificates.set(certificate.file, certificate);
        shared.set(entrance.name, wanted);
        continue;
      }
      alone.set(edge.id, place);
      if (!entrance.literal) ofNames.push(hostport);
      else own.push({ entrance, bind: addressBind(entrance, edge, certificate, output) });
    }
    const [first] = ofNames;
    const entrance = first && entranceOf(edge, port, first);
    if (entrance) own.push({ entrance, bind: ownBind(entrance, edge, ofNames, output) });
  }
  return { ...places, alone, own, shared: [...shared.values()], hostports: [...hostports.values()] };
}

/** The internal listener for a hostport; undefined if TLS is passed through. */
function entranceOf(
  { kind, id, minVersion, authorities }: EdgeOnPort,
  port: number,
  hostport: ServedHostport,
): TlsEntrance | undefined {
  if (minVersion === undefined) return undefined;
  if (hostport.address !== undefined) {
    const place = hash("sha256", hostport.address).slice(0, 8);
    return { name: `${id}_${port}_${place}`, kind, only: id, literal: hostport };
  }
  if (authorities) return { name: `${id}_${port}`, kind, only: id };
  return { name: `${kind}_${port}`, kind };
}

/** The frontend of a port. */
function outerListener(port: number, binds: readonly string[], shared: Shared): void {
  const { output, maps, mostSets, mostTiers } = shared;
  const rule = "tcp-request content";
  const set = setter(rule);
  const choice = chosenSection(rule, mostTiers);
  output.section("frontend", `port_${port}`, [
    ...logLines("connection", output.settings.log),
    ...binds,
    "tcp-request inspect-delay 5s",
    `${rule} reject unless { req.ssl_hello_type 1 }`,
    set("place", maps.lookup("req.ssl_sni,lower,rtrim(.)", `names/${port}`), " if { req.ssl_sni -m found }"),
    set("place", maps.lookup("dst", `addresses/${port}`), " if !{ req.ssl_sni -m found }"),
    set("edge", `var(sess.place),field(${PLACE_FIELDS.edge},~)`),
    set("listener", `var(sess.place),field(${PLACE_FIELDS.listener},~)`),
    set("table", `var(sess.place),field(${PLACE_FIELDS.table},~)`),
    set("entry", maps.lookup("var(sess.table)", "entries")),
    ...endedRules(rule, maps),
    ...restrictionRules(rule, mostSets, maps),
    ...choice.slice(0, -1),
    `${rule} accept`,
    "use_backend to_%[var(sess.listener)] if { var(sess.listener) -m len gt 0 }",
    ...choice.slice(-1),
    "default_backend closed",
  ]);
}

/** Renders an internal listener, and the section that leads to it. */
function innerListener(entrance: TlsEntrance, bind: string, port: number, shared: Shared): void {
  const { name, kind } = entrance;
  const { output, maps, mostSets, mostTiers } = shared;
  output.section("backend", `to_${name}`, [inwardServer(name, output)]);
  const rule = "tcp-request content";
  output.section("frontend", name, [
    bind,
    ...(kind === "https"
      ? httpsRules(entrance, port, shared)
      : [
          ...logLines("inner", output.settings.log, edgeOfHandshake(entrance, port, maps)),
          "tcp-request inspect-delay 5s",
          ...edgeOfListener(rule, entrance, port, maps),
          setter(rule)("entry", maps.lookup("var(sess.table)", "entries")),
          ...endedRules(rule, maps),
          ...restrictionRules(rule, mostSets, maps),
          ...chosenSection(rule, mostTiers),
          "default_backend closed",
        ]),
  ]);
}

/** Rules for connections whose ClientHello or handshake comes after an old worker was told to stop. */
const endedRules = (rule: string, maps: Maps): string[] => [
  `${rule} reject if ${isTold("all", maps.path(ENDED))}`,
];

const inwardServer = (name: string, output: Output) =>
  `server inside ${quote(`unix@${output.socket(name)}`)} send-proxy-v2`;
