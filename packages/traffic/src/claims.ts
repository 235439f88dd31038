import { type ListeningPoint, listeningPoint } from "../../../src/values/hostports.ts";
import type { StoredSnapshot } from "./stored.ts";

/*
 * Which edge gets a hostport that several edges have: the one that was created first, even if it cannot be served. A later edge
 * never takes over traffic that was meant for another.
 */

/** How a port's connections find their edge: they all belong to one (`tcp`), or the TLS server name selects it (`tls`). */
export type Layer = "tcp" | "tls";

/** Why an edge does not get a hostport, and the edge that has it or its port. */
export interface Refusal {
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

/** The edges with hostports, by kind. */
export type Claimants = Record<"tcp" | "tls" | "https", { id: string; hostports: string[] | null }[]>;

/** What an edge gets of its hostports, and what it does not get. */
export interface Claimed {
  /** In canonical form. */
  won: string[];
  /** As the edge has them. */
  lost: (Refusal & { hostport: string })[];
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
  ): Refusal | undefined {
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
