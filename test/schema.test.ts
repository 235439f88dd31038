import { env } from "cloudflare:workers";
import { getTableConfig, SQLiteTable } from "drizzle-orm/sqlite-core";
import { describe, expect, test } from "vitest";
import * as access from "../src/db/access_schema.ts";
import * as internal from "../src/db/internal_schema.ts";
import * as objects from "../src/db/schema.ts";
import { sideTables } from "./support/consistency.ts";

/*
 * The tables that the migrations create must match the Drizzle schema.
 */

const tables = Object.values({ ...objects, ...access, ...internal }).filter(
  (value) => value instanceof SQLiteTable,
);

/** Tables of objects and of modules: their rows have ids. */
const objectTables = tables
  .map((table) => getTableConfig(table))
  .filter(({ columns }) => columns.some(({ name }) => name === "id"));

async function rows<T>(query: string): Promise<T[]> {
  return (await env.DB.prepare(query).all<T>()).results;
}

test("the database has the schema's tables and no others", async () => {
  const found = await rows<{ name: string; wr: number; strict: number }>(
    `select name, wr, strict from pragma_table_list
     where schema = 'main' and type = 'table' and name not like 'sqlite\\_%' escape '\\'
       and name not like '\\_cf\\_%' escape '\\' and name <> 'd1_migrations'`,
  );
  expect(found.map(({ name }) => name).toSorted(), "run npm run db:generate").toEqual(
    tables.map((table) => getTableConfig(table).name).toSorted(),
  );
  // Only the log has rowids, because it needs numbers in commit order.
  for (const { name, wr, strict } of found)
    expect([name, wr, strict]).toEqual([name, name === "events" ? 0 : 1, 1]);
});

describe.each(tables.map((table) => getTableConfig(table)))(
  "$name",
  ({ name, columns, indexes, primaryKeys }) => {
    test("has the schema's columns, in its order", async () => {
      const found = await rows<{ name: string; type: string; notnull: number; pk: number }>(
        `select name, type, "notnull", pk from pragma_table_xinfo('${name}')`,
      );
      const composite = primaryKeys.flatMap((key) => key.columns.map((column) => column.name));
      const expected = columns.map((column) => ({
        name: column.name,
        type: column.getSQLType().toUpperCase(),
        notnull: column.notNull ? 1 : 0,
        pk: column.primary ? 1 : composite.indexOf(column.name) + 1,
      }));
      expect(found, "run npm run db:generate; new columns come last in src/db/schema.ts").toEqual(expected);
    });

    test("has the schema's indexes", async () => {
      const found = await rows<{ name: string }>(
        `select name from pragma_index_list('${name}') where origin = 'c'`,
      );
      expect(found.map((index) => index.name).toSorted(), "run npm run db:generate").toEqual(
        indexes.map((index) => index.config.name).toSorted(),
      );
    });
  },
);

test("every object has a version, which is 1 in rows that are older than the column", async () => {
  for (const { name } of objectTables) {
    const found = await rows<{ dflt_value: string }>(
      `select dflt_value from pragma_table_xinfo('${name}') where name = 'version'`,
    );
    expect(found, name).toEqual([{ dflt_value: "1" }]);
  }
});

test("no table has foreign keys", async () => {
  for (const table of tables) {
    const keys = await rows(`select * from pragma_foreign_key_list('${getTableConfig(table).name}')`);
    expect(keys).toEqual([]);
  }
});

test("every table without ids has consistency rules", () => {
  const names = new Set(objectTables.map(({ name }) => name));
  const others = tables.map((table) => getTableConfig(table).name).filter((name) => !names.has(name));
  expect(others.toSorted(), "add it to `sideTables` in test/support/consistency.ts").toEqual(
    Object.keys(sideTables).toSorted(),
  );
});
