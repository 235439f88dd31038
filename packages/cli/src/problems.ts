import type { components } from "edge-configuration-client";
import { NOT_WANTED } from "../../traffic/src/coverage.ts";
import { UserError } from "./errors.ts";
import { isRouteId, kindOfId, kinds } from "./kinds.ts";
import { idsIn, summaryOf, titleOf, titles, withNames } from "./names.ts";
import { clearProgress, type Line, note, paint, progress } from "./output.ts";
import { counted } from "./report.ts";
import { bodyOf, type Service } from "./service.ts";
import { readObjects } from "./service_objects.ts";

/*
 * Problems: configuration that the service accepts, but that is not served as written.
 */

export type ServedProblem = components["schemas"]["Problem"];

/** All problems of a service. */
export async function problemsOfService({ api }: Service): Promise<ServedProblem[]> {
  const all: ServedProblem[] = [];
  for (let after: string | null = null; ;) {
    const query: { after?: string } = after === null ? {} : { after };
    const page: components["schemas"]["ProblemList"] = bodyOf(
      await api.GET("/problems", { params: { query } }),
    );
    all.push(...page.problems);
    after = page.next_page_uri === null ? null : new URL(page.next_page_uri).searchParams.get("after");
    if (after === null) return all;
  }
}

/** All problems of a service; undefined, with a warning, if they cannot be listed. */
export async function problemsIfKnown(service: Service): Promise<ServedProblem[] | undefined> {
  try {
    return await problemsOfService(service);
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    note(`Warning: cannot tell which objects are not served as written: ${error.message}`);
    return undefined;
  }
}

/** What agents do not serve of what they could serve, as problems of the edges. */
export async function problemsOfAgents({ api }: Service): Promise<ServedProblem[]> {
  const all: ServedProblem[] = [];
  for (let before: string | null = null; ;) {
    const query: { incomplete: "true"; before_id?: string } = {
      incomplete: "true",
      ...(before !== null && { before_id: before }),
    };
    const page: components["schemas"]["ServingList"] = bodyOf(
      await api.GET("/serving", { params: { query } }),
    );
    all.push(...page.serving.flatMap(problemsIn));
    before = page.next_page_uri === null ? null : new URL(page.next_page_uri).searchParams.get("before_id");
    if (before === null) return all;
  }
}

/** One problem for each reason. What the configuration is the reason for is among the problems of the service. */
function problemsIn({
  object,
  agents,
  not_serving,
  partly,
}: components["schemas"]["Serving"]): ServedProblem[] {
  const reasons = new Map<string, ServedProblem & { names: string[] }>();
  for (const [effect, list] of [
    ["not_served", not_serving],
    ["partly", partly],
  ] as const)
    for (const { agent, code, msg } of list) {
      if (agent === null || code === NOT_WANTED) continue;
      const key = `${effect} ${code} ${msg}`;
      const reason = reasons.get(key) ?? { object: object.id, code, msg, effect, names: [] };
      reason.names.push(agent);
      reasons.set(key, reason);
    }
  return Array.from(reasons.values(), ({ names, msg, ...rest }) => ({
    ...rest,
    msg: `Served by ${agents.serving} of ${counted(agents.of, "agent")}. ${names.join(", ")}: ${msg}`,
  }));
}

/** A problem and the object that has it. */
export interface LocatedProblem {
  problem: ServedProblem;
  /** The title of the object; undefined if it has no name in the file. */
  title: string | undefined;
  /** The id of the object, or of the edge for a route. */
  owner: string;
  lines: Line[];
}

/** Finds the objects that have problems. @param names a file's ids, by name */
export async function locateProblems(
  service: Service,
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
  const objects = await readObjects(
    service,
    needed,
    () => false,
    (what, count) => progress(`Reading ${what}: ${count}`),
  );
  clearProgress();
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
    const lines: Line[] = [
      [
        paint("yellow", `  ! ${title ?? titleOf(object)}`),
        paint("dim", details.map((text) => text && `  ${text}`).join("")),
      ],
      `      ${code}: ${withNames(msg, inMessages)}`,
    ];
    return { problem, owner, title: isNamed ? title : undefined, lines };
  });
}
