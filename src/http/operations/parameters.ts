import { badRequest } from "../errors/errors.ts";
import { type MemberError, parameterName } from "../errors/members.ts";

/** Far more than any operation takes. Hono's parser looks through the whole rest of a query for each one without a value. */
const PARAMETERS = 100;

/**
 * The query parameters of a URL that no schema gets to see: all where an operation takes none, those without a name
 * elsewhere, as Hono's parser leaves them out.
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
