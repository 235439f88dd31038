import type { HeaderLine } from "./evaluate.ts";

/*
 * What the proxy does with the headers of every request, before its route. The agent's rules are in `render/client_headers.ts`.
 */

/** A header's name as servers with CGI names read it (RFC 3875 §4.1.18): they take `_` and `-` for the same character. */
export const asInCgi = (name: string): string => name.toLowerCase().replaceAll("_", "-");

/** Headers of one connection (RFC 9110 §7.6.1), and those that the proxy sets. */
const OWN = new Set([
  "connection",
  "http2-settings",
  "keep-alive",
  "proxy-connection",
  "x-forwarded-for",
  "x-forwarded-proto",
]);
/** Spellings of the headers that an upstream could trust. */
const FORWARDED = /^x(?:_forwarded|-forwarded_)/;

/** The headers that policies and upstreams see. @param authority the Host of a request without one */
export function forwardedHeaders(given: HeaderLine[], authority: string, sourceIp: string): HeaderLine[] {
  const upgrades = given.filter(([name]) => name === "upgrade");
  const isWebsocket = upgrades.length === 1 && upgrades[0]?.[1].toLowerCase() === "websocket";
  const kept = given.filter(
    ([name]) => !OWN.has(name) && !FORWARDED.test(name) && (name !== "upgrade" || isWebsocket),
  );
  const host: HeaderLine[] = kept.some(([name]) => name === "host") ? [] : [["host", authority]];
  const connection: HeaderLine[] = isWebsocket ? [["connection", "upgrade"]] : [];
  return [...host, ...kept, ...connection, ["x-forwarded-for", sourceIp], ["x-forwarded-proto", "https"]];
}
