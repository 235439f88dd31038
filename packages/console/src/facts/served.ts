import { useQuery } from "@tanstack/preact-query";
import { useMemo } from "preact/hooks";
import { api, bodyOf, type Schemas } from "../api/client.ts";
import type { EdgeObject, RouteObject } from "../api/lists.ts";
import { all, useAgents } from "../api/queries.ts";
import { isReporting } from "./agents.ts";
import { now } from "./amounts.ts";
import type { StateSign, StateTone } from "./tones.ts";

/*
 * What is served as written, on which machines, and why not: because of the configuration, or according to the agents.
 */

type Problem = Schemas["Problem"];
type Serving = Schemas["Serving"];

/** Why something is not served. */
export interface NotServedBecause {
  /** The machine; null if the configuration is the reason. */
  machine: string | null;
  code: string;
  msg: string;
}

/** What is known of all edges. */
export interface ServedFacts {
  /** Problems of the configuration, by the object that has them. */
  problems: Map<string, Problem[]>;
  /** The edges that are not served everywhere, by their ids. */
  incomplete: Map<string, Serving>;
  /** How many machines report, and how many are known. */
  machines: { reporting: number; all: number };
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

/** Codes of agents that do not have the last change yet. */
const LATE: ReadonlySet<string> = new Set(["behind", "serving_older"]);
/** For how long a machine that does not have the last change yet is at work, in milliseconds. */
const AT_WORK = 60_000;

/** When machines were first seen to be late, by edge. */
let lateSince = new Map<string, number>();

/** Whether machines only lack the newest change of an edge, and have not for long. */
const isApplying = ({ object, not_serving, partly }: Serving): boolean =>
  partly.every(({ agent }) => agent === null) &&
  not_serving.length > 0 &&
  not_serving.every(({ code }) => LATE.has(code)) &&
  now() - (lateSince.get(object.id) ?? now()) < AT_WORK;

/** The state of an edge, or of one of its routes. */
export function servedOf(
  { problems, incomplete, machines }: ServedFacts,
  edge: EdgeObject,
  route?: RouteObject,
): Served {
  if ((edge.hostports ?? []).length === 0) return served("no host", "No host");
  const own = [...(problems.get(edge.id) ?? []), ...((route && problems.get(route.id)) ?? [])];
  const because = (effect: Problem["effect"]): NotServedBecause[] =>
    own.filter((one) => one.effect === effect).map(({ code, msg }) => ({ machine: null, code, msg }));
  const [not, with503, partly] = [because("not_served"), because("answers_503"), because("partly")];
  if (not.length > 0) return served("not served", "Not served", not);
  if (with503.length > 0) return served("answers 503", "Answers 503", with503);
  if (edge.kind === "https" && !route && edge.routes.length === 0) return served("no route", "No route");
  if (partly.length > 0 && machines.reporting === 0) return served("in part", "Served in part", partly);
  if (machines.all === 0) return served("not known", "No machine yet");
  if (machines.reporting === 0) return served("not known", "Not known");
  const at = incomplete.get(edge.id);
  if (!at)
    return partly.length > 0 ? served("in part", "Served in part", partly) : served("served", "Served");
  if (isApplying(at)) return served("applying", "Applying", reasonsIn(at));
  const reasons = [...partly, ...reasonsIn(at)];
  const { serving } = at.agents;
  const wanting = at.not_serving.filter((one) => one.agent === null || !isLeftOut(one));
  const of = at.agents.of - (at.not_serving.length - wanting.length);
  if (of === 0 && machines.reporting < machines.all) return served("not known", "Not known");
  if (serving === 0 && wanting.length > 0 && wanting.every(({ code }) => code === "serving_older"))
    return served("in part", "Older version", reasons);
  if (serving === 0) return served("not served", "Not served", reasons);
  return serving < of
    ? served("in part", `Served on ${serving} of ${of}`, reasons)
    : served("in part", "Served in part", reasons);
}

/** The worst of several states. */
export const worstOf = (first: Served, ...others: Served[]): Served =>
  others.reduce((a, b) => (worstFirst.indexOf(b.kind) < worstFirst.indexOf(a.kind) ? b : a), first);

/** Whether somebody should act on a state. */
export const needsAttention = ({ tone }: Served): boolean => tone === "bad" || tone === "warn";

/** Whether a machine leaves an edge out on purpose. */
const isLeftOut = ({ code }: { code: string }): boolean => code === "not_wanted";

/** What machines say of an edge. */
const reasonsIn = ({ agents, not_serving, partly }: Serving): NotServedBecause[] =>
  [...not_serving, ...partly].flatMap(({ agent, code, msg }) =>
    agent === null || (isLeftOut({ code }) && agents.serving > 0) ? [] : [{ machine: agent, code, msg }],
  );

const readProblems = () => all((query) => bodyOf(api.GET("/problems", { params: { query } })));

/** Reads which edges are not served everywhere. An edge that some machines leave out on purpose is served, if others serve it. */
async function readIncomplete(): Promise<Serving[]> {
  const found = await all((query) =>
    bodyOf(api.GET("/serving", { params: { query: { ...query, incomplete: "true" } } })),
  );
  const serving = found.filter((one) => reasonsIn(one).length > 0);
  const late = serving.filter(({ not_serving }) => not_serving.some(({ code }) => LATE.has(code)));
  lateSince = new Map(late.map(({ object: { id } }) => [id, lateSince.get(id) ?? now()]));
  return serving;
}

/** What is known of all edges, once everything has been read. */
export function useKnown() {
  const problems = useQuery({ queryKey: ["problems"], queryFn: readProblems });
  const serving = useQuery({ queryKey: ["serving"], queryFn: readIncomplete, refetchInterval: 10_000 });
  const agents = useAgents();
  const data = useMemo((): ServedFacts | undefined => {
    if (!problems.data || !serving.data || !agents.data) return undefined;
    return {
      problems: Map.groupBy(problems.data, ({ object }) => object),
      incomplete: new Map(serving.data.map((one) => [one.object.id, one])),
      machines: { reporting: agents.data.filter(isReporting).length, all: agents.data.length },
    };
  }, [problems.data, serving.data, agents.data]);
  const refetch = (): unknown => Promise.all([problems.refetch(), serving.refetch(), agents.refetch()]);
  return { data, error: problems.error ?? serving.error ?? agents.error, refetch };
}
