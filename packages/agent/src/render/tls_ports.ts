import type { Edge } from "../../../traffic/src/snapshot.ts";
import { argument, quote } from "../quote.ts";
import { httpsRules } from "./https.ts";
import { bindLines } from "./listeners.ts";
import { connectionLog, mapFile, type Output } from "./output.ts";
import { restricted } from "./restriction.ts";
import type { Routes } from "./routes.ts";
import {
  terminates,
  type EdgeOnPort,
  type ServedEdge,
  type ServedHostport,
  type TlsOrHttpsEdge,
} from "./scope.ts";
import { addressBind, namedBind } from "./tls_binds.ts";
import { chosenInVariable, choiceLines, type Choice, type Upstreams } from "./upstreams.ts";

/** An internal listener that terminates TLS, with the hostports of one edge that use it. */
interface Entrance extends EdgeOnPort {
  /** The name of its socket, and of its section in HAProxy's configuration. */
  name: string;
  isShared: boolean;
}

/**
 * Renders TLS and HTTPS edges. Each port has a frontend that reads the SNI of a connection, or its destination address if there is no
 * SNI. It passes TLS through to the upstream, or to an internal listener that terminates it. The internal listeners of a port are:
 *
 * - one for all TLS edges that terminate TLS for a name, and one for all HTTPS edges;
 * - a separate one for each edge with mutual TLS. A session ticket is valid for a whole listener: a ticket issued without a client
 *   certificate must not resume a session that requires one;
 * - a separate one for each TLS edge with an IP restriction. The restriction is checked for the name in the first ClientHello. After a
 *   HelloRetryRequest (RFC 8446 §4.1.4), a client could name another edge, and bypass that edge's restriction;
 * - a separate one for each IP address, because clients do not send SNI for addresses.
 */
export function tlsPorts(
  edges: readonly ServedEdge[],
  output: Output,
  upstreams: Upstreams,
  routes: Routes,
): void {
  const ports = new Map<number, EdgeOnPort[]>();
  for (const { edge, hostports } of edges) {
    if (edge.kind === "tcp") continue;
    for (const hostport of hostports) {
      const onPort = ports.get(hostport.port) ?? [];
      const last = onPort.at(-1);
      if (last?.edge === edge) last.hostports.push(hostport);
      else onPort.push({ edge, hostports: [hostport] });
      ports.set(hostport.port, onPort);
    }
  }
  for (const [port, onPort] of [...ports].toSorted(([a], [b]) => a - b)) {
    tlsPort(port, onPort, output, upstreams, routes);
  }
}

function tlsPort(
  port: number,
  onPort: readonly EdgeOnPort[],
  output: Output,
  upstreams: Upstreams,
  routes: Routes,
): void {
  const destinations = new Destinations();
  const shared = new Map<string, Entrance[]>();

  for (const { edge, hostports } of onPort) {
    if (edge.kind === "tls" && !terminates(edge)) {
      destinations.add(hostports, passedThrough(edge, output, upstreams));
      continue;
    }
    for (const entrance of entrances(edge, port, hostports)) {
      destinations.add(entrance.hostports, [sectionTo(entrance, output)]);
      if (entrance.isShared) shared.set(entrance.name, [...(shared.get(entrance.name) ?? []), entrance]);
      else innerListener(entrance.name, [entrance], output, upstreams, routes);
    }
  }
  for (const [name, entrances] of shared) {
    output.section("backend", `to_${name}`, [inwardServer(name, output)]);
    innerListener(name, entrances, output, upstreams, routes);
  }

  const names = output.file(`ports/${port}.names`, mapFile(destinations.byName));
  const addresses = output.file(`ports/${port}.addresses`, mapFile(destinations.byAddress));
  output.section("frontend", `port_${port}`, [
    ...connectionLog("tcplog"),
    ...bindLines(
      onPort.flatMap(({ hostports }) => hostports),
      output,
    ),
    "tcp-request inspect-delay 5s",
    "tcp-request content reject unless { req.ssl_hello_type 1 }",
    `tcp-request content set-var(sess.to) ${quote(`req.ssl_sni,lower,rtrim(.),map_str(${argument(names)},closed)`)} if { req.ssl_sni -m found }`,
    `tcp-request content set-var(sess.to) ${quote(`dst,map_str(${argument(addresses)},closed)`)} if !{ req.ssl_sni -m found }`,
    ...destinations.choices.flatMap((choice) => chosenInVariable("tcp-request content", "sess.to", choice)),
    "tcp-request content accept",
    "use_backend %[var(sess.to)]",
    "default_backend closed",
  ]);
}

/** The names of a port's `backend` sections, by SNI and by destination address. */
class Destinations {
  readonly byName = new Map<string, string>();
  readonly byAddress = new Map<string, string>();
  readonly choices: Choice[] = [];

  add(hostports: readonly ServedHostport[], choice: Choice): void {
    for (const { host, address } of hostports) {
      if (address === undefined) this.byName.set(host, choice[0]);
      else this.byAddress.set(address, choice[0]);
    }
    if (choice.length > 1 && !this.choices.includes(choice)) this.choices.push(choice);
  }
}

/** An edge that passes TLS through to the upstream. */
function passedThrough(edge: Extract<Edge, { kind: "tls" }>, output: Output, upstreams: Upstreams): Choice {
  const { backend_id } = edge.backend;
  return edge.ip_restriction
    ? upstreams.sections(edge.id, backend_id, [], restricted("content", edge.ip_restriction, output))
    : upstreams.tcp(backend_id);
}

function entrances(edge: TlsOrHttpsEdge, port: number, hostports: readonly ServedHostport[]): Entrance[] {
  const named = hostports.filter(({ address }) => address === undefined);
  const literal = hostports.filter(({ address }) => address !== undefined);
  const isShared = edge.mutual_tls === undefined && restrictionOf(edge) === undefined;
  const byName = { name: isShared ? `${edge.kind}_${port}` : `${edge.id}_${port}`, edge, isShared };
  return [
    ...(named.length === 0 ? [] : [{ ...byName, hostports: named }]),
    ...literal.map((hostport, index) => ({
      name: `${edge.id}_${port}_${index}`,
      edge,
      isShared: false,
      hostports: [hostport],
    })),
  ];
}

/** The name of the section that leads to an internal listener. The edge's restriction applies there, before the TLS handshake. */
function sectionTo({ edge, name, isShared }: Entrance, output: Output): string {
  if (!isShared) {
    output.section(
      "backend",
      `to_${name}`,
      [inwardServer(name, output)],
      restricted("content", restrictionOf(edge), output),
    );
  }
  return `to_${name}`;
}

/** Undefined for HTTPS edges: their routes have restrictions. */
const restrictionOf = (edge: TlsOrHttpsEdge) => (edge.kind === "tls" ? edge.ip_restriction : undefined);

const inwardServer = (name: string, output: Output) =>
  `server inside ${quote(`unix@${output.socket(name)}`)} send-proxy-v2`;

/** Renders an internal listener. */
function innerListener(
  name: string,
  entrances: readonly [Entrance, ...Entrance[]] | readonly Entrance[],
  output: Output,
  upstreams: Upstreams,
  routes: Routes,
): void {
  const [first] = entrances;
  if (!first) return;
  const bind =
    first.hostports[0]?.address === undefined
      ? namedBind(name, entrances, output)
      : addressBind(name, first.edge, first.hostports[0], output);
  if (first.edge.kind === "https") {
    output.section("frontend", name, [bind, ...httpsRules(name, entrances, first.isShared, output, routes)]);
    return;
  }
  const choices = new Map(
    entrances.flatMap(({ edge, hostports }) => {
      if (edge.kind !== "tls") return [];
      const choice = upstreams.tcp(edge.backend.backend_id);
      return hostports.map(({ host }) => [host, choice] as const);
    }),
  );
  const [only] = choices.values();
  output.section("frontend", name, [
    bind,
    ...connectionLog("tcplog"),
    ...(first.isShared ? chosenByName(name, choices, output) : only ? choiceLines(only) : []),
  ]);
}

function chosenByName(name: string, choices: ReadonlyMap<string, Choice>, output: Output): string[] {
  const names = output.file(
    `names/${name}`,
    mapFile([...choices].map(([host, choice]) => [host, choice[0]])),
  );
  return [
    "tcp-request inspect-delay 5s",
    `tcp-request content set-var(sess.to) ${quote(`ssl_fc_sni,lower,map_str(${argument(names)},closed)`)}`,
    ...[...new Set(choices.values())].flatMap((choice) =>
      chosenInVariable("tcp-request content", "sess.to", choice),
    ),
    "use_backend %[var(sess.to)]",
    "default_backend closed",
  ];
}
