// Runs the Worker with its static assets and rate limits until a signal ends it. Prints the port, then what the Worker logs.
import { startWorker, type WorkerOptions } from "./workerd.ts";

/** The only argument, in JSON. */
export type ServeOptions = Pick<WorkerOptions, "bundle" | "persist" | "bindings" | "isDirect">;

const options = JSON.parse(process.argv[2] ?? "{}") as ServeOptions;
const worker = await startWorker({
  ...options,
  hasAssets: true,
  hasLimits: true,
  onLog: (line) => console.info(line),
});
console.info(`Ready on port ${new URL(worker.origin).port}`);
process.once("SIGTERM", () => void worker.dispose().finally(() => process.exit()));
