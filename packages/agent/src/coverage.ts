import { createHash } from "node:crypto";
import { type Coverage, coverageOf, type Exception, NOT_WANTED } from "../../model/src/traffic/coverage.ts";
import type { Problem } from "../../model/src/traffic/problems.ts";
import type { Edge, Snapshot } from "../../model/src/traffic/snapshot.ts";
import type { ServedGroup } from "./render/contract.ts";
import type { AccessState } from "./stricter.ts";

/*
 * The report of which edges this machine serves: the edges that were rendered, and for the others the problems that explain why.
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

const NOT_NAMED = {
  code: NOT_WANTED,
  msg: "The agent was started with --only, which does not include this hostport.",
};

const exception = (effect: Exception["effect"], { code, msg }: Omit<Problem, "object">): Exception => ({
  effect,
  code,
  msg,
});

/** What was applied. */
export interface AppliedAccess extends AccessState {
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
  const backends = new Backends(reasons, snapshot);
  const exceptions = new Map<string, Exception>();
  for (const edge of snapshot.edges) {
    const count = served.get(edge.id) ?? 0;
    const own = reasons.get(edge.id);
    if (count === 0) exceptions.set(edge.id, exception("not_served", own ?? NOT_NAMED));
    else {
      const within = reasons.size === 0 ? undefined : reasonWithin(edge, reasons, backends);
      if (within?.effect === "not_served") exceptions.set(edge.id, within);
      else if (count < edge.hostports.length) exceptions.set(edge.id, exception("partly", own ?? NOT_NAMED));
      else if (own) exceptions.set(edge.id, exception("partly", own));
      else if (within) exceptions.set(edge.id, within);
    }
  }
  return coverageOf(
    snapshot.edges.map(({ id }) => id),
    exceptions,
    (text) => createHash("sha256").update(text).digest("hex"),
  );
}

/** Why a part of an edge that listens is not served, or nothing of it: its routes, or backends. */
function reasonWithin(
  edge: Edge,
  reasons: ReadonlyMap<string, Problem>,
  backends: Backends,
): Exception | undefined {
  const targets =
    edge.kind === "https"
      ? edge.routes.map(({ id, backend }) => ({ own: reasons.get(id), backend: backend?.backend_id }))
      : [{ own: undefined, backend: edge.backend.backend_id }];
  const found = targets.map(({ own, backend }) => ({
    reason: own ?? (backend === undefined ? undefined : backends.reasonOf(backend)),
    isServed: !own && backend !== undefined && backends.isUsable(backend),
  }));
  const reason = found.map((one) => one.reason).find(Boolean);
  return reason && exception(found.some(({ isServed }) => isServed) ? "partly" : "not_served", reason);
}

/** Which backends can be used on this machine. */
class Backends {
  readonly #reasons: ReadonlyMap<string, Problem>;
  readonly #backends: Snapshot["backends"];
  readonly #known = new Map<string, { reason: Problem | undefined; isUsable: boolean }>();

  constructor(reasons: ReadonlyMap<string, Problem>, { backends }: Snapshot) {
    this.#reasons = reasons;
    this.#backends = backends;
  }

  /** Why a backend, or one in it, is not used. */
  reasonOf(id: string): Problem | undefined {
    return this.#judge(id).reason;
  }

  /** Whether requests can reach a backend, or one in it. */
  isUsable(id: string): boolean {
    return this.#judge(id).isUsable;
  }

  #judge(id: string): { reason: Problem | undefined; isUsable: boolean } {
    const known = this.#known.get(id);
    if (known) return known;
    const own = this.#reasons.get(id);
    // Otherwise, a backend that contains itself would recurse forever.
    this.#known.set(id, { reason: own, isUsable: own === undefined });
    const children = childrenOf(this.#backends[id]);
    const judged = children.map((child) => this.#judge(child));
    const made = {
      reason: own ?? judged.map(({ reason }) => reason).find(Boolean),
      isUsable: own === undefined && (children.length === 0 || judged.some(({ isUsable }) => isUsable)),
    };
    this.#known.set(id, made);
    return made;
  }
}

function childrenOf(backend: Snapshot["backends"][string] | undefined): string[] {
  if (backend?.kind === "failover") return backend.backends;
  return backend?.kind === "weighted" ? Object.keys(backend.backends) : [];
}
