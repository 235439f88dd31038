import { execFileSync } from "node:child_process";
import { cpSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import {
  convertV4MiniflareOptions,
  CorePaths,
  Log,
  LogLevel,
  Miniflare,
  type Request,
  Response,
} from "miniflare";
import { unstable_getMiniflareWorkerOptions } from "wrangler";
import { preparedFolder } from "./prepared.ts";
import { quiet } from "./quiet.ts";

/*
 * The deployed Worker in a workerd process that can be killed: bundled by wrangler, run by Miniflare directly, without the
 * proxy of `wrangler dev`.
 */

const CONFIGURATION = "wrangler.toml";
const GONE_WITHIN_MILLISECONDS = 5_000;

function wrangler(...arguments_: string[]): void {
  const script = join("node_modules", "wrangler", "bin", "wrangler.js");
  execFileSync(process.execPath, [script, ...arguments_], {
    env: quiet,
    stdio: ["ignore", "ignore", "inherit"],
  });
}

/** Returns the folder of the bundled Worker. */
export const workerBundle = (): string =>
  preparedFolder(
    "worker",
    "{{src,packages/*/src,scripts,docs}/**/*.*,packages/{console,contract}/*.*,README.md,SECURITY.md,wrangler.toml,package-lock.json}",
    (folder) => wrangler("deploy", "--dry-run", "--outdir", folder),
  );

/** Creates an empty database with all tables under `persist`, like wrangler's `--persist-to`. */
export const migrate = (persist: string): void => {
  const sources = "{drizzle/**/*.sql,wrangler.toml,package-lock.json}";
  const database = preparedFolder("database", sources, (folder) =>
    wrangler("d1", "migrations", "apply", "DB", "--local", "--persist-to", folder),
  );
  cpSync(database, persist, { recursive: true });
};

/** Folder of the database's `.sqlite` and `-wal` under `persist`; a `metadata.sqlite` beside it is Miniflare's own. */
export const databaseFolder = (persist: string): string =>
  join(persist, "v3", "d1", "miniflare-D1DatabaseObject");

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

interface WorkerOptions {
  /** Folder of the bundled Worker. */
  bundle: string;
  /** Folder of the database's files, like wrangler's `--persist-to`. */
  persist: string;
  /** Variables and secrets in addition to those in wrangler.toml. */
  bindings: Record<string, string>;
  /** Default: a free port. */
  port?: number;
  /** Folder of the static assets, for requests that read them. */
  assets?: string;
  /** Gets every line that the Worker logs. */
  onLog?: (line: string) => void;
  /** Answers the requests that the Worker sends, in place of the network. */
  outbound?: (request: Request) => Promise<Response>;
  /** The port of a second isolate with the same database. */
  secondPort?: number;
}

/**
 * Starts the Worker with the bindings in wrangler.toml, except rate limits, which a single client would reach.
 */
export async function startWorker({
  bundle,
  persist,
  bindings,
  port = 0,
  assets,
  onLog = () => {},
  outbound,
  secondPort,
}: WorkerOptions): Promise<RunningWorker> {
  const { workerOptions } = unstable_getMiniflareWorkerOptions(CONFIGURATION);
  const {
    compatibilityDate,
    compatibilityFlags = [],
    d1Databases,
    bindings: configured,
  } = workerOptions as {
    compatibilityDate?: string;
    compatibilityFlags?: string[];
    d1Databases?: Record<string, string>;
    bindings?: Record<string, string>;
  };
  const worker = {
    modulesRoot: bundle,
    modules: [{ type: "ESModule" as const, path: join(bundle, "index.js") }],
    ...(compatibilityDate !== undefined && { compatibilityDate }),
    compatibilityFlags,
    ...(d1Databases && { d1Databases }),
    bindings: { ...configured, ...bindings },
    ...(outbound && { outboundService: outbound }),
    ...(assets !== undefined && {
      serviceBindings: { ASSETS: (request: Request) => assetIn(assets, request.url) },
    }),
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
      port,
      cf: false,
      unsafeTriggerHandlers: true,
      log: new Log(LogLevel.NONE),
      handleStructuredLogs: ({ message }) => onLog(message),
      resourcePersistencePath: join(persist, "v3"),
      workers: [{ ...worker, name: "first" }, ...(second ? [second] : [])],
    }),
  );
  const { origin } = await miniflare.ready;
  const [own, ...more] = workerds().filter((pid) => !others.has(pid));
  if (own === undefined || more.length > 0)
    throw new Error("cannot tell which workerd process runs this Worker");
  return {
    origin,
    runCron: async () => {
      const { ok, status } = await fetch(origin + CorePaths.SCHEDULED);
      if (!ok) throw new Error(`the cron trigger's run failed: ${status}`);
    },
    kill: async () => {
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

/** A static asset, by the path of a URL. */
function assetIn(folder: string, url: string): Response {
  try {
    return new Response(readFileSync(join(folder, new URL(url).pathname)));
  } catch {
    return new Response(null, { status: 404 });
  }
}

/** The ids of the running workerd processes that this process started (Linux: /proc). */
function workerds(): number[] {
  const children = readFileSync(`/proc/${process.pid}/task/${process.pid}/children`, "utf8");
  return children
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
