import type { DataChange, Event } from "./cache.ts";
import type { Schemas } from "./client.ts";

/*
 * How events change lists: a created object is inserted in its place, an updated one replaced, a deleted one removed.
 */

export type EdgeObject =
  | (Schemas["TcpEdge"] & { kind: "tcp" })
  | (Schemas["TlsEdge"] & { kind: "tls" })
  | (Schemas["HttpsEdge"] & { kind: "https" });
export type RouteObject = Schemas["HttpsEdgeRoute"];
export type BackendObject =
  | (Schemas["HttpResponseBackend"] & { kind: "http_response" })
  | (Schemas["StaticBackend"] & { kind: "static" })
  | (Schemas["WeightedBackend"] & { kind: "weighted" })
  | (Schemas["FailoverBackend"] & { kind: "failover" });

type Shown = Event["object"];
interface Item {
  id: string;
}

/** The objects that lists show, by the prefix of their ids. */
interface Objects {
  edghts: Schemas["HttpsEdge"];
  edgtls: Schemas["TlsEdge"];
  edgtcp: Schemas["TcpEdge"];
  edghtsrt: Schemas["HttpsEdgeRoute"];
  bkdfo: Schemas["FailoverBackend"];
  bkdwd: Schemas["WeightedBackend"];
  bkdsc: Schemas["StaticBackend"];
  bkdhr: Schemas["HttpResponseBackend"];
  ipp: Schemas["IpPolicy"];
  ipr: Schemas["IpPolicyRule"];
  ca: Schemas["CertificateAuthority"];
  ci: Schemas["CertificateIssuer"];
  ed: Schemas["EventDestination"];
  esb: Schemas["EventSubscription"];
  pln: Schemas["PlanSummary"];
  ak: Schemas["ApiKey"];
  bot: Schemas["BotUser"];
  usr: Schemas["User"];
}

/** Events show objects as lists do. Edges and routes that are managed elsewhere have no time of creation, and are in no list. */
export const isOf = <Prefix extends keyof Objects>(
  prefix: Prefix,
  object: Shown,
): object is Shown & Objects[Prefix] =>
  object.id.startsWith(`${prefix}_`) && typeof object["created_at"] === "string";

const isNewer = (a: Item, b: Item): boolean => a.id > b.id;

/**
 * Changes a list.
 *
 * @param toItem an object as the list shows it; undefined if the list does not have such objects
 * @param isBefore the order of the list; by default, newest first
 */
export const listOf =
  <T extends Item>(
    toItem: (object: Shown) => T | undefined,
    isBefore: (a: T, b: T) => boolean = isNewer,
  ): DataChange<T[]> =>
  (list, { event: { object: changed }, object }) => {
    const item = object && toItem(object);
    const index = list.findIndex(({ id }) => id === changed.id);
    if (index !== -1 && !item) return list.toSpliced(index, 1);
    // If the list was read after the change, it already has the object.
    if (index !== -1 && item) return isEqual(list[index], item) ? list : list.with(index, item);
    return item ? list.toSpliced(placeIn(list, item, isBefore), 0, item) : list;
  };

const isEqual = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

/** Where an item belongs in an ordered list. */
function placeIn<T>(list: readonly T[], item: T, isBefore: (a: T, b: T) => boolean): number {
  let [low, high] = [0, list.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const other = list[middle];
    if (other !== undefined && isBefore(other, item)) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The objects of one kind, by the prefix of their ids. */
export const objectsOf = <Prefix extends keyof Objects>(prefix: Prefix): DataChange<Objects[Prefix][]> =>
  listOf<Objects[Prefix]>((object) => (isOf(prefix, object) ? object : undefined));

/** The order of a list of several kinds, each of which begins with the newest. */
const byKind =
  <Kind>(kinds: readonly Kind[]) =>
  (a: Item & { kind: Kind }, b: Item & { kind: Kind }): boolean =>
    a.kind === b.kind ? isNewer(a, b) : kinds.indexOf(a.kind) < kinds.indexOf(b.kind);

const changeEdge = listOf<EdgeObject>(
  (object) => {
    if (isOf("edghts", object)) return { ...object, kind: "https" };
    if (isOf("edgtls", object)) return { ...object, kind: "tls" };
    return isOf("edgtcp", object) ? { ...object, kind: "tcp" } : undefined;
  },
  byKind(["https", "tls", "tcp"]),
);

/** The routes of an edge, oldest first. */
const changeRoute = listOf<RouteObject>(
  (object) => (isOf("edghtsrt", object) ? object : undefined),
  (a, b) => a.id < b.id,
);

/** All edges, with their routes. */
export const changeEdges: DataChange<EdgeObject[]> = (edges, recorded) => {
  const { id, edge_id } = { ...recorded.event.object, ...recorded.object };
  if (!id.startsWith("edghtsrt_")) return changeEdge(edges, recorded);
  const index = edges.findIndex(
    (edge) => edge.kind === "https" && (edge.id === edge_id || edge.routes.some((route) => route.id === id)),
  );
  const edge = edges[index];
  if (edge?.kind !== "https") return edges;
  const routes = changeRoute(edge.routes, recorded);
  return routes === edge.routes ? edges : edges.with(index, { ...edge, routes });
};

/** All backends. */
export const changeBackends = listOf<BackendObject>(
  (object) => {
    if (isOf("bkdfo", object)) return { ...object, kind: "failover" };
    if (isOf("bkdwd", object)) return { ...object, kind: "weighted" };
    if (isOf("bkdsc", object)) return { ...object, kind: "static" };
    return isOf("bkdhr", object) ? { ...object, kind: "http_response" } : undefined;
  },
  byKind(["failover", "weighted", "static", "http_response"]),
);

/** The objects that refer to the object with an id. The routes in an edge are ignored, because routes are users themselves. */
export const usersOf = (id: string): DataChange<Schemas["Ref"][]> =>
  listOf<Schemas["Ref"]>((object) => {
    if (!/^(edg|bkd)/.test(object.id) || object.id === id) return undefined;
    const { description: _, metadata: __, routes: ___, ...settings } = object;
    return JSON.stringify(settings).includes(`"${id}"`) ? { id: object.id, uri: object.uri } : undefined;
  });

/** The newest events that match, newest first. @param most the maximum length of the list */
export const newestOf =
  (matches: (event: Event) => boolean, most = Infinity): DataChange<Event[]> =>
  (events, { event }) =>
    matches(event) && events.every(({ event_id }) => event_id !== event.event_id)
      ? [event, ...events].slice(0, most)
      : events;
