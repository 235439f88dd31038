import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import {
  convertV4MiniflareOptions,
  CorePaths,
  Log,
  LogLevel,
  Miniflare,
  type Request,
  type Response,
} from "miniflare";
import { unstable_getMiniflareWorkerOptions, unstable_readConfig } from "wrangler";

/*
 * The deployed Worker in a workerd process that can be killed: bundled by wrangler, run by Miniflare directly, without the
 * proxy of `wrangler dev`.
 */

const CONFIGURATION = "wrangler.toml";
const GONE_WITHIN_MILLISECONDS = 5_000;

export interface RunningWorker {
  /** `http://127.0.0.1:PORT` */
  origin: string;
  /** Runs the cron trigger; rejects if the run fails, or if workerd ends first. */
  runCron: () => Promise<void>;
  /** Kills workerd with SIGKILL, and returns when it has ended. */
  kill: () => Promise<void>;
  /** Shuts it down. */
  dispose: () => Promise<void>;
}

export interface WorkerOptions {
  /** Folder of the bundled Worker. */
  bundle: string;
  /** Folder of the database's files, like wrangler's `--persist-to`. */
  persist: string;
  /** Variables and secrets in addition to those in wrangler.toml. */
  bindings: Record<string, string>;
  /** Default: a free port. */
  port?: number;
  /** With the static assets, which have to be built. */
  hasAssets?: true;
  /** With the rate limits of wrangler.toml. */
  hasLimits?: true;
  /** Gets every line that the Worker logs. */
  onLog?: (line: string) => void;
  /** Answers the requests that the Worker sends, in place of the network. */
  outbound?: (request: Request) => Promise<Response>;
  /** Without Miniflare's own worker in front, which takes 2 ms for each request, and adds headers such as CF-Connecting-IP. */
  isDirect?: true;
  /** The port of a second isolate with the same database. */
  secondPort?: number;
}

/** Starts the Worker with the variables, the secrets and the database of wrangler.toml. */
export async function startWorker({
  bundle,
  persist,
  bindings,
  port = 0,
  hasAssets,
  hasLimits,
  onLog = () => {},
  outbound,
  isDirect,
  secondPort,
}: WorkerOptions): Promise<RunningWorker> {
  const { workerOptions } = unstable_getMiniflareWorkerOptions(CONFIGURATION);
  const {
    compatibilityDate,
    compatibilityFlags = [],
    d1Databases,
    bindings: configured,
    ratelimits,
  } = workerOptions as {
    compatibilityDate?: string;
    compatibilityFlags?: string[];
    d1Databases?: Record<string, string>;
    bindings?: Record<string, string>;
    ratelimits?: Record<string, { namespace_id: string; simple: { limit: number; period: 10 | 60 } }>;
  };
  const worker = {
    modulesRoot: bundle,
    modules: [{ type: "ESModule" as const, path: join(bundle, "index.js") }],
    ...(compatibilityDate !== undefined && { compatibilityDate }),
    compatibilityFlags,
    ...(d1Databases && { d1Databases }),
    bindings: { ...configured, ...bindings },
    ...(outbound && { outboundService: outbound }),
    ...(hasLimits && ratelimits && { ratelimits }),
    ...(hasAssets && { assets: assetsOf(unstable_readConfig({ config: CONFIGURATION })) }),
  };
  const first = {
    ...worker,
    name: "first",
    ...(isDirect && { unsafeDirectSockets: [{ host: "127.0.0.1", port }] }),
  };
  const second = secondPort !== undefined && {
    ...worker,
    name: "second",
    unsafeDirectSockets: [{ host: "127.0.0.1", port: secondPort }],
  };
  const others = new Set(workerds());
  const miniflare = new Miniflare(
    convertV4MiniflareOptions({
      host: "127.0.0.1",
      port: isDirect ? 0 : port,
      cf: false,
      unsafeTriggerHandlers: true,
      log: new Log(LogLevel.NONE),
      handleStructuredLogs: ({ message }) => onLog(message),
      resourcePersistencePath: join(persist, "v3"),
      workers: [first, ...(second ? [second] : [])],
    }),
  );
  const { origin } = await miniflare.ready;
  const [own, ...more] = workerds().filter((pid) => !others.has(pid));
  if (existsSync(CHILDREN) && (own === undefined || more.length > 0))
    throw new Error("cannot tell which workerd process runs this Worker");
  return {
    origin: isDirect ? (await miniflare.unsafeGetDirectURL(first.name)).origin : origin,
    runCron: async () => {
      const { ok, status } = await fetch(origin + CorePaths.SCHEDULED);
      if (!ok) throw new Error(`the cron trigger's run failed: ${status}`);
    },
    kill: async () => {
      if (own === undefined) throw new Error(`Only a system with ${CHILDREN} tells which process to kill.`);
      process.kill(own, "SIGKILL");
      const until = Date.now() + GONE_WITHIN_MILLISECONDS;
      while (workerds().includes(own)) {
        if (Date.now() > until) throw new Error(`workerd ${own} does not end`);
        await sleep(1);
      }
      // Otherwise Miniflare would restart workerd.
      await miniflare.dispose();
    },
    dispose: () => miniflare.dispose(),
  };
}

/** The static assets of wrangler.toml, in the form that Miniflare accepts. */
function assetsOf({ assets }: ReturnType<typeof unstable_readConfig>) {
  const { directory, binding, run_worker_first: first } = assets ?? {};
  if (directory === undefined || binding === undefined || first === undefined)
    throw new Error(
      `${CONFIGURATION} must set assets.directory, assets.binding and assets.run_worker_first.`,
    );
  return { directory, binding, run_worker_first: first, routerConfig: { has_user_worker: true } };
}

/** The ids of the processes that this one started (Linux). */
const CHILDREN = `/proc/${process.pid}/task/${process.pid}/children`;

/** The ids of the running workerd processes that this process started; none where the system does not tell. */
function workerds(): number[] {
  if (!existsSync(CHILDREN)) return [];
  return readFileSync(CHILDREN, "utf8")
    .split(" ")
    .filter((pid) => pid !== "" && commandOf(pid) === "workerd")
    .map(Number);
}

function commandOf(pid: string): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/comm`, "utf8").trim();
  } catch {
    return undefined; // It has ended in the meantime.
  }
}
