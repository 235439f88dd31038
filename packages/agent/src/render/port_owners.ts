import type { Take } from "./parts.ts";

/** Which edges listen on which address. All TLS and HTTPS edges share a listener; a TCP edge has its own. */
export class PortOwners {
  readonly #owners = new Map<number, Map<string, string>>();

  /** Returns whether no other owner has any of the addresses. */
  take({ owner, port, addresses }: Take): boolean {
    const taken = this.#owners.get(port) ?? new Map<string, string>();
    if (addresses.every((address) => taken.get(address) === owner)) return true;
    if (
      [...taken].some(([other, by]) => by !== owner && addresses.some((address) => overlap(address, other)))
    )
      return false;
    for (const address of addresses) taken.set(address, owner);
    this.#owners.set(port, taken);
    return true;
  }
}

function overlap(a: string, b: string): boolean {
  if (a.includes(":") !== b.includes(":")) return false;
  return a === b || isAny(a) || isAny(b);
}

/** Whether this is the wildcard address of its family. */
export const isAny = (address: string) => address === "0.0.0.0" || address === "::";
