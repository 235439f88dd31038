import { type Match, placeOf, RoutesByPlace } from "../../../packages/model/src/traffic/paths.ts";
import type { Edge, HttpsEdge, Route, Snapshot } from "../../../packages/model/src/traffic/snapshot.ts";
import { type ListeningPoint, listeningPoint } from "../../../packages/model/src/values/hostports.ts";
import type { Admitted } from "./admission.ts";
import { getOrMake, nameOf, policiesIn, type World } from "./rows_in_memory.ts";

/*
 * The places where clients arrive, and who serves each before and after some writes. A place is a hostport, and for HTTPS a set of
 * paths: the path of an exact match, or the paths that begin with a prefix and belong to no longer prefix and to no exact match.
 */

/** Modules that can reject a source that the IP restriction admits. */
export const CHECKS = ["mutual_tls", "traffic_policy", "user_agent_filter"] as const;
type PlaceCheck = (typeof CHECKS)[number];

/** An edge or a route that serves a place. */
interface Server {
  /** Its id; of a route, after that of its edge and a slash. */
  name: string;
  admitted: Admitted;
  /** What else is checked: the content of each check, for comparison. */
  checks: Partial<Record<PlaceCheck, string>>;
}

/** Places at which the same happens: the same paths of several hostports. */
export interface Transition {
  /** In canonical form; empty for an edge or a route that is managed elsewhere, of which it is not known where clients arrive. */
  hostports: string[];
  /** Null if all paths, or all that match no route, or if there are no paths. */
  match: Match | null;
  was: Server | undefined;
  is: Server | undefined;
}

/** Whom a restriction admits. */
const admittedBy = (restriction: { ip_policy_ids: string[] } | undefined): Admitted =>
  restriction ? [...new Set(restriction.ip_policy_ids)].toSorted() : "everybody";

const checksOf = (
  owner: Pick<Route, "traffic_policy" | "user_agent_filter">,
  edge: { mutual_tls?: { certificate_authority_ids: string[] } },
): Server["checks"] => ({
  ...(edge.mutual_tls && { mutual_tls: edge.mutual_tls.certificate_authority_ids.toSorted().join() }),
  ...(owner.traffic_policy && { traffic_policy: owner.traffic_policy.value }),
  ...(owner.user_agent_filter && {
    user_agent_filter: JSON.stringify([owner.user_agent_filter.allow, owner.user_agent_filter.deny]),
  }),
});

/** A policy that cannot be enforced: what it belongs to is not served. */
const isUnenforced = ({ traffic_policy: policy }: Pick<Route, "traffic_policy">): boolean =>
  policy !== undefined && policy.program === undefined;

/** A route as a server; undefined if it returns 503. */
function serverOfRoute(edge: HttpsEdge, route: Route | undefined): Server | undefined {
  if (!route?.backend || isUnenforced(route)) return undefined;
  return {
    name: `${edge.id}/${route.id}`,
    admitted: admittedBy(route.ip_restriction),
    checks: checksOf(route, edge),
  };
}

/** An edge without routes as a server; undefined if it is not served. */
const serverOfEdge = (edge: Exclude<Edge, HttpsEdge>): Server | undefined =>
  isUnenforced(edge)
    ? undefined
    : {
        name: edge.id,
        admitted: admittedBy(edge.ip_restriction),
        checks: checksOf(edge, edge.kind === "tls" ? edge : {}),
      };

/** Who serves the paths of an edge. */
function pathsOf(edge: Edge | undefined): {
  matches: Match[];
  at: (match: Match | null) => Server | undefined;
} {
  if (edge?.kind !== "https") {
    const server = edge && serverOfEdge(edge);
    return { matches: [], at: () => server };
  }
  const routes = new RoutesByPlace(edge.routes);
  return {
    matches: edge.routes.map(({ match_type, match }) => ({ match_type, match })),
    // Paths that match no route get a 404, and those that cannot be read a 400.
    at: (match) => {
      const place = match && placeOf(match);
      return place ? serverOfRoute(edge, routes.at(place)) : undefined;
    },
  };
}

/** Who gets what arrives at hostports. A TCP edge gets all connections to its port, because a connection carries no name. */
class Hostports {
  readonly #edges = new Map<string, Edge>();
  /** TCP edges by port, and by the address at which they listen: `*` for all. */
  readonly #listeners = new Map<string, Edge>();
  readonly #points: Map<string, ListeningPoint>;

  /** @param points of hostports that are known: there can be thousands, and parsing each takes long */
  constructor({ edges }: Snapshot, points: Map<string, ListeningPoint>) {
    this.#points = points;
    for (const edge of edges)
      for (const hostport of edge.hostports) {
        this.#edges.set(hostport, edge);
        const { host, port, isAddress } = this.#pointOf(hostport);
        if (edge.kind === "tcp") this.#listeners.set(`${isAddress ? host : "*"} ${port}`, edge);
      }
  }

  get all(): string[] {
    return [...this.#edges.keys()];
  }

  at(hostport: string): Edge | undefined {
    const { host, port, isAddress } = this.#pointOf(hostport);
    const own = isAddress ? this.#listeners.get(`${host} ${port}`) : undefined;
    return own ?? this.#listeners.get(`* ${port}`) ?? this.#edges.get(hostport);
  }

  #pointOf(hostport: string): ListeningPoint {
    return getOrMake(this.#points, hostport, () => listeningPoint(hostport));
  }
}

/** Who serves each place before and after. Each pair of edges is compared once, not once for each of their hostports. */
export function transitionsBetween(before: Snapshot, after: Snapshot): Transition[] {
  const points = new Map<string, ListeningPoint>();
  const [old, next] = [new Hostports(before, points), new Hostports(after, points)];
  const pairs = Map.groupBy(
    new Set([...old.all, ...next.all]),
    (hostport) => `${old.at(hostport)?.id ?? ""} ${next.at(hostport)?.id ?? ""}`,
  );
  return [...pairs.values()].flatMap((hostports) => {
    const [was, is] = [pathsOf(old.at(hostports[0] ?? "")), pathsOf(next.at(hostports[0] ?? ""))];
    // Two matches that are read as the same path are one place: the plan shows the newer.
    const matches = new Map(
      [...was.matches, ...is.matches].flatMap((match) => {
        const place = placeOf(match);
        return place ? [[`${place.match_type} ${place.path}`, match] as const] : [];
      }),
    );
    // Every path begins with a slash.
    const others = matches.has("path_prefix /") ? [] : [null];
    return [...others, ...matches.values()].flatMap((match): Transition[] => {
      const transition = { hostports, match, was: was.at(match), is: is.at(match) };
      return transition.was || transition.is ? [transition] : [];
    });
  });
}

/**
 * Edges and routes that are managed elsewhere, before and after. Only their modules are known: without an enabled restriction, they
 * admit everybody.
 */
export function transitionsElsewhere(before: World, after: World): Transition[] {
  const servers = (world: World): Map<string, Server> => {
    const edges = new Map(world.all("https_edge").map((edge) => [edge.id, edge]));
    const isElsewhere = ({ created_at }: { created_at: string | null }) => created_at === null;
    const own = [...edges.values()].filter(isElsewhere).map(({ id, mutual_tls }): Server => ({
      name: id,
      admitted: "everybody",
      checks: enabledChecks({ mutual_tls }),
    }));
    const routes = world
      .all("https_edge_route")
      .filter(isElsewhere)
      .map((route): Server => {
        const ip_policy_ids = policiesIn(route.ip_restriction);
        return {
          name: nameOf(route),
          admitted: admittedBy(route.ip_restriction?.enabled ? { ip_policy_ids } : undefined),
          checks: enabledChecks({ ...route, mutual_tls: edges.get(route.edge_id)?.mutual_tls ?? null }),
        };
      });
    return new Map([...own, ...routes].map((server) => [server.name, server]));
  };
  const [old, next] = [servers(before), servers(after)];
  const bare = (name: string): Server => ({ name, admitted: "everybody", checks: {} });
  return [...new Set([...old.keys(), ...next.keys()])].map((name) => ({
    hostports: [],
    match: null,
    was: old.get(name) ?? bare(name),
    is: next.get(name) ?? bare(name),
  }));
}

/** The content of the modules that are enabled. */
const enabledChecks = (modules: Partial<Record<PlaceCheck, { enabled: boolean } | null>>): Server["checks"] =>
  Object.fromEntries(
    CHECKS.flatMap((check) => {
      const module = modules[check];
      return module?.enabled ? [[check, JSON.stringify(module)]] : [];
    }),
  );
