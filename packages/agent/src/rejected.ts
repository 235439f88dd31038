import { createHash } from "node:crypto";
import type { Snapshot } from "../../traffic/src/snapshot.ts";
import type { Checked } from "./proxy.ts";

/*
 * Which edges and routes make HAProxy reject the whole configuration.
 */

/** Each check takes HAProxy a moment. Finding one of n objects takes about 2 · log2 n checks. */
const MOST_CHECKS = 300;
const LONGEST_SEARCH = 120_000;

export interface Rejection {
  kind: "edge" | "route";
  /** HAProxy's error message. */
  message: string;
}

/** A digest of everything in a snapshot except the rules of policies. */
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
 * Finds the edges and routes that HAProxy rejects, by bisection. A whole edge is only rejected if HAProxy rejects it without its
 * routes too.
 *
 * @param check has HAProxy check the configuration without some edges and routes
 * @returns undefined if the search takes too long, or HAProxy rejects no edge on its own
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

  /** The ids that HAProxy rejects when all others in `all` are left out; undefined if the search takes too long. */
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
    // The routes are only rejected in combination, so leave out the edge.
    if (routes.size === 0) found.set(edge.id, { kind: "edge", message });
    for (const [id, reason] of routes) found.set(id, { kind: "route", message: reason });
  }
  return found.size === 0 ? undefined : found;
}
