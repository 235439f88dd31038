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
  const { not_served = 0, partly = 0 } = agent.edges ?? {};
  if (not_served > 0) return { tone: "warn", text: `${count(not_served, "edge")} missing` };
  if (partly > 0) return { tone: "warn", text: `${count(partly, "edge")} in part` };
  if (agent.problems.length > 0) return { tone: "warn", text: count(agent.problems.length, "problem") };
  if (agent.behind > 0) return { tone: "busy", text: `${count(agent.behind, "change")} behind` };
  if (!agent.edges) return { tone: "none", text: "Edges unknown" };
  return { tone: "good", text: agent.edges.served === 0 ? "Nothing to serve" : "Serves everything" };
}

/** How many edges a machine serves, of how many; undefined if its report does not say it. */
export function edgesOf({ edges }: Agent): { served: number; of: number } | undefined {
  if (!edges) return undefined;
  const served = edges.served + edges.partly;
  return { served, of: served + edges.not_served };
}
