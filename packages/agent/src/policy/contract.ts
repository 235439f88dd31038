/** Algorithms of signatures that HAProxy verifies (RFC 7518 §3.1). */
export const ALGORITHMS = ["RS256", "RS384", "RS512", "ES256", "ES384", "ES512"] as const;
export type Algorithm = (typeof ALGORITHMS)[number];

/** A public key in a file. */
export interface KeyFile {
  /** Its id in the key set; tokens must name it. */
  kid?: string | undefined;
  /** The algorithms that it can be used with. */
  algorithms: readonly Algorithm[];
  file: string;
}

/** What a translation depends on. */
export interface Given {
  /** Begins the names of variables and sections: letters, digits and `_`. */
  prefix: string;
  /** A fetch that identifies the edge or route: several of them share the same lines, but each has its own counters. */
  owner: string;
  /** Absolute path of a file that the program needs. */
  pathOf: (file: string) => string;
  /** The keys of a key set; none if there are none yet. */
  keysOf: (url: string) => readonly KeyFile[];
}

/** The counters of a rate limit. */
interface Counters {
  /** The table's name. */
  name: string;
  /** Its type, size, expiry and what is stored: the same for the same name. */
  spec: string;
  /** Tells apart limits that share a table. */
  kind: string;
}

/** Lines of a section, and what they need beside it. */
export interface Translated {
  connect: string[];
  request: string[];
  /** After all other rules for requests: they keep what the rules for responses ask. */
  requestEnd: string[];
  response: string[];
  /** Options of the section. */
  options: string[];
  /** The table of each rate limit. Several can have the same. */
  tables: Counters[];
  /** Files by name. */
  files: Map<string, string>;
}
