/** What a request cost at the database, as D1 bills it. */
export interface Cost {
  roundTrips: number;
  rowsRead: number;
  rowsWritten: number;
}

type Bound = D1PreparedStatement;

/** The statement behind a metered one. */
const originals = new WeakMap<object, Bound>();

/** A D1 binding that adds what goes through it to `cost` and hands everything on unchanged. */
export function metered(db: D1Database, cost: Cost): D1Database {
  const add = (result: D1Result): void => {
    cost.rowsRead += result.meta.rows_read;
    cost.rowsWritten += result.meta.rows_written;
  };
  const meter = (statement: Bound): Bound => {
    const all = async <T>(): Promise<D1Result<T>> => {
      cost.roundTrips += 1;
      const result = await statement.all<T>();
      add(result);
      return result;
    };
    const wrapped: object = {
      bind: (...values: unknown[]) => meter(statement.bind(...values)),
      all,
      run: all,
      // The binding's own raw() leaves the figures out. No query here has two columns of one name.
      raw: async () => (await all<object>()).results.map((row) => Object.values(row)),
      first: async () => (await all()).results[0] ?? null,
    };
    originals.set(wrapped, statement);
    return wrapped as Bound;
  };
  const wrapped: Partial<D1Database> = {
    prepare: (query) => meter(db.prepare(query)),
    batch: async <T>(statements: Bound[]) => {
      cost.roundTrips += 1;
      const results = await db.batch<T>(statements.map((statement) => originals.get(statement) ?? statement));
      for (const result of results) add(result);
      return results;
    },
  };
  return wrapped as D1Database;
}
