import type { Call } from "./args.ts";
import { compareFile, noteOtherProblems, touchedBy } from "./comparison.ts";
import { isEmpty } from "./differences.ts";
import { ANSWER_IS_NO } from "./errors.ts";
import { print } from "./output.ts";
import { previewLines } from "./plan.ts";
import { locateProblems } from "./problems.ts";
import { differenceLines } from "./report.ts";
import type { Service } from "./service.ts";

/** Shows how the service differs from a file. */
export async function diff(service: Service, call: Call): Promise<number> {
  const compared = await compareFile(service, call);
  const { file, ids, differences, problems = [] } = compared;
  for (const line of differenceLines(differences)) print(line);
  if (!isEmpty(differences)) for (const line of await previewLines(service, compared)) print(line);
  const names = ids.of(service.url);
  const all = await locateProblems(service, problems, names);
  const touched = touchedBy(differences, names);
  const relevant = all.filter(({ owner }) => touched.has(owner));
  if (relevant.length > 0) print("These objects are currently not served as written:");
  for (const { lines } of relevant) lines.forEach(print);
  noteOtherProblems(
    file.name,
    all.filter(({ owner, title }) => title !== undefined && !touched.has(owner)).length,
  );
  return isEmpty(differences) ? 0 : ANSWER_IS_NO;
}
