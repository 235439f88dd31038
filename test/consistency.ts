import { kinds } from "../src/kinds.ts";
import type { Json } from "./json.ts";

/*
 * What must hold for the stored data, whatever happened: no reference to an object that does not exist, and tables that
 * are derived from others agree with them.
 */

/** The rows of every table, by its name; JSON columns as text. */
export type Rows = Record<string, Json[]>;

/** Columns that may refer to objects that no longer exist, and why. */
const MAY_DANGLE: Record<string, string> = {
  ip_restriction: "a deleted policy counts as one without rules",
  target: "as above",
  mutual_tls: "a certificate authority may be managed elsewhere",
  object_id: "an idempotency record outlives its object",
  response: "an idempotency record outlives its object",
};

/** The tables whose rows have no `id`, each with a function that lists what is wrong with its rows. */
export const sideTables: Record<string, (rows: Rows) => string[]> = {
  uses: (rows) => {
    const referred = Object.values(rows).flatMap((some) => some.flatMap(usesIn));
    const kept = (rows["uses"] ?? []).map(({ target, user, edge_id }) => `${target} by ${user} ${edge_id}`);
    return [
      ...without(referred, kept).map((use) => `uses lacks ${use}`),
      ...without(kept, referred).map((use) => `uses has ${use}, which no row has`),
    ];
  },
  idempotency_records: () => [],
  database_epoch: ({ database_epoch = [] }) =>
    database_epoch.length === 1 ? [] : [`database_epoch has ${database_epoch.length} rows`],
};

const isId = new RegExp(
  `^(?:${Object.values(kinds)
    .map(({ prefix }) => prefix)
    .join("|")})[0-9A-Za-z]{1,64}$`,
);

/** What an object refers to in its JSON columns: all that has the form of an id there. */
const usesIn = ({ id, edge_id = "", description, metadata, ...columns }: Json): string[] =>
  id === undefined
    ? []
    : Object.values(columns)
        .filter((value) => /^[[{]/.test(String(value)))
        .flatMap(textsIn)
        .filter((text) => isId.test(text))
        .map((target) => `${target} by ${id} ${edge_id}`);

const without = (some: string[], others: string[]): string[] => {
  const known = new Set(others);
  return [...new Set(some)].filter((item) => !known.has(item));
};

/** Every string in a column, including those in its JSON. */
function textsIn(value: unknown): string[] {
  if (typeof value === "object" && value !== null)
    return Object.entries(value).flatMap(([name, inner]) => [name, ...textsIn(inner)]);
  if (typeof value !== "string") return [];
  return /^[[{]/.test(value) ? textsIn(parsed(value)) : [value];
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * What is wrong with the rows, one line each. Any value in the form of an id counts as a reference, so that a new
 * column is checked without being listed here.
 *
 * @param prefixes of the ids of objects that this API creates
 */
export function inconsistenciesIn(rows: Rows, prefixes: string[]): string[] {
  const ids = new Set(Object.values(rows).flatMap((all) => all.map((row) => row["id"])));
  const isOurs = new RegExp(`^(?:${prefixes.join("|")})[0-9A-Za-z]{27}$`);
  const dangling = Object.entries(rows).flatMap(([table, all]) =>
    all.flatMap((row) =>
      Object.entries(row)
        .filter(([column]) => !(column in MAY_DANGLE))
        .flatMap(([column, value]) =>
          textsIn(value)
            .filter((text) => isOurs.test(text) && !ids.has(text))
            .map(
              (id) =>
                `${table}.${column} of ${row["id"] ?? JSON.stringify(row)} refers to ${id}, which does not exist`,
            ),
        ),
    ),
  );
  return [...dangling, ...Object.values(sideTables).flatMap((check) => check(rows))];
}
