// Runs the Worker with its static assets and rate limits until a signal ends it. Prints the port, then what the Worker logs.
import { startWorker } from "./workerd.ts";

/** The only argument, in JSON. */
export interface ServeOptions {
  /** Folder of the bundled Worker. */
  bundle: string;
  /** Folder of the database's files. */
  persist: string;
  /** Variables and secrets. */
  bindings: Record<string, string>;
  /** Requests do not pass through Miniflare's own worker. */
  isDirect?: true;
}

const options = JSON.parse(process.argv[2] ?? "{}") as ServeOptions;
const worker = await startWorker({
  ...options,
  hasAssets: true,
  hasLimits: true,
  onLog: (line) => console.info(line),
});
console.info(`Ready on port ${new URL(worker.origin).port}`);
process.once("SIGTERM", () => void worker.dispose().finally(() => process.exit()));
