import type { Problem } from "../../model/src/traffic/problems.ts";
import type { Snapshot } from "../../model/src/traffic/snapshot.ts";
import { parseHostport } from "./render/hostport.ts";
import type { Listener } from "./render/render.ts";
import { bindError } from "./try_bind.ts";

/** Error codes of a machine without IPv6 when something listens on `::`. */
const NO_IPV6: ReadonlySet<string> = new Set(["EAFNOSUPPORT", "EADDRNOTAVAIL"]);

/** A listener that cannot be bound, as `address port`, and the system error code. */
interface Obstacle {
  key: string;
  code: string;
}

/** Which listeners HAProxy cannot bind on this machine. */
export class Listeners {
  /** System error codes by `address port`. */
  readonly #errors = new Map<string, string>();
  /** Counts changes. */
  revision = 0;

  /** The listeners that cannot be bound, each as `address port`. */
  get unavailable(): string[] {
    return [...this.#errors.keys()];
  }

  /**
   * Resolves to whether all of these can be bound.
   *
   * @param owners processes that may hold them already
   */
  async areBindable(listeners: readonly Listener[], owners: readonly number[]): Promise<boolean> {
    let areAll = true;
    for (const listener of listeners) {
      const code = await bindError(listener, owners);
      if (code === undefined) continue;
      this.#errors.set(keyOf(listener), code);
      this.revision++;
      areAll = false;
    }
    return areAll;
  }

  /** Resolves to whether an unavailable listener can be bound now, or fails with another error; forgets its error then. */
  async hasChanged(owners: readonly number[]): Promise<boolean> {
    for (const [key, code] of this.#errors) {
      const [address = "", port = ""] = key.split(" ");
      const listener = { address, port: Number(port), v6only: address.includes(":") };
      if ((await bindError(listener, owners)) !== code) {
        this.#errors.delete(key);
        this.revision++;
        return true;
      }
    }
    return false;
  }

  /** False once listening on `::` has failed because the machine lacks IPv6. */
  get hasIpv6(): boolean {
    const failed = [...this.#errors].find(([key, code]) => key.startsWith(":: ") && NO_IPV6.has(code));
    return failed === undefined;
  }

  isAvailable(hostport: string): boolean {
    return this.#obstacle(hostport) === undefined;
  }

  /** Why an address cannot be listened on; undefined if it can, or was not tried. */
  objectionTo(address: string, port: number): string | undefined {
    const key = `${address} ${port}`;
    const code = this.#errors.get(key);
    return code === undefined ? undefined : reasonFor({ key, code });
  }

  /** At most one problem for each edge. */
  problems({ edges }: Snapshot, isInScope: (hostport: string) => boolean): Problem[] {
    if (this.#errors.size === 0) return [];
    return edges.flatMap(({ id, hostports }) =>
      hostports
        .filter(isInScope)
        .flatMap((hostport) => {
          const obstacle = this.#obstacle(hostport);
          return obstacle ? [{ object: id, ...listenerProblem(hostport, obstacle) }] : [];
        })
        .slice(0, 1),
    );
  }

  #obstacle(hostport: string): Obstacle | undefined {
    const { address, port } = parseHostport(hostport);
    const addresses = address === undefined ? ["0.0.0.0", "::"] : [address];
    for (const one of addresses) {
      const key = `${one} ${port}`;
      const code = this.#errors.get(key);
      if (code !== undefined && !(one === "::" && NO_IPV6.has(code))) return { key, code };
    }
    return undefined;
  }
}

/** Identifies a listener: `address port`. */
export const keyOf = ({ address, port }: Listener): string => `${address} ${port}`;

const CODES: Readonly<Record<string, string>> = {
  EADDRINUSE: "port_taken",
  EADDRNOTAVAIL: "address_missing",
  EACCES: "port_forbidden",
};

const listenerProblem = (hostport: string, obstacle: Obstacle) => ({
  code: CODES[obstacle.code] ?? "port_unavailable",
  msg: `${hostport} is not served: ${reasonFor(obstacle)}.${ADVICE[obstacle.code] ?? ""}`,
});

const ADVICE: Readonly<Record<string, string>> = {
  EADDRINUSE: " Stop it, or use another port.",
  EACCES: " Give the agent CAP_NET_BIND_SERVICE.",
};

function reasonFor({ key, code }: Obstacle): string {
  const where = key.replace(" ", " port ");
  switch (code) {
    case "EADDRINUSE":
      return `another process listens on ${where}`;
    case "EADDRNOTAVAIL":
      return "this machine does not have that address";
    case "EACCES":
      return `the agent's user is not permitted to listen on ${where}`;
    default:
      return `cannot listen on ${where} (${code})`;
  }
}
