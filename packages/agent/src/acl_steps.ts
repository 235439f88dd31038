/*
 * How the rules in HAProxy's memory change, one list after another, while connections come in.
 */

/** Contents of ACL files, an address on each line, by path. */
type Lists = ReadonlyMap<string, string>;

const isDeny = (path: string): boolean => /\.deny\.v[46]$/.test(path);

/**
 * What to put into the lists, step by step, such that whoever is let in after any of them, and between the lists of one, is also
 * let in by all that was before or by all that comes after: first the denials of both, then what is allowed, then the denials
 * that are to stay. Whoever is let in before and after is let in all the time.
 *
 * @param before what the lists have now
 * @param after what they are to have; the same paths
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

/** The lines of the second text, then those that only the first has. */
function joined(first: string, second: string): string {
  const lines = new Set(second.split("\n"));
  const others = first.split("\n").filter((line) => !lines.has(line));
  return second + others.map((line) => `${line}\n`).join("");
}
