import { getTableColumns } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import type { Verb } from "../../packages/model/src/event_types.ts";
import { pointerTo, valueAt } from "../../packages/model/src/json.ts";
import type { Kind } from "../../packages/model/src/kinds.ts";
import type { StoredPrincipal } from "./column_types.ts";
import { events } from "./internal_schema.ts";
import { join, lazy, raw, sql, type Sql, type Values } from "./statements.ts";
import type { ReferringTable } from "./uses.ts";

/*
 * The log of changes: one row in the table `events` for each object that a request changes, written by the batch that changes
 * it. So there is no change without its event, and no event without its change, and `seq` is the order of commits.
 *
 * For example, the statement after the update of the policy `ipp_1`, of which `id` stands for the columns here:
 *
 *     insert into events (type, object_id, at, salt, operation_id, principal, origin, object)
 *     with changed as materialized (
 *       select id, null as edge_id, iif(<bytes of the columns> <= 1900000, json_object('id', id, …), null) as object
 *       from ip_policies where id = 'ipp_1' and changes() > 0)
 *     select 'ip_policy_updated.v0', id, max(<now>, <the newest event's at>), randomblob(10), 'op_1', <who>, <origin>,
 *       coalesce(object, <its id with "truncated": true>) from changed
 */

/** Who changed an object, when, and by which request or run of the service. */
export interface Cause {
  /** Milliseconds since the Unix epoch. */
  at: number;
  operation_id: string;
  principal: StoredPrincipal;
  /** `scheme://host[:port]` of the request: the start of the URIs in the event, unless the operator has set one. */
  origin: string;
}

/** Columns, or JSON paths in them, that events do not show: secrets and internal values. */
type Hidden = Record<string, "all" | string[]>;

/** The part of a row that an event shows. */
export interface RecordedFields {
  hidden?: Hidden;
  /** JSON paths of the secrets in columns: the event of a change names those that the change sets. */
  secrets?: Record<string, string[]>;
  /** For objects that include objects of another table, in the field `member`: see {@link Parts}. */
  parts?: Parts;
  /** For objects with which rows of another table are deleted without events of their own. */
  lost?: Lost;
}

/** Rows of `table` that are deleted with an object, in the field `member` of its deletion's event. */
interface Lost {
  member: string;
  table: SQLiteTable;
  /** The column with the id of the object. */
  owner: SQLiteColumn;
  columns: SQLiteColumn[];
}

/** The most bytes of lost rows that an event shows. */
const LOST_BYTES = 1_000_000;

/** The rows of `table` that belong to an object by the column `owner`, in order of `order`. */
export interface Parts {
  member: string;
  table: SQLiteTable;
  owner: SQLiteColumn;
  order: SQLiteColumn;
  hidden: Hidden;
  /** A column of the object: how many bytes they have together. */
  bytes: SQLiteColumn;
  /** Which rows are objects that show them. */
  isShown: Sql;
}

/**
 * The longest `object` of an event, in bytes. D1 rejects rows, and intermediate strings, of more than 2 MB, so an object is
 * measured before its JSON is built. Each column came in a request, so the JSON of a single column is no longer than a request.
 */
const OBJECT_BYTES = 1_900_000;

/** More than the names, the punctuation and the numbers of an object take, in bytes. */
const FRAME_BYTES = 2_000;

/** Pairs of a name and a value per JSON function: D1 documents 32 arguments at most. */
const PAIRS = 15;

/** The type of an event. */
export const eventType = (kind: Kind, verb: Verb): string => `${kind}_${verb}.v0`;

/** Which rows {@link Recorder.rows} records. */
interface Source {
  /** Common table expressions, without `with`. */
  with: Sql;
  /** `from … where …`, with the table. */
  source: Sql;
  /** The object that is recorded, made of that of the row as it is. */
  object?: (own: Sql) => Sql;
}

/** Fields of `object` in the log that are not columns. */
interface Notes {
  /** The secrets that the change set, as JSON Pointers. Only for kinds of objects that have secrets. */
  secrets_changed?: string[];
  /** For an IP policy all of whose rules were replaced. */
  rules_replaced?: true;
}

/** The statements that record changes of the rows of one table. */
export interface Recorder {
  /**
   * Records the change that the previous statement made to the row of `where`, if it changed one.
   *
   * @param values the columns that the statement sets
   */
  change(verb: Exclude<Verb, "deleted">, where: Sql, cause: Cause, values?: Values, notes?: Notes): Sql;
  /** Records the deletion of the row of `where`, if it exists. To be sent right before the deletion. */
  deletion(where: Sql, cause: Cause): Sql;
  /**
   * Records what happened to many rows, whose ids are in the JSON list `items`, in its order: after they were changed, or before
   * they are deleted.
   */
  many(verb: Verb, items: string, cause: Cause): Sql;
  /** Records what happens to rows of a set statement, in the order of `source`. */
  rows(verb: Verb, source: Source, cause: Cause): Sql;
}

/** The statements that record changes of the rows of a table, which are objects of `kind`. */
export function recorderOf(
  kind: Kind,
  user: Omit<ReferringTable, "references">,
  recorded: RecordedFields = {},
): Recorder {
  const { table } = user;
  const object = lazy(() => objectOf(table, recorded));
  const deleted = lazy(() => withLost(object(), table, recorded));
  const insertion = insertionInto(kind, table, recorded);
  return {
    change: (verb, where, cause, values = {}, notes = {}) =>
      insertion(verb, cause, object(), sql`from ${table} where ${where} and changes() > 0`, sql``, {
        ...notes,
        ...secretsSet(recorded, values),
      }),
    deletion: (where, cause) => insertion("deleted", cause, deleted(), sql`from ${table} where ${where}`),
    many: (verb, items, cause) => {
      const source = sql`from json_each(${items}) as item cross join ${table} where ${table.id} = item.value ->> '$.id'`;
      return insertion(verb, cause, verb === "deleted" ? deleted() : object(), source);
    },
    rows: (verb, { source, object: replaced = (own) => own, ...others }, cause) =>
      insertion(verb, cause, replaced(object()), source, sql`${others.with}, `),
  };
}

/** Records an event of something that has no row, if the previous statement changed a row; returns a row then. */
export function recordAlone(kind: Kind, verb: Verb, object: { id: string }, cause: Cause): Sql {
  const { at, operation_id, principal, origin } = cause;
  return sql`insert into ${events} (type, object_id, at, salt, operation_id, principal, origin, object)
    select ${eventType(kind, verb)}, ${object.id}, max(${at}, ${lastAt}), randomblob(10), ${operation_id}, ${JSON.stringify(principal)},
      ${origin}, ${JSON.stringify(object)} where changes() > 0 returning seq`;
}

/**
 * Records an event for each row of `source` of something that has no row of its own.
 *
 * @param source `with … select object_id, object`
 */
export const recordEach = (
  kind: Kind,
  verb: Verb,
  source: { with: Sql; rows: Sql },
  { at, operation_id, principal, origin }: Cause,
): Sql =>
  sql`insert into ${events} (type, object_id, at, salt, operation_id, principal, origin, object)
    with ${source.with}
    select ${eventType(kind, verb)}, object ->> '$.id', max(${at}, ${lastAt}), randomblob(10), ${operation_id}, ${JSON.stringify(principal)},
      ${origin}, object from (${source.rows})`;

/** The instant of the newest event: later ones are never before it, whichever isolate's clock they come from. */
const lastAt = sql`coalesce((select ${events.at} from ${events} order by ${events.seq} desc limit 1), 0)`;

const tooLong = sql`json_object('id', id, 'edge_id', edge_id, 'truncated', json('true'))`;

/** Which secrets some columns set, as JSON Pointers; nothing for objects without secrets. */
function secretsSet({ secrets }: RecordedFields, values: Values): Notes {
  if (!secrets) return {};
  const found = Object.entries(secrets).flatMap(([column, paths]) =>
    paths
      .filter((path) => typeof valueAt(values[column], path) === "string")
      .map((path) => pointerTo(column, path)),
  );
  return { secrets_changed: found };
}

const insertionInto = (kind: Kind, table: ReferringTable["table"], recorded: RecordedFields) => {
  const edge = table.edge_id ? sql`${table.edge_id}` : sql`null`;
  /**
   * @param source `from … where …`: the rows, in the order of their events
   * @param before common table expressions, each with a comma after it
   */
  return (
    verb: Verb,
    cause: Cause,
    object: Sql,
    source: Sql,
    before = sql``,
    notes: Notes = secretsSet(recorded, {}),
  ): Sql => {
    const { at, operation_id, principal, origin } = cause;
    const type = eventType(kind, verb);
    // Materialized, so that the object is not built twice: once to be measured, once to be inserted.
    return sql`insert into ${events} (type, object_id, at, salt, operation_id, principal, origin, object)
      with ${before}changed as materialized (select ${table.id} as id, ${edge} as edge_id, ${object} as object ${source})
      select ${type}, id, max(${at}, ${lastAt}), randomblob(10), ${operation_id}, ${JSON.stringify(principal)}, ${origin},
        ${withNotes(sql`coalesce(object, ${tooLong})`, notes)} from changed`;
  };
};

/** An object with fields that are not columns. */
const withNotes = (object: Sql, notes: Notes): Sql =>
  Object.entries(notes).reduce(
    (json, [name, value]) => sql`json_insert(${json}, ${raw(`'$.${name}'`)}, json(${JSON.stringify(value)}))`,
    object,
  );

/** A row as JSON: what `decoderOf` would make of it, without what is hidden; NULL if it is too long. */
function objectOf(table: SQLiteTable, { hidden = {}, parts }: RecordedFields): Sql {
  const own = jsonOf(columnsOf(table, hidden));
  const bytes = bytesOf(table, hidden);
  const most = raw(OBJECT_BYTES);
  const alone = sql`iif(${bytes} <= ${most}, ${own}, null)`;
  if (!parts) return alone;
  const { member, owner, order, isShown } = parts;
  const each = jsonOf(columnsOf(parts.table, parts.hidden));
  const all = sql`json((select json_group_array(json(part.object)) from (select ${each} as object from ${parts.table} where ${owner} = ${table}.id order by ${order}) as part))`;
  const whole = sql`json_insert(${own}, ${raw(`'$.${member}'`)}, ${all})`;
  return sql`case when not ${isShown} then ${alone} when ${bytes} + ${parts.bytes} <= ${most} then ${whole} end`;
}

/** An object with the rows that are lost when it is deleted, unless they are too many. */
function withLost(object: Sql, table: SQLiteTable, { lost }: RecordedFields): Sql {
  if (!lost) return object;
  const { member, owner, columns } = lost;
  const own = sql`from ${lost.table} where ${owner} = ${table}.id`;
  const lengths = join(
    columns.map((column) => sql`coalesce(octet_length(json_quote(${column})), 0)`),
    " + ",
  );
  const frame = raw(columns.reduce((sum, { name }) => sum + name.length + '"":null,'.length, "{},".length));
  const fields = join(columns.map((column) => sql`${raw(`'${column.name}'`)}, ${column}`));
  const all = sql`(select json_group_array(json_object(${fields})) ${own})`;
  return sql`iif((select total(${lengths} + ${frame}) ${own}) <= ${raw(LOST_BYTES)},
    json_insert(${object}, ${raw(`'$.${member}'`)}, json(${all})), ${object})`;
}

/** No less than the bytes of a row as JSON. */
function bytesOf(table: SQLiteTable, hidden: Hidden): Sql {
  const lengths = Object.entries(getTableColumns(table)).flatMap(([name, column]) => {
    if (hidden[name] === "all" || column.getSQLType() !== "text") return [];
    const json = column.dataType === "json" ? sql`${column}` : sql`json_quote(${column})`;
    return [sql`coalesce(octet_length(${json}), 0)`];
  });
  return join([...lengths, raw(FRAME_BYTES)], " + ");
}

/** Names and JSON values of a table's columns. */
function columnsOf(table: SQLiteTable, hidden: Hidden): [string, Sql][] {
  return Object.entries(getTableColumns(table)).flatMap(([name, column]): [string, Sql][] => {
    const paths = hidden[name];
    if (paths === "all") return [];
    if (paths)
      return [[name, sql`json_remove(${column}, ${raw(paths.map((path) => `'${path}'`).join(", "))})`]];
    if (column.dataType === "json") return [[name, sql`json(${column})`]];
    if (column.dataType === "boolean") return [[name, sql`json(iif(${column}, 'true', 'false'))`]];
    return [[name, sql`${column}`]];
  });
}

/** A JSON object of names and values. */
function jsonOf(members: [string, Sql][]): Sql {
  const pairs = (some: [string, Sql][], start: string) =>
    join(some.map(([name, value]) => sql`${raw(`'${start}${name}'`)}, ${value}`));
  let json = sql`json_object(${pairs(members.slice(0, PAIRS), "")})`;
  for (let i = PAIRS; i < members.length; i += PAIRS)
    json = sql`json_insert(${json}, ${pairs(members.slice(i, i + PAIRS), "$.")})`;
  return json;
}
