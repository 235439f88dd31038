import type { Context } from "hono";
import { clock, timestamp } from "../../../packages/model/src/clock.ts";
import { type Changes, policiesIn, policyKey } from "../../../packages/model/src/traffic/changes.ts";
import { endsIn } from "../../../packages/model/src/traffic/ends.ts";
import {
  byObjectAndCode,
  type JudgedProblem,
  problemsOf,
} from "../../../packages/model/src/traffic/problems.ts";
import { isTerminated, resolve } from "../../../packages/model/src/traffic/resolve.ts";
import type { Snapshot } from "../../../packages/model/src/traffic/snapshot.ts";
import { noLists, type StoredSnapshot } from "../../../packages/model/src/traffic/stored_snapshot.ts";
import { endedBy } from "../../db/checks.ts";
import type { Statement, Values } from "../../db/statements.ts";
import type { App } from "../../http/env.ts";
import { changesGone, tooLarge } from "../../http/errors.ts";
import {
  changeStatements,
  differences,
  outlineAfter,
  type LoggedChange,
} from "../../traffic/changes_since.ts";
import { compiledPolicy } from "../../traffic/policies.ts";
import {
  allObjects,
  MOST_RULES,
  outline,
  type Read,
  type Scope,
  snapshotStatements,
  WITH_EXPIRED,
} from "../../traffic/snapshot_reads.ts";
import { toTraefik } from "../../traffic/traefik/traefik.ts";
import { type Form, FormCache, keeping } from "./form_cache.ts";

/*
 * The current configuration in each of its forms, and its problems.
 */

/** The format of the stored form, in which agents read changes: see FORMAT in form_cache.ts. */
const STORED_FORMAT = "2";

/** The most stored bytes that a snapshot can be built from. */
export const MOST_BYTES = 24_000_000;
/** An edge with hostports. */
export interface ManagedEdge {
  id: string;
  hostports: string[];
  /** Whether the snapshot has it. Otherwise, a problem says why. */
  isInSnapshot: boolean;
  /** Whether it terminates TLS. */
  isTerminated: boolean;
  /** The problems of the edge and of its routes, without warnings. */
  problems: readonly JudgedProblem[];
}

/** The configuration in one form, as JSON. */
interface Written {
  version: number;
  /** In UTF-8: a string takes twice as much if one of its characters is not in Latin-1, and each response encodes it again. */
  json: Uint8Array;
  until?: string;
}

/** The configuration that is not served as written. */
interface Judged {
  version: number;
  problems: JudgedProblem[];
  /** Every edge that is managed here, in the order of ids. */
  edges: ManagedEdge[];
  until?: string;
}

const encoder = new TextEncoder();

/** Writes JSON. */
const inUtf8 = (value: unknown): Uint8Array => encoder.encode(JSON.stringify(value));

/** The JSON that the isolate has written last. */
export const texts = new FormCache<Written>(({ json }) => json.byteLength);

/** The approximate size of an edge or a problem in memory. */
const ENTRY_BYTES = 150;

/** The problems that the isolate has found last. */
export const judgements = new FormCache<Judged>(
  ({ problems, edges }) => ENTRY_BYTES * (1 + problems.length + edges.length),
);

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

/** Reads stored objects, and how many bytes they have. One round trip. @throws 413 if it is too large */
async function storedIn(c: Context<App>, scope?: Scope, now = timestamp(clock.now())): Promise<Read> {
  const { statements, read } = snapshotStatements(now, MOST_BYTES, scope);
  const found = await readWithin(c, statements, read);
  if (!found) throw tooMuch();
  return found;
}

/** Reads stored objects: by default, everything that serving traffic needs. One round trip. @throws 413 if it is too large */
export const storedSnapshot = async (...given: Parameters<typeof storedIn>): Promise<StoredSnapshot> =>
  (await storedIn(...given)).stored;

/** The outline that the isolate has read last, and the epoch of its database. */
let known: (Read & { epoch: string }) | undefined;

/** How often objects are read again because others have changed in between. */
const ROUNDS = 3;

/** The outline of the current configuration. Reads everything if changes of the last one are not enough. @throws 413 */
async function outlined(c: Context<App>): Promise<StoredSnapshot> {
  const isSmall = ({ bytes }: Read): boolean => bytes < keeping.bytes;
  const last = known;
  const read = (last && isSmall(last) && (await followed(c, last))) || (await storedIn(c, outline()));
  known = isSmall(read) ? { ...read, epoch: c.get("request").session.epoch } : undefined;
  return read.stored;
}

/**
 * An outline after the changes since it was read; undefined if they are not known, or if it has become too large. The first round
 * trip lists the changed objects, the second one reads them. Each lists them, so that they are those of the version that it reads.
 */
async function followed(c: Context<App>, last: NonNullable<typeof known>): Promise<Read | undefined> {
  const { session } = c.get("request");
  const { version } = last.stored;
  // The cached epoch can be from before a restore. The log then has changes of another history.
  session.alwaysReadEpoch();
  let expected: LoggedChange[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const { statements, read } = changeStatements(version, MOST_BYTES - last.bytes, expected);
    const found = await readWithin(c, statements, read);
    if (!found || found.is === "gone" || session.epoch !== last.epoch) return undefined;
    if (found.is === "nothing") return found.version === version ? last : undefined;
    const next = outlineAfter(last, expected, found);
    if (next) return next;
    expected = found.touched;
  }
  return undefined;
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
  const terminated = new Set([...tls.filter(isTerminated), ...https].map(({ id }) => id));
  return [...tcp, ...tls, ...https]
    .map(({ id, hostports }) => ({
      id,
      hostports: hostports ?? [],
      isInSnapshot: inSnapshot.has(id),
      isTerminated: terminated.has(id),
      problems: byEdge.get(id) ?? NONE,
    }))
    .toSorted((a, b) => (a.id < b.id ? -1 : 1));
}

/** The problems of a snapshot. They do not depend on its rules, so they are current until the next change. */
function judgedIn(stored: StoredSnapshot, snapshot: Snapshot): Judged {
  const problems = problemsOf(snapshot);
  return { version: snapshot.version, problems, edges: managedIn(stored, snapshot, problems) };
}

/** The problems of the configuration. Finding them reads no rules. */
const problemsForm: Form<Judged> = {
  name: "problems",
  build: async (c) => {
    const stored = await outlined(c);
    return judgedIn(stored, await resolved(stored));
  },
};

/** What agents and people read. */
const snapshotForm: Form<Written> = {
  name: "snapshot",
  build: async (c) => {
    const stored = await storedSnapshot(c);
    const snapshot = await resolved(stored);
    judgements.keep(c, problemsForm, judgedIn(stored, snapshot));
    return { version: snapshot.version, json: inUtf8(snapshot), ...firstEnd(snapshot) };
  },
};

/** The current configuration for Traefik, and its problems. They depend on the rules, unlike the problems of a snapshot. */
async function forTraefik(c: Context<App>) {
  const snapshot = await resolved(await storedSnapshot(c));
  const { configuration, problems } = toTraefik(snapshot);
  const judged: Judged = {
    version: snapshot.version,
    problems: [...problemsOf(snapshot), ...problems].toSorted(byObjectAndCode),
    edges: [],
    ...firstEnd(snapshot),
  };
  return { configuration, judged };
}

/** The problems of the configuration for Traefik. */
const traefikProblemsForm: Form<Judged> = {
  name: "traefik-problems",
  build: async (c) => (await forTraefik(c)).judged,
};

/** What Traefik reads. */
const traefikForm: Form<Written> = {
  name: "traefik",
  build: async (c) => {
    const { configuration, judged } = await forTraefik(c);
    judgements.keep(c, traefikProblemsForm, judged);
    const { version, until } = judged;
    return { version, json: inUtf8(configuration), ...(until !== undefined && { until }) };
  },
};

/** The forms that proxies read, and the problems of each. */
export const forms = {
  snapshot: { text: snapshotForm, problems: problemsForm },
  traefik: { text: traefikForm, problems: traefikProblemsForm },
};

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
  return { version, json: inUtf8(changes) };
}

const NO_CHANGES = { rules: [], deleted: [] };

/** No changes since a version. */
export const nothingSince = (c: Context<App>, version: number) =>
  written(c, version, { ...noLists(), version }, NO_CHANGES);

/** All that is stored, used or not. */
export const everything: Form<Written> = {
  name: "stored",
  build: async (c) => written(c, null, await storedSnapshot(c, allObjects(), WITH_EXPIRED), NO_CHANGES),
};

/** What has changed since a version. Building it throws 410 if the log does not say. */
export const changesSince = (since: number): Form<Written> => ({
  name: `changes-${since}`,
  build: async (c) => {
    const { statements, read } = changeStatements(since, MOST_BYTES);
    const found = await readWithin(c, statements, read);
    if (!found || found.is === "gone") throw changesGone();
    if (found.is === "nothing") return nothingSince(c, since);
    return written(c, since, found.stored, differences(found.touched, found.stored));
  },
});
