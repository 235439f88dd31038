import { type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import { uses } from "./schema.ts";
import { combined, type Guard, raw, type Statement, statement, type Values } from "./statements.ts";

/*
 * Who refers to what: one row in the table `uses` for each object and each object that it refers to, maintained in the
 * batch that changes the referring object. JSON columns cannot be searched by the ids in them; this table can. It has the
 * hostports of edges too, in lower case, so that edges are found by them.
 */

/** Where a JSON column has ids of other objects, or hostports. */
export interface IdsIn {
  /** JSON path of an id, of a list of ids, or of a map by id. */
  path: `$${string}`;
  /** True for a map: its keys are the ids. */
  areKeys?: true;
  /** True if responses show the ids themselves, false if they show Refs. */
  areShown?: true;
  /** The query parameter by which a list shows only the objects that refer to something. */
  filter?: string;
  /** True if upper and lower case make no difference. */
  isCaseless?: true;
  /** True if rows that are no objects may refer to the same: an index then finds those that are. */
  isShared?: true;
}

/** The columns of a table that refer to other objects. No two of them refer to objects of the same kind. */
export type References = Record<string, IdsIn>;

/** The rows of one table as users of other objects. */
export interface User {
  table: SQLiteTable & {
    id: SQLiteColumn;
    version: SQLiteColumn;
    created_at?: SQLiteColumn;
    edge_id?: SQLiteColumn;
  };
  /** Names the table, and which of its rows are meant. */
  name: string;
  byKey: SQL | undefined;
  references: References;
}

/** The different ids that the columns in `patch` refer to. */
function targetsIn(references: References, patch: Values): string[] {
  const targets = Object.entries(references).flatMap(([column, { path, areKeys, isCaseless }]) => {
    const found = path
      .split(".")
      .slice(1)
      .reduce<unknown>(
        (value, name) => (isObject(value) ? Reflect.get(value, name) : undefined),
        patch[column],
      );
    if (typeof found === "string") return [found];
    if (!isObject(found)) return [];
    const texts = areKeys ? Object.keys(found) : Object.values(found).map(String);
    return isCaseless ? texts.map((text) => text.toLowerCase()) : texts;
  });
  return [...new Set(targets)];
}

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null;

/**
 * `select target, user, edge_id, listed …`, or the target alone, for everything that some columns of the row refer to, as
 * stored.
 */
function stored({ table, byKey, references }: User, columns: string[], what: "uses" | "targets"): SQL {
  const edge = table.edge_id ?? sql`''`;
  const queries = Object.entries(references).flatMap(([name, { path, areKeys, isCaseless, isShared }]) => {
    if (!columns.includes(name)) return [];
    const text = areKeys ? sql`json_each.key` : sql`json_each.value`;
    const target = isCaseless ? sql`lower(${text})` : text;
    const listed = isShared ? sql`iif(${table.created_at} is null, null, 1)` : sql`null`;
    const column = sql`${table}.${sql.identifier(name)}`;
    const user =
      what === "uses" ? sql`, ${table.id} as user, ${edge} as edge_id, ${listed} as listed` : sql``;
    return sql`select ${target} as target${user} from ${table}, json_each(${column}, ${sql.raw(`'${path}'`)}) where ${byKey} and ${target} is not null`;
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
        and ${uses.target} in (${stored(user, columns, "targets")})
        and ${uses.target} not in (select value from json_each(${sql.placeholder("kept")}))${guarded ? sql` and ${guarded}` : sql``}`);
    },
    combined(key, guard.values, { kept: JSON.stringify(kept) }),
  );

/** Deletes the uses of everything that the rows of `user` refer to: its `byKey` may match several. */
export const releaseAll = (user: User, shape: string, key: Values): Statement =>
  statement(
    `release all ${user.name} ${shape}`,
    () => {
      const all = stored(user, Object.keys(user.references), "uses");
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
    () =>
      raw(
        sql`insert or ignore into ${uses} (target, user, edge_id, listed) ${stored(user, columns, "uses")}`,
      ),
    key,
  );
