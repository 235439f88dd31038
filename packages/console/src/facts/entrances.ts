import { useMemo } from "preact/hooks";
import type { Schemas } from "../api/client.ts";
import type { EdgeObject, RouteObject } from "../api/lists.ts";
import { nameOf } from "../api/names.ts";
import { useEdges } from "../api/queries.ts";
import { type Problem, useProblems } from "./problems.ts";

/*
 * Entrances: where traffic comes in. A TCP or TLS edge is one, and so is each route of an HTTPS edge.
 */

/** A hostport or a route, with what guards it and where it leads. */
export interface Entrance {
  /** The id of the edge, or of the route. */
  id: string;
  edge: EdgeObject;
  route: RouteObject | undefined;
  /** Hostports, or the path of a route. */
  place: string;
  restriction: Schemas["IpRestrictionModule"] | null;
  backend: Schemas["BackendModule"] | null;
  problems: Problem[];
  state: EntranceState;
}

/** Whether an entrance is served. Without a host or a route, no request can arrive. */
export type EntranceState = "not served" | "answers 503" | "in part" | "no host" | "no route" | "served";

/** What problems do to their object. */
export function effectOf(problems: Problem[]): EntranceState {
  const has = (wanted: Problem["effect"]): boolean => problems.some(({ effect }) => effect === wanted);
  if (has("not_served")) return "not served";
  if (has("answers_503")) return "answers 503";
  return has("partly") ? "in part" : "served";
}

/** The state of an edge, or of one of its routes, with the problems of both. */
export function stateOf(problems: Problem[], edge: EdgeObject, route?: RouteObject): EntranceState {
  if ((edge.hostports ?? []).length === 0) return "no host";
  const effect = effectOf(problems);
  if (effect !== "served") return effect;
  return edge.kind === "https" && !route && edge.routes.length === 0 ? "no route" : "served";
}

export const tones = {
  "not served": "bad",
  "answers 503": "warn",
  "in part": "warn",
  "no host": "warn",
  "no route": "warn",
  served: "good",
} as const;

/** Whether clients of an edge need a certificate. */
export const needsCertificate = (edge: EdgeObject): boolean =>
  edge.kind !== "tcp" && edge.mutual_tls?.enabled === true;

/** Every entrance of edges: an HTTPS edge without routes is one too, although it answers 404. */
function entrancesOf(edges: EdgeObject[], problems: Problem[]): Entrance[] {
  const byObject = Map.groupBy(problems, ({ object }) => object);
  return edges.flatMap((edge): Entrance[] => {
    const ofEdge = byObject.get(edge.id) ?? [];
    const own: Entrance = {
      edge,
      id: edge.id,
      route: undefined,
      place: (edge.hostports ?? []).join(", ") || nameOf(edge),
      restriction: edge.kind === "https" ? null : edge.ip_restriction,
      backend: edge.kind === "https" ? null : edge.backend,
      problems: ofEdge,
      state: stateOf(ofEdge, edge),
    };
    if (edge.kind !== "https" || edge.routes.length === 0) return [own];
    return edge.routes.map((route) => {
      const { id, match: place, ip_restriction: restriction, backend } = route;
      const all = [...ofEdge, ...(byObject.get(id) ?? [])];
      const state = stateOf(all, edge, route);
      return { edge, id, route, place, restriction, backend, problems: all, state };
    });
  });
}

/** Every entrance, once its state is known. */
export function useEntrances() {
  const edges = useEdges();
  const problems = useProblems();
  const data = useMemo(
    () => edges.data && problems.data && entrancesOf(edges.data, problems.data),
    [edges.data, problems.data],
  );
  const refetch = (): unknown => Promise.all([edges.refetch(), problems.refetch()]);
  return { data, error: edges.error ?? problems.error, refetch };
}

/** Who gets in, in words. The certificate comes first, because the end may be cut off. */
export function whoGetsIn({ restriction, edge }: Entrance, nameById: (id: string) => string): string {
  const policies = restriction?.ip_policies ?? [];
  if (restriction?.enabled && policies.length === 0) return "Nobody";
  const who = !restriction
    ? "Everybody"
    : restriction.enabled
      ? policies.map(({ id }) => nameById(id)).join(", ")
      : "Everybody, for now";
  return needsCertificate(edge) ? `With a certificate: ${who}` : who;
}

/** A URL that reaches an edge, or one of its routes, if its pattern is a path; as simulations have it. */
export function urlOf({ kind, hostports }: EdgeObject, route?: RouteObject): string {
  const hostport = (hostports?.[0] ?? "www.example.com:443").replace(/^\*\./, "www.");
  if (kind !== "https") return `${kind}://${hostport}`;
  const match = route?.match ?? "/";
  return `https://${hostport.replace(/:443$/, "")}${match.startsWith("/") ? match : "/"}`;
}
