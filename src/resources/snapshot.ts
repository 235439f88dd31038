import { type Context, Hono } from "hono";
import * as z from "zod";
import type { Compiled } from "../../packages/traffic/src/policy/compile.ts";
import { byObjectAndCode, problemCodes } from "../../packages/traffic/src/problems.ts";
import { resolve } from "../../packages/traffic/src/resolve.ts";
import {
  type Problem,
  problemSchema,
  type Snapshot,
  snapshotSchema,
} from "../../packages/traffic/src/snapshot.ts";
import type { StoredSnapshot } from "../../packages/traffic/src/stored.ts";
import { clock, timestamp } from "../clock.ts";
import { endedBy } from "../db/checks.ts";
import type { App } from "../env.ts";
import { tooLarge } from "../http/errors.ts";
import { inWords, LARGEST_PAGE, limit, listSchemaAt } from "../http/lists.ts";
import { operation } from "../http/operation.ts";
import { isKnown, respond, showTagged } from "../http/respond.ts";
import { exampleId } from "../ids.ts";
import { compiledPolicy } from "../traffic/policies.ts";
import { MOST_RULES, newestChange, snapshotStatements } from "../traffic/stored.ts";
import { TRAEFIK_PROBLEMS } from "../traffic/traefik/draft.ts";
import { toTraefik } from "../traffic/traefik/traefik.ts";
import { requestObject } from "../values/members.ts";

/*
 * The snapshot of everything that proxies serve, and the list of problems: configuration that cannot be served as written.
 */

/** Part of the ETag. Increment it when the same rows produce a different snapshot, so that clients do not keep the old one. */
const FORMAT = "2";

/** The most stored bytes that a snapshot can be built from. */
const MOST_BYTES = 24_000_000;

/** Limits of the isolate's cache. Tests replace the value. */
export const keeping = {
  /** Length of the longest cached snapshot, in characters. */
  characters: 16_000_000,
};

const formats = ["traefik"] as const;
type Format = (typeof formats)[number] | undefined;

const formatQuery = () =>
  z
    .enum(formats)
    .describe(
      "`traefik`: the dynamic configuration for a Traefik proxy, whose HTTP provider polls it. Anything that Traefik cannot enforce is left out and reported by `GET /problems?format=traefik`.",
    )
    .exactOptional();

/** A snapshot in one format, as a string. */
interface Written {
  etag: string;
  json: string;
  problems: Problem[];
}

/** The newest snapshot in each format that this isolate has built: many agents request the same one. */
const kept = new Map<Format, Written>();

const etagOf = (c: Context<App>, version: number, format: Format): string =>
  `"${c.get("request").session.epoch}-${format ?? "snapshot"}-${FORMAT}-${version}"`;

/** Resolves what is stored. Compiles its traffic policies. */
export async function resolved(stored: StoredSnapshot): Promise<Snapshot> {
  const owners = [
    ...stored.tcp.map((edge) => ["tcp_edge", edge] as const),
    ...stored.tls.map((edge) => ["tls_edge", edge] as const),
    ...stored.routes.map((route) => ["https_edge_route", route] as const),
  ];
  const compiled = new Map<string, Compiled>();
  for (const [target, { traffic_policy: policy }] of owners)
    if (policy?.enabled)
      compiled.set(`${target} ${policy.value}`, await compiledPolicy(policy.value, target));
  return resolve(stored, (value, target) => {
    const found = compiled.get(`${target} ${value}`);
    if (!found) throw new Error("A policy was not compiled.");
    return found;
  });
}

/** Reads everything that serving traffic needs, as stored. One round trip. @throws 413 if it is too large */
export async function storedSnapshot(c: Context<App>): Promise<StoredSnapshot> {
  const { statements, read } = snapshotStatements(timestamp(clock.now()), MOST_BYTES);
  const results = await c
    .get("request")
    .session.batch(statements)
    .catch((error: unknown) => {
      throw endedBy(error) ? tooMuch() : error;
    });
  const stored = read(results);
  if (stored.rules.length > MOST_RULES) throw tooMuch();
  return stored;
}

const tooMuch = () =>
  tooLarge(
    `The configuration to be served has more than ${MOST_BYTES / 1e6} MB or ${MOST_RULES} rules. Bodies of fixed responses and header maps usually take the most space.`,
  );

function write(c: Context<App>, snapshot: Snapshot, format: Format): Written {
  const etag = etagOf(c, snapshot.version, format);
  if (format === undefined) return { etag, json: JSON.stringify(snapshot), problems: snapshot.problems };
  const { configuration, problems } = toTraefik(snapshot);
  return {
    etag,
    json: JSON.stringify(configuration),
    problems: [...snapshot.problems, ...problems].toSorted(byObjectAndCode),
  };
}

/** The ETag of the current snapshot, from the number of the newest change. Reads one row. */
const newestEtag = async (c: Context<App>, format: Format): Promise<string> => {
  const version = (await c.get("request").session.first(newestChange)) ?? 0;
  return etagOf(c, version, format);
};

/** The current snapshot in a format. One round trip, or two if the cached snapshot is out of date. */
async function current(c: Context<App>, format: Format): Promise<Written> {
  const known = kept.get(format);
  return known && (await newestEtag(c, format)) === known.etag ? known : make(c, format);
}

/** When the isolate began to build the current snapshot, in milliseconds since the Unix epoch. */
let begun: number | undefined;

/** After this time a new build is started: if a client disconnects, its request's promises never resolve. */
const MAKING_MILLISECONDS = 10_000;
const PAUSE_MILLISECONDS = 20;

const isMaking = (): boolean => begun !== undefined && clock.now() - begun < MAKING_MILLISECONDS;

/**
 * Builds a snapshot, one at a time: building takes several times the snapshot's length in memory, and after a change all
 * agents request it at the same time.
 */
async function make(c: Context<App>, format: Format): Promise<Written> {
  if (isMaking()) {
    while (isMaking()) await scheduler.wait(PAUSE_MILLISECONDS);
    return current(c, format);
  }
  const own = clock.now();
  begun = own;
  try {
    // Frees memory for the new snapshot.
    kept.delete(format);
    const written = write(c, await resolved(await storedSnapshot(c)), format);
    if (written.json.length <= keeping.characters) kept.set(format, written);
    return written;
  } finally {
    if (begun === own) begun = undefined;
  }
}

/** The fields are defined by Traefik; tests check them against its schema. */
const traefikSchema = z.lazy(() =>
  z
    .strictObject({
      http: z.looseObject({}).describe("Routers, services and middlewares.").optional(),
      tcp: z.looseObject({}).describe("Routers and services.").optional(),
      tls: z.looseObject({}).describe("Options.").optional(),
    })
    .meta({
      id: "TraefikConfiguration",
      description: "A dynamic configuration of a Traefik proxy, version 3.",
      examples: [{ tcp: { routers: {}, services: {} } }],
    }),
);

export const snapshot = new Hono<App>().get(
  "/",
  ...operation({
    id: "SnapshotGet",
    access: "viewer or agent",
    summary: "Get the snapshot",
    description: `Returns a consistent snapshot of everything needed to serve traffic: edges with their enabled modules and routes, and the policies, backends and authorities that they use. It contains no secrets. Poll it every few seconds, with the last \`ETag\` as \`If-None-Match\`: 304 means that nothing has changed. Expired rules are left out. An expired rule is deleted within a minute, which counts as a change. If the snapshot would have more than ${MOST_BYTES / 1e6} MB or ${MOST_RULES} rules, the response is 413.`,
    tag: "Traffic",
    conditional: "poll",
    query: z.lazy(() => requestObject({ format: formatQuery() })),
    status: 200,
    response: z.lazy(() => z.union([snapshotSchema, traefikSchema])),
    errors: ["ERR_TOO_LARGE", "ERR_PRECONDITION_FAILED"],
  }),
  async (c) => {
    const { format } = c.req.valid("query");
    const known = kept.get(format);
    const isAsked = known !== undefined || c.req.header("If-None-Match") !== undefined;
    const newest = isAsked ? await newestEtag(c, format) : undefined;
    if (newest !== undefined && isKnown(c, newest)) return showTagged(c, newest, () => "");
    const { etag, json } = known && newest === known.etag ? known : await make(c, format);
    return showTagged(c, etag, () => json);
  },
);

/** `OBJECT.CODE`: the position after which a page of problems starts. */
const PLACE = /^([0-9A-Za-z_]{1,100})\.([0-9a-z_]{1,100})$/;

const ProblemList = z.lazy(() =>
  listSchemaAt("/problems", {
    problems: z.array(problemSchema).describe("The problems on this page, by object and code."),
  }).meta({ id: "ProblemList", description: "Configuration that is not served as written." }),
);

const codesInWords = (): string =>
  Object.entries(problemCodes)
    .map(([code, meaning]) => `- \`${code}\`: ${meaning}`)
    .join("\n");

export const problems = new Hono<App>().get(
  "/",
  ...operation({
    id: "ProblemsList",
    access: "viewer",
    summary: "List problems",
    description: `Lists configuration that is not served as written, or not at all, with the reason, by object and code. Each agent can have further problems, such as a missing certificate: see its status. The codes:\n\n${codesInWords()}\n\nWith \`format=traefik\` there are also ${inWords(
      TRAEFIK_PROBLEMS.map((code) => `\`${code}\``),
      "and",
    )}, for what that proxy cannot enforce.`,
    tag: "Traffic",
    query: z.lazy(() =>
      requestObject({
        limit: limit("").exactOptional(),
        after: z
          .string()
          .regex(PLACE, "Expected the object and the code of a problem, separated by a full stop.")
          .describe("Lists only problems after this one: its object and its code, separated by a full stop.")
          .meta({ examples: [`${exampleId("tcp_edge")}.port_taken`] })
          .exactOptional(),
        format: formatQuery(),
      }),
    ),
    status: 200,
    response: ProblemList,
    errors: ["ERR_TOO_LARGE"],
  }),
  async (c) => {
    const { limit: most = LARGEST_PAGE, after, format } = c.req.valid("query");
    const all = (await current(c, format)).problems;
    const [, object = "", code = ""] = PLACE.exec(after ?? "") ?? [];
    const rest =
      after === undefined ? all : all.filter((problem) => byObjectAndCode({ object, code }, problem) < 0);
    const page = rest.slice(0, most);
    const last = rest.length > most ? page.at(-1) : undefined;
    const uri = `${c.get("request").origin}/problems`;
    const filtered = format === undefined ? "" : `&format=${format}`;
    const body = {
      problems: page,
      uri,
      next_page_uri: last ? `${uri}?after=${last.object}.${last.code}&limit=${most}${filtered}` : null,
    } satisfies z.output<typeof ProblemList>;
    return respond(c, 200, JSON.stringify(body));
  },
);
