import { allowedNetworks } from "../../../packages/model/src/traffic/networks.ts";
import type { Problem } from "../../../packages/model/src/traffic/problems.ts";
import type { Snapshot, Backend, IpRestriction } from "../../../packages/model/src/traffic/snapshot.ts";
import type { HttpPart, TcpPart, TlsOptions, TraefikConfiguration } from "./types.ts";

/** The codes of problems: reasons why a part of a snapshot is not in the configuration for Traefik. */
export const TRAEFIK_PROBLEMS = [
  "not_in_traefik_circuit_breaker",
  "not_in_traefik_failover",
  "not_in_traefik_fixed_response",
  "not_in_traefik_headers",
  "not_in_traefik_ip_address_host",
  "not_in_traefik_missing_reference",
  "not_in_traefik_path",
  "not_in_traefik_size",
  "not_in_traefik_traffic_policy",
  "not_in_traefik_user_agent_filter",
  "not_in_traefik_websocket_tcp_converter",
] as const;

export interface TraefikReason {
  code: (typeof TRAEFIK_PROBLEMS)[number];
  msg: string;
}

/** A reason. */
export const reason = (code: TraefikReason["code"], msg: string): TraefikReason => ({ code, msg });

/** The most networks in one list. A few denied networks inside a large allowed one split it into many. */
export const NETWORKS = 20_000;
/** The most characters of rules, networks and certificates together. Traefik waits 5 seconds for the whole configuration. */
const CHARACTERS = 4_000_000;

/**
 * The only item of a list that matches nobody, because Traefik rejects an empty list. No client has this address (RFC 1122
 * §3.2.1.3).
 */
export const NOBODY = "255.255.255.255/32";

/** A configuration under construction. */
export class Draft {
  readonly snapshot: Snapshot;
  readonly http: HttpPart = { routers: {}, services: {}, middlewares: {}, serversTransports: {} };
  readonly tcp: TcpPart = { routers: {}, services: {}, middlewares: {}, serversTransports: {} };
  readonly options: Record<string, TlsOptions> = {};
  /** Allowed networks, by the sorted ids of the policies of a restriction. */
  readonly #allowed = new Map<string, { name: string; networks: string[] | undefined }>();
  readonly #problems = new Map<string, Problem>();
  #characters = CHARACTERS;

  constructor(snapshot: Snapshot) {
    this.snapshot = snapshot;
  }

  /** Records why an object is left out of the configuration. */
  leaveOut(object: string, reasons: TraefikReason[]): void {
    for (const { code, msg } of reasons) {
      const key = `${object} ${code}`;
      if (!this.#problems.has(key)) this.#problems.set(key, { object, code, msg });
    }
  }

  /** Reserves a number of the remaining characters; false if there are not enough. */
  reserve(characters: number): boolean {
    if (characters > this.#characters) return false;
    this.#characters -= characters;
    return true;
  }

  /**
   * The networks that a restriction allows, and the name of the list; undefined instead of the networks if there are too many.
   */
  allowed(
    object: string,
    { ip_policy_ids }: IpRestriction,
  ): { name: string; networks: string[] | undefined } {
    const ids = [...new Set(ip_policy_ids)].toSorted();
    const key = ids.join(" ");
    const known = this.#allowed.get(key);
    if (known) return known;
    const list = { name: `${object}-sources`, networks: this.#networks(ids) };
    this.#allowed.set(key, list);
    return list;
  }

  #networks(ids: string[]): string[] | undefined {
    const policies = ids.flatMap((id) => this.snapshot.ip_policies[id] ?? []);
    const allow = policies.flatMap((policy) => policy.allow);
    const deny = policies.flatMap((policy) => policy.deny);
    if (!this.reserve(characters(allow) + characters(deny))) return undefined;
    const networks = allowedNetworks({ allow, deny }, NETWORKS);
    if (networks === undefined || !this.reserve(characters(networks))) return undefined;
    return networks.length === 0 ? [NOBODY] : networks;
  }

  configuration(): TraefikConfiguration {
    return withoutEmpty({
      http: withoutEmpty(this.http),
      tcp: withoutEmpty(this.tcp),
      tls: withoutEmpty({ options: this.options }),
    });
  }

  sortedProblems(): Problem[] {
    return [...this.#problems.values()].toSorted(
      (a, b) => compare(a.object, b.object) || compare(a.code, b.code),
    );
  }
}

const compare = (a: string, b: string): number => (a < b ? -1 : Number(a > b));
/** The total length of some strings. */
export const characters = (strings: string[]): number => strings.reduce((sum, { length }) => sum + length, 0);

/** The object without its empty fields. */
export function withoutEmpty<T extends object>(object: T): Partial<T> {
  const kept: Partial<T> = { ...object };
  for (const name in object) if (Object.keys(object[name] ?? {}).length === 0) delete kept[name];
  return kept;
}

/** The children of a weighted backend that receive traffic, with their weights. */
export const weightsOf = (backend: Extract<Backend, { kind: "weighted" }>): [string, number][] =>
  Object.entries(backend.backends).filter(([, weight]) => weight > 0);
