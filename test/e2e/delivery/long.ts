// Kills the service while it delivers events to receivers that fail in several ways, and checks what has arrived:
// npm run test:delivery:long [-- --changes 10000 --kills 10 --seed 7]
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { isDeepStrictEqual, parseArgs } from "node:util";
import { eventTypes } from "../../../packages/model/src/event_types.ts";
import type { Json } from "../../support/json.ts";
import { objectFaults, readList } from "../../support/replay_objects.ts";
import { collections } from "../crash/collections.ts";
import { faultsOf } from "../crash/database.ts";
import { migrate, workerBundle } from "../support/prepared.ts";
import { Random } from "../support/random.ts";
import { type RunningWorker, startWorker } from "../support/workerd.ts";
import { Arrivals } from "./arrivals.ts";
import { type Call, type Change, Client } from "./client.ts";
import { type ProtocolName, protocols } from "./protocols.ts";
import { type Answer, type Receiver, type Request, startReceiver } from "./receiver.ts";

/*
 * Clients change objects while destinations receive the events: one works, one is unreachable at first, one throttles, and one
 * fails at random. The service is killed repeatedly, on the same database. The cron trigger runs every two seconds, and an
 * operator resumes destinations that wait for a long time. In the end, every acknowledged change must have one event, every
 * event must have arrived at all subscribed destinations in order, and the events must match the lists.
 */

type Behaviour = "sound" | "dead" | "throttling" | "lossy";

/** The destinations: the fault, the type of target, and the event types that each destination receives. */
const destinations: { name: string; behaviour: Behaviour; kind: ProtocolName; wants: RegExp }[] = [
  { name: "sound", behaviour: "sound", kind: "webhook", wants: /./ },
  { name: "dead", behaviour: "dead", kind: "monitoring_vendor", wants: /./ },
  { name: "throttling", behaviour: "throttling", kind: "cloud_stream", wants: /./ },
  { name: "lossy", behaviour: "lossy", kind: "cloud_stream", wants: /./ },
];

const ROOT_API_KEY = "key-of-the-delivery-test";
const BASE_URL = "http://delivery.test";
const CLIENTS = 8;
const CRON_EVERY_MILLISECONDS = 2_000;
/** An operator waits at most this long for the next attempt. */
const LONG_MILLISECONDS = 4_000;
/** How long a killed process keeps the lease of a destination. */
const LEASE_MILLISECONDS = 60_000;
/** How long the clients make changes at most. */
const CHANGING_MILLISECONDS = 400_000;
/** If nothing arrives for this long, what has not arrived is missing: longer than a lease. */
const SILENT_MILLISECONDS = 90_000;

const { values: options } = parseArgs({
  options: {
    changes: { type: "string", default: "10000" },
    kills: { type: "string", default: "10" },
    seed: { type: "string", default: String(Date.now() % 1_000_000) },
  },
});
const [changes, kills, seed] = [Number(options.changes), Number(options.kills), Number(options.seed)];
if (![changes, kills, seed].every(Number.isInteger))
  throw new Error("--changes, --kills and --seed are whole numbers");
console.info(`Seed ${seed}: ${changes} changes, ${destinations.length} destinations, ${kills} kills.`);

const began = Date.now();
const faults: string[] = [];
const random = new Random(seed);
const isLate = (): boolean => Date.now() > began + CHANGING_MILLISECONDS;

/*
 * The receivers.
 */

const arrivals = new Map(destinations.map(({ name }) => [name, new Arrivals()]));
const failures: Record<string, number> = {};
let isDeadReachable = false;
let throttledUntil = 0;
let nextThrottling = 500;
let hangsLeft = 2;

type Reaction =
  | "accept"
  | "reject"
  | "throttle"
  | "error"
  | "reset"
  | "hang"
  | "accept and reset"
  | "accept a part";

const FAILURES = ["error", "reset", "hang", "accept and reset", "accept a part"] as const;

/** A receiver's reaction to a request. */
const behaviours: Record<Behaviour, (already: number, isBatch: boolean) => Reaction> = {
  sound: () => "accept",
  dead: () => (isDeadReachable ? "accept" : "reject"),
  throttling: (already) => {
    if (already >= nextThrottling) {
      nextThrottling = already + 1_500;
      throttledUntil = Date.now() + 2_000;
    }
    return Date.now() < throttledUntil ? "throttle" : "accept";
  },
  lossy: (_, isBatch) => {
    // There are thousands of requests with one event, but only dozens of batches.
    if (random.below(1_000) >= (isBatch ? 200 : 1)) return "accept";
    const reaction = FAILURES[random.below(FAILURES.length)] ?? "error";
    if (reaction === "hang") hangsLeft -= 1;
    return reaction === "hang" && hangsLeft < 0 ? "error" : reaction;
  },
};

/** Responds to requests for destinations of a kind, and records the events that have arrived. */
const answerOf =
  (kind: ProtocolName) =>
  (request: Request): Answer => {
    const protocol = protocols[kind];
    const name = protocol.nameIn(request);
    const destination = destinations.find((one) => one.kind === kind && one.name === name);
    const arrived = destination && arrivals.get(destination.name);
    if (!arrived) {
      faults.push(`a request for ${name}, which is no destination`);
      return { status: 404 };
    }
    arrived.requests += 1;
    let events: string[];
    try {
      events = protocol.eventsIn(request);
    } catch (error) {
      faults.push(`${name} gets a request that is not as it should be: ${String(error)}`);
      return { status: 500 };
    }
    const { length } = events;
    const reaction = behaviours[destination.behaviour](arrived.texts.size, kind !== "webhook");
    if (reaction !== "accept") failures[`${name}: ${reaction}`] = (failures[`${name}: ${reaction}`] ?? 0) + 1;
    if (reaction === "reject" || reaction === "reset") return "reset";
    if (reaction === "hang") return "hang";
    if (reaction === "throttle") return protocol.throttled(1);
    if (reaction === "error") return { status: 500 };
    if (reaction === "accept a part") {
      if (!("partly" in protocol)) return { status: 503 };
      const failed = new Set(events.flatMap((_, index) => (random.below(5) === 0 ? [index] : [])));
      arrived.take(events, failed);
      return protocol.partly(length, failed);
    }
    arrived.take(events);
    return reaction === "accept" ? protocol.taken(length) : "reset";
  };

const receivers = new Map<ProtocolName, Receiver>();
for (const { kind } of destinations)
  if (!receivers.has(kind)) receivers.set(kind, await startReceiver(answerOf(kind)));

/** The receiver that is unreachable at first. If other destinations share it, it resets connections instead. */
const deadKind = destinations.find(({ behaviour }) => behaviour === "dead")?.kind ?? "webhook";
const isDeadAlone = destinations.filter(({ kind }) => kind === deadKind).length === 1;
if (isDeadAlone) await receivers.get(deadKind)?.close();

/*
 * The service. A new one is started after each kill.
 */

const folder = mkdtempSync(join(tmpdir(), "edge-configuration-delivery-"));
const bundle = workerBundle();
const persist = join(folder, "state");
migrate(persist);

const bindings = {
  ROOT_API_KEY,
  SEALING_KEYS: `delivery:${Buffer.alloc(32, "delivery").toString("base64")}`,
  // The port differs at each start, but events must stay the same for the comparison.
  BASE_URL,
  TARGET_ENDPOINTS: JSON.stringify(
    Object.fromEntries([...receivers].map(([kind, { origin }]) => [kind, origin])),
  ),
};
const start = (): Promise<RunningWorker> => startWorker({ bundle, persist, bindings });
let service = start();

const call: Call = async (method, path, body, key) => {
  const { origin } = await service;
  try {
    const response = await fetch(origin + path, {
      method,
      headers: {
        Authorization: `Bearer ${ROOT_API_KEY}`,
        "Service-Version": "2",
        "Content-Type": "application/json",
        ...(key !== undefined && { "Idempotency-Key": key }),
      },
      body: body === undefined ? null : JSON.stringify(body),
      signal: AbortSignal.timeout(20_000),
    });
    const text = await response.text();
    return {
      status: response.status,
      operationId: response.headers.get("Service-Operation-Id") ?? "",
      isReplay: response.headers.get("Idempotent-Replayed") === "true",
      body: text === "" ? {} : JSON.parse(text),
    };
  } catch {
    return undefined;
  }
};

/** The body of a response that must be a success. */
async function done(method: string, path: string, body?: Json): Promise<Json> {
  const answer = await call(method, path, body);
  if (!answer || answer.status >= 300)
    throw new Error(`${method} ${path}: ${answer?.status} ${JSON.stringify(answer?.body)}`);
  made.push({ type: "", uri: answer.body["uri"], operationId: answer.operationId });
  return answer.body;
}

/** Objects created before the clients started. Their event types are not compared. */
const made: Change[] = [];
const ids = new Map<string, string>();
for (const { name, kind, wants } of destinations) {
  const target = protocols[kind].target(name);
  const { id } = await done("POST", "/event_destinations", { description: name, target });
  ids.set(name, id);
  const sources = eventTypes.filter(({ type, emitted }) => emitted && wants.test(type));
  await done("POST", "/event_subscriptions", {
    sources: sources.map(({ type }) => ({ type })),
    destination_ids: [id],
  });
}
// From here on, every destination must receive all events of its types.
const setUp = made.length;

/*
 * Changes, kills, the cron trigger and an operator, at the same time.
 */

const clients = Array.from(
  { length: CLIENTS },
  (_, n) => new Client(`c${n}`, call, new Random(seed * 100 + n)),
);
const acknowledged = (): number => clients.reduce((sum, client) => sum + client.changes.length, 0);
const arrivedAtAll = (): number => [...arrivals.values()].reduce((sum, { texts }) => sum + texts.size, 0);
const state = { isChanging: true, isOver: false };
let leftAloneUntil = 0;
const counts = { kills: 0, killsWhileDelivering: 0, cronRuns: 0, resumes: 0 };

async function change(client: Client): Promise<void> {
  while (acknowledged() < changes && !isLate()) await client.change();
}

async function runCron(): Promise<void> {
  while (!state.isOver) {
    const worker = await service;
    // A long run overlaps with the next runs, as when deployed.
    worker.runCron().then(
      () => (counts.cronRuns += 1),
      // The service was killed in the meantime.
      () => {},
    );
    await sleep(CRON_EVERY_MILLISECONDS);
  }
}

const resume = async (name: string): Promise<void> => {
  counts.resumes += 1;
  await call("POST", `/event_destinations/${ids.get(name)}/resume`, {});
};

/** Resumes destinations that are reachable, but wait for a long time. */
async function operate(): Promise<void> {
  while (!state.isOver) {
    await sleep(1_500);
    for (const { name, behaviour } of destinations) {
      if (behaviour === "dead" && !isDeadReachable) continue;
      const { next_attempt_at, state: standing } =
        (await call("GET", `/event_destinations/${ids.get(name)}/delivery`))?.body ?? {};
      if (standing === "suspended") faults.push(`${name} is suspended`);
      if (next_attempt_at && Date.parse(next_attempt_at) > Date.now() + LONG_MILLISECONDS) await resume(name);
    }
  }
}

async function revive(): Promise<void> {
  while (acknowledged() < changes * 0.6 && !isLate()) await sleep(100);
  isDeadReachable = true;
  if (isDeadAlone) await receivers.get(deadKind)?.open();
}

/** Kills the service after this many changes, and twice after all changes. */
async function kill(): Promise<void> {
  for (; counts.kills < kills && !isLate(); counts.kills += 1) {
    const at = (changes * (counts.kills + 1)) / (kills - 1);
    while (acknowledged() < at && state.isChanging) await sleep(10);
    if (!state.isChanging) await sleep(1_000);
    const worker = await service;
    const before = arrivedAtAll();
    await sleep(100 + random.below(200));
    if (arrivedAtAll() > before) counts.killsWhileDelivering += 1;
    const ended = worker.kill();
    service = ended.then(start);
    await service;
    // One lease of the killed process expires, and the others are ended.
    if (counts.kills === Math.floor(kills / 2)) leftAloneUntil = Date.now() + LEASE_MILLISECONDS;
    for (const { name, behaviour } of destinations)
      if (behaviour !== "sound" || Date.now() > leftAloneUntil) await resume(name);
  }
}

const [cron, operator, killer, reviver] = [runCron(), operate(), kill(), revive()];
await Promise.all(clients.map(change));
state.isChanging = false;
const changed = Date.now();
await Promise.all([killer, reviver]);

/** The events since the clients started, oldest first. */
const get = async (path: string): Promise<Json> => (await call("GET", path))?.body ?? {};
const events = (await readList(get, "/events", "events")).toReversed();
const wantedBy = destinations.map(({ name, wants }) => ({
  name,
  wants,
  arrived: arrivals.get(name) ?? new Arrivals(),
  wanted: events.slice(setUp).filter(({ event_type }) => wants.test(event_type)),
}));
const isComplete = (): boolean =>
  wantedBy.every(({ wanted, arrived: { texts } }) => wanted.every(({ event_id }) => texts.has(event_id)));
let last = { arrived: arrivedAtAll(), at: Date.now() };
/** True once nothing has arrived for a while: a slow machine takes longer, but always makes progress. */
function isStuck(): boolean {
  const arrived = arrivedAtAll();
  if (arrived > last.arrived) last = { arrived, at: Date.now() };
  return Date.now() > last.at + SILENT_MILLISECONDS;
}
while (!isComplete() && !isStuck()) await sleep(100);
const delivered = Date.now();
/** The status of each destination. A destination is not idle until it knows that everything has arrived. */
const standings = (): Promise<Json[]> =>
  Promise.all([...ids.values()].map((id) => get(`/event_destinations/${id}/delivery`)));
const isIdle = ({ state, pending }: Json): boolean => state === "idle" && pending === 0;
while (!(await standings()).every(isIdle) && !isStuck()) await sleep(500);
// Duplicates and unwanted events would arrive now.
await sleep(CRON_EVERY_MILLISECONDS);
state.isOver = true;
await Promise.all([cron, operator]);

/*
 * The checks.
 */

// Every acknowledged change has one event, and all other events belong to requests without a response.
const known = [...made, ...clients.flatMap((client) => client.changes)];
const byOperation = Map.groupBy(events, ({ operation_id }) => String(operation_id));
const created = Map.groupBy(
  events.filter(({ event_type }) => event_type.endsWith("_created.v0")),
  ({ object }) => String(object.uri),
);
for (const { type, uri, operationId } of known) {
  const found = operationId === undefined ? created.get(uri) : byOperation.get(operationId);
  const [event] = found ?? [];
  if (found?.length !== 1 || event?.["object"].uri !== uri || (type !== "" && event?.["event_type"] !== type))
    faults.push(`${type} of ${uri}, operation ${operationId}, has the events ${JSON.stringify(found)}`);
}
const unanswered = clients.reduce((sum, client) => sum + client.unanswered, 0);
const others = events.length - known.length;
if (others < 0 || others > unanswered)
  faults.push(`${others} events more than acknowledged changes, of ${unanswered} unanswered requests`);

// Exactly the wanted events have arrived, in order and as GET /events shows them.
const byId = new Map(events.map((event) => [String(event["event_id"]), event]));
for (const { name, arrived, wants, wanted } of wantedBy) {
  const { texts } = arrived;
  faults.push(...arrived.faults.map((fault) => `${name}: ${fault}`));
  const lost = wanted.filter(({ event_id }) => !texts.has(event_id));
  if (lost.length > 0)
    faults.push(`${name} lacks ${lost.length} of ${wanted.length}, first ${lost[0]?.["event_id"]}`);
  for (const [id, text] of texts) {
    const event = byId.get(id);
    if (!isDeepStrictEqual(JSON.parse(text), event)) faults.push(`${name} gets ${id} as ${text}`);
    if (!wants.test(event?.["event_type"])) faults.push(`${name} gets ${id}, which it does not want`);
  }
}

for (const standing of await standings())
  if (!isIdle(standing) || standing["lost"] > 0 || standing["dead_letters"] > 0)
    faults.push(`a destination is not idle: ${JSON.stringify(standing)}`);

// The log matches the lists.
const shown: Json[] = [];
for (const { path, list, within } of collections)
  if (within === undefined) shown.push(...(await readList(get, path, list)));
  else
    for (const { id } of shown.filter((object) => object["id"].startsWith(within)))
      shown.push(...(await readList(get, path.replace(/\{\w+\}/, id), list)));
faults.push(...objectFaults(events, shown));

await (await service).dispose();
for (const [kind, receiver] of receivers) if (kind !== deadKind || isDeadReachable) await receiver.close();
faults.push(...faultsOf(persist));
if (counts.kills < kills) faults.push(`too slow: only ${counts.kills} kills`);

const seconds = (milliseconds: number): string => (milliseconds / 1_000).toFixed(1);
const firstArrival = Math.min(
  ...[...arrivals.values()].flatMap(({ times }) => [...times.values()].slice(0, 1)),
);
const all = arrivedAtAll();
console.info(
  [
    `changes acknowledged   ${acknowledged()} in ${seconds(changed - began)} s (${unanswered} requests unanswered)`,
    `events                 ${events.length}, ${shown.length} objects at the end`,
    `kills                  ${counts.kills}, ${counts.killsWhileDelivering} of them within 0.3 s of an arrival`,
    `runs of the cron       ${counts.cronRuns}; resumed by the operator ${counts.resumes} times`,
    ...wantedBy.map(
      ({ name, arrived: { texts, requests, duplicates } }, n) =>
        `${name.padEnd(22)} ${texts.size} events by ${destinations[n]?.kind} in ${requests} requests, ${duplicates} of them again`,
    ),
    `failures               ${JSON.stringify(failures)}`,
    `deliveries             ${all}, ${Math.round((all * 1_000) / (delivered - firstArrival))} per second, kills and pauses included`,
    `seconds                ${seconds(Date.now() - began)}`,
  ].join("\n"),
);
if (faults.length === 0) {
  console.info("Nothing is lost, nothing is out of order, and the log matches the lists.");
  rmSync(folder, { recursive: true });
} else {
  for (const fault of faults.slice(0, 20)) console.error(`\nWRONG: ${fault.slice(0, 2_000)}`);
  console.error(`\n${faults.length} faults; seed ${seed}; the database is in ${folder}`);
  process.exitCode = 1;
}
