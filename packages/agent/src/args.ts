import { isIP } from "node:net";
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import type { AllowedListener, Network } from "./guard.ts";
import { readTrusted, securedPath } from "./ownership.ts";
import { reasonOf, Refusal } from "./refusal.ts";
import { parseHostport } from "./render/hostport.ts";

/*
 * The command's options.
 */

const USAGE = `Usage: edge-agent --service URL --name NAME --certificates DIR [option]…

Follows the configuration of the service and serves it with HAProxy 2.6 or later. The environment variable EDGE_AGENT_KEY holds
an API key of the role agent. Run it as a user of its own; CAP_NET_BIND_SERVICE lets it listen on ports below 1024.

  --service URL              address of the service
  --name NAME                how this machine is shown in GET /agents: [a-z0-9][a-z0-9-]{0,62}
  --certificates DIR         a PEM file (*.pem) for each server certificate: the chain, then its private key
  --state DIR                its own directory, which no other user can write to (/var/lib/edge-agent); at most 36 bytes long
  --allow-upstream CIDR      lets loopback, link-local or this machine's own addresses in CIDR be upstreams; may be repeated
  --upstream-roots FILE      PEM file of the authorities that upstreams with TLS are held to (those of the system)
  --allow-port PORT          lets edges listen on a port below 1024 other than 80 and 443; may be repeated
  --allow-listen HOSTPORT    lets edges listen on a loopback address: 127.0.0.1:8800, or a CIDR for every port; may be repeated
  --only HOSTPORT            serves this host:port (or every host on :PORT) and no others; may be repeated
  --ignore-traffic-policies  serves what has a traffic_policy, which nothing here interprets
  --poll SECONDS             how often to ask the service (2)
  --haproxy PATH             the program (haproxy)
  --leave-proxy              leaves HAProxy running when the agent is ended
  --check                    fetches, renders and checks the configuration once, prints problems, changes nothing
  --help                     shows this

SIGTERM and SIGINT end HAProxy, then the agent; connections have 10 seconds to end. HAProxy survives if the agent is killed,
and the next agent on the same state directory goes on with it. Names of upstreams are looked up in /etc/hosts and DNS.

Exit status: 0 when it was ended by a signal, 1 if it could not start or check; with --check: 0 without problems, 2 with problems.`;

const LARGEST_ROOTS = 16 * 1024 * 1024;

export interface Options {
  service: string;
  key: string;
  name: string;
  certificates: string;
  state: string;
  allowUpstreams: Network[];
  upstreamRoots: string | undefined;
  allowPorts: ReadonlySet<number>;
  allowListen: AllowedListener[];
  only: ReadonlySet<string>;
  ignoreTrafficPolicies: boolean;
  pollSeconds: number;
  haproxy: string;
  leaveProxy: boolean;
  check: boolean;
}

const misuse = (problem: string): Refusal =>
  new Refusal(`${problem} \`edge-agent --help\` shows how to call it.`);

/** Parses the command line. Returns the usage text for `--help`. @throws Refusal */
export function parsed(args: string[], environment: NodeJS.ProcessEnv): Options | string {
  const values = flagsIn(args);
  if (values.help) return USAGE;
  const { service, name, certificates } = values;
  if (service === undefined) throw misuse("Which service? Give --service URL.");
  if (!URL.canParse(service) || !/^https?:$/.test(new URL(service).protocol))
    throw misuse(
      `${JSON.stringify(service)} is no address of a service: expected one that begins with https:// or http://.`,
    );
  if (new URL(service).username !== "" || new URL(service).password !== "")
    throw misuse("The address of the service has a user name or password: the key goes into EDGE_AGENT_KEY.");
  if (name === undefined) throw misuse("Which name has this agent? Give --name NAME.");
  if (!/^[a-z0-9][a-z0-9-]{0,62}$/.test(name))
    throw misuse(
      `${JSON.stringify(name)} is no name of an agent: expected 1 to 63 of a-z, 0-9 and -, not - first.`,
    );
  if (certificates === undefined) throw misuse("Where are the certificates? Give --certificates DIR.");
  const key = environment["EDGE_AGENT_KEY"];
  if (!key) throw misuse("There is no API key: set the environment variable EDGE_AGENT_KEY.");
  // `fetch` would put a key that cannot be in a header into its error message.
  if (!/^[\x21-\x7e]+$/.test(key))
    throw misuse("EDGE_AGENT_KEY has characters that no key has: is it complete?");
  return {
    service: service.replace(/[?#].*$/, "").replace(/\/+$/, ""),
    key,
    name,
    certificates: resolve(certificates),
    state: resolve(values.state ?? "/var/lib/edge-agent"),
    allowUpstreams: (values["allow-upstream"] ?? []).map(upstreams),
    upstreamRoots: values["upstream-roots"] === undefined ? undefined : readable(values["upstream-roots"]),
    allowPorts: new Set((values["allow-port"] ?? []).map(port)),
    allowListen: (values["allow-listen"] ?? []).map(listener),
    only: new Set((values.only ?? []).map((text) => text.toLowerCase())),
    ignoreTrafficPolicies: values["ignore-traffic-policies"] ?? false,
    pollSeconds: seconds(values.poll ?? "2"),
    haproxy: values.haproxy ?? "haproxy",
    leaveProxy: values["leave-proxy"] ?? false,
    check: values.check ?? false,
  };
}

function flagsIn(args: string[]) {
  try {
    return parseArgs({
      args,
      options: {
        service: { type: "string" },
        name: { type: "string" },
        certificates: { type: "string" },
        state: { type: "string" },
        "allow-upstream": { type: "string", multiple: true },
        "upstream-roots": { type: "string" },
        "allow-port": { type: "string", multiple: true },
        "allow-listen": { type: "string", multiple: true },
        only: { type: "string", multiple: true },
        "ignore-traffic-policies": { type: "boolean" },
        poll: { type: "string" },
        haproxy: { type: "string" },
        "leave-proxy": { type: "boolean" },
        check: { type: "boolean" },
        help: { type: "boolean", short: "h" },
      },
    }).values;
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    throw misuse(`${message.replace(/\.? To specify .*$/s, "")}.`);
  }
}

/** Undefined if the string is neither an address nor a CIDR. */
function networkIn(text: string): Network | undefined {
  const [, address = "", length] = /^([^/%]+)(?:\/(\d{1,3}))?$/.exec(text) ?? [];
  const bits = isIP(address) === 6 ? 128 : 32;
  const prefix = length === undefined ? bits : Number(length);
  return isIP(address) === 0 || prefix > bits ? undefined : { address, prefix };
}

function upstreams(text: string): Network {
  const network = networkIn(text);
  if (network) return network;
  throw misuse(
    `--allow-upstream ${JSON.stringify(text)}: expected an address or CIDR such as 127.0.0.1 or 10.0.0.0/8.`,
  );
}

function listener(text: string): AllowedListener {
  const network = networkIn(text);
  if (network) return network;
  const { address = "", port } = parseHostport(text);
  const single = networkIn(address);
  if (single && port >= 1 && port <= 65_535) return { ...single, port };
  throw misuse(
    `--allow-listen ${JSON.stringify(text)}: expected an address with a port, such as 127.0.0.1:8800 or [::1]:8800, or a CIDR.`,
  );
}

function readable(file: string): string {
  try {
    const real = securedPath(file);
    readTrusted(real, LARGEST_ROOTS);
    return real;
  } catch (error) {
    throw misuse(`--upstream-roots ${file}: ${reasonOf(error)}.`);
  }
}

function port(text: string): number {
  const number = Number(text);
  if (!/^\d{1,5}$/.test(text) || number < 1 || number > 65_535)
    throw misuse(`--allow-port ${JSON.stringify(text)}: expected a number from 1 to 65535.`);
  return number;
}

function seconds(text: string): number {
  const number = Number(text);
  if (!(number >= 0.1 && number <= 3600))
    throw misuse(`--poll ${JSON.stringify(text)}: expected seconds, from 0.1 to 3600.`);
  return number;
}
