import { getTableColumns } from "drizzle-orm";
import { prefixOf } from "../../../packages/model/src/ids.ts";
import { kinds } from "../../../packages/model/src/kinds.ts";
import { claimAll } from "../../../packages/model/src/traffic/claims.ts";
import type { StoredSnapshot } from "../../../packages/model/src/traffic/stored_snapshot.ts";
import type { StoredIpRestriction } from "../../db/column_types.ts";
import type { Effect } from "../../db/rows.ts";
import {
  certificateAuthorities,
  certificateIssuers,
  eventDestinations,
  eventSubscriptions,
  failoverBackends,
  httpResponseBackends,
  httpsEdgeRoutes,
  httpsEdges,
  ipPolicies,
  ipPolicyRules,
  staticBackends,
  tcpEdges,
  tlsEdges,
  weightedBackends,
} from "../../db/schema.ts";
import { bound, decoderOf, type Values } from "../../db/statements.ts";
import type { RowKey } from "../../db/uses.ts";

/*
 * Some rows of the database in memory: as they are, or as they would be after some writes. Also the objects that these writes
 * affect.
 */

/** The tables of the objects that operations can change. */
export const tables = {
  tcp_edge: tcpEdges,
  tls_edge: tlsEdges,
  https_edge: httpsEdges,
  https_edge_route: httpsEdgeRoutes,
  ip_policy: ipPolicies,
  ip_policy_rule: ipPolicyRules,
  failover_backend: failoverBackends,
  http_response_backend: httpResponseBackends,
  weighted_backend: weightedBackends,
  static_backend: staticBackends,
  event_destination: eventDestinations,
  event_subscription: eventSubscriptions,
  certificate_authority: certificateAuthorities,
  certificate_issuer: certificateIssuers,
} as const;

type Claims = ReturnType<typeof claimAll>;

/** A kind of configuration. */
export type ConfigKind = keyof typeof tables;

type Decoded<Table extends ConfigKind> = (typeof tables)[Table]["$inferSelect"];

/** The value of a key. Creates the value if there is none. */
export function getOrMake<Key, Value>(
  values: { get: (key: Key) => Value | undefined; set: (key: Key, value: Value) => unknown },
  key: Key,
  make: () => Value,
): Value {
  const value = values.get(key) ?? make();
  values.set(key, value);
  return value;
}

const decoders = new Map<ConfigKind, (row: Values) => object>();

/** A row of a kind, with its JSON parsed. */
export const decodedRow = (kind: ConfigKind, row: Values): object =>
  getOrMake(decoders, kind, () => decoderOf(tables[kind]))({ ...row });

/** Rows that were decoded before: an edge can have thousands of hostports, and is read several times. */
const decodedRows = new WeakMap<Values, object>();

export const isConfigKind = (kind: string): kind is ConfigKind => Object.hasOwn(tables, kind);

const kindByPrefix = new Map<string, ConfigKind>(
  Object.keys(tables)
    .filter(isConfigKind)
    .map((kind) => [kinds[kind].prefix, kind]),
);

/** The kind of configuration that an id, or the name of a route, belongs to. */
export const kindOf = (name: string): ConfigKind | undefined =>
  name.includes("/") ? "https_edge_route" : kindByPrefix.get(prefixOf(name));

/** The name of a row: its id; of a route, the ids of its edge and its own with a slash between. */
export const nameOf = ({ id, edge_id }: { id?: unknown; edge_id?: unknown }): string =>
  typeof edge_id === "string" && edge_id !== "" ? `${edge_id}/${String(id)}` : String(id);

/** The kinds of edges. */
export const EDGES = ["tcp_edge", "tls_edge", "https_edge"] as const;

/** Rows by kind and name. Rows are never changed, only replaced. */
export class World {
  readonly #rows: Map<ConfigKind, Map<string, Values>>;
  /** The known hostports of edges that are not among the rows, by id. */
  readonly #claimants: Map<string, Set<string>>;
  #rules: Map<unknown, Values[]> | undefined;
  /** Found when it is first needed, for the rows as they are now. */
  #claimed: Claims | undefined;

  constructor(rows = new Map<ConfigKind, Map<string, Values>>(), claimants = new Map<string, Set<string>>()) {
    this.#rows = rows;
    this.#claimants = claimants;
  }

  /** The same rows, which can then be changed separately. */
  copy(): World {
    const rows = new Map(Array.from(this.#rows, ([kind, known]) => [kind, new Map(known)]));
    return new World(rows, this.#claimants);
  }

  /** Adds a hostport of an edge, unless its row is there. */
  claim(id: string, hostport: string): void {
    if (EDGES.some((kind) => this.get(kind, id))) return;
    this.#claimed = undefined;
    getOrMake(this.#claimants, id, () => new Set<string>()).add(hostport);
  }

  put(kind: ConfigKind, row: Values): void {
    this.#claimants.delete(String(row["id"]));
    this.#set(kind, nameOf(row), row);
  }

  /** The row with a name, as the database returns it. */
  get(kind: ConfigKind, name: string): Values | undefined {
    return this.#of(kind).get(name);
  }

  /** All rows of a kind, decoded. */
  all<Table extends ConfigKind>(kind: Table): Decoded<Table>[];
  all(kind: ConfigKind): object[] {
    return Array.from(this.#of(kind).values(), (row) =>
      getOrMake(decodedRows, row, () => decodedRow(kind, row)),
    );
  }

  /** The rules of a policy, in no particular order. */
  rulesOf(policy: string): Values[] {
    this.#rules ??= Map.groupBy(this.#of("ip_policy_rule").values(), ({ ip_policy_id }) => ip_policy_id);
    return this.#rules.get(policy) ?? [];
  }

  /** When rules expire, after an instant (RFC 3339, UTC). */
  endsOfRules(now: string): string[] {
    return [...this.#of("ip_policy_rule").values()].flatMap(({ expires_at }) =>
      typeof expires_at === "string" && expires_at > now ? [expires_at] : [],
    );
  }

  /** The routes of an edge, oldest first. */
  routesOf(edge: string): Values[] {
    return [...this.#of("https_edge_route").values()]
      .filter(({ edge_id }) => edge_id === edge)
      .toSorted((a, b) => (String(a["id"]) < String(b["id"]) ? -1 : 1));
  }

  /** Does what a step of a write does. */
  apply(effect: Effect): void {
    this.#claimed = undefined;
    if (effect.verb === "replace") {
      this.#replaceRules(effect.policy, effect.rules);
      return;
    }
    const { kind, key } = effect;
    if (!isConfigKind(kind)) return;
    const name = nameOf(key);
    if (effect.verb === "remove") {
      this.#of(kind).delete(name);
      if (kind === "ip_policy") this.#removeRules(key.id);
      if (kind === "ip_policy_rule") this.#rules = undefined;
      if (kind === "https_edge")
        for (const { id } of this.routesOf(key.id))
          this.#of("https_edge_route").delete(`${key.id}/${String(id)}`);
      return;
    }
    const row = this.get(kind, name) ?? { ...unsetRow(kind), ...key };
    const { values } = effect;
    this.#set(kind, name, { ...row, ...stored(typeof values === "function" ? values(row) : values) });
  }

  /** Which edges get the hostports that they claim. */
  claims(): Claims {
    const all = (kind: (typeof EDGES)[number]) => [...this.all(kind), ...this.#others(kind)];
    this.#claimed ??= claimAll({
      tcp: all("tcp_edge"),
      tls: all("tls_edge"),
      https: all("https_edge"),
    });
    return this.#claimed;
  }

  /** What `resolve()` takes, without the rules of policies. Anything without a row is left out. */
  toStored(): StoredSnapshot {
    const isServed = ({ created_at, hostports }: { created_at: unknown; hostports: unknown }) =>
      created_at !== null && hostports !== null;
    const routes = this.all("https_edge_route").filter(({ created_at }) => created_at !== null);
    const restricted = [...this.all("tcp_edge"), ...this.all("tls_edge"), ...routes];
    const ids = restricted.flatMap(({ ip_restriction }) => policiesIn(ip_restriction));
    const policies = [...new Set(ids)].filter((id) => this.get("ip_policy", id) !== undefined);
    return {
      version: 0,
      tcp: [...this.all("tcp_edge").filter(isServed), ...this.#others("tcp_edge")],
      tls: [...this.all("tls_edge").filter(isServed), ...this.#others("tls_edge")],
      https: [...this.all("https_edge").filter(isServed), ...this.#others("https_edge")],
      routes,
      policies: policies.map((id) => ({ id, allow: [], deny: [] })),
      backends: [
        ...this.all("static_backend").map((row) => ({ ...row, kind: "static" as const })),
        ...this.all("http_response_backend").map((row) => ({ ...row, kind: "http_response" as const })),
        ...this.all("failover_backend").map((row) => ({ ...row, kind: "failover" as const })),
        ...this.all("weighted_backend").map((row) => ({ ...row, kind: "weighted" as const })),
      ],
      authorities: this.all("certificate_authority").map(({ id }) => ({ id, ca_pem: "" })),
    };
  }

  /** The edges of a kind of which only some hostports are known. */
  #others(kind: (typeof EDGES)[number]) {
    const modules = { backend: null, ip_restriction: null, traffic_policy: null };
    const unset = { ...modules, mutual_tls: null, tls_termination: null };
    return [...this.#claimants].flatMap(([id, hostports]) =>
      kindOf(id) === kind ? [{ ...unset, id, hostports: [...hostports] }] : [],
    );
  }

  #of(kind: ConfigKind): Map<string, Values> {
    return getOrMake(this.#rows, kind, () => new Map<string, Values>());
  }

  #set(kind: ConfigKind, name: string, row: Values): void {
    this.#of(kind).set(name, row);
    this.#claimed = undefined;
    if (kind === "ip_policy_rule") this.#rules = undefined;
  }

  /** Of the rules with the network and the action of a wanted one, the oldest is kept. */
  #replaceRules(policy: string, wanted: Values[]): void {
    const nameOfRule = ({ action, cidr }: Values) => `${String(action)} ${String(cidr)}`;
    const oldest = new Map<string, Values>();
    for (const rule of this.rulesOf(policy)) {
      const known = oldest.get(nameOfRule(rule));
      if (!known || String(rule["id"]) < String(known["id"])) oldest.set(nameOfRule(rule), rule);
    }
    this.#removeRules(policy);
    for (const rule of wanted) {
      const kept = oldest.get(nameOfRule(rule));
      const { description, metadata, expires_at } = rule;
      this.put(
        "ip_policy_rule",
        stored(
          kept
            ? { ...kept, description, metadata, expires_at }
            : { version: 1, ...rule, ip_policy_id: policy },
        ),
      );
    }
  }

  #removeRules(policy: string): void {
    for (const { id } of this.rulesOf(policy)) this.#of("ip_policy_rule").delete(String(id));
    this.#rules = undefined;
  }
}

/** Values as the database returns them. */
const stored = (values: Values): Values =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => {
      const sent = bound(value);
      return [name, typeof sent === "boolean" ? Number(sent) : sent];
    }),
  );

/** The policies of an enabled restriction. */
export const policiesIn = (restriction: StoredIpRestriction | null): string[] =>
  restriction?.enabled ? (restriction.ip_policy_ids ?? []) : [];

/** A row in which nothing is set: of an edge or a route that is managed elsewhere. */
const unsetRow = (kind: ConfigKind): Values =>
  Object.fromEntries(Object.keys(getTableColumns(tables[kind])).map((name) => [name, null]));

/** All strings in a value that have the form of an id. */
const idsIn = (value: unknown): string[] => JSON.stringify(value ?? null).match(/[a-z]+_[0-9A-Za-z]+/g) ?? [];

/** The objects that some effects change or refer to. */
export interface Touched {
  changed: Map<ConfigKind, Map<string, RowKey>>;
  /** Ids of objects that do not exist yet. */
  created: Set<string>;
  /** All strings in new values that have the form of an id. */
  named: Set<string>;
}

export function touchedBy(effects: Effect[]): Touched {
  const changed = new Map<ConfigKind, Map<string, RowKey>>();
  const created = new Set<string>();
  const named = new Set<string>();
  const add = (kind: ConfigKind, key: RowKey) =>
    getOrMake(changed, kind, () => new Map<string, RowKey>()).set(nameOf(key), key);
  for (const effect of effects) {
    if (effect.verb === "replace") {
      add("ip_policy", { id: effect.policy });
      continue;
    }
    const { kind, key, verb } = effect;
    if (!isConfigKind(kind)) continue;
    add(kind, key);
    if (verb === "insert") created.add(nameOf(key));
    if (key.edge_id !== undefined) add("https_edge", { id: key.edge_id });
    const values = verb === "remove" || typeof effect.values === "function" ? {} : effect.values;
    for (const id of idsIn(values)) named.add(id);
    const { ip_policy_id } = values;
    if (typeof ip_policy_id === "string") add("ip_policy", { id: ip_policy_id });
  }
  return { changed, created, named };
}

/**
 * The HTTPS edges of which all routes are affected:
 *
 * - edges that are created or deleted, or whose hostports or mutual TLS change: the traffic policies of routes can need mutual TLS,
 * - edges whose certificate authorities change,
 * - edges of which a route is created, deleted or gets another match: the other routes then get other paths.
 */
export function ownersIn(effects: Effect[], uses: { target: string; user: string }[]): string[] {
  const owners = effects.flatMap((effect) => {
    if (effect.verb === "replace") return [];
    const { kind, key } = effect;
    if (kind === "https_edge") return setsAny(effect, ["hostports", "mutual_tls"]) ? [key.id] : [];
    const isRoute = kind === "https_edge_route" && setsAny(effect, ["match", "match_type"]);
    return isRoute && key.edge_id !== undefined ? [key.edge_id] : [];
  });
  const authenticating = uses.flatMap(({ target, user }) =>
    kindOf(target) === "certificate_authority" && kindOf(user) === "https_edge" ? [user] : [],
  );
  return [...new Set([...owners, ...authenticating])];
}

/** True if an effect can change which edge gets a hostport. */
export const setsHostports = (effect: Effect): boolean =>
  effect.verb !== "replace" &&
  EDGES.some((kind) => kind === effect.kind) &&
  setsAny(effect, ["hostports", "created_at"]);

/** True if an effect creates or deletes its row, or sets one of these columns. */
function setsAny(effect: Exclude<Effect, { verb: "replace" }>, columns: string[]): boolean {
  if (effect.verb !== "change") return true;
  const { values } = effect;
  return typeof values === "function" || columns.some((name) => name in values);
}
