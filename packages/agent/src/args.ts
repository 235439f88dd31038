import { isIP } from "node:net";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { didYouMean } from "../../model/src/suggestion.ts";
import { cidr } from "../../model/src/values/cidrs.ts";
import type { AllowedListener, Network } from "./guard.ts";
import { readTrusted, securedPath } from "./ownership.ts";
import { reasonOf, Refusal } from "./refusal.ts";
import { type ListenAddress } from "./render/contract.ts";
import { parseHostport } from "./render/hostport.ts";
import { ISSUED } from "./state.ts";
import { accessLogs } from "./traffic/access_log.ts";

/*
 * The command's options.
 */

const USAGE = `Usage: edge-agent --service URL --name NAME --certificates DIR [option]…

Polls the service for its configuration and serves it with HAProxy 2.6 or later. Set the environment variable EDGE_AGENT_KEY
to an API key with the role agent. Run the agent as a dedicated user; CAP_NET_BIND_SERVICE lets it listen on ports below 1024.

  --service URL              URL of the service
  --name NAME                name of this machine in GET /agents: [a-z0-9][a-z0-9-]{0,62}
  --certificates DIR         directory with a PEM file (*.pem) for each server certificate: the chain, then its private key
  --state DIR                state directory, which no other user can write to; at most 36 bytes (default: /var/lib/edge-agent)
  --allow-upstream CIDR      allow upstreams in CIDR that are rejected otherwise, such as loopback addresses (*)
  --upstream-roots FILE      PEM file of the authorities that TLS upstreams and servers of key sets are verified against
                             (default: the system's; Node's for key sets)
  --allow-port PORT          allow edges to listen on a port below 1024 other than 80 and 443 (*)
  --allow-listen HOSTPORT    allow edges to listen on a loopback address: 127.0.0.1:8800, or a CIDR for all ports (*)
  --only HOSTPORT            serve only this host:port (or :PORT, for every host on that port) (*)
  --redirect-http            redirect requests on port 80 for served hosts to https
  --no-issuing               request no certificates from the issuers of the service, and answer no challenges on port 80
  --ignore-traffic-policies  serve edges and routes without applying their traffic_policy
  --poll SECONDS             time between polls if the service does not wait, and between checks of this machine (default: 2)
  --wait SECONDS             how long the service may wait with its response until something changes; at most 25 (default: 25)
  --upstream-timeout SECONDS how long an upstream can be silent, before its response and within it: 1 to 3600 (default: 60)
  --traffic WHAT             what to count and report of the traffic: \`counts\`; \`sources\`, also the most frequent addresses of
                             clients, which are personal data; or \`off\` (default: counts)
  --access-log WHICH         write to standard output, as JSON, \`errors\`: requests and connections that were denied or failed;
                             \`all\`, with their paths; or \`off\` (default: errors)
  --metrics ADDRESS:PORT     listen for Prometheus, such as on 127.0.0.1:9119 (default: do not)
  --haproxy-metrics ADDRESS:PORT
                             have HAProxy listen for Prometheus, such as on 127.0.0.1:9120 (default: do not)
  --haproxy PATH             HAProxy program (default: haproxy)
  --leave-proxy              leave HAProxy running when the agent stops
  --check                    fetch, render and check the configuration once, print problems, and change nothing
  --help                     show this help

Options with (*) can be repeated.

On SIGTERM or SIGINT, the agent stops HAProxy and exits. Connections have 4 seconds to finish. If the agent is killed, HAProxy
keeps running, and the next agent with the same state directory takes it over. Upstream names are looked up in /etc/hosts and
DNS.

Exit status: 0 after a signal, 1 if the agent cannot start or check; with --check: 0 without problems, 2 with problems.`;

const LARGEST_ROOTS = 16 * 1024 * 1024;

const misuse = (problem: string): Refusal => new Refusal(`${problem} For usage: \`edge-agent --help\`.`);

/** Parses the command line. Returns the usage text for `--help`. @throws Refusal */
export function parsed(args: string[], environment: NodeJS.ProcessEnv): Options | string {
  const values = flagsIn(args);
  return values.help ? USAGE : optionsIn(values, environment);
}

export type Options = ReturnType<typeof optionsIn>;

function optionsIn(values: ReturnType<typeof flagsIn>, environment: NodeJS.ProcessEnv) {
  const { service, name, certificates } = values;
  if (service === undefined) throw misuse("Missing option: --service URL.");
  if (!URL.canParse(service) || !/^https?:$/.test(new URL(service).protocol))
    throw misuse(
      `${JSON.stringify(service)} is not a valid service URL: it must start with http:// or https://.`,
    );
  if (new URL(service).username !== "" || new URL(service).password !== "")
    throw misuse("The service URL must not contain a user name or password. Put the key in EDGE_AGENT_KEY.");
  if (name === undefined) throw misuse("Missing option: --name NAME.");
  if (!/^[a-z0-9][a-z0-9-]{0,62}$/.test(name))
    throw misuse(
      `${JSON.stringify(name)} is not a valid agent name: use 1 to 63 of a-z, 0-9 and -, and do not start with -.`,
    );
  if (certificates === undefined) throw misuse("Missing option: --certificates DIR.");
  const state = resolve(values.state ?? "/var/lib/edge-agent");
  const issues = !(values["no-issuing"] ?? false);
  // They would count as the operator's, and not be renewed.
  if (issues && resolve(certificates) === join(state, ISSUED))
    throw misuse(
      `--certificates ${certificates}: the agent itself writes to this directory. Use another one, or add --no-issuing.`,
    );
  const key = environment["EDGE_AGENT_KEY"];
  if (!key) throw misuse("No API key: set the environment variable EDGE_AGENT_KEY.");
  // `fetch` would put a key that cannot be in a header into its error message.
  if (!/^[\x21-\x7e]+$/.test(key))
    throw misuse(
      "EDGE_AGENT_KEY is not an API key: it contains white space, control characters or non-ASCII characters.",
    );
  return {
    service: service.replace(/[?#].*$/, "").replace(/\/+$/, ""),
    key,
    name,
    certificates: resolve(certificates),
    state,
    allowUpstreams: (values["allow-upstream"] ?? []).map(upstreams),
    upstreamRoots: values["upstream-roots"] === undefined ? undefined : readable(values["upstream-roots"]),
    allowPorts: new Set(
      (values["allow-port"] ?? []).map((text) => whole("--allow-port", text, 1, 65_535, "a number")),
    ),
    allowListen: (values["allow-listen"] ?? []).map(listener),
    only: new Set((values.only ?? []).map((text) => text.toLowerCase())),
    redirectHttp: values["redirect-http"] ?? false,
    issues,
    ports: portsIn(environment["EDGE_AGENT_TEST_PORTS"]),
    ignoreTrafficPolicies: values["ignore-traffic-policies"] ?? false,
    pollSeconds: number("--poll", values.poll ?? "2", 0.1, 3600, "a number of seconds"),
    traffic: oneOf("--traffic", values.traffic ?? "counts", trafficModes),
    accessLog: oneOf("--access-log", values["access-log"] ?? "errors", accessLogs),
    waitSeconds: whole("--wait", values.wait ?? "25", 0, 25, SECONDS),
    /** How long an upstream can be silent. */
    upstreamTimeout: whole("--upstream-timeout", values["upstream-timeout"] ?? "60", 1, 3600, SECONDS),
    /** Where the agent, and HAProxy, listen for Prometheus. */
    metrics: endpoint("--metrics", values.metrics),
    proxyMetrics: endpoint("--haproxy-metrics", values["haproxy-metrics"]),
    haproxy: values.haproxy ?? "haproxy",
    leaveProxy: values["leave-proxy"] ?? false,
    check: values.check ?? false,
  };
}

/** The ports of URLs without a port. Tests set others, `8080 8443`, because they share a machine. */
function portsIn(text = "80 443") {
  const [http = 80, https = 443] = text.split(" ").map(Number);
  return { http, https };
}

/** Parses `127.0.0.1:9119` or `[::1]:9119`. @throws Refusal for anything else */
function endpoint(option: string, text: string | undefined): ListenAddress | undefined {
  if (text === undefined) return undefined;
  const { address, host, port } = parseHostport(text);
  const isBracketed = host.startsWith("[");
  if (
    address !== undefined &&
    isBracketed === address.includes(":") &&
    /:\d{1,5}$/.test(text) &&
    isPort(port)
  )
    return { address, port };
  throw misuse(
    `${option} ${JSON.stringify(text)}: expected an IP address and a port, such as 127.0.0.1:9119.`,
  );
}

const isPort = (port: number): boolean => port >= 1 && port <= 65_535;

const FLAGS = {
  service: { type: "string" },
  name: { type: "string" },
  certificates: { type: "string" },
  state: { type: "string" },
  "allow-upstream": { type: "string", multiple: true },
  "upstream-roots": { type: "string" },
  "allow-port": { type: "string", multiple: true },
  "allow-listen": { type: "string", multiple: true },
  only: { type: "string", multiple: true },
  "redirect-http": { type: "boolean" },
  "no-issuing": { type: "boolean" },
  "ignore-traffic-policies": { type: "boolean" },
  poll: { type: "string" },
  wait: { type: "string" },
  "upstream-timeout": { type: "string" },
  traffic: { type: "string" },
  "access-log": { type: "string" },
  metrics: { type: "string" },
  "haproxy-metrics": { type: "string" },
  haproxy: { type: "string" },
  "leave-proxy": { type: "boolean" },
  check: { type: "boolean" },
  help: { type: "boolean", short: "h" },
} as const;

function flagsIn(args: string[]) {
  try {
    return parseArgs({ args, options: FLAGS }).values;
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const [, unknown = ""] = /^Unknown option '(--[^']*)'/.exec(message) ?? [];
    const meant = didYouMean(
      unknown,
      Object.keys(FLAGS).map((flag) => `--${flag}`),
    );
    throw misuse(`${message.replace(/\.? To specify .*$/s, "")}.${meant}`);
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
  if (network) return withoutHostBits("--allow-upstream", text, network);
  throw misuse(
    `--allow-upstream ${JSON.stringify(text)}: expected an address or CIDR such as 127.0.0.1 or 10.0.0.0/8.`,
  );
}

/** The network, as the service reads ranges. @throws Refusal if bits of its host part are set, with the network that is meant */
function withoutHostBits(option: string, text: string, network: Network): Network {
  const range = cidr().safeParse(`${network.address}/${network.prefix}`);
  if (range.success) return network;
  throw misuse(`${option} ${JSON.stringify(text)}: ${range.error.issues[0]?.message ?? "not a range."}`);
}

function listener(text: string): AllowedListener {
  const network = networkIn(text);
  if (network) return withoutHostBits("--allow-listen", text, network);
  const { address = "", port } = parseHostport(text);
  const single = networkIn(address);
  if (single && isPort(port)) return { ...single, port };
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
    throw misuse(`--upstream-roots ${file}: ${reasonOf(error).replace(/\.$/, "")}.`);
  }
}

/** What is counted of the traffic. */
const trafficModes = ["off", "counts", "sources"] as const;

function oneOf<Name extends string>(option: string, text: string, names: readonly Name[]): Name {
  const found = names.find((name) => name === text);
  if (found !== undefined) return found;
  throw misuse(
    `${option} ${JSON.stringify(text)}: expected ${names.slice(0, -1).join(", ")} or ${names.at(-1)}.`,
  );
}

const SECONDS = "a whole number of seconds";

function number(option: string, text: string, least: number, most: number, what: string): number {
  const value = Number(text);
  if (value >= least && value <= most) return value;
  throw misuse(`${option} ${JSON.stringify(text)}: expected ${what} from ${least} to ${most}.`);
}

const whole = (option: string, text: string, least: number, most: number, what: string): number =>
  number(option, /^\d+$/.test(text) ? text : "NaN", least, most, what);
