import {
  countOf,
  difference,
  everyone,
  isEmpty,
  networksOf,
  nobody,
  type Sources,
  sourcesOf,
} from "../../../packages/traffic/src/networks.ts";
import { timestamp } from "../../clock.ts";
import type { StoredIpRestriction } from "../../db/stored.ts";
import { isInForce, nameOf, policiesIn, type World } from "./world.ts";

/*
 * Whom some writes let in or shut out: for edges and routes, what their IP restrictions admit; for a policy, what a restriction
 * with only this policy admits.
 */

/** The most networks of each sort for an object. */
const NETWORKS = 50;

/** The most ends of rules that are listed, and how far ahead. */
const ENDS = 50;
const YEAR = 366 * 24 * 3_600_000;

/** The most sets of sources that are computed for the ends of rules. */
const COMPUTED = 2_000;

/** Modules that can reject a source although the IP restriction admits it. */
const OTHER_MODULES = ["traffic_policy", "mutual_tls", "user_agent_filter", "webhook_verification"] as const;

/** The number of addresses of each family, in decimal. */
interface Count {
  ipv4: string;
  ipv6: string;
}

/** Whose access changes, and how. */
export interface AccessChange {
  /** The name of an edge, a route or a policy. */
  name: string;
  hostports: string[];
  newly_allowed: string[];
  newly_refused: string[];
  count_allowed: Count;
  count_refused: Count;
  from_everyone: boolean;
  to_everyone: boolean;
  to_nobody: boolean;
  truncated: boolean;
  also: string[];
}

/** What changes later, when rules expire. */
export interface Later {
  at: string;
  name: string;
  newly_allowed: string[];
  newly_refused: string[];
  truncated: boolean;
}

/** Something that sources can reach, or a policy. */
interface Entrance {
  hostports: string[];
  /** The policies of its restriction; undefined without one. */
  policies: string[] | undefined;
  also: string[];
}

/** The sources that entrances of a world admit at an instant. */
class Admission {
  readonly #world: World;
  readonly #now: string;
  readonly #known = new Map<string, Sources>();

  /** @param now RFC 3339, UTC */
  constructor(world: World, now: string) {
    this.#world = world;
    this.#now = now;
  }

  of(entrance: Entrance | undefined): Sources {
    if (!entrance) return nobody;
    if (!entrance.policies) return everyone;
    const policies = [...new Set(entrance.policies)].toSorted();
    const key = policies.join();
    const known = this.#known.get(key);
    if (known) return known;
    const rules = policies
      .flatMap((id) => this.#world.rulesOf(id))
      .filter((rule) => isInForce(rule, this.#now));
    const cidrs = (wanted: string) =>
      rules.filter(({ action }) => action === wanted).map(({ cidr }) => String(cidr));
    const sources = sourcesOf({ allow: cidrs("allow"), deny: cidrs("deny") });
    this.#known.set(key, sources);
    return sources;
  }
}

/** Everything that admits sources, by name. @param policies the policies that may have changed */
function entrancesOf(world: World, policies: Iterable<string>): Map<string, Entrance> {
  const restricted = (restriction: StoredIpRestriction | null) =>
    restriction?.enabled ? policiesIn(restriction) : undefined;
  const also = (row: object) => OTHER_MODULES.filter((name) => isEnabled(Reflect.get(row, name)));
  const entrances = new Map<string, Entrance>();
  for (const edge of [...world.all("tcp_edge"), ...world.all("tls_edge")])
    entrances.set(edge.id, {
      hostports: edge.hostports ?? [],
      policies: restricted(edge.ip_restriction),
      also: also(edge),
    });
  const edges = new Map(world.all("https_edge").map((edge) => [edge.id, edge]));
  for (const route of world.all("https_edge_route")) {
    const edge = edges.get(route.edge_id);
    if (route.created_at === null && route.ip_restriction === null) continue;
    entrances.set(nameOf(route), {
      hostports: edge?.hostports ?? [],
      policies: restricted(route.ip_restriction),
      also: [...new Set([...also(route), ...(edge ? also(edge) : [])])],
    });
  }
  for (const id of policies)
    if (world.get("ip_policy", id)) entrances.set(id, { hostports: [], policies: [id], also: [] });
  return entrances;
}

const isEnabled = (module: unknown): boolean =>
  typeof module === "object" && module !== null && Reflect.get(module, "enabled") === true;

/** The first networks of a set, and whether there are more. */
function firstNetworks(sources: Sources): { networks: string[]; isMore: boolean } {
  const networks: string[] = [];
  for (const network of networksOf(sources)) {
    if (networks.length === NETWORKS) return { networks, isMore: true };
    networks.push(network);
  }
  return { networks, isMore: false };
}

/** What changes between two sets of sources; undefined if nothing does. */
function changeOf(before: Sources, after: Sources) {
  const allowed = difference(after, before);
  const refused = difference(before, after);
  if (isEmpty(allowed) && isEmpty(refused)) return undefined;
  const shownAllowed = firstNetworks(allowed);
  const shownRefused = firstNetworks(refused);
  return {
    allowed,
    refused,
    newly_allowed: shownAllowed.networks,
    newly_refused: shownRefused.networks,
    truncated: shownAllowed.isMore || shownRefused.isMore,
  };
}

const counted = (sources: Sources): Count => {
  const { ipv4, ipv6 } = countOf(sources);
  return { ipv4: String(ipv4), ipv6: String(ipv6) };
};

/** What changes between two sets of sources, in words and numbers; undefined if nothing does. */
function describe(from: Sources, to: Sources) {
  const change = changeOf(from, to);
  if (!change) return undefined;
  const { allowed, refused, ...shown } = change;
  return {
    ...shown,
    count_allowed: counted(allowed),
    count_refused: counted(refused),
    from_everyone: isEveryone(from),
    to_everyone: isEveryone(to),
    to_nobody: isEmpty(to),
  };
}

/** A function of two sets that computes each pair once: many edges share their policies. */
function remembered<T>(compute: (from: Sources, to: Sources) => T): (from: Sources, to: Sources) => T {
  const known = new Map<Sources, Map<Sources, { value: T }>>();
  return (from, to) => {
    const own = known.get(from) ?? new Map<Sources, { value: T }>();
    known.set(from, own);
    const found = own.get(to) ?? { value: compute(from, to) };
    own.set(to, found);
    return found.value;
  };
}

const isEveryone = (sources: Sources): boolean => isEmpty(difference(everyone, sources));

/**
 * Whose access differs between two worlds, and what changes later, when rules of the second expire.
 *
 * @param policies the policies that the writes create, change or delete
 * @param now RFC 3339, UTC
 */
export function accessEffect(
  before: World,
  after: World,
  policies: Iterable<string>,
  now: string,
): { access: AccessChange[]; later: Later[] } {
  const ids = [...policies];
  const old = entrancesOf(before, ids);
  const next = entrancesOf(after, ids);
  const admittedBefore = new Admission(before, now);
  const admittedAfter = new Admission(after, now);
  const described = remembered(describe);
  const access: AccessChange[] = [];
  for (const name of new Set([...old.keys(), ...next.keys()])) {
    const [was, is] = [old.get(name), next.get(name)];
    const change = described(admittedBefore.of(was), admittedAfter.of(is));
    const { hostports = [], also = [] } = is ?? was ?? {};
    if (change) access.push({ name, hostports, ...change, also });
  }
  access.sort((a, b) => (a.name < b.name ? -1 : 1));
  return { access, later: laterOf(after, next, access, now) };
}

/** What changes for some objects when rules expire, in order of time. */
function laterOf(
  world: World,
  entrances: Map<string, Entrance>,
  access: AccessChange[],
  now: string,
): Later[] {
  const horizon = timestamp(Date.parse(now) + YEAR);
  const ends = new Set<string>();
  const affected = access.flatMap(({ name }) => {
    const entrance = entrances.get(name);
    const own = (entrance?.policies ?? [])
      .flatMap((id) => world.rulesOf(id))
      .flatMap(({ expires_at }) => (typeof expires_at === "string" ? [expires_at] : []))
      .filter((end) => end > now && end <= horizon);
    for (const end of own) ends.add(end);
    return own.length === 0 ? [] : [{ name, entrance, ends: new Set(own) }];
  });
  const later: Later[] = [];
  let computed = 0;
  let admitted = new Admission(world, now);
  for (const at of [...ends].toSorted()) {
    const next = new Admission(world, at);
    for (const { name, entrance, ends: own } of affected) {
      if (!own.has(at)) continue;
      if (later.length >= ENDS || computed++ >= COMPUTED) return later;
      const change = changeOf(admitted.of(entrance), next.of(entrance));
      if (!change) continue;
      const { newly_allowed, newly_refused, truncated } = change;
      later.push({ at, name, newly_allowed, newly_refused, truncated });
    }
    admitted = next;
  }
  return later;
}
