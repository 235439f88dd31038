import { hash } from "node:crypto";
import { type Coverage, coverageOf, type Exception, NOT_WANTED } from "../../model/src/traffic/coverage.ts";
import type { Problem } from "../../model/src/traffic/problems.ts";
import { childrenOf } from "../../model/src/traffic/resolve.ts";
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
  const judge = judgeOf(reasons, snapshot);
  const exceptions = new Map<string, Exception>();
  for (const edge of snapshot.edges) {
    const count = served.get(edge.id) ?? 0;
    const own = reasons.get(edge.id);
    if (count === 0) exceptions.set(edge.id, exception("not_served", own ?? NOT_NAMED));
    else {
      const within = reasons.size === 0 ? undefined : reasonWithin(edge, reasons, judge);
      if (within?.effect === "not_served") exceptions.set(edge.id, within);
      else if (count < edge.hostports.length) exceptions.set(edge.id, exception("partly", own ?? NOT_NAMED));
      else if (own) exceptions.set(edge.id, exception("partly", own));
      else if (within) exceptions.set(edge.id, within);
    }
  }
  return coverageOf(
    snapshot.edges.map(({ id }) => id),
    exceptions,
    (text) => hash("sha256", text),
  );
}

/** Why a part of an edge that listens is not served, or nothing of it: its routes, or backends. */
function reasonWithin(
  edge: Edge,
  reasons: ReadonlyMap<string, Problem>,
  judge: (backend: string) => JudgedBackend,
): Exception | undefined {
  const targets =
    edge.kind === "https"
      ? edge.routes.map(({ id, backend }) => ({ own: reasons.get(id), backend: backend?.backend_id }))
      : [{ own: undefined, backend: edge.backend.backend_id }];
  const found = targets.map(({ own, backend }) => {
    const judged = own || backend === undefined ? undefined : judge(backend);
    return { reason: own ?? judged?.reason, isServed: judged?.isUsable === true };
  });
  const reason = found.map((one) => one.reason).find(Boolean);
  return reason && exception(found.some(({ isServed }) => isServed) ? "partly" : "not_served", reason);
}

interface JudgedBackend {
  /** Why the backend, or one of its children, is not used. */
  reason: Problem | undefined;
  /** Whether requests can reach the backend, or one of its children. */
  isUsable: boolean;
}

/** Returns a function that says whether a backend can be used on this machine. */
function judgeOf(
  reasons: ReadonlyMap<string, Problem>,
  { backends }: Snapshot,
): (backend: string) => JudgedBackend {
  const known = new Map<string, JudgedBackend>();
  const judge = (id: string): JudgedBackend => {
    const found = known.get(id);
    if (found) return found;
    const own = reasons.get(id);
    // Otherwise, a backend that contains itself would recurse forever.
    known.set(id, { reason: own, isUsable: own === undefined });
    const children = childrenOf(backends[id]).map(judge);
    const judged = {
      reason: own ?? children.map(({ reason }) => reason).find(Boolean),
      isUsable: own === undefined && (children.length === 0 || children.some(({ isUsable }) => isUsable)),
    };
    known.set(id, judged);
    return judged;
  };
  return judge;
}
