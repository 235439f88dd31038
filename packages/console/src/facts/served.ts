import type { components } from "edge-configuration-client";
import type { StateSign, StateTone } from "./tones.ts";

/*
 * What is served as written, on which machines, and why not: because of the configuration, or according to the agents.
 */

type Problem = components["schemas"]["Problem"];
type Serving = components["schemas"]["Serving"];

/** The fields of an edge that its state depends on. Only HTTPS edges have routes. */
interface ServedEdge {
  id: string;
  hostports?: string[] | null;
  routes?: unknown[];
}

/** Why something is not served. */
export interface NotServedBecause {
  /** The machine; null if the configuration is the reason. */
  machine: string | null;
  code: string;
  msg: string;
}

/** What is known of all edges. */
export interface ServedFacts {
  /** The current time, in milliseconds. */
  time: number;
  /** Problems of the configuration, by the object that has them. */
  problems: Map<string, Problem[]>;
  /** The edges that are not served everywhere, by their ids. */
  incomplete: Map<string, Serving>;
  /** How many machines report, how many exist, and, by name, since when machines have been behind. */
  machines: { reporting: number; all: number; behindSince: Map<string, number> };
}

const kinds = {
  served: { tone: "good", sign: "tick" },
  applying: { tone: "busy", sign: "quarter" },
  "not known": { tone: "none", sign: "dotted" },
  "no host": { tone: "warn", sign: "half" },
  "no route": { tone: "warn", sign: "half" },
  "in part": { tone: "warn", sign: "half" },
  "answers 503": { tone: "bad", sign: "triangle" },
  "not served": { tone: "bad", sign: "cross" },
} as const satisfies Record<string, { tone: StateTone; sign: StateSign }>;

export type ServedKind = keyof typeof kinds;

/** The kinds, the worst first. */
export const worstFirst: readonly ServedKind[] = [
  "not served",
  "answers 503",
  "in part",
  "no route",
  "no host",
  "not known",
  "applying",
  "served",
];

/** Whether and where an edge or a route is served. */
export interface Served {
  kind: ServedKind;
  tone: StateTone;
  sign: StateSign;
  text: string;
  reasons: NotServedBecause[];
}

const served = (kind: ServedKind, text: string, reasons: NotServedBecause[] = []): Served => ({
  kind,
  ...kinds[kind],
  text,
  reasons,
});

/** The codes of agents that have not applied the last change yet. */
export const LATE: ReadonlySet<string> = new Set(["behind", "serving_older", "far_behind"]);
/** The codes of agents whose served edges are not known. */
const UNKNOWN: ReadonlySet<string> = new Set(["far_behind", "unknown"]);
/** For how long a machine that does not have the last change yet is at work, in milliseconds. */
const AT_WORK = 60_000;

/** Whether it is not known what a machine serves. */
const isUnknown = ({ code }: { code: string }): boolean => UNKNOWN.has(code);

/** Whether machines only lack the newest change of an edge, and have not for long. Others may be unknown. */
function isApplying({ not_serving, partly }: Serving, { time, machines }: ServedFacts): boolean {
  const wanting = not_serving.filter((one) => !isLeftOut(one) && one.code !== "unknown");
  const isAtWork = ({ agent, code }: (typeof wanting)[number]): boolean =>
    LATE.has(code) && time - (machines.behindSince.get(agent ?? "") ?? time) < AT_WORK;
  return partly.every(({ agent }) => agent === null) && wanting.length > 0 && wanting.every(isAtWork);
}

/** The state of an edge, or of one of its routes. */
export function servedOf(known: ServedFacts, edge: ServedEdge, route?: { id: string }): Served {
  const { problems, incomplete, machines } = known;
  if ((edge.hostports ?? []).length === 0) return served("no host", "No host");
  const own = [...(problems.get(edge.id) ?? []), ...((route && problems.get(route.id)) ?? [])];
  const because = (effect: Problem["effect"]): NotServedBecause[] =>
    own.filter((one) => one.effect === effect).map(({ code, msg }) => ({ machine: null, code, msg }));
  const [not, with503, partly] = [because("not_served"), because("answers_503"), because("partly")];
  if (not.length > 0) return served("not served", "Not served", not);
  if (with503.length > 0) return served("answers 503", "Answers 503", with503);
  if (!route && edge.routes?.length === 0) return served("no route", "No route");
  if (partly.length > 0 && machines.reporting === 0)
    return served("in part", "Served in part at most", partly);
  if (machines.all === 0) return served("not known", "No machine yet");
  if (machines.reporting === 0) return served("not known", "Not known");
  const at = incomplete.get(edge.id);
  const found = at ? reasonsIn(at) : [];
  if (!at || found.length === 0)
    return partly.length > 0 ? served("in part", "Served in part", partly) : served("served", "Served");
  if (isApplying(at, known)) return served("applying", "Applying", found);
  const { of, left_out } = at.agents;
  if (of === left_out && machines.reporting < machines.all) return served("not known", "Not known");
  return servedBySome(at, found, partly);
}

/** The state of what not all machines serve as it is now. @param found what the machines say @param partly what the configuration leaves out */
function servedBySome(
  { agents: { serving, of: reporting, left_out } }: Serving,
  found: NotServedBecause[],
  partly: NotServedBecause[],
): Served {
  const of = reporting - left_out;
  const unknown = found.filter(isUnknown).length;
  const faults = found.filter((one) => !isUnknown(one) && !isLeftOut(one));
  const reasons = [...partly, ...faults];
  if (unknown > 0 && reasons.length === 0)
    return served("not known", serving === 0 ? "Not known" : `Not known on ${of - serving} of ${of}`, found);
  if (serving === 0 && faults.length > 0 && faults.every(({ code }) => code === "serving_older"))
    return served("in part", "Older version", reasons);
  if (serving + unknown === 0) return served("not served", "Not served", [...partly, ...found]);
  const not = of - serving - unknown;
  if (not === 0) return served("in part", "Served in part", reasons);
  return served(
    "in part",
    unknown > 0 ? `Not served on ${not} of ${of}` : `Served on ${serving} of ${of}`,
    reasons,
  );
}

/** The worst of several states. */
export const worstOf = (first: Served, ...others: Served[]): Served =>
  others.reduce((a, b) => (worstFirst.indexOf(b.kind) < worstFirst.indexOf(a.kind) ? b : a), first);

/** True if a state requires action. */
export const needsAttention = ({ tone }: Served): boolean => tone === "bad" || tone === "warn";

/** Whether a machine leaves an edge out on purpose. */
const isLeftOut = ({ code }: { code: string }): boolean => code === "not_wanted";

/** The state of an edge, or of a route, on a machine that reports. @param at the facts about the edge, if not all machines serve it */
export function servedBy(
  machine: string,
  { kind, reasons }: Served,
  at: Serving | undefined,
): { tone: StateTone; text: string; why: string } {
  const isOwn = ({ agent }: { agent: string | null }): boolean => agent === machine;
  const not = at?.not_serving.find(isOwn);
  const partly = at?.partly.find(isOwn);
  const state = (tone: StateTone, text: string, why = (not ?? partly)?.msg ?? "") => ({ tone, text, why });
  if (kind === "answers 503") return state("bad", "Answers 503", "");
  if (kind === "not served" && reasons.some((one) => one.machine === null))
    return state("bad", "Not served", "");
  if (not && isLeftOut(not)) return state("none", "Left out");
  if (not && kind === "applying" && LATE.has(not.code)) return state("busy", "Applying");
  if (not && isUnknown(not)) return state("none", "Not known");
  if (not) return not.code === "serving_older" ? state("warn", "Older version") : state("bad", "Not served");
  if (partly) return state("warn", "In part");
  const isCut = at !== undefined && at.not_serving.length < at.agents.of - at.agents.serving;
  return isCut ? state("none", "Not known") : state("good", "Served");
}

/** The machines' reasons for the state of an edge. Machines that leave it out on purpose count only if no machine serves it. */
const reasonsIn = ({ agents, not_serving, partly }: Serving): NotServedBecause[] =>
  [...not_serving, ...partly].flatMap(({ agent, code, msg }) =>
    agent === null || (isLeftOut({ code }) && agents.serving > 0) ? [] : [{ machine: agent, code, msg }],
  );
