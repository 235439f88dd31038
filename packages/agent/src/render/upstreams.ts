import type { Backend } from "../../../traffic/src/snapshot.ts";
import { argument, quote } from "../quote.ts";
import { fixedResponse } from "./fixed_responses.ts";
import { bracketed, parseHostport } from "./hostport.ts";
import type { Output } from "./output.ts";
import { staticAddresses } from "./static_addresses.ts";
import { serverWeights } from "./weights.ts";

/**
 * Where an edge or route forwards traffic: names of `backend` sections. HAProxy uses the first section with a usable server, or
 * the last section if there is none.
 */
export type Choice = readonly [string, ...string[]];

/** A server line's name, and the rest of the line without the weight, `check` and `backup`. */
interface Server {
  name: string;
  target: string;
}

/** One step of a failover: a weighted backend or a leaf. */
interface Tier {
  /** Leaves that share traffic by weight. The servers of a single leaf are tried in order. */
  leaves: { servers: Server[]; weight: number }[];
}

/**
 * Flattens backends. A failover backend becomes its leaves in order, however deeply it is nested. HAProxy distributes traffic to the
 * servers of a `backend` section by weight, and uses its `backup` servers in order when none of the others is left: together, a
 * weighted backend followed by leaves. Each later weighted backend begins another section, and HAProxy uses the first section with a
 * usable server (`nbsrv`).
 */
export class Upstreams {
  readonly #output: Output;
  readonly #limit: ServerLimit;
  /** How many sets of `limit.servers + 1` servers have been rendered. */
  #taken = 0;
  /** The number of servers in each set of sections. */
  readonly counts: number[] = [];
  readonly #shared = new Map<string, Choice>();
  readonly #leaves = new Map<string, Server[]>();

  /** @param limit sets of sections above the limit get no servers */
  constructor(output: Output, limit: ServerLimit) {
    this.#output = output;
    this.#limit = limit;
  }

  /** The sections of a backend in TCP mode, which all its users share. */
  tcp(backendId: string): Choice {
    const known = this.#shared.get(backendId);
    if (known) return known;
    const choice = this.sections(`tcp_${backendId}`, backendId, []);
    this.#shared.set(backendId, choice);
    return choice;
  }

  /** Sections for one edge or route. Each begins with these lines and builds on the `defaults` section `from`. */
  sections(name: string, backendId: string, lines: readonly string[], from?: string): Choice {
    const tiers = this.#fitting(backendId, this.#tiers(backendId));
    const [first = [], ...others] = inSections(tiers);
    const mustCheck = others.length > 0 || serverCount(first) > 1;
    const names: [string, ...string[]] = [name, ...others.map((_, index) => `${name}__${index + 2}`)];
    for (const [index, section] of [first, ...others].entries()) {
      this.#output.section(
        "backend",
        names[index] ?? name,
        [...lines, ...this.#serverLines(backendId, section, mustCheck)],
        from,
      );
    }
    return names;
  }

  #fitting(backendId: string, tiers: Tier[]): Tier[] {
    const count = serverCount(tiers);
    const { servers, sets } = this.#limit;
    const isLast = count === servers + 1 && this.#taken < sets;
    if (isLast) this.#taken += 1;
    if (count > servers && !isLast) {
      this.#output.problem(
        backendId,
        "too_many_servers",
        `Some edges or routes with this backend have no servers: it has ${count} servers, and all edges and routes together need more than ${MOST_SERVERS}. Those that need fewer come first. Use fewer servers.`,
      );
      return [];
    }
    this.counts.push(count);
    return tiers;
  }

  #serverLines(backendId: string, tiers: readonly Tier[], mustCheck: boolean): string[] {
    const names = new Map<string, number>();
    return tiers.flatMap((tier, index) => {
      const { weights, distorted } = serverWeights(
        tier.leaves.map(({ servers, weight }) => ({ weight, servers: servers.length })),
      );
      if (distorted) {
        this.#output.problem(
          backendId,
          "weight_distorted",
          "Served, but some shares of traffic differ from the weights by more than 5 %: HAProxy only supports weights from 1 to 256. Keep the largest weight within 256 times the smallest.",
        );
      }
      return tier.leaves.flatMap(({ servers }, leaf) =>
        servers.map(({ name, target }, place) => {
          const nth = (names.get(name) ?? 0) + 1;
          names.set(name, nth);
          const weight = tier.leaves.length > 1 ? ` weight ${weights[leaf]}` : "";
          // The addresses of a single leaf are tried in order.
          const isBackup = index > 0 || (tier.leaves.length === 1 && place > 0);
          return `server ${quote(nth === 1 ? name : `${name}__${nth}`)} ${target}${weight}${mustCheck ? " check" : ""}${isBackup ? " backup" : ""}`;
        }),
      );
    });
  }

  /**
   * The tiers that a backend tries, in order. A backend that occurs twice only counts the first time, because shared backends can
   * multiply without limit. Not recursive, because nesting can be deep.
   */
  #tiers(backendId: string): Tier[] {
    const tiers: Tier[] = [];
    const seen = new Set<string>();
    const open = [backendId];
    for (let id = open.pop(); id !== undefined; id = open.pop()) {
      const backend = this.#output.snapshot.backends[id];
      if (!backend || seen.has(id)) continue;
      seen.add(id);
      if (backend.kind === "failover") open.push(...backend.backends.toReversed());
      else tiers.push(...this.#tier(id, backend));
    }
    return tiers;
  }

  /** A tier in a list; an empty list if the backend has no servers. */
  #tier(id: string, backend: Exclude<Backend, { kind: "failover" }>): Tier[] {
    const weights = backend.kind === "weighted" ? Object.entries(backend.backends) : [[id, 1] as const];
    const leaves = weights
      // A leaf with weight 0 gets no traffic.
      .filter(([, weight]) => weight > 0)
      .map(([leaf, weight]) => ({ servers: this.#servers(leaf), weight }))
      .filter(({ servers }) => servers.length > 0);
    return leaves.length === 0 ? [] : [{ leaves }];
  }

  /** The servers of a leaf; none if it cannot be used. */
  #servers(backendId: string): Server[] {
    const known = this.#leaves.get(backendId);
    if (known) return known;
    const servers = this.#leaf(backendId);
    this.#leaves.set(backendId, servers);
    return servers;
  }

  #leaf(backendId: string): Server[] {
    const backend = this.#output.snapshot.backends[backendId];
    if (backend?.kind === "http_response") {
      const socket = fixedResponse(backendId, backend, this.#output);
      return socket === undefined
        ? []
        : [{ name: backendId, target: `${quote(`unix@${socket}`)} send-proxy-v2` }];
    }
    return backend?.kind === "static" ? this.#static(backendId, backend) : [];
  }

  #static(backendId: string, { address, tls }: Extract<Backend, { kind: "static" }>): Server[] {
    const { host, port } = parseHostport(address);
    return staticAddresses(backendId, address, tls, this.#output).map((ip) => ({
      name: backendId,
      target: `${quote(`${bracketed(ip)}:${port}`)}${tls ? ` ${tlsOptions(host.replace(/\.$/, ""), this.#output.settings.upstreamRoots ?? "@system-ca")}` : ""}`,
    }));
  }
}

function tlsOptions(host: string, roots: string): string {
  const name = quote(host);
  return `ssl verify required ca-file ${quote(roots)} sni ${quote(`str(${host})`)} verifyhost ${name} check-sni ${name}`;
}

/**
 * The most servers in a configuration. HAProxy needs a file descriptor and a check each second for every server. It does not start
 * if descriptors run out, and checking a configuration does not detect that.
 */
const MOST_SERVERS = 10_000;

/** How many servers a set of sections can have. */
export interface ServerLimit {
  /** Every set with at most this many servers fits. */
  servers: number;
  /** Of the sets with one server more, this many fit: the first ones. */
  sets: number;
}

export const UNLIMITED: ServerLimit = { servers: Infinity, sets: 0 };

/** The limit that keeps the total at `MOST_SERVERS` by leaving out the largest sets. */
export function limitFor(counts: readonly number[]): ServerLimit {
  let sum = 0;
  const first = counts.toSorted((a, b) => a - b).find((count) => (sum += count) > MOST_SERVERS);
  if (first === undefined) return UNLIMITED;
  const smaller = counts.filter((count) => count < first).reduce((total, count) => total + count, 0);
  return { servers: first - 1, sets: Math.floor((MOST_SERVERS - smaller) / first) };
}

/** Groups tiers into sections: a weighted tier begins a section, and leaves after it are its backups. */
function inSections(tiers: readonly Tier[]): Tier[][] {
  const sections: Tier[][] = [];
  for (const tier of tiers) {
    const last = sections.at(-1);
    if (!last || tier.leaves.length > 1) sections.push([tier]);
    else last.push(tier);
  }
  return sections;
}

const serverCount = (tiers: readonly Tier[]) =>
  tiers.reduce((sum, { leaves }) => sum + leaves.reduce((sum, { servers }) => sum + servers.length, 0), 0);

/** A frontend's lines that choose a section. */
export function choiceLines(choice: Choice): string[] {
  return choice.map((name, index) =>
    index === choice.length - 1
      ? `default_backend ${quote(name)}`
      : `use_backend ${quote(name)} if { ${quote(`nbsrv(${argument(name)})`)} gt 0 }`,
  );
}

/** Rules for a variable that holds the name of the first section: they replace it with the name of the section to use. */
export function chosenInVariable(rule: string, variable: string, choice: Choice): string[] {
  return choice
    .slice(1)
    .map(
      (name, index) =>
        `${rule} set-var(${variable}) ${quote(`str(${argument(name)})`)} if { var(${variable}) -m str ${quote(choice[index] ?? "")} } { ${quote(`nbsrv(${argument(choice[index] ?? "")})`)} eq 0 }`,
    );
}
