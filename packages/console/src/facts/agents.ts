import type { Schemas } from "../api/client.ts";
import { count, now } from "./amounts.ts";
import type { StateTone } from "./tones.ts";

/*
 * Whether machines serve what they should, as `edge agents` says it.
 */

export type Agent = Schemas["Agent"];

/** Agents report at least once a minute. The service ignores reports that are older than this. */
const SILENT_AFTER = 180_000;

/** Whether an agent's last report still counts. */
export const isReporting = ({ last_seen }: Agent): boolean => now() - Date.parse(last_seen) <= SILENT_AFTER;

/** The state of a machine in words. */
export function stateOfAgent(agent: Agent): { tone: StateTone; text: string } {
  if (!isReporting(agent)) return { tone: "warn", text: "Not reporting" };
  if (agent.applied_version === null) return { tone: "bad", text: "Serves nothing" };
  if (!agent.ok) return { tone: "bad", text: "Has an error" };
  const edges = edgesOf(agent);
  const { served = 0, partly = 0, of = 0 } = edges ?? {};
  const not_served = of - served;
  if (not_served > 0) return { tone: "warn", text: `${count(not_served, "edge")} missing` };
  if (partly > 0) return { tone: "warn", text: `${count(partly, "edge")} in part` };
  if (agent.problems.length > 0) return { tone: "warn", text: count(agent.problems.length, "problem") };
  if (agent.behind > 0) return { tone: "busy", text: `${count(agent.behind, "change")} behind` };
  if (!edges) return { tone: "none", text: "Edges unknown" };
  return { tone: "good", text: served === 0 ? "Nothing to serve" : "Serves everything" };
}

/** Whether a machine serves a version that the service no longer has, because it was restored. */
export const isFromBeforeRestore = ({ applied_version, newest_version }: Agent): boolean =>
  (applied_version ?? 0) > newest_version;

/** How many edges a machine serves, how many of them in part, and of how many; undefined if it is not known. */
export function edgesOf(agent: Agent): { served: number; partly: number; of: number } | undefined {
  const { edges, applied_version: version, newest_version: newest, ok, proxy } = agent;
  // The numbers say nothing about a proxy that fails, or about edges that the service does not have.
  if (!edges || version === null || isFromBeforeRestore(agent)) return undefined;
  if (!ok && (proxy === null || version === newest)) return undefined;
  const { partly, not_served } = edges;
  const served = edges.served + partly;
  return { served, partly, of: served + not_served };
}
