import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import { valueAt } from "../../packages/model/src/json.ts";
import { uses } from "./internal_schema.ts";
import { and, bound, join, raw, sql, type Sql, type Values } from "./statements.ts";

/*
 * References between objects: the table `uses` has one row for each pair of an object and an object that it refers to. The
 * batch that changes the referring object maintains it. JSON columns cannot be searched by the ids in them, but this table
 * can. It also has the hostports of edges, in lower case, and their ports (`:443`), so that edges can be found by them.
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
  /** True for hostports: they are compared case-insensitively, and found by their ports, too. */
  areHostports?: true;
  /** True if rows that are not objects can have the same references: a separate index then finds the objects. */
  isShared?: true;
}

/** The columns of a table that refer to other objects. No two of them refer to objects of the same kind. */
export type References = Record<string, IdsIn>;

/** The rows of one table as users of other objects. */
export interface ReferringTable {
  table: SQLiteTable & {
    id: SQLiteColumn;
    version: SQLiteColumn;
    created_at?: SQLiteColumn;
    edge_id?: SQLiteColumn;
  };
  /** Distinguishes the rows that are objects from others in the same table. */
  isObject?: Sql;
  references: References;
}

/** The primary key of a row: an id, with that of the edge for a route. */
export type RowKey = { id: string; edge_id?: string };

/**
 * Finds the row of a key, if it is an object. The plus makes SQLite use the primary key. With statistics, it would otherwise
 * search an index of objects and then read the row as well.
 */
export const byKey = (
  { table, isObject }: Omit<ReferringTable, "references">,
  { id, edge_id }: RowKey,
): Sql =>
  and(
    table.edge_id && sql`${table.edge_id} = ${bound(edge_id)}`,
    sql`${table.id} = ${id}`,
    isObject && sql`+(${isObject})`,
  );

/** The different ids that some columns of `row` refer to. */
function targetsIn(references: References, columns: string[], row: Values): string[] {
  const targets = columns.flatMap((column) => {
    const { path = "$", areKeys, areHostports } = references[column] ?? {};
    const found = valueAt(row[column], path);
    if (typeof found === "string") return [found];
    if (typeof found !== "object" || found === null) return [];
    const texts = areKeys ? Object.keys(found) : Object.values(found).map(String);
    if (!areHostports) return texts;
    return texts.flatMap((text) => [text.toLowerCase(), text.slice(text.lastIndexOf(":"))]);
  });
  return [...new Set(targets)];
}

/** The references in a column: parts of a query, before and after the condition on rows. */
interface ReferenceQueries {
  column: string;
  /** `select target`. */
  targets: Sql;
  /** `select target, user, edge_id, listed`. */
  uses: Sql;
  end: Sql;
}

/** The port of a hostport with its colon. Only an address in brackets has other colons. */
export const portOf = (hostport: Sql): Sql =>
  sql`substr(${hostport}, instr(${hostport}, ']') + instr(substr(${hostport}, instr(${hostport}, ']') + 1), ':'))`;

/** Built once for each table, because their SQL is always the same. */
const queries = new WeakMap<ReferringTable, ReferenceQueries[]>();

function queriesOf(user: ReferringTable): ReferenceQueries[] {
  const known = queries.get(user);
  if (known) return known;
  const { table, references } = user;
  const edge = table.edge_id ? sql`${table.edge_id}` : sql`''`;
  const made = Object.entries(references).flatMap(([column, { path, areKeys, areHostports, isShared }]) => {
    const text = raw(areKeys ? "json_each.key" : "json_each.value");
    const listed = isShared && table.created_at ? sql`iif(${table.created_at} is null, null, 1)` : sql`null`;
    const source = sql`from ${table}, json_each(${table}.${raw(column)}, ${raw(`'${path}'`)}) where `;
    return (areHostports ? [sql`lower(${text})`, portOf(text)] : [text]).map((target) => ({
      column,
      targets: sql`select ${target} as target ${source}`,
      uses: sql`select ${target} as target, ${table.id} as user, ${edge} as edge_id, ${listed} as listed ${source}`,
      end: sql` and ${target} is not null`,
    }));
  });
  queries.set(user, made);
  return made;
}

/** `select …` for everything that some columns of the rows of `where` refer to, as stored. */
const stored = (user: ReferringTable, where: Sql, columns: string[], what: "uses" | "targets"): Sql =>
  join(
    queriesOf(user).flatMap((each) =>
      columns.includes(each.column) ? [sql`${each[what]}${where}${each.end}`] : [],
    ),
    " union all ",
  );

/**
 * The statements that maintain `uses` when some columns of a row change: `before` the change, and `after` it.
 *
 * @param where finds the row of `key`
 * @param patch the new values of the columns; undefined if the row is deleted
 */
export function useChanges(
  user: ReferringTable,
  key: RowKey,
  where: Sql,
  patch: Values | undefined,
): { before: Sql[]; after: Sql[] } {
  const columns = Object.keys(user.references).filter((name) => patch === undefined || name in patch);
  if (columns.length === 0) return { before: [], after: [] };
  const targets = patch ? targetsIn(user.references, columns, patch) : [];
  return {
    before: [release(user, key, where, columns, targets)],
    after: targets.length === 0 ? [] : [useAll(user, where, columns)],
  };
}

/** The statements for a new row: none if it refers to nothing. */
export function newUses(user: ReferringTable, where: Sql, row: Values): Sql[] {
  const columns = Object.keys(user.references).filter((name) => row[name] !== null);
  return targetsIn(user.references, columns, row).length > 0 ? [useAll(user, where, columns)] : [];
}

/** Deletes the uses of what the columns refer to now, except of the targets in `kept`. */
const release = (user: ReferringTable, key: RowKey, where: Sql, columns: string[], kept: string[]): Sql =>
  sql`delete from ${uses} where ${uses.user} = ${key.id} and ${uses.edge_id} = ${key.edge_id ?? ""}
    and ${uses.target} in (${stored(user, where, columns, "targets")})
    and ${uses.target} not in (select value from json_each(${JSON.stringify(kept)}))`;

/** Deletes the uses of everything that some columns of the rows of `where` refer to. */
export const releaseAll = (user: ReferringTable, where: Sql, columns: string[]): Sql =>
  sql`delete from ${uses} where (${uses.target}, ${uses.user}, ${uses.edge_id}) in
    (select target, user, edge_id from (${stored(user, where, columns, "uses")}))`;

/** Inserts the uses of what some columns of the rows of `where` refer to. Repeating it changes nothing. */
export const useAll = (user: ReferringTable, where: Sql, columns: string[]): Sql =>
  sql`insert or ignore into ${uses} (target, user, edge_id, listed) ${stored(user, where, columns, "uses")}`;
