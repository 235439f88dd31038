import { Resolver } from "node:dns/promises";
import { readFileSync } from "node:fs";
import { isIP } from "node:net";
import type { Snapshot } from "./snapshot.ts";

/*
 * Addresses of upstreams' names: from /etc/hosts, otherwise DNS. getaddrinfo(3) cannot be bounded in time, hence neither
 * nsswitch.conf nor search domains are heeded.
 */

const MOST_ADDRESSES = 16;
const AT_ONCE = 16;
/** Names whose turn has not come until then keep their addresses. */
const LONGEST_LOOKUP = 10_000;

export class Names {
  #known: Map<string, string[]>;

  /** @param kept what `kept()` gave before */
  constructor(kept: unknown) {
    this.#known = new Map(Object.entries(isAddresses(kept) ? kept : {}));
  }

  /** Addresses of a name, IPv4 first; undefined if it never had any. */
  readonly addresses = (name: string): readonly string[] | undefined => this.#known.get(nameOf(name));

  kept(): Record<string, string[]> {
    return Object.fromEntries(this.#known);
  }

  /** Whether the addresses of all names in `snapshot` were looked up. */
  knows(snapshot: Snapshot): boolean {
    return namesIn(snapshot).every((name) => this.#known.has(name));
  }

  /** Looks all names up; a name that cannot be looked up now keeps its addresses. Resolves to whether any has changed. */
  async refresh(snapshot: Snapshot): Promise<boolean> {
    const names = namesIn(snapshot);
    const before = JSON.stringify(this.kept());
    const hosts = hostsFile();
    const resolver = new Resolver({ timeout: 1500, tries: 2 });
    const found = new Map<string, string[]>();
    const queue = [...names];
    const end = Date.now() + LONGEST_LOOKUP;
    const look = async (name: string) => (Date.now() < end ? lookUp(resolver, name) : undefined);
    const worker = async (): Promise<void> => {
      for (let name = queue.pop(); name !== undefined; name = queue.pop())
        found.set(name, hosts.get(name) ?? (await look(name)) ?? this.#known.get(name) ?? []);
    };
    await Promise.all(Array.from({ length: Math.min(AT_ONCE, names.length) }, worker));
    this.#known = new Map(names.map((name) => [name, found.get(name) ?? []]));
    return JSON.stringify(this.kept()) !== before;
  }
}

/** Sorted, as servers of DNS turn their order with each answer. Undefined if the name cannot be looked up now. */
async function lookUp(resolver: Resolver, name: string): Promise<string[] | undefined> {
  const [four, six] = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
  const addresses = [four, six].flatMap((answer) =>
    answer.status === "fulfilled" ? answer.value.toSorted() : [],
  );
  return addresses.length === 0 ? undefined : addresses.slice(0, MOST_ADDRESSES);
}

const nameOf = (host: string): string => host.toLowerCase().replace(/\.$/, "");

function namesIn({ backends }: Snapshot): string[] {
  const names = Object.values(backends).flatMap((backend) => {
    if (backend.kind !== "static") return [];
    const host = backend.address.slice(0, backend.address.lastIndexOf(":"));
    return host.startsWith("[") || isIP(host) !== 0 ? [] : [nameOf(host)];
  });
  return [...new Set(names)].toSorted();
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

const isAddresses = (value: unknown): value is Record<string, string[]> =>
  typeof value === "object" &&
  value !== null &&
  Object.values(value).every(
    (addresses) => Array.isArray(addresses) && addresses.every((item) => typeof item === "string"),
  );
