import { camelCased, type Kind, kinds as ofTheService } from "../../model/src/kinds.ts";
import type { ApiClient, Result } from "./service.ts";

/*
 * The kinds of objects in files, in the order in which they are written and created: an object comes after the objects that it
 * refers to.
 */

/** Objects that a file lists within their owner and identifies by a key. */
export interface Children {
  /** The owner's field in files. */
  field: "rules" | "routes";
  /** The name of the schema of the request that creates an object. */
  schema: string;
  /** The field of that request that contains the owner's id. Files omit it. */
  owner?: string;
  /** The name of a child in sentences. */
  noun: string;
  /** The fields that together identify a child within its owner. They never change. */
  key: readonly string[];
  /** The path of a child. */
  path: (owner: string, id: string) => string;
  /** The path of the collection that creates children. */
  collection: (owner: string) => string;
}

/** A page of a list. */
export interface ListPage {
  items: { id: string; uri?: string }[];
  next: string | null;
}

type Query = { limit?: number; before_id?: string };

export interface FileKind {
  /** The field of a file that contains the objects of this kind. */
  section: string;
  /** The start of generated names. */
  stem: string;
  noun: string;
  prefix: string;
  /** The path of the collection. */
  path: string;
  /** The name of the schema of the request that creates an object. */
  schema: string;
  /** Immutable fields: if one differs, the object is replaced. */
  fixed: readonly string[];
  children?: Children;
  list: (api: ApiClient, query: Query) => Promise<Result<ListPage>>;
  get: (api: ApiClient, id: string) => Promise<Result<{ id: string }>>;
  /** Lists the users of an object. Omitted if an object can be deleted while it is used. */
  users?: (api: ApiClient, id: string, query: Query) => Promise<Result<ListPage>>;
}

interface Listed {
  next_page_uri: string | null;
}

/** Converts a response to a page. @param itemsOf returns the objects in a response */
async function page<T extends Listed>(
  given: Promise<Result<T>>,
  itemsOf: (list: T) => ListPage["items"],
): Promise<Result<ListPage>> {
  const { data, error, response } = await given;
  return {
    response,
    ...(error && { error }),
    ...(data && { data: { items: itemsOf(data), next: data.next_page_uri } }),
  };
}

const rules: Children = {
  field: "rules",
  schema: "IpPolicyRuleCreate",
  owner: "ip_policy_id",
  noun: "rule",
  key: ["action", "cidr"],
  path: (_owner, id) => `/ip_policy_rules/${id}`,
  collection: () => "/ip_policy_rules",
};

const routes: Children = {
  field: "routes",
  schema: "HttpsEdgeRouteCreate",
  noun: "route",
  key: ["match_type", "match"],
  path: (owner, id) => `/edges/https/${owner}/routes/${id}`,
  collection: (owner) => `/edges/https/${owner}/routes`,
};

/** A kind of the service, as files have it. */
function filed(
  name: Kind,
  own: Pick<FileKind, "list" | "get"> & Partial<Pick<FileKind, "stem" | "fixed" | "children" | "users">>,
): FileKind {
  const { noun, nouns, prefix, path } = ofTheService[name];
  const section = nouns.toLowerCase().replaceAll(" ", "_");
  return { section, stem: name, noun, prefix, path, schema: `${camelCased(name)}Create`, fixed: [], ...own };
}

const of = (id: string) => ({ params: { path: { id } } });
const usedBy = ({ used_by }: { used_by: ListPage["items"] }): ListPage["items"] => used_by;

export const kinds: readonly FileKind[] = [
  filed("ip_policy", {
    children: rules,
    list: (api, query) => page(api.GET("/ip_policies", { params: { query } }), (list) => list.ip_policies),
    get: (api, id) => api.GET("/ip_policies/{id}", of(id)),
  }),
  filed("certificate_authority", {
    fixed: ["ca_pem"],
    list: (api, query) =>
      page(
        api.GET("/certificate_authorities", { params: { query } }),
        (list) => list.certificate_authorities,
      ),
    get: (api, id) => api.GET("/certificate_authorities/{id}", of(id)),
    users: (api, id, query) =>
      page(api.GET("/certificate_authorities/{id}/used_by", { params: { path: { id }, query } }), usedBy),
  }),
  filed("http_response_backend", {
    list: (api, query) =>
      page(api.GET("/backends/http_response", { params: { query } }), (list) => list.backends),
    get: (api, id) => api.GET("/backends/http_response/{id}", of(id)),
    users: (api, id, query) =>
      page(api.GET("/backends/http_response/{id}/used_by", { params: { path: { id }, query } }), usedBy),
  }),
  filed("static_backend", {
    list: (api, query) => page(api.GET("/backends/static", { params: { query } }), (list) => list.backends),
    get: (api, id) => api.GET("/backends/static/{id}", of(id)),
    users: (api, id, query) =>
      page(api.GET("/backends/static/{id}/used_by", { params: { path: { id }, query } }), usedBy),
  }),
  filed("weighted_backend", {
    list: (api, query) => page(api.GET("/backends/weighted", { params: { query } }), (list) => list.backends),
    get: (api, id) => api.GET("/backends/weighted/{id}", of(id)),
    users: (api, id, query) =>
      page(api.GET("/backends/weighted/{id}/used_by", { params: { path: { id }, query } }), usedBy),
  }),
  filed("failover_backend", {
    list: (api, query) => page(api.GET("/backends/failover", { params: { query } }), (list) => list.backends),
    get: (api, id) => api.GET("/backends/failover/{id}", of(id)),
    users: (api, id, query) =>
      page(api.GET("/backends/failover/{id}/used_by", { params: { path: { id }, query } }), usedBy),
  }),
  filed("tcp_edge", {
    list: (api, query) => page(api.GET("/edges/tcp", { params: { query } }), (list) => list.tcp_edges),
    get: (api, id) => api.GET("/edges/tcp/{id}", of(id)),
  }),
  filed("tls_edge", {
    list: (api, query) => page(api.GET("/edges/tls", { params: { query } }), (list) => list.tls_edges),
    get: (api, id) => api.GET("/edges/tls/{id}", of(id)),
  }),
  filed("https_edge", {
    children: routes,
    list: (api, query) => page(api.GET("/edges/https", { params: { query } }), (list) => list.https_edges),
    get: (api, id) => api.GET("/edges/https/{id}", of(id)),
  }),
  filed("event_destination", {
    stem: "destination",
    list: (api, query) =>
      page(api.GET("/event_destinations", { params: { query } }), (list) => list.event_destinations),
    get: (api, id) => api.GET("/event_destinations/{id}", of(id)),
    users: (api, id, query) =>
      page(api.GET("/event_destinations/{id}/used_by", { params: { path: { id }, query } }), usedBy),
  }),
  filed("event_subscription", {
    stem: "subscription",
    list: (api, query) =>
      page(api.GET("/event_subscriptions", { params: { query } }), (list) => list.event_subscriptions),
    get: (api, id) => api.GET("/event_subscriptions/{id}", of(id)),
  }),
];

/** The kind of the object with this id. */
export const kindOfId = (id: string): FileKind | undefined =>
  kinds.find(({ prefix }) => id.startsWith(prefix));

/** True for the id of a route of an HTTPS edge. */
export const isRouteId = (id: string): boolean => id.startsWith("edghtsrt_");
