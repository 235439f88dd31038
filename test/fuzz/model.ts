import { shownFor } from "../laws/certificates.ts";
import { ORIGIN } from "../support/api.ts";
import type { Json } from "../support/json.ts";
import { judged } from "../support/naive_access.ts";
import {
  bodyAt,
  deref,
  documented,
  documentedCollections,
  filled,
  isModule,
  nestedCollections,
  operationAt,
} from "./document.ts";

/*
 * The API in its simplest form: lists of objects in memory. It shares no code with the service, so that the two can
 * disagree. The document defines which collections exist.
 */

/** The bytes of a path, decoded once, with runs of slashes merged. */
const readPath = (path: string): string =>
  unescape(encodeURIComponent(path).replaceAll("%25", "%")).replace(/\/+/g, "/");

/** The expected response: a status, and a body or an error. */
export interface Expected {
  status: number;
  /** The whole body. Fields that are `undefined` can be absent. */
  body?: Json;
  code?: string;
  /** Every `path` of `errors`. */
  blamed?: string[];
  /** Ids of which `details.used_by` lists up to ten. */
  users?: string[];
  /** `details.conflicts_with`. */
  conflict?: string;
  etag?: string;
  /**
   * The owner of a module whose version starts now, at a number that only the service knows: see {@link Model.learn}.
   */
  begins?: string;
}

/**
 * The version that a change requires with If-Match: none, the current version, an earlier version, the same version
 * with the epoch before a restore, or any version.
 */
export const conditions = ["none", "current", "stale", "restored", "any"] as const;
export type Condition = (typeof conditions)[number];

interface Quirks {
  /** The references in a body: pointers and ids. */
  references: (body: Json) => [string, string][];
  /** The fields that a new object shows without having been sent them. */
  unset: Json;
  /** Fields of an accepted body as responses show them, except empty ones. `id` is the object's id. */
  shown: (body: Json, id: string) => Json;
}

/** A collection of the document, and the model's knowledge of it. */
export type Collection = (typeof documentedCollections)[number] & Quirks & { within?: string };

/** The paths of objects, by prefix: of the collections below, and of objects managed elsewhere. */
const pathOf = (id: string): string | undefined =>
  collections.find(({ prefix }) => id.startsWith(prefix))?.path;

const refTo = (id: string) => ({ id, uri: `${ORIGIN}${pathOf(id)}/${id}` });

const refsTo = (ids?: string[]) => (ids?.length ? ids.map(refTo) : null);
const listed = <T>(items?: T[]): T[] | null => (items?.length ? items : null);

/** Modules that responses show in another form than a PUT sends. */
const convertedModules: Record<string, (body: Json) => Json> = {
  backend: ({ backend_id, ...rest }) => ({ ...rest, backend: refTo(backend_id) }),
  ip_restriction: ({ ip_policy_ids, ...rest }) => ({ ...rest, ip_policies: refsTo(ip_policy_ids) }),
  mutual_tls: ({ certificate_authority_ids, ...rest }) => ({
    ...rest,
    certificate_authorities: refsTo(certificate_authority_ids),
  }),
  webhook_verification: (body) => ({ ...body, secret: null }),
};

/** Each module as responses show it, from the body of its PUT: with the defaults that the document states. */
export const modules: Record<string, (body: Json) => Json> = Object.fromEntries(
  documented
    .filter((operation) => operation.method === "PUT" && isModule(operation))
    .map(({ path, body }) => {
      const name = path.slice(path.lastIndexOf("/") + 1);
      const unset = { ...nulls(path), ...defaultsIn(body) };
      const convert = convertedModules[name] ?? ((sent: Json) => sent);
      return [name, (sent: Json) => withoutEmpty({ ...unset, ...convert(sent) })];
    }),
);

/** The defaults that the descriptions of a schema's fields state. */
function defaultsIn(schema: Json | undefined): Json {
  const stated = Object.entries<Json>(deref(schema ?? {})["properties"]).map(
    ([name, { description }]) => [name, /\b[Dd]efaults to `(.+)`\.$/.exec(description)?.[1]] as const,
  );
  return Object.fromEntries(
    stated.flatMap(([name, value]) => (value === undefined ? [] : [[name, JSON.parse(value)]])),
  );
}

/** The references in a module's body to objects that must exist. */
const moduleReferences = (body: Json, at: string): [string, string][] => [
  ...(body["backend_id"] ? [[`${at}/backend_id`, body["backend_id"]] as [string, string]] : []),
  ...(body["ip_policy_ids"] ?? []).map((id: string, i: number) => [`${at}/ip_policy_ids/${i}`, id]),
];

const edgeReferences = (body: Json): [string, string][] =>
  ["backend", "ip_restriction"].flatMap((name) =>
    body[name] ? moduleReferences(body[name], `/${name}`) : [],
  );

const edge = (body: Json): Json =>
  Object.fromEntries(Object.entries(body).map(([name, value]) => [name, modules[name]?.(value) ?? value]));

/** An IPv4 or IPv6 range with its address as the WHATWG URL standard serializes it, which follows RFC 5952. */
export function canonical(cidr: string): string {
  const [address = "", length] = cidr.split("/");
  const isIpv6 = address.includes(":");
  const { hostname } = new URL(`http://${isIpv6 ? `[${address}]` : address}/`);
  return `${isIpv6 ? hostname.slice(1, -1) : hostname}/${length ?? (isIpv6 ? 128 : 32)}`;
}

/** An instant in UTC, in whole seconds. "" is unchanged. */
const inUtc = (instant: string): string => instant && `${new Date(instant).toISOString().slice(0, 19)}Z`;

const TARGETS = [
  "cloud_delivery_stream",
  "cloud_stream",
  "cloud_logs",
  "monitoring_vendor",
  "logs_ingestion",
];
const unsetTarget = Object.fromEntries(TARGETS.map((name) => [name, null]));
const SECRETS = new Set(["api_key", "client_secret", "cloud_secret_access_key"]);
const CLEARABLE = new Set(["tags", "object_prefix"]);
const FILES = { compression: true, max_file_size: 5_242_880, max_file_age: 300 };

/** A target as responses show it: every secret is null, and so is every absent one of the first five fields. */
function target(value: Json): Json {
  const shown: Json = JSON.parse(JSON.stringify(value), (name, member) =>
    SECRETS.has(name) ? null : CLEARABLE.has(name) && member === "" ? undefined : member,
  );
  if (shown["webhook"]) return { ...unsetTarget, webhook: { url: shown["webhook"].url, secret: null } };
  if (shown["object_storage"]) {
    const { auth, ...files } = shown["object_storage"];
    const whole = { ...FILES, ...files, auth: { role: null, creds: null, ...auth } };
    return { ...unsetTarget, object_storage: whole };
  }
  for (const name of TARGETS) {
    shown[name] ??= null;
    if (shown[name]?.auth) shown[name].auth = { role: null, creds: null, ...shown[name].auth };
  }
  return shown;
}

const sourceOf = (id: string, type: string): Json => ({
  type,
  uri: `${ORIGIN}/event_subscriptions/${id}/sources/${type}`,
});

/** What is special about each collection. All other fields are shown as they were sent. */
const quirks: Record<string, Partial<Quirks>> = {
  "/edges/tcp": { shown: edge, references: edgeReferences },
  "/edges/tls": { shown: edge, references: edgeReferences },
  "/edges/https": { shown: edge },
  "/edges/https/{edge_id}/routes": { shown: edge, references: edgeReferences },
  "/ip_policy_rules": {
    shown: ({ ip_policy_id, cidr, expires_at, ...rest }) => ({
      ...rest,
      ...(expires_at !== undefined && { expires_at: inUtc(expires_at) }),
      ...(cidr !== undefined && { cidr: canonical(cidr) }),
      ...(ip_policy_id !== undefined && { ip_policy: refTo(ip_policy_id) }),
    }),
    references: ({ ip_policy_id }) => (ip_policy_id ? [["/ip_policy_id", ip_policy_id]] : []),
  },
  "/backends/failover": {
    references: ({ backends = [] }) => backends.map((id: string, i: number) => [`/backends/${i}`, id]),
  },
  "/backends/weighted": {
    references: ({ backends }) => childrenIn(backends).map((id) => [`/backends/${id}`, id]),
  },
  "/backends/static": {
    unset: { tls: { enabled: false } },
    shown: (body) => ("tls" in body ? { ...body, tls: { enabled: false, ...body["tls"] } } : body),
  },
  "/backends/http_response": {
    shown: ({ headers, ...rest }) => ({
      ...rest,
      ...(headers && {
        headers: Object.fromEntries(
          Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
        ),
      }),
    }),
  },
  "/certificate_authorities": {
    shown: ({ ca_pem, ...rest }) => ({ ...rest, ...(ca_pem !== undefined && shownFor(ca_pem)) }),
  },
  "/certificate_issuers": {
    shown: ({ external_account, ...rest }) => ({
      ...rest,
      ...(external_account && {
        external_account: external_account.key_id ? { ...external_account, hmac_key: null } : {},
      }),
    }),
  },
  "/event_destinations": {
    shown: (body) => ("target" in body ? { ...body, target: target(body["target"]) } : body),
  },
  "/event_subscriptions": {
    shown: ({ sources, destination_ids, ...rest }, id) => ({
      ...rest,
      ...(sources && { sources: listed(sources.map(({ type }: Json) => sourceOf(id, type))) }),
      ...(destination_ids && { destinations: refsTo(destination_ids) }),
    }),
    references: ({ destination_ids }) =>
      (destination_ids ?? []).map((id: string, i: number) => [`/destination_ids/${i}`, id]),
  },
  "/api_keys": {
    shown: ({ expires_at, ...rest }) => ({
      ...rest,
      ...(expires_at && { expires_at: inUtc(expires_at) }),
    }),
    references: ({ owner_id }) => (owner_id ? [["/owner_id", owner_id]] : []),
  },
};

/** The ids of a backend's children, from a list or from a map of weights. */
const childrenIn = (backends: Json | null | undefined): string[] =>
  Array.isArray(backends) ? backends : Object.keys(backends ?? {});

/** The values of a filter that find an object, which is given as responses show it. */
export function filteredBy(name: string, object: Json): string[] {
  const ids = (refs?: Json[] | null) => (refs ?? []).map(({ id }) => id);
  const found: Record<string, () => (string | undefined)[]> = {
    hostport: () => (object["hostports"] ?? []).map((hostport: string) => hostport.toLowerCase()),
    backend_id: () => [object["backend"]?.backend.id, ...childrenIn(object["backends"])],
    ip_policy_id: () => [object["ip_policy"]?.id, ...ids(object["ip_restriction"]?.ip_policies)],
    certificate_authority_id: () => ids(object["mutual_tls"]?.certificate_authorities),
    destination_id: () => ids(object["destinations"]),
    owner_id: () => [object["owner_id"]],
    metadata: () => [object["metadata"]],
    expires_before: () => [object["expires_at"]],
  };
  const values = found[name]?.();
  if (!values) throw new Error(`The model does not know the filter ${name}`);
  return values.filter((value) => value !== undefined);
}

/** True if a list with the filter has the object. */
const isMatch = (object: Json, name: string, value: string): boolean =>
  filteredBy(name, object).some((own) => (name === "expires_before" ? own < value : own === value));

/** The ids of the objects that an object or a module refers to. */
const idsIn = (object: Json): string[] =>
  ["backend_id", "ip_policy_id", "certificate_authority_id", "destination_id", "owner_id"].flatMap((name) =>
    // A rule is part of its policy.
    "ip_policy" in object ? [] : filteredBy(name, object),
  );

function takesNull({ type, anyOf = [] }: Json): boolean {
  return [type].flat().includes("null") || anyOf.some(takesNull);
}

/** The fields at `path` that were never set: null for each field that responses always have and that can be null. */
function nulls(path: string): Json {
  const { properties, required } = operationAt("GET", path)?.response ?? {};
  const names: string[] = required.filter((name: string) => takesNull(properties[name]));
  return Object.fromEntries(names.map((name) => [name, null]));
}

const known = (collection: (typeof documentedCollections)[number] & { within?: string }): Collection => {
  const { unset, ...quirk } = quirks[collection.path] ?? {};
  return {
    ...collection,
    shown: (body) => body,
    references: () => [],
    ...quirk,
    unset: { ...nulls(`${collection.path}/{id}`), ...defaultsIn(bodyAt("POST", collection.path)), ...unset },
  };
};

export const collections: Collection[] = documentedCollections.map(known);

/** Collections within an object. */
export const nested: Collection[] = nestedCollections.map(known);

const NOT_FOUND: Expected = { status: 404, code: "ERR_NOT_FOUND" };
const UNMET: Expected = { status: 412, code: "ERR_PRECONDITION_FAILED" };

/** The path of a module's owner. */
export const ownerOf = (path: string): string => path.slice(0, path.lastIndexOf("/"));

const invalid = (...blamed: string[]): Expected => ({ status: 400, code: "ERR_INVALID_REQUEST", blamed });

/** Lists that the service computes, which stay even if they are empty. */
const COMPUTED = new Set(["key_usages", "extended_key_usages"]);

/** "", [] and {} unset a string, a list and a map: the first is omitted, the others are null. */
const withoutEmpty = (object: Json): Json =>
  Object.fromEntries(
    Object.entries(object)
      .filter(([, value]) => value !== "")
      .map(([name, value]) => [name, isEmpty(value) && !COMPUTED.has(name) ? null : value]),
  );

const isEmpty = (value: unknown): boolean =>
  typeof value === "object" && value !== null && Object.keys(value).length === 0;

/** True if mutual TLS is enabled although the upstream terminates TLS. */
const isConflict = ({ mutual_tls, tls_termination }: Json): boolean =>
  mutual_tls?.enabled === true && tls_termination?.terminate_at === "upstream";

export class Model {
  /** Objects as responses show them, by id, in order of creation. */
  readonly objects = new Map<string, Json>();
  /** Modules of HTTPS edges and their routes, by path. */
  readonly modules = new Map<string, Json>();
  /** Every id that ever existed, in order of creation. */
  readonly ids: string[] = [];
  /** Versions: of objects by id, of the owners of HTTPS modules by path. */
  readonly #versions = new Map<string, number>();

  readonly epoch: string;

  /** @param epoch the database's epoch, with which every ETag starts */
  constructor(epoch: string) {
    this.epoch = epoch;
  }

  /** The If-Match header for a condition. */
  ifMatch(key: string, condition: Condition): string | undefined {
    const version = this.#versions.get(key) ?? 0;
    const restored = `"00000000-${version}", "${version}"`;
    const stale = `"${this.epoch}-${version - 1}", "x"`;
    return { none: undefined, current: `"${this.epoch}-${version}"`, stale, restored, any: "*" }[condition];
  }

  #isUnmet(key: string, condition: Condition, isSet = true): boolean {
    const isThere = condition === "any" ? isSet : this.#versions.has(key);
    return condition === "stale" || condition === "restored" || (condition !== "none" && !isThere);
  }

  #etag = (key: string): string => `"${this.epoch}-${this.#versions.get(key)}"`;

  #nextVersion(key: string): string {
    this.#versions.set(key, (this.#versions.get(key) ?? 0) + 1);
    return this.#etag(key);
  }

  #references(references: [string, string][]): Expected | undefined {
    // A certificate authority can be managed elsewhere.
    const blamed = references.filter(([, id]) => !id.startsWith("ca_") && !this.objects.has(id));
    if (blamed.length === 0) return undefined;
    return { status: 400, code: "ERR_UNKNOWN_REFERENCE", blamed: blamed.map(([path]) => path) };
  }

  /** The object as responses show it: an HTTPS edge with its routes, oldest first. */
  #shown(object: Json): Json {
    if (!String(object["id"]).startsWith("edghts_")) return object;
    return { ...object, routes: this.routesOf(object["id"]) };
  }

  /** The routes of an edge, oldest first. */
  routesOf = (edgeId: string): Json[] =>
    [...this.objects.values()].filter(({ edge_id }) => edge_id === edgeId);

  /** Another route of the same edge whose match is read as the same path. */
  #sameMatch(route: Json): Json | undefined {
    const place = (of: Json): string => `${of["match_type"]} ${readPath(of["match"])}`;
    return this.routesOf(route["edge_id"]).find(
      (other) => other["id"] !== route["id"] && place(other) === place(route),
    );
  }

  /** The response to a POST in an edge, like {@link create}. */
  createRoute(collection: Collection, edge_id: string, body: Json, id: string): Expected {
    if (!this.objects.has(edge_id)) return NOT_FOUND;
    const expected = this.create(collection, body, id);
    const same = this.#sameMatch({ ...body, edge_id });
    if (expected.status !== 201) return expected;
    if (same) return { status: 409, code: "ERR_CONFLICT", conflict: same["id"] };
    return { ...expected, body: { ...expected.body, edge_id } };
  }

  /**
   * The response to a POST that creates an object with `id`. {@link add} adds the id and other fields that the service
   * generates.
   */
  create({ references, unset, shown, path }: Collection, body: Json, id: string): Expected {
    const lost = this.#references(references(body));
    if (!lost && this.objects.get(body["owner_id"])?.["active"] === false) return invalid("/owner_id");
    const object = withoutEmpty({ ...unset, ...shown(body, id) });
    const created = path === "/edges/https" ? { ...object, routes: [] } : object;
    return lost ?? { status: 201, body: created, etag: `"${this.epoch}-1"` };
  }

  /** @param object as its creation shows it */
  add({ routes: _, ...object }: Json): void {
    this.objects.set(object["id"], object);
    this.ids.push(object["id"]);
    this.#changed(object["id"]);
  }

  /** Moves the version of an object and of its parent: of a route's edge, or a rule's policy. */
  #changed(id: string): string {
    const { edge_id, ip_policy } = this.objects.get(id) ?? {};
    const whole = edge_id ?? ip_policy?.id;
    if (whole !== undefined) this.#nextVersion(whole);
    return this.#nextVersion(id);
  }

  /** @param edgeId for a route, the edge in the path */
  read(id: string, edgeId?: string): Expected {
    const object = this.#at(id, edgeId);
    return object ? { status: 200, body: this.#shown(object), etag: this.#etag(id) } : NOT_FOUND;
  }

  /** The object with this id, if it belongs to that edge. */
  #at(id: string, edgeId: string | undefined): Json | undefined {
    const object = this.objects.get(id);
    return object?.["edge_id"] === edgeId ? object : undefined;
  }

  patch(
    { references, shown }: Collection,
    id: string,
    body: Json,
    condition: Condition,
    edgeId?: string,
  ): Expected {
    const before = this.#at(id, edgeId);
    if (!before) return NOT_FOUND;
    const lost = this.#references(references(body));
    if (lost) return lost;
    if (this.#contains(childrenIn(body["backends"]), id)) return invalid("/backends");
    const after = withoutEmpty({ ...before, ...shown(body, id) });
    if (isConflict(after)) return invalid(body["mutual_tls"] ? "/mutual_tls" : "/tls_termination");
    const same = edgeId === undefined ? undefined : this.#sameMatch(after);
    if (same) return { status: 409, code: "ERR_CONFLICT", conflict: same["id"] };
    if (this.#isUnmet(id, condition)) return UNMET;
    this.objects.set(id, after);
    const etag = isEmpty(body) ? this.#etag(id) : this.#changed(id);
    return { status: 200, body: this.#shown(after), etag };
  }

  /** True if `id` is one of `children` or contained in one of them. */
  #contains(children: string[], id: string): boolean {
    return children.some(
      (child) => child === id || this.#contains(childrenIn(this.objects.get(child)?.["backends"]), id),
    );
  }

  /** The referrers of an object: their ids; for a route, preceded by its edge's id and a slash. */
  #usersOf(id: string): string[] {
    const users = [...this.objects.values()]
      .filter((user) => idsIn(user).includes(id))
      .map(({ id: user, edge_id }) => (edge_id === undefined ? user : `${edge_id}/${user}`));
    for (const [path, module] of this.modules) {
      const [, edge, route, name] = /\/(edghts_\w+)(?:\/routes\/(\w+))?\/(\w+)$/.exec(path) ?? [];
      const user = route === undefined ? edge : `${edge}/${route}`;
      if (user !== undefined && idsIn({ [name ?? ""]: module }).includes(id)) users.push(user);
    }
    return [...new Set(users)];
  }

  /** @param before a user as {@link #usersOf} has it, or its id */
  usedBy(id: string, limit: number, before?: string): Expected {
    const object = this.objects.get(id);
    if (!object) return NOT_FOUND;
    const place = (user: string): [string, string] => {
      const [edge = "", route] = user.split("/");
      return route === undefined ? [edge, ""] : [route, edge];
    };
    const isLower = ([a, edgeA]: [string, string], [b, edgeB]: [string, string]): boolean =>
      a === b ? edgeA < edgeB : a < b;
    const all = this.#usersOf(id)
      .map(place)
      .filter((user) => before === undefined || isLower(user, place(before)))
      .toSorted((a, b) => (isLower(a, b) ? 1 : -1));
    const uri = `${object["uri"]}/used_by`;
    const page = all.slice(0, limit);
    const [last, next] = [page.at(-1), all[limit]];
    const tie = last?.[0] === next?.[0] ? `&before_edge_id=${last?.[1]}` : "";
    return {
      status: 200,
      body: {
        used_by: page.map(([user, edge]) => ({
          id: user,
          uri: edge === "" ? refTo(user).uri : `${ORIGIN}/edges/https/${edge}/routes/${user}`,
        })),
        uri,
        next_page_uri: next ? `${uri}?before_id=${last?.[0]}&limit=${limit}${tie}` : null,
      },
    };
  }

  /** Whether a policy, or the IP restriction of an edge or a route, admits an address. */
  access(id: string, ip: string, edgeId?: string): Expected {
    const elsewhere = this.modules.get(`/edges/https/${edgeId}/routes/${id}/ip_restriction`);
    const object = this.#at(id, edgeId) ?? (elsewhere && { ip_restriction: elsewhere });
    if (!object) return NOT_FOUND;
    const restriction: Json | null = id.startsWith("ipp_")
      ? { enabled: true, ip_policies: [{ id }] }
      : (object["ip_restriction"] ?? null);
    const said = (allowed: boolean, reason: string): Expected => ({
      status: 200,
      body: { allowed, reason, rules: [] },
    });
    if (!restriction) return said(true, "no_restriction");
    if (!restriction["enabled"]) return said(true, "restriction_disabled");
    if (!restriction["ip_policies"]) return said(false, "no_policies");
    const ids = new Set(restriction["ip_policies"].map((policy: Json) => policy["id"]));
    const rules = [...this.objects.values()].filter(({ ip_policy }) => ids.has(ip_policy?.id));
    return { status: 200, body: judged(rules, ip) };
  }

  remove(id: string, condition: Condition, edgeId?: string): Expected {
    if (!this.#at(id, edgeId)) return NOT_FOUND;
    const all = [...this.objects.values()];
    // Policies can be deleted, and a bot's keys are deleted with it.
    const users = /^(?:ipp|bot)_/.test(id) ? [] : this.#usersOf(id);
    if (users.length > 0) return { status: 409, code: "ERR_IN_USE", users };
    if (this.#isUnmet(id, condition)) return UNMET;
    this.#changed(id);
    this.objects.delete(id);
    for (const { id: other, ip_policy, owner_id, edge_id } of all)
      if (ip_policy?.id === id || owner_id === id || edge_id === id) this.objects.delete(other);
    return { status: 204, body: {} };
  }

  /** @param filter a query parameter and its value */
  list(
    collection: Collection,
    limit: number,
    beforeId?: string,
    edgeId?: string,
    filter?: [name: string, value: string],
  ): Expected {
    const { prefix, list } = collection;
    if (edgeId !== undefined && !this.objects.has(edgeId)) return NOT_FOUND;
    const isByExpiry = filter?.[0] === "expires_before";
    if (isByExpiry && beforeId !== undefined) return invalid("before_id");
    const matching = [...this.objects.values()]
      .filter(({ id, edge_id }) => id.startsWith(prefix) && edge_id === edgeId)
      .filter(({ id }) => beforeId === undefined || id < beforeId)
      .filter((object) => filter === undefined || isMatch(object, ...filter));
    const place = ({ id, expires_at }: Json): string => `${expires_at},${id}`;
    const all = isByExpiry
      ? matching.toSorted((a, b) => (place(a) < place(b) ? -1 : 1))
      : matching.toReversed();
    const page = all.slice(0, limit).map((object) => this.#shown(object));
    const uri = ORIGIN + filled(collection.path, edgeId === undefined ? [] : [edgeId]);
    const repeated = filter ? `&${filter[0]}=${encodeURIComponent(filter[1])}` : "";
    const last = page.at(-1) ?? {};
    const start = isByExpiry ? `after=${encodeURIComponent(place(last))}` : `before_id=${last["id"]}`;
    const next = all.length > limit ? `${uri}?${start}&limit=${limit}${repeated}` : null;
    return { status: 200, body: { [list]: page, uri, next_page_uri: next } };
  }

  /** PUT of the module `name` of the edge or route `id`. */
  putModule(id: string, name: string, body: Json, condition: Condition, edgeId?: string): Expected {
    const edge = this.#at(id, edgeId);
    if (!edge) return NOT_FOUND;
    const unknown = this.#references(moduleReferences(body, ""));
    if (unknown) return unknown;
    const module = modules[name]?.(body) ?? {};
    if (isConflict({ ...edge, [name]: module })) return invalid("");
    if (this.#isUnmet(id, condition, Boolean(edge[name]))) return UNMET;
    this.objects.set(id, { ...edge, [name]: module });
    return { status: 200, body: module, etag: this.#changed(id) };
  }

  readModule(id: string, name: string, edgeId?: string): Expected {
    const module = this.#at(id, edgeId)?.[name];
    return module ? { status: 200, body: module, etag: this.#etag(id) } : NOT_FOUND;
  }

  removeModule(id: string, name: string, condition: Condition, edgeId?: string): Expected {
    const edge = this.#at(id, edgeId);
    if (!edge) return NOT_FOUND;
    if (this.#isUnmet(id, condition, Boolean(edge[name]))) return UNMET;
    if (edge[name]) this.#changed(id);
    this.objects.set(id, { ...edge, [name]: null });
    return { status: 204, body: {} };
  }

  /** The sources of the event subscription `id`; undefined if it does not exist. */
  #sources(id: string): Json[] | undefined {
    const subscription = this.objects.get(id);
    return subscription && (subscription["sources"] ?? []);
  }

  #setSources(id: string, sources: Json[]): string {
    this.objects.set(id, { ...this.objects.get(id), sources: listed(sources) });
    return this.#nextVersion(id);
  }

  addSource(id: string, type: string, condition: Condition): Expected {
    const sources = this.#sources(id);
    if (!sources) return NOT_FOUND;
    if (sources.some((source) => source["type"] === type))
      return { status: 409, code: "ERR_CONFLICT", conflict: type };
    if (this.#isUnmet(id, condition)) return UNMET;
    const source = sourceOf(id, type);
    return { status: 201, body: source, etag: this.#setSources(id, [...sources, source]) };
  }

  listSources(id: string): Expected {
    const sources = this.#sources(id);
    if (!sources) return NOT_FOUND;
    const uri = `${ORIGIN}/event_subscriptions/${id}/sources`;
    return { status: 200, body: { sources, uri }, etag: this.#etag(id) };
  }

  /** The response to a GET, and to a PATCH, which changes nothing. */
  readSource(id: string, type: string, condition: Condition): Expected {
    const body = this.#sources(id)?.find((source) => source["type"] === type);
    if (!body) return NOT_FOUND;
    return this.#isUnmet(id, condition) ? UNMET : { status: 200, body, etag: this.#etag(id) };
  }

  removeSource(id: string, type: string, condition: Condition): Expected {
    const before = this.#sources(id) ?? [];
    const after = before.filter((source) => source["type"] !== type);
    if (after.length === before.length) return NOT_FOUND;
    if (this.#isUnmet(id, condition)) return UNMET;
    this.#setSources(id, after);
    return { status: 204, body: {} };
  }

  /** The same for modules of HTTPS edges and routes, whose owners are managed elsewhere: any id will do. */
  putHttpsModule(path: string, name: string, body: Json, condition: Condition): Expected {
    const unknown = this.#references(moduleReferences(body, ""));
    if (unknown) return unknown;
    const owner = ownerOf(path);
    if (this.#isUnmet(owner, condition, this.modules.has(path))) return UNMET;
    const module = modules[name]?.(body) ?? {};
    this.modules.set(path, module);
    return this.#versions.has(owner)
      ? { status: 200, body: module, etag: this.#nextVersion(owner) }
      : { status: 200, body: module, begins: owner };
  }

  /**
   * Notes the version at which the service starts an owner managed elsewhere: about the current time, in milliseconds.
   */
  learn(owner: string, version: number): void {
    this.#versions.set(owner, version);
  }

  readHttpsModule(path: string): Expected {
    const module = this.modules.get(path);
    return module ? { status: 200, body: module, etag: this.#etag(ownerOf(path)) } : NOT_FOUND;
  }

  removeHttpsModule(path: string, condition: Condition): Expected {
    if (this.#isUnmet(ownerOf(path), condition, this.modules.has(path))) return UNMET;
    if (this.modules.delete(path)) this.#nextVersion(ownerOf(path));
    return { status: 204, body: {} };
  }
}
