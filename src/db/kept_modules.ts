import { clock } from "../clock.ts";
import type { Kind } from "../kinds.ts";
import type { Cause } from "./events.ts";
import {
  changeOf,
  clearing,
  type Key,
  type ObjectTable,
  type TableOptions,
  userOf,
  versionedRow,
} from "./rows.ts";
import {
  type Change,
  combined,
  decoderOf,
  draft,
  placeholdersOf,
  type Guard,
  rowIf,
  type Statement,
  statement,
} from "./statements.ts";
import { next, type Versioned } from "./versions.ts";

/**
 * The statements on the modules in a table of HTTPS edges or routes. An id that is no object of this service is assumed to
 * be managed elsewhere: its row is inserted when a module is first set, and never deleted.
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
  const { table: plain, name, byKey } = user;
  const keys = [plain.edge_id, plain.id].filter((column) => column !== undefined);
  const decode = decoderOf(table);
  const change = changeOf(kind, user, options);
  return {
    /** One row, for use in guards. */
    row: (key: Key, member?: string): Versioned => versionedRow(user, key, member),

    /** The row, if a module has ever been set. */
    find: (key: Key): Statement<Row> => ({
      ...statement(`find ${name}`, () => draft.select().from(plain).where(byKey), key),
      decode,
    }),

    /**
     * Sets the modules in `patch` if `guard` holds; returns the row then. Versions of a new row begin at the time: an object
     * with this id may have been deleted here, and its ETags are not given out again.
     */
    change(key: Key, patch: Partial<Row>, guard: Guard, cause: Cause): Change<Row> {
      const names = Object.keys(patch).toSorted();
      const sent = statement(
        `set ${name} ${names.join()} ${guard.shape}`,
        () =>
          draft
            .insert(plain)
            .select(rowIf(plain, guard.sql()))
            .onConflictDoUpdate({
              target: keys,
              set: { ...placeholdersOf(plain, names), version: next(plain.version) },
            })
            .returning(),
        combined({ ...unset, ...patch, version: clock.now() }, key, guard.values),
      );
      return change(key, patch, guard, cause, { ...sent, decode });
    },

    /** Unsets the module in the column `member` if it is set and `guard` holds; returns the row's version then. */
    clear: (key: Key, member: string, guard: Guard, cause: Cause): Change =>
      change(key, { [member]: null }, guard, cause, clearing(user, key, member, guard)),
  };
}
