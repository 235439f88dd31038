import type { Call } from "./args.ts";
import { compareFile, noteOthers, touchedBy } from "./comparison.ts";
import { isEmpty } from "./differences.ts";
import { print } from "./output.ts";
import { located } from "./problems.ts";
import { ANSWER_IS_NO } from "./refusal.ts";
import { differenceLines } from "./report.ts";
import type { Service } from "./service.ts";

/** Shows how the service differs from a file. */
export async function diff(service: Service, call: Call): Promise<number> {
  const { file, ids, differences, problems = [] } = await compareFile(service, call);
  for (const line of differenceLines(differences)) print(line);
  const names = ids.of(service.url);
  const all = await located(service, problems, names);
  const touched = touchedBy(differences, names);
  const shown = all.filter(({ owner }) => touched.has(owner));
  if (shown.length > 0) print("At present, these objects are not served as written:");
  for (const { lines } of shown) lines.forEach(print);
  noteOthers(file.name, all.filter(({ owner, title }) => title !== undefined && !touched.has(owner)).length);
  return isEmpty(differences) ? 0 : ANSWER_IS_NO;
}
