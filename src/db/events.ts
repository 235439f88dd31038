import { and, getTableColumns, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import type { Verb } from "../event_types.ts";
import type { Kind } from "../kinds.ts";
import { events } from "./schema.ts";
import { combined, type Guard, raw, type Statement, statement, type Values } from "./statements.ts";
import type { StoredPrincipal } from "./stored.ts";
import type { User } from "./uses.ts";

/*
 * The log of changes: one row in the table `events` for each object that a request changes, written by the batch that changes
 * it. So there is no change without its event, and no event without its change, and `seq` is the order of commits.
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

/** Columns that events do not show, or JSON paths in them: secrets, and what only the service itself needs. */
type Hidden = Record<string, "all" | string[]>;

/** What an event shows of a row. */
export interface Recorded {
  hidden?: Hidden;
  /** For objects that show those of another table, as the member `member`: see {@link Parts}. */
  parts?: Parts;
}

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
  isShown: SQL;
}

/**
 * The longest `object` of an event, in bytes: D1 refuses rows of more than 2 MB, and to make any longer text on the way. So an
 * object is measured before its JSON is made. Each of its columns came in a request, so that the JSON of one alone is no longer
 * than a request.
 */
const OBJECT_BYTES = 1_900_000;

/** More than the names, the punctuation and the numbers of an object take, in bytes. */
const FRAME_BYTES = 2_000;

/** Pairs of a name and a value per JSON function: D1 documents 32 arguments at most. */
const PAIRS = 15;

/** The type of an event. */
export const eventType = (kind: Kind, verb: Verb): string => `${kind}_${verb}.v0`;

/**
 * Records the change that the statement before it made to a row, if it changed one.
 *
 * @param verb `created` or `updated`
 */
export const recordChange = (
  kind: Kind,
  verb: Verb,
  user: User,
  recorded: Recorded,
  key: Values,
  cause: Cause,
): Statement =>
  statement(
    `record ${verb} ${kind} ${user.name}`,
    () => insertion(user.table, recorded, sql`${user.table}`, and(user.byKey, sql`changes() > 0`)),
    combined(key, valuesOf(kind, verb, cause)),
  );

/** Records the deletion of a row, if it is there and `guard` holds. To be sent right before the deletion. */
export const recordDeletion = (
  kind: Kind,
  user: User,
  recorded: Recorded,
  key: Values,
  guard: Guard,
  cause: Cause,
): Statement =>
  statement(
    `record deleted ${kind} ${user.name} ${guard.shape}`,
    () => insertion(user.table, recorded, sql`${user.table}`, and(user.byKey, guard.sql())),
    combined(key, guard.values, valuesOf(kind, "deleted", cause)),
  );

/**
 * Records what happened to many rows, whose ids are in the JSON list `items`, in its order: after they were changed, or before
 * they are deleted.
 */
export const recordMany = (
  kind: Kind,
  verb: Verb,
  table: User["table"],
  recorded: Recorded,
  items: Values,
  cause: Cause,
): Statement =>
  statement(
    `record many ${verb} ${kind}`,
    () => {
      const source = sql`json_each(${sql.placeholder("items")}) as item cross join ${table}`;
      return insertion(table, recorded, source, sql`${table.id} = item.value ->> '$.id'`);
    },
    combined(items, valuesOf(kind, verb, cause)),
  );

/** Which rows {@link recordRows} records. */
export interface Source {
  /** Common table expressions, without `with`. */
  with: SQL;
  /** `from … where …`, with the table. */
  source: SQL;
  /** The object that is recorded, made of that of the row as it is. */
  object?: (own: SQL) => SQL;
}

/**
 * Records what happens to rows of a set statement, in the order of `source`.
 *
 * @param shape names what `source` depends on
 */
export const recordRows = (
  kind: Kind,
  verb: Verb,
  table: User["table"],
  shape: string,
  values: Values,
  cause: Cause,
  { source, object = (own) => own, ...others }: Source,
): Statement =>
  statement(
    `record ${verb} ${kind}: ${shape}`,
    () => insertionOf(table, object(objectOf(table, {})), source, sql`${others.with}, `),
    combined(values, valuesOf(kind, verb, cause)),
  );

const valuesOf = (kind: Kind, verb: Verb, { at, operation_id, principal, origin }: Cause): Values => ({
  event_type: eventType(kind, verb),
  event_at: at,
  event_operation: operation_id,
  event_principal: JSON.stringify(principal),
  event_origin: origin,
});

/** The instant of the newest event: later ones are never before it, whichever isolate's clock they come from. */
const lastAt = sql`coalesce((select ${events.at} from ${events} order by ${events.seq} desc limit 1), 0)`;

/** @param source the table, and what it is joined with, in the order of events */
const insertion = (table: User["table"], recorded: Recorded, source: SQL, condition: SQL | undefined) =>
  insertionOf(table, objectOf(table, recorded), sql`from ${source} where ${condition}`, sql``);

/** @param before common table expressions, each with a comma after it */
function insertionOf(table: User["table"], object: SQL, source: SQL, before: SQL): ReturnType<typeof raw> {
  const edge = table.edge_id ?? sql`null`;
  const tooLong = sql`json_object('id', id, 'edge_id', edge_id, 'truncated', json('true'))`;
  // Materialized, so that the object is not built twice: once to be measured, once to be inserted.
  return raw(sql`insert into ${events} (type, object_id, at, salt, operation_id, principal, origin, object)
    with ${before}changed as materialized (
      select ${table.id} as id, ${edge} as edge_id, ${object} as object ${source}
    )
    select ${sql.placeholder("event_type")}, id, max(${sql.placeholder("event_at")}, ${lastAt}), randomblob(10),
      ${sql.placeholder("event_operation")}, ${sql.placeholder("event_principal")}, ${sql.placeholder("event_origin")},
      coalesce(object, ${tooLong}) from changed`);
}

/** A row as JSON: what `decoderOf` would make of it, without what is hidden; NULL if it is too long. */
function objectOf(table: SQLiteTable, { hidden = {}, parts }: Recorded): SQL {
  const own = jsonOf(columnsOf(table, hidden));
  const bytes = bytesOf(table, hidden);
  const most = sql.raw(String(OBJECT_BYTES));
  const alone = sql`iif(${bytes} <= ${most}, ${own}, null)`;
  if (!parts) return alone;
  const { member, owner, order, isShown } = parts;
  const each = jsonOf(columnsOf(parts.table, parts.hidden));
  const all = sql`json((select json_group_array(json(part.object)) from (select ${each} as object from ${parts.table} where ${owner} = ${table}.id order by ${order}) as part))`;
  const whole = sql`json_insert(${own}, ${sql.raw(`'$.${member}'`)}, ${all})`;
  return sql`case when not ${isShown} then ${alone} when ${bytes} + ${parts.bytes} <= ${most} then ${whole} end`;
}

/** No less than the bytes of a row as JSON. */
function bytesOf(table: SQLiteTable, hidden: Hidden): SQL {
  const lengths = Object.entries(getTableColumns(table)).flatMap(([name, column]) => {
    if (hidden[name] === "all" || column.getSQLType() !== "text") return [];
    const json = column.dataType === "json" ? sql`${column}` : sql`json_quote(${column})`;
    return [sql`coalesce(octet_length(${json}), 0)`];
  });
  return sql.join([...lengths, sql.raw(String(FRAME_BYTES))], sql` + `);
}

/** Names and JSON values of a table's columns. */
function columnsOf(table: SQLiteTable, hidden: Hidden): [string, SQL][] {
  return Object.entries(getTableColumns(table)).flatMap(([name, column]): [string, SQL][] => {
    const paths = hidden[name];
    if (paths === "all") return [];
    if (paths)
      return [[name, sql`json_remove(${column}, ${sql.raw(paths.map((path) => `'${path}'`).join(", "))})`]];
    if (column.dataType === "json") return [[name, sql`json(${column})`]];
    if (column.dataType === "boolean") return [[name, sql`json(iif(${column}, 'true', 'false'))`]];
    return [[name, sql`${column}`]];
  });
}

/** A JSON object of names and values. */
function jsonOf(members: [string, SQL][]): SQL {
  const pairs = (some: [string, SQL][], start: string) =>
    sql.join(
      some.map(([name, value]) => sql`${sql.raw(`'${start}${name}'`)}, ${value}`),
      sql`, `,
    );
  let json = sql`json_object(${pairs(members.slice(0, PAIRS), "")})`;
  for (let i = PAIRS; i < members.length; i += PAIRS)
    json = sql`json_insert(${json}, ${pairs(members.slice(i, i + PAIRS), "$.")})`;
  return json;
}
