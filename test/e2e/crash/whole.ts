import { setTimeout as sleep } from "node:timers/promises";
import type { Json } from "../../support/json.ts";
import { readList } from "../../support/replay_objects.ts";
import { Random } from "../support/random.ts";
import type { RunningWorker } from "../support/workerd.ts";
import { type Answer, type Run, send, Unanswered } from "./run.ts";

/**
 * Atomic requests: clients send transactions and plans of 500 mixed operations, and thousands of rules of a policy, until workerd
 * is killed. Then each client's last request must have taken effect completely or not at all.
 */

const OPERATIONS = 500;
const RULES = 2_000;
/** The number of clients of each sort. Each mostly waits for the others, in the middle of a request. */
const CLIENTS = 2;
/** On a busy machine, a run can end early, but not with fewer kills. */
const LEAST_KILLS = 5;
const ROUND_MILLISECONDS = { least: 50, most: 900 };

const LISTS = {
  "/ip_policies": "ip_policies",
  "/ip_policy_rules": "ip_policy_rules",
  "/backends/failover": "backends",
  "/edges/tcp": "tcp_edges",
  "/edges/https": "https_edges",
};

/** Every object in the lists, by id, and every text that shows that an operation took effect. */
interface Found {
  byId: Map<string, Json>;
  texts: Set<string>;
}

/** Starts the service, lets clients write and kills it, `kills` times or until the deadline. */
export async function crashWholes(
  run: Run,
  kills: number,
  start: () => Promise<RunningWorker>,
  faults: () => string[],
  deadline: number,
): Promise<{ killed: number; figures: Figures }> {
  const figures = { acknowledged: 0, unanswered: 0, done: 0, absent: 0, replayed: 0, compared: 0 };
  const random = new Random(run.seed + 1);
  const clients = [
    ...Array.from({ length: CLIENTS }, (_, i) => new TransactionClient(run, figures, i)),
    ...Array.from({ length: CLIENTS }, (_, i) => new RulesClient(run, figures, i)),
  ];
  for (let killed = 0; ; killed += 1) {
    const worker = await start();
    const found = await readAll(worker, run);
    for (const client of clients) client.compare(found);
    await Promise.all(clients.map((client) => client.repeat(worker)));
    const isLate = Date.now() > deadline;
    if (isLate && killed < Math.min(kills, LEAST_KILLS))
      run.violated(`too slow: only ${killed} kills of what is sent as a whole`);
    if (killed === kills || isLate || run.violations.length > 0) {
      const last = await readAll(worker, run);
      for (const client of clients) client.compare(last);
      await worker.dispose();
      // Once is enough, because the event log keeps errors.
      for (const fault of faults()) run.violated(fault);
      return { killed, figures };
    }
    const writing = Promise.all(clients.map((client) => client.write(worker)));
    const { least, most } = ROUND_MILLISECONDS;
    await sleep(least + random.below(most - least));
    await worker.kill();
    await writing;
  }
}

async function readAll(worker: RunningWorker, run: Run): Promise<Found> {
  const all: Json[] = [];
  const read = async (path: string): Promise<Json | undefined> => {
    const { status, text } = await send(worker, { method: "GET", path });
    if (status !== 200) run.violated(`GET ${path} answers ${status}`, text);
    return status === 200 ? JSON.parse(text) : undefined;
  };
  for (const objects of await Promise.all(
    Object.entries(LISTS).map(([path, list]) => readList(read, path, list)),
  ))
    all.push(...objects, ...objects.flatMap(({ routes = [] }) => routes));
  const texts = all.flatMap(({ description, traffic_policy }) => [description, traffic_policy?.value]);
  return { byId: new Map(all.map((object) => [object["id"], object])), texts: new Set(texts) };
}

/** The outcomes of requests, including those without a response. */
type Figures = Record<"acknowledged" | "unanswered" | "done" | "absent" | "replayed" | "compared", number>;

/** Sends a request; undefined if there is no response, or if the response leaves the outcome open. */
async function answered(
  worker: RunningWorker,
  run: Run,
  figures: Figures,
  request: Parameters<typeof send>[1],
): Promise<Answer | undefined> {
  try {
    const answer = await send(worker, request);
    if (answer.status < 300) figures.acknowledged += 1;
    else if (answer.status !== 503) run.violated(`${request.path} answers ${answer.status}`, answer);
    return answer.status < 300 ? answer : undefined;
  } catch (error) {
    if (!(error instanceof Unanswered)) throw error;
    figures.unanswered += 1;
    return undefined;
  }
}

/** A client that sends atomic requests, one at a time. */
interface Client {
  /** Writes until a request remains unanswered. */
  write: (worker: RunningWorker) => Promise<void>;
  /** Compares the stored objects with the last requests: the last acknowledged request or the one after it has taken effect. */
  compare: (found: Found) => void;
  /** Resends or forgets the request without a response. */
  repeat: (worker: RunningWorker) => Promise<void>;
}

/** An operation, and how to find out whether it has taken effect. */
interface Operation {
  sent: Json;
  isShown: (found: Found) => boolean;
}

interface Transaction {
  operations: Operation[];
  key: string | undefined;
  /** Whether the operations are sent as a plan, which is then applied. */
  isPlan: boolean;
}

const pathOf = ({ uri }: Json): string => new URL(uri).pathname;

class TransactionClient implements Client {
  readonly #run: Run;
  readonly #figures: Figures;
  readonly #random: Random;
  /** The start of all texts that this client writes. */
  readonly #name: string;
  /** The objects that this client has created, by id. */
  #objects = new Map<string, Json>();
  #count = 0;
  /** The last request that was acknowledged or found to have taken effect. */
  #last: Transaction | undefined;
  /** The request with an unknown outcome. */
  #pending: Transaction | undefined;

  constructor(run: Run, figures: Figures, index: number) {
    this.#run = run;
    this.#figures = figures;
    this.#random = new Random(run.seed * 1_000 + 500 + index);
    this.#name = `c${index}t`;
  }

  async write(worker: RunningWorker): Promise<void> {
    do this.#pending = this.#next();
    while (await this.#send(worker, this.#pending));
  }

  compare(found: Found): void {
    const own = [...found.byId].filter(([, { description }]) => description?.startsWith(this.#name));
    this.#objects = new Map(own);
    if (this.#pending) {
      const isDone = this.#pending.operations.some(({ isShown }) => isShown(found));
      this.#figures[isDone ? "done" : "absent"] += 1;
      if (isDone) this.#last = this.#pending;
    }
    const { operations } = this.#last ?? { operations: [] };
    const missing = operations.filter(({ isShown }) => !isShown(found));
    this.#figures.compared += operations.length;
    if (missing.length > 0)
      this.#run.violated(
        `a transaction took effect in part: ${operations.length - missing.length} of ${operations.length} operations`,
        missing[0]?.sent ?? {},
      );
  }

  /** A request with a key is replayed if it has taken effect. */
  async repeat(worker: RunningWorker): Promise<void> {
    const transaction = this.#pending;
    this.#pending = undefined;
    if (transaction?.key === undefined) return;
    const isDone = this.#last === transaction;
    const answer = await this.#send(worker, transaction);
    if (answer?.isReplay !== isDone)
      this.#run.violated(isDone ? "not replayed" : "replayed", answer?.text.slice(0, 100) ?? "no answer");
    if (isDone) this.#figures.replayed += 1;
  }

  async #send(worker: RunningWorker, transaction: Transaction): Promise<Answer | undefined> {
    const { operations, key, isPlan } = transaction;
    const body = { operations: operations.map(({ sent }) => sent) };
    const request = {
      method: "POST",
      path: isPlan ? "/plans" : "/transactions",
      body,
      ...(key !== undefined && { key }),
    };
    const first = await answered(worker, this.#run, this.#figures, request);
    const answer = first && isPlan ? await this.#applied(worker, JSON.parse(first.text).id) : first;
    if (!answer) return undefined;
    this.#last = transaction;
    this.#pending = undefined;
    const { results }: { results: Json[] } = JSON.parse(answer.text);
    for (const [i, { body: made }] of results.entries()) {
      if (made) this.#objects.set(made["id"], made);
      const { method, path }: Json = operations[i]?.sent ?? {};
      if (method === "DELETE") this.#forget(path.split("/").at(-1));
    }
    return answer;
  }

  /** Applies a plan. A plan that is applied already answers as before, whatever the ETag. */
  async #applied(worker: RunningWorker, id: string): Promise<Answer | undefined> {
    const path = `/plans/${id}`;
    const read = await answered(worker, this.#run, this.#figures, { method: "GET", path });
    if (!read) return undefined;
    const request = { method: "POST", path: `${path}/apply`, ifMatch: read.etag };
    return answered(worker, this.#run, this.#figures, request);
  }

  /** Removes an object and the objects that are deleted with it. */
  #forget(id: string): void {
    this.#objects.delete(id);
    for (const [other, { ip_policy, edge_id }] of this.#objects)
      if (ip_policy?.id === id || edge_id === id) this.#objects.delete(other);
  }

  /** Operations of all sorts, half of them on existing objects if there are enough. */
  #next(): Transaction {
    this.#count += 1;
    const nonce = `${this.#name}${this.#count}n`;
    const operations: Operation[] = [];
    const add = (sent: (text: string) => Json, isShown?: Operation["isShown"]): void => {
      const text = nonce + operations.length;
      operations.push({ sent: sent(text), isShown: isShown ?? (({ texts }) => texts.has(text)) });
    };
    const create = (path: string, name: string, body: Json): void =>
      add((description) => ({ method: "POST", path, name, body: { ...body, description } }));
    const remove = (object: Json): void =>
      add(
        () => ({ method: "DELETE", path: pathOf(object) }),
        ({ byId }) => !byId.has(object["id"]),
      );
    const edges = this.#some("edgtcp_", 40);
    const gone = [...this.#some("ipp_", 40), ...this.#some("edghts_", 40)];
    for (const one of edges) remove(one);
    for (const { backend } of edges) remove(backend.backend);
    for (const one of gone) remove(one);
    const ids = new Set([...edges, ...gone].map(({ id }) => id));
    const isThere = ({ id, ip_policy }: Json): boolean => !ids.has(id) && !ids.has(ip_policy?.id);
    for (const one of [...this.#some("ipp_", 20), ...this.#some("ipr_", 40)].filter(isThere))
      add((description) => ({ method: "PATCH", path: pathOf(one), body: { description } }));
    for (const one of this.#some("edgtcp_", 20).filter(isThere))
      add((value) => ({ method: "PUT", path: `${pathOf(one)}/traffic_policy`, body: { value } }));
    // Similar operations are adjacent: otherwise they would need more statements than a transaction allows.
    const each = Array.from({ length: Math.floor((OPERATIONS - operations.length) / 6) }, (_, i) => i);
    const restriction = (i: number): Json => ({ ip_restriction: { ip_policy_ids: [`$p${i}`] } });
    const rule = { action: "deny", cidr: "192.0.2.0/24" };
    const route = { match_type: "exact_path", match: "/" };
    for (const i of each) create("/ip_policies", `p${i}`, {});
    for (const i of each) create("/ip_policy_rules", `r${i}`, { ...rule, ip_policy_id: `$p${i}` });
    for (const i of each) create("/backends/failover", `f${i}`, {});
    for (const i of each)
      create("/edges/tcp", `t${i}`, { ...restriction(i), backend: { backend_id: `$f${i}` } });
    for (const i of each) create("/edges/https", `e${i}`, {});
    for (const i of each) create(`/edges/https/$e${i}/routes`, `o${i}`, { ...route, ...restriction(i) });
    while (operations.length < OPERATIONS) create("/ip_policies", `p${operations.length}`, {});
    const isPlan = this.#random.below(3) === 0;
    return { operations, key: isPlan || this.#random.below(2) === 0 ? nonce : undefined, isPlan };
  }

  /** Some of the objects whose ids have a prefix. */
  #some(prefix: string, most: number): Json[] {
    const all = [...this.#objects.values()].filter(({ id }) => id.startsWith(prefix));
    const from = this.#random.below(Math.max(1, all.length - most));
    return all.slice(from, from + most);
  }
}

const rulesText = (rules: Json[]): string =>
  rules
    .map(({ cidr, action, description }) => `${cidr} ${action} ${description}`)
    .toSorted()
    .join("\n");

class RulesClient implements Client {
  readonly #run: Run;
  readonly #figures: Figures;
  readonly #random: Random;
  #policy: string | undefined;
  #count = 0;
  /** The stored rules, and the rules of the request without a response. */
  #last = "";
  #pending: string | undefined;

  constructor(run: Run, figures: Figures, index: number) {
    this.#run = run;
    this.#figures = figures;
    this.#random = new Random(run.seed * 1_000 + 600 + index);
  }

  async write(worker: RunningWorker): Promise<void> {
    if (this.#policy === undefined) {
      const request = { method: "POST", path: "/ip_policies", body: {} };
      const answer = await answered(worker, this.#run, this.#figures, request);
      if (!answer) return;
      this.#policy = JSON.parse(answer.text).id;
    }
    const path = `/ip_policies/${this.#policy}/rules`;
    for (;;) {
      const rules = this.#next();
      const wanted = rulesText(rules);
      this.#pending = wanted;
      if (!(await answered(worker, this.#run, this.#figures, { method: "PUT", path, body: { rules } })))
        return;
      this.#last = wanted;
      this.#pending = undefined;
    }
  }

  compare({ byId }: Found): void {
    const rules = [...byId.values()].filter(({ ip_policy }) => ip_policy && ip_policy.id === this.#policy);
    const found = rulesText(rules);
    const before = this.#last;
    if (this.#pending !== undefined) {
      const isDone = found === this.#pending;
      this.#figures[isDone ? "done" : "absent"] += 1;
      if (isDone) this.#last = found;
    }
    this.#figures.compared += rules.length;
    if (found === this.#last) return;
    const there = new Set(found.split("\n"));
    const common = (text: string): number => text.split("\n").filter((rule) => there.has(rule)).length;
    this.#run.violated("rules are neither as before nor as requested", {
      count: rules.length,
      asBefore: common(before),
      asRequested: common(this.#pending ?? before),
    });
  }

  async repeat(): Promise<void> {
    this.#pending = undefined;
  }

  /** The same number of rules: some are removed, some change, some are unchanged, and some are new. */
  #next(): Json[] {
    this.#count += 1;
    const from = this.#random.below(RULES);
    return Array.from({ length: RULES }, (_, i) => {
      const n = from + i;
      const description = n % 2 ? "kept" : String(this.#count);
      return { cidr: `10.${n >> 8}.${n & 255}.0/24`, action: "allow", description };
    });
  }
}
