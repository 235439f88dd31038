import type { Backend } from "../../../traffic/src/snapshot.ts";
import { argument, quote } from "../quote.ts";
import { fixedResponse } from "./fixed_responses.ts";
import { bracketed, parseHostport } from "./hostport.ts";
import type { Output } from "./output.ts";
import { staticAddresses } from "./static_addresses.ts";
import { serverWeights } from "./weights.ts";

/**
 * What an edge or route forwards to: names of `backend` sections, in order. The first that has a usable server is taken, the
 * last one if none has.
 */
export type Choice = readonly [string, ...string[]];

/** A server's line without name, weight, `check` and `backup`. */
interface Server {
  name: string;
  target: string;
}

/** What is tried as one: servers that share its traffic by weight, or one server after another. */
interface Tier {
  /** Shares of traffic; undefined: one after another. */
  leaves: { servers: Server[]; weight: number }[];
}

/**
 * Backends, flattened. A failover backend becomes its leaves in order, however it is nested. HAProxy sends traffic to the servers
 * of a `backend` section by weight, and to its `backup` servers one after another only when none of the former is left: that is
 * a weighted backend followed by leaves. Where a weighted backend comes later, another section begins, and the first section
 * with a usable server is chosen (`nbsrv`).
 */
export class Upstreams {
  readonly #output: Output;
  readonly #limit: ServerLimit;
  /** How many sets of the size that fits in part have been taken. */
  #taken = 0;
  /** How many servers each set of sections has. */
  readonly counts: number[] = [];
  readonly #shared = new Map<string, Choice>();
  readonly #leaves = new Map<string, Server[]>();

  /** @param limit what does not fit in it gets no servers */
  constructor(output: Output, limit: ServerLimit) {
    this.#output = output;
    this.#limit = limit;
  }

  /** Sections in TCP mode for a backend, one set for all that use it. */
  tcp(backendId: string): Choice {
    const known = this.#shared.get(backendId);
    if (known) return known;
    const choice = this.sections(`tcp_${backendId}`, backendId, []);
    this.#shared.set(backendId, choice);
    return choice;
  }

  /** Sections of its own for an edge or route, each with these lines first, and building on the `defaults` section `from`. */
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
        `Not called by some edges or routes: it has ${count} servers, and all of them together have over ${MOST_SERVERS}. Those with fewer come first. Use fewer.`,
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
          "Served, but a share of traffic differs by over 5 % from what the weights say: HAProxy counts weights from 1 to 256. Use weights whose largest is at most 256 times the smallest.",
        );
      }
      return tier.leaves.flatMap(({ servers }, leaf) =>
        servers.map(({ name, target }, place) => {
          const nth = (names.get(name) ?? 0) + 1;
          names.set(name, nth);
          const weight = tier.leaves.length > 1 ? ` weight ${weights[leaf]}` : "";
          // One leaf: its first address, then its others.
          const isBackup = index > 0 || (tier.leaves.length === 1 && place > 0);
          return `server ${quote(nth === 1 ? name : `${name}__${nth}`)} ${target}${weight}${mustCheck ? " check" : ""}${isBackup ? " backup" : ""}`;
        }),
      );
    });
  }

  /**
   * What a backend tries, in order. What comes twice is tried at its first place: backends that share others may have more ways
   * through them than can be counted, and may be nested too deeply for recursion.
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

  /** One tier, or none if nothing in it can be called. */
  #tier(id: string, backend: Exclude<Backend, { kind: "failover" }>): Tier[] {
    const weights = backend.kind === "weighted" ? Object.entries(backend.backends) : [[id, 1] as const];
    const leaves = weights
      // A leaf with the weight 0 gets no traffic.
      .filter(([, weight]) => weight > 0)
      .map(([leaf, weight]) => ({ servers: this.#servers(leaf), weight }))
      .filter(({ servers }) => servers.length > 0);
    return leaves.length === 0 ? [] : [{ leaves }];
  }

  /** The servers of a leaf; none if it cannot be called. */
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
 * Servers of one configuration. HAProxy keeps a descriptor for each, looks after it once a second, and does not start where
 * descriptors are too few, which its check does not tell.
 */
const MOST_SERVERS = 10_000;

/** How many servers the edges and routes may have, each set of sections by itself. */
export interface ServerLimit {
  /** All sets with at most so many fit. */
  servers: number;
  /** Of those with one more, so many fit: the first. */
  sets: number;
}

/** Whatever they have. */
export const UNLIMITED: ServerLimit = { servers: Infinity, sets: 0 };

/** The limit that leaves all together at most `MOST_SERVERS`: the largest give way. */
export function limitFor(counts: readonly number[]): ServerLimit {
  let sum = 0;
  const first = counts.toSorted((a, b) => a - b).find((count) => (sum += count) > MOST_SERVERS);
  if (first === undefined) return UNLIMITED;
  const smaller = counts.filter((count) => count < first).reduce((total, count) => total + count, 0);
  return { servers: first - 1, sets: Math.floor((MOST_SERVERS - smaller) / first) };
}

/** A weighted tier begins a section; leaves after it are its backups. */
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

/** The lines of a frontend that choose among sections. */
export function choiceLines(choice: Choice): string[] {
  return choice.map((name, index) =>
    index === choice.length - 1
      ? `default_backend ${quote(name)}`
      : `use_backend ${quote(name)} if { ${quote(`nbsrv(${argument(name)})`)} gt 0 }`,
  );
}

/** Rules that put the section to be taken into a variable which holds the first one's name. */
export function chosenInVariable(rule: string, variable: string, choice: Choice): string[] {
  return choice
    .slice(1)
    .map(
      (name, index) =>
        `${rule} set-var(${variable}) ${quote(`str(${argument(name)})`)} if { var(${variable}) -m str ${quote(choice[index] ?? "")} } { ${quote(`nbsrv(${argument(choice[index] ?? "")})`)} eq 0 }`,
    );
}
