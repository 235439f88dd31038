import worker from "../../../src/index.ts";

/*
 * This service with a rate limiter that counts in the isolate. Cloudflare's limiter counts on the machine that the
 * Worker runs on (https://developers.cloudflare.com/workers/runtime-apis/bindings/rate-limit/#performance: "You are not
 * waiting on a network request"). Miniflare's limiter calls a Durable Object that writes a row of SQLite: a second
 * database round trip, which the deployed service does not make.
 */

const counts = new Map<string, number>();

const limiter: RateLimit = {
  limit: async ({ key }) => {
    const count = (counts.get(key) ?? 0) + 1;
    counts.set(key, count);
    return { success: count > 0 };
  },
};

/** The bindings with that limiter, by the platform's bindings, which are the same object for all requests. */
const limited = new WeakMap<object, Cloudflare.Env>();

export default {
  fetch(request, env, context) {
    let bindings = limited.get(env);
    if (!bindings) {
      bindings = { ...env, KEY_LIMIT: limiter, FAILED_AUTHENTICATION_LIMIT: limiter };
      limited.set(env, bindings);
    }
    return worker.fetch(request, bindings, context);
  },
} satisfies ExportedHandler<Cloudflare.Env>;
