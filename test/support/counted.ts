import type { Cost } from "../../src/db/session.ts";
import { intercepted } from "./intercepted.ts";

/**
 * A D1 binding that adds the cost of every call to `cost`, independently of what the service itself counts, and the number of
 * statements if `cost` has that field.
 */
export const counted = (db: D1Database, cost: Cost & { statements?: number }): D1Database =>
  intercepted(db, async ({ queries, send }) => {
    cost.roundTrips += 1;
    if (cost.statements !== undefined) cost.statements += queries.length;
    const results = await send();
    for (const { meta } of results) {
      cost.rowsRead += meta.rows_read;
      cost.rowsWritten += meta.rows_written;
    }
    return results;
  });
