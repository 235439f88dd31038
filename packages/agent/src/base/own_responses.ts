import { ownText } from "../../../model/src/policy/own_responses.ts";

/*
 * Responses that the edge itself makes.
 */

/** An action that makes a response, for `http-request` and `http-response`. @param text the body if it is not that of the status */
export const returning = (status: number, text = ownText(status)): string =>
  text === undefined ? `return status ${status}` : `return status ${status} ${content(text)}`;

/** The content of a response with a text. */
export const content = (text: string): string => `content-type text/plain string "${text}\\n"`;
