import type { Cost } from "../../src/db/session.ts";
import { prepare } from "./database.ts";
import { Client, type Sent, workOf } from "./load.ts";
import { idSchema } from "./operations.ts";
import { createKey, likeForLike, meteredText, subject } from "./side_by_side.ts";
import { type Quartiles, quartiles, ratios } from "./statistics.ts";
import { startWorkers } from "./workers.ts";

/*
 * Requests that do the work of many: transactions and whole sets of rules, compared with one request each; and requests
 * to a large table: filtered lists and access checks, compared with a GET.
 */

const OPERATIONS = 500;
const CONCURRENCY = 8;

/** The same objects, created together and by one request each. */
interface Together {
  what: string;
  /** The number of objects. */
  count: number;
  /** Seconds for all objects: together, and by one request each, by subject. */
  seconds: Quartiles;
  single: Record<string, Quartiles>;
  /** The time by one request each relative to the time together, pair by pair. */
  ratios: Record<string, Quartiles>;
  /** The cost of all requests together. */
  cost: Cost;
  singleCost: Cost;
}

/** One request to a large table. */
interface Asked {
  what: string;
  rowsRead: number;
  /** Time relative to a GET of an object, pair by pair. */
  ratio: Quartiles;
}

export interface WholeFigures {
  together: Together[];
  /** Rows in each table. */
  rows: number;
  asked: Asked[];
}

/** @param isQuick fewer rounds, 1,000 rules and 100,000 rows */
export async function measureWhole(folder: string, isQuick: boolean): Promise<WholeFigures> {
  const names = ["service", ...likeForLike];
  const workers = await startWorkers(
    [
      ...names.map(subject),
      {
        ...subject("service"),
        name: "metered",
        database: "service",
        source: { text: meteredText("service") },
      },
    ],
    folder,
  );
  for (const name of names.filter((name) => name !== "service"))
    await prepare(await workers.database(name), 1_000);
  const rows = isQuick ? 100_000 : 1_000_000;
  await prepare(await workers.database("service"), rows);

  const clients = new Map<string, Client>();
  for (const name of [...names, "metered"])
    clients.set(name, new Client(await workers.origin(name), CONCURRENCY));
  const clientOf = (name: string): Client => clients.get(name) ?? new Client(new URL("http://127.0.0.1:9"));
  const key = await createKey(await workers.origin("service"));
  const headersOf = (name: string): Record<string, string> => ({
    "Content-Type": "application/json",
    "Service-Version": "2",
    ...(name === "service" || name === "metered" ? key : { Authorization: "Bearer token-of-the-bench" }),
  });
  const secondsOf = (
    name: string,
    status: number,
    count: number,
    make: (n: number) => Omit<Sent, "headers">,
  ) => clientOf(name).run((n) => ({ ...make(n), headers: headersOf(name) }), status, count, CONCURRENCY);
  const costOf = async (sent: Omit<Sent, "headers">): Promise<Cost> => {
    const answer = await clientOf("metered").send({ ...sent, headers: headersOf("metered") });
    if (answer.status >= 300) throw new Error(`${sent.path}: ${answer.status} ${answer.text}`);
    return workOf(answer);
  };
  const post = (path: string, body: object): Omit<Sent, "headers"> => ({
    method: "POST",
    path,
    body: JSON.stringify(body),
  });
  const newPolicy = async (): Promise<string> => {
    const { text } = await clientOf("service").send({
      ...post("/ip_policies", {}),
      headers: headersOf("service"),
    });
    return JSON.parse(text).id;
  };

  /** @param others subjects that can do the same one by one */
  async function compare(
    what: string,
    count: number,
    rounds: number,
    others: string[],
    each: () => Promise<{ whole: Omit<Sent, "headers">; single: (n: number) => Omit<Sent, "headers"> }>,
  ): Promise<Together> {
    const wholes: number[] = [];
    const singles = new Map(others.map((name): [string, number[]] => [name, []]));
    for (let n = 0; n <= rounds; n++) {
      const { whole, single } = await each();
      const seconds = await secondsOf("service", 200, 1, () => whole);
      if (n > 0) wholes.push(seconds); // The first round warms up.
      if (n === rounds) break;
      for (const [name, times] of singles) times.push(await secondsOf(name, 201, count, single));
    }
    const { whole, single } = await each();
    const one = await costOf(single(0)).then(() => costOf(single(1)));
    const times = (value: number): number => value * count;
    const by = (value: (times: number[]) => Quartiles) =>
      Object.fromEntries([...singles].map(([name, taken]) => [name, value(taken)]));
    console.info(`  ${what}`);
    return {
      what,
      count,
      seconds: quartiles(wholes),
      single: by(quartiles),
      ratios: by((taken) => quartiles(ratios(taken, wholes))),
      cost: await costOf(whole),
      singleCost: {
        roundTrips: times(one.roundTrips),
        rowsRead: times(one.rowsRead),
        rowsWritten: times(one.rowsWritten),
      },
    };
  }

  const rules = isQuick ? 1_000 : 10_000;
  const together = [
    await compare("IP policies by a transaction", OPERATIONS, isQuick ? 5 : 15, names, async () => {
      const one = post("/ip_policies", { description: "Office", metadata: '{"team":"network"}' });
      const operation = { method: "POST", path: one.path, body: JSON.parse(one.body ?? "") };
      const operations = Array.from({ length: OPERATIONS }, () => operation);
      return { whole: post("/transactions", { operations }), single: () => one };
    }),
    await compare("rules of a policy by PUT", rules, 3, ["service"], async () => {
      const [policy, other] = [await newPolicy(), await newPolicy()];
      const rule = (n: number) => ({ cidr: `10.${n >> 8}.${n & 255}.0/24`, action: "allow" });
      const body = JSON.stringify({ rules: Array.from({ length: rules }, (_, n) => rule(n)) });
      return {
        whole: { method: "PUT", path: `/ip_policies/${policy}/rules`, body },
        single: (n) => post("/ip_policy_rules", { ...rule(n), ip_policy_id: other }),
      };
    }),
  ];

  const at = (prefix: string) => idSchema(prefix, rows / 2);
  const get = (path: string): Omit<Sent, "headers"> => ({ method: "GET", path });
  const asked: Asked[] = [];
  for (const [what, path] of [
    ["list by hostport", `/edges/tcp?hostport=front${rows / 2}.example.com:443`],
    ["list by backend", `/edges/tcp?backend_id=${at("bkdhr_")}`],
    ["list by IP policy", `/edges/tcp?ip_policy_id=${at("ipp_")}`],
    ["list of a policy's rules", `/ip_policy_rules?ip_policy_id=${at("ipp_")}`],
    ["10 of all, by metadata", `/edges/tcp?limit=10&metadata=${encodeURIComponent('{"team":"network"}')}`],
    ["access to an edge, IPv4", `/edges/tcp/${at("edgtcp_")}/access?ip=192.0.2.1`],
    ["access to an edge, IPv6", `/edges/tcp/${at("edgtcp_")}/access?ip=2001:db8::1`],
    ["access by a policy", `/ip_policies/${at("ipp_")}/access?ip=192.0.2.1`],
  ] as const) {
    const taken: [asked: number, plain: number][] = [];
    for (let n = 0; n <= (isQuick ? 10 : 40); n++)
      taken.push([
        await secondsOf("service", 200, 16, () => get(path)),
        await secondsOf("service", 200, 16, () => get(`/edges/tcp/${at("edgtcp_")}`)),
      ]);
    const [, ...kept] = taken; // The first pair warms up.
    const { rowsRead } = await costOf(get(path)).then(() => costOf(get(path)));
    const ratio = quartiles(kept.map(([one, plain]) => one / plain));
    asked.push({ what, rowsRead, ratio });
  }
  for (const client of clients.values()) client.close();
  await workers.dispose();
  return { together, rows, asked };
}
