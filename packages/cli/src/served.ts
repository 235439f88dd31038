import { rangeOf } from "../../../src/values/cidrs.ts";
import type { Judge } from "../../traffic/src/objections.ts";
import { compile } from "../../traffic/src/policy/language.ts";
import { resolve } from "../../traffic/src/resolve.ts";
import type { Snapshot } from "../../traffic/src/snapshot.ts";
import type { StoredBackend, StoredSnapshot } from "../../traffic/src/stored.ts";
import { isJsonObject, type Json, type JsonObject, textOf } from "./json.ts";
import type { Content, Entry, Part } from "./objects.ts";

/*
 * What would be served if the service had exactly the objects of a file. No service is needed.
 */

/** What a file serves. */
export interface Served {
  snapshot: Snapshot;
  /** Every edge, with the hostports that it claims. */
  edges: { id: string; hostports: string[] | null }[];
  judge: Judge;
  /** The name in the file of an object, or the match of a route; undefined for an id that is not in the file. */
  nameOf: (id: string) => string | undefined;
}

const list = (value: Json | undefined): Json[] => (Array.isArray(value) ? value : []);
const texts = (value: Json | undefined): string[] => list(value).map(textOf);
const numberIn = (value: Json | undefined, otherwise: number): number =>
  typeof value === "number" ? value : otherwise;
const textsByName = (value: Json | undefined): Record<string, string> =>
  Object.fromEntries(Object.entries(isJsonObject(value) ? value : {}).map(([name, text]) => [name, textOf(text)]));

/** A module of an object; null if it is not set. Files omit defaults. */
function moduleIn<T>(
  { own }: Part,
  name: string,
  fieldsOf: (module: JsonObject) => T,
): ({ enabled: boolean } & T) | null {
  const module = own[name];
  return isJsonObject(module) ? { enabled: module["enabled"] !== false, ...fieldsOf(module) } : null;
}

const nothing = () => ({});

/** A policy is compiled once. */
function judging(): Judge {
  const known = new Map<string, ReturnType<Judge>>();
  return (value, target) => {
    const key = `${target} ${value}`;
    const found = known.get(key) ?? compile(value, target, rangeOf);
    known.set(key, found);
    return found;
  };
}

/** What the objects of a file would serve. */
export function servedBy({ entries }: Content): Served {
  const names = new Map<string, string>();
  const ids = new Map<string, string>();
  /** Ids in the order of the file, because the older of two edges gets a hostport. */
  const idFor = (prefix: string, name: string): string => {
    const id = `${prefix}${String(names.size).padStart(8, "0")}`;
    names.set(id, name);
    return id;
  };
  for (const { kind, name } of entries) ids.set(name, idFor(kind.prefix, name));
  const idOf = (name: Json | undefined): string => ids.get(textOf(name)) ?? textOf(name);
  const of = (section: string): { id: string; entry: Entry }[] =>
    entries.flatMap((entry) => (entry.kind.section === section ? [{ id: idOf(entry.name), entry }] : []));
  const idsIn = (value: Json | undefined): string[] => list(value).map(idOf);

  const forwarding = (part: Part) => ({
    backend: moduleIn(part, "backend", ({ backend_id }) => ({ backend_id: idOf(backend_id) })),
    ip_restriction: moduleIn(part, "ip_restriction", ({ ip_policy_ids }) => ({ ip_policy_ids: idsIn(ip_policy_ids) })),
    traffic_policy: moduleIn(part, "traffic_policy", ({ value }) => ({ value: textOf(value) })),
  });
  const mutualTls = (part: Part) =>
    moduleIn(part, "mutual_tls", ({ certificate_authority_ids }) => ({
      certificate_authority_ids: idsIn(certificate_authority_ids),
    }));
  const headers = ({ add, remove }: JsonObject) => ({ add: textsByName(add), remove: texts(remove) });
  const frame = ({ id, entry }: { id: string; entry: Entry }) => ({ id, hostports: texts(entry.own["hostports"]) });

  const policies = of("ip_policies");
  const stored: StoredSnapshot = {
    version: [],
    tcp: of("tcp_edges").map((one) => ({ ...frame(one), ...forwarding(one.entry) })),
    tls: of("tls_edges").map((one) => ({
      ...frame(one),
      ...forwarding(one.entry),
      mutual_tls: mutualTls(one.entry),
      tls_termination: moduleIn(one.entry, "tls_termination", ({ terminate_at }) => ({
        terminate_at: terminate_at === "upstream" ? ("upstream" as const) : ("edge" as const),
        min_version: null,
      })),
    })),
    https: of("https_edges").map((one) => ({
      ...frame(one),
      mutual_tls: mutualTls(one.entry),
      tls_termination: moduleIn(one.entry, "tls_termination", () => ({ min_version: null })),
    })),
    routes: of("https_edges").flatMap(({ id: edge_id, entry }) =>
      entry.children.map((route) => ({
        edge_id,
        id: idFor("edghtsrt_", textOf(route.own["match"])),
        match_type: route.own["match_type"] === "exact_path" ? ("exact_path" as const) : ("path_prefix" as const),
        match: textOf(route.own["match"]),
        ...forwarding(route),
        circuit_breaker: moduleIn(route, "circuit_breaker", (module) => ({
          tripped_duration: numberIn(module["tripped_duration"], 0),
          rolling_window: numberIn(module["rolling_window"], 1),
          num_buckets: numberIn(module["num_buckets"], 1),
          volume_threshold: numberIn(module["volume_threshold"], 0),
          error_threshold_percentage: numberIn(module["error_threshold_percentage"], 0),
        })),
        request_headers: moduleIn(route, "request_headers", headers),
        response_headers: moduleIn(route, "response_headers", headers),
        compression: moduleIn(route, "compression", nothing),
        user_agent_filter: moduleIn(route, "user_agent_filter", ({ allow, deny }) => ({
          allow: allow === undefined ? null : texts(allow),
          deny: deny === undefined ? null : texts(deny),
        })),
        websocket_tcp_converter: moduleIn(route, "websocket_tcp_converter", nothing),
        webhook_verification: moduleIn(route, "webhook_verification", nothing),
      })),
    ),
    policies: policies.map(({ id }) => ({ id, isThere: true })),
    rules: policies.flatMap(({ entry }, place) =>
      entry.children.map(({ own }) => `${place}${own["action"] === "deny" ? "-" : "+"}${textOf(own["cidr"])}`),
    ),
    backends: backendsOf(of, idOf),
    authorities: of("certificate_authorities").map(({ id, entry }) => ({ id, ca_pem: textOf(entry.own["ca_pem"]) })),
  };
  const judge = judging();
  return {
    snapshot: resolve(stored, judge),
    edges: [...stored.tcp, ...stored.tls, ...stored.https],
    judge,
    nameOf: (id) => names.get(id),
  };
}

type Some = (section: string) => { id: string; entry: Entry }[];

const UNSET: Omit<StoredBackend, "id"> = {
  address: null,
  tls: null,
  status_code: null,
  headers: null,
  body: null,
  failover: null,
  weighted: null,
  children: null,
  weights: null,
};

/** The status of a fixed response for which a file gives none. */
const STATUS = 200;

const backendsOf = (of: Some, idOf: (name: Json | undefined) => string): StoredBackend[] => [
  ...of("static_backends").map(({ id, entry }) => ({
    ...UNSET,
    id,
    address: textOf(entry.own["address"]),
    tls: moduleIn(entry, "tls", nothing),
  })),
  ...of("http_response_backends").map(({ id, entry: { own } }) => ({
    ...UNSET,
    id,
    status_code: numberIn(own["status_code"], STATUS),
    headers: textsByName(own["headers"]),
    body: textOf(own["body"]),
  })),
  ...of("failover_backends").map(({ id, entry }) => ({
    ...UNSET,
    id,
    failover: id,
    children: list(entry.own["backends"]).map(idOf),
  })),
  ...of("weighted_backends").map(({ id, entry }) => {
    const weights = entry.own["backends"];
    return {
      ...UNSET,
      id,
      weighted: id,
      weights: Object.fromEntries(
        Object.entries(isJsonObject(weights) ? weights : {}).map(([name, weight]) => [idOf(name), numberIn(weight, 0)]),
      ),
    };
  }),
];
