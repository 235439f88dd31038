/*
 * A D1 binding in memory, for measuring the cost of the service's own code. It reads the columns and their order from
 * the statement and the values from the rows below; `*` stands for all that a row below has. It returns 101 rows for a page, none for a missing id (an id that
 * starts with `edgtcp_none`), and one row for everything else.
 */

type Value = string | number | null;

const id = (prefix: string): string => `${prefix}000000000000000000000000001`;

const rows: Record<string, Record<string, Value>> = {
  tcp_edges: {
    hostports: '["front.example.com:443"]',
    id: id("edgtcp_"),
    backend: `{"enabled":true,"backend_id":"${id("bkdhr_")}"}`,
    ip_restriction: `{"enabled":true,"ip_policy_ids":["${id("ipp_")}","${id("ipp_")}"]}`,
    traffic_policy: null,
  },
};

const shared: Record<string, Value> = {
  id: id("ipp_"),
  created_at: "2026-01-02T03:04:05Z",
  description: "Front door",
  metadata: '{"team":"network"}',
  version: 1,
};

/** The names in `"a", "t"."b"`, in order. */
const namesIn = (list: string): string[] => [...list.matchAll(/"(\w+)"(?!\.)/g)].map(([, name = ""]) => name);

function answer(sql: string, values: unknown[], known: Record<string, Value>): Record<string, Value>[] {
  if (sql.startsWith("select coalesce((select epoch ")) return [{ epoch: "00000000" }];
  if (sql.includes('from "api_keys" as key')) return [known];
  const [, table = ""] = /(?:from|into|update) "(\w+)"/.exec(sql) ?? [];
  const [, list] = /^select (.*?) from "/.exec(sql) ?? / returning (.*)$/.exec(sql) ?? [];
  if (list === undefined || values.some((value) => String(value).startsWith("edgtcp_none"))) return [];
  const from = { ...shared, ...rows[table] };
  const row =
    list === "*" ? from : Object.fromEntries(namesIn(list).map((name) => [name, from[name] ?? null]));
  return Array.from({ length: / order by .* limit \?/.test(sql) ? 101 : 1 }, () => row);
}

/** @param known values of columns that the requests depend on: those of the key that the requests send */
export function memoryDatabase(known: Record<string, Value>): D1Database {
  const answers = new Map<string, Record<string, Value>[]>();
  const statement = (sql: string, values: unknown[]): object => {
    const all = async () => {
      const isThere = !values.some((value) => String(value).startsWith("edgtcp_none"));
      const key = `${isThere} ${sql}`;
      const found = answers.get(key) ?? answer(sql, values, known);
      answers.set(key, found);
      // New objects for each call, as from D1.
      const results = found.map((row) => ({ ...row }));
      return { success: true, results, meta: { rows_read: results.length, rows_written: 0, changes: 1 } };
    };
    return {
      bind: (...given: unknown[]) => statement(sql, given),
      all,
      run: all,
      raw: async () => (await all()).results.map((row) => Object.values(row)),
    };
  };
  const database = {
    prepare: (sql: string) => statement(sql, []),
    batch: (statements: { all: () => Promise<object> }[]) =>
      Promise.all(statements.map((each) => each.all())),
    withSession: () => database,
    getBookmark: () => null,
  };
  // Only the fields that a session uses.
  return database as object as D1Database;
}
