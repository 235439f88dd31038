import * as z from "zod";
import { anyBackend, type Kind } from "../../../src/kinds.ts";
import { hostport } from "../../../src/values/hostports.ts";
import { requestPath } from "../../../src/values/request_path.ts";
import { type EndingRanges, endingRanges, withEnds } from "./ends.ts";
import type { Judge } from "./objections.ts";
import type { Target } from "./policy/compile.ts";
import { programSchema } from "./policy/program_schema.ts";
import { resolve, rulesOf } from "./resolve.ts";
import { list, map, object, outlinedAs, shownAs } from "./schemas.ts";
import {
  certificate,
  circuitBreaker,
  endsOfPolicy,
  endsOfRanges,
  headerChanges,
  headers,
  id,
  ids,
  integer,
  ranges,
  type Snapshot,
  userAgentFilter,
} from "./snapshot.ts";
import type { StoredPolicy, StoredSnapshot } from "./stored.ts";

/*
 * Changes of what is stored, from which an agent resolves its snapshot itself: after a change, it reads only the objects that have
 * changed. The service documents the response with this schema, and the agent checks it with the same, since strings in it become
 * HAProxy's configuration.
 */

const servedKinds = [
  "tcp_edge",
  "tls_edge",
  "https_edge",
  "https_edge_route",
  "ip_policy",
  "certificate_authority",
  ...anyBackend,
] as const;

/** A module with these fields; null if it is not set. */
const module = <Shape extends z.ZodRawShape>(shape: Shape) =>
  object({ enabled: z.boolean(), ...shape }).nullable();

const edge = (kind: Kind) => ({ id: id(kind), hostports: list(shownAs(hostport(), z.string())).nullable() });
const forwarding = () => ({
  backend: module({ backend_id: id(...anyBackend) }),
  ip_restriction: module({ ip_policy_ids: ids("ip_policy").nullable() }),
  traffic_policy: module({ value: z.string() }),
});
const mutualTls = () => module({ certificate_authority_ids: ids("certificate_authority").nullable() });
const termination = () => ({
  terminate_at: z.enum(["edge", "upstream"]),
  min_version: z.enum(["1.0", "1.1", "1.2", "1.3"]).nullable(),
});

const tcpEdge = () => object({ ...edge("tcp_edge"), ...forwarding() });
const tlsEdge = () =>
  object({
    ...edge("tls_edge"),
    ...forwarding(),
    mutual_tls: mutualTls(),
    tls_termination: module(termination()),
  });
const httpsEdge = () =>
  object({
    ...edge("https_edge"),
    mutual_tls: mutualTls(),
    // `terminate_at` has no effect here.
    tls_termination: module({
      ...termination(),
      terminate_at: termination().terminate_at.nullable().exactOptional(),
    }),
  });
const route = () =>
  object({
    edge_id: id("https_edge"),
    id: id("https_edge_route"),
    ...forwarding(),
    match_type: z.enum(["exact_path", "path_prefix"]).nullable(),
    match: shownAs(requestPath(), z.string()).nullable(),
    circuit_breaker: module(circuitBreaker().shape),
    request_headers: module(headerChanges("requests").shape),
    response_headers: module(headerChanges("responses").shape),
    compression: module({}),
    user_agent_filter: module(userAgentFilter().shape),
    websocket_tcp_converter: module({}),
    webhook_verification: module({}),
  });
const policy = () =>
  object({ id: id("ip_policy"), allow: ranges(), deny: ranges(), expires_at: endsOfPolicy() });
const backend = () =>
  z.discriminatedUnion("kind", [
    object({
      id: id("static_backend"),
      kind: z.literal("static"),
      address: shownAs(hostport(), z.string()),
      tls: module({}),
    }),
    object({
      id: id("http_response_backend"),
      kind: z.literal("http_response"),
      status_code: integer(100, 599),
      headers: headers().nullable(),
      body: z.string().nullable(),
    }),
    object({
      id: id("failover_backend"),
      kind: z.literal("failover"),
      backends: ids(...anyBackend).nullable(),
    }),
    object({
      id: id("weighted_backend"),
      kind: z.literal("weighted"),
      backends: map(id(...anyBackend), integer(0, 10_000)).nullable(),
    }),
  ]);
const authority = () => object({ id: id("certificate_authority"), ca_pem: certificate() });

const stored = () =>
  object({
    tcp: list(tcpEdge()),
    tls: list(tlsEdge()),
    https: list(httpsEdge()),
    routes: list(route()),
    policies: list(policy()),
    backends: list(backend()),
    authorities: list(authority()),
  });

const finding = () =>
  object({
    severity: z.enum(["error", "warning"]),
    code: z.string(),
    path: z.string(),
    offset: z.number().nullable(),
    msg: z.string(),
  });

const difference = () =>
  object({
    add: ranges(),
    remove: ranges(),
    expires_at: endsOfRanges().describe("When added ranges expire (RFC 3339), by range.").exactOptional(),
  });

/** The schema of changes. */
export const changesSchema = z.lazy(() =>
  object({
    from: integer(0, Number.MAX_SAFE_INTEGER)
      .nullable()
      .describe("The version that these changes follow; null if they are the whole configuration."),
    version: integer(0, Number.MAX_SAFE_INTEGER).describe("Number of the newest change."),
    next: z.string().describe("The parameter `since` of the next request."),
    put: outlinedAs(stored(), z.looseObject({})).describe(
      "New and changed objects as they are stored, by kind. The form belongs to this version of the service; agents of the same version read it.",
    ),
    rules: list(
      object({
        policy: id("ip_policy").describe("Id of the policy."),
        allow: difference().describe("Ranges that are allowed from now on, or no longer."),
        deny: difference().describe("Ranges that are denied from now on, or no longer."),
      }),
    ).describe(
      "Changed rules of policies that have few changes. Other policies are in `put`, with all rules.",
    ),
    deleted: list(id(...servedKinds)).describe(
      "Ids of deleted objects. Routes of a deleted edge are not listed.",
    ),
    compiled: outlinedAs(
      list(
        object({
          target: z.enum(["tcp_edge", "tls_edge", "https_edge_route"]),
          value: z.string(),
          verdict: z.enum(["enforced", "invalid", "not_enforced"]),
          findings: list(finding()),
          program: programSchema().nullable(),
        }),
      ),
      z.array(z.looseObject({})),
    ).describe("The traffic policies of the objects in `put`, compiled."),
  }).meta({
    id: "SnapshotChanges",
    description: "Changes of what is served, as it is stored.",
    examples: [
      {
        from: 4711,
        version: 4713,
        next: "b18d7a52e6c94f07-stored-2-4713",
        put: { tcp: [], tls: [], https: [], routes: [], policies: [], backends: [], authorities: [] },
        rules: [
          {
            policy: "ipp_2tGaAbFG7mQ6WZkLxNcuYb4Xo1d",
            allow: { add: ["198.51.100.0/24"], remove: [] },
            deny: { add: [], remove: [] },
          },
        ],
        deleted: [],
        compiled: [],
      },
    ],
  }),
);

export type Changes = z.output<typeof changesSchema>;

/** Identifies a compiled policy. */
export const policyKey = (target: Target, value: string): string => `${target} ${value}`;

/** The enabled traffic policies of stored objects, with what each belongs to. */
export const policiesIn = ({
  tcp,
  tls,
  routes,
}: Pick<StoredSnapshot, "tcp" | "tls" | "routes">): { target: Target; value: string }[] =>
  [
    ...tcp.map((edge) => ["tcp_edge", edge] as const),
    ...tls.map((edge) => ["tls_edge", edge] as const),
    ...routes.map((route) => ["https_edge_route", route] as const),
  ].flatMap(([target, { traffic_policy }]) =>
    traffic_policy?.enabled ? [{ target, value: traffic_policy.value }] : [],
  );

type Sections = Omit<StoredSnapshot, "version">;
const sections = ["tcp", "tls", "https", "routes", "policies", "backends", "authorities"] as const;

/** What is stored, kept up to date by changes. Objects are replaced and never modified. */
export class Replica {
  /** The version up to which changes are applied; undefined before the first. */
  version: number | undefined;
  /** The parameter `since` of the next request. */
  next: string | undefined;
  #objects = emptySections();
  /** The last snapshot, while nothing but rules of IP policies has changed since. */
  #snapshot: Snapshot | undefined;
  readonly #compiled = new Map<string, ReturnType<Judge>>();

  /**
   * Applies changes, all or none.
   *
   * @throws RangeError if they do not follow the version that is here, or do not fit it. Then read everything again.
   */
  apply({ from, version, next, put, rules, deleted, compiled }: Changes): void {
    if (from !== null && from !== this.version)
      throw new RangeError(
        `The changes follow version ${from}, but version ${this.version ?? "none"} is here.`,
      );
    const objects = from === null ? emptySections() : this.#objects;
    const policies = rules.map((changed) => {
      const known =
        put.policies.find(({ id }) => id === changed.policy) ?? objects.policies.get(changed.policy);
      if (!known) throw new RangeError(`The changes are of the unknown policy ${changed.policy}.`);
      return changedPolicy(known, changed);
    });
    const isOnlyRules =
      from !== null &&
      deleted.length === 0 &&
      sections.every((section) => section === "policies" || put[section].length === 0) &&
      put.policies.every(({ id }) => objects.policies.has(id));
    putAll(objects.tcp, put.tcp);
    putAll(objects.tls, put.tls);
    putAll(objects.https, put.https);
    putAll(objects.routes, put.routes);
    putAll(objects.policies, put.policies);
    putAll(objects.backends, put.backends);
    putAll(objects.authorities, put.authorities);
    putAll(objects.policies, policies);
    const gone = new Set(deleted);
    for (const section of sections) for (const id of gone) objects[section].delete(id);
    for (const { id, edge_id } of objects.routes.values()) if (gone.has(edge_id)) objects.routes.delete(id);
    this.#objects = objects;
    this.version = version;
    this.next = next;
    if (isOnlyRules) {
      this.#snapshot = this.#snapshot && withRules(this.#snapshot, version, [...put.policies, ...policies]);
      return;
    }
    this.#snapshot = undefined;
    for (const { target, value, ...result } of compiled) this.#compiled.set(policyKey(target, value), result);
    this.#forgetUnused();
  }

  /** The objects, by id within each kind. */
  toStored(): StoredSnapshot {
    const { tcp, tls, https, routes, policies, backends, authorities } = this.#objects;
    return {
      version: this.version ?? 0,
      tcp: [...tcp.values()],
      tls: [...tls.values()],
      https: [...https.values()],
      routes: [...routes.values()],
      policies: [...policies.values()],
      backends: [...backends.values()],
      authorities: [...authorities.values()],
    };
  }

  /** What is served. @throws if a traffic policy is not compiled */
  snapshot(): Snapshot {
    this.#snapshot ??= resolve(this.toStored(), (value, target) => {
      const compiled = this.#compiled.get(policyKey(target, value));
      if (!compiled) throw new RangeError("A traffic policy is not compiled.");
      return compiled;
    });
    return this.#snapshot;
  }

  #forgetUnused(): void {
    const used = new Set(policiesIn(this.toStored()).map(({ target, value }) => policyKey(target, value)));
    for (const key of this.#compiled.keys()) if (!used.has(key)) this.#compiled.delete(key);
  }
}

/** A snapshot in which some policies have other rules. All else depends on which policies there are, and not on their rules. */
function withRules(snapshot: Snapshot, version: number, policies: StoredPolicy[]): Snapshot {
  const ip_policies = { ...snapshot.ip_policies };
  for (const policy of policies)
    if (Object.hasOwn(ip_policies, policy.id)) ip_policies[policy.id] = rulesOf(policy);
  return { ...snapshot, version, ip_policies };
}

/** Whether two snapshots differ at most in their version, problems and the rules of policies. May return false although they are equal. */
export const isSameButRules = (a: Snapshot, b: Snapshot): boolean =>
  a.edges === b.edges && a.backends === b.backends && a.certificate_authorities === b.certificate_authorities;

type ById = { [Section in keyof Sections]: Map<string, Sections[Section][number]> };

const emptySections = (): ById => ({
  tcp: new Map(),
  tls: new Map(),
  https: new Map(),
  routes: new Map(),
  policies: new Map(),
  backends: new Map(),
  authorities: new Map(),
});

function putAll<Item extends { id: string }>(known: Map<string, Item>, items: readonly Item[]): void {
  for (const item of items) known.set(item.id, item);
}

function changedPolicy(policy: StoredPolicy, changed: Changes["rules"][number]): StoredPolicy {
  const changedRanges = (list: "allow" | "deny"): EndingRanges => {
    const { add, remove, expires_at } = changed[list];
    const ranges = endingRanges(policy, list);
    const ends = new Map(Object.entries(expires_at ?? {}));
    for (const range of add) ranges.set(range, ends.get(range));
    for (const range of remove) ranges.delete(range);
    return ranges;
  };
  return { id: policy.id, ...withEnds(changedRanges("allow"), changedRanges("deny")) };
}
