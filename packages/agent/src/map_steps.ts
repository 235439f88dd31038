import { differing, type Files, type Lines, linesOf, type Step } from "./map_lines.ts";
import { isReloadNeeded } from "./map_order.ts";

/*
 * The steps in which the maps in HAProxy's memory change while connections arrive. `render/maps.ts` explains the maps.
 */

/** Each map only refers to maps before it. */
const ORDER = ["nets/deny", "nets/allow", "entries", "routes/exact", "routes/prefix"];
const place = (path: string): number => (ORDER.includes(path) ? ORDER.indexOf(path) : ORDER.length);

/**
 * The steps from some maps to others: first everything that is added or changed, then everything that is removed, in reverse. At every
 * moment, also within a step, a source that is let in is also let in by the old configuration or by the new one: denials
 * are added first and removed last. A source that both let in is let in. Undefined if no order does that.
 *
 * @param before the current contents
 * @param after the new contents, with the same paths
 */
export function stepsBetween(before: Files, after: Files): Step[] | undefined {
  const paths = [...after.keys()]
    .filter((path) => before.get(path) !== after.get(path))
    .toSorted((a, b) => place(a) - place(b));
  const changes = paths.map((path) => {
    const { from, to, rest } = differing(before.get(path) ?? "", after.get(path) ?? "");
    return { path, from, to, rest, both: new Map([...from, ...to]) };
  });
  const wholeOf = (when: "before" | "after", path: string) =>
    linesOf((when === "before" ? before : after.has(path) ? after : before).get(path) ?? "");
  if (isReloadNeeded(changes, wholeOf)) return undefined;
  const additions = changes.map(({ path, from, both, rest }) => ({ path, from, to: both, rest }));
  const removals = changes.map(({ path, to, both, rest }) => ({ path, from: both, to, rest })).toReversed();
  return [...additions, ...removals].filter(({ from, to }) => differs(from, to));
}

const differs = (from: Lines, to: Lines): boolean =>
  from.size !== to.size || [...to].some(([key, value]) => from.get(key) !== value);
