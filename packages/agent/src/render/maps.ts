import { mapFile, type Output } from "./output.ts";

/*
 * What differs between edges and routes is data: lines of a few map files, which change in a running HAProxy. The configuration
 * itself only has rules that all share. A request passes through the maps in this order:
 *
 *   names/PORT        host name → EDGE~LISTENER     the TLS or HTTPS edge at a name, and the internal listener that terminates TLS
 *   addresses/PORT    address → EDGE~LISTENER       the same for edges at IP addresses, whose clients send no name
 *   routes/exact      EDGE/%2Fpath → ROUTE          the longest prefix wins, after an exact match; the path as in `paths.ts`
 *   routes/prefix     EDGE/%2Fpath → ROUTE
 *   entries           EDGE or ROUTE → RESTRICTION~SECTION~ADDRESS~PORT~NAME
 *   nets/deny         POLICY/4/0A0019 → 1           the rules of IP policies: see `networks.ts`
 *   nets/allow        POLICY/4/0A0019 → 1
 *
 * RESTRICTION is `open`, `nobody`, or policies joined by `|`. SECTION is the `backend` section with the modules. If that section
 * is for any static upstream, ADDRESS and PORT are the upstream, and NAME is its host name if it is called over TLS. One line holds
 * the restriction and the upstream together, so both change at the same moment. Whatever has no entry is not served.
 */

/** Where an edge or a route forwards traffic. */
export interface Target {
  section: string;
  /** The upstream, if the section is for any static upstream. `name` is for TLS; otherwise it is empty. */
  upstream?: { address: string; port: number; name: string };
}

/** The value of an entry. */
export function entryOf(restriction: string, { section, upstream }: Target): string {
  const fields = [
    restriction,
    section,
    upstream?.address ?? "",
    String(upstream?.port ?? ""),
    upstream?.name ?? "",
  ];
  return fields.map(field).join("~");
}

/** Which edge a name or an address belongs to. @param listener "" if TLS is passed through to the upstream */
export const placeOf = (edge: string, listener: string): string => `${field(edge)}~${field(listener)}`;

/**
 * Checks a field of a value. `~` separates fields, and `;` ends a command of the runtime API.
 *
 * @throws RangeError if the text contains one of them
 */
function field(text: string): string {
  if (!/^[\w.:|-]*$/.test(text)) throw new RangeError(`Not a field: ${JSON.stringify(text)}.`);
  return text;
}

/** A fetch of a field of `entries`, from a variable that holds the entry. */
export const ENTRY_FIELDS = { restriction: 1, section: 2, address: 3, port: 4, name: 5 } as const;

/** The lines of the maps, collected while edges are rendered. */
export class Maps {
  readonly #output: Output;
  readonly #lines = new Map<string, Map<string, string>>();

  constructor(output: Output) {
    this.#output = output;
    for (const path of ["entries", "routes/exact", "routes/prefix"]) this.#lines.set(path, new Map());
  }

  /** Adds a line, unless the key has one: the older edge or route wins. */
  add(path: string, key: string, value: string): void {
    const lines = this.#lines.get(path) ?? new Map<string, string>();
    if (!lines.has(key)) lines.set(key, value);
    this.#lines.set(path, lines);
  }

  /** The absolute path of a map file. */
  path(path: string): string {
    if (!this.#lines.has(path)) this.#lines.set(path, new Map());
    return this.#output.path(path);
  }

  finish(): void {
    for (const [path, lines] of this.#lines) this.#output.map(path, mapFile(lines));
  }
}
