import { is } from "drizzle-orm";
import { SQLiteTable } from "drizzle-orm/sqlite-core";
import * as z from "zod";
import { clock } from "../../packages/model/src/clock.ts";
import { schema } from "../../packages/model/src/values/request_schemas.ts";
import * as access from "../db/access_schema.ts";
import { rootCause } from "../db/failures.ts";
import * as internal from "../db/internal_schema.ts";
import * as objects from "../db/schema.ts";
import { epochQuery, type Session, withTimeout } from "../db/session.ts";
import { bare, join, lazy, sql } from "../db/statements.ts";
import { unavailable } from "./errors.ts";
import { logFault } from "./log.ts";
import { operation } from "./operation.ts";
import { respond } from "./respond.ts";
import { endpoints } from "./router.ts";
import { version } from "./version.ts";

const healthy = { status: "ok", version } as const;

const Health = schema("Health", () => ({
  description: "The service works.",
  examples: [healthy],
  type: z.strictObject({
    status: z.literal("ok").describe("Always `ok`. If the service does not work, the response is an error."),
    version: z
      .string()
      .describe("The release of the service. The version of the API is in `Service-Version`."),
  }),
}));

const tables = Object.values({ ...access, ...objects, ...internal }).filter((value) =>
  is(value, SQLiteTable),
);

/** How long an isolate reuses the result of a check: anyone may call this, as often as they like. */
const REMEMBERED_MILLISECONDS = 5_000;

/** The last result, and when it expires; undefined before the first check. */
let last: { isHealthy: boolean; until: number } | undefined;

/** Whether the database responds; a result is reused for {@link REMEMBERED_MILLISECONDS}. */
async function isHealthy(session: Session, operationId: string): Promise<boolean> {
  if (last && clock.now() < last.until) return last.isHealthy;
  // Requests that arrive during a check get the previous result.
  if (last) last.until = clock.now() + REMEMBERED_MILLISECONDS;
  const cause = await withTimeout(REMEMBERED_MILLISECONDS, session.fromPrimary(everyTable()), tooLate).then(
    () => undefined,
    (error: unknown) => rootCause(error),
  );
  if (cause !== undefined) logFault(operationId, "The database does not respond.", cause);
  last = { isHealthy: cause === undefined, until: clock.now() + REMEMBERED_MILLISECONDS };
  return last.isHealthy;
}

const tooLate = () => new Error("The database did not respond within five seconds.");

/** Reads at most a row of every table, and the epoch: a database that responds may still lack one of them. */
const everyTable = lazy(() => {
  const rows = tables.map((table, i) => sql`exists (select 1 from ${table}) as ${bare(String(i))}`);
  return sql`select ${join(rows)}, (${epochQuery}) as epoch`;
});

/** `GET /health`: 200 if the database responds, 503 if it fails for any reason. */
export const health = endpoints().get(
  "/",
  operation({
    id: "HealthGet",
    summary: "Check the service's health",
    description:
      "Returns 200 if the database responds and has all tables, otherwise 503. The result may be up to five seconds old, or ten if the database does not respond. Requires no API key.",
    tag: "Service",
    access: "public",
    status: 200,
    response: Health,
    errors: ["ERR_UNAVAILABLE"],
  }),
  async (c) => {
    const { session, operationId } = c.get("request");
    if (!(await isHealthy(session, operationId))) throw unavailable("The database does not respond.");
    return respond(c, 200, JSON.stringify(healthy satisfies z.output<typeof Health>));
  },
);
