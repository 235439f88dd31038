import { CHALLENGE_PATH } from "../../../model/src/traffic/issuing.ts";
import type { Edge } from "../../../model/src/traffic/snapshot.ts";
import { logLines } from "../base/log_line.ts";
import { returning } from "../base/own_responses.ts";
import { quote } from "../base/quote.ts";
import { setter } from "../base/rules.ts";
import type { PlainHttp, Settings } from "./contract.ts";
import { parseHostport } from "./hostport.ts";
import { CHALLENGES } from "./layout.ts";
import { bindLines } from "./listeners.ts";
import { type Maps, PLACE_FIELDS, type Shared } from "./maps.ts";
import type { Output } from "./output.ts";
import type { Group } from "./parts.ts";
import { restrictionRules } from "./restriction.ts";

/*
 * Port 80: responses to challenges of certificate authorities (RFC 8555 §8.3), and redirects to https. A response consists of the token and
 * the thumbprint of the issuer's account, so every machine can give it without knowing the order.
 */

/** A token has at least 128 bits (RFC 8555 §8.3). Those of Let's Encrypt have 43 characters. */
const TOKEN = "[A-Za-z0-9_-]{20,128}";
const CHALLENGE = `^${CHALLENGE_PATH.replaceAll(".", String.raw`\.`)}${TOKEN}$`;

const [ANY_IPV4, ANY_IPV6] = ["0.0.0.0", "::"];

const NONE: ReadonlyMap<string, string> = new Map();

/** The hosts of an edge that terminates TLS here for which there is an issuer, with the thumbprint of its account. */
export function hostsWithIssuer(
  edge: Edge,
  { http, isWanted, objectionTo }: Settings,
): ReadonlyMap<string, string> {
  const thumbprintFor = http?.thumbprintFor;
  if (!thumbprintFor || edge.kind === "tcp" || !edge.tls_termination) return NONE;
  const found = new Map<string, string>();
  for (const text of edge.hostports) {
    const hostport = parseHostport(text);
    const { host, address } = hostport;
    const thumbprint = address === undefined ? thumbprintFor(host) : undefined;
    if (thumbprint !== undefined && isWanted(text) && !objectionTo(hostport)) found.set(host, thumbprint);
  }
  return found.size === 0 ? NONE : found;
}

/**
 * Renders the listener of port 80, if there are challenges to answer or hosts to redirect. Hosts have their certificates on all addresses
 * of the machine, so it listens on all of them that no edge has.
 *
 * @param thumbprints of the issuers of hosts
 */
export function plainHttp(
  groups: readonly Group[],
  thumbprints: ReadonlyMap<string, string>,
  shared: Shared,
): void {
  const { output, maps } = shared;
  const { http } = output.settings;
  if (!http) return;
  const isRedirected = http.isRedirected && groups.some(({ onPorts }) => onPorts.has(http.httpsPort));
  if (thumbprints.size === 0 && !isRedirected) return;
  const binds = bindsOf(groups, http, output);
  if (binds.length === 0) return;
  maps.answerChallenges(thumbprints);
  output.section("frontend", "http", [
    "mode http",
    ...logLines("request", output.settings.log),
    // An idle connection would go on with what an old worker knows.
    "option httpclose",
    "option disable-h2-upgrade",
    ...binds,
    ...challengeRules(maps),
    ...(isRedirected ? redirectRules(http.httpsPort, shared) : [`http-request ${returning(404)}`]),
  ]);
}

/** The `bind` lines. An address that cannot be used is a problem, and so are all of them. */
function bindsOf(groups: readonly Group[], { port, objectionTo }: PlainHttp, output: Output): string[] {
  const { settings } = output;
  const general = settings
    .objectionTo({ text: `*:${port}`, host: "*", port, address: undefined })
    ?.msg.replace(/\.$/, "");
  const bind: string[] = [];
  const reasons = new Set<string>();
  for (const address of settings.ipv6 === false ? [ANY_IPV4] : [ANY_IPV4, ANY_IPV6]) {
    const reason = general ?? edgeOn(groups, port, address) ?? objectionTo(address);
    if (reason === undefined) bind.push(address);
    else reasons.add(reason);
  }
  if (reasons.size > 0) {
    const what =
      bind.length === 0
        ? "Challenges of certificate authorities cannot be answered, so no certificates are requested"
        : "Challenges of certificate authorities are not answered on all addresses";
    output.problem("agent", "challenge_port", `${what}: ${[...reasons].join("; ")}.`);
  }
  return bind.length === 0 ? [] : bindLines([{ bind, port }], output);
}

/** That an edge has an address of the family of a wildcard address. */
function edgeOn(groups: readonly Group[], port: number, wildcard: string): string | undefined {
  const isSix = wildcard.includes(":");
  const take = groups
    .flatMap(({ takes }) => takes)
    .find(
      (one) =>
        one.isGiven && one.port === port && one.addresses.some((address) => address.includes(":") === isSix),
    );
  if (!take) return undefined;
  const who = take.owner === "tls" ? "a TLS or HTTPS edge" : take.owner;
  return `${who} listens on port ${port}`;
}

const HOST = "req.fhdr(host),host_only,lower,rtrim(.)";

function challengeRules(maps: Maps): string[] {
  const set = setter("http-request");
  return [
    set("host", HOST),
    set("thumbprint", maps.lookup("var(txn.host)", CHALLENGES)),
    `http-request return status 200 content-type application/octet-stream lf-string ${quote("%[path,field(4,/)].%[var(txn.thumbprint)]")} if METH_GET { path -m reg ${quote(CHALLENGE)} } { var(txn.thumbprint) -m found }`,
    `http-request ${returning(404)} if { path -m beg ${CHALLENGE_PATH} }`,
  ];
}

/**
 * Redirects requests for served hosts only, so this is not an open redirect. The restriction of a TLS edge applies first, as on its own port.
 * HTTPS edges complete the handshake with every client.
 */
function redirectRules(port: number, { maps, mostSets }: Shared): string[] {
  const set = setter("http-request");
  const target = `https://%[var(txn.host)]${port === 443 ? "" : `:${port}`}%[pathq]`;
  return [
    set("place", maps.lookup("var(txn.host)", `names/${port}`)),
    `http-request ${returning(404)} unless { var(txn.place) -m found } { path -m beg / }`,
    set("edge", `var(txn.place),field(${PLACE_FIELDS.edge},~)`),
    set("table", `var(txn.place),field(${PLACE_FIELDS.table},~)`),
    set("entry", maps.lookup("var(txn.table)", "entries")),
    ...restrictionRules("http-request", mostSets, maps),
    `http-request redirect location ${quote(target)} code 308`,
  ];
}
