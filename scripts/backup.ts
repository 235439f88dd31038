// Writes the whole database into a file that `wrangler d1 execute --file` restores, to the byte:
// npm run backup -- --remote --output backup.sql [--config wrangler.toml]
//
// It is the export of D1, mended. As D1 writes it, a row of more than 100 KB is one statement that D1 then refuses to
// read (https://github.com/cloudflare/workerd/issues/3049), a text with both a line break and the two characters \n
// comes back with two line breaks (https://github.com/cloudflare/workers-sdk/issues/9042), a NUL ends the statement,
// and wrangler refuses any file with the words BEGIN TRANSACTION.
//
// The export goes through line by line, twice: to find the rows with texts that it may have confused, and to mend them. The
// database is asked for these rows alone, by ranges of ids, so that no table is looked through twice and little is held.
import { createReadStream, createWriteStream, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { parseArgs } from "node:util";
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
/** Of the export, looked through by one query, which may take 30 seconds. */
const LOOKED_THROUGH_BYTES = 128_000_000;
/** Of the export, rows that one query may give: D1 and this process hold them in memory. */
const GIVEN_BYTES = 16_000_000;

/** A row's version, and its texts that the export confuses. */
const Row = z.object({ id: z.string(), version: z.number() }).catchall(z.string().nullable());
type Row = z.output<typeof Row>;
const Answers = z.array(z.object({ results: z.array(Row) }));

/** Columns of text by the table of objects that has them. Those of JSON have no line breaks of their own, nor have ids. */
const textColumns = new Map(
  Object.values(schema).flatMap((table): [string, string[]][] => {
    if (!is(table, SQLiteTable)) return [];
    const { name, columns } = getTableConfig(table);
    const texts = columns.filter(({ dataType, name }) => dataType === "string" && name !== "id");
    const hasId = columns.some((column) => column.name === "id");
    return hasId ? [[name, texts.map((column) => column.name)]] : [];
  }),
);

/** Objects of one table, from an id to an id, and how many of them are doubtful. */
interface Range {
  table: string;
  first: string;
  last: string;
  doubtful: number;
}

/** The rows of a range that have line breaks in texts, by id. */
function rowsWithBreaks(source: Source, { table, first, last }: Range): Map<string, Row> {
  const texts = textColumns.get(table) ?? [];
  const confused = texts.map(
    (name) =>
      `CASE WHEN instr(${name}, char(10)) AND instr(${name}, '\\n') OR instr(${name}, char(13)) AND instr(${name}, '\\r') THEN ${name} END AS ${name}`,
  );
  const hasBreak = texts.map((name) => `instr(${name}, char(10)) OR instr(${name}, char(13))`).join(" OR ");
  const query = `SELECT ${["id", "version", ...confused].join(", ")} FROM ${table} WHERE id BETWEEN '${first}' AND '${last}' AND (${hasBreak})`;
  const answers = Answers.parse(JSON.parse(wrangler(source, "execute", "DB", "--json", "--command", query)));
  return new Map(answers.flatMap(({ results }) => results).map((row) => [row.id, row]));
}

/** The lines of a file, of any length, without their \n and no other ends. */
async function* linesOf(file: string): AsyncGenerator<string> {
  let begun: string[] = [];
  for await (const chunk of createReadStream(file, { encoding: "utf8", highWaterMark: 1_000_000 })) {
    const [first = "", ...others] = `${chunk}`.split("\n");
    begun.push(first);
    for (const other of others) {
      yield begun.join("");
      begun = [other];
    }
  }
  const rest = begun.join("");
  if (rest !== "") yield rest;
}

/** A cell as the export writes it: a text, which had breaks if `replace` makes them, or SQL that stays as it is (a number, a blob, NULL). */
type Cell = { text: string; hadBreaks: boolean } | { sql: string };

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
    cells.push(
      sqlOfCell === undefined
        ? { hadBreaks: sql.startsWith("replace(", at), text: text() }
        : { sql: sqlOfCell },
    );
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

/** A row's INSERT of the export. */
interface Insert {
  head: string;
  table: string;
  /** Names of its columns. */
  names: string[];
  cells: Cell[];
}

/** The row of a line that is to be looked at; undefined for a line that stays as it is. */
function insertOf(line: string): Insert | undefined {
  const isShort = line.length * 3 <= STATEMENT_BYTES || utf8(line).length <= STATEMENT_BYTES;
  if (isShort && !/replace\(|\0|BEGIN TRANSACTION/.test(line)) return undefined;
  const [head = "", table = "", columns = ""] = /^INSERT INTO "(\w+)" \(([^)]*)\) VALUES\(/.exec(line) ?? [];
  if (head === "") return undefined;
  const names = columns.split(",").map((name) => name.slice(1, -1));
  return { head, table, names, cells: cellsOf(line.slice(head.length)) };
}

/** True for a row that the export may have confused: of several line breaks in a text, it does not tell which ones are. */
const isDoubtful = ({ cells }: Insert): boolean =>
  cells.some((cell) => "text" in cell && cell.hadBreaks && /\n[^]*\n|\r[^]*\r/.test(cell.text));

/** A cell by its column's name. */
function cellOf({ names, cells }: Insert, name: string): string {
  const cell = cells[names.indexOf(name)];
  if (!cell) throw new Error(`The export has a row without ${name}.`);
  return "text" in cell ? cell.text : cell.sql;
}

/** Ranges that have every doubtful row, in the order of the export: of ids, as it happens, but that is not relied on. */
async function doubtfulRanges(file: string): Promise<Range[]> {
  const ranges: Range[] = [];
  let [lookedThrough, given] = [0, 0];
  for await (const line of linesOf(file)) {
    lookedThrough += line.length;
    const row = insertOf(line);
    if (!row || !isDoubtful(row)) continue;
    given += line.length;
    const [id, range] = [cellOf(row, "id"), ranges.at(-1)];
    if (range?.table === row.table && lookedThrough <= LOOKED_THROUGH_BYTES && given <= GIVEN_BYTES) {
      if (id < range.first) range.first = id;
      if (id > range.last) range.last = id;
      range.doubtful += 1;
      continue;
    }
    ranges.push({ table: row.table, first: id, last: id, doubtful: 1 });
    [lookedThrough, given] = [line.length, line.length];
  }
  return ranges;
}

/** A doubtful row's cells, as `known` has them. @throws when the row was changed since it was exported */
function corrected(row: Insert, known: Map<string, Row>): Cell[] {
  const id = cellOf(row, "id");
  const { version, ...texts } = known.get(id) ?? { version: 0 };
  const exact = new Map(Object.entries(texts));
  if (cellOf(row, "version") !== String(version))
    throw new Error(`${id} was changed meanwhile: run it again.`);
  return row.cells.map((cell, index) => {
    const text = exact.get(row.names[index] ?? "");
    if (!("text" in cell) || typeof text !== "string" || text === cell.text) return cell;
    if (asConfused(text) !== cell.text) throw new Error(`The export and ${id} differ.`);
    return { ...cell, text };
  });
}

/** The export's lines, mended. */
async function* mended(source: Source, file: string): AsyncGenerator<string> {
  const ranges = await doubtfulRanges(file);
  let [known, left] = [new Map<string, Row>(), 0];
  let parts = 0;
  for await (const line of linesOf(file)) {
    const row = insertOf(line);
    if (!row) {
      yield `${line}\n`;
      continue;
    }
    let { cells } = row;
    if (isDoubtful(row)) {
      const range = left === 0 ? ranges.shift() : undefined;
      if (range) [known, left] = [rowsWithBreaks(source, range), range.doubtful];
      left -= 1;
      cells = corrected(row, known);
    }
    const literals = cells.map((cell) => ("text" in cell ? asLiteral(cell.text) : cell.sql));
    const isLong = utf8(row.head + literals.join(",")).length > STATEMENT_BYTES;
    for (const [index, cell] of cells.entries()) {
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
    yield `${row.head}${literals.join(",")});\n`;
  }
  if (parts > 0) yield `DROP TABLE ${PARTS};\n`;
}

async function backup(source: Source, output: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "edge-configuration-backup-"));
  const exported = join(folder, "export.sql");
  try {
    wrangler(source, "export", "DB", "--output", exported);
    // Whoever reads the file sees every object, and the hashes of keys.
    await pipeline(Readable.from(mended(source, exported)), createWriteStream(output, { mode: 0o600 }));
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
