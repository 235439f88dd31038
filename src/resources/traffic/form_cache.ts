import type { Context } from "hono";
import { clock, timestamp } from "../../../packages/model/src/clock.ts";
import type { App } from "../../http/env.ts";
import { newestChange } from "../../traffic/snapshot_reads.ts";

/*
 * An isolate's cache of the current configuration: its problems, and its forms as JSON, because many agents request the same form.
 */

/** Part of the ETag. Increment it when the same rows produce a different snapshot, so that clients do not keep the old one. */
const FORMAT = "3";

/** The most changes that an isolate keeps. */
const MOST_CHANGES = 20;

/** Limits of the isolate's cache. Tests replace the value. */
export const keeping = {
  /** Length of the longest cached snapshot, in bytes. */
  bytes: 16_000_000,
};

/** A value that is derived from one version of the configuration. */
interface Versioned {
  version: number;
  /** When the first of its rules expires: from then on, the value is out of date. RFC 3339, UTC. */
  until?: string;
}

/** One of the forms of the configuration. */
export interface Form<Content extends Versioned> {
  name: string;
  build: (c: Context<App>) => Promise<Content>;
}

type Named = Pick<Form<Versioned>, "name">;
type Tagged<Content> = Content & { etag: string };

/** An ETag names the instant until which it is current, so that a poll needs no more than the newest version. */
const etagOf = (c: Context<App>, version: number, { name }: Named, until?: string): string =>
  `"${c.get("request").session.epoch}-${name}-${FORMAT}-${version}${until === undefined ? "" : `-until-${until}`}"`;

/** Whether an ETag of a version is still current. */
function isCurrent(c: Context<App>, etag: string, version: number, form: Named): boolean {
  const [, until] = /-until-([\dTZ:-]+)"$/.exec(etag) ?? [];
  return etag === etagOf(c, version, form, until) && (until === undefined || until > timestamp(clock.now()));
}

/** The number of the newest change. Reads one row. */
export const newestVersion = async (c: Context<App>): Promise<number> =>
  (await c.get("request").session.first(newestChange)) ?? 0;

/** Those ETags that are current for a form. Reads one row. @param etags with quotes */
export async function currentAmong(
  c: Context<App>,
  form: Named,
  etags: readonly string[],
): Promise<string[]> {
  const newest = await newestVersion(c);
  return etags.filter((etag) => isCurrent(c, etag, newest, form));
}

/** When the isolate began to build a form, by lock, in milliseconds since the Unix epoch. */
const begun = new Map<string, number>();

/** After this time, another request starts a new build: if a client disconnects, the promises of its request never resolve. */
const MAKING_MILLISECONDS = 10_000;
const PAUSE_MILLISECONDS = 20;

/** Forms with the same lock are built one at a time. Changes have a lock each, so they can be built concurrently. */
const lockOf = ({ name }: Named): string => (name.startsWith("changes-") ? name : "snapshot");

const isMaking = (lock: string): boolean =>
  clock.now() - (begun.get(lock) ?? Number.NEGATIVE_INFINITY) < MAKING_MILLISECONDS;

/** The contents that this isolate has built last, by the name of the form. */
export class FormCache<Content extends Versioned> {
  readonly #kept = new Map<string, Tagged<Content>>();
  readonly #bytesOf: (content: Content) => number;

  /** @param bytesOf the approximate size of a content in bytes */
  constructor(bytesOf: (content: Content) => number) {
    this.#bytesOf = bytesOf;
  }

  /** The cached content of a form, even if it is out of date. */
  of({ name }: Named): Tagged<Content> | undefined {
    return this.#kept.get(name);
  }

  /**
   * The current configuration in a form. Takes one round trip, or two if the cached content is out of date.
   *
   * @param version the newest, if it has just been read
   */
  async current(c: Context<App>, form: Form<Content>, version?: number): Promise<Tagged<Content>> {
    const known = this.of(form);
    if (!known) return this.make(c, form);
    return isCurrent(c, known.etag, version ?? (await newestVersion(c)), form) ? known : this.make(c, form);
  }

  /**
   * Builds a form. Snapshots are built one at a time: building takes several times the snapshot's length in memory, and after a change
   * all agents request it at the same time.
   */
  async make(c: Context<App>, form: Form<Content>): Promise<Tagged<Content>> {
    const lock = lockOf(form);
    if (isMaking(lock)) {
      while (isMaking(lock)) await scheduler.wait(PAUSE_MILLISECONDS);
      return this.current(c, form);
    }
    const own = clock.now();
    begun.set(lock, own);
    try {
      // Frees memory for the new content.
      this.#kept.delete(form.name);
      return this.keep(c, form, await form.build(c));
    } finally {
      if (begun.get(lock) === own) begun.delete(lock);
    }
  }

  /** Caches the content of a form, unless it is too long. */
  keep(c: Context<App>, form: Named, content: Content): Tagged<Content> {
    const tagged = { etag: etagOf(c, content.version, form, content.until), ...content };
    if (this.#bytesOf(content) < keeping.bytes) this.#kept.set(form.name, tagged);
    this.#forgetOldChanges();
    return tagged;
  }

  /** Removes old changes. After all agents have read the changes since a version, nobody requests them again. */
  #forgetOldChanges(): void {
    const names = [...this.#kept.keys()].filter((name) => name.startsWith("changes-"));
    for (const name of names.slice(0, -MOST_CHANGES)) this.#kept.delete(name);
  }
}
