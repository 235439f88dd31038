import type { EdgeObject, RouteObject } from "./api/queries.ts";
import { link } from "./routes.ts";

/** The link to an edge, or to one of its routes. */
export const edgeLink = (edgeId: string, routeId?: string): string =>
  link("edges", edgeId, routeId === undefined ? undefined : { route: routeId });

/** The link to the traffic policy of an edge, or of one of its routes. */
export const policyLink = (edgeId: string, routeId?: string): string =>
  link("traffic_policies", edgeId, routeId === undefined ? undefined : { route: routeId });

/** A URL that reaches an edge, or one of its routes, if its pattern is a path; as simulations have it. */
export function urlOf({ kind, hostports }: EdgeObject, route?: RouteObject): string {
  const hostport = (hostports?.[0] ?? "www.example.com:443").replace(/^\*\./, "www.");
  if (kind !== "https") return `${kind}://${hostport}`;
  const match = route?.match ?? "/";
  return `https://${hostport.replace(/:443$/, "")}${match.startsWith("/") ? match : "/"}`;
}
