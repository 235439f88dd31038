/*
 * A D1 binding with which a test can observe, delay, change or fail every call.
 */

/** One call with a statement or a batch: the SQL strings, and the function that sends it. */
interface Call {
  queries: string[];
  send: () => Promise<D1Result[]>;
}

/** Makes a call and returns the result of each of its statements. */
type Around = (call: Call) => Promise<D1Result[]>;

/** A D1 binding whose calls, including those of its sessions, are made by `around`. */
export const intercepted = (db: D1Database, around: Around): D1Database =>
  new Proxy(db, {
    get: (target, name) =>
      name === "withSession"
        ? (constraint?: string) => interceptedSession(target.withSession(constraint), around)
        : (senderOf(target, name, around) ?? memberOf(target, name)),
  });

/** The same for a session. */
export const interceptedSession = (session: D1DatabaseSession, around: Around): D1DatabaseSession =>
  new Proxy(session, {
    get: (target, name) => senderOf(target, name, around) ?? memberOf(target, name),
  });

type Sender = Pick<D1Database, "prepare" | "batch">;

/** The original of each intercepted statement, because a batch only accepts the binding's own statements. */
const originals = new WeakMap<object, { query: string; statement: D1PreparedStatement }>();

function senderOf(sender: Sender, name: string | symbol, around: Around): unknown {
  if (name === "prepare")
    return (query: string) => interceptedStatement(query, sender.prepare(query), around);
  if (name === "batch")
    return (statements: D1PreparedStatement[]) => {
      const batch = statements.map((statement) => originals.get(statement) ?? { query: "", statement });
      return around({
        queries: batch.map(({ query }) => query),
        send: () => sender.batch(batch.map(({ statement }) => statement)),
      });
    };
  return undefined;
}

function interceptedStatement(
  query: string,
  statement: D1PreparedStatement,
  around: Around,
): D1PreparedStatement {
  const all = async (): Promise<D1Result> => {
    const [result] = await around({ queries: [query], send: async () => [await statement.all()] });
    if (!result) throw new Error("a call without a result");
    return result;
  };
  const wrapped = new Proxy(statement, {
    get(target, name) {
      if (name === "bind")
        return (...values: unknown[]) => interceptedStatement(query, target.bind(...values), around);
      if (name === "all" || name === "run") return all;
      // The binding's own raw() omits the metadata. No query has two columns with the same name.
      if (name === "raw") return async () => (await all()).results.map(valuesOf);
      return memberOf(target, name);
    },
  });
  originals.set(wrapped, { query, statement });
  return wrapped;
}

const valuesOf = (row: unknown): unknown[] =>
  typeof row === "object" && row !== null ? Object.values(row) : [];

/** A member of a platform object. Its methods are bound, because they only work on that object. */
function memberOf(target: object, name: string | symbol): unknown {
  const member: unknown = Reflect.get(target, name);
  return typeof member === "function" ? member.bind(target) : member;
}
