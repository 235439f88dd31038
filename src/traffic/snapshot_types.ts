import type { StoredCircuitBreaker, StoredHeaders, StoredUserAgentFilter } from "../db/stored.ts";

/*
 * The snapshot: everything that serving traffic needs, resolved, of one instant. Only enabled modules are in it, without
 * `enabled`; what is not served as it is written stands among its problems.
 */

export interface Snapshot {
  /** Number of the newest change. */
  version: number;
  /** What is to be served, oldest first. */
  edges: SnapshotEdge[];
  /** Those of the restrictions in `edges`, by id. A deleted policy is there, without rules. */
  ip_policies: Record<string, SnapshotPolicy>;
  /** Those that `edges` reach, by id. */
  backends: Record<string, SnapshotBackend>;
  /** PEM by id. */
  certificate_authorities: Record<string, string>;
  /** By object and code, at most one for each pair. */
  problems: Problem[];
}

/** What is not served as it is written, or not at all. */
export interface Problem {
  /** Id of the object. */
  object: string;
  code: string;
  msg: string;
}

export interface SnapshotRestriction {
  /** Their rules are one set. None: nobody is let in. */
  ip_policy_ids: string[];
}

export interface SnapshotTermination {
  min_version: "1.0" | "1.1" | "1.2" | "1.3";
}

export interface SnapshotMutualTls {
  /** At least one; all of them are in the snapshot. */
  certificate_authority_ids: string[];
}

type Enabled<Stored> = Omit<Stored, "enabled">;

interface Target {
  backend_id: string;
}

interface Policy {
  value: string;
}

interface EdgeBase {
  id: string;
  /** `host:port`, in lower case, addresses in canonical form, without those that an older edge has. */
  hostports: string[];
}

export interface SnapshotTcpEdge extends EdgeBase {
  kind: "tcp";
  backend: Target;
  ip_restriction?: SnapshotRestriction;
  traffic_policy?: Policy;
}

export interface SnapshotTlsEdge extends Omit<SnapshotTcpEdge, "kind"> {
  kind: "tls";
  /** Without it, TLS is passed through to the upstream. */
  tls_termination?: SnapshotTermination;
  /** Only with `tls_termination`. */
  mutual_tls?: SnapshotMutualTls;
}

export interface SnapshotHttpsEdge extends EdgeBase {
  kind: "https";
  tls_termination: SnapshotTermination;
  mutual_tls?: SnapshotMutualTls;
  /** Oldest first. */
  routes: SnapshotRoute[];
}

export type SnapshotEdge = SnapshotTcpEdge | SnapshotTlsEdge | SnapshotHttpsEdge;

export interface SnapshotRoute {
  id: string;
  match_type: "exact_path" | "path_prefix";
  match: string;
  /** Without it, requests for this path are refused: they are never served by another route. */
  backend?: Target;
  ip_restriction?: SnapshotRestriction;
  traffic_policy?: Policy;
  circuit_breaker?: Enabled<StoredCircuitBreaker>;
  request_headers?: Enabled<StoredHeaders>;
  response_headers?: Enabled<StoredHeaders>;
  compression?: Record<string, never>;
  user_agent_filter?: Enabled<StoredUserAgentFilter>;
  websocket_tcp_converter?: Record<string, never>;
}

/** CIDRs in canonical form, IPv4-mapped ones as IPv4, without those of rules that have ended. */
export interface SnapshotPolicy {
  allow: string[];
  deny: string[];
}

export type SnapshotBackend =
  | { kind: "static"; address: string; tls: boolean }
  | { kind: "http_response"; status_code: number; headers: Record<string, string>; body: string }
  | { kind: "failover"; backends: string[] }
  | { kind: "weighted"; backends: Record<string, number> };
