/*
 * The bodies of responses that the edge itself makes, the same in HAProxy and in simulations: none depends on the version of HAProxy, or
 * shows which program answers.
 */

const BODIES: Partial<Record<number, string>> = {
  400: "This request is not valid.",
  401: "Authentication is required.",
  403: "Access is denied.",
  404: "Not found.",
  408: "This request took too long.",
  413: "This request is too large.",
  421: "This connection is for another host.",
  429: "Too many requests.",
  500: "This request cannot be checked.",
  501: "This method is not supported.",
  502: "The upstream's response is not valid.",
  503: "This service is not available.",
  504: "The upstream took too long.",
};

/** The statuses with a body. */
export const ownStatuses: readonly number[] = Object.keys(BODIES).map(Number);

/** The text of the edge's own response with a status, without the line feed at its end; undefined if that has no body. */
export const ownText = (status: number): string | undefined => BODIES[status];

/** The headers and the body of the edge's own response with a status. */
export function ownResponse(status: number): { headers: [name: string, value: string][]; body: string } {
  const text = ownText(status);
  return text === undefined
    ? { headers: [], body: "" }
    : { headers: [["content-type", "text/plain"]], body: `${text}\n` };
}
