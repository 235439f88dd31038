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

/** JSON lists of ids by prefix, for the prefixes whose objects must exist; in the order of `targets`, whatever the request's. */
export type IdLists = [prefix: string, ids: string][];

/** The different ids of `references` whose objects must exist. */
export function idLists(references: Reference[]): IdLists {
  const byPrefix = new Map<string, Set<string>>();
  for (const { id } of references) {
    const prefix = prefixOf(id);
    if (!targets.has(prefix)) continue;
    const ids = byPrefix.get(prefix);
    if (ids) ids.add(id);
    else byPrefix.set(prefix, new Set([id]));
  }
  if (byPrefix.size === 0) return [];
  return [...targets.keys()].flatMap((prefix): IdLists => {
    const ids = byPrefix.get(prefix);
    return ids ? [[prefix, JSON.stringify([...ids])]] : [];
  });
}

/** `select id …` for those of `ids`, a JSON list of ids with this prefix, that do not exist. */
const missing = (prefix: string, ids: unknown): SQL<{ id: string }> => {
  const table = targets.get(prefix);
  if (!table) throw new Error("a reference to objects that need not exist");
  const index = indexesOfIds.get(prefix);
  const indexed = index === undefined ? sql`` : sql` indexed by ${sql.identifier(index)}`;
  return sql`select given.value as id from json_each(${ids}) as given where not exists (select 1 from ${table}${indexed} where ${table.id} = given.value)`;
};

/** Guard: all objects in `lists` exist. */
export function allExist(lists: IdLists): Guard {
  if (lists.length === 0) return always;
  return {
    shape: lists.map(([prefix]) => prefix).join(),
    sql: () => and(...lists.map(([prefix]) => sql`not exists (${missing(prefix, sql.placeholder(prefix))})`)),
    values: Object.fromEntries(lists),
  };
}

/** A query for the ids in `lists` of objects that do not exist. */
const missingIn = (lists: IdLists): SQL =>
  sql.join(
    lists.map(([prefix]) => missing(prefix, sql.placeholder(prefix))),
    sql` union all `,
  );

const shapeOfMissing = (lists: IdLists): string => `missing ${lists.map(([prefix]) => prefix).join()}`;

/** The ids in `lists` of objects that do not exist, as a JSON list. */
export const missingIds = (lists: IdLists): Guard => ({
  shape: shapeOfMissing(lists),
  sql: () => sql`(select json_group_array(id) from (${missingIn(lists)}))`,
  values: Object.fromEntries(lists),
});

/** The ids in `lists` of objects that do not exist now. */
export async function missingNow(session: Session, lists: IdLists): Promise<Set<string>> {
  if (lists.length === 0) return new Set();
  const rows = await session.all(
    statement(shapeOfMissing(lists), () => raw(missingIn(lists)), Object.fromEntries(lists)),
  );
  return new Set(rows.map(({ id }) => String(id)));
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
