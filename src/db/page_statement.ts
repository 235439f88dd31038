import {
  and,
  desc,
  eq,
  getTableColumns,
  getTableName,
  gt,
  inArray,
  isNotNull,
  lt,
  type SQL,
  sql,
} from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import { type Kind, kinds } from "../kinds.ts";
import { SHORT_METADATA, uses } from "./schema.ts";
import { draft, raw, type Statement, statement, type Values } from "./statements.ts";
import type { IdsIn, References } from "./uses.ts";

/*
 * A page ends after a number of objects or at 4 MB, whichever comes first, so that neither the isolate nor the Durable
 * Object that runs D1, with 128 MB of memory each, ever holds much more.
 *
 * In SQLite only LIMIT ends a scan early, and it counts rows. So the statement repeats a row for each 40 KB of its object,
 * with the long texts in the first copy only, and ends after as many rows as make up 4 MB. Rows are repeated by a join with
 * VALUES, which SQLite runs as a subroutine rather than a table: `rows_read` counts neither its rows nor the copies. (A
 * window function or a recursive query keeps its rows in a table of its own, and they count two or three times over.)
 */

/** A page is at most {@link PAGE_UNITS} times this size, in bytes of JSON, unless it is a single object. */
const UNIT_BYTES = 40_000;
export const PAGE_UNITS = 100;
/** Bytes of the longest page. */
export const PAGE_BYTES = UNIT_BYTES * PAGE_UNITS;

/** Offsets of the units of a page, as sums of one item of each list: nested loops take fewer steps than one long one. */
const OFFSETS = [multiples(5, 20), multiples(5, 4), multiples(4, 1)];

/**
 * Rows whose long texts have at most this many bytes count as one unit: in a response, escapes can make a text six times as
 * long, and Refs a list of ids about fifteen times.
 */
export const LIGHT_BYTES = 1_000;

/** Bytes of an object in a response besides its texts: member names and URIs. */
const FRAME_BYTES = 500;

/** `{"id":"…","uri":"<origin>/certificate_authorities/…"},` has this more, and the origin, than twice what is stored: `"…",` */
const REF_BYTES = 38;

/** `{"type":"…","uri":"<uri of an object>/sources/…"},` has this more than a Ref. */
const LINK_BYTES = 50;

/** Which rows of a table are listed, and how large they can be. */
export interface Weight {
  /** Tells the rows that are objects from others in the same table. */
  isObject?: SQL;
  /** Columns whose texts are always short: together up to 5 KB. Every other may be long. */
  short?: string[];
  /** Columns with ids, which responses show as Refs, and those are longer. */
  references?: References;
  /** Columns with the bytes and the number of Refs of what a response embeds besides the row. */
  embedded?: { bytes: SQLiteColumn; refs: SQLiteColumn };
  /** Columns with lists of names that responses show with URIs below the object's: `{"type":"…","uri":"…"}`. */
  linked?: string[];
}

/** The part of a list to return. */
export interface PageQuery {
  /** The most rows. */
  limit: number;
  /** Only objects created before this one, which need not exist. */
  before_id?: string;
  /** Only objects that this selects. */
  filter?: Filter;
}

/** Selects the objects of one kind whose column `name` has `value`, or which refer to `value` where `References` say so. */
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

type Listed = SQLiteTable & { id: SQLiteColumn; version: SQLiteColumn; edge_id?: SQLiteColumn };

/**
 * Reads the rows of a page and one more, for {@link pageOf}.
 *
 * @param origin the start of every URI, so the length of Refs depends on it
 */
export function pageStatement(
  table: Listed,
  name: string,
  weight: Weight,
  origin: string,
  query: PageQuery,
  edge_id?: string,
): Statement {
  return statement(
    `page ${name} ${formOf(query)}`,
    () => {
      const listed = listedBy(table, weight, query);
      const isLight = textsOf(table).every(({ name }) => weight.short?.includes(name));
      if (!isLight || listed.isByUse) return raw(weighed(table, weight, listed));
      return draft
        .select()
        .from(table)
        .where(listed.condition)
        .orderBy(desc(table.id))
        .limit(sql.placeholder("limit"));
    },
    { ...valuesOf(weight, origin, query), edge_id },
  );
}

/** Everything about a query that the text of its statement depends on. */
const formOf = ({ before_id, filter }: PageQuery): string =>
  `${before_id === undefined ? "" : "before"} ${filter?.name ?? ""}`;

function valuesOf(weight: Weight, origin: string, { limit, before_id, filter }: PageQuery): Values {
  const prefix = filter && kinds[filter.kind].prefix;
  const isCaseless = filter !== undefined && idsFilteredBy(weight, filter.name)?.isCaseless === true;
  return {
    limit: limit + 1,
    before_id,
    filter: isCaseless ? filter.value.toLowerCase() : filter?.value,
    first: prefix,
    // After every id with this prefix.
    last: before_id ?? `${prefix}~`,
    ref_bytes: origin.length + REF_BYTES,
  };
}

/** A table whose rows belong to edges. */
export type PartsTable = SQLiteTable & { id: SQLiteColumn; edge_id: SQLiteColumn };

/** Reads the rows of `parts` that belong to the objects of a page, by `edge_id`; those of an object in order of their ids. */
export function partsStatement(
  table: Listed,
  parts: PartsTable,
  name: string,
  weight: Weight,
  origin: string,
  query: PageQuery,
): Statement {
  return statement(
    `parts of page ${name} ${formOf(query)}`,
    () => {
      const page = weighed(table, weight, listedBy(table, weight, query));
      const ids = sql`(select id from (${page}) where version is not null)`;
      return draft.select().from(parts).where(inArray(parts.edge_id, ids)).orderBy(parts.edge_id, parts.id);
    },
    valuesOf(weight, origin, query),
  );
}

/** Where a filter finds objects by what they refer to; undefined for a filter by a column. */
const idsFilteredBy = ({ references = {} }: Weight, name: string): IdsIn | undefined =>
  Object.values(references).find(({ filter }) => filter === name);

/** The rows that a list has, in its order. */
interface ListedRows {
  from: SQL;
  condition: SQL | undefined;
  order: SQLiteColumn;
  /** True if they are found by what they refer to. */
  isByUse: boolean;
}

/** The rows that a query asks for, each found by an index in their order, and so without reading any other. */
function listedBy(table: Listed, weight: Weight, { before_id, filter }: PageQuery): ListedRows {
  const ids = filter && idsFilteredBy(weight, filter.name);
  if (ids !== undefined) {
    // A cross join is not reordered.
    const index = ids.isShared ? sql` indexed by ${sql.identifier("uses_listed")}` : sql``;
    return {
      from: sql`${uses}${index} cross join ${table} on ${table.id} = ${uses.user}`,
      condition: and(
        eq(uses.target, sql.placeholder("filter")),
        gt(uses.user, sql.placeholder("first")),
        lt(uses.user, sql.placeholder("last")),
        ids.isShared && isNotNull(uses.listed),
      ),
      order: uses.user,
      isByUse: true,
    };
  }
  return {
    from: sql`${table}`,
    condition: and(
      table.edge_id && eq(table.edge_id, sql.placeholder("edge_id")),
      filter && hasValue(table, filter.name),
      before_id === undefined ? undefined : lt(table.id, sql.placeholder("before_id")),
      // The plus keeps SQLite to the index of the filter.
      filter && weight.isObject ? sql`+(${weight.isObject})` : weight.isObject,
    ),
    order: table.id,
    isByUse: false,
  };
}

/** The condition for a filter by a column, as the column's index needs it. */
function hasValue(table: Listed, name: string): SQL | undefined {
  const column = getTableColumns(table)[name];
  if (!column) throw new Error(`${getTableName(table)} cannot be filtered by ${name}`);
  return and(eq(column, sql.placeholder("filter")), name === "metadata" ? SHORT_METADATA : undefined);
}

/** The page in the result of {@link pageStatement}. The last object only shows that there are more, and is dropped. */
export function pageOf(found: Values[], limit: number): Page<Values> {
  const rows = found.filter((row) => row["version"] !== null);
  const isMore = rows.length > limit || found.length > PAGE_UNITS;
  return { rows: isMore ? rows.slice(0, -1) : rows, isMore };
}

function weighed(table: Listed, weight: Weight, { from, condition, order }: ListedRows): SQL {
  const { short = [], references = {}, linked = [], embedded } = weight;
  const columns = Object.values(getTableColumns(table));
  const texts = textsOf(table);
  const long = texts.filter(({ name }) => !short.includes(name));
  // SQLite knows the byte length of a text without reading it.
  const lengths = long.map((column) => sql`octet_length(${column})`);
  const shownLengths = texts.map((column) =>
    linked.includes(column.name) ? linkBytes(column) : shownBytes(column, references[column.name]),
  );
  const stored = sum(embedded ? [...lengths, sql`${embedded.bytes}`] : lengths);
  const refs = embedded && sql`${embedded.refs} * ${sql.placeholder("ref_bytes")}`;
  const shown = sum(embedded && refs ? [...shownLengths, sql`${embedded.bytes}`, refs] : shownLengths);
  const bytes = sql`iif(${stored} > ${number(LIGHT_BYTES)}, ${shown} + ${number(FRAME_BYTES)}, 1)`;
  const rows = sql`select ${sql.join(columns, sql`, `)}, ${bytes} as bytes from ${from}
    ${condition ? sql`where ${condition} ` : sql``}order by ${order} desc limit ${sql.placeholder("limit")}`;
  return inUnits(rows, (isRepeated) =>
    columns.map((column) => {
      const name = sql.identifier(column.name);
      const isOnce = long.includes(column) || column === table.version;
      return isOnce ? sql`iif(${isRepeated}, null, ${name}) as ${name}` : sql`${name}`;
    }),
  );
}

/**
 * The start of `rows`, a query with the column `bytes`, that makes up a page: each row is repeated for each unit of its bytes,
 * and one more unit than a page has is read.
 *
 * @param columns what to select; `isRepeated` tells the copies of a row from the row
 */
export function inUnits(rows: SQL, columns: (isRepeated: SQL) => SQL[]): SQL {
  const offsets = OFFSETS.map((_, i) => sql.raw(`offset${i}.column1`));
  const lists = OFFSETS.map((values, i) =>
    sql.raw(`cross join (values ${values.map((value) => `(${value})`).join()}) as offset${i}`),
  );
  // One condition per loop, so that inner loops are not started in vain.
  const isWithin = offsets.map((_, i) => sql`${sql.join(offsets.slice(0, i + 1), sql` + `)} < bytes`);
  const selected = sql.join(columns(sql.join(offsets, sql` + `)), sql`, `);
  return sql`select ${selected} from (${rows}) ${sql.join(lists, sql` `)} where ${sql.join(isWithin, sql` and `)} limit ${number(PAGE_UNITS + 1)}`;
}

/** Columns whose texts have the same length in every object: {@link FRAME_BYTES} includes them. */
const IN_FRAME = new Set(["id", "created_at"]);

/** The columns whose texts differ in length from object to object. */
const textsOf = (table: Listed): SQLiteColumn[] =>
  Object.values(getTableColumns(table)).filter(
    ({ name, dataType }) => dataType !== "number" && !IN_FRAME.has(name),
  );

/**
 * Bytes of JSON for a column in a response: with escapes for plain text, and Refs in place of ids. Every text came in a
 * request, so its JSON is no longer than a request, and SQLite can hold it.
 */
function shownBytes(column: SQLiteColumn, ids: IdsIn | undefined): SQL {
  if (ids !== undefined && !ids.areShown)
    return sql`2 * octet_length(${column}) + ${sql.placeholder("ref_bytes")} * json_array_length(${column}, ${sql.raw(`'${ids.path}'`)})`;
  return column.dataType === "json" ? sql`octet_length(${column})` : sql`octet_length(json_quote(${column}))`;
}

/** {@link shownBytes} of a list of names that are shown with URIs. */
const linkBytes = (column: SQLiteColumn): SQL =>
  sql`2 * octet_length(${column}) + (${sql.placeholder("ref_bytes")} + ${number(LINK_BYTES)}) * json_array_length(${column})`;

const sum = (terms: SQL[]): SQL =>
  sql.join(
    terms.map((term) => sql`coalesce(${term}, 0)`),
    sql` + `,
  );

/** A number literal: a bound number would be a REAL. */
const number = (value: number): SQL => sql.raw(String(value));

function multiples(count: number, units: number): number[] {
  return Array.from({ length: count }, (_, i) => i * units * UNIT_BYTES);
}
