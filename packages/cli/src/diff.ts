import type { Call } from "./args.ts";
import { compareFile, noteOtherProblems, touchedBy } from "./comparison.ts";
import { isEmpty } from "./differences.ts";
import { ANSWER_IS_NO } from "./errors.ts";
import { differencesJson } from "./json_output.ts";
import { print } from "./output.ts";
import { previewLines, previewOf } from "./plan.ts";
import { locateProblems } from "./problems.ts";
import { titlesOf } from "./proposals.ts";
import { differenceLines } from "./report.ts";
import type { ServiceAccess } from "./service.ts";

/** Shows how the service differs from a file. */
export async function diff(service: ServiceAccess, call: Call): Promise<number> {
  const compared = await compareFile(service, call);
  const { file, ids, differences, objects, problems = [] } = compared;
  const isJson = call.has("json");
  if (!isJson) for (const line of differenceLines(differences, call.has("verbose"))) print(line);
  const names = ids.of(service.url);
  const previewed = isEmpty(differences) ? undefined : await previewOf(service, compared);
  if (previewed && !isJson)
    for (const line of previewLines(previewed, titlesOf(names, objects), compared.placeOf)) print(line);
  const effect = previewed && "effect" in previewed ? previewed.effect : null;
  const unknown = previewed && "unknown" in previewed ? previewed.unknown : null;
  const all = await locateProblems(service, problems, names);
  const touched = touchedBy(differences, names);
  const relevant = all.filter(({ owner }) => touched.has(owner));
  if (isJson)
    print(
      JSON.stringify({
        differences: differencesJson(differences),
        effect,
        effect_omitted: unknown,
        rejected: previewed && "rejected" in previewed ? previewed.rejected.join("\n") : null,
        problems: relevant.map(({ problem }) => problem),
      }),
    );
  else {
    if (relevant.length > 0) print("These objects are currently not served as written:");
    for (const { lines } of relevant) lines.forEach(print);
    noteOtherProblems(file.name, differences, all);
  }
  return isEmpty(differences) ? 0 : ANSWER_IS_NO;
}
