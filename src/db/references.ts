import type { SQLiteTable, SQLiteColumn } from "drizzle-orm/sqlite-core";
import { kinds } from "../../packages/model/src/kinds.ts";
import { apiKeys, botUsers } from "./access_schema.ts";
import type { Check } from "./checks.ts";
import { uses } from "./internal_schema.ts";
import {
  eventDestinations,
  failoverBackends,
  httpResponseBackends,
  ipPolicies,
  staticBackends,
  weightedBackends,
} from "./schema.ts";
import { decoded, join, raw, sql, type Sql, type Statement, type Values } from "./statements.ts";

/** An id in a request, and its location there as a JSON Pointer. */
export interface Reference {
  path: string;
  id: string;
}

/** A query for the row that `given.value` refers to. Tables whose rows can be large have an index on the id alone. */
const rowIn = (table: SQLiteTable & { id: SQLiteColumn }, index?: string): Sql => {
  const indexed = index === undefined ? raw("") : raw(` indexed by "${index}"`);
  return sql`select 1 from ${table}${indexed} where ${table.id} = given.value`;
};

/**
 * The objects that must exist if a request refers to them, by id prefix: queries for their rows. Objects of other kinds may be
 * managed elsewhere.
 */
const targets: [prefix: string, row: Sql][] = [
  [kinds.failover_backend.prefix, rowIn(failoverBackends, "failover_backends_ids")],
  [kinds.http_response_backend.prefix, rowIn(httpResponseBackends, "http_response_backends_ids")],
  [kinds.weighted_backend.prefix, rowIn(weightedBackends, "weighted_backends_ids")],
  [kinds.static_backend.prefix, rowIn(staticBackends, "static_backends_ids")],
  [kinds.ip_policy.prefix, rowIn(ipPolicies)],
  [kinds.bot_user.prefix, rowIn(botUsers)],
  [kinds.event_destination.prefix, rowIn(eventDestinations, "event_destinations_ids")],
];

/**
 * Every referenced object exists, and a query for the ids of those that do not, as a JSON list. Requests that refer to the same
 * kinds of objects have the same SQL.
 */
export function allExist(references: Reference[]): Check {
  const missing: Sql[] = [];
  for (const [prefix, row] of targets) {
    const ids = references.flatMap(({ id }) => (id.startsWith(prefix) ? id : []));
    if (ids.length > 0)
      missing.push(
        sql`select given.value as id from json_each(${JSON.stringify([...new Set(ids)])}) as given where not exists (${row})`,
      );
  }
  if (missing.length === 0) return { condition: undefined };
  const all = join(missing, " union all ");
  return { condition: sql`not exists (${all})`, named: sql`(select json_group_array(id) from (${all}))` };
}

/** Only failover backends contain others that contain others. */
const FAILOVER = kinds.failover_backend.prefix;

/** Nothing refers to the object `id`. */
export const isUnused = (id: string): Sql =>
  sql`not exists (select 1 from ${uses} where ${uses.target} = ${id})`;

/** The object `user` does not refer to the object `id`. */
export const isNotUsedBy = (id: string, user: string): Sql =>
  sql`not exists (select 1 from ${uses} where ${uses.target} = ${id} and ${uses.user} = ${user})`;

/** Ids of at most `limit` objects that refer to the object `id`, as a JSON list; of a route, after that of its edge and a slash. */
export const userIds = (id: string, limit: number): Sql =>
  sql`(select json_group_array(ltrim(edge_id || '/' || user, '/')) from (select user, edge_id from ${uses} where ${uses.target} = ${id} limit ${raw(limit)}))`;

/** An object that refers to another; `edge_id` is that of a route, else "". */
export interface UserKey {
  user: string;
  edge_id: string;
}

/** Which users of an object to return. */
export interface UsersQuery {
  /** The most users. */
  limit: number;
  /** Only users with lower ids. */
  before_id?: string;
  /** Of routes with this very id, those of edges with lower ids too: routes managed elsewhere may have the same id. */
  before_edge_id?: string;
}

/** Greater than every id. */
const LAST = "~";

const decodeUser = ({ user, edge_id }: Values): UserKey => ({ user: String(user), edge_id: String(edge_id) });

/** Reads who refers to the object `id`, by descending id, and one more than `limit`. */
export const usersPage = (
  id: string,
  { limit, before_id = LAST, before_edge_id = "" }: UsersQuery,
): Statement<UserKey> =>
  decoded(
    sql`select ${uses.user} as user, ${uses.edge_id} as edge_id from ${uses}
      where ${uses.target} = ${id} and (${uses.user}, ${uses.edge_id}) < (${before_id}, ${before_edge_id})
      order by ${uses.user} desc, ${uses.edge_id} desc limit ${limit + 1}`,
    decodeUser,
  );

/** {@link usersPage} for a bot user: its API keys, which are not in `uses`. */
export const keysPage = (id: string, { limit, before_id = LAST }: UsersQuery): Statement<UserKey> =>
  decoded(
    sql`select ${apiKeys.id} as user, '' as edge_id from ${apiKeys}
      where ${apiKeys.owner_id} = ${id} and ${apiKeys.id} < ${before_id} order by ${apiKeys.id} desc limit ${limit + 1}`,
    decodeUser,
  );

const isFailover = raw(`between '${FAILOVER}' and '${FAILOVER}~'`);

/**
 * None of `children` is the failover backend `id` or contains it, directly or through others. Walks up from `id` along `uses`,
 * whose rows are small, rather than down through lists that may be long.
 */
export const isNotWithin = (id: string, children: string[]): Sql => sql`not exists (
  with recursive containing(id) as (
    select ${id}
    union
    select ${uses.user} from containing join ${uses} on ${uses.target} = containing.id and ${uses.user} ${isFailover}
  )
  select 1 from containing where containing.id in (select value from json_each(${JSON.stringify(children)}))
)`;
