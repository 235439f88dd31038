import { prepare } from "./database.ts";
import { Api, Client, ROOT_KEY } from "./load.ts";
import { OBJECTS, type Operation, operations, requestOf } from "./operations.ts";
import { assertSameWork, type Done, newestEvent } from "./same_work.ts";
import { errorOf, median, type Quartiles, quartiles, ratios } from "./statistics.ts";
import type { Work } from "./subjects/metered.ts";
import { startWorkers, type Subject } from "./workers.ts";

export const PEER = "zod_openapi";
/** The peer that also writes a log line like the service's for each request. */
export const LOGGED_PEER = "zod_openapi_with_log";
export const FLOOR = "floor";
/** The floor that also records each change as an event, as the service does. */
export const RECORDING_FLOOR = "floor_with_event";
const isPeer = (name: string): boolean => name === PEER || name === LOGGED_PEER;
/** The subjects that ratios compare like for like: the floor does the same database work, the peer writes the same log. */
export const likeForLike = [RECORDING_FLOOR, LOGGED_PEER];
/** The service without its log line. */
export const UNLOGGED = "service_without_log";
/** Rounds of an operation that each side serves before those that count, so that V8 has optimized the code. */
const WARM_UP = 12;
/** An operation's rounds end once the standard errors of its like-for-like ratios are below this share of them. */
export const STABLE = 0.02;
/** The fewest and the most rounds of an operation. */
export const FEWEST = 12;
export const MOST = 64;
/** The number of a request that no round sends. */
const UNSENT = 9_000;
const CONCURRENCY = 8;

/** The results of one operation for every subject. */
export interface Comparison {
  op: string;
  title: string;
  goal: number | undefined;
  /** Requests per second, by subject. */
  rates: Record<string, Quartiles>;
  /** Microseconds of workerd's CPU per request, database and platform included, by subject. */
  cpu: Record<string, number>;
  /** The ratio of the service's throughput to each other subject's, pair by pair. */
  ratios: Record<string, Quartiles>;
  /** The ratio of throughput to that of the floor with the event, without the log line. */
  ratioUnlogged: Quartiles;
  /** The ratio of each other subject's workerd CPU per request to the service's, pair by pair. */
  cpuRatios: Record<string, Quartiles>;
  /** The work for one request, by subject. */
  costs: Record<string, Work>;
}

/**
 * The figures of the floor that does the same work as the service: the bare floor if nothing changes, because then
 * there is no event to record.
 */
export const likeFloor = <T>(by: Record<string, T>): T | undefined => by[RECORDING_FLOOR] ?? by[FLOOR];

/** The text of a module that exports a subject, wrapped by the functions of the named modules. */
function textOf(name: string, ...wrappers: string[]): string {
  const isLogged = name === LOGGED_PEER;
  const all = isLogged ? ["logged", ...wrappers] : wrappers;
  return `
    import worker from "./test/bench/subjects/${isLogged ? PEER : name}.ts";
    ${all.map((wrapper) => `import { ${wrapper} } from "./test/bench/subjects/${wrapper}.ts";`).join("\n")}
    export default ${all.reduce((inner, wrapper) => `${wrapper}(${inner})`, "worker")};`;
}

/**
 * The text of a module that behaves like a subject and reports the work for each request: see `subjects/metered.ts`.
 */
export const meteredText = (name: string): string => textOf(name, "metered");

export const subject = (name: string): Subject => ({
  name,
  source: { text: textOf(name) },
  isOther: isPeer(name),
  bindings: { API_TOKEN: "token-of-the-bench", ROOT_API_KEY: ROOT_KEY },
});

const meteredSubject = (name: string): Subject => ({
  ...subject(name),
  name: `${name}_metered`,
  database: name,
  source: { text: meteredText(name) },
});

/** Subjects whose cost is measured. */
const names = ["service", FLOOR, PEER, ...likeForLike];
/**
 * All subjects, each with its own database, because a repeated change would otherwise find another subject's result.
 */
const all: Subject[] = [...names.map(subject), subject(UNLOGGED)];

/**
 * Runs every operation on every subject, in interleaved rounds in one workerd, each with its own database.
 *
 * @param rounds the maximum number of rounds of an operation
 */
export async function compare(persist: string, rounds: number): Promise<Comparison[]> {
  const workers = await startWorkers([...all, ...names.map(meteredSubject)], persist);
  const clients = new Map<string, Client>();
  const clientOf = async (name: string): Promise<Client> => {
    const client = clients.get(name) ?? new Client(await workers.origin(name), CONCURRENCY);
    clients.set(name, client);
    return client;
  };
  /** The headers with which a request is authenticated, by subject. */
  const credentials: Record<string, Record<string, string>> = {};
  for (const { name } of all) {
    await prepare(await workers.database(name), OBJECTS);
    const isService = name === "service" || name === UNLOGGED;
    credentials[name] = isService
      ? await createKey(await workers.origin(name))
      : { Authorization: "Bearer token-of-the-bench" };
  }

  /** Sends `count` requests; returns requests per second and CPU microseconds per request. */
  const round = async (operation: Operation, name: string, from: number, count = operation.count) => {
    const client = await clientOf(name);
    const make = requestOf(operation, credentials[name] ?? {});
    const status = (isPeer(name) ? operation.peerStatus : undefined) ?? operation.status;
    const before = workers.cpuSeconds();
    const seconds = await client.run((n) => make(from + n), status, count, CONCURRENCY);
    const cpu = ((workers.cpuSeconds() - before) / count) * 1e6;
    return { rate: count / seconds, cpu };
  };

  /** The work of a subject for one request. */
  const doneBy = async (operation: Operation, name: string): Promise<Done> => {
    const client = await clientOf(`${name}_metered`);
    const make = requestOf(operation, credentials[name] ?? {});
    await client.send(make(UNSENT)); // Keys are read once and cached.
    const { headers, text } = await client.send(make(UNSENT + 1));
    const event = await newestEvent(await workers.database(name));
    return { subject: name, work: JSON.parse(String(headers["bench-cost"])), text, event };
  };
  const costsOf = new Map<string, Record<string, Work>>();
  for (const operation of operations) {
    const service = await doneBy(operation, "service");
    const floor = await doneBy(operation, RECORDING_FLOOR);
    const logged = await doneBy(operation, LOGGED_PEER);
    assertSameWork(operation.title, operation.status < 300, service, floor, logged);
    const others = [await doneBy(operation, FLOOR), await doneBy(operation, PEER)];
    const works = [service, floor, logged, ...others].map(({ subject, work }) => [subject, work]);
    costsOf.set(operation.name, Object.fromEntries(works));
  }

  const compared: Comparison[] = [];
  for (const operation of operations) {
    const costs = costsOf.get(operation.name) ?? {};
    const records = (costs["service"]?.rowsWritten ?? 0) > 0;
    const others = [
      ...names.filter((name) => name !== "service" && (records || name !== RECORDING_FLOOR)),
      UNLOGGED,
    ];
    const sides = ["service", ...others];
    const taken = new Map(sides.map((name) => [name, { rates: [] as number[], cpu: [] as number[] }]));
    for (const name of sides) await round(operation, name, 0, WARM_UP * operation.count);
    const ratesOf = (name: string): number[] => taken.get(name)?.rates ?? [];
    const floor = records ? RECORDING_FLOOR : FLOOR;
    const isStable = (): boolean =>
      [floor, LOGGED_PEER].every((name) => errorOf(ratios(ratesOf("service"), ratesOf(name))) < STABLE);
    let n = 0;
    for (; n < rounds && !(n >= FEWEST && isStable()); n++) {
      // A rotating and alternately reversed order, so that every side takes every position.
      const first = n % sides.length;
      const turned = [...sides.slice(first), ...sides.slice(0, first)];
      for (const name of n % 2 === 0 ? turned : turned.toReversed()) {
        const { rate, cpu } = await round(operation, name, (WARM_UP + n) * operation.count);
        taken.get(name)?.rates.push(rate);
        taken.get(name)?.cpu.push(cpu);
      }
    }
    const cpuOf = (name: string): number[] => taken.get(name)?.cpu ?? [];
    const by = <T>(list: string[], value: (name: string) => T): Record<string, T> =>
      Object.fromEntries(list.map((name) => [name, value(name)]));
    compared.push({
      op: operation.name,
      title: operation.title,
      goal: operation.goal,
      rates: by(sides, (name) => quartiles(ratesOf(name))),
      cpu: by(sides, (name) => median(cpuOf(name))),
      ratios: by(others, (name) => quartiles(ratios(ratesOf("service"), ratesOf(name)))),
      ratioUnlogged: quartiles(ratios(ratesOf(UNLOGGED), ratesOf(floor))),
      cpuRatios: by(others, (name) => quartiles(ratios(cpuOf(name), cpuOf("service")))),
      costs,
    });
    console.info(`  ${operation.title}: ${n} rounds`);
  }
  for (const client of clients.values()) client.close();
  await workers.dispose();
  return compared;
}

/** The headers of a new key of the service. */
export async function createKey(origin: URL): Promise<Record<string, string>> {
  const api = new Api(origin);
  const { text } = await api.send("POST", "/api_keys", {});
  api.close();
  return { Authorization: `Bearer ${JSON.parse(text).token}` };
}
