import type { PolicyOwner } from "../policy/compile.ts";
import { unmapped } from "../values/cidrs.ts";
import { byAge, claimAll } from "./claims.ts";
import { endingRanges, withEnds } from "./ends.ts";
import { type Judge, NOT_ENFORCED, objectionTo, type Offered } from "./objections.ts";
import { type MatchProblem, matchProblems, storedMatch } from "./paths.ts";
import { Problems } from "./problems.ts";
import type {
  Backend,
  Edge,
  HttpsEdge,
  IpRestriction,
  MutualTls,
  Policy,
  Route,
  Snapshot,
  Termination,
} from "./snapshot.ts";
import type { StoredBackend, StoredPolicy, StoredSnapshot } from "./stored_snapshot.ts";

/*
 * Resolves stored configuration to a snapshot. Whatever cannot be enforced is not served, and becomes a problem: nothing is left
 * out silently.
 */

type Stored<Kind extends Exclude<keyof StoredSnapshot, "version">> = StoredSnapshot[Kind][number];

/** Who gets which hostports. */
type Won = Pick<ReturnType<typeof claimAll>, "byEdge">;

/** The minimum TLS version of an edge that does not set one. */
const MIN_VERSION = "1.2";

/** An object with the module under its name, without `enabled`; empty if the module is not enabled. */
function ifEnabled<Name extends string, Module extends { enabled: boolean }>(
  name: Name,
  module: Module | null,
): Partial<Record<Name, Omit<Module, "enabled">>>;
function ifEnabled(name: string, module: { enabled: boolean } | null): object {
  if (!module?.enabled) return {};
  const { enabled: _, ...rest } = module;
  return { [name]: rest };
}

/** The modules of a route that nothing else depends on. */
const plainModulesOf = (row: Stored<"routes">) => ({
  ...ifEnabled("circuit_breaker", row.circuit_breaker),
  ...ifEnabled("request_headers", row.request_headers),
  ...ifEnabled("response_headers", row.response_headers),
  ...ifEnabled("compression", row.compression),
  ...ifEnabled("user_agent_filter", row.user_agent_filter),
  ...ifEnabled("websocket_tcp_converter", row.websocket_tcp_converter),
});

/** The HTTPS edges whose clients have certificates. */
const authenticatingIn = ({ https }: StoredSnapshot): Set<string> =>
  new Set(https.flatMap(({ id, mutual_tls }) => (mutual_tls?.enabled === true ? [id] : [])));

/** What a route offers to its policy. */
const offeredTo = ({ edge_id, circuit_breaker }: Stored<"routes">, authenticating: Set<string>): Offered => ({
  tls_termination: true,
  mutual_tls: authenticating.has(edge_id),
  counters: circuit_breaker?.enabled !== true,
});

/** Whether a TLS edge terminates TLS. */
export const isTerminated = ({
  tls_termination: termination,
}: Pick<Stored<"tls">, "tls_termination">): boolean =>
  termination?.enabled === true && termination.terminate_at === "edge";

/** What a TLS edge offers to its policy. */
const offeredBy = (terminates: boolean, mutualTls: Stored<"tls">["mutual_tls"]): Offered => ({
  tls_termination: terminates,
  mutual_tls: terminates && mutualTls?.enabled === true,
});

/** Functions that resolve the common parts of edges and routes from their rows. They add errors to `problems`. */
function commonParts(
  stored: StoredSnapshot,
  backends: Backends,
  problems: Problems,
  judge: Judge,
  { byEdge }: Won,
) {
  for (const [id, { lost }] of byEdge)
    for (const { code, hostport, holder } of lost) problems.add(id, code, `${hostport} belongs to ${holder}`);
  const authorities = new Set(stored.authorities.map(({ id }) => id));
  const there = new Set(stored.policies.map(({ id }) => id));

  /** The restriction of an edge or a route. */
  const restrictionOf = ({ id, ip_restriction }: Stored<"tcp"> | Stored<"routes">) => {
    if (!ip_restriction?.enabled) return {};
    const ids = [...new Set(ip_restriction.ip_policy_ids)];
    for (const policy of ids) if (!there.has(policy)) problems.add(id, "policy_missing", policy);
    return { ip_restriction: { ip_policy_ids: ids } satisfies IpRestriction };
  };

  /** The mutual TLS of an edge that terminates TLS; undefined if it cannot be enforced. */
  const mutualTlsOf = ({ id, mutual_tls }: Stored<"tls"> | Stored<"https">) => {
    if (!mutual_tls?.enabled) return {};
    const ids = [...new Set(mutual_tls.certificate_authority_ids)];
    const missing = ids.filter((authority) => !authorities.has(authority));
    for (const authority of missing) problems.add(id, "authority_missing", authority);
    if (ids.length === 0) problems.add(id, "authority_missing");
    if (ids.length === 0 || missing.length > 0) return undefined;
    return { mutual_tls: { certificate_authority_ids: ids } satisfies MutualTls };
  };

  /** The backend of an edge or a route; undefined if it cannot be served. */
  const backendOf = ({ id, backend }: Stored<"tcp"> | Stored<"routes">) => {
    if (!backend?.enabled) {
      problems.add(id, "backend_not_set");
      return undefined;
    }
    if (backends.isUsable(backend.backend_id)) return { backend_id: backend.backend_id };
    problems.add(id, "backend_unusable", backend.backend_id);
    return undefined;
  };

  /** The policy of an edge or a route, with its program if it can be enforced there. */
  const trafficPolicyOf = (
    { id, traffic_policy: policy }: Stored<"tcp"> | Stored<"routes">,
    target: PolicyOwner,
    offered: Offered = {},
  ) => {
    if (!policy?.enabled) return {};
    const { value } = policy;
    const { verdict, findings, program } = judge(value, target);
    const [code, detail] = objectionTo(verdict, findings, program, offered);
    if (code !== undefined) problems.add(id, code, detail);
    return { traffic_policy: { value, ...(program && code !== NOT_ENFORCED && { program }) } };
  };

  const frameOf = <Kind extends Edge["kind"]>(kind: Kind, { id }: { id: string }) => ({
    id,
    kind,
    hostports: byEdge.get(id)?.won ?? [],
  });

  return { restrictionOf, mutualTlsOf, backendOf, trafficPolicyOf, frameOf };
}

/** A stored route, with the problem of its match. */
interface StoredRoute {
  row: Stored<"routes">;
  fault: MatchProblem | undefined;
}

/** The routes of each HTTPS edge, oldest first. */
function routesByEdge({ https, routes }: StoredSnapshot): Map<string, StoredRoute[]> {
  const rows = new Map<string, Stored<"routes">[]>(https.map(({ id }) => [id, []]));
  for (const row of routes) rows.get(row.edge_id)?.push(row);
  return new Map(
    [...rows].map(([edge, unordered]) => {
      const own = unordered.toSorted(byAge);
      const faults = matchProblems(own.map(storedMatch));
      return [edge, own.map((row) => ({ row, fault: faults.get(row.id) }))];
    }),
  );
}

/** Resolves stored configuration to a snapshot. @param claims what {@link claimAll} returns for it */
export function resolve(stored: StoredSnapshot, judge: Judge, claims: Won = claimAll(stored)): Snapshot {
  const problems = new Problems();
  const backends = new Backends(stored.backends, problems);
  const { restrictionOf, mutualTlsOf, backendOf, trafficPolicyOf, frameOf } = commonParts(
    stored,
    backends,
    problems,
    judge,
    claims,
  );

  const tcpEdge = (edge: Stored<"tcp">): Edge | undefined => {
    const backend = backendOf(edge);
    if (!backend) return undefined;
    return { ...frameOf("tcp", edge), backend, ...restrictionOf(edge), ...trafficPolicyOf(edge, "tcp_edge") };
  };

  const tlsEdge = (edge: Stored<"tls">): Edge | undefined => {
    const { id, mutual_tls } = edge;
    const terminates = isTerminated(edge);
    const backend = backendOf(edge);
    const common = {
      ...frameOf("tls", edge),
      ...restrictionOf(edge),
      ...trafficPolicyOf(edge, "tls_edge", offeredBy(terminates, mutual_tls)),
    };
    if (!terminates) {
      if (mutual_tls?.enabled) problems.add(id, "mutual_tls_not_terminated");
      const response = backend && backends.responseIn(backend.backend_id);
      if (response !== undefined) problems.add(id, "response_not_terminated", response);
      return backend && !mutual_tls?.enabled && response === undefined ? { ...common, backend } : undefined;
    }
    const mutualTls = mutualTlsOf(edge);
    return backend && mutualTls && { ...common, backend, ...terminationOf(edge), ...mutualTls };
  };

  const authenticating = authenticatingIn(stored);
  const route = ({ row, fault }: StoredRoute): Route => {
    if (row.webhook_verification?.enabled) problems.add(row.id, "webhook_not_verified");
    if (fault) problems.add(row.id, fault.code, fault.detail);
    const backend = backendOf(row);
    return {
      ...storedMatch(row),
      ...(backend && !row.webhook_verification?.enabled && !fault && { backend }),
      ...restrictionOf(row),
      ...trafficPolicyOf(row, "https_edge_route", offeredTo(row, authenticating)),
      ...plainModulesOf(row),
    };
  };

  const routes = routesByEdge(stored);
  const httpsEdge = (edge: Stored<"https">): HttpsEdge | undefined => {
    const mutualTls = mutualTlsOf(edge);
    const own = (routes.get(edge.id) ?? []).map(route);
    return mutualTls && { ...frameOf("https", edge), ...terminationOf(edge), ...mutualTls, routes: own };
  };

  /** Edges without a hostport are resolved too, for their problems, and then left out. */
  const edges = [...stored.tcp.map(tcpEdge), ...stored.tls.map(tlsEdge), ...stored.https.map(httpsEdge)]
    .filter((edge) => edge !== undefined && edge.hostports.length > 0)
    .flatMap((edge) => edge ?? [])
    .toSorted(byAge);

  const authorities = new Map(stored.authorities.map(({ id, ca_pem }) => [id, ca_pem]));
  return {
    version: stored.version,
    edges,
    ip_policies: ipPolicies(stored.policies, edges.flatMap(ipPoliciesIn)),
    backends: backends.reachedFrom(edges.flatMap(targetsIn)),
    certificate_authorities: Object.fromEntries(
      edges
        .flatMap(authoritiesIn)
        .toSorted()
        .map((id) => [id, authorities.get(id) ?? ""]),
    ),
    problems: problems.list(),
  };
}

const terminationOf = ({ tls_termination: termination }: Stored<"tls"> | Stored<"https">) => ({
  tls_termination: {
    min_version: (termination?.enabled ? termination.min_version : null) ?? MIN_VERSION,
  } satisfies Termination,
});

/** The rules of some policies. A policy that does not exist has none. */
function ipPolicies(policies: StoredPolicy[], ids: string[]): Record<string, Policy> {
  const stored = new Map(policies.map((policy) => [policy.id, policy]));
  return Object.fromEntries(
    [...new Set(ids)].toSorted().map((id) => {
      const policy = stored.get(id);
      return [id, policy ? rulesOf(policy) : { allow: [], deny: [] }];
    }),
  );
}

/** The rules of policies that were resolved before: of many, few change. */
const known = new WeakMap<StoredPolicy, Policy>();

/** A policy's rules: distinct ranges in order. */
export function rulesOf(policy: StoredPolicy): Policy {
  const found = known.get(policy);
  if (found) return found;
  const { allow, deny, ...ends } = withEnds(
    endingRanges(policy, "allow", unmapped),
    endingRanges(policy, "deny", unmapped),
  );
  const rules = { allow: allow.toSorted(), deny: deny.toSorted(), ...ends };
  known.set(policy, rules);
  return rules;
}

/** The objects with the backend and the IP restriction: the edge, or its routes. */
const entriesOf = (edge: Edge): Pick<Route, "backend" | "ip_restriction">[] =>
  edge.kind === "https" ? edge.routes : [edge];
export const targetsIn = (edge: Edge): string[] =>
  entriesOf(edge).flatMap(({ backend }) => (backend ? [backend.backend_id] : []));
export const ipPoliciesIn = (edge: Edge): string[] =>
  entriesOf(edge).flatMap(({ ip_restriction }) => ip_restriction?.ip_policy_ids ?? []);
export const authoritiesIn = (edge: Edge): string[] =>
  edge.kind === "tcp" ? [] : (edge.mutual_tls?.certificate_authority_ids ?? []);

/** The stored backends, without children that cannot be served. */
class Backends {
  readonly #stored: Map<string, StoredBackend>;
  readonly #problems: Problems;
  /** The resolved backends; undefined for a backend that cannot be served. */
  readonly #known = new Map<string, Backend | undefined>();

  constructor(stored: StoredBackend[], problems: Problems) {
    this.#stored = new Map(stored.map((backend) => [backend.id, backend]));
    this.#problems = problems;
  }

  /** Whether anything in a backend can be served. */
  isUsable(id: string): boolean {
    return this.#find(id) !== undefined;
  }

  /** The id of a fixed response in a backend, if there is one. */
  responseIn(id: string): string | undefined {
    return this.#within([id]).find((each) => this.#find(each)?.kind === "http_response");
  }

  /** Backends by id: these, and the backends that they reach. */
  reachedFrom(ids: string[]): Record<string, Backend> {
    const reached = this.#within(ids).toSorted();
    return Object.fromEntries(
      reached.flatMap((id): [string, Backend][] => {
        const backend = this.#find(id);
        return backend ? [[id, backend]] : [];
      }),
    );
  }

  #within(ids: string[]): string[] {
    return reachedFrom(ids, (id) => childrenOf(this.#find(id)));
  }

  #find(id: string): Backend | undefined {
    if (!this.#known.has(id))
      for (const each of this.#childrenFirst(id)) this.#known.set(each, this.#read(this.#stored.get(each)));
    return this.#known.get(id);
  }

  /** The unresolved backends that a backend reaches, each after its children. Not recursive, because nesting can be deep. */
  #childrenFirst(id: string): string[] {
    const ordered = new Set<string>();
    const open = [{ id, isExpanded: false }];
    const expanded = new Set<string>();
    for (let next = open.pop(); next; next = open.pop()) {
      if (next.isExpanded) ordered.add(next.id);
      if (expanded.has(next.id) || this.#known.has(next.id)) continue;
      expanded.add(next.id);
      open.push({ id: next.id, isExpanded: true });
      for (const child of childrenOf(this.#stored.get(next.id))) open.push({ id: child, isExpanded: false });
    }
    return [...ordered];
  }

  #read(stored: StoredBackend | undefined): Backend | undefined {
    if (!stored) return undefined;
    const { id, kind } = stored;
    if (kind === "static") return staticBackend(stored);
    if (kind === "http_response") {
      const { status_code, headers, body } = stored;
      if (status_code >= 200) return { kind, status_code, headers: headers ?? {}, body: body ?? "" };
      this.#problems.add(id, "response_impossible");
      return undefined;
    }
    if (kind === "failover") {
      const backends = (stored.backends ?? []).filter((child) => this.#isServable(id, child));
      return backends.length > 0 ? { kind, backends } : undefined;
    }
    const weights = Object.entries(stored.backends ?? {}).filter(([child]) => this.#isServable(id, child));
    return weights.some(([, weight]) => weight > 0)
      ? { kind, backends: Object.fromEntries(weights) }
      : undefined;
  }

  #isServable(parent: string, child: string): boolean {
    if (!this.#stored.has(child)) this.#problems.add(parent, "backend_missing", child);
    return this.isUsable(child);
  }
}

type StoredStatic = Extract<StoredBackend, { kind: "static" }>;

/** The static backends that were resolved before. */
const knownStatic = new WeakMap<StoredStatic, Backend>();

export function staticBackend(stored: StoredStatic): Backend {
  const { kind, address, tls } = stored;
  const found = knownStatic.get(stored) ?? { kind, address, tls: tls?.enabled === true };
  knownStatic.set(stored, found);
  return found;
}

/** The ids of the backends that a backend names. */
export function childrenOf(backend: StoredBackend | Backend | undefined): string[] {
  if (backend?.kind === "failover") return backend.backends ?? [];
  return backend?.kind === "weighted" ? Object.keys(backend.backends ?? {}) : [];
}

/** Some ids and all ids that are reachable from them. Not recursive, because nesting can be deep. */
export function reachedFrom(ids: readonly string[], next: (id: string) => readonly string[]): string[] {
  const reached = new Set<string>();
  const open = [...ids];
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    if (reached.has(id)) continue;
    reached.add(id);
    open.push(...next(id));
  }
  return [...reached];
}
