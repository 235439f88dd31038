import type {
  CircuitBreaker,
  HeaderChanges,
  IpRestriction,
  MutualTls,
  Route,
  Target,
  Termination,
  TrafficPolicy,
  UserAgentFilter,
} from "./snapshot.ts";

/*
 * Stored configuration, from which snapshots are resolved. Null means "not set".
 */

type Module<Value> = ({ enabled: boolean } & Value) | null;
/** A module whose fields can be null. */
type Partly<Value> = Module<{ [Name in keyof Value]: Value[Name] | null }>;

interface StoredEdge {
  id: string;
  hostports: string[] | null;
}

/** The fields that all edges and routes that forward traffic share. */
interface Forwarding {
  backend: Module<Target>;
  ip_restriction: Partly<IpRestriction>;
  traffic_policy: Module<Pick<TrafficPolicy, "value">>;
}

interface StoredTcpEdge extends StoredEdge, Forwarding {}

interface StoredTlsEdge extends StoredEdge, Forwarding {
  mutual_tls: Partly<MutualTls>;
  tls_termination: Module<{
    terminate_at: "edge" | "upstream";
    min_version: Termination["min_version"] | null;
  }>;
}

interface StoredHttpsEdge extends StoredEdge {
  mutual_tls: Partly<MutualTls>;
  tls_termination: Partly<Termination>;
}

interface StoredRoute extends Forwarding {
  edge_id: string;
  id: string;
  match_type: Route["match_type"] | null;
  match: string | null;
  circuit_breaker: Module<CircuitBreaker>;
  request_headers: Module<HeaderChanges>;
  response_headers: Module<HeaderChanges>;
  compression: { enabled: boolean } | null;
  user_agent_filter: Module<UserAgentFilter>;
  websocket_tcp_converter: { enabled: boolean } | null;
  webhook_verification: { enabled: boolean } | null;
}

/** A backend in the columns of its kind. All of them are null if the backend does not exist. */
export interface StoredBackend {
  id: string;
  address: string | null;
  tls: { enabled: boolean } | null;
  status_code: number | null;
  headers: Record<string, string> | null;
  body: string | null;
  failover: string | null;
  weighted: string | null;
  /** Children of a failover backend, in order; null for other backends, and if it has none. */
  children: string[] | null;
  /** Weights by child. */
  weights: Record<string, number> | null;
}

/** Everything needed to serve traffic, as stored. */
export interface StoredSnapshot {
  /** The number of the newest change. */
  version: number[];
  tcp: StoredTcpEdge[];
  tls: StoredTlsEdge[];
  https: StoredHttpsEdge[];
  routes: StoredRoute[];
  /** Policies of enabled restrictions, by id. */
  policies: { id: string; isThere: boolean }[];
  /**
   * `0+10.0.0.0/8`: index in `policies`, `+` for allow or `-` for deny, range. One string per rule, because there can be many.
   */
  rules: string[];
  /** Backends that enabled modules reach. */
  backends: StoredBackend[];
  authorities: { id: string; ca_pem: string }[];
}
