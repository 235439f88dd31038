// Writes the whole database into a file from which `wrangler d1 execute --file` restores it byte for byte:
// npm run backup -- --remote --output backup.sql [--config wrangler.toml]
//
// The file is D1's export with its errors corrected. As D1 exports it, a row of more than 100 KB is one statement that D1
// then rejects (https://github.com/cloudflare/workerd/issues/3049), a string with both a line break and the two characters
// \n is restored with two line breaks (https://github.com/cloudflare/workers-sdk/issues/9042), a NUL ends the statement,
// and wrangler rejects any file that contains the words BEGIN TRANSACTION.
//
// The export is read line by line, twice: to find the rows with ambiguous strings, and to correct them. Only
// these rows are queried, by key range, so that no table is scanned twice and memory use is small.
import { createReadStream, createWriteStream, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { parseArgs } from "node:util";
import { is } from "drizzle-orm";
import { getTableConfig, SQLiteTable } from "drizzle-orm/sqlite-core";
import * as z from "zod";
import * as access from "../src/db/access_schema.ts";
import * as internal from "../src/db/internal_schema.ts";
import * as objects from "../src/db/schema.ts";
import { type Source, wrangler } from "./d1.ts";

const USAGE = "Usage: npm run backup -- --remote|--local --output backup.sql [--config wrangler.toml]";
const STATEMENT_BYTES = 90_000;
/** The size of a part, before it is written as hexadecimal digits. */
const PART_BYTES = 40_000;
/** If a statement is too long, values longer than this are assembled from parts. */
const LONG_BYTES = 1_000;
const PARTS = "backup_parts";
/** One query scans at most this much of the export, because it has a limit of 30 seconds. */
const SCANNED_BYTES = 128_000_000;
/** One query returns at most this much of the export, because D1 and this process keep it in memory. */
const RESULT_BYTES = 16_000_000;

/** A row's version, and its strings that are ambiguous in the export. */
const Row = z.object({ version: z.number() }).catchall(z.string().nullable());
type Row = z.output<typeof Row>;
const Answers = z.array(z.object({ results: z.array(Row) }));

/**
 * The columns of the primary key and the text columns, by table of objects. JSON columns and keys are not included, because
 * they contain no line breaks.
 */
const columnsOf = new Map(
  Object.values({ ...objects, ...access, ...internal }).flatMap(
    (table): [string, { keys: string[]; texts: string[] }][] => {
      if (!is(table, SQLiteTable)) return [];
      const { name, columns, primaryKeys } = getTableConfig(table);
      if (!columns.some((column) => column.name === "id")) return [];
      const [composite] = primaryKeys;
      const keys = (composite?.columns ?? columns.filter(({ primary }) => primary)).map(
        (column) => column.name,
      );
      const texts = columns.filter(({ dataType, name }) => dataType === "string" && !keys.includes(name));
      return [[name, { keys, texts: texts.map((column) => column.name) }]];
    },
  ),
);

/** Separates the ids in a key. It sorts before all characters in ids, so keys sort like their ids. */
const KEY_SEPARATOR = "/";

/** The objects in a table between two keys, and the number of ambiguous objects. */
interface Range {
  table: string;
  first: string;
  last: string;
  ambiguous: number;
}

/** The rows in a range that have line breaks in their strings, by key. */
function rowsWithBreaks(source: Source, { table, first, last }: Range): Map<string, Row> {
  const { keys = [], texts = [] } = columnsOf.get(table) ?? {};
  const valuesOf = (key: string) =>
    key
      .split(KEY_SEPARATOR)
      .map((id) => `'${id}'`)
      .join(", ");
  const confused = texts.map(
    (name) =>
      `CASE WHEN instr(${name}, char(10)) AND instr(${name}, '\\n') OR instr(${name}, char(13)) AND instr(${name}, '\\r') THEN ${name} END AS ${name}`,
  );
  const hasBreak = texts.map((name) => `instr(${name}, char(10)) OR instr(${name}, char(13))`).join(" OR ");
  const key = keys.join(", ");
  const query = `SELECT ${[key, "version", ...confused].join(", ")} FROM ${table} WHERE (${key}) >= (${valuesOf(first)}) AND (${key}) <= (${valuesOf(last)}) AND (${hasBreak})`;
  const answers = Answers.parse(JSON.parse(wrangler(source, "execute", "DB", "--json", "--command", query)));
  const rows = answers.flatMap(({ results }) => results);
  return new Map(rows.map((row) => [keys.map((name) => row[name]).join(KEY_SEPARATOR), row]));
}

/** The lines of a file, split only at \n. They can have any length. */
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

/**
 * A cell in the export: a string, which contained line breaks if it is wrapped in `replace`, or SQL that is copied unchanged (a
 * number, a blob, NULL).
 */
type Cell = { text: string; hadBreaks: boolean } | { sql: string };

/** Parses `VALUES(…);`: literals, whose strings can be wrapped in `replace(…,'\n',char(10))`. */
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
    if (!found) throw new Error(`unexpected syntax in the export: ${sql.slice(at, at + 40)}`);
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

/** A string as the export would restore it. */
function asRestored(text: string): string {
  const returned = text.includes("\r") ? text.replaceAll("\\r", "\r") : text;
  return text.includes("\n") ? returned.replaceAll("\\n", "\n") : returned;
}

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);

const asHex = (bytes: Uint8Array): string =>
  `CAST(X'${Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("")}' AS TEXT)`;

/** The SQL for a string. Strings with control characters are written as bytes, which no reader can misinterpret. */
const asLiteral = (text: string): string =>
  /\p{Cc}|BEGIN TRANSACTION/u.test(text) ? asHex(utf8(text)) : `'${text.replaceAll("'", "''")}'`;

/** Divides a string into parts, between characters. */
function* partsOf(text: string): Generator<Uint8Array> {
  const bytes = utf8(text);
  for (let start = 0, end = 0; start < bytes.length; start = end) {
    end = Math.min(start + PART_BYTES, bytes.length);
    while (((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1;
    yield bytes.subarray(start, end);
  }
}

/** The INSERT of a row in the export. */
interface Insert {
  head: string;
  table: string;
  /** The names of the columns. */
  names: string[];
  cells: Cell[];
}

/** The row in a line that may need correction; undefined for a line that is copied unchanged. */
function insertOf(line: string): Insert | undefined {
  const isShort = line.length * 3 <= STATEMENT_BYTES || utf8(line).length <= STATEMENT_BYTES;
  if (isShort && !/replace\(|\0|BEGIN TRANSACTION/.test(line)) return undefined;
  const [head = "", table = "", columns = ""] = /^INSERT INTO "(\w+)" \(([^)]*)\) VALUES\(/.exec(line) ?? [];
  if (head === "") return undefined;
  const names = columns.split(",").map((name) => name.slice(1, -1));
  return { head, table, names, cells: cellsOf(line.slice(head.length)) };
}

/**
 * True for a row with an ambiguous string: the export does not show which line breaks are real and which are the characters \n.
 */
const isAmbiguous = ({ cells }: Insert): boolean =>
  cells.some((cell) => "text" in cell && cell.hadBreaks && /\n[^]*\n|\r[^]*\r/.test(cell.text));

/** The cell in a column. */
function cellOf({ names, cells }: Insert, name: string): string {
  const cell = cells[names.indexOf(name)];
  if (!cell) throw new Error(`The export has a row without ${name}.`);
  return "text" in cell ? cell.text : cell.sql;
}

/** The primary key of a row: its id, for a route after the id of its edge. */
const keyOf = (row: Insert): string =>
  (columnsOf.get(row.table)?.keys ?? ["id"]).map((name) => cellOf(row, name)).join(KEY_SEPARATOR);

/** Ranges that cover every ambiguous row, in the order of the export, which may differ from the order of keys. */
async function ambiguousRanges(file: string): Promise<Range[]> {
  const ranges: Range[] = [];
  let [scanned, given] = [0, 0];
  for await (const line of linesOf(file)) {
    scanned += line.length;
    const row = insertOf(line);
    if (!row || !isAmbiguous(row)) continue;
    given += line.length;
    const [key, range] = [keyOf(row), ranges.at(-1)];
    if (range?.table === row.table && scanned <= SCANNED_BYTES && given <= RESULT_BYTES) {
      if (key < range.first) range.first = key;
      if (key > range.last) range.last = key;
      range.ambiguous += 1;
      continue;
    }
    ranges.push({ table: row.table, first: key, last: key, ambiguous: 1 });
    [scanned, given] = [line.length, line.length];
  }
  return ranges;
}

/** The cells of an ambiguous row, with the strings in `known`. @throws if the row was changed since the export */
function corrected(row: Insert, known: Map<string, Row>): Cell[] {
  const key = keyOf(row);
  const { version, ...texts } = known.get(key) ?? { version: 0 };
  const exact = new Map(Object.entries(texts));
  if (cellOf(row, "version") !== String(version))
    throw new Error(`${key} was changed during the backup: run it again.`);
  return row.cells.map((cell, index) => {
    const text = exact.get(row.names[index] ?? "");
    if (!("text" in cell) || typeof text !== "string" || text === cell.text) return cell;
    if (asRestored(text) !== cell.text) throw new Error(`The export does not match ${key} in the database.`);
    return { ...cell, text };
  });
}

/** The corrected lines of the export. */
async function* correctedLines(source: Source, file: string): AsyncGenerator<string> {
  const ranges = await ambiguousRanges(file);
  let [known, left] = [new Map<string, Row>(), 0];
  let parts = 0;
  for await (const line of linesOf(file)) {
    const row = insertOf(line);
    if (!row) {
      yield `${line}\n`;
      continue;
    }
    let { cells } = row;
    if (isAmbiguous(row)) {
      const range = left === 0 ? ranges.shift() : undefined;
      if (range) [known, left] = [rowsWithBreaks(source, range), range.ambiguous];
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
    // Anyone who can read the file sees every object and the hashes of keys.
    await pipeline(
      Readable.from(correctedLines(source, exported)),
      createWriteStream(output, { mode: 0o600 }),
    );
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
    help: { type: "boolean", default: false },
  },
});
if (options.help) console.info(USAGE);
else if (options.output === undefined || options.remote === options.local) {
  console.error(USAGE);
  process.exitCode = 1;
} else {
  await backup({ place: options.remote ? "--remote" : "--local", config: options.config }, options.output);
  console.info(`Wrote ${options.output}.`);
}
