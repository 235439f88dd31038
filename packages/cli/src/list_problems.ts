import { problemsOf } from "../../model/src/traffic/problems.ts";
import type { Call } from "./args.ts";
import { isFollowing, load } from "./comparison.ts";
import { ANSWER_IS_NO, UserError } from "./errors.ts";
import { Ids } from "./ids.ts";
import { withNames } from "./names.ts";
import { note, paint, print } from "./output.ts";
import { locateProblems, problemsOfAgents, problemsOfService } from "./problems.ts";
import { servedBy } from "./served.ts";
import type { ServiceAccess } from "./service.ts";

/*
 * The command `edge problems`.
 */

/** Lists the problems that a file would have if the service had exactly its objects, because they were never applied. */
function problemsOfFile(name: string, service: ServiceAccess, call: Call): number {
  const { content } = load(name, undefined, isFollowing(call));
  note(
    `${name} has never been applied to ${service.url}. With only the objects of this file, the service would report these problems:`,
  );
  const { snapshot, titleOf } = servedBy(content);
  const found = problemsOf(snapshot);
  for (const { object, code, msg, effect } of found) {
    const title = titleOf(object) ?? object;
    const named = withNames(msg, titleOf, false);
    if (call.has("json")) print(JSON.stringify({ object: null, code, msg: named, effect, name: title }));
    else {
      print([paint("yellow", `  ! ${title}`)]);
      print(`      ${code}: ${named}`);
    }
  }
  if (found.length === 0 && !call.has("json")) print("No problems.");
  return found.length === 0 ? 0 : ANSWER_IS_NO;
}

/** Lists the problems of a service. */
export async function problems(service: ServiceAccess, call: Call): Promise<number> {
  const [file] = call.operands;
  const isOfFile = call.has("only-file");
  if (isOfFile && file === undefined) throw new UserError("--only-file needs a FILE.");
  const ids = file === undefined ? undefined : new Ids(file, call.has("follow-symlinks"));
  if (file !== undefined && ids?.isNew(service.url)) return problemsOfFile(file, service, call);
  const [ofService, ofAgents] = await Promise.all([problemsOfService(service), problemsOfAgents(service)]);
  const names = ids?.of(service.url) ?? new Map<string, string>();
  const all = await locateProblems(service, [...ofService, ...ofAgents], names);
  const listed = all.filter(({ title }) => !isOfFile || title !== undefined);
  for (const { problem, title, lines } of listed)
    if (call.has("json")) print(JSON.stringify({ ...problem, name: title ?? null }));
    else lines.forEach(print);
  if (listed.length === 0 && !call.has("json")) print("No problems.");
  return listed.length === 0 ? 0 : ANSWER_IS_NO;
}
