import type { ListeningPoint } from "../../../src/values/hostports.ts";

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

/** The first edge that listens on each address of a port; `*` stands for all addresses. */
type Listeners = Map<string, string>;

/** The edges that listen on an address, or on an overlapping one. */
function* overlapping(listeners: Listeners, address: string): Iterable<string> {
  if (address === "*") yield* listeners.values();
  else for (const at of [address, "*"]) if (listeners.has(at)) yield listeners.get(at) ?? "";
}

/** Assigns hostports to edges, which claim them in the order of their creation. */
export class Claims {
  readonly #hostports = new Map<string, string>();
  readonly #ports = new Map<number, Record<Layer, Listeners>>();

  /**
   * Assigns a hostport to an edge. Fails if an earlier edge has the hostport, or listens on the same address and port and one of
   * the two is a TCP edge: nothing in a connection would identify the edge.
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
