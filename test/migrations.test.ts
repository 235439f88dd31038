import { describe, expect, test } from "vitest";

/*
 * D1 receives a migration as one string and splits it into statements differently from wrangler's local splitter.
 * Migrations that are reported to break D1's splitter (workers-sdk 15690, 15314, 14991, 4727, 3892) work locally, so
 * these tests search the SQL for the reported causes.
 */

const files = Object.entries(
  import.meta.glob<string>("../drizzle/*.sql", { query: "?raw", import: "default", eager: true }),
);

/** SQL without its string literals and quoted names, which can contain anything. */
const withoutTexts = (sql: string): string => sql.replace(/'(?:[^']|'')*'|"(?:[^"]|"")*"/g, "''");

const commentsOf = (sql: string): string[] => withoutTexts(sql).match(/--.*|\/\*[^]*?(?:\*\/|$)/g) ?? [];

const codeOf = (sql: string): string => withoutTexts(sql).replace(/--.*|\/\*[^]*?(?:\*\/|$)/g, "");

test("there are migrations to check, some with triggers", () => {
  expect(files.length).toBeGreaterThanOrEqual(3);
  expect(files.some(([, sql]) => /create trigger/i.test(sql))).toBe(true);
});

describe.each(files)("%s", (_, sql) => {
  test("ends every line with LF, including the last one, and has no CR", () => {
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

  test("has no foreign key that deletes or changes rows, because rebuilding the parent table would trigger it", () => {
    expect(codeOf(sql)).not.toMatch(/\bon\s+(?:delete|update)\s+(?:cascade|set)\b/i);
  });
});
