/*
 * What the compiler cannot check and is told: each with the reason why it holds, and here only.
 */

/**
 * A row of a table, whose JSON and booleans are decoded by now. D1 gives rows without their type; the schema has it, which
 * `test/schema.test.ts` holds the tables to.
 */
export const asRow = <Row>(row: object): Row => row as Row;
