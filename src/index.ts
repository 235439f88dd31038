import { app } from "./app.ts";
import { clock } from "./clock.ts";
import { newCost } from "./db/calls.ts";
import { Session } from "./db/database.ts";
import { sweepIdempotencyRecords } from "./db/idempotency.ts";
import type { Bindings } from "./env.ts";
import { logSweep } from "./http/log.ts";

export default {
  fetch: app.fetch,
  /** Runs as often as the cron trigger in `wrangler.toml` says. */
  async scheduled(_, env) {
    const cost = newCost();
    const session = new Session(env.DB, undefined, cost);
    const { records, error } = await sweepIdempotencyRecords(session, clock.now());
    logSweep(records, cost, error);
    // So that the platform shows the run as failed.
    if (error !== undefined) throw error;
  },
} satisfies ExportedHandler<Bindings>;
