import type { Snapshot } from "../../traffic/src/snapshot.ts";

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
 * still exist, with the same routes, restrictions, rules and checks.
 */
export function takesAccessAway(before: Snapshot, after: Snapshot): boolean {
  const edges = new Map(after.edges.map((edge) => [edge.id, edge]));
  const isKept = (edge: Snapshot["edges"][number]): boolean => {
    const next = edges.get(edge.id);
    const hostports = new Set(next?.hostports);
    return edge.hostports.every((one) => hostports.has(one)) && accessIn(edge) === accessIn(next);
  };
  const rules = ({ ip_policies, certificate_authorities }: Snapshot): string =>
    JSON.stringify([ip_policies, certificate_authorities]);
  return !before.edges.every(isKept) || rules(before) !== rules(after);
}
