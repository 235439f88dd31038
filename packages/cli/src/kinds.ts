import { type anyBackend, camelCased, kinds as ofTheService, plural } from "../../model/src/kinds.ts";

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

/** Kinds whose objects cannot be deleted while others use them. */
type GuardedKind = (typeof anyBackend)[number] | "certificate_authority" | "event_destination";

type FiledKind =
  | GuardedKind
  | "ip_policy"
  | "tcp_edge"
  | "tls_edge"
  | "https_edge"
  | "event_subscription"
  | "certificate_issuer";

type Paths<Name extends FiledKind> = (typeof ofTheService)[Name]["path"];

export interface FileKind {
  /** The field of a file that contains the objects of this kind. */
  section: string;
  /** The start of generated names. */
  stem: string;
  noun: string;
  prefix: string;
  /** The path of the collection. */
  path: Paths<FiledKind>;
  /** The same, if an object cannot be deleted while others use it: its `used_by` lists them. */
  guardedPath?: Paths<GuardedKind>;
  /** The name of the schema of the request that creates an object. */
  schema: string;
  /** Immutable fields: if one differs, the object is replaced. */
  fixed: readonly string[];
  children?: Children;
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

type Own = Partial<Pick<FileKind, "stem" | "fixed" | "children" | "guardedPath">>;

/** A kind of the service, as files have it. */
function filed(name: FiledKind, own: Own = {}): FileKind {
  const { noun, prefix, path } = ofTheService[name];
  const section = plural(noun).toLowerCase().replaceAll(" ", "_");
  return { section, stem: name, noun, prefix, path, schema: `${camelCased(name)}Create`, fixed: [], ...own };
}

const guarded = (name: GuardedKind, own: Own = {}): FileKind =>
  filed(name, { guardedPath: ofTheService[name].path, ...own });

export const kinds: readonly FileKind[] = [
  filed("ip_policy", { children: rules }),
  guarded("certificate_authority", { fixed: ["ca_pem"] }),
  guarded("http_response_backend"),
  guarded("static_backend"),
  guarded("weighted_backend"),
  guarded("failover_backend"),
  filed("tcp_edge"),
  filed("tls_edge"),
  filed("https_edge", { children: routes }),
  filed("certificate_issuer", { stem: "issuer", fixed: ["directory_url"] }),
  guarded("event_destination", { stem: "destination" }),
  filed("event_subscription", { stem: "subscription" }),
];

/** The kind of the object with this id. */
export const kindOfId = (id: string): FileKind | undefined =>
  kinds.find(({ prefix }) => id.startsWith(prefix));

/** True for the id of a route of an HTTPS edge. */
export const isRouteId = (id: string): boolean => id.startsWith("edghtsrt_");
