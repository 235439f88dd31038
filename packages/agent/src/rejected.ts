import { createHash } from "node:crypto";
import type { Snapshot } from "../../traffic/src/snapshot.ts";
import type { Checked } from "./proxy.ts";

/*
 * Which edges and routes HAProxy refuses, when it refuses the whole configuration.
 */

/** Each takes HAProxy a moment; about 2 · log2 n are needed for each object that is refused. */
const MOST_CHECKS = 300;
const LONGEST_SEARCH = 120_000;

export interface Rejection {
  kind: "edge" | "route";
  /** What HAProxy said. */
  message: string;
}

/** A text that differs if anything but rules does. */
export const structureOf = ({
  version: _version,
  ip_policies,
  problems: _problems,
  ...others
}: Snapshot): string =>
  createHash("sha256")
    .update(JSON.stringify([others, Object.keys(ip_policies)]))
    .digest("base64");

/**
 * Finds, by halves, what is refused alone. An edge is refused whole only if it is without its routes.
 *
 * @param check asks HAProxy for the configuration without some edges and routes
 * @returns undefined if that takes too long, or nothing alone is refused
 */
export async function findRejected(
  { edges }: Snapshot,
  check: (without: ReadonlySet<string>) => Promise<Checked>,
): Promise<Map<string, Rejection> | undefined> {
  const found = new Map<string, Rejection>();
  const end = Date.now() + LONGEST_SEARCH;
  let checks = 0;
  const tried = async (without: ReadonlySet<string>): Promise<Checked | undefined> => {
    checks += 1;
    return checks > MOST_CHECKS || Date.now() > end ? undefined : check(without);
  };

  /** The ids among `ids` that are refused with all others of them left out; undefined if it took too long. */
  async function search(
    ids: readonly string[],
    all: readonly string[],
    always: ReadonlySet<string>,
  ): Promise<Map<string, string> | undefined> {
    if (ids.length === 0) return new Map();
    const kept = new Set(ids);
    const checked = await tried(new Set([...all.filter((id) => !kept.has(id)), ...always]));
    if (!checked) return undefined;
    if (checked.ok) return new Map();
    const [only] = ids;
    if (ids.length === 1 && only !== undefined) return new Map([[only, checked.message]]);
    const middle = Math.ceil(ids.length / 2);
    const left = await search(ids.slice(0, middle), all, always);
    const right = left && (await search(ids.slice(middle), all, always));
    return left && right && new Map([...left, ...right]);
  }

  const edgeIds = edges.map(({ id }) => id);
  const bad = await search(edgeIds, edgeIds, new Set());
  if (!bad) return undefined;
  for (const edge of edges) {
    const message = bad.get(edge.id);
    if (message === undefined) continue;
    const others = new Set(edgeIds.filter((id) => id !== edge.id));
    const routeIds = edge.kind === "https" ? edge.routes.map(({ id }) => id) : [];
    const bare = routeIds.length === 0 ? undefined : await tried(new Set([...others, ...routeIds]));
    if (!bare?.ok) {
      found.set(edge.id, { kind: "edge", message });
      continue;
    }
    const routes = await search(routeIds, routeIds, others);
    if (!routes) return undefined;
    // Routes that are refused only together: the edge is left out.
    if (routes.size === 0) found.set(edge.id, { kind: "edge", message });
    for (const [id, reason] of routes) found.set(id, { kind: "route", message: reason });
  }
  return found.size === 0 ? undefined : found;
}
