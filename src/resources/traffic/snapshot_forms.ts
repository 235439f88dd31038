import type { Context } from "hono";
import { clock, timestamp } from "../../../packages/model/src/clock.ts";
import { type Changes, policiesIn, policyKey } from "../../../packages/model/src/traffic/changes.ts";
import { endsIn } from "../../../packages/model/src/traffic/ends.ts";
import {
  byObjectAndCode,
  type JudgedProblem,
  problemsOf,
} from "../../../packages/model/src/traffic/problems.ts";
import { resolve } from "../../../packages/model/src/traffic/resolve.ts";
import type { Snapshot } from "../../../packages/model/src/traffic/snapshot.ts";
import { noLists, type StoredSnapshot } from "../../../packages/model/src/traffic/stored_snapshot.ts";
import { endedBy } from "../../db/checks.ts";
import type { Statement, Values } from "../../db/statements.ts";
import type { App } from "../../http/env.ts";
import { changesGone, tooLarge } from "../../http/errors.ts";
import { changeStatements } from "../../traffic/changes_since.ts";
import { compiledPolicy } from "../../traffic/policies.ts";
import {
  EVERYTHING,
  MOST_RULES,
  newestChange,
  type Scope,
  snapshotStatements,
  WITH_EXPIRED,
} from "../../traffic/snapshot_reads.ts";
import { toTraefik } from "../../traffic/traefik/traefik.ts";

/*
 * The current configuration in each of its forms. An isolate keeps them, because many agents request the same one.
 */

/** Part of the ETag. Increment it when the same rows produce a different snapshot, so that clients do not keep the old one. */
const FORMAT = "3";
/** The same for the stored form, in which agents read changes. */
const STORED_FORMAT = "2";

/** The most stored bytes that a snapshot can be built from. */
export const MOST_BYTES = 24_000_000;
/** The most changes that an isolate keeps. */
const MOST_CHANGES = 20;

/** Limits of the isolate's cache. Tests replace the value. */
export const keeping = {
  /** Length of the longest cached snapshot, in characters. */
  characters: 16_000_000,
};

/** An edge with hostports. */
export interface ManagedEdge {
  id: string;
  hostports: string[];
  /** Whether the snapshot has it. Otherwise, a problem says why. */
  isInSnapshot: boolean;
  /** The problems of the edge and of its routes, without warnings. */
  problems: readonly JudgedProblem[];
}

/** The configuration in one form, as a string. */
interface Written {
  etag: string;
  version: number;
  json: string;
  problems: JudgedProblem[];
  /** Every edge that is managed here, in the order of ids. */
  edges: ManagedEdge[];
  /** When the first of its rules expires, and it is no longer current: RFC 3339, UTC. */
  until?: string;
}

/** A form of the configuration. */
export interface Form {
  name: string;
  build: (c: Context<App>) => Promise<Omit<Written, "etag">>;
}

/** What this isolate has built last, by the name of the form. */
const kept = new Map<string, Written>();

/** An ETag names the instant until which it is current, so that a poll needs no more than the newest version. */
const etagOf = (c: Context<App>, version: number, { name }: Form, until?: string): string =>
  `"${c.get("request").session.epoch}-${name}-${FORMAT}-${version}${until === undefined ? "" : `-until-${until}`}"`;

/** Whether an ETag of a version is still current. */
function isCurrent(c: Context<App>, etag: string, version: number, form: Form): boolean {
  const [, until] = /-until-([\dTZ:-]+)"$/.exec(etag) ?? [];
  return etag === etagOf(c, version, form, until) && (until === undefined || until > timestamp(clock.now()));
}

/** The position in the log up to which a client knows the changes: the parameter `since`. */
const positionOf = (c: Context<App>, version: number): string =>
  `${c.get("request").session.epoch}-stored-${STORED_FORMAT}-${version}`;

/** The version of a position; undefined if the position is of another database or format. */
export function versionAt(c: Context<App>, position: string): number | undefined {
  const [, version] = /-(\d{1,15})$/.exec(position) ?? [];
  return version !== undefined && position === positionOf(c, Number(version)) ? Number(version) : undefined;
}

/** The enabled traffic policies of stored objects, compiled. */
async function compiledIn(
  stored: Pick<StoredSnapshot, "tcp" | "tls" | "routes">,
): Promise<Map<string, Changes["compiled"][number]>> {
  const compiled = new Map<string, Changes["compiled"][number]>();
  for (const { target, value } of policiesIn(stored)) {
    const key = policyKey(target, value);
    if (compiled.has(key)) continue;
    const { verdict, findings, program } = await compiledPolicy(value, target);
    compiled.set(key, { target, value, verdict, findings, program });
  }
  return compiled;
}

/** Resolves what is stored. Compiles its traffic policies. @param claims see {@link resolve} */
export async function resolved(
  stored: StoredSnapshot,
  claims?: Parameters<typeof resolve>[2],
): Promise<Snapshot> {
  const compiled = await compiledIn(stored);
  const judge: Parameters<typeof resolve>[1] = (value, target) => {
    const found = compiled.get(policyKey(target, value));
    if (!found) throw new Error("A policy was not compiled.");
    return found;
  };
  return resolve(stored, judge, claims);
}

/** Reads stored objects: by default, everything that serving traffic needs. One round trip. @throws 413 if it is too large */
export async function storedSnapshot(
  c: Context<App>,
  scope?: Scope,
  now = timestamp(clock.now()),
): Promise<StoredSnapshot> {
  const { statements, read } = snapshotStatements(now, MOST_BYTES, scope);
  const stored = await readWithin(c, statements, read);
  if (!stored) throw tooMuch();
  return stored;
}

/** When the first rule of a snapshot expires, if any does. */
function firstEnd({ ip_policies }: Snapshot): { until?: string } {
  const [until] = endsIn(Object.values(ip_policies)).toSorted();
  return until === undefined ? {} : { until };
}

/** Sends a batch that ends if it would read too many bytes. Resolves to undefined then. */
const readWithin = async <T>(
  c: Context<App>,
  statements: Statement<unknown>[],
  read: (results: Values[][]) => T,
): Promise<T | undefined> => {
  try {
    return read(await c.get("request").session.batch(statements));
  } catch (error) {
    if (endedBy(error)) return undefined;
    throw error;
  }
};

const tooMuch = () =>
  tooLarge(
    `The configuration to be served has more than ${MOST_BYTES / 1e6} MB or ${MOST_RULES} rules. Bodies of fixed responses and header maps usually take the most space.`,
  );

const NONE: readonly JudgedProblem[] = [];

/** The edges that are managed here. */
function managedIn(
  { tcp, tls, https, routes }: StoredSnapshot,
  { edges }: Snapshot,
  problems: readonly JudgedProblem[],
): ManagedEdge[] {
  const inSnapshot = new Set(edges.map(({ id }) => id));
  const edgeOf = new Map(routes.map(({ id, edge_id }) => [id, edge_id]));
  const byEdge = Map.groupBy(
    problems.filter(({ effect }) => effect !== "warning"),
    ({ object }) => edgeOf.get(object) ?? object,
  );
  return [...tcp, ...tls, ...https]
    .map(({ id, hostports }) => ({
      id,
      hostports: hostports ?? [],
      isInSnapshot: inSnapshot.has(id),
      problems: byEdge.get(id) ?? NONE,
    }))
    .toSorted((a, b) => (a.id < b.id ? -1 : 1));
}

/** What agents and people read. */
const snapshotForm: Form = {
  name: "snapshot",
  build: async (c) => {
    const stored = await storedSnapshot(c);
    const snapshot = await resolved(stored);
    const { version } = snapshot;
    const problems = problemsOf(snapshot);
    return {
      version,
      json: JSON.stringify(snapshot),
      problems,
      edges: managedIn(stored, snapshot, problems),
      ...firstEnd(snapshot),
    };
  },
};

/** What Traefik reads. */
const traefikForm: Form = {
  name: "traefik",
  build: async (c) => {
    const snapshot = await resolved(await storedSnapshot(c));
    const { configuration, problems } = toTraefik(snapshot);
    return {
      version: snapshot.version,
      json: JSON.stringify(configuration),
      problems: [...problemsOf(snapshot), ...problems].toSorted(byObjectAndCode),
      edges: [],
      ...firstEnd(snapshot),
    };
  },
};

export const forms = { snapshot: snapshotForm, traefik: traefikForm };

/** Changes as they are sent. */
async function written(
  c: Context<App>,
  from: number | null,
  { version, ...put }: StoredSnapshot,
  { rules, deleted }: Pick<Changes, "rules" | "deleted">,
) {
  const compiled = [...(await compiledIn(put)).values()];
  const next = positionOf(c, version);
  const changes = { from, version, next, put, rules, deleted, compiled } satisfies Changes;
  return { version, json: JSON.stringify(changes), problems: [], edges: [] };
}

const NO_CHANGES = { rules: [], deleted: [] };

/** No changes since a version. */
export const nothingSince = (c: Context<App>, version: number) =>
  written(c, version, { ...noLists(), version }, NO_CHANGES);

/** All that is stored, used or not. */
export const everything: Form = {
  name: "stored",
  build: async (c) => written(c, null, await storedSnapshot(c, EVERYTHING, WITH_EXPIRED), NO_CHANGES),
};

/** What has changed since a version. Building it throws 410 if the log does not say. */
export const changesSince = (since: number): Form => ({
  name: `changes-${since}`,
  build: async (c) => {
    const { statements, read } = changeStatements(since, MOST_BYTES);
    const found = await readWithin(c, statements, read);
    if (!found || found.is === "gone") throw changesGone();
    if (found.is === "nothing") return nothingSince(c, since);
    return written(c, since, found.stored, found.changes);
  },
});

/** The number of the newest change. Reads one row. */
export const newestVersion = async (c: Context<App>): Promise<number> =>
  (await c.get("request").session.first(newestChange)) ?? 0;

/** The ones among ETags that are current for a form. Reads one row. @param etags with quotes */
export async function currentAmong(c: Context<App>, form: Form, etags: readonly string[]): Promise<string[]> {
  const newest = await newestVersion(c);
  return etags.filter((etag) => isCurrent(c, etag, newest, form));
}

/** What the isolate has of a form, up to date or not. */
export const keptOf = ({ name }: Form): Written | undefined => kept.get(name);

/**
 * The current configuration in a form. One round trip, or two if what the isolate has is out of date.
 *
 * @param version the newest, if it has just been read
 */
export async function current(c: Context<App>, form: Form, version?: number): Promise<Written> {
  const known = keptOf(form);
  if (!known) return make(c, form);
  return isCurrent(c, known.etag, version ?? (await newestVersion(c)), form) ? known : make(c, form);
}

/** When the isolate began to build a form, by lock, in milliseconds since the Unix epoch. */
const begun = new Map<string, number>();

/** After this time a new build is started: if a client disconnects, its request's promises never resolve. */
const MAKING_MILLISECONDS = 10_000;
const PAUSE_MILLISECONDS = 20;

/** Forms with the same lock are built one at a time: all but changes, each of which can be built next to others. */
const lockOf = ({ name }: Form): string => (name.startsWith("changes-") ? name : "snapshot");

const isMaking = (lock: string): boolean =>
  clock.now() - (begun.get(lock) ?? Number.NEGATIVE_INFINITY) < MAKING_MILLISECONDS;

/**
 * Builds a form. Snapshots are built one at a time: building takes several times the snapshot's length in memory, and after a change all
 * agents request it at the same time.
 */
export async function make(c: Context<App>, form: Form): Promise<Written> {
  const { name } = form;
  const lock = lockOf(form);
  if (isMaking(lock)) {
    while (isMaking(lock)) await scheduler.wait(PAUSE_MILLISECONDS);
    return current(c, form);
  }
  const own = clock.now();
  begun.set(lock, own);
  try {
    // Frees memory for the new one.
    kept.delete(name);
    const content = await form.build(c);
    const built = { etag: etagOf(c, content.version, form, content.until), ...content };
    if (built.json.length <= keeping.characters) kept.set(name, built);
    forgetOldChanges();
    return built;
  } finally {
    if (begun.get(lock) === own) begun.delete(lock);
  }
}

/** Changes are only read until all agents have them. */
function forgetOldChanges(): void {
  const names = [...kept.keys()].filter((name) => name.startsWith("changes-"));
  for (const name of names.slice(0, -MOST_CHANGES)) kept.delete(name);
}
