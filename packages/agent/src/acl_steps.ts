/*
 * The order in which the rules in HAProxy's memory change while connections arrive.
 */

/** Contents of ACL files by path, with one address on each line. */
type Lists = ReadonlyMap<string, string>;

const isDeny = (path: string): boolean => /\.deny\.v[46]$/.test(path);

/**
 * The steps in which to update the lists: first the union of the old and the new denials, then the new allowed addresses, then
 * the new denials. At every moment, also within a step, a source that is let in is also let in by the old rules or by the new ones,
 * and a source that both let in is let in.
 *
 * @param before the current contents
 * @param after the new contents, with the same paths
 */
export function stepsBetween(before: Lists, after: Lists): Map<string, string>[] {
  const denials = new Map([...after].filter(([path]) => isDeny(path)));
  const both = new Map(
    [...denials].map(([path, content]) => [path, joined(before.get(path) ?? "", content)]),
  );
  const steps = [
    new Map([...both].filter(([path, content]) => content !== before.get(path))),
    new Map([...after].filter(([path]) => !isDeny(path))),
    new Map([...denials].filter(([path, content]) => content !== both.get(path))),
  ];
  return steps.filter((step) => step.size > 0);
}

/** The lines of the second string, then the lines that only the first one has. */
function joined(first: string, second: string): string {
  const lines = new Set(second.split("\n"));
  const others = first.split("\n").filter((line) => !lines.has(line));
  return second + others.map((line) => `${line}\n`).join("");
}
