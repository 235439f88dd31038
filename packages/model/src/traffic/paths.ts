import { grouped } from "../groups.ts";
import { bytesOf, escapeOf, unescaped } from "../policy/evaluate.ts";
import type { Route } from "./snapshot.ts";
import type { StoredSnapshot } from "./stored_snapshot.ts";

/*
 * How paths are read: the paths of requests, and the matches of routes. The service, simulations, the agent's proxy and Traefik's
 * form all use this reading, because a path that one of them reads differently could miss a restricted route.
 *
 * The reading of a path is the path without its query, percent-decoded once (RFC 3986 §2.1), with runs of `/` merged. It is bytes,
 * not UTF-8: a character from U+0000 to U+00FF stands for a byte. The upstream gets the path as it was sent.
 */

/** The paths that a route matches. */
export type Match = Pick<Route, "match_type" | "match">;

/** Where a route is: `path` is a reading. */
export interface RoutePlace {
  match_type: Route["match_type"];
  path: string;
}

/** Bytes that a request target can have as they are (RFC 9112 §3.2): printable ASCII, without the fragment's `#`. */
const SENT = /^[!"$-~]*$/;
/** Bytes that no reading has: programs in C end a string at NUL, and others end a header line at a line break. */
const BREAKS = /[\0\n\r]/;
/** A segment that some upstreams resolve (RFC 3986 §5.2.4), which would lead to another route's path. */
const DOT_SEGMENT = /(?:^|\/)\.\.?(?:\/|$)/;
/** The same in a prefix, whose last segment can continue. */
const WHOLE_DOT_SEGMENT = /(?:^|\/)\.\.?\//;

/** Most matches: they are read as themselves. This is only faster, because there can be hundreds of thousands. */
const PLAIN = /^(?:\/[\w~-][\w.~-]*)*\/?$/;

/** Bytes, decoded once, with runs of `/` merged; undefined with an escape that is incomplete, or that is not hexadecimal. */
const decoded = (bytes: string): string | undefined => unescaped(bytes)?.replaceAll(/\/{2,}/g, "/");

/**
 * Reads the target of a request, in bytes. The proxy responds with 400 to a target that cannot be read.
 *
 * @returns undefined if the target cannot be read
 */
export function readTarget(target: string): string | undefined {
  const [raw = ""] = target.split("?", 1);
  const path = raw.startsWith("/") && SENT.test(target) ? decoded(raw) : undefined;
  return path === undefined || BREAKS.test(path) || DOT_SEGMENT.test(path) ? undefined : path;
}

/** Why a match cannot be read; undefined if it can. */
export function matchFault({ match_type, match }: Match): string | undefined {
  if (PLAIN.test(match)) return undefined;
  const path = decoded(bytesOf(match));
  if (path === undefined) return "Expected two hexadecimal digits after each %: write a percent sign as %25.";
  if (BREAKS.test(path)) return "Expected no %00, %0A or %0D: requests with them are rejected.";
  const dots = match_type === "exact_path" ? DOT_SEGMENT : WHOLE_DOT_SEGMENT;
  return dots.test(path)
    ? "Expected no segment . or .., not even as %2E: requests with such segments are rejected."
    : undefined;
}

/** Reads the match of a route. Undefined if it cannot be read: see {@link matchFault}. */
export const readMatch = (route: Match): string | undefined =>
  PLAIN.test(route.match)
    ? route.match
    : matchFault(route) === undefined
      ? decoded(bytesOf(route.match))
      : undefined;

/**
 * The place that a route holds. A stored match that cannot be read holds none, because requests with such a path are rejected. The
 * exception is a prefix that ends within an escape, such as `/a%2`: it holds everything that its readable part matches, so its
 * requests do not go to a shorter route.
 */
export function placeOf(route: Match): RoutePlace | undefined {
  const { match_type, match } = route;
  if (PLAIN.test(match)) return { match_type, path: match };
  const isCut = match_type === "path_prefix" && /%[0-9A-Fa-f]?$/.test(match);
  const path = readMatch(isCut ? { match_type, match: match.slice(0, match.lastIndexOf("%")) } : route);
  return path === undefined ? undefined : { match_type, path };
}

/** A stored route with the defaults of what it matches. */
export const storedMatch = ({
  id,
  match_type,
  match,
}: StoredSnapshot["routes"][number]): Match & { id: string } => ({
  id,
  match_type: match_type ?? "exact_path",
  match: match ?? "",
});

/** Why a route cannot be served: another route of its edge has the same place, or its match cannot be read. */
export interface MatchProblem {
  code: "match_taken" | "match_unreadable";
  detail: string;
}

/** The problems of the matches of an edge's routes, by the ids of the routes. */
export function matchProblems(routes: readonly (Match & { id: string })[]): Map<string, MatchProblem> {
  const found = new Map<string, MatchProblem>();
  for (const route of routes)
    if (readMatch(route) === undefined)
      found.set(route.id, { code: "match_unreadable", detail: route.match });
  const holders = grouped(routes, (route) => {
    const place = placeOf(route);
    return place && `${place.match_type} ${place.path}`;
  });
  for (const [place, own] of holders)
    if (place !== undefined && own.length > 1)
      for (const route of own)
        if (!found.has(route.id)) {
          const others = own.filter((other) => other !== route).map(({ id }) => id);
          found.set(route.id, { code: "match_taken", detail: others.join(", ") });
        }
  return found;
}

/** The routes of an edge by their places. */
export class RoutesByPlace<Each extends Match> {
  readonly #exact = new Map<string, Each>();
  readonly #prefixes = new Map<string, Each>();
  /** Lengths of the prefixes, longest first. */
  readonly #lengths: number[];

  /** @param routes from the oldest to the newest: of two at the same place, the oldest gets it */
  constructor(routes: Iterable<Each>) {
    for (const route of routes) {
      const place = placeOf(route);
      if (!place) continue;
      const own = place.match_type === "exact_path" ? this.#exact : this.#prefixes;
      if (!own.has(place.path)) own.set(place.path, route);
    }
    const lengths = new Set(Array.from(this.#prefixes.keys(), ({ length }) => length));
    this.#lengths = [...lengths].toSorted((a, b) => b - a);
  }

  /** The route that gets a path; of a prefix, the route that gets the paths which no longer prefix and no exact match has. */
  at({ match_type, path }: RoutePlace): Each | undefined {
    const exact = match_type === "exact_path" ? this.#exact.get(path) : undefined;
    if (exact) return exact;
    for (const length of this.#lengths) {
      const found = length <= path.length ? this.#prefixes.get(path.slice(0, length)) : undefined;
      if (found) return found;
    }
    return undefined;
  }
}

/**
 * A reading in the form of HAProxy's converter `url_enc`, which the keys of its maps have: a key cannot contain spaces. Each byte
 * has one form, so one reading begins with another exactly if their encoded forms do.
 */
export const encodedPath = (path: string): string =>
  PLAIN.test(path) ? path.replaceAll("/", "%2F") : path.replaceAll(/[^\w.~-]/g, escapeOf);
