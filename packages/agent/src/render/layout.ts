/*
 * What the map files say, without the names of tables and sets of rules, which `./arrangement.ts` gives them.
 */

/** The maps with lines of tables, by their paths. */
export const TABLE_MAPS = ["entries", "routes/exact", "routes/prefix", "hosts"] as const;
export type TableMap = (typeof TABLE_MAPS)[number];

/** The maps with the rules, denials first. */
export const NETS = { deny: "nets/deny", allow: "nets/allow" } as const;

/** The map whose lines tell an old worker which requests to stop answering: all, those over HTTP/2, or those that are counted. */
export const ENDED = "ended";
export type Ending = "all" | "http2" | "counted";

/** The map with the thumbprint for each host for which challenges are answered. */
export const CHALLENGES = "challenges";

/** Whom an edge or a route lets in, and where its traffic goes. */
export interface MapEntry {
  /** The id of the edge or route, for logs and counters. */
  owner: string;
  /** `open`, `nobody`, or the names of at most four sets of rules. */
  restriction: "open" | "nobody" | readonly string[];
  /** The other fields: see `maps.ts`. */
  target: string;
}

/** The edge at a host name or at an address, and the internal listener that terminates TLS for it, or "". */
export interface HostPlace {
  edge: string;
  listener: string;
}

/** The networks of the rules of one or more policies, as keys: see `networks.ts`. */
export interface RuleKeys {
  allow: readonly string[];
  deny: readonly string[];
}

/** The lines of an edge in the maps of tables. */
export interface Table {
  /** False for a TCP edge: its listener has the name of its only line, which never changes. */
  isNamed: boolean;
  /**
   * By {@link keyOfLine}: the map, a space, and what follows the name of the table in the key. A line without an entry only says that
   * its key exists.
   */
  lines: ReadonlyMap<string, MapEntry | undefined>;
}

export const keyOfLine = (map: TableMap, rest: string): string => `${map} ${rest}`;

export interface Layout {
  /** By map, such as `names/443`, and by key. */
  places: ReadonlyMap<string, ReadonlyMap<string, HostPlace>>;
  /** By edge. */
  tables: ReadonlyMap<string, Table>;
  /** By the name that entries have. */
  sets: ReadonlyMap<string, RuleKeys>;
  /** Entries whose keys are in the configuration. */
  fixed: ReadonlyMap<string, MapEntry>;
  /** The thumbprints of issuers' accounts, by host. */
  challenges: ReadonlyMap<string, string>;
  /** The maps that the configuration uses. */
  paths: readonly string[];
}
