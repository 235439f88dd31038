import type { Edge } from "../../../model/src/traffic/snapshot.ts";
import type { Listener, ListenObjection, PublicKey, RouteConversion, ServerCertificate } from "./contract.ts";
import type { Hostport } from "./hostport.ts";
import type { HostPlace, Table } from "./layout.ts";

/*
 * What the steps of rendering hand to each other: an edge becomes parts and a table, edges become groups, and the hostports of a port
 * become its listeners.
 */

/** Where an edge or a route forwards traffic. */
export interface ForwardTarget {
  section: string;
  /** The upstream, if the section is for any static upstream. `name` is for TLS; otherwise it is empty. */
  upstream?: { address: string; port: number; name: string };
}

export type Mode = "tcp" | "http";

/** A server line's name, and the rest of the line without the weight, `check` and `backup`. */
export interface Server {
  name: string;
  target: string;
  /** Where a static backend is; undefined for a fixed response. */
  upstream?: NonNullable<ForwardTarget["upstream"]>;
}

/** One step of a failover: a weighted backend or a leaf. */
export interface Tier {
  /** Leaves that share traffic by weight. The servers of a single leaf are tried in order. */
  leaves: { servers: readonly Server[]; weight: number }[];
}

/** The sections of a backend with servers of its own. */
export interface SectionSet {
  name: string;
  mode: Mode;
  backendId: string;
  tiers: Tier[];
  modules: readonly string[];
}

/** A route with `websocket_tcp_converter`. */
export interface Websocket {
  route: string;
  /** The upstream of the bytes. */
  target: ForwardTarget;
  modules: readonly string[];
}

/** The lines of a policy in the section of its edge or route. */
export interface PolicyLines {
  /** Before the modules that follow the policy. */
  before: readonly string[];
  /** After all other rules for requests: what the rules for responses need to know of the request. */
  after: readonly string[];
}

/** Something in a configuration. Several edges can need the same. */
export type ConfigurationPart =
  | { is: "section"; name: string; text: string }
  | { is: "table"; name: string; spec: string }
  | { is: "file"; path: string; content: string }
  | { is: "problem"; object: string; code: string; msg: string }
  | { is: "listener"; listener: Listener }
  | { is: "conversion"; conversion: RouteConversion }
  | { is: "websocket"; websocket: Websocket }
  /** Sections of a backend with servers of its own. They share a limit. */
  | { is: "servers"; set: SectionSet }
  /** A body that HAProxy must hold in one buffer. */
  | { is: "body"; bytes: number }
  /** The keys of a key set, with which tokens are checked. */
  | { is: "keys"; url: string; keys: readonly PublicKey[] };

/** Identifies a part: two that do not say the same have different keys, unless one was rendered before the other. */
export function keyOfPart(part: ConfigurationPart): string {
  switch (part.is) {
    case "section":
    case "table":
      return `${part.is} ${part.name}`;
    case "file":
      return `file ${part.path}`;
    case "problem":
      return `problem ${part.object} ${part.code} ${part.msg}`;
    case "listener":
      return `listener ${part.listener.address} ${part.listener.port}`;
    case "conversion":
      return `conversion ${part.conversion.route}`;
    case "websocket":
      return `websocket ${part.websocket.route}`;
    case "servers":
      return `servers ${part.set.name}`;
    case "body":
      return `body ${part.bytes}`;
    case "keys":
      return `keys ${part.url}`;
  }
}

/** Whether two things are the same, or two parts that say the same. */
export const isSamePart = (a: unknown, b: unknown): boolean =>
  a === b || (isPart(a) && isPart(b) && a.is === b.is && JSON.stringify(a) === JSON.stringify(b));

const isPart = (value: unknown): value is ConfigurationPart =>
  typeof value === "object" && value !== null && "is" in value;

/** What edges add that is rendered once all edges are known. */
export interface Several {
  /** Those of the oldest edges come first. */
  servers: readonly SectionSet[];
  websockets: readonly Websocket[];
}

export interface ServedHostport extends Hostport {
  /** The addresses to listen on: two for a name. */
  bind: readonly string[];
  /** Undefined if TLS is not terminated. */
  certificate: ServerCertificate | undefined;
}

/** What listeners know of a TLS or HTTPS edge with its hostports on one port. */
export interface EdgeOnPort {
  id: string;
  kind: "tls" | "https";
  port: number;
  hostports: ServedHostport[];
  /** Undefined if TLS is passed through. */
  minVersion: string | undefined;
  /** The authorities of clients' certificates in PEM; undefined without mutual TLS. */
  authorities: readonly string[] | undefined;
}

/** An edge with the hostports that are served on this machine. */
export interface ServedEdge {
  edge: Edge;
  /** The ids of the backends and authorities that it was rendered from. */
  read: readonly string[];
  hostports: readonly ServedHostport[];
  /** Empty for a TCP edge. */
  onPorts: readonly EdgeOnPort[];
  table: Table;
  parts: readonly ConfigurationPart[];
  /** The sets of rules that its entries name: ids of policies by name. */
  rules: ReadonlyMap<string, readonly string[]>;
  mostSets: number;
}

/** What is known of an edge. */
export interface KnownEdge {
  edge: Edge;
  /** The ids of the authorities that it was judged by. */
  read: readonly string[];
  parts: readonly ConfigurationPart[];
  /** Lines of a TCP or TLS edge's traffic policy. Undefined if the edge cannot be served. */
  policy: readonly string[] | undefined;
  /** The hostports that it has if no older edge has their addresses. */
  offers: readonly (ServedHostport | ListenObjection)[];
  /** The thumbprints of the issuers of its hosts: see `plain_http.ts`. */
  thumbprints: ReadonlyMap<string, string>;
  /** What was rendered last, for the hostports that it had then. */
  served: ServedEdge | undefined;
  /** What listeners knew of it before it changed. */
  earlier: readonly EdgeOnPort[];
}

/** Some edges that are next to each other by age. What they add together changes only if one of them does. */
export interface Group {
  edges: readonly Edge[];
  served: readonly ServedEdge[];
  /** All that they add, by {@link keyOfPart}. */
  parts: ReadonlyMap<string, ConfigurationPart>;
  /** The ids of backends and authorities that they were rendered from. */
  read: ReadonlySet<string>;
  /** The sets of rules that their entries name: ids of policies by name. */
  rules: ReadonlyMap<string, readonly string[]>;
  mostSets: number;
  tcp: readonly ServedEdge[];
  /** The thumbprints of the issuers of their hosts. */
  thumbprints: ReadonlyMap<string, string>;
  /** By edge. */
  tables: ReadonlyMap<string, Table>;
  /** The TLS and HTTPS edges on each port: the same list as before if it has the same elements. */
  onPorts: ReadonlyMap<number, readonly EdgeOnPort[]>;
  /** What they take of addresses, and whether they get it. */
  takes: readonly (Take & { isGiven: boolean })[];
}

/** Some addresses on a port for an edge, or for all that share the listener of a port. */
export interface Take {
  owner: string;
  port: number;
  addresses: readonly string[];
}

/** An internal listener that terminates TLS. */
export interface TlsEntrance {
  /** The name of its socket, and of its section in HAProxy's configuration. */
  name: string;
  kind: "https" | "tls";
  /** The edge, if the listener is for one edge only. */
  only?: string;
  /** The IP address, if the listener is for one. */
  literal?: ServedHostport;
}

/** Names that edges want a shared internal listener to know. */
export interface WantedNames {
  entrance: TlsEntrance;
  /** By host name. */
  names: Map<string, { certificate: ServerCertificate; minVersion: string | undefined }>;
  /** Their certificates, by file. */
  certificates: Map<string, ServerCertificate>;
}

/** What edges next to each other by age add to a port. */
export interface PortShare {
  /** By host name. */
  names: ReadonlyMap<string, HostPlace>;
  /** By address. */
  addresses: ReadonlyMap<string, HostPlace>;
  /** The edges with an internal listener of their own, by id. */
  alone: ReadonlyMap<string, HostPlace>;
  /** Internal listeners for one edge each. */
  own: { entrance: TlsEntrance; bind: string }[];
  shared: WantedNames[];
  /** One for each list of addresses to listen on. */
  hostports: ServedHostport[];
}
