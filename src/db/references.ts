import { and, type SQL, sql } from "drizzle-orm";
import type { SQLiteTable, SQLiteColumn } from "drizzle-orm/sqlite-core";
import { kinds, prefixOf } from "../kinds.ts";
import type { Database } from "./database.ts";
import {
  botUsers,
  failoverBackends,
  failoverChildren,
  httpResponseBackends,
  ipPolicies,
  tcpEdges,
  tlsEdges,
} from "./schema.ts";

/** An id in a request and where it stands there: a JSON Pointer. */
export interface Reference {
  path: string;
  id: string;
}

/** What requests refer to and must exist, by prefix of the id. Objects of other kinds are managed elsewhere. */
const targets = new Map<string, SQLiteTable & { id: SQLiteColumn }>([
  [kinds.failover_backend.prefix, failoverBackends],
  [kinds.http_response_backend.prefix, httpResponseBackends],
  [kinds.ip_policy.prefix, ipPolicies],
  [kinds.bot_user.prefix, botUsers],
]);

/** One query for each kind that is referred to: `select id …` of those ids that no object has. */
function missing(references: Reference[]): SQL<{ id: string }>[] {
  return [...targets].flatMap(([prefix, table]) => {
    const ids = [...new Set(references.map(({ id }) => id))].filter((id) => prefixOf(id) === prefix);
    const given = sql`json_each(${JSON.stringify(ids)}) as given`;
    return ids.length === 0
      ? []
      : [
          sql<{
            id: string;
          }>`select given.value as id from ${given} where not exists (select 1 from ${table} where ${table.id} = given.value)`,
        ];
  });
}

/** Guard: every referenced object exists. Undefined when there is nothing to check. */
export const allExist = (references: Reference[]): SQL | undefined =>
  and(...missing(references).map((query) => sql`not exists (${query})`));

/** Those of `references` whose object does not exist now, in the order given. */
export async function unknown(db: Database, references: Reference[]): Promise<Reference[]> {
  const queries = missing(references);
  if (queries.length === 0) return [];
  const rows = await db.all<{ id: string }>(sql.join(queries, sql` union all `));
  const ids = new Set(rows.map(({ id }) => id));
  return references.filter(({ id }) => ids.has(id));
}

/** `select id …` of everything that uses the backend `id`, each part answered by an index. */
const users = (id: string): SQL[] => [
  sql`select ${tcpEdges.id} as id from ${tcpEdges} where ${tcpEdges.backend} is not null and ${tcpEdges.backend} ->> 'backend_id' = ${id}`,
  sql`select ${tlsEdges.id} as id from ${tlsEdges} where ${tlsEdges.backend} is not null and ${tlsEdges.backend} ->> 'backend_id' = ${id}`,
  sql`select ${failoverChildren.parent} as id from ${failoverChildren} where ${failoverChildren.child} = ${id}`,
];

/** Guard: no edge and no failover backend uses the backend `id`. */
export const isUnused = (id: string): SQL | undefined =>
  and(...users(id).map((query) => sql`not exists (${query})`));

/** Ids of edges and failover backends that use the backend `id` now, at most `limit`. */
export async function usersOf(db: Database, id: string, limit: number): Promise<string[]> {
  const rows = await db.all<{ id: string }>(sql`${sql.join(users(id), sql` union all `)} limit ${limit}`);
  return rows.map((row) => row.id);
}

/**
 * Guard: none of `children` is the failover backend `id` or contains it, directly or through others. Walks up from `id`
 * through the index over children, which has small rows, rather than down through lists that may be long.
 */
export const isNotWithin = (id: string, children: string[]): SQL<number> => sql`not exists (
  with recursive containing(id) as (
    select ${id}
    union
    select parent from containing join ${failoverChildren} on child = containing.id
  )
  select 1 from containing where containing.id in (select value from json_each(${JSON.stringify(children)}))
)`;
