import { clientHeaderRules, rejectingRules } from "../base/client_headers.ts";
import { logLines } from "../base/log_line.ts";
import { returning } from "../base/own_responses.ts";
import { argument, quote } from "../base/quote.ts";
import { type RuleKind, scopeOf, setter } from "../base/rules.ts";
import { ENDED, type Ending } from "./layout.ts";
import { ENTRY_FIELDS, type Maps, PLACE_FIELDS, type Shared } from "./maps.ts";
import type { TlsEntrance } from "./parts.ts";
import { pathRules } from "./paths.ts";
import { restrictionRules } from "./restriction.ts";
import { chosenSection } from "./server_sections.ts";

/**
 * The rules of an HTTPS listener. They find the edge by SNI (unless the listener has only one edge), check that the Host header belongs
 * to it, and find the route by the reading of the path. The upstream gets the path as it was sent.
 */
export function httpsRules(
  entrance: TlsEntrance,
  port: number,
  { output, maps, mostSets, mostTiers }: Shared,
): string[] {
  const told = (ending: Ending) => isTold(ending, maps.path(ENDED));
  return [
    "mode http",
    // An old worker serves one more request on each idle connection, because a request can already be in transit.
    "option idle-close-on-response",
    ...logLines("request", output.settings.log, edgeOfHandshake(entrance, port, maps)),
    // After a change that this old worker does not have, further requests must use a new connection.
    `${MISDIRECTED} if ${told("all")} or { req.ver 2.0 } ${told("http2")}`,
    ...rejectingRules,
    ...pathRules,
    ...edgeOfListener("http-request", entrance, port, maps),
    `${MISDIRECTED} unless { var(txn.edge) -m found }`,
    `${MISDIRECTED} if { req.hdr(host) -m found } !{ req.fhdr(host) -m reg ${quote(HOST_AND_PORT)} }`,
    ...hostRules(entrance, port, maps.path("hosts")),
    // Without a Host header, upstreams use the host of an absolute target (RFC 9112 §3.2.2).
    `${MISDIRECTED} if !{ req.hdr(host) -m found } !{ url -m beg / * }`,
    ...clientHeaderRules,
    "http-request set-var(txn.path) var(txn.table),concat(/,txn.path)",
    `http-request set-var(txn.entry) ${quote(maps.lookup("var(txn.path)", "routes/exact"))}`,
    `http-request set-var(txn.entry) ${quote(maps.lookup("var(txn.path)", "routes/prefix", "map_beg"))} unless { var(txn.entry) -m found }`,
    `http-request ${returning(404)} unless { var(txn.entry) -m found }`,
    `http-request set-var(txn.route) var(txn.entry),field(${ENTRY_FIELDS.owner},~)`,
    ...restrictionRules("http-request", mostSets, maps),
    ...chosenSection("http-request", mostTiers),
    "default_backend unserved",
  ];
}

/** The Host header must belong to the edge (RFC 9110 §15.5.20). At an IP address, it must be that address. */
function hostRules({ literal }: TlsEntrance, port: number, hosts: string): string[] {
  const host = "req.fhdr(host),host_only,lower,rtrim(.)";
  if (literal)
    return [
      `${MISDIRECTED} if { req.hdr(host) -m found } !{ ${host} -m str ${hostForms(literal.host).map(quote).join(" ")} }`,
    ];
  return [
    `http-request set-var(txn.host) ${host}`,
    `http-request set-var(txn.host) ${quote(`var(txn.table),concat(/${port}/,txn.host)`)}`,
    `${MISDIRECTED} if { req.hdr(host) -m found } !{ ${quote(`var(txn.host),map_str(${argument(hosts)})`)} -m found }`,
  ];
}

/**
 * The form of a Host header. `host_only` ignores whatever follows a colon, and an upstream could read `x.example:@y.example` as
 * another host.
 */
const HOST_AND_PORT = String.raw`^(\[[^]]*\]|[^:]*)(:[0-9]*)?$`;

/** Whether an old worker was told to stop answering some requests. @param path of the map that says so */
export const isTold = (ending: Ending, path: string): string =>
  `{ ${quote(`str(${ending}),map_str(${argument(path)})`)} -m found }`;

/** The rule of a route whose requests are counted. The counters of an old worker are empty once another one has them. */
export const countedRule = (path: string): string => `${MISDIRECTED} if ${isTold("counted", path)}`;

const MISDIRECTED = `http-request ${returning(421)}`;

/** A sample that is the edge of a listener's connection, if the name is known before the handshake fails. */
export function edgeOfHandshake({ only }: TlsEntrance, port: number, maps: Maps): string {
  if (only !== undefined) return `str(${argument(only)})`;
  return `${maps.lookup("ssl_fc_sni,lower", `names/${port}`)},field(${PLACE_FIELDS.edge},~)`;
}

/** `host_only` returns an IPv6 address with brackets in some versions of HAProxy, and without in others. */
const hostForms = (host: string) => (host.startsWith("[") ? [host, host.slice(1, -1)] : [host]);

/** The rules of an internal listener that set the variables `edge` and `table`. A name of another listener's edge does not count. */
export function edgeOfListener(
  rule: RuleKind,
  { name, only }: TlsEntrance,
  port: number,
  maps: Maps,
): string[] {
  const key = only === undefined ? "ssl_fc_sni,lower" : `str(${argument(only)})`;
  const map = only === undefined ? `names/${port}` : "listeners";
  const [scope, set] = [scopeOf(rule), setter(rule)];
  const field = (of: keyof typeof PLACE_FIELDS) => `var(${scope}.place),field(${PLACE_FIELDS[of]},~)`;
  const isOwn = only === undefined ? ` if { ${quote(field("listener"))} -m str ${quote(name)} }` : "";
  return [
    set("place", maps.lookup(key, map)),
    ...(["edge", "table"] as const).map((each) => set(each, field(each), isOwn)),
  ];
}
