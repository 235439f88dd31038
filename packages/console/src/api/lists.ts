import { networkOf } from "../base/networks.ts";
import type { Change, Event } from "./cache.ts";
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
  pln: Schemas["PlanSummary"];
  ak: Schemas["ApiKey"];
  bot: Schemas["BotUser"];
  usr: Schemas["User"];
}

/** Events show objects as lists do. Edges and routes that are managed elsewhere have no time of creation, and no list has them. */
const isOf = <Prefix extends keyof Objects>(
  prefix: Prefix,
  object: Shown,
): object is Shown & Objects[Prefix] =>
  object.id.startsWith(`${prefix}_`) && typeof object["created_at"] === "string";

const isNewer = (a: Item, b: Item): boolean => a.id > b.id;

/**
 * Changes a list.
 *
 * @param toItem an object as the list shows it; undefined if the list does not have such objects
 * @param isBefore the order of the list; by default, the newest is the first
 */
export const listOf =
  <T extends Item>(
    toItem: (object: Shown) => T | undefined,
    isBefore: (a: T, b: T) => boolean = isNewer,
  ): Change<T[]> =>
  (list, { event: { object: changed }, object }) => {
    const item = object && toItem(object);
    const index = list.findIndex(({ id }) => id === changed.id);
    if (index !== -1) return item ? list.with(index, item) : list.toSpliced(index, 1);
    return item ? list.toSpliced(placeIn(list, item, isBefore), 0, item) : list;
  };

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
export const objectsOf = <Prefix extends keyof Objects>(prefix: Prefix): Change<Objects[Prefix][]> =>
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

/** The routes of an edge: the oldest is the first. */
const changeRoute = listOf<RouteObject>(
  (object) => (isOf("edghtsrt", object) ? object : undefined),
  (a, b) => a.id < b.id,
);

/** All edges, with their routes. */
export const changeEdges: Change<EdgeObject[]> = (edges, recorded) => {
  const { id, edge_id } = { ...recorded.event.object, ...recorded.object };
  if (!id.startsWith("edghtsrt_")) return changeEdge(edges, recorded);
  const index = edges.findIndex(
    (edge) => edge.kind === "https" && (edge.id === edge_id || edge.routes.some((route) => route.id === id)),
  );
  const edge = edges[index];
  return edge?.kind === "https"
    ? edges.with(index, { ...edge, routes: changeRoute(edge.routes, recorded) })
    : edges;
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

/** The objects that refer to the object with an id. The routes of an edge refer by themselves. */
export const usersOf = (id: string): Change<Schemas["Ref"][]> =>
  listOf<Schemas["Ref"]>((object) => {
    if (!/^(edg|bkd)/.test(object.id) || object.id === id) return undefined;
    const { description: _, metadata: __, routes: ___, ...settings } = object;
    return JSON.stringify(settings).includes(`"${id}"`) ? { id: object.id, uri: object.uri } : undefined;
  });

type Rule = Schemas["IpPolicyRulesList"]["rules"][number];

/** A policy's rules with the ETag that replacing them needs: undefined once they have changed after they were read. */
export interface TaggedRules {
  etag: string | undefined;
  rules: Rule[];
}

/** The order of networks: IPv4 before IPv6, a network before those that it contains. */
function isLower(a: Rule, b: Rule): boolean {
  const [left, right] = [networkOf(a.cidr), networkOf(b.cidr)];
  if (!left || !right) return false;
  if (left.family !== right.family) return left.family < right.family;
  if (left.first !== right.first) return left.first < right.first;
  return left.last === right.last ? a.id < b.id : left.last > right.last;
}

/** The rules of a policy. */
export function changeRules(id: string): Change<TaggedRules> {
  const change = listOf<Rule>((object) => (isOf("ipr", object) ? object : undefined), isLower);
  return (tagged, recorded) => {
    const { object } = recorded.event;
    if (object.id === id) return { ...tagged, etag: undefined };
    const policy = object["ip_policy"];
    const isOwn = typeof policy === "object" && policy !== null && "id" in policy && policy.id === id;
    return isOwn ? { etag: undefined, rules: change(tagged.rules, recorded) } : tagged;
  };
}

/** The newest events that match, newest first. @param most how many a list has at most */
export const newestOf =
  (matches: (event: Event) => boolean, most = Infinity): Change<Event[]> =>
  (events, { event }) =>
    matches(event) && events.every(({ event_id }) => event_id !== event.event_id)
      ? [event, ...events].slice(0, most)
      : events;
