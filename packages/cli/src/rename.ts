import { isAlias, isMap, isScalar, type Node } from "yaml";
import { didYouMean } from "../../model/src/suggestion.ts";
import type { Call } from "./args.ts";
import { isFollowing } from "./comparison.ts";
import { UserError } from "./errors.ts";
import { writeAtomically } from "./files.ts";
import { Ids } from "./ids.ts";
import type { Path } from "./json.ts";
import { contentOf, nameProblem } from "./objects.ts";
import { print } from "./output.ts";
import { counted } from "./report.ts";
import { parseSource, type FileProblem, readSource, rejectFile, type SourceFile } from "./source.ts";

/** Gives an object of a file another name: in the file, where other objects refer to it, and in the ids file. */
export async function rename(call: Call): Promise<number> {
  const [name = "", from = "", to = ""] = call.operands;
  const follow = isFollowing(call);
  const file = readSource(name, follow);
  const ids = new Ids(name, follow);
  const problems: FileProblem[] = [];
  const { entries, references } = contentOf(file, ids.nameIn, problems);
  rejectFile(file, problems);
  const entry = entries.find((one) => one.name === from);
  if (!entry) {
    const names = entries.map((one) => one.name);
    throw new UserError(
      `${name} has no object with the name ${JSON.stringify(from)}.${didYouMean(from, names)}`,
    );
  }
  const wrong = nameProblem(to);
  if (wrong !== undefined) throw new UserError(`${JSON.stringify(to)}: ${wrong}`);
  if (entries.some((one) => one.name === to))
    throw new UserError(`${name} already has an object with the name ${to}.`);
  const places = references.filter((reference) => reference.text === from).map(({ path }) => path);
  const text = renamedIn(file, [entry.path, ...places], from, to);
  const after: FileProblem[] = [];
  const parsed = parseSource(name, text);
  contentOf(parsed, () => undefined, after);
  rejectFile(parsed, after);
  // At every moment, the ids file has the name that the file has.
  ids.rename(from, to, true);
  writeAtomically(name, text, follow);
  ids.rename(from, to, false);
  print(`Renamed ${entry.kind.section}.${from} to ${to}, with ${counted(places.length, "reference")}.`);
  return 0;
}

/** The text of a file in which the names at these places are replaced. The rest keeps its form and its comments. */
function renamedIn(file: SourceFile, places: Path[], from: string, to: string): string {
  const ranges = new Map<number, number>();
  for (const path of places) {
    const node = nameAt(file, path, from);
    if (!node?.range)
      throw new UserError(`${file.placeOf(path)}: Cannot find the name ${from} here. Rename it by hand.`);
    ranges.set(node.range[0], node.range[1]);
  }
  let { text } = file;
  for (const [start, end] of [...ranges].toSorted(([a], [b]) => b - a)) {
    const written = text.slice(start, end);
    const [quote = ""] = /^["']/.exec(written) ?? [];
    text = text.slice(0, start) + quote + to + quote + text.slice(end);
  }
  return text;
}

/** The node of a name: a value, or the key of a map. */
function nameAt({ document }: SourceFile, path: Path, name: string): Node | undefined {
  const resolved = (node: unknown): unknown => (isAlias(node) ? node.resolve(document) : node);
  const value = resolved(document.getIn(path, true));
  if (isScalar(value) && value.value === name) return value;
  const owner = resolved(path.length === 1 ? document.contents : document.getIn(path.slice(0, -1), true));
  const pair = isMap(owner) ? owner.items.find(({ key }) => isScalar(key) && key.value === name) : undefined;
  return isScalar(pair?.key) ? pair.key : undefined;
}
