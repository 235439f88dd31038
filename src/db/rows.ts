import { and, eq, getTableColumns, getTableName, isNotNull, notExists, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import type { Kind } from "../kinds.ts";
import { type Cause, eventType, recordChange, recordDeletion, type Recorded } from "./events.ts";
import { type ManyRows, manyRowsOf, type Owned, removeOwned } from "./many_rows.ts";
import {
  type PageQuery,
  pageStatement,
  partsStatement,
  type PartsTable,
  type Weight,
} from "./page_statement.ts";
import {
  always,
  type Change,
  combined,
  decoderOf,
  draft,
  placeholders,
  placeholdersOf,
  type Guard,
  rowIf,
  type Statement,
  statement,
  type Values,
} from "./statements.ts";
import { newUses, type User, useChanges } from "./uses.ts";
import { next, type Versioned } from "./versions.ts";

/** A table of objects. */
export type ObjectTable = SQLiteTable & { id: SQLiteColumn; version: SQLiteColumn; edge_id?: SQLiteColumn };

/** The primary key of a row: an id, with that of the edge for a route. */
export type Key = { id: string; edge_id?: string };

/** What is particular to a table. */
export interface TableOptions extends Weight, Recorded {
  /**
   * What else a change of a row changes, such as the object that it is part of: statements to be sent after it and its event.
   * The first may ask for `changes() > 0`: that a row was changed.
   */
  followUps?: (key: Values) => Statement[];
  /** The same for `count` rows that were changed at once, after their events. */
  followUpsOfMany?: (count: number) => Statement[];
  /** Deleted with a row. */
  owned?: Owned;
  /** For columns whose new value depends on the stored one as well: an expression of the value that is sent. */
  replacing?: Record<string, (sent: SQL) => SQL>;
}

/** The statements on the rows of one table of objects, as values: a `Session` sends them. */
export interface Rows<Row> {
  decode(row: Values): Row;
  /** One row, for use in guards; `member` is the column of a module. */
  row(key: Key, member?: string): Versioned;
  /** The row. */
  find(key: Key): Statement<Row>;
  /**
   * The rows of a page and one more, for `pageOf`.
   *
   * @param origin the start of every URI, so the length of Refs depends on it
   * @param edge_id for routes, the edge
   */
  page(origin: string, query: PageQuery, edge_id?: string): Statement;
  /**
   * Inserts a new row if `guard` holds; returns its id then. Without a guard, nothing can prevent it, and it returns
   * nothing.
   */
  insert(row: Row, guard: Guard, cause: Cause): Change;
  /**
   * Updates the columns in `patch` and the version if `guard` holds; returns the row then. An empty patch writes nothing
   * and returns the row.
   */
  change(key: Key, patch: Partial<Row>, guard: Guard, cause: Cause): Change<Row>;
  /** Unsets the module in the column `member` if it is set and `guard` holds; returns the row's version then. */
  clear(key: Key, member: string, guard: Guard, cause: Cause): Change;
  /** Deletes the row, with what it owns, if `guard` holds; returns its id if it existed. */
  remove(key: Key, guard: Guard, cause: Cause): Change;
  /** Changes of many rows as a few statements; undefined where a change of a row changes more than that. */
  many?: ManyRows;
  /** The rows of another table that belong to the objects of a page, by `edge_id`: for the same batch. */
  partsOfPage(parts: PartsTable, origin: string, query: PageQuery): Statement;
}

/**
 * The statements on the rows of `table`, which are objects of `kind`: each of their changes is recorded as an event.
 *
 * @example
 * const rows = rowsOf("bot_user", botUsers);
 * const row = await session.first(rows.find({ id }));
 */
export function rowsOf<T extends ObjectTable>(
  kind: Kind,
  table: T,
  options: TableOptions = {},
): Rows<T["$inferSelect"]> {
  const { replacing = {}, references = {}, followUps, followUpsOfMany, owned } = options;
  const user = userOf(table, options);
  const { table: plain, name, byKey } = user;
  const decode = decoderOf(table);
  const change = changeOf(kind, user, options);
  const isGone = notExists(draft.select({ id: plain.id }).from(plain).where(byKey));
  return {
    decode,

    row: (key, member) => versionedRow(user, key, member),

    find: (key) => ({
      ...statement(`find ${name}`, () => draft.select().from(plain).where(byKey), key),
      decode,
    }),

    page: (origin, query, edge_id) => pageStatement(plain, name, options, origin, query, edge_id),

    insert: (row, guard, cause) => ({
      before: [],
      statement: statement(
        `insert ${name} ${guard.shape}`,
        () =>
          guard === always
            ? draft.insert(plain).values(placeholders(plain))
            : draft
                .insert(plain)
                .select(rowIf(plain, guard.sql()))
                .returning({ id: sql`${plain.id}` }),
        combined(row, guard.values),
      ),
      after: [
        recordChange(kind, "created", user, options, keyOf(table, row), cause),
        ...(options.followUps?.(row) ?? []),
        ...newUses(user, row),
      ],
      event: eventType(kind, "created"),
    }),

    change(key, patch, guard, cause) {
      const names = Object.keys(patch).toSorted();
      const isThat = () => and(byKey, guard.sql());
      const values = combined(patch, guard.values, key);
      if (names.length === 0) {
        const found = statement(
          `find ${name} ${guard.shape}`,
          () => draft.select().from(plain).where(isThat()),
          values,
        );
        return { before: [], statement: { ...found, decode }, after: [] };
      }
      const changed = statement(
        `change ${name} ${names.join()} ${guard.shape}`,
        () =>
          draft
            .update(plain)
            .set({ ...newValues(plain, names, replacing), version: next(plain.version) })
            .where(isThat())
            .returning(),
        values,
      );
      return change(key, patch, guard, cause, { ...changed, decode });
    },

    clear: (key, member, guard, cause) =>
      change(key, { [member]: null }, guard, cause, clearing(user, key, member, guard)),

    remove: (key, guard, cause) => ({
      before: [
        ...useChanges(user, key, undefined, guard).before,
        recordDeletion(kind, user, options, key, guard, cause),
      ],
      // The event is there if the guard held.
      statement: statement(
        `remove ${name}`,
        () =>
          draft
            .delete(plain)
            .where(and(byKey, sql`changes() > 0`))
            .returning({ id: plain.id }),
        key,
      ),
      after: [
        ...(options.followUps?.(key) ?? []),
        ...removeOwned(owned, name, (owner) => and(eq(owner, sql.placeholder("id")), isGone), key),
      ],
      event: eventType(kind, "deleted"),
    }),

    ...((!followUps || followUpsOfMany) &&
      !plain.edge_id && { many: manyRowsOf(kind, plain, references, options, followUpsOfMany, owned) }),

    partsOfPage: (parts, origin, query) => partsStatement(plain, parts, name, options, origin, query),
  };
}

/** The rows of a table as users of other objects, and how one of them is found. */
export function userOf(table: ObjectTable, { references = {}, isObject }: TableOptions): User {
  const keys = [table.edge_id, table.id].filter((column) => column !== undefined);
  return {
    table,
    name: `${getTableName(table)}${isObject ? " objects" : ""}`,
    // The plus keeps SQLite to the primary key: with statistics it would take an index of objects, and then the row as well.
    byKey: and(
      ...keys.map((column) => eq(column, sql.placeholder(column.name))),
      isObject && sql`+(${isObject})`,
    ),
    references,
  };
}

/** Adds to a statement that changes a row those that have to run with it: its event among them. */
export const changeOf =
  (kind: Kind, user: User, options: TableOptions) =>
  <Row>(key: Key, patch: Values, guard: Guard, cause: Cause, sent: Statement<Row>): Change<Row> => {
    const { before, after } = useChanges(user, key, patch, guard);
    const event = recordChange(kind, "updated", user, options, key, cause);
    return {
      before,
      statement: sent,
      after: [event, ...(options.followUps?.(key) ?? []), ...after],
      event: eventType(kind, "updated"),
    };
  };

/** The primary key of a row. */
const keyOf = ({ edge_id }: ObjectTable, row: Values): Values => ({
  id: row["id"],
  ...(edge_id && { edge_id: row["edge_id"] }),
});

/** One row, for use in guards; `member` is the column of a module. */
export const versionedRow = ({ table, name, byKey }: User, key: Key, member?: string): Versioned => ({
  table,
  name,
  byKey,
  key,
  ...(member !== undefined && { member: columnOf(table, member) }),
});

/** The new values of some columns, for `set`. */
const newValues = (table: SQLiteTable, names: string[], replacing: Record<string, (sent: SQL) => SQL>) =>
  Object.fromEntries(
    Object.entries(placeholdersOf(table, names)).map(([name, sent]) => [
      name,
      replacing[name]?.(sent) ?? sent,
    ]),
  );

/** A column by its name. @throws for a name that the table does not have */
function columnOf(table: SQLiteTable, name: string): SQLiteColumn {
  const column = getTableColumns(table)[name];
  if (!column) throw new Error(`${getTableName(table)} has no column ${name}`);
  return column;
}

/** Unsets a module, which is one column, if it is set and `guard` holds; returns the row's version then. */
export const clearing = ({ table, name, byKey }: User, key: Key, member: string, guard: Guard): Statement =>
  statement(
    `clear ${name} ${member} ${guard.shape}`,
    () =>
      draft
        .update(table)
        .set({ [member]: sql`null`, version: next(table.version) })
        .where(and(byKey, isNotNull(columnOf(table, member)), guard.sql()))
        .returning({ version: table.version }),
    combined(key, guard.values),
  );
