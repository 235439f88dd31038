/*
 * Type assertions that the compiler cannot check, each with the reason why it holds. Type assertions are not used elsewhere.
 */

/**
 * A row of a table, with its JSON and booleans decoded. D1 returns untyped rows; the schema has their type, and
 * `test/schema.test.ts` checks the tables against it.
 */
export const asRow = <Row>(row: object): Row => row as Row;

/** Parses JSON that the service wrote into a column; the schema has its type. */
export function parsedAs<Value>(json: string): Value {
  const value: unknown = JSON.parse(json);
  return value as Value;
}
