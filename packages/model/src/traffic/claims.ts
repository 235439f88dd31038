import { type ListeningPoint, listeningPoint } from "../values/hostports.ts";
import type { StoredSnapshot } from "./stored_snapshot.ts";

/*
 * Which edge gets a hostport that several edges have: the one that was created first, even if it cannot be served. A later edge
 * never takes over traffic that was meant for another.
 */

/** How a port's connections find their edge: they all belong to one (`tcp`), or the TLS server name selects it (`tls`). */
export type Layer = "tcp" | "tls";

/** Why an edge does not get a hostport, and the edge that has it or its port. */
export interface HostportRefusal {
  code: "hostport_taken" | "port_taken";
  holder: string;
}

/** Listens on all addresses of a port. */
const EVERYWHERE = "*";

/** The first edge of a layer that listens on each address of each port. */
class Listeners {
  readonly #everywhere = new Map<number, string>();
  readonly #at = new Map<number, Map<string, string>>();

  add(edge: string, port: number, address: string): void {
    if (address === EVERYWHERE) {
      if (!this.#everywhere.has(port)) this.#everywhere.set(port, edge);
      return;
    }
    const at = this.#at.get(port) ?? new Map<string, string>();
    this.#at.set(port, at);
    if (!at.has(address)) at.set(address, edge);
  }

  /** The edge that listens on an address. */
  holderOf(port: number, address: string): string | undefined {
    return this.#at.get(port)?.get(address) ?? this.#everywhere.get(port);
  }

  /** An edge other than `edge` that listens on an address, or on an overlapping one. */
  other(edge: string, port: number, address: string): string | undefined {
    const at = this.#at.get(port);
    if (at && address === EVERYWHERE) for (const each of at.values()) if (each !== edge) return each;
    const own = at?.get(address) ?? edge;
    if (own !== edge) return own;
    const everywhere = this.#everywhere.get(port);
    return everywhere === edge ? undefined : everywhere;
  }
}

interface Claimant {
  id: string;
  hostports: string[] | null;
}

/** The edges with hostports, by kind. */
export type Claimants = Record<"tcp" | "tls" | "https", Claimant[]>;

/** What an edge gets of its hostports, and what it does not get. */
export interface Claimed {
  /** In canonical form. */
  won: string[];
  /** As the edge has them. */
  lost: (HostportRefusal & { hostport: string })[];
}

/** After its prefix, an id begins with the time of its creation. */
const ageOf = ({ id }: { id: string }): string => id.slice(id.indexOf("_") + 1);

/** The order in which objects were created. */
export const byAge = (a: { id: string }, b: { id: string }): number => (ageOf(a) < ageOf(b) ? -1 : 1);

/** The hostports that each edge gets, by its id, and who has any hostport. */
export function claimAll({ tcp, tls, https }: Pick<StoredSnapshot, "tcp" | "tls" | "https"> | Claimants): {
  claims: Claims;
  byEdge: Map<string, Claimed>;
} {
  const claims = new Claims();
  const ofTcp = new Set<string>(tcp.map(({ id }) => id));
  const byEdge = new Map<string, Claimed>();
  for (const { id, hostports } of [...tcp, ...tls, ...https].toSorted(byAge)) {
    const layer = ofTcp.has(id) ? "tcp" : "tls";
    const won = new Set<string>();
    const lost: Claimed["lost"] = [];
    for (const { hostport, point, name } of pointsOf(hostports)) {
      const refusal = claims.claim(id, layer, point, name);
      if (refusal) lost.push({ hostport, ...refusal });
      else won.add(name);
    }
    byEdge.set(id, { won: [...won], lost });
  }
  return { claims, byEdge };
}

/**
 * The hostports that edges get while edges change. Two edges concern each other if both have a hostport, or if both have a port and one
 * of them is a TCP edge. A change assigns hostports again to the edges that it concerns, directly or through others.
 */
export class KeptClaims {
  readonly #claimed = new Map<string, Claimed>();
  readonly #edges: Record<keyof Claimants, Map<string, Claimant>> = {
    tcp: new Map(),
    tls: new Map(),
    https: new Map(),
  };
  /** Edges by hostport, by port, and TCP edges by port. */
  readonly #having = new Map<string, Set<string>>();

  /** What an edge gets; undefined if there is no such edge. */
  of(edge: string): Claimed | undefined {
    return this.#claimed.get(edge);
  }

  /** Takes edges as they are now. Returns the edges that get other hostports than before. */
  update(
    changed: ReadonlySet<string>,
    edges: Record<keyof Claimants, ReadonlyMap<string, Claimant>>,
  ): string[] {
    const concerned = new Set<string>();
    this.#reach(changed, concerned);
    for (const kind of KINDS)
      for (const id of changed) {
        const [old, edge] = [this.#edges[kind].get(id), edges[kind].get(id)];
        if (old) for (const key of keysOf(kind, old)) this.#lose(key, id);
        if (edge) for (const key of keysOf(kind, edge)) this.#gain(key, id);
        if (edge) this.#edges[kind].set(id, edge);
        else this.#edges[kind].delete(id);
      }
    this.#reach(changed, concerned);
    const some = (kind: keyof Claimants): Claimant[] =>
      [...concerned].flatMap((id) => this.#edges[kind].get(id) ?? []);
    const { byEdge } = claimAll({ tcp: some("tcp"), tls: some("tls"), https: some("https") });
    const others: string[] = [];
    for (const id of concerned) {
      const [old, next] = [this.#claimed.get(id), byEdge.get(id)];
      if (!isSameClaim(old, next)) others.push(id);
      if (next) this.#claimed.set(id, next);
      else this.#claimed.delete(id);
    }
    return others;
  }

  /** Adds the edges that these concern. */
  #reach(from: Iterable<string>, reached: Set<string>): void {
    const open = [...from];
    const seen = new Set<string>();
    for (let id = open.pop(); id !== undefined; id = open.pop()) {
      reached.add(id);
      for (const kind of KINDS)
        for (const { name, point } of pointsOf(this.#edges[kind].get(id)?.hostports ?? null)) {
          const key = this.#having.has(`tcp ${point.port}`) ? String(point.port) : name;
          if (seen.has(key)) continue;
          seen.add(key);
          open.push(...(this.#having.get(key) ?? []));
        }
    }
  }

  #gain(key: string, id: string): void {
    const ids = this.#having.get(key) ?? new Set();
    this.#having.set(key, ids.add(id));
  }

  #lose(key: string, id: string): void {
    const ids = this.#having.get(key);
    ids?.delete(id);
    if (ids?.size === 0) this.#having.delete(key);
  }
}

const KINDS = ["tcp", "tls", "https"] as const;

/** The keys of an edge in the index of {@link KeptClaims}. */
const keysOf = (kind: keyof Claimants, { hostports }: Claimant): string[] =>
  pointsOf(hostports).flatMap(({ name, point: { port } }) => [
    name,
    String(port),
    ...(kind === "tcp" ? [`tcp ${port}`] : []),
  ]);

function isSameClaim(a: Claimed | undefined, b: Claimed | undefined): boolean {
  if (!a || !b) return a === b;
  // Most have lost nothing.
  return areSame(a.won, b.won) && (a.lost.length + b.lost.length === 0 || areSame(a.lost, b.lost));
}

const areSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

/** A hostport, where it listens, and its canonical form. */
interface Point {
  hostport: string;
  point: ListeningPoint;
  name: string;
}

/** The points of lists that were read before: of many edges, few change. */
const known = new WeakMap<string[], Point[]>();

function pointsOf(hostports: string[] | null): Point[] {
  if (hostports === null) return [];
  const found = known.get(hostports);
  if (found) return found;
  const points = hostports.map((hostport) => {
    const point = listeningPoint(hostport);
    return { hostport, point, name: `${point.host}:${point.port}` };
  });
  known.set(hostports, points);
  return points;
}

/** Assigns hostports to edges, which claim them in the order of their creation. */
export class Claims {
  readonly #hostports = new Map<string, string>();
  readonly #listeners: Record<Layer, Listeners> = { tcp: new Listeners(), tls: new Listeners() };

  /**
   * Assigns a hostport to an edge, which is in canonical form. Fails if an earlier edge has the hostport, or listens on the same address and port and one of
   * the two is a TCP edge: nothing in a connection would identify the edge.
   */
  claim(
    edge: string,
    layer: Layer,
    { host, port, isAddress }: ListeningPoint,
    hostport: string,
  ): HostportRefusal | undefined {
    const holder = this.#hostports.get(hostport);
    if (holder !== undefined) return holder === edge ? undefined : { code: "hostport_taken", holder };
    const address = isAddress ? host : EVERYWHERE;
    const { tcp, tls } = this.#listeners;
    const other =
      tcp.other(edge, port, address) ?? (layer === "tcp" ? tls.other(edge, port, address) : undefined);
    if (other !== undefined) return { code: "port_taken", holder: other };
    this.#hostports.set(hostport, edge);
    this.#listeners[layer].add(edge, port, address);
    return undefined;
  }

  /**
   * The edge that gets what arrives at a hostport: the TCP edge that listens there, whatever the name, because a connection carries
   * none; otherwise the edge that has the hostport.
   */
  holderOf({ host, port, isAddress }: ListeningPoint): string | undefined {
    const tcp = this.#listeners.tcp.holderOf(port, isAddress ? host : EVERYWHERE);
    return tcp ?? this.#hostports.get(`${host}:${port}`);
  }
}
