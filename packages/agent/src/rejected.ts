import { hash } from "node:crypto";
import type * as z from "zod";
import type { Problem } from "../../model/src/traffic/problems.ts";
import type { Edge, Snapshot } from "../../model/src/traffic/snapshot.ts";
import { elapsed, NEVER } from "./base/clock.ts";
import type { appliedFile } from "./state_files.ts";
import type { Checked } from "./verdict.ts";

/*
 * Which edges and routes make HAProxy reject the whole configuration.
 */

/** Each check takes HAProxy a moment. Finding one of n objects takes about 2 · log2 n checks. */
const MOST_CHECKS = 300;
const LONGEST_SEARCH = 120_000;
/** The cause can be a file or a version of HAProxy that has changed since, so a search is repeated after this time. */
const KNOWN_FOR = 600_000;

export interface Rejection {
  kind: "edge" | "route";
  /** HAProxy's error message. */
  message: string;
}

/** A digest of everything in a snapshot except the rules of policies. */
const structureOf = ({ version: _version, ip_policies, problems: _problems, ...others }: Snapshot): string =>
  hash("sha256", JSON.stringify([others, Object.keys(ip_policies)]), "base64");

/** As it is kept on disk. */
type Saved = z.output<typeof appliedFile>["refused"];

const nothing: Saved = { structure: "", found: {} };

const isOutdated = ({ structure, at }: Known): boolean => structure !== "" && elapsed() - at >= KNOWN_FOR;

/** What was found in a configuration, and when. */
interface Known extends Saved {
  at: number;
}

/**
 * The edges and routes that HAProxy rejects. They are tried again when the snapshot or their certificates change, and after ten
 * minutes.
 */
export class Rejections {
  readonly #certificatesOf: (edge: Edge) => string;
  /** Of the configuration at hand. */
  #current: Known = { ...nothing, at: NEVER };
  /** The newest one can be rejected while the one before it is served. */
  #other: Known = { ...nothing, at: NEVER };

  /** @param certificatesOf a digest of an edge's certificates, which can be the reason */
  constructor(certificatesOf: (edge: Edge) => string) {
    this.#certificatesOf = certificatesOf;
  }

  get ids(): ReadonlySet<string> {
    return new Set(Object.keys(this.#current.found));
  }

  /** For the disk. */
  get saved(): Saved {
    const { structure, found } = this.#current;
    return { structure, found };
  }

  /** Whether it is time to look for them again. */
  get areOutdated(): boolean {
    return isOutdated(this.#current);
  }

  /** Takes over what an earlier agent has found. Call `turnTo` before it is used. */
  restore(saved: Saved): void {
    this.#current = { ...saved, at: elapsed() };
  }

  /** Keeps what was found in a snapshot: nothing, if a search found nothing. */
  keep(snapshot: Snapshot, found: ReadonlyMap<string, Rejection>): void {
    const certificates = new Map(
      snapshot.edges.filter(({ id }) => found.has(id)).map((edge) => [edge.id, this.#certificatesOf(edge)]),
    );
    const known = [...found].map(
      ([id, rejection]) => [id, { ...rejection, certificates: certificates.get(id) ?? "" }] as const,
    );
    const structure = structureOf(snapshot);
    this.#current = { structure, found: Object.fromEntries(known), at: elapsed() };
  }

  /** Whether the culprits of a snapshot were looked for within the last ten minutes. */
  wereSought(snapshot: Snapshot): boolean {
    return this.#current.structure === structureOf(snapshot) && !isOutdated(this.#current);
  }

  /**
   * Turns to what is known of a snapshot's structure. Forgets it if one of the edges has another certificate now, and after ten
   * minutes.
   */
  turnTo(snapshot: Snapshot): void {
    if (this.#current.structure === "" && this.#other.structure === "") return;
    const structure = structureOf(snapshot);
    if (this.#current.structure !== structure) {
      const current = this.#other.structure === structure ? this.#other : { ...nothing, at: NEVER };
      this.#other = this.#current;
      this.#current = current;
    }
    const hasChanged = (edge: Edge): boolean => {
      const known = this.#current.found[edge.id];
      return known !== undefined && known.certificates !== this.#certificatesOf(edge);
    };
    if (isOutdated(this.#current) || snapshot.edges.some(hasChanged))
      this.#current = { ...nothing, at: NEVER };
  }

  problems(): Problem[] {
    return Object.entries(this.#current.found).map(([object, { message, kind }]) => ({
      object,
      code: "refused_by_haproxy",
      msg: `The ${kind} ${kind === "edge" ? "is not served" : "returns 503"}: HAProxy rejects it: ${message}`,
    }));
  }
}

/**
 * Finds the edges and routes that HAProxy rejects, by bisection. A whole edge is only rejected if HAProxy rejects it without its
 * routes too, or if it takes too long to find which of its routes are rejected.
 *
 * @param check has HAProxy check the configuration without some edges and routes
 * @returns undefined if the search for edges takes too long, or HAProxy rejects no edge on its own
 */
export async function findRejected(
  { edges }: Snapshot,
  check: (without: ReadonlySet<string>) => Promise<Checked>,
): Promise<Map<string, Rejection> | undefined> {
  const found = new Map<string, Rejection>();
  const end = elapsed() + LONGEST_SEARCH;
  let checks = 0;
  const tried = async (without: ReadonlySet<string>): Promise<Checked | undefined> => {
    checks += 1;
    return checks > MOST_CHECKS || elapsed() > end ? undefined : check(without);
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
    const routes = (await search(routeIds, routeIds, others)) ?? new Map<string, string>();
    // The routes are only rejected in combination, or there are too many of them to find each: leave out the edge, and apply the rest.
    if (routes.size === 0) found.set(edge.id, { kind: "edge", message });
    for (const [id, reason] of routes) found.set(id, { kind: "route", message: reason });
  }
  return found.size === 0 ? undefined : found;
}
