import { edgeLink } from "../base/links.ts";
import { link } from "../base/routes.ts";
import type { EdgeObject, RouteObject } from "./lists.ts";
import { useAuthorities, useBackends, useEdges, usePolicies } from "./queries.ts";

/*
 * What pages call an object, and where they show it.
 */

/** How an object is shown. */
export interface Named {
  name: string;
  kind: string;
  href: string | undefined;
}

/** The name of a kind of objects on pages, and the page that shows such an object. */
interface ShownKind {
  name: string;
  page?: string;
}

const edge = { page: "edges" };
const backend = { page: "backends" };

/** By the prefix of ids. */
const kinds: Record<string, ShownKind> = {
  edgtcp: { name: "TCP edge", ...edge },
  edgtls: { name: "TLS edge", ...edge },
  edghts: { name: "HTTPS edge", ...edge },
  edghtsrt: { name: "route" },
  ipp: { name: "IP policy", page: "policies" },
  ipr: { name: "rule" },
  bkdhr: { name: "fixed response", ...backend },
  bkdsc: { name: "server", ...backend },
  bkdwd: { name: "weighted split", ...backend },
  bkdfo: { name: "fallback", ...backend },
  ca: { name: "authority" },
  ci: { name: "certificate issuer" },
  ed: { name: "event destination", page: "deliveries" },
  esb: { name: "event subscription" },
  bot: { name: "bot" },
  ak: { name: "API key" },
  apr: { name: "API restriction" },
  usr: { name: "person" },
  ses: { name: "session" },
  crt: { name: "certificate" },
  pln: { name: "plan", page: "plans" },
  ev: { name: "event", page: "changes" },
};

/** The kind of the object with an id. */
const shownKindOf = (id: string): ShownKind => kinds[id.split("_")[0] ?? ""] ?? { name: "object" };

/** The name of the kind of the object with an id. */
export const kindOf = (id: string): string => shownKindOf(id).name;

/** The page of an object, by its id; undefined if there is none. */
export function hrefOf(id: string, edgeId?: string): string | undefined {
  if (id.startsWith("edghtsrt_")) return edgeId === undefined ? undefined : edgeLink(edgeId, id);
  const { page } = shownKindOf(id);
  return page === undefined ? undefined : link(page, id);
}

/** The fields of objects that can stand for a name, in this order. */
interface Nameable {
  id: string;
  description?: string;
  /** Of an edge. */
  hostports?: string[] | null;
  /** Of a route. */
  match?: string;
  /** Of a static backend. */
  address?: string;
  /** Of a fixed response. */
  status_code?: number;
  /** Of an authority. */
  subject_common_name?: string | null;
}

/** What an object is called: its description, otherwise what tells it apart, otherwise its id. */
export const nameOf = (object: Nameable): string =>
  object.description ||
  object.hostports?.[0] ||
  object.match ||
  object.address ||
  (object.status_code !== undefined ? `Response ${object.status_code}` : "") ||
  object.subject_common_name ||
  object.id;

/** What a route is called where its edge is not shown: by its description, otherwise by its edge, with its path unless that is every path. */
const routeName = (edge: EdgeObject, route: RouteObject): string =>
  route.description || (route.match === "/" ? nameOf(edge) : `${nameOf(edge)} ${route.match}`);

/** What a place is called: an edge, or one of its routes. */
export const placeName = ({ edge, route }: { edge: EdgeObject; route: RouteObject | undefined }): string =>
  route ? routeName(edge, route) : nameOf(edge);

/** The names that the last call returned, and the data that they were made from: many elements of a page need the same names. */
let last: { from: unknown[]; names: Map<string, Named> } | undefined;

/** How every known object is shown, by its id. */
export function useAllNames(): Map<string, Named> {
  const edges = useEdges().data;
  const backends = useBackends().data;
  const policies = usePolicies().data;
  const authorities = useAuthorities().data;
  const from = [edges, backends, policies, authorities];
  if (!last || last.from.some((list, i) => list !== from[i]))
    last = {
      from,
      names: namesOf(edges ?? [], [...(backends ?? []), ...(policies ?? []), ...(authorities ?? [])]),
    };
  return last.names;
}

/** Finds an object's name by its id. Objects that are not known are shown by their id. */
export function useNames(): (id: string) => Named {
  const names = useAllNames();
  return (id) => names.get(id) ?? { name: id, kind: kindOf(id), href: hrefOf(id) };
}

/** An error message with quoted names in place of ids, without the number of an operation and the id of an event at its start. */
export const withNames = (text: string, names: (id: string) => Named): string =>
  text
    .replace(/^ev_\w+(?= cannot be undone)/, "This")
    .replace(/^Operation \d+: /, "")
    .replaceAll(/\b[a-z]+_[0-9A-Za-z]{27}\b/g, (id) => `“${names(id).name}”`);

function namesOf(edges: EdgeObject[], others: Nameable[]): Map<string, Named> {
  const names = new Map<string, Named>();
  const add = ({ id }: Nameable, name: string): void => {
    names.set(id, { name, kind: kindOf(id), href: hrefOf(id) });
  };
  for (const object of others) add(object, nameOf(object));
  for (const edge of edges) {
    add(edge, nameOf(edge));
    if (edge.kind !== "https") continue;
    for (const route of edge.routes) {
      const kind = `route of ${nameOf(edge)}`;
      names.set(route.id, { name: routeName(edge, route), kind, href: hrefOf(route.id, edge.id) });
    }
  }
  return names;
}
