import { eq, sql } from "drizzle-orm";
import { agents as table, apiKeys, events } from "./schema.ts";
import { decoderOf, draft, placeholders, raw, type Statement, statement } from "./statements.ts";

/*
 * What serves traffic, and how it stands. A name belongs to the key that wrote it first, for as long as there is that key.
 */

type Row = typeof table.$inferSelect;

/** An agent, and how far it is behind. */
export interface Standing extends Row {
  /** Number of the newest change. */
  newest: number;
  /** When the first change was made that it does not serve (milliseconds since the Unix epoch); null if it serves all. */
  behind_since: number | null;
}

/** The most agents, in all and of one key. */
export const MOST_AGENTS = 1_000;
export const MOST_AGENTS_OF_A_KEY = 10;

/** The key that owns a name is this one, or does not exist any more. The operator's key has no row, and always exists. */
const isFree = sql`(${table.key_id} = ${sql.placeholder("key_id")} or ${table.key_id} glob 'ak_*' and not exists (select 1 from ${apiKeys} where ${apiKeys.id} = ${table.key_id}))`;
const name = sql.placeholder("name");

/**
 * Writes what an agent reports, and returns a row; none if the name belongs to another key, or there are too many agents.
 */
export const report = (row: Row): Statement =>
  statement(
    "agent reports",
    () => {
      const own = sql`select count(*) from ${table} where ${table.key_id} = ${sql.placeholder("key_id")} and ${table.name} <> ${name}`;
      const isThere = sql`exists (select 1 from ${table} where ${table.name} = ${name})`;
      const values = sql.join(Object.values(placeholders(table)), sql`, `);
      const reported = ["key_id", "last_seen", "applied_version", "ok", "error", "problems", "proxy"].map(
        (column) => sql`${sql.identifier(column)} = ${sql.raw(`excluded.${column}`)}`,
      );
      return raw(sql`insert into ${table} select ${values}
        where (${isThere} or (select count(*) from ${table}) < ${sql.raw(String(MOST_AGENTS))})
          and (exists (select 1 from ${table} where ${table.name} = ${name} and ${table.key_id} = ${sql.placeholder("key_id")})
            or (${own}) < ${sql.raw(String(MOST_AGENTS_OF_A_KEY))})
        on conflict (name) do update set ${sql.join(reported, sql`, `)} where ${isFree} returning name`);
    },
    row,
  );

const decode = decoderOf(table);

const standings = (
  shape: string,
  condition: ReturnType<typeof sql>,
  values: Record<string, unknown>,
): Statement<Standing> => ({
  ...statement(
    `agents ${shape}`,
    () =>
      raw(sql`select ${table}.*, (select max(seq) from ${events}) as newest,
          (select at from ${events} where seq > ifnull(${table.applied_version}, 0) order by seq limit 1) as behind_since
        from ${table} where ${condition}`),
    values,
  ),
  decode: (row) => {
    const { newest, behind_since } = row;
    return {
      ...decode(row),
      newest: Number(newest ?? 0),
      behind_since: typeof behind_since === "number" ? behind_since : null,
    };
  },
});

/** The agent of this name. */
export const findAgent = (name: string): Statement<Standing> =>
  standings("by name", sql`${table.name} = ${sql.placeholder("name")}`, { name });

/** The agents on a page and one more, by name. @param after the name before them; "" for the first page */
export const agentPage = (after: string, limit: number): Statement<Standing> =>
  standings(
    "after",
    sql`${table.name} > ${sql.placeholder("after")} order by ${table.name} limit ${sql.placeholder("limit")}`,
    {
      after,
      limit: limit + 1,
    },
  );

/** Forgets an agent; returns a row if there was one. */
export const forgetAgent = (name: string): Statement =>
  statement(
    "forget agent",
    () =>
      draft
        .delete(table)
        .where(eq(table.name, sql.placeholder("name")))
        .returning({ name: table.name }),
    { name },
  );
