import { setTimeout as sleep } from "node:timers/promises";
import type { Cost } from "../../src/db/session.ts";
import { Arrivals } from "../e2e/delivery/arrivals.ts";
import { type Protocol, type ProtocolName, protocols } from "../e2e/delivery/protocols.ts";
import { type Receiver, startReceiver } from "../e2e/delivery/receiver.ts";
import { startService } from "../e2e/support/service.ts";
import { prepare } from "./database.ts";
import { Api, ROOT_KEY } from "./load.ts";
import { median, type Quartiles, quartiles, ratios } from "./statistics.ts";
import { type Subject, startWorkers, type Workers } from "./workers.ts";

/** Kinds of destinations, each measured alone: one with an event in each request, and one with batches. */
const ALONE: ProtocolName = "webhook";
const IN_BATCHES: ProtocolName = "monitoring_vendor";
const KINDS = [...new Set([ALONE, IN_BATCHES])];

const SEALING_KEYS = `bench:${Buffer.alloc(32, "bench").toString("base64")}`;

/** Events that are sent one by one. One run can make 500 calls. */
const EVENTS_ALONE = 480;
/** Events that are sent in batches. Eight clients create both, up to 400 at a time. */
const EVENTS = 4_000;
const SOURCES = [{ type: "ip_policy_created.v0" }];
const PATIENCE_MILLISECONDS = 60_000;

/** Numbers of destinations whose effect on a change is compared. */
const DESTINATIONS = [0, 1, 10];

export interface DeliveryFigures {
  /** Events per second, from the request that has them all sent again to the last arrival, by kind. */
  rates: { kind: string; events: number; perRequest: number; rate: Quartiles; cpuMicroseconds: number }[];
  /** Milliseconds from the start of a change's request to the arrival of its event, in `wrangler dev`. */
  latency: Quartiles;
  /** Milliseconds of a change, and the ratio to a change without a destination, by number of destinations. */
  changes: { destinations: number; milliseconds: Quartiles; ratio: Quartiles }[];
  /** Rows by purpose. */
  costs: { change: Cost; delivery: Cost; inBatches: Cost; sweep: Cost };
}

/** A receiver that accepts everything, and the events that have arrived at each destination. */
interface Sink {
  receivers: [ProtocolName, Receiver][];
  of: (name: string) => Arrivals;
  /** Resolves when `count` events have arrived at a destination. */
  until: (name: string, count: number) => Promise<void>;
  close: () => Promise<void>;
}

async function startSink(): Promise<Sink> {
  const all = new Map<string, Arrivals>();
  const waiting = new Map<string, { count: number; resolve: () => void }>();
  const of = (name: string): Arrivals => {
    const known = all.get(name) ?? new Arrivals();
    all.set(name, known);
    return known;
  };
  const arrived = (name: string): number => of(name).texts.size + of(name).duplicates;
  const receivers: [ProtocolName, Receiver][] = [];
  for (const kind of KINDS) {
    const protocol: Protocol = protocols[kind];
    const receiver = await startReceiver((request) => {
      const name = protocol.nameIn(request);
      const events = protocol.eventsIn(request);
      of(name).requests += 1;
      of(name).take(events);
      const waiter = waiting.get(name);
      if (waiter && arrived(name) >= waiter.count) waiter.resolve();
      return protocol.taken(events.length);
    });
    receivers.push([kind, receiver]);
  }
  return {
    receivers,
    of,
    until: async (name, count) => {
      if (arrived(name) >= count) return;
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      waiting.set(name, { count, resolve });
      const timer = setTimeout(
        () => reject(new Error(`${name} has ${arrived(name)} of ${count} events`)),
        PATIENCE_MILLISECONDS,
      );
      await promise.finally(() => clearTimeout(timer));
    },
    close: async () => {
      for (const [, receiver] of receivers) await receiver.close();
    },
  };
}

const endpointsOf = ({ receivers }: Sink): string =>
  JSON.stringify(Object.fromEntries(receivers.map(([kind, { origin }]) => [kind, origin])));

/** Sends a change that events of a single type report. */
const change = (api: Api) =>
  api.send("POST", "/ip_policies", { description: "Office", metadata: '{"team":"network"}' });

async function changes(api: Api, count: number): Promise<void> {
  const one = async (of: number): Promise<void> => {
    for (let n = 0; n < of; n++) await change(api);
  };
  await Promise.all(Array.from({ length: 8 }, () => one(count / 8)));
}

/** Makes changes in parts that one run delivers: events that do not fit into it would wait for another change. */
async function changesDelivered(api: Api, sink: Sink, name: string, events: number): Promise<void> {
  for (let sent = 0; sent < events; sent += 400) {
    await changes(api, Math.min(400, events - sent));
    await sink.until(name, Math.min(sent + 400, events));
  }
  await settled();
}

/** Creates a subscribed destination; returns its id. */
async function subscribe(api: Api, name: string, kind: ProtocolName): Promise<string> {
  const { text } = await api.send("POST", "/event_destinations", { target: protocols[kind].target(name) });
  const { id } = JSON.parse(text);
  await api.send("POST", "/event_subscriptions", { sources: SOURCES, destination_ids: [id] });
  return id;
}

/** The total cost of the service's database calls so far: see `subjects/counting.ts`. */
const costSoFar = async (api: Api): Promise<Cost> => JSON.parse((await api.send("GET", "/bench/cost")).text);

const apiOf = async (workers: Workers, name: string): Promise<Api> => new Api(await workers.origin(name));

const serviceNamed = (name: string, sink: Sink, file = "service"): Subject => ({
  name,
  source: { path: `test/bench/subjects/${file}.ts` },
  bindings: {
    ROOT_API_KEY: ROOT_KEY,
    SEALING_KEYS,
    TARGET_ENDPOINTS: endpointsOf(sink),
    BASE_URL: "http://bench.test",
    EVENT_RETENTION_DAYS: "1",
  },
});

/** Waits until the work after a response has ended, of which there is no signal. */
const settled = (): Promise<void> => sleep(150);

/** The number of events per second that reach a receiver which accepts them immediately. */
async function measureRates(folder: string, rounds: number): Promise<DeliveryFigures["rates"]> {
  const measured: DeliveryFigures["rates"] = [];
  for (const kind of KINDS) {
    const sink = await startSink();
    const workers = await startWorkers([serviceNamed("service", sink)], `${folder}/${kind}`);
    await prepare(await workers.database("service"), 0);
    const api = await apiOf(workers, "service");
    const id = await subscribe(api, "rates", kind);
    const events = kind === "webhook" ? EVENTS_ALONE : EVENTS;
    await changesDelivered(api, sink, "rates", events);
    const [first = ""] = sink.of("rates").texts.keys();
    const rates: number[] = [];
    const cpu: number[] = [];
    const requestsBefore = sink.of("rates").requests;
    for (let round = 1; round <= rounds; round++) {
      const [started, used] = [performance.now(), workers.cpuSeconds()];
      await api.send("POST", `/event_destinations/${id}/replay`, { from: first });
      await sink.until("rates", events * (round + 1));
      rates.push((events * 1_000) / (performance.now() - started));
      await settled();
      cpu.push(((workers.cpuSeconds() - used) / events) * 1e6);
    }
    const requests = (sink.of("rates").requests - requestsBefore) / rounds;
    measured.push({
      kind,
      events,
      perRequest: Math.round(events / requests),
      rate: quartiles(rates),
      cpuMicroseconds: median(cpu),
    });
    api.close();
    await workers.dispose();
    await sink.close();
  }
  return measured;
}

/** The time until a change arrives, in `wrangler dev`. */
async function measureLatency(samples: number): Promise<Quartiles> {
  const sink = await startSink();
  const service = await startService(undefined, { TARGET_ENDPOINTS: endpointsOf(sink) });
  try {
    const api = new Api(new URL(service.origin), service.key);
    await subscribe(api, "latency", ALONE);
    const times: number[] = [];
    for (let n = 1; n <= samples + 1; n++) {
      const started = performance.now();
      await change(api);
      await sink.until("latency", n);
      // The first change also warms up.
      if (n > 1) times.push(performance.now() - started);
      await settled();
    }
    api.close();
    return quartiles(times);
  } finally {
    await service.stop();
    await sink.close();
  }
}

/** The time that subscribed destinations add to a change, on services that are otherwise identical. */
async function measureChanges(folder: string, samples: number): Promise<DeliveryFigures["changes"]> {
  const sink = await startSink();
  const names = DESTINATIONS.map((count) => `with_${count}`);
  const workers = await startWorkers(
    names.map((name) => serviceNamed(name, sink)),
    folder,
  );
  const sides: { name: string; count: number; api: Api; times: number[] }[] = [];
  for (const [index, count] of DESTINATIONS.entries()) {
    const name = names[index] ?? "";
    await prepare(await workers.database(name), 1_000);
    const api = await apiOf(workers, name);
    for (let n = 0; n < count; n++) await subscribe(api, `${name}_${n}`, ALONE);
    sides.push({ name, count, api, times: [] });
  }
  const warmUp = 50;
  for (let sample = 1; sample <= samples + warmUp; sample++) {
    const first = sample % sides.length;
    const turned = [...sides.slice(first), ...sides.slice(0, first)];
    for (const { name, count, api, times } of sample % 2 === 0 ? turned : turned.toReversed()) {
      const { milliseconds } = await change(api);
      if (sample > warmUp) times.push(milliseconds);
      for (let n = 0; n < count; n++) await sink.until(`${name}_${n}`, sample);
      // The cursors are written afterwards, on the same processors.
      await settled();
    }
  }
  const [none] = sides;
  const measured = sides.map(({ count, times }) => ({
    destinations: count,
    milliseconds: quartiles(times),
    ratio: quartiles(ratios(times, none?.times ?? [])),
  }));
  for (const { api } of sides) api.close();
  await workers.dispose();
  await sink.close();
  return measured;
}

const per = (after: Cost, before: Cost, count: number): Cost => ({
  roundTrips: (after.roundTrips - before.roundTrips) / count,
  rowsRead: (after.rowsRead - before.rowsRead) / count,
  rowsWritten: (after.rowsWritten - before.rowsWritten) / count,
});

/** Rows of a change with its event, of a delivered event, alone and in batches, and of its expiry. */
async function measureCosts(folder: string): Promise<DeliveryFigures["costs"]> {
  const sink = await startSink();
  const workers = await startWorkers(
    ["alone", "batches"].map((name) => serviceNamed(name, sink, "counting")),
    folder,
  );
  for (const name of ["alone", "batches"]) await prepare(await workers.database(name), 0);
  const api = await apiOf(workers, "alone");
  const count = 20;
  /** The mean cost of a change and of the work after it. */
  const costOfOne = async (isWanted: boolean): Promise<Cost> => {
    const before = await costSoFar(api);
    const arrived = sink.of("alone").texts.size;
    for (let n = 1; n <= count; n++) {
      await change(api);
      if (isWanted) await sink.until("alone", arrived + n);
      await settled();
    }
    return per(await costSoFar(api), before, count);
  };
  // The first request includes the queries that the service sends once in 20 seconds.
  await change(api);
  const alone = await costOfOne(false);
  await subscribe(api, "alone", ALONE);
  await settled();
  const both = await costOfOne(true);
  api.close();

  const batched = await apiOf(workers, "batches");
  const id = await subscribe(batched, "batches", IN_BATCHES);
  const events = IN_BATCHES === "webhook" ? EVENTS_ALONE : EVENTS;
  await changesDelivered(batched, sink, "batches", events);
  const [first = ""] = sink.of("batches").texts.keys();
  const before = await costSoFar(batched);
  await batched.send("POST", `/event_destinations/${id}/replay`, { from: first });
  await sink.until("batches", 2 * events);
  await settled();
  const inBatches = per(await costSoFar(batched), before, events);

  const database = await workers.database("batches");
  await database.prepare("update events set at = at - 10 * 86400000").run();
  const start = await costSoFar(batched);
  await batched.send("GET", "/bench/minute");
  const sweep = per(await costSoFar(batched), start, events);
  batched.close();
  await workers.dispose();
  await sink.close();
  return { change: alone, delivery: per(both, alone, 1), inBatches, sweep };
}

/** Measures the speed and the cost of delivery. */
export async function measureDelivery(folder: string, isQuick: boolean): Promise<DeliveryFigures> {
  const rates = await measureRates(`${folder}/rates`, isQuick ? 3 : 9);
  const latency = await measureLatency(isQuick ? 20 : 60);
  const changes = await measureChanges(`${folder}/changes`, isQuick ? 40 : 200);
  const costs = await measureCosts(`${folder}/costs`);
  return { rates, latency, changes, costs };
}
