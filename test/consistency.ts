import type { Json } from "./json.ts";

/*
 * What must hold of everything that is stored, whatever happened: no reference to an object that does not exist, and
 * what follows from other rows does.
 */

/** The rows of every table, by its name; JSON columns as text. */
export type Rows = Record<string, Json[]>;

/** Columns whose ids may outlive the objects, and why. */
const MAY_DANGLE: Record<string, string> = {
  ip_restriction: "a policy that was deleted counts as one without rules",
  object_id: "an idempotency record outlives its object",
  response: "an idempotency record outlives its object",
};

/** Each table whose rows are no objects with an `id`, and what is wrong with its rows. */
export const sideTables: Record<string, (rows: Rows) => string[]> = {
  failover_children: (rows) => {
    const listed = (rows["failover_backends"] ?? []).flatMap(({ id, backends }) =>
      JSON.parse(backends ?? "[]").map((child: string) => `${child} in ${id}`),
    );
    const indexed = (rows["failover_children"] ?? []).map(({ child, parent }) => `${child} in ${parent}`);
    return [
      ...without(listed, indexed).map((pair) => `failover_children lacks ${pair}`),
      ...without(indexed, listed).map((pair) => `failover_children has ${pair}, which no list has`),
    ];
  },
  idempotency_records: () => [],
  database_epoch: ({ database_epoch = [] }) =>
    database_epoch.length === 1 ? [] : [`database_epoch has ${database_epoch.length} rows`],
};

const without = (some: string[], others: string[]): string[] => {
  const known = new Set(others);
  return [...new Set(some)].filter((item) => !known.has(item));
};

/** Every text in a column, in its JSON too. */
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
 * What is wrong with the rows, a line each. Anything in any column that has the form of an id is taken for a reference:
 * a new column is checked without being named here.
 *
 * @param prefixes of the ids of objects that this API creates
 */
export function inconsistenciesIn(rows: Rows, prefixes: string[]): string[] {
  const ids = new Set(Object.values(rows).flatMap((all) => all.map((row) => row["id"])));
  const isId = new RegExp(`^(?:${prefixes.join("|")})[0-9A-Za-z]{27}$`);
  const dangling = Object.entries(rows).flatMap(([table, all]) =>
    all.flatMap((row) =>
      Object.entries(row)
        .filter(([column]) => !(column in MAY_DANGLE))
        .flatMap(([column, value]) =>
          textsIn(value)
            .filter((text) => isId.test(text) && !ids.has(text))
            .map((id) => `${table}.${column} of ${row["id"] ?? JSON.stringify(row)} refers to ${id}: gone`),
        ),
    ),
  );
  return [...dangling, ...Object.values(sideTables).flatMap((check) => check(rows))];
}
