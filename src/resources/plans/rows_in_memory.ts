import { getTableColumns } from "drizzle-orm";
import { kinds } from "../../../packages/model/src/kinds.ts";
import { claimAll } from "../../../packages/model/src/traffic/claims.ts";
import type { StoredBackend, StoredSnapshot } from "../../../packages/model/src/traffic/stored_snapshot.ts";
import type { StoredIpRestriction } from "../../db/column_types.ts";
import type { Effect } from "../../db/rows.ts";
import {
  certificateAuthorities,
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
import { bound, decoderOf, lazy, type Values } from "../../db/statements.ts";

/*
 * Some rows of the database in memory: as they are, or as they would be after some writes.
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
} as const;

type Claims = ReturnType<typeof claimAll>;

/** A kind of configuration. */
export type ConfigKind = keyof typeof tables;

type Decoded<Table extends ConfigKind> = (typeof tables)[Table]["$inferSelect"];

const decoders = lazy(() => ({
  tcp_edge: decoderOf(tcpEdges),
  tls_edge: decoderOf(tlsEdges),
  https_edge: decoderOf(httpsEdges),
  https_edge_route: decoderOf(httpsEdgeRoutes),
  ip_policy: decoderOf(ipPolicies),
  ip_policy_rule: decoderOf(ipPolicyRules),
  failover_backend: decoderOf(failoverBackends),
  http_response_backend: decoderOf(httpResponseBackends),
  weighted_backend: decoderOf(weightedBackends),
  static_backend: decoderOf(staticBackends),
  event_destination: decoderOf(eventDestinations),
  event_subscription: decoderOf(eventSubscriptions),
  certificate_authority: decoderOf(certificateAuthorities),
}));

/** A row of a kind, with its JSON parsed. */
export const decodedRow = (kind: ConfigKind, row: Values): object => decoders()[kind]({ ...row });

/** Rows that were decoded before: an edge can have thousands of hostports, and is read several times. */
const decodedRows = new WeakMap<Values, object>();

export const isConfigKind = (kind: string): kind is ConfigKind => Object.hasOwn(tables, kind);

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
    this.#claimants.set(id, (this.#claimants.get(id) ?? new Set<string>()).add(hostport));
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
    return Array.from(this.#of(kind).values(), (row) => {
      const known = decodedRows.get(row) ?? decodedRow(kind, row);
      decodedRows.set(row, known);
      return known;
    });
  }

  /** The rules of a policy, in no particular order. */
  rulesOf(policy: string): Values[] {
    this.#rules ??= Map.groupBy(this.#of("ip_policy_rule").values(), ({ ip_policy_id }) => ip_policy_id);
    return this.#rules.get(policy) ?? [];
  }

  /** When the rules expire that do. */
  endsOfRules(): string[] {
    return Array.from(this.#of("ip_policy_rule").values()).flatMap(({ expires_at }) =>
      typeof expires_at === "string" ? [expires_at] : [],
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
    const isServed = ({ hostports }: { hostports: unknown }) => hostports !== null;
    const routes = this.all("https_edge_route").filter(({ created_at }) => created_at !== null);
    const restricted = [...this.all("tcp_edge"), ...this.all("tls_edge"), ...routes];
    const ids = restricted.flatMap(({ ip_restriction }) => policiesIn(ip_restriction));
    const policies = [...new Set(ids)].filter((id) => this.get("ip_policy", id) !== undefined);
    const unset = { backend: null, ip_restriction: null, traffic_policy: null };
    const unsetTls = { ...unset, mutual_tls: null, tls_termination: null };
    return {
      version: 0,
      tcp: [
        ...this.all("tcp_edge").filter(isServed),
        ...this.#others("tcp_edge").map((edge) => ({ ...unset, ...edge })),
      ],
      tls: [
        ...this.all("tls_edge").filter(isServed),
        ...this.#others("tls_edge").map((edge) => ({ ...unsetTls, ...edge })),
      ],
      https: [
        ...this.all("https_edge").filter((edge) => edge.created_at !== null && isServed(edge)),
        ...this.#others("https_edge").map((edge) => ({ ...unsetTls, ...edge })),
      ],
      routes,
      policies: policies.map((id) => ({ id, allow: [], deny: [] })),
      backends: this.#backends(),
      authorities: this.all("certificate_authority").map(({ id }) => ({ id, ca_pem: "" })),
    };
  }

  /** The edges of a kind of which only some hostports are known. */
  #others(kind: (typeof EDGES)[number]): { id: string; hostports: string[] }[] {
    const { prefix } = kinds[kind];
    return [...this.#claimants].flatMap(([id, hostports]) =>
      id.startsWith(prefix) ? [{ id, hostports: [...hostports] }] : [],
    );
  }

  #backends(): StoredBackend[] {
    return [
      ...this.all("static_backend").map(({ id, address, tls }) => ({
        id,
        kind: "static" as const,
        address,
        tls,
      })),
      ...this.all("http_response_backend").map(({ id, status_code }) => ({
        id,
        kind: "http_response" as const,
        status_code,
        headers: null,
        body: null,
      })),
      ...this.all("failover_backend").map(({ id, backends }) => ({
        id,
        kind: "failover" as const,
        backends,
      })),
      ...this.all("weighted_backend").map(({ id, backends }) => ({
        id,
        kind: "weighted" as const,
        backends,
      })),
    ];
  }

  #of(kind: ConfigKind): Map<string, Values> {
    const known = this.#rows.get(kind) ?? new Map<string, Values>();
    this.#rows.set(kind, known);
    return known;
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
