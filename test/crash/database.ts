import { copyFileSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { databaseFolder } from "../workerd.ts";

/** What must find no row, in words and in SQL. */
const mustBeEmpty: [string, string][] = [
  [
    "a list of children that its index does not have",
    "SELECT DISTINCT value, parent.id FROM failover_backends AS parent, json_each(backends) EXCEPT SELECT child, parent FROM failover_children",
  ],
  [
    "an index entry of a child that no list has",
    "SELECT child, parent FROM failover_children EXCEPT SELECT DISTINCT value, parent.id FROM failover_backends AS parent, json_each(backends)",
  ],
  [
    "a failover backend whose child is gone",
    "SELECT parent, child FROM failover_children WHERE child NOT IN (SELECT id FROM failover_backends UNION ALL SELECT id FROM http_response_backends)",
  ],
  ...["tcp_edges", "tls_edges"].map((edges): [string, string] => [
    "an edge whose backend is gone",
    `SELECT id FROM ${edges} WHERE backend ->> 'backend_id' NOT IN (SELECT id FROM failover_backends UNION ALL SELECT id FROM http_response_backends)`,
  ]),
  [
    "a rule whose policy is gone",
    "SELECT id FROM ip_policy_rules WHERE ip_policy_id NOT IN (SELECT id FROM ip_policies)",
  ],
  ["a key whose owner is gone", "SELECT id FROM api_keys WHERE owner_id NOT IN (SELECT id FROM bot_users)"],
  ["a violated foreign key", "PRAGMA foreign_key_check"],
  ...["integrity_check", "quick_check"].map((check): [string, string] => [
    `a failed ${check}`,
    `SELECT * FROM pragma_${check} WHERE ${check} <> 'ok'`,
  ]),
];

/**
 * What is wrong with the database that `persist` keeps, in words; to be asked while nothing has it open. It looks at a
 * copy, so that what comes next recovers from the files as the crash left them.
 */
export function faultsOf(persist: string): string[] {
  const folder = databaseFolder(persist);
  const copy = mkdtempSync(join(tmpdir(), "edge-configuration-copy-"));
  const files = readdirSync(folder).filter(
    (name) => /\.sqlite(-wal)?$/.test(name) && !name.startsWith("metadata"),
  );
  for (const name of files) copyFileSync(join(folder, name), join(copy, name));
  const [name, ...more] = files.filter((name) => name.endsWith(".sqlite"));
  if (name === undefined || more.length > 0)
    throw new Error(`${files.length} files of a database in ${folder}`);
  const database = new DatabaseSync(join(copy, name));
  try {
    return mustBeEmpty.flatMap(([words, sql]) => {
      const rows = database.prepare(sql).all();
      return rows.length === 0 ? [] : [`${rows.length} times ${words}: ${JSON.stringify(rows.slice(0, 3))}`];
    });
  } finally {
    database.close();
    rmSync(copy, { recursive: true });
  }
}
