import { and, eq, getTableColumns, getTableName, notExists, sql } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import { type Cleared, clearing } from "./clearing.ts";
import type { Session } from "./database.ts";
import { type Page, pageOf, type PageQuery, pageStatement, type Weight } from "./pages.ts";
import {
  always,
  decoderOf,
  draft,
  given,
  givenAll,
  type Guard,
  rowIf,
  type Statement,
  statement,
} from "./statements.ts";
import { next } from "./versions.ts";

/** A table of objects. */
export type ObjectTable = SQLiteTable & { id: SQLiteColumn; version: SQLiteColumn };

/**
 * The statements that the routes of every collection send, each about rows of `table` and one round trip.
 *
 * @param weight what its rows can take
 */
export function rowsOf<T extends ObjectTable>(table: T, weight: Weight = {}) {
  type Row = T["$inferSelect"];
  const plain: ObjectTable = table;
  const name = getTableName(table);
  const columns = getTableColumns(plain);
  const decode = decoderOf(table);
  const isIt = eq(plain.id, sql.placeholder("id"));
  const finding = (id: string, guard: Guard): Statement =>
    statement(`find ${name} ${guard.shape}`, () => draft.select().from(plain).where(and(isIt, guard.sql())), {
      id,
      ...guard.values,
    });
  const one = async (session: Session, sent: Statement): Promise<Row | undefined> => {
    const [row] = await session.all(sent);
    return row && decode(row);
  };
  return {
    table: plain,
    isIt,

    /** The row `id`, if `guard` holds of it. */
    find: (session: Session, id: string, guard: Guard = always): Promise<Row | undefined> =>
      one(session, finding(id, guard)),

    /** A page of the rows, newest first. @param origin what URIs start with: Refs are as long as it makes them */
    async page(session: Session, origin: string, query: PageQuery): Promise<Page<Row>> {
      const found = await session.all(pageStatement(plain, name, weight, origin, query));
      const { rows, isMore } = pageOf(found, query.limit);
      return { rows: rows.map(decode), isMore };
    },

    /** Inserts a new row if `guard` holds; gives its id if it was written, nothing where no guard could keep it from that. */
    insert: (row: Row, guard: Guard): Statement =>
      statement(
        `insert ${name} ${guard.shape}`,
        () =>
          guard === always
            ? draft.insert(plain).values(givenAll(plain))
            : draft
                .insert(plain)
                .select(rowIf(plain, guard.sql()))
                .returning({ id: sql`${plain.id}` }),
        { ...row, ...guard.values },
      ),

    /** Writes the members of `patch` and the next version if `guard` holds; an empty one writes nothing and finds the row. */
    change(session: Session, id: string, patch: Partial<Row>, guard: Guard): Promise<Row | undefined> {
      const names = Object.keys(patch);
      if (names.length === 0) return this.find(session, id, guard);
      return one(
        session,
        statement(
          `change ${name} ${names.toSorted().join()} ${guard.shape}`,
          () =>
            draft
              .update(plain)
              .set({
                ...Object.fromEntries(
                  Object.entries(columns)
                    .filter(([column]) => names.includes(column))
                    .map(([column, type]) => [column, given(column, type)]),
                ),
                version: next(plain.version),
              })
              .where(and(isIt, guard.sql()))
              .returning(),
          { ...patch, ...guard.values, id },
        ),
      );
    },

    /** Unsets the module in `column` of the row `id` if `guard` holds, and finds the row. */
    clear: async (
      session: Session,
      id: string,
      column: SQLiteColumn,
      guard: Guard,
    ): Promise<Cleared<Row>> => {
      const [cleared, found] = await session.batch([
        clearing(plain, isIt, column, guard, { id }),
        finding(id, always),
      ]);
      const [row] = found ?? [];
      return { isCleared: cleared?.length === 1, row: row && decode(row) };
    },

    /** Deletes the row `id` if `guard` holds; gives its id if it was there. */
    remove: (id: string, guard: Guard): Statement =>
      statement(
        `remove ${name} ${guard.shape}`,
        () => draft.delete(plain).where(and(isIt, guard.sql())).returning({ id: plain.id }),
        { id, ...guard.values },
      ),

    /** Deletes rows of another table that belong to the row `id`, once that is gone: for a batch after {@link remove}. */
    removeOwned: (owner: SQLiteColumn, id: string): Statement =>
      statement(
        `remove owned ${getTableName(owner.table)}`,
        () =>
          draft
            .delete(owner.table)
            .where(
              and(
                eq(owner, sql.placeholder("id")),
                notExists(draft.select({ id: plain.id }).from(plain).where(isIt)),
              ),
            ),
        { id },
      ),
  };
}
