import { useMemo } from "preact/hooks";
import type { Schemas } from "../api/client.ts";
import type { EdgeObject, RouteObject } from "../api/lists.ts";
import { nameOf } from "../api/names.ts";
import { useEdges } from "../api/queries.ts";
import { useKnown } from "./known.ts";
import { type ServedFacts, type Served, servedOf } from "./served.ts";

/*
 * Places: where traffic comes in. A TCP or TLS edge is one, and so is each route of an HTTPS edge.
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
  served: Served;
}

/** Whether clients of an edge need a certificate. */
export const needsCertificate = (edge: EdgeObject): boolean =>
  edge.kind !== "tcp" && edge.mutual_tls?.enabled === true;

/** Every place of edges: an HTTPS edge without routes is one too, although it answers 404. */
function entrancesOf(edges: EdgeObject[], known: ServedFacts): Entrance[] {
  return edges.flatMap((edge): Entrance[] => {
    const own: Entrance = {
      edge,
      id: edge.id,
      route: undefined,
      place: (edge.hostports ?? []).join(", ") || nameOf(edge),
      restriction: edge.kind === "https" ? null : edge.ip_restriction,
      backend: edge.kind === "https" ? null : edge.backend,
      served: servedOf(known, edge),
    };
    if (edge.kind !== "https" || edge.routes.length === 0) return [own];
    return edge.routes.map((route) => {
      const { id, match: place, ip_restriction: restriction, backend } = route;
      return { edge, id, route, place, restriction, backend, served: servedOf(known, edge, route) };
    });
  });
}

/** Every place, once its state is known. */
export function useEntrances() {
  const edges = useEdges();
  const known = useKnown();
  const data = useMemo(
    () => edges.data && known.data && entrancesOf(edges.data, known.data),
    [edges.data, known.data],
  );
  const refetch = (): unknown => Promise.all([edges.refetch(), known.refetch()]);
  return { data, error: edges.error ?? known.error, refetch };
}

/** Traffic policy actions that can reject a client. */
const REFUSING =
  /\b(?:deny|restrict-ips|rate-limit|basic-auth|jwt-validation|close-connection|custom-response|redirect)\b/;

/** Conditions that clients must meet in addition to the IP policies, such as "with a certificate". */
export function conditionsOf(edge: EdgeObject, route?: RouteObject): string[] {
  const { traffic_policy: policy } = route ?? (edge.kind === "https" ? { traffic_policy: null } : edge);
  const filter = route?.user_agent_filter;
  return [
    needsCertificate(edge) && "with a certificate",
    policy?.enabled === true && REFUSING.test(policy.value ?? "") && "if the traffic policy allows it",
    filter?.enabled === true && "with allowed user agents",
    route?.webhook_verification?.enabled === true && "if signed by the provider",
  ].filter((condition) => condition !== false);
}

/** Who gets in, in words. The conditions come first, because the end can be cut off. */
export function whoGetsIn(
  { restriction, edge, route }: Pick<Entrance, "restriction" | "edge" | "route">,
  nameById: (id: string) => string,
): string {
  const policies = restriction?.ip_policies ?? [];
  if (restriction?.enabled && policies.length === 0) return "Nobody";
  const who = !restriction
    ? "Everybody"
    : restriction.enabled
      ? policies.map(({ id }) => nameById(id)).join(", ")
      : "Everybody, for now";
  const conditions = conditionsOf(edge, route).join(", ");
  return conditions === "" ? who : `${conditions.slice(0, 1).toUpperCase()}${conditions.slice(1)}: ${who}`;
}

/** A URL that reaches an edge, or one of its routes, if its pattern is a path; as simulations have it. */
export function urlOf({ kind, hostports }: EdgeObject, route?: RouteObject): string {
  const hostport = (hostports?.[0] ?? "www.example.com:443").replace(/^\*\./, "www.");
  if (kind !== "https") return `${kind}://${hostport}`;
  const match = route?.match ?? "/";
  return `https://${hostport.replace(/:443$/, "")}${match.startsWith("/") ? match : "/"}`;
}
