import { describe, expect, test } from "vitest";

/*
 * Migrations reach D1 as one text, which it splits into statements by itself, differently from wrangler's local splitter.
 * What was reported to break it there (workers-sdk 15690, 15314, 14991, 4727, 3892) works here, so it is looked for in the text.
 */

const files = Object.entries(
  import.meta.glob<string>("../drizzle/*.sql", { query: "?raw", import: "default", eager: true }),
);

/** SQL without its texts and quoted names, in which anything may stand. */
const withoutTexts = (sql: string): string => sql.replace(/'(?:[^']|'')*'|"(?:[^"]|"")*"/g, "''");

const commentsOf = (sql: string): string[] => withoutTexts(sql).match(/--.*|\/\*[^]*?(?:\*\/|$)/g) ?? [];

const codeOf = (sql: string): string => withoutTexts(sql).replace(/--.*|\/\*[^]*?(?:\*\/|$)/g, "");

test("there are migrations to look at, some with triggers", () => {
  expect(files.length).toBeGreaterThanOrEqual(3);
  expect(files.some(([, sql]) => /create trigger/i.test(sql))).toBe(true);
});

describe.each(files)("%s", (_, sql) => {
  test("has LF at the end of each line, of the last one too, and no CR", () => {
    expect(sql).not.toContain("\r");
    expect(sql.endsWith("\n")).toBe(true);
  });

  test("has no semicolon in a comment", () => {
    expect(commentsOf(sql).filter((comment) => comment.includes(";"))).toEqual([]);
  });

  test("has each trigger on one line, without CASE", () => {
    const starts = codeOf(sql).match(/create\s+(?:temp\w*\s+)?trigger\b/gi) ?? [];
    const lines = sql.match(/^CREATE TRIGGER [^\n]* BEGIN [^\n]*; END;$/gm) ?? [];
    expect(lines).toHaveLength(starts.length);
    expect(lines.filter((line) => /\bcase\b/i.test(codeOf(line)))).toEqual([]);
  });

  test("deletes and changes no rows by foreign key: rebuilding a parent table would do it too", () => {
    expect(codeOf(sql)).not.toMatch(/\bon\s+(?:delete|update)\s+(?:cascade|set)\b/i);
  });
});
