import type { components } from "edge-configuration-client";
import type { Call } from "./args.ts";
import { ANSWER_IS_NO, UserError } from "./errors.ts";
import { Ids } from "./ids.ts";
import { isRouteId, kindOfId, kinds } from "./kinds.ts";
import { idsIn, summaryOf, titleOf, titles, withNames } from "./names.ts";
import { clearProgress, type Line, note, paint, print, progress } from "./output.ts";
import { bodyOf, type Service } from "./service.ts";
import { readObjects } from "./service_objects.ts";

/*
 * Problems: configuration that the service accepts, but that is not served as written.
 */

export type ServedProblem = components["schemas"]["Problem"];

/** All problems of a service. */
async function problemsOf({ api }: Service): Promise<ServedProblem[]> {
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
    return await problemsOf(service);
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    note(`Warning: cannot tell which objects are not served as written: ${error.message}`);
    return undefined;
  }
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

/** Lists the problems of a service. */
export async function problems(service: Service, call: Call): Promise<number> {
  const [file] = call.operands;
  const isOfFile = call.has("only-file");
  if (isOfFile && file === undefined) throw new UserError("--only-file needs a FILE.");
  const ids = file === undefined ? undefined : new Ids(file, call.has("follow-symlinks"));
  ids?.requireService(service.url);
  const all = await locateProblems(service, await problemsOf(service), ids?.of(service.url) ?? new Map());
  const listed = all.filter(({ title }) => !isOfFile || title !== undefined);
  for (const { problem, title, lines } of listed)
    if (call.has("json")) print(JSON.stringify({ ...problem, name: title ?? null }));
    else lines.forEach(print);
  if (listed.length === 0 && !call.has("json")) print("No problems.");
  return listed.length === 0 ? 0 : ANSWER_IS_NO;
}
