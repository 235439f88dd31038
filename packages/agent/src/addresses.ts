import { lookup, Resolver } from "node:dns/promises";
import { readFileSync } from "node:fs";
import { isIP } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { count } from "../../model/src/groups.ts";
import { differingMembers } from "../../model/src/traffic/derived.ts";
import type { Backend, Snapshot } from "../../model/src/traffic/snapshot.ts";
import { elapsed } from "./base/clock.ts";
import { keySetsOf } from "./key_sets.ts";

/*
 * The addresses of the host names of upstreams and key sets, from /etc/hosts or DNS. nsswitch.conf and search domains are ignored, because
 * getaddrinfo(3) has no timeout.
 */

const MOST_ADDRESSES = 16;
const AT_ONCE = 16;
const SYSTEM_TIMEOUT = 3000;
/** Names that have not been looked up by then keep their addresses. */
const LONGEST_LOOKUP = 10_000;

export class HostAddresses {
  #known: Map<string, string[]>;
  readonly #service: string | undefined;
  /** How many of these backends have each host name. */
  readonly #upstreams = new Map<string, number>();
  #backends: Snapshot["backends"] = {};
  /** Counts changes. */
  revision = 0;

  /**
   * @param saved the addresses that an earlier agent had
   * @param service the service's host name, which is looked up in the same way as `fetch` does
   */
  constructor(saved: Record<string, string[]>, service?: string) {
    this.#known = new Map(Object.entries(saved));
    this.#service = service === undefined ? undefined : nameOf(service);
  }

  /** The addresses of a name, IPv4 first; undefined if it has not been looked up. */
  readonly of = (name: string): readonly string[] | undefined => this.#known.get(nameOf(name));

  /** For the disk. */
  get saved(): Record<string, string[]> {
    return Object.fromEntries(this.#known);
  }

  /** Whether all names in a snapshot have been looked up. */
  knows(snapshot: Snapshot): boolean {
    return this.#namesOf(snapshot).every((name) => this.#known.has(name));
  }

  /** Looks up all names. If that fails for a name, it keeps its addresses. Resolves to whether any address has changed. */
  async refresh(snapshot: Snapshot): Promise<boolean> {
    const names = this.#namesOf(snapshot);
    const before = JSON.stringify(this.saved);
    const hosts = hostsFile();
    const resolver = new Resolver({ timeout: 1500, tries: 2 });
    const found = new Map<string, string[]>();
    const queue = [...names];
    const end = elapsed() + LONGEST_LOOKUP;
    const look = async (name: string): Promise<string[] | undefined> => {
      if (name === this.#service) return systemLookUp(name);
      return hosts.get(name) ?? (elapsed() < end ? lookUp(resolver, name) : undefined);
    };
    const worker = async (): Promise<void> => {
      for (let name = queue.pop(); name !== undefined; name = queue.pop())
        found.set(name, (await look(name)) ?? this.#known.get(name) ?? []);
    };
    await Promise.all(Array.from({ length: Math.min(AT_ONCE, names.length) }, worker));
    this.#known = new Map(names.map((name) => [name, found.get(name) ?? []]));
    const hasChanged = JSON.stringify(this.saved) !== before;
    if (hasChanged) this.revision++;
    return hasChanged;
  }

  #namesOf(snapshot: Snapshot): string[] {
    const service = this.#service === undefined ? [] : [this.#service];
    const keyServers = keySetsOf(snapshot).map((url) => nameOf(new URL(url).hostname));
    this.#count(snapshot.backends);
    const names = [...this.#upstreams.keys(), ...keyServers.filter(isName), ...service];
    return [...new Set(names)].toSorted();
  }

  /** Counts the names of upstreams. */
  #count(backends: Snapshot["backends"]): void {
    for (const id of differingMembers(this.#backends, backends))
      for (const [name, by] of [
        [nameOfUpstream(this.#backends[id]), -1],
        [nameOfUpstream(backends[id]), 1],
      ] as const) {
        if (name !== undefined) count(this.#upstreams, name, by);
      }
    this.#backends = backends;
  }
}

/** Uses getaddrinfo(3). Resolves to undefined if it fails or takes too long. */
async function systemLookUp(name: string): Promise<string[] | undefined> {
  const found = lookup(name, { all: true })
    .then((addresses) => addresses.map(({ address }) => address).slice(0, MOST_ADDRESSES))
    .catch(() => undefined);
  return Promise.race([found, sleep(SYSTEM_TIMEOUT, undefined, { ref: false })]);
}

/** Sorted, because DNS servers rotate the order. Resolves to undefined if the lookup fails. */
async function lookUp(resolver: Resolver, name: string): Promise<string[] | undefined> {
  const [four, six] = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
  const addresses = [four, six].flatMap((answer) =>
    answer.status === "fulfilled" ? answer.value.toSorted() : [],
  );
  return addresses.length === 0 ? undefined : addresses.slice(0, MOST_ADDRESSES);
}

const nameOf = (host: string): string => host.toLowerCase().replace(/\.$/, "");

/** Whether a host is a name, and not an address. */
const isName = (host: string): boolean => !host.startsWith("[") && isIP(host) === 0;

/** The name of a static upstream that has one. */
function nameOfUpstream(backend: Backend | undefined): string | undefined {
  if (backend?.kind !== "static") return undefined;
  const host = backend.address.slice(0, backend.address.lastIndexOf(":"));
  return isName(host) ? nameOf(host) : undefined;
}

function hostsFile(): Map<string, string[]> {
  const hosts = new Map<string, string[]>();
  let text = "";
  try {
    text = readFileSync("/etc/hosts", "utf8");
  } catch {
    return hosts;
  }
  for (const line of text.split("\n")) {
    const [address = "", ...names] = line.replace(/#.*/, "").trim().split(/\s+/);
    if (isIP(address) === 0) continue;
    for (const name of names) {
      const known = hosts.get(name.toLowerCase()) ?? [];
      hosts.set(name.toLowerCase(), [...known, address].slice(0, MOST_ADDRESSES));
    }
  }
  return hosts;
}
