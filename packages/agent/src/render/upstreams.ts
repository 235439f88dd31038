import { createHash } from "node:crypto";
import type { Backend } from "../../../traffic/src/snapshot.ts";
import { quote } from "../quote.ts";
import { fixedResponse } from "./fixed_responses.ts";
import { bracketed, parseHostport } from "./hostport.ts";
import { ENTRY_FIELDS, type Target } from "./maps.ts";
import type { Output } from "./output.ts";
import { staticAddresses } from "./static_addresses.ts";
import { serverWeights } from "./weights.ts";

/** The mode of a section: the kind of its rules, the scope of their variables, and how they reject. */
const MODES = {
  tcp: { rule: "tcp-request content", scope: "sess", rejection: "tcp-request content reject" },
  http: { rule: "http-request", scope: "txn", rejection: "http-request deny deny_status 503" },
} as const;
type Mode = keyof typeof MODES;

/** A server line's name, and the rest of the line without the weight, `check` and `backup`. */
interface Server {
  name: string;
  target: string;
  /** Where a static backend is; undefined for a fixed response. */
  upstream?: NonNullable<Target["upstream"]>;
}

/** One step of a failover: a weighted backend or a leaf. */
interface Tier {
  /** Leaves that share traffic by weight. The servers of a single leaf are tried in order. */
  leaves: { servers: Server[]; weight: number }[];
}

/** The sections of a backend with servers of its own. */
interface SectionSet {
  name: string;
  mode: Mode;
  backendId: string;
  tiers: Tier[];
  modules: readonly string[];
}

/**
 * The `backend` sections. Edges and routes with the same backend and modules share one. If the backend is one static upstream, all
 * with the same modules share one, and the map `entries` has the upstream. So another upstream needs no reload.
 *
 * Flattens other backends. A failover backend becomes its leaves in order, however deeply it is nested. HAProxy distributes traffic to the
 * servers of a `backend` section by weight, and uses its `backup` servers in order when none of the others is left: together, a
 * weighted backend followed by leaves. Each later weighted backend begins another section, whose name ends in its number, and
 * HAProxy uses the first section with a usable server (`nbsrv`).
 */
export class Upstreams {
  readonly #output: Output;
  /** Sets of sections, which are rendered once all are known: they share a limit. */
  readonly #sets: SectionSet[] = [];
  /** The most sections of one backend. Known after `finish`. */
  mostTiers = 1;
  readonly #sections = new Set<string>();
  readonly #leaves = new Map<string, Server[]>();

  constructor(output: Output) {
    this.#output = output;
  }

  /** Where traffic for a backend goes. @param modules lines of the section, which depend on no edge or route */
  target(mode: Mode, backendId: string, modules: readonly string[] = []): Target {
    const tiers = this.#tiers(backendId);
    const prefix = modules.length === 0 ? mode : `${mode}_${digest(modules)}`;
    const upstream = onlyUpstream(tiers);
    if (upstream) {
      const section = `${prefix}_any${upstream.name === "" ? "" : "_tls"}`;
      if (this.#isNew(section)) this.#anySection(section, mode, upstream.name !== "", modules);
      return { section, upstream };
    }
    const section = `${prefix}_${backendId}`;
    if (this.#isNew(section)) this.#sets.push({ name: section, mode, backendId, tiers, modules });
    return { section };
  }

  /** Renders the sections of backends with servers of their own. The largest get no servers if there are too many. */
  finish(): void {
    const { servers, sets } = limitFor(this.#sets.map(({ tiers }) => serverCount(tiers)));
    let taken = 0;
    for (const set of this.#sets) {
      const count = serverCount(set.tiers);
      const isLast = count === servers + 1 && taken < sets;
      if (isLast) taken += 1;
      if (count <= servers || isLast) {
        this.#render(set);
        continue;
      }
      this.#output.problem(
        set.backendId,
        "too_many_servers",
        `Some edges or routes with this backend have no servers: it has ${count} servers, and all edges and routes together need more than ${MOST_SERVERS}. Those that need fewer come first. Use fewer servers.`,
      );
      this.#render({ ...set, tiers: [] });
    }
  }

  #isNew(section: string): boolean {
    const isNew = !this.#sections.has(section);
    this.#sections.add(section);
    return isNew;
  }

  /**
   * A section for any static upstream. Its server has no address of its own: if setting the destination failed, HAProxy would call
   * itself. So it proves first that the entry has an address and a port, and for TLS a name, without which HAProxy would
   * accept any certificate.
   */
  #anySection(section: string, mode: Mode, isTls: boolean, modules: readonly string[]): void {
    const { rule, scope, rejection } = MODES[mode];
    const entry = (field: keyof typeof ENTRY_FIELDS) => `var(${scope}.entry),field(${ENTRY_FIELDS[field]},~)`;
    const tls = `ssl verify required ca-file ${quote(this.#roots)} sni var(${scope}.name) no-ssl-reuse`;
    this.#output.section("backend", section, [
      `mode ${mode}`,
      `${rule} set-var(${scope}.address) ${quote(`${entry("address")},ipmask(32,128)`)}`,
      `${rule} set-var(${scope}.port) ${quote(`${entry("port")},add(0)`)}`,
      `${rejection} unless { var(${scope}.address) -m found }`,
      `${rejection} unless { var(${scope}.port) -m int 1:65535 }`,
      ...(isTls
        ? [
            `${rule} set-var(${scope}.name) ${quote(entry("name"))}`,
            `${rejection} unless { var(${scope}.name) -m len gt 0 }`,
          ]
        : []),
      // Policies ask which address the client called.
      ...modules,
      `${rule} set-dst var(${scope}.address)`,
      `${rule} set-dst-port var(${scope}.port)`,
      `server any 0.0.0.0:0${isTls ? ` ${tls}` : ""}`,
    ]);
  }

  #render({ name, mode, backendId, tiers: all, modules }: SectionSet): void {
    const [first = [], ...others] = inSections(all);
    const mustCheck = others.length > 0 || serverCount(first) > 1;
    this.mostTiers = Math.max(this.mostTiers, others.length + 1);
    for (const [index, tiers] of [first, ...others].entries()) {
      this.#output.section("backend", index === 0 ? name : tierName(name, index + 1), [
        `mode ${mode}`,
        ...modules,
        ...this.#serverLines(backendId, tiers, mustCheck),
      ]);
    }
  }

  get #roots(): string {
    return this.#output.settings.upstreamRoots ?? "@system-ca";
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
      target: `${quote(`${bracketed(ip)}:${port}`)}${tls ? ` ${tlsOptions(host.replace(/\.$/, ""), this.#roots)}` : ""}`,
      upstream: { address: ip, port, name: tls ? host.replace(/\.$/, "") : "" },
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
interface ServerLimit {
  /** Every set with at most this many servers fits. */
  servers: number;
  /** Of the sets with one server more, this many fit: the first ones. */
  sets: number;
}

const UNLIMITED: ServerLimit = { servers: Infinity, sets: 0 };

/** The limit that keeps the total at `MOST_SERVERS` by leaving out the largest sets. */
function limitFor(counts: readonly number[]): ServerLimit {
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

/** The upstream of a backend that is one static upstream. */
function onlyUpstream(tiers: readonly Tier[]): Target["upstream"] {
  const servers = tiers.flatMap(({ leaves }) => leaves.flatMap(({ servers }) => servers));
  return servers.length === 1 ? servers[0]?.upstream : undefined;
}

const digest = (lines: readonly string[]) =>
  createHash("sha256").update(lines.join("\n")).digest("hex").slice(0, 32);

const tierName = (section: string, number: number) => `${section}__${number}`;

/**
 * A frontend's rules that choose the section of the entry in the variable `entry`, or the next of its sections while one has no
 * usable server. @param mostTiers the most sections of one backend
 */
export function chosenSection(rule: "http-request" | "tcp-request content", mostTiers: number): string[] {
  const { scope } = rule === "http-request" ? MODES.http : MODES.tcp;
  const set = (name: string, fetch: string, condition = "") =>
    `${rule} set-var(${scope}.${name}) ${quote(fetch)}${condition}`;
  const others = Array.from({ length: mostTiers - 1 }, (_, index) => {
    const next = `var(${scope}.section),concat(${tierName("", index + 2)})`;
    // `nbsrv` finds nothing if there is no such section.
    return set("to", next, ` if { var(${scope}.to),nbsrv eq 0 } { ${quote(`${next},nbsrv`)} ge 0 }`);
  });
  return [
    set("section", `var(${scope}.entry),field(${ENTRY_FIELDS.section},~)`),
    ...(others.length === 0 ? [] : [set("to", `var(${scope}.section)`), ...others]),
    `use_backend %[var(${scope}.${others.length === 0 ? "section" : "to"})]`,
  ];
}
