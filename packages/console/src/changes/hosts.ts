import { isHostport } from "../../../model/src/values/hostports.ts";
import { canonicalAddress } from "../../../model/src/values/ip.ts";

/*
 * Error messages for hosts that users enter.
 */

/** A host with its own port, or else with the given port. The last group of an IPv6 address without brackets is not a port. */
export const withPort = (host: string, port: number | undefined): string =>
  port === undefined || /^(?:\[.*\]|[^:]*):\d+$/.test(host) ? host : `${host}:${port}`;

/**
 * An error message that shows how to correct a host; undefined if the host is valid.
 *
 * @param port the default port; undefined if a port must be entered
 */
export function hostFault(text: string, example: string, port?: number): string | undefined {
  const isFit = (host: string): boolean => isHostport(withPort(host, port));
  if (isFit(text)) return undefined;
  if (text.includes("/")) {
    const bare = text.replace(/^\w*:?\/\//, "").replace(/[/?#].*$/s, "");
    return `Leave out https:// and the path: ${isFit(bare) ? bare : example}.`;
  }
  if (text.includes("*")) return `Wildcards are not supported. Enter each host, such as ${example}.`;
  if (canonicalAddress(text)?.includes(":"))
    return `Put the IPv6 address in brackets, and add a port: [${text}]:443.`;
  if (isHostport(`${text}:443`)) return `Add the port: ${text}:443.`;
  // DNS has letters of other scripts in Punycode.
  const url = `https://${text}`;
  const ascii = URL.canParse(url) ? new URL(url).hostname : "";
  if (ascii.includes("xn--")) return `Enter the host as ${ascii}.`;
  const [, own = ""] = /^[^:]+:(\d+)$/.exec(text) ?? [];
  if (own !== "" && isHostport(text.replace(/\d+$/, "443"))) return `${own} is not a port. Enter 1 to 65535.`;
  const what = `a host${port === undefined ? " and a port" : ""}, such as ${example}.`;
  return text === ""
    ? `Enter ${what}`
    : `“${text}” is not ${what}${port !== undefined && /\s/.test(text) ? " Separate hosts with commas." : ""}`;
}
