import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { convertV4MiniflareOptions, Miniflare, NoOpLog } from "miniflare";
import { unstable_getMiniflareWorkerOptions } from "wrangler";
import { bundle } from "./bundle.ts";

/** A Worker to be started. */
export interface Subject {
  name: string;
  /** The path of its module from the repository's root, or the module's text. */
  source: { path: string } | { text: string };
  /** Whether it is another service, which is bundled with all that its libraries have. */
  isOther?: boolean;
  bindings?: Record<string, string>;
  /** The name of its D1 database. By default, each Worker has its own. */
  database?: string;
}

export interface Workers {
  /** The address where a Worker listens directly, without Miniflare's entry Worker in front. */
  origin(name: string): Promise<URL>;
  database(name: string): Promise<D1Database>;
  inspector(): Promise<URL>;
  /** CPU seconds that all threads of workerd have used so far. */
  cpuSeconds(): number;
  /** Bytes of workerd in memory: now, and the peak since it started or `peakFromHere` was called. */
  memory(): { resident: number; peak: number };
  peakFromHere(): void;
  dispose(): Promise<void>;
}

const { workerOptions } = unstable_getMiniflareWorkerOptions("wrangler.toml");
const configured = workerOptions as {
  compatibilityDate?: string;
  bindings?: Record<string, string>;
};

/**
 * Starts Workers in one workerd with D1 on disk, in the folder `persist`.
 *
 * @param options `heapMegabytes`: the largest heap of each isolate; workerd ends when one is full
 */
export async function startWorkers(
  subjects: Subject[],
  persist: string,
  { inspected = false, heapMegabytes }: { inspected?: boolean; heapMegabytes?: number } = {},
): Promise<Workers> {
  if (heapMegabytes !== undefined)
    process.env["MINIFLARE_WORKERD_V8_FLAGS"] = `--max-heap-size=${heapMegabytes}`;
  const workers = await Promise.all(
    subjects.map(async ({ name, source, isOther = false, bindings, database = name }) => {
      const { text } = await bundle(source, { isOther });
      return {
        name,
        modules: [{ type: "ESModule" as const, path: "worker.mjs", contents: text }],
        compatibilityDate: configured.compatibilityDate ?? "",
        bindings: { ...configured.bindings, ...bindings },
        d1Databases: { DB: { id: database } },
        unsafeDirectSockets: [{ host: "127.0.0.1", port: 0 }],
      };
    }),
  );
  const before = new Set(workerdProcesses());
  const miniflare = new Miniflare(
    convertV4MiniflareOptions({
      workers,
      host: "127.0.0.1",
      port: 0,
      resourcePersistencePath: persist,
      log: new NoOpLog(),
      // Log lines are dropped. Miniflare always has workerd encode each line again, and parses it.
      handleStructuredLogs: () => {},
      ...(inspected && { inspectorPort: 0 }),
    }),
  );
  await miniflare.ready;
  delete process.env["MINIFLARE_WORKERD_V8_FLAGS"];
  const processes = workerdProcesses().filter((process) => !before.has(process));
  return {
    origin: (name) => miniflare.unsafeGetDirectURL(name),
    database: (name) => miniflare.getD1Database("DB", name),
    inspector: () => miniflare.getInspectorURL(),
    cpuSeconds: () => processes.reduce((sum, process) => sum + cpuSecondsOf(process), 0),
    memory: () => {
      const all = processes.map(memoryOf);
      const sum = (of: "resident" | "peak") => all.reduce((bytes, each) => bytes + each[of], 0);
      return { resident: sum("resident"), peak: sum("peak") };
    },
    // Resets VmHWM: see proc_pid_clear_refs(5).
    peakFromHere: () => processes.forEach((process) => writeFileSync(`/proc/${process}/clear_refs`, "5")),
    dispose: () => miniflare.dispose(),
  };
}

/** Ids of the workerd processes that this process started. */
const workerdProcesses = (): string[] =>
  readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .filter((name) => {
      const stat = read(`/proc/${name}/stat`);
      const [, parent] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
      return stat.includes("(workerd)") && parent === String(process.pid);
    });

/**
 * CPU seconds of a process so far, from the nanosecond counters of its threads: the clock ticks in `/proc/PID/stat` are
 * too coarse for a round.
 */
export const cpuSecondsOf = (process: string): number =>
  readdirSync(`/proc/${process}/task`).reduce((sum, thread) => {
    const [nanoseconds = "0"] = read(`/proc/${process}/task/${thread}/schedstat`).split(" ");
    return sum + Number(nanoseconds) / 1e9;
  }, 0);

/** Bytes of a process in memory: VmRSS and VmHWM of proc_pid_status(5). */
export function memoryOf(process: string): { resident: number; peak: number } {
  const status = read(`/proc/${process}/status`);
  const bytes = (name: string): number =>
    Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, "m").exec(status)?.[1]) * 1024;
  return { resident: bytes("VmRSS"), peak: bytes("VmHWM") };
}

/** A file of a process; "" if the process has ended in the meantime. */
function read(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
