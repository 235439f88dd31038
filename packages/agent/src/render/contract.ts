import type { Problem } from "../../../model/src/traffic/problems.ts";
import type { Snapshot } from "../../../model/src/traffic/snapshot.ts";
import type { LogSettings } from "../base/log_line.ts";
import type { Algorithm } from "../policy/contract.ts";
import type { Arrangement } from "./arrangement.ts";
import type { Hostport } from "./hostport.ts";

/** The directories of a release with the certificates, and with the lists of the names that each is for. */
export const CERTIFICATE_FILES = "certificates";
export const CERTIFICATE_LISTS = "lists";

/** A server certificate. */
export interface ServerCertificate {
  /** Its path in a release, in {@link CERTIFICATE_FILES}. Certificates with the same file have the same names. */
  file: string;
  /** PEM: the chain, then the key. Without empty lines. */
  content: string;
  /** Its host names, in lower case. `*.` stands for one label. */
  names: readonly string[];
}

export interface Settings {
  /** The absolute directory of the rendered files when HAProxy reads them. One word: lists of certificates have no quotes before HAProxy 2.8. */
  directory: string;
  /** The absolute directory of unix sockets (mode 700). At most 40 bytes: a socket's path has at most 107, and HAProxy adds to it. */
  sockets: string;
  /** The certificate for a host name or IP literal. Undefined if there is none. */
  certificateFor: (host: string) => ServerCertificate | undefined;
  /** A file whose certificate names a host only in a way that clients ignore, for people. */
  certificateIgnoredFor?: (host: string) => string | undefined;
  /**
   * The addresses of a host name, as IP literals in the order in which to try them; undefined or empty if it cannot be resolved now.
   * HAProxy never resolves names itself, so every address in its configuration has passed `isUpstreamAllowed`. When addresses
   * change, render again.
   */
  resolve: (name: string) => readonly string[] | undefined;
  /** Whether an IP address can be an upstream. Called without brackets, and with IPv4-mapped addresses as IPv4. */
  isUpstreamAllowed: (address: string) => boolean;
  /** Why edges must not listen on a hostport; undefined if they can. */
  objectionTo: (hostport: Hostport) => ListenObjection | undefined;
  /** Whether a hostport should be served. */
  isWanted: (hostport: string) => boolean;
  ignoreTrafficPolicies: boolean;
  /** The key set with a URL. Without keys, tokens cannot be checked. */
  keySetOf: (url: string) => KeySet;
  /** Ids of edges and routes to leave out because HAProxy rejects them. Rendering does not report them. */
  rejected: ReadonlySet<string>;
  /** HAProxy's version: major, minor. */
  haproxy: readonly [number, number];
  /** Whether HAProxy can drop the trailers of requests. Defaults to false. */
  dropsTrailers?: boolean;
  /** Seconds that an upstream can be silent. Defaults to 60. */
  upstreamTimeout?: number;
  /** PEM file of the roots for upstreams with `tls`. Defaults to the system's roots. */
  upstreamRoots?: string;
  /** Where HAProxy serves its own metrics. Nowhere by default. */
  metrics?: ListenAddress;
  /** What HAProxy logs. Nothing by default. */
  log?: LogSettings;
  /** False on a machine without IPv6, where listening on [::] would fail. Defaults to true. */
  ipv6?: boolean;
  /** Port 80. Nothing listens there by default. */
  http?: PlainHttp;
}

/** What this machine answers without TLS. */
export interface PlainHttp {
  /** 80, except in tests. */
  port: number;
  /** The port of URLs that begin with `https:`, which is 443, except in tests. */
  httpsPort: number;
  /** Whether requests for served hosts are redirected to https. */
  isRedirected: boolean;
  /**
   * What the answer to a challenge for a host ends with: the thumbprint of its issuer's account. Returns undefined if no issuer is for the
   * host. Undefined if there are no issuers.
   */
  thumbprintFor: ((host: string) => string | undefined) | undefined;
  /** Why the port cannot be used at an address; undefined if it can. */
  objectionTo: (address: string) => string | undefined;
}

/** The sets of rules that entries name: the ids of one or more policies, by name. */
export type NamedPolicies = ReadonlyMap<string, readonly string[]>;

/** A public key that verifies tokens. */
export interface PublicKey {
  /** Its id in the key set; tokens must name it. */
  kid?: string | undefined;
  /** The algorithms that it can be used with. */
  algorithms: Algorithm[];
  /** In SPKI form. */
  pem: string;
}

/** The keys of a key set as they were last fetched. */
export interface KeySet {
  keys: PublicKey[];
  /** Why the last attempt to fetch it failed. */
  error?: string;
}

export interface Listener {
  address: string;
  port: number;
  v6only: boolean;
}

/** The converter must listen on `socket` before HAProxy is reloaded. */
export interface RouteConversion {
  socket: string;
  route: string;
  /** HAProxy's unix socket for the bytes. HAProxy applies weights, failover and TLS there. */
  upstream: string;
}

/** What HAProxy loads. */
export interface Loaded extends Pick<Configuration, "files"> {
  /** What the maps say. They can be changed without a reload, and so can certificates and their lists. */
  arrangement: Arrangement;
  /** The policies of each set of rules. */
  named: NamedPolicies;
}

/** The configuration of HAProxy, and what it needs. */
export interface Configuration {
  /** Contents by path relative to `directory`, including `haproxy.cfg`, and without the maps. */
  files: ReadonlyMap<string, string>;
  /** Every address that HAProxy listens on. */
  listeners: Listener[];
  conversions: RouteConversion[];
  /** The keys with which tokens are checked, by URL. */
  keys: Readonly<Record<string, readonly PublicKey[]>>;
  /** Configuration that is not served as written, by object and code. */
  problems: Problem[];
}

/** Edges that are served, with the hostports on which they are. */
export interface ServedGroup {
  served: readonly {
    edge: { id: string };
    hostports: readonly { certificate?: ServerCertificate | undefined }[];
  }[];
}

export interface Rendered extends Loaded, Configuration {
  snapshot: Snapshot;
  /** The edges that are served, in groups. */
  groups: readonly ServedGroup[];
  /** What HAProxy had then. */
  before: Arrangement | undefined;
}

/** An address and a port to listen on. */
export type ListenAddress = Omit<Listener, "v6only">;

/** Why edges must not listen on a hostport. */
export interface ListenObjection {
  code: string;
  msg: string;
}
