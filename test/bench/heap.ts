import { cpSync, rmSync } from "node:fs";
import { join } from "node:path";
import { prepareServed } from "./database.ts";
import { Api, ROOT_KEY } from "./load.ts";
import { policyId, type Size } from "./served.ts";
import { startWorkers } from "./workers.ts";

/*
 * The smallest heap in which the service can respond to requests that read the whole configuration. An isolate has 128 MB. V8 leaves
 * garbage in a heap until the heap is full, so the size of a heap says little. Instead, a search finds the smallest limit with which
 * workerd does not run out of memory. The limit also applies to the isolates of the database, so the service needs at most as much.
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

/** What a case needs, in megabytes. */
export interface HeapFigures {
  edges: number;
  rules: number;
  what: string;
  /** The smallest heap. */
  heap: number;
  /** The JSON that the isolate caches outside the heap: one of each snapshot. */
  cached: number;
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

/**
 * Sends requests to a service with a heap. Returns the bytes of the snapshots; undefined if the heap is too small.
 *
 * @param database is copied, so that it stays as it is
 */
async function bytesWith(
  heapMegabytes: number,
  database: string,
  groups: string[][],
): Promise<number | undefined> {
  const folder = `${database}-${heapMegabytes}`;
  cpSync(database, folder, { recursive: true });
  const workers = await start(folder, heapMegabytes);
  const api = new Api(await workers.origin("service"));
  const bytes = new Map<string, number>();
  try {
    for (const [n, group] of groups.entries()) {
      await api.send("PATCH", `/ip_policies/${policyId(1)}`, { description: `Change ${n}` });
      const send = async (path: string): Promise<void> => {
        const { text } = await api.send("GET", path);
        if (path.startsWith("/snapshot")) bytes.set(path, Buffer.byteLength(text));
      };
      await Promise.all(group.map(send));
    }
    return [...bytes.values()].reduce((sum, each) => sum + each, 0);
  } catch {
    // The process has ended, and with it the connection.
    return undefined;
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
    let [tooSmall, heap] = [LEAST, MOST];
    const bytes = await bytesWith(MOST, database, groups);
    if (bytes === undefined) throw new Error(`${what} fails with ${MOST} MB, too.`);
    while (heap - tooSmall > STEP) {
      const middle = Math.round((tooSmall + heap) / 2);
      if ((await bytesWith(middle, database, groups)) === undefined) tooSmall = middle;
      else heap = middle;
    }
    figures.push({
      edges: size.edges,
      rules: size.edges * size.rulesOfEach,
      what,
      heap,
      cached: Math.ceil(bytes / 1e6),
    });
    console.info(`  ${what}: ${heap} MB`);
  }
  return figures;
}
