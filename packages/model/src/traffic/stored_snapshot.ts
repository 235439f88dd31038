import type { WithEnds } from "./ends.ts";
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

export type StoredBackend = { id: string } & (
  | { kind: "static"; address: string; tls: { enabled: boolean } | null }
  | {
      kind: "http_response";
      status_code: number;
      headers: Record<string, string> | null;
      body: string | null;
    }
  /** Children, in order. */
  | { kind: "failover"; backends: string[] | null }
  /** Weights by child. */
  | { kind: "weighted"; backends: Record<string, number> | null }
);

/** The ranges of an IP policy's rules, in any order, as the rules have them. */
export interface StoredPolicy extends WithEnds {
  id: string;
  allow: string[];
  deny: string[];
}

/** Everything needed to serve traffic, as stored. Objects that nothing uses may be there or not. */
export interface StoredSnapshot {
  /** The number of the newest change. */
  version: number;
  tcp: StoredTcpEdge[];
  tls: StoredTlsEdge[];
  https: StoredHttpsEdge[];
  routes: StoredRoute[];
  policies: StoredPolicy[];
  backends: StoredBackend[];
  authorities: { id: string; ca_pem: string }[];
}

/** Stored objects by kind. */
export type StoredLists = Omit<StoredSnapshot, "version">;

/** Stored objects, by id within each kind. */
export type StoredById = { [Kind in keyof StoredLists]: Map<string, StoredLists[Kind][number]> };

/** No objects. */
export const noLists = (): StoredLists => ({
  tcp: [],
  tls: [],
  https: [],
  routes: [],
  policies: [],
  backends: [],
  authorities: [],
});

/** No objects. */
export const noObjects = (): StoredById => ({
  tcp: new Map(),
  tls: new Map(),
  https: new Map(),
  routes: new Map(),
  policies: new Map(),
  backends: new Map(),
  authorities: new Map(),
});

/** The objects as lists. */
export const listsOf = ({
  tcp,
  tls,
  https,
  routes,
  policies,
  backends,
  authorities,
}: StoredById): StoredLists => ({
  tcp: [...tcp.values()],
  tls: [...tls.values()],
  https: [...https.values()],
  routes: [...routes.values()],
  policies: [...policies.values()],
  backends: [...backends.values()],
  authorities: [...authorities.values()],
});
