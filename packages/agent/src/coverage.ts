import { createHash } from "node:crypto";
import { type Coverage, coverageOf, type Exception, NOT_WANTED } from "../../traffic/src/coverage.ts";
import type { Problem } from "../../traffic/src/problems.ts";
import type { Edge, Snapshot } from "../../traffic/src/snapshot.ts";
import type { ServedGroup } from "./render/contract.ts";
import type { Access } from "./stricter.ts";

/*
 * Which edges this machine serves, as it is reported: the edges that were rendered, and the problems that say why others were not.
 */

/** Codes of problems with which everything is served, though not exactly as written. */
const HARMLESS: ReadonlySet<string> = new Set([
  "body_left_out",
  "certificate_authority_same_subject",
  "certificate_authority_without_root",
  "circuit_breaker_shortened",
  "clock_set_back",
  "header_escaped",
  "header_left_out",
  "weight_distorted",
]);

const NOT_NAMED = { code: NOT_WANTED, msg: "This agent was started with --only, and without this hostport." };

const exception = (effect: Exception["effect"], { code, msg }: Omit<Problem, "object">): Exception => ({
  effect,
  code,
  msg,
});

/** What was applied. */
export interface AppliedAccess extends Access {
  /** The edges that are served. */
  groups: readonly ServedGroup[];
}

/** Which of the edges of what was applied are served. */
export function coverageOfApplied({ snapshot, problems, groups }: AppliedAccess): Coverage {
  const served = new Map(
    groups.flatMap((group) =>
      group.served.map(({ edge, hostports }) => [edge.id, hostports.length] as const),
    ),
  );
  const reasons = new Map<string, Problem>();
  for (const problem of problems)
    if (!HARMLESS.has(problem.code) && !reasons.has(problem.object)) reasons.set(problem.object, problem);
  const ofBackend = reasonsOfBackends(reasons, snapshot);
  const exceptions = new Map<string, Exception>();
  for (const edge of snapshot.edges) {
    const count = served.get(edge.id) ?? 0;
    const own = reasons.get(edge.id);
    if (count === 0) exceptions.set(edge.id, exception("not_served", own ?? NOT_NAMED));
    else if (count < edge.hostports.length) exceptions.set(edge.id, exception("partly", own ?? NOT_NAMED));
    else {
      const reason = reasons.size === 0 ? undefined : (own ?? reasonWithin(edge, reasons, ofBackend));
      if (reason) exceptions.set(edge.id, exception("partly", reason));
    }
  }
  return coverageOf(
    snapshot.edges.map(({ id }) => id),
    exceptions,
    (text) => createHash("sha256").update(text).digest("hex"),
  );
}

/** Why a part of an edge is not served: one of its routes, or a backend. */
function reasonWithin(
  edge: Edge,
  reasons: ReadonlyMap<string, Problem>,
  ofBackend: (id: string) => Problem | undefined,
): Problem | undefined {
  if (edge.kind !== "https") return ofBackend(edge.backend.backend_id);
  for (const { id, backend } of edge.routes) {
    const reason = reasons.get(id) ?? (backend && ofBackend(backend.backend_id));
    if (reason) return reason;
  }
  return undefined;
}

/** Finds the problem of a backend, or of a backend in it. */
function reasonsOfBackends(
  reasons: ReadonlyMap<string, Problem>,
  { backends }: Snapshot,
): (id: string) => Problem | undefined {
  const known = new Map<string, Problem | undefined>();
  const find = (id: string): Problem | undefined => {
    if (known.has(id)) return known.get(id);
    known.set(id, undefined);
    const reason = reasons.get(id) ?? childrenOf(backends[id]).map(find).find(Boolean);
    known.set(id, reason);
    return reason;
  };
  return find;
}

function childrenOf(backend: Snapshot["backends"][string] | undefined): string[] {
  if (backend?.kind === "failover") return backend.backends;
  return backend?.kind === "weighted" ? Object.keys(backend.backends) : [];
}
