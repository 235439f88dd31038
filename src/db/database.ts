import { drizzle, type DrizzleD1Database } from "drizzle-orm/d1";
import { asBinding, careful, type Cost, intercepted } from "./calls.ts";

export type Database = DrizzleD1Database;

/** What D1's own bookmarks look like: anything else is no bookmark. */
export const BOOKMARK = /^[0-9a-f]{8}-[0-9a-f]{8}-[0-9a-f]{8}-[0-9a-f]{32}$/;

/** The database as one request sees it. */
export interface Session {
  /** Reads are at least as fresh as the bookmark that the session began with and as its own writes. */
  db: Database;
  /** Always the primary: for what must not be a moment old. */
  primary: Database;
  /** How fresh the session is by now; null before its first query. */
  bookmark(): string | null;
}

/**
 * Opens the database for one request; takes no round trip.
 *
 * @param bookmark reads come from the nearest replica that is at least as fresh as it; from the primary without it
 * @param cost what the calls cost is added to it
 */
export function openSession(binding: D1Database, bookmark: string | undefined, cost: Cost): Session {
  const watched = intercepted(binding, careful(cost));
  const session = watched.withSession(bookmark ?? "first-primary");
  return {
    db: drizzle(asBinding(watched, session)),
    primary: drizzle(watched),
    bookmark: () => session.getBookmark(),
  };
}
