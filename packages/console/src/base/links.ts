import { link } from "./routes.ts";

/** The link to an edge, or to one of its routes. */
export const edgeLink = (edgeId: string, routeId?: string): string =>
  link("edges", edgeId, routeId === undefined ? undefined : { route: routeId });

/** The link to the traffic policy of an edge, or of one of its routes. */
export const policyLink = (edgeId: string, routeId?: string): string =>
  link("traffic_policies", edgeId, routeId === undefined ? undefined : { route: routeId });
