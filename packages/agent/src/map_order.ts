import type { Lines } from "./map_lines.ts";

/*
 * Which changes cannot be made one line at a time. A reload makes them at once.
 */

/** A map that changes: the lines that differ. */
interface Change {
  path: string;
  from: Lines;
  to: Lines;
}

/** What a command of the runtime API can contain: `;` would end it, and `\` and `<<` have a meaning. */
const WORD = /^[\w.:/~|%@=&+,!*()-]+$/;

/** All lines of a map, before or after the change. */
type WholeOf = (when: "before" | "after", path: string) => Lines;

/** Whether lines of these maps depend on each other in a way that no order of commands keeps safe, or cannot be written in commands. */
export function isReloadNeeded(changes: readonly Change[], wholeOf: WholeOf): boolean {
  const changed = changes.map((change) => ({ ...change, ...differences(change) }));
  if (changed.some(({ words }) => !words.every((word) => WORD.test(word)))) return true;
  const nets = changed.filter(({ path }) => path.startsWith("nets/"));
  const added = new Set(nets.flatMap(({ added }) => added.map(ownerOf)));
  const removed = new Set(nets.flatMap(({ removed }) => removed.map(ownerOf)));
  const entries = changed.find(({ path }) => path === "entries");
  const replaced = entries?.replaced ?? [];
  const moved = movedIn(changed, wholeOf);
  // An edge or route that gets other names or paths, and another entry, changes twice.
  if (replaced.some((id) => moved.has(id))) return true;
  if (nets.length === 0) return false;
  if (moved.size === 0 && replaced.length === 0) return false;
  const before = wholeOf("before", "entries");
  const after = entries ? wholeOf("after", "entries") : before;
  // The old restriction applies while rules are added, and the new one while rules are removed.
  const hasNewRules = (id: string) => restrictionIn(before.get(id)).some((policy) => added.has(policy));
  const losesRules = (id: string) => restrictionIn(after.get(id)).some((policy) => removed.has(policy));
  return (
    [...moved].some((id) => hasNewRules(id) || losesRules(id)) ||
    replaced.some(
      (id) =>
        restrictionIn(before.get(id)).join("|") !== restrictionIn(after.get(id)).join("|") &&
        (hasNewRules(id) || losesRules(id)),
    )
  );
}

/** The edges and routes that other names or paths lead to. With an edge, its routes. */
function movedIn(
  changed: readonly (Change & ReturnType<typeof differences>)[],
  wholeOf: WholeOf,
): Set<string> {
  const moved = new Set(
    changed
      .filter(({ path }) => path !== "entries" && !path.startsWith("nets/"))
      .flatMap(({ from, to, keys }) => keys.flatMap((key) => [idIn(from.get(key)), idIn(to.get(key))])),
  );
  if (moved.size === 0) return moved;
  for (const path of ["routes/exact", "routes/prefix"]) {
    const hasChanged = changed.some((one) => one.path === path);
    for (const lines of [wholeOf("before", path), ...(hasChanged ? [wholeOf("after", path)] : [])])
      for (const [key, route] of lines) if (moved.has(ownerOf(key))) moved.add(route);
  }
  return moved;
}

function differences({ from, to }: Change) {
  const added = [...to.keys()].filter((key) => !from.has(key));
  const removed = [...from.keys()].filter((key) => !to.has(key));
  const replaced = [...to]
    .filter(([key, value]) => from.has(key) && from.get(key) !== value)
    .map(([key]) => key);
  const words = [...removed, ...[...added, ...replaced].flatMap((key) => [key, to.get(key) ?? ""])];
  return { added, removed, replaced, keys: [...added, ...removed, ...replaced], words };
}

/** The policy or edge that a key begins with. */
const ownerOf = (key: string): string => key.slice(0, key.indexOf("/"));
const idIn = (value: string | undefined): string => value?.split("~")[0] ?? "";
const restrictionIn = (entry: string | undefined): string[] => (entry?.split("~")[0] ?? "").split("|");
