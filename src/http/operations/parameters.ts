import { badRequest } from "../errors/errors.ts";
import { type MemberError, parameterName } from "../errors/member_errors.ts";

/**
 * Far more than any operation accepts. Hono's parser scans the whole rest of a query for each parameter without a value.
 */
const PARAMETERS = 100;

/**
 * Errors in query parameters that no schema checks: all parameters if an operation accepts none, else those without a
 * name, which Hono's parser drops.
 *
 * @throws 400 for more than {@link PARAMETERS}
 */
export function wrongParameters(url: string, takesSome: boolean): MemberError[] {
  const start = url.indexOf("?");
  if (start === -1) return [];
  const query = url.slice(start + 1);
  if (query.split("&", PARAMETERS + 1).length > PARAMETERS)
    throw badRequest(`The query has more than ${PARAMETERS} parameters.`);
  const names = Array.from(new URLSearchParams(query).keys());
  if (takesSome) return names.includes("") ? [{ path: "", msg: "A parameter needs a name." }] : [];
  return Array.from(new Set(names), (name) => ({
    path: parameterName([name]),
    msg: "Unknown; accepted: none.",
  }));
}
