import type { Kind } from "../../packages/model/src/kinds.ts";
import { type Cause, recordAlone } from "./event_writes.ts";
import { hourlyCounts } from "./internal_schema.ts";
import { raw, sql, type Sql } from "./statements.ts";

/*
 * Events of what was rejected. They are limited, because rejected callers must not fill the log.
 */

/** How many rejections of a kind are recorded an hour. */
const REFUSALS_AN_HOUR = 60;

/**
 * Records a rejection, up to {@link REFUSALS_AN_HOUR}: statements for one batch, the last of which returns a row if it is recorded.
 */
export function recordRefusal(
  kind: Kind,
  object: { id: string; [field: string]: string },
  cause: Cause,
): Sql[] {
  const hour = Math.floor(cause.at / 3_600_000);
  const { count } = hourlyCounts;
  return [
    sql`insert into ${hourlyCounts} (name, hour, count) values (${`${kind}_refused`}, ${hour}, 1)
      on conflict (name) do update set count = iif(${hourlyCounts.hour} = excluded.hour, ${count} + 1, 1), hour = excluded.hour
      where ${hourlyCounts.hour} <> excluded.hour or ${count} < ${raw(REFUSALS_AN_HOUR)}`,
    recordAlone(kind, "refused", object, cause),
  ];
}
