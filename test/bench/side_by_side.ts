import type { Cost } from "../../src/db/calls.ts";
import { prepare } from "./database.ts";
import { Client } from "./load.ts";
import { type Credentials, OBJECTS, type Operation, operations, requestOf } from "./operations.ts";
import { median, type Quartiles, quartiles, ratios } from "./statistics.ts";
import { startWorkers, type Subject } from "./workers.ts";

export const peers = ["chanfana", "zod_openapi"];
/** The service without its log line. */
export const UNLOGGED = "service_without_log";
/** The service with Miniflare's rate limiters: see `subjects/service.ts`. */
export const EMULATED = "service_emulated_limiter";
/** The operations for which it is measured: the limiter costs the same for all. */
const WITH_EMULATED = new Set(["get_edge", "create_ip_policy"]);
/** Requests of an operation that each side answers before its first round, so that V8 has optimized the code. */
const WARM_UP = 500;
const ROOT_KEY = "root-key-of-the-bench";
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
  /** The ratio of throughput to the floor's without the log line. */
  ratioUnlogged: Quartiles;
  /** The ratio of each other subject's workerd CPU per request to the service's, pair by pair. */
  cpuRatios: Record<string, Quartiles>;
  /** The database cost of one request, by subject. */
  costs: Record<string, Cost>;
}

const subject = (name: string): Subject => ({
  name,
  source: { path: `test/bench/subjects/${name}.ts` },
  bindings: { API_TOKEN: "token-of-the-bench", ROOT_API_KEY: ROOT_KEY },
});

/**
 * The text of a module that behaves like the subject `name` and reports the database cost of each request in a header.
 */
export const meteredText = (name: string): string => `
      import worker from "./test/bench/subjects/${name}.ts";
      import { newCost } from "./src/db/calls.ts";
      import { counted } from "./test/counted.ts";
      export default {
        async fetch(request, env, context) {
          const cost = newCost();
          const answer = await worker.fetch(request, { ...env, DB: counted(env.DB, cost) }, context);
          const response = new Response(answer.body, answer);
          response.headers.set("Bench-Cost", JSON.stringify(cost));
          return response;
        },
      };`;

const meteredSubject = (name: string): Subject => ({
  ...subject(name),
  name: `${name}_metered`,
  database: name,
  source: { text: meteredText(name) },
});

const names = ["floor", ...peers, "service"];
/** Runs every operation on every subject, in interleaved rounds in one workerd, each with its own database. */
export async function compare(persist: string, rounds: number): Promise<Comparison[]> {
  const subjects = names.flatMap((name) => [subject(name), meteredSubject(name)]);
  const emulated: Subject = {
    ...subject("service"),
    name: EMULATED,
    source: { path: "src/index.ts" },
    isLimited: true,
    database: "service",
  };
  const unlogged: Subject = { ...subject(UNLOGGED), database: "service" };
  const workers = await startWorkers([...subjects, unlogged, emulated], persist);
  for (const name of names) await prepare(await workers.database(name), OBJECTS);
  const clients = new Map<string, Client>();
  const clientOf = async (name: string): Promise<Client> => {
    const client = clients.get(name) ?? new Client(await workers.origin(name), CONCURRENCY);
    clients.set(name, client);
    return client;
  };

  const key = await createKey(await clientOf("service"));
  const token = { Authorization: "Bearer token-of-the-bench" };
  const credentials: Credentials = {
    floor: token,
    chanfana: token,
    zod_openapi: token,
    service: key,
    [UNLOGGED]: key,
    [EMULATED]: key,
  };

  /** Sends `count` requests; returns requests per second and CPU microseconds per request. */
  const round = async (operation: Operation, name: string, from: number, count = operation.count) => {
    const client = await clientOf(name);
    const make = requestOf(operation, credentials, name);
    const status = operation.statuses?.[name] ?? operation.status;
    const before = workers.cpuSeconds();
    const seconds = await client.run((n) => make(from + n), status, count, CONCURRENCY);
    const cpu = ((workers.cpuSeconds() - before) / count) * 1e6;
    return { rate: count / seconds, cpu };
  };

  const costOf = async (operation: Operation, name: string): Promise<Cost> => {
    const client = await clientOf(`${name}_metered`);
    const send = () => client.send(requestOf(operation, credentials, name)(17));
    await send(); // Keys are read once and cached.
    return JSON.parse(String((await send()).headers["bench-cost"]));
  };

  const compared: Comparison[] = [];
  for (const operation of operations) {
    const others = [
      ...names.filter((name) => name !== "service"),
      UNLOGGED,
      ...(WITH_EMULATED.has(operation.name) ? [EMULATED] : []),
    ];
    const sides = ["service", ...others];
    const taken = new Map(sides.map((name) => [name, { rates: [] as number[], cpu: [] as number[] }]));
    for (const name of sides) await round(operation, name, 0, WARM_UP);
    for (let n = 0; n < rounds; n++) {
      // A rotating and alternately reversed order, so that every side takes every position.
      const first = n % sides.length;
      const turned = [...sides.slice(first), ...sides.slice(0, first)];
      for (const name of n % 2 === 0 ? turned : turned.toReversed()) {
        const { rate, cpu } = await round(operation, name, WARM_UP + n * operation.count);
        taken.get(name)?.rates.push(rate);
        taken.get(name)?.cpu.push(cpu);
      }
    }
    const ratesOf = (name: string): number[] => taken.get(name)?.rates ?? [];
    const cpuOf = (name: string): number[] => taken.get(name)?.cpu ?? [];
    const by = <T>(list: string[], value: (name: string) => T): Record<string, T> =>
      Object.fromEntries(list.map((name) => [name, value(name)]));
    const costs: Record<string, Cost> = {};
    for (const name of names) costs[name] = await costOf(operation, name);
    compared.push({
      op: operation.name,
      title: operation.title,
      goal: operation.goal,
      rates: by(sides, (name) => quartiles(ratesOf(name))),
      cpu: by(sides, (name) => median(cpuOf(name))),
      ratios: by(others, (name) => quartiles(ratios(ratesOf("service"), ratesOf(name)))),
      ratioUnlogged: quartiles(ratios(ratesOf(UNLOGGED), ratesOf("floor"))),
      cpuRatios: by(others, (name) => quartiles(ratios(cpuOf(name), cpuOf("service")))),
      costs,
    });
    console.info(`  ${operation.title}`);
  }
  for (const client of clients.values()) client.close();
  await workers.dispose();
  return compared;
}

/** The headers of a new key of the service. */
export async function createKey(client: Client): Promise<Record<string, string>> {
  const { text } = await client.send({
    method: "POST",
    path: "/api_keys",
    headers: {
      Authorization: `Bearer ${ROOT_KEY}`,
      "Content-Type": "application/json",
      "Service-Version": "2",
    },
    body: "{}",
  });
  return { Authorization: `Bearer ${JSON.parse(text).token}` };
}
