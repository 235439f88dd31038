import { matchFault, readMatch } from "../../../packages/model/src/traffic/paths.ts";
import { httpsEdgeRoutes as table } from "../../db/schema.ts";
import { sql, type Sql } from "../../db/statements.ts";
import { isThisRoute, type RouteKey } from "./https_route_statements.ts";

/*
 * What the matches of routes must be. Conditions of a batch compare stored matches, so SQL reads them here as
 * `packages/model/src/traffic/paths.ts` does; a test compares both.
 */

/** The match of a route. Fields that a PATCH leaves out keep their stored value. */
interface GivenMatch {
  match_type?: "exact_path" | "path_prefix" | null | undefined;
  match?: string | null | undefined;
}

/** The stored value of a field of the route. */
const storedIn = (key: RouteKey, name: keyof GivenMatch): Sql =>
  sql`(select ${table[name]} from ${table} where ${isThisRoute(key)})`;

const isEscape = sql`substr(rest, 1, 1) = '%'`;

/** The next byte of a match in hexadecimal, or several of a character; not hexadecimal for a bad escape. */
const byte = sql`iif(${isEscape}, upper(substr(rest || '--', 2, 2)), hex(substr(rest, 1, 1)))`;

/**
 * The reading of a match in hexadecimal. Two matches with the same value are read as the same path; the value of a match with a bad
 * escape is not hexadecimal.
 *
 * @param match an expression
 */
export const readingOf = (
  match: Sql,
): Sql => sql`iif(instr(${match}, '%') + instr(${match}, '//') = 0, hex(${match}), (
  with recursive reading (rest, hex) as (
    select ${match}, ''
    union all
    select substr(rest, iif(${isEscape}, 4, 2)), hex || iif(${byte} = '2F' and substr(hex, -2) = '2F', '', ${byte})
    from reading where rest <> ''
  )
  select hex from reading where rest = ''))`;

/** {@link readingOf} a match that is known. */
const knownReading = (match: string): string =>
  Array.from(readMatch({ match_type: "path_prefix", match }) ?? "", (byte) =>
    byte.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0"),
  ).join("");

/**
 * Whether no other route of the same edge would match the same requests.
 *
 * @returns the condition that there is no such route, and a query for its id as a JSON list
 */
export function sameMatch(key: RouteKey, { match_type, match }: GivenMatch): { isUnique: Sql; named: Sql } {
  const type = match_type === undefined ? storedIn(key, "match_type") : sql`${match_type}`;
  const reading = typeof match === "string" ? sql`${knownReading(match)}` : readingOf(storedIn(key, "match"));
  const others = sql`select other.id from ${table} as other where other.edge_id = ${key.edge_id} and other.id <> ${key.id}
    and other.match_type = ${type} and ${readingOf(sql`other.match`)} = ${reading}`;
  return {
    isUnique: sql`not exists (${others})`,
    named: sql`(select json_group_array(id) from (${others}))`,
  };
}

/** The last segment of an exact match cannot be `.` or `..`; that of a prefix can, because it continues. */
const endsInDots = (reading: Sql): Sql =>
  sql`(substr(${reading}, -4) = '2F2E' or substr(${reading}, -6) = '2F2E2E')`;

/**
 * The condition that a match which can be a prefix can also be an exact match, if the route becomes one; undefined if the given
 * fields say so.
 */
export function exactMatchIsReadable(key: RouteKey, { match_type, match }: GivenMatch): Sql | undefined {
  if (typeof match === "string") {
    if (matchFault({ match_type: "exact_path", match }) === undefined || match_type === "path_prefix")
      return undefined;
    return match_type === undefined ? sql`${storedIn(key, "match_type")} is not 'exact_path'` : sql`false`;
  }
  return match_type === "exact_path" ? sql`not ${endsInDots(readingOf(storedIn(key, "match")))}` : undefined;
}
