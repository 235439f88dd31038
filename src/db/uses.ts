import { type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import { uses } from "./schema.ts";
import { combined, type Guard, raw, type Statement, statement, type Values } from "./statements.ts";

/*
 * Who refers to what: one row in the table `uses` for each object and each object that it refers to, maintained in the
 * batch that changes the referring object. JSON columns cannot be searched by the ids in them; this table can.
 */

/** Where a JSON column has ids of other objects. */
export interface IdsIn {
  /** JSON path of an id, of a list of ids, or of a map by id. */
  path: `$${string}`;
  /** True for a map: its keys are the ids. */
  areKeys?: true;
  /** True if responses show the ids themselves, false if they show Refs. */
  areShown?: true;
}

/** The columns of a table that refer to other objects. No two of them refer to objects of the same kind. */
export type References = Record<string, IdsIn>;

/** The rows of one table as users of other objects. */
export interface User {
  table: SQLiteTable & { id: SQLiteColumn; version: SQLiteColumn; edge_id?: SQLiteColumn };
  /** Names the table, and which of its rows are meant. */
  name: string;
  byKey: SQL | undefined;
  references: References;
}

/** The different ids that the columns in `patch` refer to. */
function targetsIn(references: References, patch: Values): string[] {
  const targets = Object.entries(references).flatMap(([column, { path, areKeys }]) => {
    const found = path
      .split(".")
      .slice(1)
      .reduce<unknown>(
        (value, name) => (isObject(value) ? Reflect.get(value, name) : undefined),
        patch[column],
      );
    if (typeof found === "string") return [found];
    if (!isObject(found)) return [];
    return areKeys ? Object.keys(found) : Object.values(found).map(String);
  });
  return [...new Set(targets)];
}

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null;

/** `select target, user, edge_id …` for everything that some columns of the row refer to, as stored. */
function storedTargets({ table, byKey, references }: User, columns: string[]): SQL {
  const edge = table.edge_id ?? sql`''`;
  const queries = Object.entries(references).flatMap(([name, { path, areKeys }]) => {
    if (!columns.includes(name)) return [];
    const target = areKeys ? sql`json_each.key` : sql`json_each.value`;
    const column = sql`${table}.${sql.identifier(name)}`;
    return sql`select ${target} as target, ${table.id} as user, ${edge} as edge_id from ${table}, json_each(${column}, ${sql.raw(`'${path}'`)}) where ${byKey} and ${target} is not null`;
  });
  return sql.join(queries, sql` union all `);
}

/**
 * The statements that maintain `uses` when some columns of a row change: `before` the change if `guard` holds, and `after` it,
 * when they do nothing unless the row was changed.
 *
 * @param patch the new values of the columns; undefined if the row is deleted
 */
export function useChanges(
  user: User,
  key: Values,
  patch: Values | undefined,
  guard: Guard,
): { before: Statement[]; after: Statement[] } {
  const columns = Object.keys(user.references).filter((name) => patch === undefined || name in patch);
  if (columns.length === 0) return { before: [], after: [] };
  const targets = patch ? targetsIn(user.references, patch) : [];
  return {
    before: [release(user, key, columns, targets, guard)],
    after: targets.length === 0 ? [] : [use(user, key, columns)],
  };
}

/** The statements for a new row: none if it refers to nothing. */
export function newUses(user: User, row: Values): Statement[] {
  const columns = Object.keys(user.references).filter((name) => row[name] !== null);
  const isUser = targetsIn(user.references, row).length > 0;
  return isUser ? [use(user, row, columns)] : [];
}

/** Deletes the uses of what the columns refer to now, but for the targets in `kept`. */
const release = (user: User, key: Values, columns: string[], kept: string[], guard: Guard): Statement =>
  statement(
    `release ${user.name} ${columns.join()} ${guard.shape}`,
    () => {
      const edge = user.table.edge_id ? sql.placeholder("edge_id") : sql`''`;
      const guarded = guard.sql();
      return raw(sql`delete from ${uses} where ${uses.user} = ${sql.placeholder("id")} and ${uses.edge_id} = ${edge}
        and ${uses.target} in (select target from (${storedTargets(user, columns)}))
        and ${uses.target} not in (select value from json_each(${sql.placeholder("kept")}))${guarded ? sql` and ${guarded}` : sql``}`);
    },
    combined(key, guard.values, { kept: JSON.stringify(kept) }),
  );

/** Deletes the uses of everything that the rows of `user` refer to: its `byKey` may match several. */
export const releaseAll = (user: User, shape: string, key: Values): Statement =>
  statement(
    `release all ${user.name} ${shape}`,
    () => {
      const all = storedTargets(user, Object.keys(user.references));
      return raw(
        sql`delete from ${uses} where (${uses.target}, ${uses.user}, ${uses.edge_id}) in (select target, user, edge_id from (${all}))`,
      );
    },
    key,
  );

/** Inserts the uses of what the columns of all rows of `user` refer to: its `byKey` may match several. */
export const useAll = (user: User, columns: string[], key: Values): Statement => use(user, key, columns);

/** Inserts the uses of what the columns refer to now. Says the same however often it runs. */
const use = (user: User, key: Values, columns: string[]): Statement =>
  statement(
    `use ${user.name} ${columns.join()}`,
    () => raw(sql`insert or ignore into ${uses} (target, user, edge_id) ${storedTargets(user, columns)}`),
    key,
  );
