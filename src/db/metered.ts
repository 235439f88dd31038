/** What a request costs at the database, as D1 bills it. */
export interface Cost {
  roundTrips: number;
  rowsRead: number;
  rowsWritten: number;
}

export const noCost = (): Cost => ({ roundTrips: 0, rowsRead: 0, rowsWritten: 0 });

/** The statement behind a metered one: a batch takes only the binding's own. */
const originals = new WeakMap<object, D1PreparedStatement>();

/** A D1 binding that adds what goes through it to `cost` and hands everything on unchanged. */
export function metered(db: D1Database, cost: Cost): D1Database {
  const batch = async (statements: D1PreparedStatement[]): Promise<D1Result[]> => {
    cost.roundTrips += 1;
    const results = await db.batch(statements.map((statement) => originals.get(statement) ?? statement));
    for (const result of results) add(cost, result);
    return results;
  };
  return new Proxy(db, {
    get(target, name) {
      if (name === "prepare") return (query: string) => meteredStatement(target.prepare(query), cost);
      if (name === "batch") return batch;
      return memberOf(target, name);
    },
  });
}

function meteredStatement(statement: D1PreparedStatement, cost: Cost): D1PreparedStatement {
  const all = async (): Promise<D1Result<object>> => {
    cost.roundTrips += 1;
    const result = await statement.all<object>();
    add(cost, result);
    return result;
  };
  const wrapped = new Proxy(statement, {
    get(target, name) {
      if (name === "bind") return (...values: unknown[]) => meteredStatement(target.bind(...values), cost);
      if (name === "all" || name === "run") return all;
      // The binding's own raw() leaves the figures out. No query has two columns of one name.
      if (name === "raw") return async () => (await all()).results.map(valuesOf);
      return memberOf(target, name);
    },
  });
  originals.set(wrapped, statement);
  return wrapped;
}

const valuesOf = (row: object): unknown[] => Object.values(row);

function add(cost: Cost, { meta }: D1Result): void {
  cost.rowsRead += meta.rows_read;
  cost.rowsWritten += meta.rows_written;
}

/** A member of a platform object, whose methods work on that object only. */
function memberOf(target: object, name: string | symbol): unknown {
  const member: unknown = Reflect.get(target, name);
  return typeof member === "function" ? member.bind(target) : member;
}
