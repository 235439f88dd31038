import type { Compiled, PolicyOwner } from "../../model/src/policy/compile.ts";
import { compile } from "../../model/src/policy/language.ts";
import type { Claimants } from "../../model/src/traffic/claims.ts";
import { resolve } from "../../model/src/traffic/resolve.ts";
import type { Snapshot } from "../../model/src/traffic/snapshot.ts";
import type { StoredBackend, StoredSnapshot } from "../../model/src/traffic/stored_snapshot.ts";
import { rangeOf } from "../../model/src/values/cidrs.ts";
import { isJsonObject, type Json, type JsonObject, textOf } from "./json.ts";
import { routeTitle, type TitleOf } from "./names.ts";
import type { Content, Entry, ObjectPart } from "./objects.ts";

/*
 * What would be served if the service had exactly the objects of a file. No service is needed.
 */

/** What a file serves. */
export interface ServedFile {
  snapshot: Snapshot;
  /** Every edge, with the hostports that it claims. */
  edges: Claimants;
  /** Compiles a traffic policy. */
  judge: (value: string, target: PolicyOwner) => Compiled;
  /** The name in the file of an object, or the match of a route; undefined for an id that is not in the file. */
  nameOf: (id: string) => string | undefined;
  /** The title of an object or a route of the file. */
  titleOf: TitleOf;
}

const list = (value: Json | undefined): Json[] => (Array.isArray(value) ? value : []);
const texts = (value: Json | undefined): string[] => list(value).map(textOf);
const numberIn = (value: Json | undefined, otherwise: number): number =>
  typeof value === "number" ? value : otherwise;
const textsByName = (value: Json | undefined): Record<string, string> =>
  Object.fromEntries(
    Object.entries(isJsonObject(value) ? value : {}).map(([name, text]) => [name, textOf(text)]),
  );

/** A module of an object; null if it is not set. Files omit defaults. */
function moduleIn<T>(
  { own }: ObjectPart,
  name: string,
  fieldsOf: (module: JsonObject) => T,
): ({ enabled: boolean } & T) | null {
  const module = own[name];
  return isJsonObject(module) ? { enabled: module["enabled"] !== false, ...fieldsOf(module) } : null;
}

const nothing = () => ({});

/** A policy is compiled once. */
function judging(): ServedFile["judge"] {
  const known = new Map<string, Compiled>();
  return (value, target) => {
    const key = `${target} ${value}`;
    const found = known.get(key) ?? compile(value, target, rangeOf);
    known.set(key, found);
    return found;
  };
}

/** The objects of a section. */
type Some = (section: string) => { id: string; entry: Entry }[];
/** The id of a name. */
type IdOf = (name: Json | undefined) => string;

const forwardingOf = (part: ObjectPart, idOf: IdOf) => ({
  backend: moduleIn(part, "backend", ({ backend_id }) => ({ backend_id: idOf(backend_id) })),
  ip_restriction: moduleIn(part, "ip_restriction", ({ ip_policy_ids }) => ({
    ip_policy_ids: list(ip_policy_ids).map(idOf),
  })),
  traffic_policy: moduleIn(part, "traffic_policy", ({ value }) => ({ value: textOf(value) })),
});

const mutualTlsOf = (part: ObjectPart, idOf: IdOf) =>
  moduleIn(part, "mutual_tls", ({ certificate_authority_ids }) => ({
    certificate_authority_ids: list(certificate_authority_ids).map(idOf),
  }));

const headerChanges = ({ add, remove }: JsonObject) => ({ add: textsByName(add), remove: texts(remove) });

const routeOf = (
  id: string,
  edge_id: string,
  route: ObjectPart,
  idOf: IdOf,
): StoredSnapshot["routes"][number] => ({
  edge_id,
  id,
  match_type: route.own["match_type"] === "exact_path" ? "exact_path" : "path_prefix",
  match: textOf(route.own["match"]),
  ...forwardingOf(route, idOf),
  circuit_breaker: moduleIn(route, "circuit_breaker", (module) => ({
    tripped_duration: numberIn(module["tripped_duration"], 0),
    rolling_window: numberIn(module["rolling_window"], 1),
    num_buckets: numberIn(module["num_buckets"], 1),
    volume_threshold: numberIn(module["volume_threshold"], 0),
    error_threshold_percentage: numberIn(module["error_threshold_percentage"], 0),
  })),
  request_headers: moduleIn(route, "request_headers", headerChanges),
  response_headers: moduleIn(route, "response_headers", headerChanges),
  compression: moduleIn(route, "compression", nothing),
  user_agent_filter: moduleIn(route, "user_agent_filter", ({ allow, deny }) => ({
    allow: allow === undefined ? null : texts(allow),
    deny: deny === undefined ? null : texts(deny),
  })),
  websocket_tcp_converter: moduleIn(route, "websocket_tcp_converter", nothing),
  webhook_verification: moduleIn(route, "webhook_verification", nothing),
});

/** What the objects of a file would serve. */
export function servedBy({ entries }: Content): ServedFile {
  const names = new Map<string, string>();
  /** Ids in the order of the file, because the older of two edges gets a hostport. */
  const newId = (prefix: string, name: string): string => {
    const id = `${prefix}${String(names.size).padStart(8, "0")}`;
    names.set(id, name);
    return id;
  };
  const ids = new Map(entries.map(({ kind, name }) => [name, newId(kind.prefix, name)]));
  const titles = new Map(entries.map(({ kind, name }) => [ids.get(name) ?? "", `${kind.section}.${name}`]));
  const idOf: IdOf = (name) => ids.get(textOf(name)) ?? textOf(name);
  const of: Some = (section) =>
    entries.flatMap((entry) => (entry.kind.section === section ? [{ id: idOf(entry.name), entry }] : []));
  const frame = (id: string, { own }: ObjectPart) => ({ id, hostports: texts(own["hostports"]) });

  const https = of("https_edges");
  const stored: StoredSnapshot = {
    version: 0,
    tcp: of("tcp_edges").map(({ id, entry }) => ({ ...frame(id, entry), ...forwardingOf(entry, idOf) })),
    tls: of("tls_edges").map(({ id, entry }) => ({
      ...frame(id, entry),
      ...forwardingOf(entry, idOf),
      mutual_tls: mutualTlsOf(entry, idOf),
      tls_termination: moduleIn(entry, "tls_termination", ({ terminate_at }) => ({
        terminate_at: terminate_at === "upstream" ? ("upstream" as const) : ("edge" as const),
        min_version: null,
      })),
    })),
    https: https.map(({ id, entry }) => ({
      ...frame(id, entry),
      mutual_tls: mutualTlsOf(entry, idOf),
      tls_termination: moduleIn(entry, "tls_termination", () => ({ min_version: null })),
    })),
    routes: https.flatMap(({ id, entry }) =>
      entry.children.map((route) => {
        const routeId = newId("edghtsrt_", textOf(route.own["match"]));
        titles.set(routeId, `${titles.get(id)} ${routeTitle(route.own)}`);
        return routeOf(routeId, id, route, idOf);
      }),
    ),
    policies: of("ip_policies").map(({ id, entry }) => {
      const ranges = (isDenied: boolean) =>
        entry.children
          .filter(({ own }) => (own["action"] === "deny") === isDenied)
          .map(({ own }) => textOf(own["cidr"]));
      return { id, allow: ranges(false), deny: ranges(true) };
    }),
    backends: backendsOf(of, idOf),
    authorities: of("certificate_authorities").map(({ id, entry: { own } }) => ({
      id,
      ca_pem: textOf(own["ca_pem"]),
    })),
  };
  const judge = judging();
  return {
    snapshot: resolve(stored, judge),
    edges: stored,
    judge,
    nameOf: (id) => names.get(id),
    titleOf: (id) => titles.get(id),
  };
}

/** The status of a fixed response for which a file gives none. */
const STATUS = 200;

const backendsOf = (of: Some, idOf: IdOf): StoredBackend[] => [
  ...of("static_backends").map(({ id, entry }) => ({
    id,
    kind: "static" as const,
    address: textOf(entry.own["address"]),
    tls: moduleIn(entry, "tls", nothing),
  })),
  ...of("http_response_backends").map(({ id, entry: { own } }) => ({
    id,
    kind: "http_response" as const,
    status_code: numberIn(own["status_code"], STATUS),
    headers: textsByName(own["headers"]),
    body: textOf(own["body"]),
  })),
  ...of("failover_backends").map(({ id, entry }) => ({
    id,
    kind: "failover" as const,
    backends: list(entry.own["backends"]).map(idOf),
  })),
  ...of("weighted_backends").map(({ id, entry }) => {
    const weights = entry.own["backends"];
    return {
      id,
      kind: "weighted" as const,
      backends: Object.fromEntries(
        Object.entries(isJsonObject(weights) ? weights : {}).map(([name, weight]) => [
          idOf(name),
          numberIn(weight, 0),
        ]),
      ),
    };
  }),
];
