import { setTimeout as sleep } from "node:timers/promises";
import type { components } from "edge-configuration-client";
import { NOT_WANTED } from "../../model/src/traffic/coverage.ts";
import { UserError } from "./errors.ts";
import { isRouteId, kindOfId, kinds } from "./kinds.ts";
import { idsIn, summaryOf, titleOf, titles, withNames } from "./names.ts";
import { type OutputLine, note, paint } from "./output.ts";
import { counted } from "./report.ts";
import { all, bodyOf, type ServiceAccess } from "./service.ts";
import { readObjects } from "./service_objects.ts";

/*
 * Problems: configuration that the service accepts, but that is not served as written.
 */

export type ServedProblem = components["schemas"]["Problem"];

/** All problems of a service. */
export const problemsOfService = ({ api }: ServiceAccess): Promise<ServedProblem[]> =>
  all((query) => api.GET("/problems", { params: { query } }));

/** What is not served as written; undefined, with a warning, if it cannot be listed. */
export async function problemsIfKnown(service: ServiceAccess): Promise<ServedProblem[] | undefined> {
  try {
    const problems = await problemsOfService(service);
    return problems.filter(({ effect }) => effect !== "warning");
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    note(`Warning: cannot tell which objects are not served as written: ${error.message}`);
    return undefined;
  }
}

type Serving = components["schemas"]["Serving"];

/** Codes of agents that do not have the last change yet. */
const LATE: ReadonlySet<string> = new Set(["behind", "serving_older", "far_behind"]);
/** Codes of agents whose served edges are not known. */
const UNKNOWN: ReadonlySet<string> = new Set(["far_behind", "unknown"]);
/** How long agents may take for the last change, and how often they are asked. In milliseconds. */
const LONGEST_LATENESS = 5000;
const BETWEEN_QUESTIONS = 500;

/** What agents do not serve of what they could serve, as problems of the edges. Waits for agents that are applying the last change. */
export async function problemsOfAgents({ api }: ServiceAccess): Promise<ServedProblem[]> {
  const end = Date.now() + LONGEST_LATENESS;
  for (;;) {
    const serving = await incomplete(api);
    const isLate = serving.some(({ not_serving }) => not_serving.some(({ code }) => LATE.has(code)));
    if (!isLate || Date.now() > end) return serving.flatMap(problemsIn);
    await sleep(BETWEEN_QUESTIONS);
  }
}

/** The edges that some agent does not serve, or serves only in part. Without agents, a note says so. */
async function incomplete(api: ServiceAccess["api"]): Promise<Serving[]> {
  const serving = await all((cursor) =>
    api.GET("/serving", { params: { query: { incomplete: "true", ...cursor } } }),
  );
  const [any] =
    serving.length > 0
      ? serving
      : bodyOf(await api.GET("/serving", { params: { query: { limit: 1 } } })).serving;
  if (any?.agents.of === 0)
    note(
      "Note: no agent has reported within the last three minutes, so it is unknown which edges are served.",
    );
  return serving;
}

/** One problem for each reason. What the configuration is the reason for is among the problems of the service. */
function problemsIn({ object, agents, not_serving, partly }: Serving): ServedProblem[] {
  const reasons = new Map<string, ServedProblem & { names: string[] }>();
  for (const [effect, list] of [
    ["not_served", not_serving],
    ["partly", partly],
  ] as const)
    for (const { agent, code, msg } of list) {
      // Other agents serve what some leave out on purpose.
      if (agent === null || (code === NOT_WANTED && agents.serving > 0)) continue;
      const key = `${effect} ${code} ${msg}`;
      const reason = reasons.get(key) ?? { object: object.id, code, msg, effect, names: [] };
      reason.names.push(agent);
      reasons.set(key, reason);
    }
  const served = not_serving.some(({ code }) => UNKNOWN.has(code)) ? "Known to be served" : "Served";
  return Array.from(reasons.values(), ({ names, msg, ...rest }) => ({
    ...rest,
    msg: `${served} by ${agents.serving} of ${counted(agents.of - agents.left_out, "agent")}. ${names.join(", ")}: ${msg}`,
  }));
}

/** A problem and the object that has it. */
export interface LocatedProblem {
  problem: ServedProblem;
  /** The title of the object; undefined if it has no name in the file. */
  title: string | undefined;
  /** The id of the object, or of the edge for a route. */
  owner: string;
  lines: OutputLine[];
}

/** Finds the objects that have problems. @param names a file's ids, by name */
export async function locateProblems(
  service: ServiceAccess,
  problems: readonly ServedProblem[],
  names: ReadonlyMap<string, string>,
): Promise<LocatedProblem[]> {
  const named = new Set(names.values());
  const unnamed = problems
    .flatMap(({ object, msg }) => [object, ...idsIn(msg)])
    .filter((id) => !named.has(id));
  const needed = kinds.filter(({ prefix, section }) =>
    unnamed.some((id) => id.startsWith(prefix) || (section === "https_edges" && isRouteId(id))),
  );
  const objects = await readObjects(service, needed, () => false);
  const bodies = new Map(objects.map(({ id, body }) => [id, body]));
  const owners = new Map(objects.flatMap(({ id, children }) => children.map((child) => [child.id, id])));
  const titleIn = titles(names, objects);
  const inMessages = (id: string): string | undefined => {
    const summary = summaryOf(bodies.get(id));
    return titleIn(id) ?? (summary === "" ? undefined : `the ${kindOfId(id)?.noun} ${summary}`);
  };
  return problems.map((problem) => {
    const { object, code, msg } = problem;
    const owner = owners.get(object) ?? object;
    const isNamed = named.has(owner);
    const title = titleIn(object);
    const details = [title === undefined ? "" : object, isNamed ? "" : summaryOf(bodies.get(owner))];
    const lines: OutputLine[] = [
      [
        paint("yellow", `  ! ${title ?? titleOf(object)}`),
        paint("dim", details.map((text) => text && `  ${text}`).join("")),
      ],
      `      ${code}: ${withNames(msg, inMessages)}`,
    ];
    return { problem, owner, title: isNamed ? title : undefined, lines };
  });
}
