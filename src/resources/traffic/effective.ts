import { digestOf, NOT_WANTED, reasonAt } from "../../../packages/model/src/traffic/coverage.ts";
import type { agents as table } from "../../db/internal_schema.ts";
import type { EdgeChanges } from "./edge_changes.ts";
import type { ManagedEdge } from "./snapshot_forms.ts";

/*
 * Whether agents serve edges as they are now. An agent serves an edge if the version that it serves has the edge's last change, and its
 * report does not say otherwise. Whatever cannot be told from a report counts as not served.
 */

type Agent = typeof table.$inferSelect;

/** Why an agent does not serve an edge, or only in part. */
export interface NotServedReason {
  /** Null if the configuration is the reason. */
  agent: string | null;
  /** Whether the rest of the edge is served. */
  isServed: boolean;
  code: string;
  msg: string;
}

interface Configuration {
  version: number;
  /** In ascending order of ids. */
  edges: readonly ManagedEdge[];
}

/** The edges of the snapshot of a version. */
interface EdgesAt {
  count: number;
  digest: string;
  /** The place of an edge in the order of ids. */
  placeOf: (id: string) => number | undefined;
}

/** Why an agent does not serve an edge; undefined if it does. */
type Judge = (edge: ManagedEdge) => Omit<NotServedReason, "agent"> | undefined;

/** Returns a function that says why an edge is not served, or only in part: by any agent, or by which. */
export function reasonsOf(
  { version, edges }: Configuration,
  agents: readonly Agent[],
  changes: EdgeChanges,
): (edge: ManagedEdge) => NotServedReason[] {
  const edgesAt = edgesByVersion(edges, changes);
  const changed = new Map(changes.edges.map((edge) => [edge.id, edge]));
  // Most agents serve everything.
  const judges = agents.flatMap((agent) => {
    const judge = judgeOf(agent, version, changes, changed, edgesAt);
    return judge ? [{ name: agent.name, judge }] : [];
  });
  return (edge) => {
    const ofConfiguration = edge.problems.map(({ code, msg }) => ({
      agent: null,
      isServed: edge.isInSnapshot,
      code,
      msg,
    }));
    if (!edge.isInSnapshot)
      return ofConfiguration.length > 0
        ? ofConfiguration
        : [{ agent: null, ...notServed("unknown", "The reason is not known.") }];
    const ofAgents = judges.flatMap(({ name, judge }) => {
      const found = judge(edge);
      return found ? [{ agent: name, ...found }] : [];
    });
    return [...ofConfiguration, ...ofAgents];
  };
}

/** Returns a function for the edges of the snapshots of earlier versions, as far as the log says. */
function edgesByVersion(edges: readonly ManagedEdge[], changes: EdgeChanges): (version: number) => EdgesAt {
  const known = new Map<number, EdgesAt>();
  const created = new Map(changes.edges.map((edge) => [edge.id, edge.created ?? 0]));
  return (version) => {
    const found = known.get(version);
    if (found) return found;
    const isNew = (id: string): boolean => (created.get(id) ?? 0) > version;
    const deleted = changes.edges.flatMap(({ id, deleted: at }) =>
      (at ?? 0) > version && !isNew(id) ? [id] : [],
    );
    const kept = edges.flatMap(({ id, isInSnapshot }) => (isInSnapshot && !isNew(id) ? [id] : []));
    const ids = deleted.length === 0 ? kept : [...kept, ...deleted].toSorted();
    const places = new Map(ids.map((id, place) => [id, place]));
    const made = {
      count: ids.length,
      digest: digestOf(ids, sha256),
      placeOf: (id: string) => places.get(id),
    };
    known.set(version, made);
    return made;
  };
}

const notServed = (code: string, msg: string) => ({ isServed: false, code, msg });

/** The same reason for all edges. */
function always(code: string, msg: string): Judge {
  const reason = notServed(code, msg);
  return () => reason;
}

/** Undefined for an agent that serves everything. */
function judgeOf(
  agent: Agent,
  newest: number,
  changes: EdgeChanges,
  changed: ReadonlyMap<string, EdgeChanges["edges"][number]>,
  edgesAt: (version: number) => EdgesAt,
): Judge | undefined {
  const { applied_version: applied, ok, error, proxy } = agent;
  if (applied === null) return always("behind", error ?? "The agent has not served any version yet.");
  if (applied > newest)
    return always(
      "unknown",
      `The agent serves version ${applied}, which this database does not have, because the service was restored.`,
    );
  if (!ok && (proxy === null || applied === newest))
    return always("not_ok", error ?? "The agent's proxy is not running.");
  if (applied === newest) return reportedOf(agent, edgesAt, true);
  const older = `The agent serves version ${applied}; the newest is ${newest}.${error === null ? "" : ` ${error}`}`;
  if (applied < changes.since) return always("far_behind", older);
  const reported = reportedOf(agent, edgesAt, false);
  return (edge) => {
    const change = changed.get(edge.id);
    if (!change || change.newest <= applied) return reported?.(edge);
    return notServed((change.created ?? 0) > applied ? "behind" : "serving_older", older);
  };
}

/** What an agent's report says about the edges of the version that it serves; undefined if it serves all of them. */
function reportedOf(
  { applied_version: version, edges: coverage, problems }: Agent,
  edgesAt: (version: number) => EdgesAt,
  isNewest: boolean,
): Judge | undefined {
  if (!coverage)
    return always(
      "unknown",
      "The agent does not report which edges it serves. If this persists, update the agent.",
    );
  const { exceptions } = coverage;
  if (isNewest && exceptions.length === 0) return undefined;
  const { count, digest, placeOf } = edgesAt(version ?? 0);
  if (count !== coverage.count || digest !== coverage.digest)
    return always(
      "unknown",
      "The agent's last report is about another set of edges: the agent is behind, or has stopped.",
    );
  if (exceptions.length === 0) return undefined;
  const ownMessages = new Map(problems.map(({ object, code, msg }) => [`${object} ${code}`, msg]));
  const reasonIn = reasonAt(coverage);
  return ({ id }) => {
    const place = placeOf(id);
    const found = place === undefined ? undefined : reasonIn(place);
    if (!found) return undefined;
    const { effect, code, isOwn } = found;
    const own = isOwn || code === NOT_WANTED ? found.msg : ownMessages.get(`${id} ${code}`);
    return {
      isServed: effect === "partly",
      code,
      msg: own ?? `Same reason as for another edge: ${found.msg}`,
    };
  };
}

function sha256(text: string): string {
  const { createHash } = process.getBuiltinModule("node:crypto");
  return createHash("sha256").update(text).digest("hex");
}
