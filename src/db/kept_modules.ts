import { clock } from "../../packages/model/src/clock.ts";
import type { Kind } from "../../packages/model/src/kinds.ts";
import { type Cause, recorderOf } from "./event_writes.ts";
import {
  type Change,
  changeOf,
  clearing,
  insertion,
  type ObjectTable,
  type TableOptions,
  userOf,
  versionedRow,
} from "./rows.ts";
import { bare, decoded, decoderOf, join, sql, type Statement } from "./statements.ts";
import { byKey, type RowKey } from "./uses.ts";
import { nextVersion, type Versioned } from "./versions.ts";

/**
 * The statements on the modules in a table of HTTPS edges or routes. An id that is not an object of this service is assumed
 * to be managed elsewhere: its row is inserted when a module is first set, and never deleted.
 *
 * @param unset the values of a row with no modules set
 */
export function keptModulesOf<T extends ObjectTable>(
  kind: Kind,
  table: T,
  unset: Omit<T["$inferSelect"], "id" | "edge_id" | "version">,
  options: TableOptions,
) {
  type Row = T["$inferSelect"];
  const { isObject: _, ...rest } = options;
  const user = userOf(table, rest);
  const { table: plain } = user;
  const keys = join([plain.edge_id, plain.id].flatMap((column) => (column ? [bare(column)] : [])));
  const decode = decoderOf(table);
  const change = changeOf(kind, user, recorderOf(kind, user, options), options);
  return {
    /** One row, for use in conditions. */
    row: (key: RowKey, member?: string): Versioned => versionedRow(user, key, member),

    /** The row, if a module has ever been set. */
    find: (key: RowKey): Statement<Row> =>
      decoded(sql`select * from ${plain} where ${byKey(user, key)}`, decode),

    /**
     * Sets the modules in `patch`; returns the row. Versions of a new row begin at the time: an object with this id may have been
     * deleted here, and its ETags are not given out again.
     */
    change(key: RowKey, patch: Partial<Row>, cause: Cause): Change {
      const where = byKey(user, key);
      const set = Object.keys(patch).map((name) => sql`${bare(name)} = excluded.${bare(name)}`);
      const sent = sql`${insertion(plain, { ...unset, ...patch, version: clock.now(), ...key })}
        on conflict (${keys}) do update set ${join([...set, nextVersion])} returning *`;
      return change(key, where, patch, cause, sent);
    },

    /** Unsets the module in the column `member`; returns the row's version if the module was set. */
    clear(key: RowKey, member: string, cause: Cause): Change {
      const where = byKey(user, key);
      return change(key, where, { [member]: null }, cause, clearing(user, where, member));
    },
  };
}
