import type { ListeningPoint } from "../../../src/values/hostports.ts";

/*
 * Which edge gets a hostport that several have. The edge that was created first gets it, whether it can be served or not: a
 * later one never takes over traffic that was meant for another.
 */

/** What listens on a port: whatever comes is for one edge, or TLS by whose server name the edge is chosen. */
export type Layer = "tcp" | "tls";

/** Why an edge does not get a hostport, and the edge that is in the way. */
export interface Refusal {
  code: "hostport_taken" | "port_taken";
  holder: string;
}

/** The first edge that listens at each address of a port; `*` for all addresses. */
type Listeners = Map<string, string>;

/** The listeners of a port that get connections which also came to `address`. */
function* overlapping(listeners: Listeners, address: string): Iterable<string> {
  if (address === "*") yield* listeners.values();
  else for (const at of [address, "*"]) if (listeners.has(at)) yield listeners.get(at) ?? "";
}

/** Hostports and who has them. Edges claim theirs in the order of their creation. */
export class Claims {
  readonly #hostports = new Map<string, string>();
  readonly #ports = new Map<number, Record<Layer, Listeners>>();

  /**
   * Gives a hostport to an edge, unless an earlier one has it, or listens at the same address of this port and one of the two
   * is a TCP edge: nothing in a connection would tell which of them is meant.
   */
  claim(edge: string, layer: Layer, { host, port, isAddress }: ListeningPoint): Refusal | undefined {
    const hostport = `${host}:${port}`;
    const holder = this.#hostports.get(hostport);
    if (holder !== undefined) return holder === edge ? undefined : { code: "hostport_taken", holder };
    const address = isAddress ? host : "*";
    const listeners = this.#ports.get(port) ?? { tcp: new Map(), tls: new Map() };
    for (const other of overlapping(listeners.tcp, address))
      if (other !== edge) return { code: "port_taken", holder: other };
    if (layer === "tcp")
      for (const other of overlapping(listeners.tls, address))
        if (other !== edge) return { code: "port_taken", holder: other };
    this.#hostports.set(hostport, edge);
    this.#ports.set(port, listeners);
    if (!listeners[layer].has(address)) listeners[layer].set(address, edge);
    return undefined;
  }
}
