import { argument } from "../base/quote.ts";
import type { MapEntry, Layout, HostPlace } from "./layout.ts";
import type { Output } from "./output.ts";
import type { ForwardTarget } from "./parts.ts";

/*
 * What differs between edges and routes is data: lines of a few map files, which change in a running HAProxy. The configuration
 * itself only has rules that all share. A request passes through the maps in this order:
 *
 *   names/PORT        host name → EDGE~LISTENER~TABLE   the TLS or HTTPS edge at a name, the internal listener that terminates TLS, and
 *                                                       the edge's table
 *   addresses/PORT    address → EDGE~LISTENER~TABLE     the same for edges at IP addresses, whose clients send no name
 *   listeners         EDGE → EDGE~~TABLE                the table of an edge that has an internal listener of its own
 *   hosts             TABLE/PORT/host name → 1          the names of an edge with several
 *   routes/exact      TABLE/path → ENTRY                the longest prefix wins, after an exact match
 *   routes/prefix     TABLE/path → ENTRY
 *   entries           TABLE → ENTRY                     of a TLS edge, or of a TCP edge, whose table is its id
 *   nets/deny         SET/4/0A0019 → 1                  the rules of IP policies: see `networks.ts`
 *   nets/allow        SET/4/0A0019 → 1
 *   fixed             KEY → ENTRY                       the upstreams of websockets
 *   challenges        host name → thumbprint            the thumbprint that answers challenges: see `plain_http.ts`
 *
 * An ENTRY is OWNER~RESTRICTION~SECTION~ADDRESS~PORT~NAME. RESTRICTION is `open`, `nobody`, or sets joined by `|`. SECTION is the
 * `backend` section with the modules. If that section is for any static upstream, ADDRESS and PORT are the upstream, and NAME is its
 * host name if it is called over TLS. Whatever has no entry is not served. `./arrangement.ts` explains TABLE and SET.
 */

/** @throws RangeError if a field cannot be one */
export function entryOf(
  owner: string,
  restriction: MapEntry["restriction"],
  { section, upstream }: ForwardTarget,
): MapEntry {
  const fields = [section, upstream?.address ?? "", String(upstream?.port ?? ""), upstream?.name ?? ""];
  return { owner: field(owner), restriction, target: fields.map(field).join("~") };
}

/** @throws RangeError if a field cannot be one */
export const placeAt = (edge: string, listener: string): HostPlace => ({
  edge: field(edge),
  listener: field(listener),
});

/**
 * Checks a field of a value. `~` separates fields, and `;` ends a command of the runtime API.
 *
 * @throws RangeError if the text contains one of them
 */
function field(text: string): string {
  if (!/^[\w.:|-]*$/.test(text)) throw new RangeError(`Not a field: ${JSON.stringify(text)}.`);
  return text;
}

/** The fields of an entry, by their place. */
export const ENTRY_FIELDS = { owner: 1, restriction: 2, section: 3, address: 4, port: 5, name: 6 } as const;
/** The fields of a place. */
export const PLACE_FIELDS = { edge: 1, listener: 2, table: 3 } as const;

/** The maps that the configuration uses, and the lines that no edge has for itself. */
export class Maps {
  readonly #output: Output;
  readonly #paths = new Set<string>();
  readonly #places = new Map<string, ReadonlyMap<string, HostPlace>>();
  readonly #fixed = new Map<string, MapEntry>();
  #challenges: ReadonlyMap<string, string> = new Map();

  constructor(output: Output) {
    this.#output = output;
  }

  /** Says which edge is at each name or address, by the key in a map. */
  place(map: string, places: ReadonlyMap<string, HostPlace>): void {
    this.#paths.add(map);
    this.#places.set(map, places);
  }

  /** Adds an entry that the configuration looks up by its key. */
  fix(key: string, entry: MapEntry): void {
    this.#fixed.set(key, entry);
  }

  /** Says which thumbprint answers the challenges for each host. */
  answerChallenges(thumbprints: ReadonlyMap<string, string>): void {
    this.#challenges = thumbprints;
  }

  /** The absolute path of a map file. */
  path(map: string): string {
    this.#paths.add(map);
    return this.#output.path(map);
  }

  /** A sample that looks up another one in a map: an expression of HAProxy's configuration, not quoted. */
  lookup(key: string, map: string, converter: "map_str" | "map_beg" = "map_str"): string {
    return `${key},${converter}(${argument(this.path(map))})`;
  }

  layout(tables: Layout["tables"], sets: Layout["sets"]): Layout {
    return {
      places: this.#places,
      tables,
      fixed: this.#fixed,
      challenges: this.#challenges,
      sets,
      paths: [...this.#paths].toSorted(),
    };
  }
}

/** What the listeners share, and the facts about all edges and routes that they depend on. */
export interface Shared {
  output: Output;
  maps: Maps;
  /** The most sets of rules of one restriction. */
  mostSets: number;
  /** The most sections of one backend. */
  mostTiers: number;
}
