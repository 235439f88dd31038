import { and, eq, getTableColumns, getTableName, sql } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import { type Cleared, clearing } from "./clearing.ts";
import type { Session } from "./database.ts";
import { decoderOf, draft, given, type Guard, rowIf, type Statement, statement } from "./statements.ts";
import { next } from "./versions.ts";

/**
 * The statements on a table that keeps modules of edges or routes which are managed elsewhere: any is taken for one that
 * is there, and its row is written once a module is set. Until then it is `absent`, with version 0.
 *
 * @param keys the columns of the primary key
 */
export function keptModulesOf<
  T extends SQLiteTable & { version: SQLiteColumn },
  Key extends Record<string, string>,
>(table: T, keys: SQLiteColumn[], absent: (key: Key) => T["$inferSelect"]) {
  type Row = T["$inferSelect"];
  type Modules = Partial<Row>;
  const plain: SQLiteTable & { version: SQLiteColumn } = table;
  const name = getTableName(table);
  const decode = decoderOf(table);
  const isIt = and(...keys.map((key) => eq(key, sql.placeholder(key.name))));
  const set = (modules: Modules) => ({
    ...Object.fromEntries(
      Object.entries(getTableColumns(plain))
        .filter(([column]) => column in modules)
        .map(([column, type]) => [column, given(column, type)]),
    ),
    version: next(plain.version),
  });
  const finding = (key: Key): Statement =>
    statement(`find ${name}`, () => draft.select().from(plain).where(isIt), key);
  return {
    table: plain,
    isIt,

    async find(session: Session, key: Key): Promise<Row> {
      const [row] = await session.all(finding(key));
      return row ? decode(row) : absent(key);
    },

    /** Sets `modules` if `guard` holds; undefined when it does not. */
    async change(session: Session, key: Key, modules: Modules, guard: Guard): Promise<Row | undefined> {
      const [row] = await session.all(
        statement(
          `set ${name} ${Object.keys(modules).join()} ${guard.shape}`,
          () =>
            draft
              .insert(plain)
              .select(rowIf(plain, guard.sql()))
              .onConflictDoUpdate({ target: keys, set: set(modules) })
              .returning(),
          { ...absent(key), ...modules, version: 1, ...guard.values },
        ),
      );
      return row && decode(row);
    },

    /** Unsets the module in `column` if `guard` holds, and finds the row. */
    async clear(session: Session, key: Key, column: SQLiteColumn, guard: Guard): Promise<Cleared<Row>> {
      const [cleared, found] = await session.batch([clearing(plain, isIt, column, guard, key), finding(key)]);
      const [row] = found ?? [];
      return { isCleared: cleared?.length === 1, row: row ? decode(row) : absent(key) };
    },
  };
}
