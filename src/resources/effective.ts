import { digestOf, exceptionsIn, MORE_PROBLEMS, NOT_WANTED } from "../../packages/traffic/src/coverage.ts";
import type { JudgedProblem } from "../../packages/traffic/src/problems.ts";
import type { agents as table } from "../db/internal_schema.ts";
import type { ManagedEdge } from "./current.ts";
import type { Changes } from "./edge_changes.ts";

/*
 * Whether agents serve edges as they are now. An agent serves an edge if the version that it serves has the edge's last change, and its
 * report does not say otherwise. Whatever cannot be told from a report counts as not served.
 */

type Agent = typeof table.$inferSelect;

/** Why an agent does not serve an edge, or only in part. */
export interface Reason {
  /** Null if the configuration is the reason. */
  agent: string | null;
  /** Whether the rest of the edge is served. */
  isServed: boolean;
  code: string;
  msg: string;
}

interface Configuration {
  version: number;
  edges: readonly ManagedEdge[];
  problems: readonly JudgedProblem[];
}

/** Why an agent does not serve an edge; undefined if it does. */
type Judge = (edge: ManagedEdge) => Omit<Reason, "agent"> | undefined;

/** Returns a function that says why agents do not serve an edge, or only in part. */
export function reasonsOf(
  { version, edges, problems }: Configuration,
  agents: readonly Agent[],
  changes: Changes,
): (edge: ManagedEdge) => Reason[] {
  const served = edges.flatMap(({ id, isInSnapshot }) => (isInSnapshot ? [id] : []));
  const changed = new Map(changes.edges.map((edge) => [edge.id, edge]));
  const digests = new Map<number, { ids: string[]; digest: string }>();
  /** The edges of the snapshot of an earlier version, as far as the log says. */
  const edgesAt = (at: number) => {
    const known = digests.get(at);
    if (known) return known;
    const isNew = (id: string): boolean => (changed.get(id)?.created ?? 0) > at;
    const deleted = changes.edges.flatMap((edge) =>
      (edge.deleted ?? 0) > at && !isNew(edge.id) ? [edge.id] : [],
    );
    const ids = [...served.filter((id) => !isNew(id)), ...deleted].toSorted();
    const made = { ids, digest: digestOf(ids, sha256) };
    digests.set(at, made);
    return made;
  };
  const judges = agents.map((agent) => ({
    name: agent.name,
    judge: judgeOf(agent, version, changes, changed, edgesAt),
  }));
  const reasonFor = new Map(
    problems.filter(({ effect }) => effect === "not_served").map((problem) => [problem.object, problem]),
  );
  return (edge) => {
    if (!edge.isInSnapshot) {
      const { code = "unknown", msg = "It is not known why." } = reasonFor.get(edge.id) ?? {};
      return [{ agent: null, isServed: false, code, msg }];
    }
    return judges.flatMap(({ name, judge }) => {
      const found = judge(edge);
      return found ? [{ agent: name, ...found }] : [];
    });
  };
}

const notServed = (code: string, msg: string) => ({ isServed: false, code, msg });

function judgeOf(
  agent: Agent,
  newest: number,
  changes: Changes,
  changed: ReadonlyMap<string, Changes["edges"][number]>,
  edgesAt: (version: number) => { ids: string[]; digest: string },
): Judge {
  const { applied_version: applied, ok, error, proxy } = agent;
  if (applied === null) return () => notServed("behind", error ?? "It has not served a version yet.");
  if (applied > newest)
    return () =>
      notServed(
        "unknown",
        `It serves version ${applied}, which this database does not have: the service was restored.`,
      );
  if (!ok && (proxy === null || applied === newest))
    return () => notServed("not_ok", error ?? "Its proxy does not run.");
  const reported = reportedOf(agent, () => edgesAt(applied));
  if (applied === newest) return reported;
  const older = `It serves version ${applied} of ${newest}${error === null ? "" : `: ${error}`}`;
  if (applied < changes.since) return () => notServed("behind", older);
  return (edge) => {
    const change = changed.get(edge.id);
    if (!change || change.newest <= applied) return reported(edge);
    return (change.created ?? 0) > applied
      ? notServed("behind", older)
      : notServed("serving_older", `${older}${error === null ? "." : ""}`);
  };
}

/** What an agent's report says about the edges of the version that it serves. */
function reportedOf(agent: Agent, edges: () => { ids: string[]; digest: string }): Judge {
  const { edges: coverage } = agent;
  if (!coverage) return accordingToProblems(agent);
  if (coverage.exceptions.length === 0) return () => undefined;
  const { ids, digest } = edges();
  if (digest !== coverage.digest || ids.length !== coverage.count)
    return () =>
      notServed(
        "unknown",
        "It does not serve all edges, and its report is of others than those that are there now.",
      );
  const exceptions = exceptionsIn(coverage, ids);
  const ownMessages = new Map(agent.problems.map(({ object, code, msg }) => [`${object} ${code}`, msg]));
  return ({ id }) => {
    const found = exceptions.get(id);
    if (!found) return undefined;
    const { effect, code, isOwn } = found;
    const own = isOwn || code === NOT_WANTED ? found.msg : ownMessages.get(`${id} ${code}`);
    return { isServed: effect === "partly", code, msg: own ?? `As with another edge: ${found.msg}` };
  };
}

/** For agents that do not report which edges they serve: a problem that names an edge means that it is not served. */
function accordingToProblems({ problems }: Agent): Judge {
  const named = new Map(problems.map((problem) => [problem.object, problem]));
  const isCut = problems.some(({ code }) => code === MORE_PROBLEMS);
  return ({ id }) => {
    const found = named.get(id);
    if (found) return notServed(found.code, found.msg);
    return isCut
      ? notServed("unknown", "It has more problems than it reports. Update the agent.")
      : undefined;
  };
}

function sha256(text: string): string {
  const { createHash } = process.getBuiltinModule("node:crypto");
  return createHash("sha256").update(text).digest("hex");
}
