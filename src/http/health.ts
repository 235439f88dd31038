import { sql } from "drizzle-orm";
import type { Handler } from "hono";
import { rootCause } from "../db/errors.ts";
import type { App } from "../env.ts";
import { answer, unavailable } from "./errors.ts";
import { logFault } from "./log.ts";

/** `GET /health`: 200 when the database answers, 503 for whatever keeps it from that. */
export const health: Handler<App> = async (c) => {
  try {
    await c.var.db.run(sql`select 1`);
    return c.json({ status: "ok" });
  } catch (error) {
    logFault(c.var.operationId, "The database does not answer.", rootCause(error));
    return answer(c, unavailable("The database does not answer."));
  }
};
