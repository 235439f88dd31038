import type { Problem } from "../../model/src/traffic/problems.ts";
import type { Snapshot } from "../../model/src/traffic/snapshot.ts";

/** What decides which requests HAProxy rejects. */
export interface AccessState {
  snapshot: Snapshot;
  /** Why parts of it are not served. */
  problems: readonly Problem[];
  /** The keys with which tokens are checked, by URL. They change without a new snapshot. */
  keys: Readonly<Record<string, unknown>>;
}

/** Members of edges and routes of which only the presence matters to who gets in. */
const INDIFFERENT = new Set([
  "hostports",
  "backend",
  "circuit_breaker",
  "compression",
  "request_headers",
  "response_headers",
  "websocket_tcp_converter",
]);

const accessIn = (value: unknown): string =>
  JSON.stringify(value, (member, own: unknown) => (INDIFFERENT.has(member) ? true : own));

/**
 * Whether the version `after` may reject a request that `before` serves. Can be true although it rejects none. False only if all edges
 * still exist, with the same routes, restrictions, rules and checks. True if it is not known what was served before.
 */
export function takesAccessAway(before: AccessState | undefined, after: AccessState): boolean {
  if (!before) return true;
  const edges = new Map(after.snapshot.edges.map((edge) => [edge.id, edge]));
  const isKept = (edge: Snapshot["edges"][number]): boolean => {
    const next = edges.get(edge.id);
    const hostports = new Set(next?.hostports);
    return edge.hostports.every((one) => hostports.has(one)) && accessIn(edge) === accessIn(next);
  };
  const known = new Set(before.problems.map((problem) => JSON.stringify(problem)));
  return (
    !before.snapshot.edges.every(isKept) ||
    !after.problems.every((problem) => known.has(JSON.stringify(problem))) ||
    rulesIn(before) !== rulesIn(after)
  );
}

/** What the checks of edges and routes refer to. */
const rulesIn = ({ snapshot, keys }: AccessState): string =>
  JSON.stringify([snapshot.ip_policies, snapshot.certificate_authorities, keys]);
