import type { Schemas } from "../api/client.ts";
import { count, now } from "./amounts.ts";

/*
 * Whether agents serve what they should, as `edge agents` says it.
 */

export type Agent = Schemas["Agent"];

/** Agents report at least once a minute. */
const SILENT_AFTER_MILLISECONDS = 180_000;

const isOk = ({ ok, problems, last_seen }: Agent): boolean =>
  ok && problems.length === 0 && now() - Date.parse(last_seen) <= SILENT_AFTER_MILLISECONDS;

/** What colour an agent has. */
export const toneOf = (agent: Agent) => (!isOk(agent) ? "bad" : agent.behind > 0 ? "warn" : "good");

/** The state of an agent, in words. */
export const stateOfAgent = (agent: Agent): string =>
  !isOk(agent) ? "not ok" : agent.behind > 0 ? `${agent.behind} behind` : "up to date";

/** How many edges an agent serves, if it does not serve all. */
export function servedBy({ edges }: Agent): string {
  if (!edges || edges.not_served === 0) return "";
  const served = edges.served + edges.partly;
  return ` ${served} of ${count(served + edges.not_served, "edge")}`;
}
