import { newCost } from "../../../src/db/session.ts";
import type { Bindings } from "../../../src/http/env.ts";
import worker from "../../../src/index.ts";
import { counted } from "../../support/counted.ts";

/*
 * This service, which adds up the cost of all its database calls, including calls after a response. GET /bench/cost
 * returns the sums so far; GET /bench/minute does the same as the cron trigger.
 */

const sum = newCost();

export default {
  async fetch(request, env, context) {
    const bindings = { ...env, DB: counted(env.DB, sum) };
    const { pathname } = new URL(request.url);
    if (pathname === "/bench/minute") await worker.scheduled(undefined, bindings);
    return pathname.startsWith("/bench/") ? Response.json(sum) : worker.fetch(request, bindings, context);
  },
} satisfies ExportedHandler<Bindings>;
