import { and, desc, eq, lt, type SQL, sql } from "drizzle-orm";
import type { SQLiteTable, SQLiteColumn } from "drizzle-orm/sqlite-core";
import { prefixOf } from "../ids.ts";
import { kinds } from "../kinds.ts";
import type { Session } from "./database.ts";
import {
  apiKeys,
  botUsers,
  eventDestinations,
  failoverBackends,
  httpResponseBackends,
  ipPolicies,
  staticBackends,
  uses,
  weightedBackends,
} from "./schema.ts";
import { always, draft, type Guard, raw, type Statement, statement, type Values } from "./statements.ts";

/** An id in a request, and its location there as a JSON Pointer. */
export interface Reference {
  path: string;
  id: string;
}

/**
 * The tables of objects that must exist if a request refers to them, by id prefix. Objects of other kinds may be
 * managed elsewhere.
 */
const targets = new Map<string, SQLiteTable & { id: SQLiteColumn }>([
  [kinds.failover_backend.prefix, failoverBackends],
  [kinds.http_response_backend.prefix, httpResponseBackends],
  [kinds.weighted_backend.prefix, weightedBackends],
  [kinds.static_backend.prefix, staticBackends],
  [kinds.ip_policy.prefix, ipPolicies],
  [kinds.bot_user.prefix, botUsers],
  [kinds.event_destination.prefix, eventDestinations],
]);

/** Indexes on the id alone, for the tables whose rows may be large: see `schema.ts`. */
const indexesOfIds = new Map<string, string>([
  [kinds.failover_backend.prefix, "failover_backends_ids"],
  [kinds.http_response_backend.prefix, "http_response_backends_ids"],
  [kinds.weighted_backend.prefix, "weighted_backends_ids"],
  [kinds.static_backend.prefix, "static_backends_ids"],
  [kinds.event_destination.prefix, "event_destinations_ids"],
]);

/** The different ids of `references`, as JSON lists by prefix, where objects of that prefix must exist. */
function idsByPrefix(references: Reference[]): [prefix: string, ids: string][] {
  if (references.length === 0) return [];
  const ids = [...new Set(references.map(({ id }) => id))];
  return [...targets.keys()]
    .map((prefix) => ({ prefix, some: ids.filter((id) => prefixOf(id) === prefix) }))
    .filter(({ some }) => some.length > 0)
    .map(({ prefix, some }) => [prefix, JSON.stringify(some)]);
}

/** `select id …` for those of `ids`, a JSON list of ids with this prefix, that do not exist. */
const missing = (prefix: string, ids: unknown): SQL<{ id: string }> => {
  const table = targets.get(prefix);
  if (!table) throw new Error("a reference to objects that need not exist");
  const index = indexesOfIds.get(prefix);
  const indexed = index === undefined ? sql`` : sql` indexed by ${sql.identifier(index)}`;
  return sql`select given.value as id from json_each(${ids}) as given where not exists (select 1 from ${table}${indexed} where ${table.id} = given.value)`;
};

/** Guard: every referenced object exists. */
export function allExist(references: Reference[]): Guard {
  const lists = idsByPrefix(references);
  if (lists.length === 0) return always;
  return {
    shape: lists.map(([prefix]) => prefix).join(),
    sql: () => and(...lists.map(([prefix]) => sql`not exists (${missing(prefix, sql.placeholder(prefix))})`)),
    values: Object.fromEntries(lists),
  };
}

/** The ids in `references` of objects that do not exist, as a JSON list. */
export function missingIds(references: Reference[]): Guard {
  const lists = idsByPrefix(references);
  return {
    shape: `missing ${lists.map(([prefix]) => prefix).join()}`,
    sql: () => {
      const queries = lists.map(([prefix]) => missing(prefix, sql.placeholder(prefix)));
      return sql`(select json_group_array(id) from (${sql.join(queries, sql` union all `)}))`;
    },
    values: Object.fromEntries(lists),
  };
}

/** Those of `references` whose object does not exist now, in the given order. */
export async function missingReferences(session: Session, references: Reference[]): Promise<Reference[]> {
  const lists = idsByPrefix(references);
  if (lists.length === 0) return [];
  const rows = await session.all(
    statement(
      `missing ${lists.map(([prefix]) => prefix).join()}`,
      () => {
        const queries = lists.map(([prefix]) => missing(prefix, sql.placeholder(prefix)));
        return raw(sql.join(queries, sql` union all `));
      },
      Object.fromEntries(lists),
    ),
  );
  const ids = new Set(rows.map(({ id }) => id));
  return references.filter(({ id }) => ids.has(id));
}

/** Only failover backends contain others that contain others. */
const FAILOVER = kinds.failover_backend.prefix;

/** Guard: nothing refers to the object `id`. */
export const isUnused = (id: string): Guard => ({
  shape: "unused",
  sql: () => sql`not exists (select 1 from ${uses} where ${uses.target} = ${sql.placeholder("used")})`,
  values: { used: id },
});

/** Ids of at most `limit` objects that refer to the object `id`, as a JSON list; of a route, as {@link usersOf} has it. */
export const userIds = (id: string, limit: number): Guard => ({
  shape: `${limit} users`,
  sql: () =>
    sql`(select json_group_array(ltrim(edge_id || '/' || user, '/')) from (select user, edge_id from ${uses} where ${uses.target} = ${sql.placeholder("used")} limit ${sql.raw(String(limit))}))`,
  values: { used: id },
});

/** Ids of objects that refer to the object `id` now, at most `limit`; of a route, after that of its edge and a slash. */
export async function usersOf(session: Session, id: string, limit: number): Promise<string[]> {
  const rows = await session.all(
    statement(
      "users",
      () =>
        draft
          .select({ user: uses.user, edge_id: uses.edge_id })
          .from(uses)
          .where(eq(uses.target, sql.placeholder("used")))
          .limit(sql.placeholder("limit")),
      { used: id, limit },
    ),
  );
  return rows.map(({ user, edge_id }) => [edge_id, user].filter((id) => id !== "").join("/"));
}

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
): Statement<UserKey> => ({
  ...statement(
    "page of users",
    () =>
      draft
        .select({ user: uses.user, edge_id: uses.edge_id })
        .from(uses)
        .where(
          and(
            eq(uses.target, sql.placeholder("used")),
            sql`(${uses.user}, ${uses.edge_id}) < (${sql.placeholder("before_id")}, ${sql.placeholder("before_edge_id")})`,
          ),
        )
        .orderBy(desc(uses.user), desc(uses.edge_id))
        .limit(sql.placeholder("limit")),
    { used: id, before_id, before_edge_id, limit: limit + 1 },
  ),
  decode: decodeUser,
});

/** {@link usersPage} for a bot user: its API keys, which are not in `uses`. */
export const keysPage = (id: string, { limit, before_id = LAST }: UsersQuery): Statement<UserKey> => ({
  ...statement(
    "page of keys",
    () =>
      draft
        .select({ user: sql`${apiKeys.id}`.as("user"), edge_id: sql`''`.as("edge_id") })
        .from(apiKeys)
        .where(
          and(eq(apiKeys.owner_id, sql.placeholder("used")), lt(apiKeys.id, sql.placeholder("before_id"))),
        )
        .orderBy(desc(apiKeys.id))
        .limit(sql.placeholder("limit")),
    { used: id, before_id, limit: limit + 1 },
  ),
  decode: decodeUser,
});

/**
 * Guard: none of `children` is the failover backend `id` or contains it, directly or through others. Walks up from `id`
 * along `uses`, whose rows are small, rather than down through lists that may be long.
 */
export const isNotWithin = (id: string, children: string[]): Guard => ({
  shape: "not within",
  sql: () => sql`not exists (
  with recursive containing(id) as (
    select ${sql.placeholder("parent")}
    union
    select ${uses.user} from containing join ${uses} on ${uses.target} = containing.id
      and ${uses.user} between ${sql.raw(`'${FAILOVER}'`)} and ${sql.raw(`'${FAILOVER}~'`)}
  )
  select 1 from containing where containing.id in (select value from json_each(${sql.placeholder("children")}))
)`,
  values: { parent: id, children: JSON.stringify(children) },
});
