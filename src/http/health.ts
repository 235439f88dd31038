import { sql } from "drizzle-orm";
import { Hono } from "hono";
import * as z from "zod";
import { rootCause } from "../db/errors.ts";
import type { App } from "../env.ts";
import { lazily, type Output } from "../lazily.ts";
import { unavailable } from "./errors.ts";
import { logFault } from "./log.ts";
import { operation } from "./operation.ts";
import { respond } from "./respond.ts";

const Health = lazily(() =>
  z.strictObject({ status: z.literal("ok") }).meta({ id: "Health", examples: [{ status: "ok" }] }),
);

/** `GET /health`: 200 when the database answers, 503 for whatever keeps it from that. */
export const health = new Hono<App>().get(
  "/",
  operation({
    id: "HealthGet",
    summary: "Ask whether the service works",
    description: "Answers 200 when the database answers, otherwise 503. Needs no key.",
    tag: "Service",
    access: "public",
    status: 200,
    response: Health,
    refuses: ["ERR_UNAVAILABLE"],
  }),
  async (c) => {
    try {
      await c.get("request").session.primary.run(sql`select 1`);
    } catch (error) {
      logFault(c.get("request").operationId, "The database does not answer.", rootCause(error));
      throw unavailable("The database does not answer.");
    }
    return respond(c, 200, JSON.stringify({ status: "ok" } satisfies Output<typeof Health>));
  },
);
