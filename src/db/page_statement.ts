import { getTableColumns, getTableName } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import { type Kind, kinds } from "../../packages/model/src/kinds.ts";
import { SHORT_METADATA } from "./common_columns.ts";
import { uses } from "./internal_schema.ts";
import {
  and,
  bare,
  bound,
  type Condition,
  join,
  lazy,
  raw,
  Sql,
  sql,
  type Statement,
  type Values,
} from "./statements.ts";
import type { IdsIn, References } from "./uses.ts";

/*
 * A page ends after a number of objects or at 4 MB, whichever comes first. The isolate and the Durable Object that runs D1 have
 * 128 MB of memory each, so neither ever has to keep much more than a page.
 *
 * Most pages are far smaller. So a list is read without looking at the size of the page first, and with a mark in place of each
 * long string ({@link Pages.quick}). Only a page with such a mark is read again, by the statement that ends it at 4 MB:
 *
 * In SQLite, only LIMIT ends a scan early, and it counts rows. So the statement repeats each row once per 40 KB of its object,
 * with the long strings in the first copy only, and stops after the number of rows that make up 4 MB. A join with VALUES repeats
 * the rows. SQLite runs VALUES as a subroutine rather than a table, so `rows_read` counts neither its rows nor the copies. It
 * would count the rows of a join with `json_each`. A window function or a recursive query stores its rows in a temporary table,
 * where they are counted two or three times.
 *
 * For example, of three edges with 10 KB, 90 KB and 3.9 MB of JSON, the statement for a page of two returns:
 *
 *     id  offset  long strings
 *     c        0  as stored     1 unit
 *     b        0  as stored     3 units: the copies have null in place of the strings and of `version`
 *     b   40,000  null
 *     b   80,000  null
 *     a        0  as stored     one more than the page has, so there is another page; its copies follow until LIMIT
 *
 * {@link pageOf} drops the copies. If edge `a` were the second one, LIMIT would end the scan in its copies, after 100 units.
 */

/** A page is at most {@link PAGE_UNITS} times this size, in bytes of JSON, unless it is a single object. */
const UNIT_BYTES = 40_000;
export const PAGE_UNITS = 100;
/** Bytes of the longest page. */
export const PAGE_BYTES = UNIT_BYTES * PAGE_UNITS;

/**
 * The offset of each unit of a page is a sum of one item from each list. Nested loops take fewer steps than a single long loop.
 */
const OFFSETS = [multiples(5, 20), multiples(5, 4), multiples(4, 1)];

/**
 * A row whose long strings have at most this many bytes in total counts as one unit. In a response, escapes can make a string six
 * times as long, and Refs can make a list of ids about fifteen times as long.
 */
export const LIGHT_BYTES = 1_000;

/** A quick page has strings of at most this many bytes. */
const QUICK_BYTES = 8_000;

/** What a quick page has in place of a longer string: no column of strings has a number. */
const CUT = 0;

/** Bytes of an object in a response in addition to its strings: field names and URIs. */
const FRAME_BYTES = 500;

/**
 * The length of a Ref, `{"id":"…","uri":"<origin>/certificate_authorities/…"},`, in bytes, minus twice the stored `"…",` and
 * minus the origin.
 */
const REF_BYTES = 38;

/** The length of a Ref, which depends on the origin: {@link weighing} replaces the value. */
const refBytes = sql`${REF_BYTES}`;

/** The length of a link, `{"type":"…","uri":"<uri of an object>/sources/…"},`, in bytes, minus that of a Ref. */
const LINK_BYTES = 50;

/** The rows of a table that are listed, and their possible sizes. */
export interface Weight {
  /** The condition for rows that are objects, in a table that also has others. */
  isObject?: Sql;
  /** Columns whose strings are always short: together up to 5 KB. The strings of all other columns can be long. */
  short?: string[];
  /** Columns with ids, which are longer in responses: Refs. */
  references?: References;
  /** Columns with the size and the number of Refs of objects that a response embeds. */
  embedded?: { bytes: SQLiteColumn; refs: SQLiteColumn };
  /** Columns with lists of names, which responses show as links: `{"type":"…","uri":"…"}`. */
  linked?: string[];
}

/** The part of a list to return. */
export interface PageQuery {
  /** The most rows. */
  limit: number;
  /** Only objects created before this one, which need not exist. */
  before_id?: string;
  /** Only objects that match. */
  filter?: Filter;
  /** Only objects that expire before `before`, soonest first. The page starts after `after`. */
  expiring?: { before: string; after?: { expires_at: string; id: string } };
}

/** Matches objects of one kind whose column `name` is `value`, or, if `References` name the filter, which refer to `value`. */
interface Filter {
  kind: Kind;
  /** The query parameter. */
  name: string;
  value: string;
}

/** Some rows of a list, newest first, and whether there are older ones. */
export interface Page<Row> {
  rows: Row[];
  isMore: boolean;
}

type Listed = SQLiteTable & {
  id: SQLiteColumn;
  version: SQLiteColumn;
  edge_id?: SQLiteColumn;
  expires_at?: SQLiteColumn;
};

/** A table whose rows belong to edges. */
type PartsTable = SQLiteTable & { id: SQLiteColumn; edge_id: SQLiteColumn };

/** The statements that read pages of one table. */
export interface Pages {
  /**
   * Reads the rows of a page and one more, for {@link pageOf}, in about half the time that {@link page} takes. A string of more
   * than {@link QUICK_BYTES} is left out.
   */
  quick(query: PageQuery): Statement;
  /** True if {@link quick} has left out a string: {@link page} has to read these rows. */
  isCut(rows: Values[]): boolean;
  /**
   * Reads the rows of a page and one more, for {@link pageOf}.
   *
   * @param origin the start of every URI, so the length of Refs depends on it
   * @param edge_id for routes, the edge
   */
  page(origin: string, query: PageQuery, edge_id?: string): Statement;
  /**
   * Reads the rows of `parts` that belong to the objects of a page, by `edge_id`. The rows of one object are ordered by id.
   */
  parts(parts: PartsTable, origin: string, query: PageQuery): Statement;
}

/** The statements that read pages of `table`. */
export function pagesOf(table: Listed, weight: Weight): Pages {
  const long = textsOf(table).filter(({ name }) => !weight.short?.includes(name));
  const isLight = long.length === 0;
  const quickColumns = lazy(() =>
    join(
      Object.values(getTableColumns(table)).map((column) =>
        long.includes(column)
          ? sql`iif(octet_length(${column}) > ${raw(QUICK_BYTES)}, ${raw(CUT)}, ${column}) as ${bare(column)}`
          : sql`${column}`,
      ),
    ),
  );
  const weighed = lazy(() => weighing(table, weight));
  return {
    quick(query) {
      const { from, condition, end } = listedBy(table, weight, query);
      return sql`select ${quickColumns()} from ${from} where ${condition} ${end}`;
    },
    isCut: (rows) => rows.some((row) => long.some(({ name }) => row[name] === CUT)),
    page(origin, query, edge_id) {
      const listed = listedBy(table, weight, query, edge_id);
      if (!isLight || listed.isByUse) return weighed()(listed, origin);
      const { from, condition, end } = listed;
      return sql`select * from ${from} where ${condition} ${end}`;
    },
    parts(parts, origin, query) {
      const page = weighed()(listedBy(table, weight, query), origin);
      return sql`select * from ${parts} where ${parts.edge_id} in (select id from (${page}) where version is not null)
        order by ${parts.edge_id}, ${parts.id}`;
    },
  };
}

/** Where a filter finds objects by what they refer to; undefined for a filter by a column. */
const idsFilteredBy = ({ references = {} }: Weight, name: string): IdsIn | undefined =>
  Object.values(references).find(({ filter }) => filter === name);

/** The rows of a list, in its order. */
interface ListedRows {
  from: Sql;
  condition: Sql;
  /** `order by … limit …` */
  end: Sql;
  /** True if the index of references finds them. */
  isByUse: boolean;
}

/** The rows that a query selects. An index finds them in order, so no other rows are read. */
function listedBy(
  table: Listed,
  weight: Weight,
  { limit, before_id, filter, expiring }: PageQuery,
  edge_id?: string,
): ListedRows {
  const { id, expires_at } = table;
  if (expiring && expires_at) {
    const { before, after } = expiring;
    return {
      from: sql`${table}`,
      condition: and(
        sql`${expires_at} < ${before}`,
        after && sql`(${expires_at}, ${id}) > (${after.expires_at}, ${after.id})`,
        weight.isObject,
      ),
      end: sql`order by ${expires_at}, ${id} limit ${limit + 1}`,
      isByUse: false,
    };
  }
  const ids = filter && idsFilteredBy(weight, filter.name);
  if (filter && ids) {
    const { prefix } = kinds[filter.kind];
    const value = ids.areHostports ? filter.value.toLowerCase() : filter.value;
    return {
      // A cross join is not reordered.
      from: sql`${uses}${ids.isShared ? sql` indexed by "uses_listed"` : sql``} cross join ${table} on ${table.id} = ${uses.user}`,
      condition: and(
        sql`${uses.target} = ${value}`,
        sql`${uses.user} > ${prefix}`,
        // `~` sorts after every id with this prefix.
        sql`${uses.user} < ${before_id ?? `${prefix}~`}`,
        ids.isShared && sql`${uses.listed} is not null`,
      ),
      end: sql`order by ${uses.user} desc limit ${limit + 1}`,
      isByUse: true,
    };
  }
  const { isObject } = weight;
  return {
    from: sql`${table}`,
    condition: and(
      table.edge_id && sql`${table.edge_id} = ${bound(edge_id)}`,
      filter && hasValue(table, filter),
      before_id === undefined ? undefined : sql`${table.id} < ${before_id}`,
      // The plus makes SQLite use the filter's index.
      filter && isObject ? sql`+(${isObject})` : isObject,
    ),
    end: sql`order by ${table.id} desc limit ${limit + 1}`,
    isByUse: false,
  };
}

const hasShortMetadata = raw(SHORT_METADATA);

/** The condition for a filter by a column, in the form that the column's index needs. */
function hasValue(table: Listed, { name, value }: Filter): Condition {
  const column = getTableColumns(table)[name];
  if (!column) throw new Error(`${getTableName(table)} cannot be filtered by ${name}`);
  return and(sql`${column} = ${value}`, name === "metadata" ? hasShortMetadata : undefined);
}

/** The page in the result of {@link Pages.page}, without the extra object, which only shows that there are more. */
export function pageOf(found: Values[], limit: number): Page<Values> {
  const rows = found.filter((row) => row["version"] !== null);
  const isMore = rows.length > limit || found.length > PAGE_UNITS;
  return { rows: isMore ? rows.slice(0, -1) : rows, isMore };
}

/**
 * Builds the statements that read a page of `table`. Most of their SQL depends only on the table, and is built once.
 *
 * @returns a function of the rows to read and of the start of every URI
 */
function weighing(table: Listed, weight: Weight): (rows: ListedRows, origin: string) => Sql {
  const { short = [], references = {}, linked = [], embedded } = weight;
  const columns = Object.values(getTableColumns(table));
  const texts = textsOf(table);
  const long = texts.filter(({ name }) => !short.includes(name));
  // SQLite knows the byte length of a string without reading it.
  const lengths = long.map((column) => sql`octet_length(${column})`);
  const shownLengths = texts.map((column) =>
    linked.includes(column.name) ? linkBytes(column) : shownBytes(column, references[column.name]),
  );
  const stored = sum(embedded ? [...lengths, sql`${embedded.bytes}`] : lengths);
  const shown = sum(
    embedded ? [...shownLengths, sql`${embedded.bytes}`, sql`${embedded.refs} * ${refBytes}`] : shownLengths,
  );
  const bytes = sql`iif(${stored} > ${raw(LIGHT_BYTES)}, ${shown} + ${raw(FRAME_BYTES)}, 1)`;
  const selected = sql`select ${join(columns.map((column) => sql`${column}`))}, ${bytes} as bytes from`;
  const units = unitsOf((isRepeated) =>
    columns.map((column) => {
      const name = bare(column);
      const isOnce = long.includes(column) || column === table.version;
      return isOnce ? sql`iif(${isRepeated}, null, ${name}) as ${name}` : name;
    }),
  );
  return ({ from, condition, end }, origin) => {
    // All of its parameters are lengths of Refs.
    const weighed = new Sql(
      selected.text,
      selected.params.map(() => origin.length + REF_BYTES),
    );
    return units(sql`${weighed} ${from} where ${condition} ${end}`);
  };
}

/**
 * Builds queries that return the first page of their rows. Each row is repeated once per unit of its size. The query reads one
 * unit more than a page has.
 *
 * @param columns the columns to select; `isRepeated` is true for the copies of a row
 * @returns a function of the rows: a query with the column `bytes`
 */
export function unitsOf(columns: (isRepeated: Sql) => Sql[]): (rows: Sql) => Sql {
  const offsets = OFFSETS.map((_, i) => raw(`offset${i}.column1`));
  const lists = OFFSETS.map((values, i) =>
    raw(`cross join (values ${values.map((value) => `(${value})`).join()}) as offset${i}`),
  );
  // One condition per loop, so that an inner loop only starts if it can produce rows.
  const isWithin = offsets.map((_, i) => sql`${join(offsets.slice(0, i + 1), " + ")} < bytes`);
  const selected = join(columns(join(offsets, " + ")));
  const end = sql`${join(lists, " ")} where ${and(...isWithin)} limit ${raw(PAGE_UNITS + 1)}`;
  return (rows) => sql`select ${selected} from (${rows}) ${end}`;
}

/** Columns whose strings have the same length in every object: {@link FRAME_BYTES} includes them. */
const IN_FRAME = new Set(["id", "created_at"]);

/** The columns whose strings differ in length from object to object. */
const textsOf = (table: Listed): SQLiteColumn[] =>
  Object.values(getTableColumns(table)).filter(
    ({ name, dataType }) => dataType !== "number" && !IN_FRAME.has(name),
  );

/**
 * The size of a column as JSON in a response, in bytes, with escapes in plain strings and Refs in place of ids. Every string was
 * sent in a request, so its JSON is no longer than a request, which SQLite can process.
 */
function shownBytes(column: SQLiteColumn, ids: IdsIn | undefined): Sql {
  if (ids !== undefined && !ids.areShown)
    return sql`2 * octet_length(${column}) + ${refBytes} * json_array_length(${column}, ${raw(`'${ids.path}'`)})`;
  return column.dataType === "json" ? sql`octet_length(${column})` : sql`octet_length(json_quote(${column}))`;
}

/** {@link shownBytes} for a list of names that are shown as links. */
const linkBytes = (column: SQLiteColumn): Sql =>
  sql`2 * octet_length(${column}) + (${refBytes} + ${raw(LINK_BYTES)}) * json_array_length(${column})`;

const sum = (terms: Sql[]): Sql =>
  join(
    terms.map((term) => sql`coalesce(${term}, 0)`),
    " + ",
  );

function multiples(count: number, units: number): number[] {
  return Array.from({ length: count }, (_, i) => i * units * UNIT_BYTES);
}
