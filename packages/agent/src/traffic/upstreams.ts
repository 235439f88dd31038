import { MOST_SERVERS, type ReportedServer } from "../../../model/src/traffic/counts.ts";
import type { Backend, Snapshot } from "../../../model/src/traffic/snapshot.ts";
import { textOfInstant } from "../base/clock.ts";
import type { Reached } from "./tallies.ts";
import type { ServerState } from "./worker_stats.ts";

interface State {
  isUp: boolean;
  /** In milliseconds since 1970. */
  since: number;
}

/**
 * The servers of backends, up or down. HAProxy checks those that have an alternative. Of the others, the last connection says whether they
 * can be reached.
 */
export class Upstreams {
  readonly #snapshot: () => Snapshot | undefined;
  #checked: { backend: string; address: string; state: State }[] = [];
  /** By backend and address. */
  readonly #reached = new Map<string, { backend: string; address: string; state: State }>();

  /** @param snapshot the newest one */
  constructor(snapshot: () => Snapshot | undefined) {
    this.#snapshot = snapshot;
  }

  /** Takes what HAProxy's checks say. @param now by the clock of the service */
  check(servers: readonly ServerState[], now: number): void {
    const before = new Map(this.#checked.map((one) => [`${one.backend} ${one.address}`, one.state]));
    this.#checked = servers.map(({ backend, address, isUp, since }) => {
      const known = before.get(`${backend} ${address}`);
      // HAProxy counts from its last reload.
      const changed = now - since * 1000;
      return {
        backend,
        address,
        state: { isUp, since: known?.isUp === isUp ? Math.min(known.since, changed) : changed },
      };
    });
  }

  /** Takes the last connections to servers that are not checked. */
  reach(reached: ReadonlyMap<string, Reached>, now: number): void {
    const snapshot = this.#snapshot();
    if (!snapshot || reached.size === 0) return;
    const backends = backendsOf(snapshot);
    for (const { object, address, isUp } of reached.values()) {
      const backend = leafOf(backends.get(object), snapshot.backends);
      if (backend === undefined) continue;
      const key = `${backend} ${address}`;
      const known = this.#reached.get(key);
      if (known?.state.isUp !== isUp)
        this.#reached.set(key, { backend, address, state: { isUp, since: now } });
    }
    for (const [key, { backend }] of this.#reached)
      if (!snapshot.backends[backend]) this.#reached.delete(key);
  }

  /** The servers of all backends, those that are down first, as far as they fit into a report. */
  get servers(): ReportedServer[] {
    const checked = new Set(this.#checked.map(({ backend }) => backend));
    return [...this.#checked, ...[...this.#reached.values()].filter(({ backend }) => !checked.has(backend))]
      .toSorted((a, b) => Number(a.state.isUp) - Number(b.state.isUp))
      .slice(0, MOST_SERVERS)
      .map(({ backend, address, state: { isUp, since } }) => ({
        backend_id: backend,
        address,
        up: isUp,
        since: textOfInstant(since),
      }));
  }
}

/** The backend of each edge and route. */
function backendsOf({ edges }: Snapshot): Map<string, string> {
  const found = new Map<string, string>();
  for (const edge of edges)
    for (const { id, backend } of edge.kind === "https" ? edge.routes : [edge])
      if (backend) found.set(id, backend.backend_id);
  return found;
}

/** The only static backend that a backend leads to. */
function leafOf(id: string | undefined, backends: Readonly<Record<string, Backend>>): string | undefined {
  const seen = new Set<string>();
  const leaves = new Set<string>();
  const open = id === undefined ? [] : [id];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const backend = backends[next];
    if (!backend || seen.has(next)) continue;
    seen.add(next);
    if (backend.kind === "failover") open.push(...backend.backends);
    else if (backend.kind === "weighted") open.push(...Object.keys(backend.backends));
    else if (backend.kind === "static") leaves.add(next);
  }
  const [leaf] = leaves;
  return leaves.size === 1 ? leaf : undefined;
}
