import type { Problem } from "../../../traffic/src/snapshot.ts";
import type { Objection } from "../guard.ts";
import type { Hostport } from "./hostport.ts";

export interface Settings {
  /** Absolute directory in which the rendered files will lie when HAProxy reads them. */
  directory: string;
  /** Absolute directory for unix sockets (mode 700): at most 40 bytes, as a socket's path has 107 and HAProxy adds to it. */
  sockets: string;
  /** Certificate file for a host name or IP literal (a PEM with chain and key); undefined if there is none. */
  certificateFor: (host: string) => string | undefined;
  /**
   * The addresses of a host name (IP literals), in the order in which they are to be tried; undefined or empty if it cannot be
   * resolved now. The agent resolves names, HAProxy never does: so each address is held to `isUpstreamAllowed` before it stands
   * in the configuration, and a name cannot lead elsewhere later. Resolve at each turn of the loop and render anew.
   */
  resolve: (name: string) => readonly string[] | undefined;
  /** Whether an address may be called: asked for IP literals only (no brackets; IPv4-mapped ones as IPv4). */
  isUpstreamAllowed: (address: string) => boolean;
  /** Why a hostport must not be listened on; undefined if it may be. */
  objectionTo: (hostport: Hostport) => Objection | undefined;
  /** Which edges are wanted, by hostport. */
  isWanted: (hostport: string) => boolean;
  ignoreTrafficPolicies: boolean;
  /** Edges and routes to be left out because HAProxy refused them, by id; whoever found that reports it. */
  rejected: ReadonlySet<string>;
  /** Version of HAProxy as [major, minor]. */
  haproxy: readonly [number, number];
  /** PEM file of the roots that upstreams with `tls` are held to; those of the system when left out. */
  upstreamRoots?: string;
  /** False on a machine without IPv6, where listening on [::] would fail; true when left out. */
  ipv6?: boolean;
}

export interface Listener {
  address: string;
  port: number;
  v6only: boolean;
}

/** What must listen on the unix socket `socket` before the proxy is reloaded. */
export interface RouteConversion {
  socket: string;
  route: string;
  /** Unix socket of the proxy to which the bytes of a websocket are written: weights, failover and TLS are behind it. */
  upstream: string;
}

export interface Rendered {
  /** Content by path relative to `directory`; `haproxy.cfg` is one of them. */
  files: Map<string, string>;
  /** Every address that it listens on. */
  listeners: Listener[];
  /** Relative paths of the ACL files, which alone may be changed through the runtime API. */
  acls: string[];
  conversions: RouteConversion[];
  /** What is not served as written, ordered by object and code. */
  problems: Problem[];
}
