/**
 * What the agent reads from `GET /snapshot`: configuration that is to be served, resolved by the service and of one instant.
 * Stated here once more, as what the agent relies on.
 */

/** GET /snapshot: 200 with ETag; If-None-Match -> 304. */
export interface Snapshot {
  /** Number of the newest change. */
  version: number;
  /** Only what is to be served; oldest first. What is not served as written stands in `problems`. */
  edges: Edge[];
  /** Policies of enabled restrictions in `edges`: canonical CIDRs, IPv4-mapped ones already as IPv4, expired rules gone. A deleted policy is there with empty lists. */
  ip_policies: Record<string, { allow: string[]; deny: string[] }>;
  backends: Record<string, Backend>;
  /** PEM by id. */
  certificate_authorities: Record<string, string>;
  /** Ordered by object and code; one for each pair. */
  problems: Problem[];
}
export interface Problem {
  object: string /* id */;
  code: string;
  msg: string;
}

/** Only enabled modules are there, without `enabled`. */
interface EdgeBase {
  id: string;
  hostports: string[] /* lower case, no trailing dot, canonical [ipv6]; only those that this edge won */;
}
export type Edge =
  | (EdgeBase & {
      kind: "tcp";
      backend: { backend_id: string };
      ip_restriction?: IpRestriction;
      traffic_policy?: { value: string };
    })
  | (EdgeBase & {
      kind: "tls";
      backend: { backend_id: string };
      ip_restriction?: IpRestriction;
      traffic_policy?: { value: string };
      /** Absent: TLS passes through to the upstream. */
      tls_termination?: TlsTermination;
      mutual_tls?: MutualTls /* only with tls_termination */;
    })
  | (EdgeBase & { kind: "https"; tls_termination: TlsTermination; mutual_tls?: MutualTls; routes: Route[] });
interface TlsTermination {
  min_version: "1.0" | "1.1" | "1.2" | "1.3" /* the default is filled in */;
}
interface MutualTls {
  certificate_authority_ids: string[] /* at least one, all present */;
}
export interface IpRestriction {
  ip_policy_ids: string[] /* may be empty: refuses everybody */;
}
export interface Route {
  id: string;
  match_type: "exact_path" | "path_prefix";
  match: string;
  /** Absent: this path answers 503 and never falls through to a shorter route (its backend or a module cannot be served). */
  backend?: { backend_id: string };
  ip_restriction?: IpRestriction;
  traffic_policy?: { value: string };
  circuit_breaker?: {
    tripped_duration: number;
    rolling_window: number;
    num_buckets: number;
    volume_threshold: number;
    error_threshold_percentage: number;
  };
  request_headers?: { add: Record<string, string> | null; remove: string[] | null };
  response_headers?: { add: Record<string, string> | null; remove: string[] | null };
  compression?: Record<string, never>;
  user_agent_filter?: { allow: string[] | null; deny: string[] | null };
  websocket_tcp_converter?: Record<string, never>;
}
export type Backend =
  | {
      kind: "static";
      address: string /* host:port */;
      tls: boolean /* verify against system roots for the host, send it as SNI */;
    }
  | {
      kind: "http_response";
      status_code: number /* 200-599 */;
      headers: Record<string, string>;
      body: string;
    }
  | {
      kind: "failover";
      backends: string[] /* in order; failover, weighted or leaves; all present; no cycles */;
    }
  | { kind: "weighted"; backends: Record<string, number> /* leaves; 0-10000, not all 0 */ };
