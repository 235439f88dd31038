import { cpSync, rmSync } from "node:fs";
import { join } from "node:path";
import { prepareServed } from "./database.ts";
import { Api, ROOT_KEY } from "./load.ts";
import { policyId, type Size } from "./served.ts";
import { startWorkers } from "./workers.ts";

/*
 * The smallest heap in which the service answers requests that read the whole configuration. An isolate has 128 MB. V8 leaves garbage
 * in a heap until it is full, so the size of the heap says little: workerd starts with smaller and smaller heaps instead, until it ends
 * because one is full. The limit applies to each isolate, also to those of the database: what the service needs is at most this.
 */

/** What is requested: groups after one change each. The requests of a group are sent at the same time. */
const cases: { what: string; groups: string[][] }[] = [
  { what: "`GET /problems`", groups: [["/problems"]] },
  { what: "`GET /snapshot`", groups: [["/snapshot"]] },
  { what: "`GET /snapshot` again after a change", groups: [["/snapshot"], ["/snapshot"]] },
  { what: "`GET /snapshot/changes`", groups: [["/snapshot/changes"]] },
  {
    what: "all of these and `format=traefik` at the same time, and again after a change",
    groups: Array.from({ length: 2 }, () => [
      "/snapshot",
      "/snapshot/changes",
      "/snapshot?format=traefik",
      "/problems",
    ]),
  },
];

/** The smallest heap of a case, in megabytes. */
export interface HeapFigures {
  edges: number;
  rules: number;
  what: string;
  megabytes: number;
}

const LEAST = 16;
const MOST = 256;
/** Heaps that differ by less are not distinguished. */
const STEP = 4;

const start = (folder: string, heapMegabytes?: number) =>
  startWorkers(
    [
      {
        name: "service",
        source: { path: "test/bench/subjects/service.ts" },
        bindings: { ROOT_API_KEY: ROOT_KEY },
      },
    ],
    folder,
    heapMegabytes === undefined ? {} : { heapMegabytes },
  );

/** Whether requests succeed with a heap. @param database is copied, so that it stays as it is */
async function fits(database: string, groups: string[][], heapMegabytes: number): Promise<boolean> {
  const folder = `${database}-${heapMegabytes}`;
  cpSync(database, folder, { recursive: true });
  const workers = await start(folder, heapMegabytes);
  const api = new Api(await workers.origin("service"));
  try {
    for (const [n, group] of groups.entries()) {
      await api.send("PATCH", `/ip_policies/${policyId(1)}`, { description: `Change ${n}` });
      await Promise.all(group.map((path) => api.send("GET", path)));
    }
    return true;
  } catch {
    // The process has ended, and with it the connection.
    return false;
  } finally {
    api.close();
    await workers.dispose();
    rmSync(folder, { recursive: true });
  }
}

/** Searches for the smallest heap of each case. @param isQuick a tenth of the configuration */
export async function measureHeap(folder: string, isQuick: boolean): Promise<HeapFigures[]> {
  const size: Size = { edges: isQuick ? 1_000 : 10_000, rulesOfEach: 10 };
  const database = join(folder, "filled");
  const workers = await start(database);
  await prepareServed(await workers.database("service"), size, { named: 443, first: 12_000 });
  await workers.dispose();
  const figures: HeapFigures[] = [];
  for (const { what, groups } of cases) {
    let [tooSmall, megabytes] = [LEAST, MOST];
    if (!(await fits(database, groups, MOST))) throw new Error(`${what} fails with ${MOST} MB, too.`);
    while (megabytes - tooSmall > STEP) {
      const middle = Math.round((tooSmall + megabytes) / 2);
      if (await fits(database, groups, middle)) megabytes = middle;
      else tooSmall = middle;
    }
    figures.push({ edges: size.edges, rules: size.edges * size.rulesOfEach, what, megabytes });
    console.info(`  ${what}: ${megabytes} MB`);
  }
  return figures;
}
