import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { measureRoutes } from "../../src/resources/edges/https_route_statements.ts";
import { fill, fillRoutes, WHOLE_EDGES, wholeEdge } from "./operations.ts";
import { fillServed, type Ports, type Size } from "./served.ts";

const BREAK = /(?<=;)\s*\n(?!\s)/;

/** The statements of the migrations, in order. Triggers contain semicolons, but only indented lines follow those. */
const migrations = (): string[] =>
  readdirSync("drizzle")
    .filter((name) => name.endsWith(".sql"))
    .toSorted()
    .flatMap((name) => statementsOf(readFileSync(join("drizzle", name), "utf8")));

function statementsOf(sql: string): string[] {
  const statements: string[] = [];
  let open = "";
  for (const part of sql.replace(/^\s*--.*$/gm, "").split(BREAK)) {
    open += `${part}\n`;
    const isInTrigger = /create trigger/i.test(open) && !/\bend;\s*$/i.test(open);
    if (isInTrigger || open.trim() === "") continue;
    statements.push(open.trim());
    open = "";
  }
  return statements;
}

/** Creates the tables and fills them with the objects 1 to `objects`. */
export async function prepare(db: D1Database, objects: number): Promise<void> {
  await db.batch(migrations().map((statement) => db.prepare(statement)));
  await grow(db, 1, objects);
}

/** Adds the objects `from` to `to` of each kind. */
export async function grow(db: D1Database, from: number, to: number): Promise<void> {
  for (let start = from; start <= to; start += 100_000)
    for (const statement of fill(start, Math.min(to, start + 99_999))) await db.prepare(statement).run();
}

/** Creates the tables and fills them with a configuration to serve: see {@link fillServed}. */
export async function prepareServed(db: D1Database, size: Size, ports: Ports): Promise<void> {
  await prepare(db, 0);
  for (const statement of fillServed(size, ports)) await db.prepare(statement).run();
}

/** Adds HTTPS edges with 100 routes each: see {@link fillRoutes}. */
export async function growRoutes(db: D1Database): Promise<void> {
  for (const statement of fillRoutes()) await db.prepare(statement).run();
  for (let n = 1; n <= WHOLE_EDGES; n++) {
    const { text, params } = measureRoutes(wholeEdge(n));
    await db
      .prepare(text)
      .bind(...params)
      .run();
  }
}
