import type * as z from "zod";
import type { Snapshot } from "../../model/src/traffic/snapshot.ts";
import { elapsed } from "./base/clock.ts";
import { log } from "./log.ts";
import { reasonOf } from "./refusal.ts";
import type { KeySet, PublicKey } from "./render/contract.ts";
import { keySetUrls } from "./render/policies.ts";
import type { keySetsFile } from "./state_files.ts";

/*
 * The key sets that traffic policies verify tokens with. Each is fetched in the background, and the last good one is kept.
 */

const EVERY = 15 * 60_000;
const EVERY_AFTER_FAILURE = 60_000;
const MOST_SETS = 50;
/** Sets that no snapshot needs are forgotten beyond this number. */
const MOST_KEPT = 4 * MOST_SETS;

/** A set, and when it is fetched again. */
interface Known extends KeySet {
  due: number;
}

export class KeySets {
  #known: Map<string, Known>;
  readonly #fetch: (url: string) => Promise<PublicKey[]>;
  readonly #now: () => number;
  readonly #underWay = new Map<string, Promise<void>>();
  #hasChanged = false;
  /** Counts changes. */
  revision = 0;

  /**
   * @param saved the sets that an earlier agent had
   * @param fetch rejects with a reason for people
   */
  constructor(
    saved: z.infer<typeof keySetsFile>,
    fetch: (url: string) => Promise<PublicKey[]>,
    now: () => number = elapsed,
  ) {
    this.#known = new Map(Object.entries(saved).map(([url, keys]) => [url, { keys, due: 0 }]));
    this.#fetch = fetch;
    this.#now = now;
  }

  /** The set with a URL. It has no keys until it has been fetched. */
  readonly of = (url: string): KeySet =>
    this.#known.get(url) ?? { keys: [], error: `The agent fetches at most ${MOST_SETS} key sets.` };

  /** The keys of each set with keys, for the disk. */
  get saved(): z.infer<typeof keySetsFile> {
    const sets = [...this.#known].filter(([, { keys }]) => keys.length > 0);
    return Object.fromEntries(sets.map(([url, { keys }]) => [url, keys]));
  }

  /**
   * Begins to fetch the sets that a snapshot needs and that are due, and waits for those that have never been fetched. Resolves
   * to whether any set has changed since the last call.
   */
  async refresh(snapshot: Snapshot): Promise<boolean> {
    const urls = keySetsOf(snapshot).slice(0, MOST_SETS);
    if (this.#known.size > MOST_KEPT)
      this.#known = new Map([...this.#known].filter(([url]) => urls.includes(url)));
    const isDue = (url: string): boolean => (this.#known.get(url)?.due ?? 0) <= this.#now();
    for (const url of urls) if (isDue(url) && !this.#underWay.has(url)) this.#begin(url);
    await Promise.all(urls.flatMap((url) => (this.#known.has(url) ? [] : (this.#underWay.get(url) ?? []))));
    const hasChanged = this.#hasChanged;
    this.#hasChanged = false;
    return hasChanged;
  }

  #begin(url: string): void {
    const fetched = this.#fetchOnce(url).finally(() => this.#underWay.delete(url));
    this.#underWay.set(url, fetched);
  }

  async #fetchOnce(url: string): Promise<void> {
    const before = this.#known.get(url);
    try {
      const keys = await this.#fetch(url);
      this.#hasChanged ||= JSON.stringify(keys) !== JSON.stringify(before?.keys);
      if (this.#hasChanged) this.revision++;
      this.#known.set(url, { keys, due: this.#now() + EVERY });
    } catch (error) {
      const reason = reasonOf(error);
      if (reason !== before?.error) log(`Cannot use the key set ${url}: ${reason}`);
      const keys = before?.keys ?? [];
      this.#hasChanged ||= keys.length === 0 && reason !== before?.error;
      if (this.#hasChanged) this.revision++;
      this.#known.set(url, { keys, error: reason, due: this.#now() + EVERY_AFTER_FAILURE });
    }
  }
}

/** What was found in lists of edges. */
const found = new WeakMap<Snapshot["edges"], string[]>();

/** The URLs of all key sets that the policies of a snapshot name. */
export function keySetsOf({ edges }: Snapshot): string[] {
  const known = found.get(edges);
  if (known) return known;
  const urls = new Set<string>();
  for (const edge of edges)
    if (edge.kind === "https")
      for (const { traffic_policy } of edge.routes)
        if (traffic_policy?.program) for (const url of keySetUrls(traffic_policy.program)) urls.add(url);
  found.set(edges, [...urls]);
  return [...urls];
}
