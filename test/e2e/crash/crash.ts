// Kills the service repeatedly while it writes, and checks what is left:
// npm run test:crash [-- --kills 25 --wholes 10 --seed 7]
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { isDeepStrictEqual, parseArgs } from "node:util";
import type { Json } from "../../support/json.ts";
import { objectFaults, readList } from "../../support/replay_objects.ts";
import { migrate, workerBundle } from "../support/prepared.ts";
import { Random } from "../support/random.ts";
import { type RunningWorker, startWorker } from "../support/workerd.ts";
import { asRequested, collections } from "./collections.ts";
import { faultsOf } from "./database.ts";
import { asText, ROOT_API_KEY, Run, send, type Write } from "./run.ts";
import { crashWholes } from "./whole.ts";
import { Writer } from "./writer.ts";

/*
 * Writers send requests concurrently and record acknowledged writes, until workerd is killed. Then everything is compared while
 * nothing is written: acknowledged writes must be stored byte for byte, all others completely or not at all, and the event log
 * must match the lists. Creates without a response are repeated with their Idempotency-Key in the next round, on the same
 * files.
 */

const WRITERS = 12;
const ROUND_MILLISECONDS = { least: 30, most: 1_000 };
const WHOLES_MILLISECONDS = 60_000;
/** On a busy machine, a run can end early, but not with fewer kills. */
const LEAST_KILLS = 20;
const DEADLINE_MILLISECONDS = 100_000;

const bindings = {
  ROOT_API_KEY,
  SEALING_KEYS: `crash:${Buffer.alloc(32, "crash").toString("base64")}`,
  // The port differs at each start, but URIs must stay the same for the comparison.
  BASE_URL: "http://crash.test",
};

type Read = (path: string) => Promise<Json | undefined>;

const reading =
  (worker: RunningWorker, run: Run): Read =>
  async (path) => {
    const { status, text } = await send(worker, { method: "GET", path });
    if (status !== 200 && status !== 404) run.violated(`GET ${path} answers ${status}`, text);
    return status === 200 ? JSON.parse(text) : undefined;
  };

/** Every object in every list, and every route module that was acknowledged or is being written. */
async function everything(read: Read, run: Run, pending: Write[]): Promise<Map<string, Json>> {
  const found = new Map<string, Json>();
  const readObjects = async (path: string, list: string): Promise<Json[]> => {
    const all = await readList(read, path, list);
    for (const object of all) found.set(object["id"], object);
    return all;
  };
  for (const { path, list, within } of collections) {
    if (within === undefined) await readObjects(path, list);
    for (const { id, [list]: shown } of within === undefined ? [] : found.values()) {
      if (!id.startsWith(within)) continue;
      const own = await readObjects(path.replace(/\{\w+\}/, id), list);
      if (!isDeepStrictEqual(own.toReversed(), shown)) run.violated(`${id} shows other ${list}`, shown, own);
    }
  }
  const paths = [...run.kept.keys(), ...pending.map(({ object }) => object.path)];
  for (const path of new Set(paths.filter((path) => path.endsWith("/request_headers")))) {
    const module = await read(path);
    if (module) found.set(path, module);
  }
  return found;
}

/** The events that were read so far, oldest first. Only later events are read again. */
let events: Json[] = [];

/** Compares the events with the lists. */
async function compareEvents(read: Read, run: Run, found: Map<string, Json>): Promise<void> {
  const last = events.at(-1)?.["event_id"];
  const newer = await readList(read, "/events", "events", ({ event_id }) => event_id === last);
  events = [...events, ...newer.toReversed()];
  const modules = [...found].filter(([path]) => path.startsWith("/"));
  const uris = new Map(modules.map(([path, module]) => [bindings.BASE_URL + path, module]));
  const objects = [...found.values()].filter(({ uri }) => uri !== undefined);
  for (const fault of objectFaults(events, objects, uris))
    run.violated("the events say something else", fault);
}

/** Compares the stored objects with the acknowledged writes, and finds out whether pending writes took effect. */
async function compare(worker: RunningWorker, run: Run, writers: Writer[]): Promise<void> {
  const pending = writers.flatMap((writer) => writer.pending ?? []);
  const read = reading(worker, run);
  const found = await everything(read, run, pending);
  await compareEvents(read, run, found);
  const creating = pending.filter(({ key }) => key !== undefined);
  const changing = pending.filter(({ key }) => key === undefined);
  const underway = new Set(changing.flatMap(({ object, takes }) => [object.id ?? "", ...takes]));

  for (const { id, members, shown } of run.kept.values()) {
    if (underway.has(id)) continue;
    const object = found.get(id);
    if (!object) run.violated("acknowledged, but lost", id, members);
    else if (shown !== undefined && asText(object) !== shown)
      run.violated("differs from the acknowledged response", shown, object);
    else if (!isDeepStrictEqual(asRequested(object), members))
      run.violated("differs from what was acknowledged", members, object);
    run.figures.compared += 1;
  }

  for (const write of changing) {
    const { object, before, after, takes } = write;
    write.isDone = false;
    const members = found.get(object.id ?? "");
    const state = members && asRequested(members);
    if (isDeepStrictEqual(state, before)) write.unanswered = 0;
    else if (isDeepStrictEqual(state, after)) write.isDone = true;
    else run.violated("unacknowledged, but partially written", write, members ?? "missing");
    for (const id of takes) {
      const taken = found.get(id);
      const isWhole = taken && isDeepStrictEqual(asRequested(taken), run.kept.get(id)?.members);
      if (write.isDone ? taken : !isWhole) run.violated("partially deleted", write, id, taken ?? "missing");
    }
    run.figures.compared += 1 + takes.length;
  }

  for (const write of creating) {
    const { id, ...object } = write.object;
    if (write.isDone && id !== undefined && !found.has(id)) run.violated("was stored, but is lost", write);
    Object.assign(write, { isDone: false, unanswered: 0, object: { ...object, id: undefined } });
  }
  for (const [id, object] of found) {
    if (run.kept.has(id) || underway.has(id)) continue;
    const create = run.creates.get(String(object["description"] ?? object["name"]));
    if (run.deleted.has(id)) run.violated("acknowledged as deleted, but exists again", id, object);
    else if (!create) run.violated("not created by any writer", object);
    else if (!isDeepStrictEqual(asRequested(object), create.write.after))
      run.violated("partially created", create.write, object);
    else if (creating.includes(create.write) && !create.write.isDone) {
      Object.assign(create.write, { isDone: true, unanswered: 1, object: { ...create.write.object, id } });
    } else {
      run.violated("several objects with one key", create, object);
      run.carriedOut(create.write, id);
    }
    run.figures.compared += 1;
  }
}

/** Reads every object individually, and all events again. None may have changed. */
async function readEach(worker: RunningWorker, run: Run): Promise<void> {
  const all = await readList(reading(worker, run), "/events", "events");
  if (!isDeepStrictEqual(all.toReversed(), events)) run.violated("the events are not those of before");
  for (const { path, shown, members } of run.kept.values()) {
    const { status, text } = await send(worker, { method: "GET", path });
    const object: Json = status === 200 ? JSON.parse(text) : {};
    const isRight =
      shown === undefined ? isDeepStrictEqual(asRequested(object), members) : asText(object) === shown;
    if (status !== 200 || !isRight) run.violated(`GET ${path} answers ${status}`, text, shown ?? members);
    run.figures.compared += 1;
  }
}

/** Starts the service, lets it write and kills it, `kills` times; then completes every pending write. */
async function crash(
  run: Run,
  kills: number,
  start: () => Promise<RunningWorker>,
  faults: () => string[],
): Promise<number> {
  const deadline = Date.now() + DEADLINE_MILLISECONDS;
  const random = new Random(run.seed);
  const writers = Array.from({ length: WRITERS }, (_, index) => new Writer(run, index));
  for (let killed = 0; ; killed += 1) {
    const worker = await start();
    await compare(worker, run, writers);
    for (const writer of writers) writer.dropOrRepeat();
    const isLate = Date.now() > deadline;
    if (isLate && killed < Math.min(kills, LEAST_KILLS))
      run.violated(`too slow: only ${killed} kills in ${DEADLINE_MILLISECONDS} ms`);
    if (run.violations.length > 0) {
      await worker.dispose();
      return killed;
    }
    if (killed === kills || isLate) {
      await Promise.all(writers.map((writer) => writer.finish(worker)));
      await compare(worker, run, writers);
      await readEach(worker, run);
      await worker.dispose();
      for (const fault of faults()) run.violated(fault);
      return killed;
    }
    const { least, most } = ROUND_MILLISECONDS;
    const writing = Promise.all(writers.map((writer) => writer.write(worker)));
    await sleep(least + random.below(most - least));
    await worker.kill();
    await writing;
    for (const fault of faults()) run.violated(fault);
  }
}

const { values: options } = parseArgs({
  options: {
    kills: { type: "string", default: "25" },
    wholes: { type: "string", default: "10" },
    seed: { type: "string", default: String(Date.now() % 1_000_000) },
  },
});
const kills = Number(options.kills);
const wholeKills = Number(options.wholes);
const run = new Run(Number(options.seed));
if (![kills, wholeKills, run.seed].every(Number.isInteger))
  throw new Error("--kills, --wholes and --seed are whole numbers");
console.info(`Seed ${run.seed}: ${kills} kills under ${WRITERS} writers.`);

const began = Date.now();
const folder = mkdtempSync(join(tmpdir(), "edge-configuration-crash-"));
const bundle = workerBundle();
const persist = join(folder, "state");
migrate(persist);
const killed = await crash(
  run,
  kills,
  () => startWorker({ bundle, persist, bindings }),
  () => faultsOf(persist),
);

// The same for atomic requests, in a separate database.
const wholesBegan = Date.now();
const wholePersist = join(folder, "wholes");
migrate(wholePersist);
const wholes = await crashWholes(
  run,
  wholeKills,
  () => startWorker({ bundle, persist: wholePersist, bindings }),
  () => faultsOf(wholePersist),
  wholesBegan + WHOLES_MILLISECONDS,
);

const { figures, violations, kept } = run;
console.info(
  [
    `kills                     ${killed}`,
    `writes acknowledged       ${figures.acknowledged} (and ${figures.rejected} rejected)`,
    `writes unanswered         ${figures.unanswered}, ${figures.done} of them took effect, ${figures.absent} did not`,
    `objects compared          ${figures.compared}, ${kept.size} at the end`,
    `creates replayed          ${figures.replayed}`,
    `events                    ${events.length}`,
    `as wholes                 ${wholes.figures.acknowledged} acknowledged, ${wholes.killed} kills`,
    `  unanswered              ${wholes.figures.unanswered}, ${wholes.figures.done} of them took effect, ${wholes.figures.absent} did not`,
    `  compared                ${wholes.figures.compared} operations and rules; ${wholes.figures.replayed} transactions replayed`,
    `seconds                   ${((Date.now() - began) / 1_000).toFixed(1)}, ${((Date.now() - wholesBegan) / 1_000).toFixed(1)} of them for wholes`,
  ].join("\n"),
);
if (violations.length === 0) {
  console.info("Nothing is lost or partially written.");
  rmSync(folder, { recursive: true });
} else {
  for (const words of violations.slice(0, 20)) console.error(`\nVIOLATED: ${words}`);
  console.error(`\n${violations.length} violations; seed ${run.seed}; the database is in ${folder}`);
  process.exitCode = 1;
}
