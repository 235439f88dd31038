import { drizzle, type DrizzleD1Database } from "drizzle-orm/d1";

export type Database = DrizzleD1Database;

/** Drizzle on a D1 binding. Costs nothing per request: it holds no connection. */
export const openDatabase = (binding: D1Database): Database => drizzle(binding);
