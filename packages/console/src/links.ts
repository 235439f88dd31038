import { link } from "./routes.ts";

/** The link to an edge, or to one of its routes. */
export const edgeLink = (edgeId: string, routeId?: string): string =>
  link("edges", edgeId, routeId === undefined ? undefined : { route: routeId });
