import { clock } from "../packages/model/src/clock.ts";
import { app } from "./app.ts";
import { deliverSoon, everyMinute } from "./background.ts";
import { isAwaited } from "./delivery/notes.ts";
import type { Bindings } from "./http/env.ts";

export default {
  async fetch(request: Request, env, context) {
    const response = await app.fetch(request, env, context);
    // Runs after the response, so no caller waits for it.
    if (isAwaited()) context.waitUntil(deliverSoon(env));
    return response;
  },
  /** Runs as often as the cron trigger in `wrangler.toml` says. */
  async scheduled(_: unknown, env) {
    await everyMinute(env, clock.now());
  },
} satisfies ExportedHandler<Bindings>;
