import type { Schemas } from "./api/client.ts";
import { nameOf } from "./api/names.ts";
import type { Edge, Route } from "./api/queries.ts";

/*
 * Entrances: where traffic comes in. A TCP or TLS edge is one, and so is each route of an HTTPS edge.
 */

type Problem = Schemas["Problem"];

/** A hostport or a route, with what guards it and where it leads. */
export interface Entrance {
  /** The id of the edge, or of the route. */
  id: string;
  edge: Edge;
  route: Route | undefined;
  /** Hostports, or the path of a route. */
  place: string;
  restriction: Schemas["IpRestrictionModule"] | null;
  backend: Schemas["BackendModule"] | null;
  hasMutualTls: boolean;
  problems: Problem[];
  state: State;
}

/** Whether an entrance is served. */
export type State = "not served" | "answers 503" | "in part" | "served";

/** The state that problems put an object in. */
export function stateOf(problems: Problem[]): State {
  if (problems.some(({ msg }) => msg.startsWith("The route returns 503"))) return "answers 503";
  if (problems.some(({ msg, code }) => msg.startsWith("The edge is not served") || code.endsWith("_taken")))
    return "not served";
  return problems.length > 0 ? "in part" : "served";
}

export const tones = {
  "not served": "bad",
  "answers 503": "warn",
  "in part": "warn",
  served: "good",
} as const;

/** Every entrance of edges. */
export function entrancesOf(edges: Edge[], problems: Problem[]): Entrance[] {
  const byObject = Map.groupBy(problems, ({ object }) => object);
  return edges.flatMap((edge): Entrance[] => {
    const hasMutualTls = edge.kind !== "tcp" && edge.mutual_tls?.enabled === true;
    const ofEdge = byObject.get(edge.id) ?? [];
    if (edge.kind !== "https") {
      const { ip_restriction: restriction, backend, id } = edge;
      const place = (edge.hostports ?? []).join(", ") || nameOf(edge);
      return [
        {
          id,
          edge,
          route: undefined,
          place,
          restriction,
          backend,
          hasMutualTls,
          problems: ofEdge,
          state: stateOf(ofEdge),
        },
      ];
    }
    return edge.routes.map((route) => {
      const all = [...ofEdge, ...(byObject.get(route.id) ?? [])];
      const place = route.match;
      const { ip_restriction: restriction, backend, id } = route;
      return {
        id,
        edge,
        route,
        place,
        restriction,
        backend,
        hasMutualTls,
        problems: all,
        state: stateOf(all),
      };
    });
  });
}

/** Who gets in, in words. */
export function whoGetsIn({ restriction, hasMutualTls }: Entrance, nameById: (id: string) => string): string {
  const certificate = hasMutualTls ? ", with a certificate" : "";
  if (!restriction) return `Everybody${certificate}`;
  if (!restriction.enabled) return `Everybody, for now${certificate}`;
  const policies = restriction.ip_policies ?? [];
  return policies.length === 0 ? "Nobody" : policies.map(({ id }) => nameById(id)).join(", ") + certificate;
}
