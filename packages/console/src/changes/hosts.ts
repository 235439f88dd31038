import { isHostport } from "../../../model/src/values/hostports.ts";
import { canonicalAddress } from "../../../model/src/values/ip.ts";

/*
 * What is wrong with a host that somebody enters, in a sentence.
 */

/** Whether a port is at the end. The last group of an IPv6 address without brackets is none. */
const hasPort = (text: string): boolean => /^(?:\[.*\]|[^:]*):\d+$/.test(text);

/** A host with a port: its own, or the given one. */
export const withPort = (host: string, port: number | undefined): string =>
  port === undefined || hasPort(host) ? host : `${host}:${port}`;

/**
 * What is wrong with a host, and what would be right; undefined if nothing is.
 *
 * @param port the port of a host without one; undefined if a port must be entered
 */
export function hostFault(text: string, example: string, port?: number): string | undefined {
  const isFit = (host: string): boolean => isHostport(withPort(host, port));
  if (isFit(text)) return undefined;
  if (text.includes("/")) {
    const bare = text.replace(/^\w*:?\/\//, "").replace(/[/?#].*$/s, "");
    return `Leave out https:// and the path: ${isFit(bare) ? bare : example}.`;
  }
  if (text.includes("*")) return `A wildcard is not possible. Enter each host, such as ${example}.`;
  if (canonicalAddress(text)?.includes(":"))
    return `Put the IPv6 address in brackets, and a port after it: [${text}]:443.`;
  if (isHostport(`${text}:443`)) return `Add the port: ${text}:443.`;
  const what = `a host${port === undefined ? " and a port" : ""}, such as ${example}.`;
  return text === ""
    ? `Enter ${what}`
    : `“${text}” is not ${what}${port !== undefined && /\s/.test(text) ? " Separate several with commas." : ""}`;
}
