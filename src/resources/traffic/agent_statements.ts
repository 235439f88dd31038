import { apiKeys } from "../../db/access_schema.ts";
import { agents as table, events } from "../../db/internal_schema.ts";
import { bare, decoded, decoderOf, join, raw, type Sql, sql, type Statement } from "../../db/statements.ts";
import { isServedType, newestServed } from "../../traffic/snapshot_reads.ts";

/*
 * Agents and the latest status of each. A name belongs to the first key that reports under it, for as long as that key
 * exists.
 */

type Row = typeof table.$inferSelect;

/** An agent, and how far it is behind. */
export interface AgentStanding extends Row {
  /** Number of the newest change. */
  newest: number;
  /**
   * When the first change was made that the agent does not serve yet (milliseconds since the Unix epoch); null if it serves
   * all of them.
   */
  behind_since: number | null;
}

/** The most agents, in total and for one key. */
export const MOST_AGENTS = 1_000;
export const MOST_AGENTS_OF_A_KEY = 10;

/** The columns that a report changes if the agent already exists. */
const reported = join(
  [
    table.key_id,
    table.last_seen,
    table.applied_version,
    table.ok,
    table.error,
    table.problems,
    table.proxy,
    table.edges,
  ].map((column) => sql`${bare(column)} = excluded.${bare(column)}`),
);

/**
 * Writes what an agent reports, and returns a row. Returns none if the name belongs to another key, or if there are too many
 * agents.
 */
export function report(row: Row): Sql {
  const { name, key_id, last_seen, applied_version, ok, error, problems, proxy, edges } = row;
  const nameExists = sql`exists (select 1 from ${table} where ${table.name} = ${name})`;
  const isOwn = sql`exists (select 1 from ${table} where ${table.name} = ${name} and ${table.key_id} = ${key_id})`;
  const others = sql`select count(*) from ${table} where ${table.key_id} = ${key_id} and ${table.name} <> ${name}`;
  // The key that owns the name is this one, or no longer exists. The operator's key has no row, and always exists.
  const isFree = sql`(${table.key_id} = ${key_id} or ${table.key_id} glob 'ak_*' and not exists (select 1 from ${apiKeys} where ${apiKeys.id} = ${table.key_id}))`;
  return sql`insert into ${table} (name, key_id, last_seen, applied_version, ok, error, problems, proxy, edges)
    select ${name}, ${key_id}, ${last_seen}, ${applied_version}, ${ok}, ${error}, ${JSON.stringify(problems)}, ${proxy}, ${edges && JSON.stringify(edges)}
    where (${nameExists} or (select count(*) from ${table}) < ${raw(MOST_AGENTS)})
      and (${isOwn} or (${others}) < ${raw(MOST_AGENTS_OF_A_KEY)})
    on conflict (name) do update set ${reported} where ${isFree} returning name`;
}

const decode = decoderOf(table);

/** @param condition what follows `where` */
const standings = (condition: Sql): Statement<AgentStanding> =>
  decoded(
    sql`select ${table}.*, ${newestServed} as newest,
        case when ifnull(${table.applied_version}, 0) < ${newestServed} then
          (select at from ${events} where seq > ifnull(${table.applied_version}, 0) and ${isServedType} order by seq limit 1)
        end as behind_since
      from ${table} where ${condition}`,
    (row) => {
      const { newest, behind_since } = row;
      return {
        ...decode(row),
        newest: Number(newest ?? 0),
        behind_since: typeof behind_since === "number" ? behind_since : null,
      };
    },
  );

/** An agent that was not seen for longer than this, in milliseconds, is down. Agents report every minute. */
export const SILENT = 180_000;

/** The agent is not down. @param now milliseconds since the Unix epoch */
export const isUp = (now: number): Sql => sql`${table.last_seen} >= ${now - SILENT}`;

/** Reads the agents that are not down, by name. */
export const agentsUp = (now: number): Statement<Row> =>
  decoded(sql`select * from ${table} where ${isUp(now)} order by ${table.name}`, decode);

/** Reads the agent with this name. */
export const findAgent = (name: string): Statement<AgentStanding> => standings(sql`${table.name} = ${name}`);

/** Reads the agents of a page and one more, by name. @param after the last name on the previous page; "" for the first page */
export const agentPage = (after: string, limit: number): Statement<AgentStanding> =>
  standings(sql`${table.name} > ${after} order by ${table.name} limit ${limit + 1}`);

/** An agent with this name exists. */
export const isAgent = (name: string): Sql =>
  sql`exists (select 1 from ${table} where ${table.name} = ${name})`;

/** Deletes an agent; returns a row if there was one. */
export const forgetAgent = (name: string): Sql =>
  sql`delete from ${table} where ${table.name} = ${name} returning name`;
