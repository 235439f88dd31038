// Writes the whole database into a file that `wrangler d1 execute --file` restores, to the byte:
// npm run backup -- --remote --output backup.sql [--config wrangler.toml]
//
// It is the export of D1, mended. As D1 writes it, a row of more than 100 KB is one statement that D1 then refuses to
// read (https://github.com/cloudflare/workerd/issues/3049), a text with both a line break and the two characters \n
// comes back with two line breaks (https://github.com/cloudflare/workers-sdk/issues/9042), a NUL ends the statement,
// and wrangler refuses any file with the words BEGIN TRANSACTION.
import { createReadStream, createWriteStream, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { isDeepStrictEqual, parseArgs } from "node:util";
import { is } from "drizzle-orm";
import { getTableConfig, SQLiteTable } from "drizzle-orm/sqlite-core";
import * as z from "zod";
import * as schema from "../src/db/schema.ts";
import { type Source, wrangler } from "./d1.ts";

const USAGE = "Usage: npm run backup -- --remote|--local --output backup.sql [--config wrangler.toml]";
const STATEMENT_BYTES = 90_000;
/** A part is written as hexadecimal digits. */
const PART_BYTES = 40_000;
/** Longer values of a statement that is too long are put together from parts. */
const LONG_BYTES = 1_000;
const PARTS = "backup_parts";

const Answers = z.array(z.object({ results: z.array(z.record(z.string(), z.string().nullable())) }));

/** Texts that the export confuses: by `table id column`. Columns of JSON have no line breaks of their own. */
function confused(source: Source): Map<string, string | null> {
  const queries = Object.values(schema).flatMap((table) => {
    if (!is(table, SQLiteTable)) return [];
    const { name: tableName, columns } = getTableConfig(table);
    const texts = columns.filter(({ dataType }) => dataType === "string").map(({ name }) => name);
    if (!texts.includes("id")) return [];
    const both = texts.flatMap((name) => [
      `instr(${name}, char(10)) AND instr(${name}, '\\n')`,
      `instr(${name}, char(13)) AND instr(${name}, '\\r')`,
    ]);
    const where = both.join(" OR ");
    return [
      `SELECT '${tableName}' AS "table", ${texts.join(", ")} FROM ${tableName} WHERE ${where} ORDER BY id`,
    ];
  });
  const output = wrangler(source, "execute", "DB", "--json", "--command", queries.join("; "));
  const answers = Answers.parse(JSON.parse(output));
  if (answers.length !== queries.length) throw new Error("D1 did not answer each query");
  return new Map(
    answers.flatMap(({ results }) =>
      results.flatMap(({ table, ...texts }) =>
        Object.entries(texts).map(([column, text]): [string, string | null] => [
          `${table} ${texts["id"]} ${column}`,
          text,
        ]),
      ),
    ),
  );
}

/** The lines of a file, of any length, without their \n and no other ends. */
async function* linesOf(file: string): AsyncGenerator<string> {
  let rest = "";
  for await (const chunk of createReadStream(file, { encoding: "utf8" })) {
    const lines = `${rest}${chunk}`.split("\n");
    rest = lines.pop() ?? "";
    yield* lines;
  }
  if (rest !== "") yield rest;
}

/** A cell as the export writes it: a text, or SQL that stays as it is (a number, a blob, NULL). */
type Cell = { text: string } | { sql: string };

/** Reads `VALUES(…);`: literals, of which texts may stand in `replace(…,'\n',char(10))`. */
function cellsOf(sql: string): Cell[] {
  let at = 0;
  const take = (pattern: RegExp): RegExpExecArray | undefined => {
    const sticky = new RegExp(pattern, "y");
    sticky.lastIndex = at;
    const found = sticky.exec(sql);
    if (found) at = sticky.lastIndex;
    return found ?? undefined;
  };
  const expect = (pattern: RegExp): RegExpExecArray => {
    const found = take(pattern);
    if (!found) throw new Error(`the export has an unknown form: ${sql.slice(at, at + 40)}`);
    return found;
  };
  const text = (): string => {
    if (take(/replace\(/)) {
      const inner = text();
      const [, mark = "", code] = expect(/,'([^']*)',char\((\d+)\)\)/);
      return inner.replaceAll(mark, String.fromCharCode(Number(code)));
    }
    const [, quoted = ""] = expect(/'((?:[^']|'')*)'/);
    return quoted.replaceAll("''", "'");
  };
  const cells: Cell[] = [];
  do {
    const [sqlOfCell] = take(/NULL|X'[0-9a-f]*'|-?[0-9][0-9.e+-]*/) ?? [];
    cells.push(sqlOfCell === undefined ? { text: text() } : { sql: sqlOfCell });
  } while (take(/,/));
  expect(/\);$/);
  return cells;
}

/** A text as it comes out of the export that confuses it. */
function asConfused(text: string): string {
  const returned = text.includes("\r") ? text.replaceAll("\\r", "\r") : text;
  return text.includes("\n") ? returned.replaceAll("\\n", "\n") : returned;
}

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);

const asHex = (bytes: Uint8Array): string =>
  `CAST(X'${Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("")}' AS TEXT)`;

/** Texts with control characters are written as bytes: no reader can take them for anything else. */
const asLiteral = (text: string): string =>
  /\p{Cc}|BEGIN TRANSACTION/u.test(text) ? asHex(utf8(text)) : `'${text.replaceAll("'", "''")}'`;

/** The parts of a text, cut between characters. */
function* partsOf(text: string): Generator<Uint8Array> {
  const bytes = utf8(text);
  for (let start = 0, end = 0; start < bytes.length; start = end) {
    end = Math.min(start + PART_BYTES, bytes.length);
    while (((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1;
    yield bytes.subarray(start, end);
  }
}

/** The export's lines, mended. */
async function* mended(file: string, exact: Map<string, string | null>): AsyncGenerator<string> {
  let parts = 0;
  for await (const line of linesOf(file)) {
    const [head = "", table = "", columns = ""] =
      /^INSERT INTO "(\w+)" \(([^)]*)\) VALUES\(/.exec(line) ?? [];
    const isFine = utf8(line).length <= STATEMENT_BYTES && !/replace\(|\0|BEGIN TRANSACTION/.test(line);
    if (head === "" || isFine) {
      yield `${line}\n`;
      continue;
    }
    const names = columns.split(",").map((name) => name.slice(1, -1));
    const cells = cellsOf(line.slice(head.length));
    const id = cells[names.indexOf("id")];
    const texts = cells.map((cell, index) => {
      if (!("text" in cell) || !id || !("text" in id)) return cell;
      const text = exact.get(`${table} ${id.text} ${names[index]}`);
      if (typeof text !== "string" || text === cell.text) return cell;
      if (asConfused(text) !== cell.text) throw new Error(`The export and ${table} ${id.text} differ.`);
      return { text };
    });
    const literals = texts.map((cell) => ("text" in cell ? asLiteral(cell.text) : cell.sql));
    const isLong = utf8(head + literals.join(",")).length > STATEMENT_BYTES;
    for (const [index, cell] of texts.entries()) {
      if (!isLong || !("text" in cell) || utf8(cell.text).length <= LONG_BYTES) continue;
      if (parts === 0) yield `CREATE TABLE ${PARTS} (n INTEGER PRIMARY KEY, part TEXT NOT NULL);\n`;
      const first = parts + 1;
      for (const part of partsOf(cell.text)) {
        parts += 1;
        yield `INSERT INTO ${PARTS} VALUES(${parts},${asHex(part)});\n`;
      }
      literals[index] =
        `(SELECT group_concat(part, '' ORDER BY n) FROM ${PARTS} WHERE n BETWEEN ${first} AND ${parts})`;
    }
    yield `${head}${literals.join(",")});\n`;
  }
  if (parts > 0) yield `DROP TABLE ${PARTS};\n`;
}

async function backup(source: Source, output: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "edge-configuration-backup-"));
  const exported = join(folder, "export.sql");
  try {
    const exact = confused(source);
    wrangler(source, "export", "DB", "--output", exported);
    if (!isDeepStrictEqual(confused(source), exact))
      throw new Error("Texts changed meanwhile: run it again.");
    // Whoever reads the file sees every object, and the hashes of keys.
    await pipeline(Readable.from(mended(exported, exact)), createWriteStream(output, { mode: 0o600 }));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const { values: options } = parseArgs({
  options: {
    remote: { type: "boolean", default: false },
    local: { type: "boolean", default: false },
    output: { type: "string" },
    config: { type: "string", default: "wrangler.toml" },
  },
});
if (options.output === undefined || options.remote === options.local) {
  console.error(USAGE);
  process.exitCode = 1;
} else {
  await backup({ place: options.remote ? "--remote" : "--local", config: options.config }, options.output);
  console.info(`Wrote ${options.output}.`);
}
