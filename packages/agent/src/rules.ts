/*
 * How the rules in HAProxy's memory change, one list after another, while connections come in.
 */

/** Contents of ACL files, an address on each line, by path. */
type Lists = ReadonlyMap<string, string>;

const isDeny = (path: string): boolean => /\.deny\.v[46]$/.test(path);

/**
 * The order in which to update the lists. At every intermediate step, any client that is admitted is also admitted by the old rules
 * or by the new ones, and a client that both admit is admitted throughout. The steps: add the new denials and keep the old ones,
 * replace the allowed networks, remove the old denials.
 *
 * @param before what the lists contain now
 * @param after what they should contain; the same paths
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

/** The lines of the second string, then those that only the first has. */
function joined(first: string, second: string): string {
  const lines = new Set(second.split("\n"));
  const others = first.split("\n").filter((line) => !lines.has(line));
  return second + others.map((line) => `${line}\n`).join("");
}
