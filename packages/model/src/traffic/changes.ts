import * as z from "zod";
import { anyBackend, type Kind } from "../kinds.ts";
import { programSchema } from "../policy/base/program_schema.ts";
import type { PolicyOwner } from "../policy/compile.ts";
import { list, map, object, outlinedAs, shownAs } from "../schemas.ts";
import { hostport } from "../values/hostports.ts";
import { requestPath } from "../values/request_path.ts";
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
  userAgentFilter,
} from "./snapshot.ts";
import type { StoredSnapshot } from "./stored_snapshot.ts";

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
export const policyKey = (target: PolicyOwner, value: string): string => `${target} ${value}`;

/** The enabled traffic policies of stored objects, with what each belongs to. */
export const policiesIn = ({
  tcp,
  tls,
  routes,
}: Pick<StoredSnapshot, "tcp" | "tls" | "routes">): { target: PolicyOwner; value: string }[] =>
  [
    ...tcp.map((edge) => ["tcp_edge", edge] as const),
    ...tls.map((edge) => ["tls_edge", edge] as const),
    ...routes.map((route) => ["https_edge_route", route] as const),
  ].flatMap(([target, { traffic_policy }]) =>
    traffic_policy?.enabled ? [{ target, value: traffic_policy.value }] : [],
  );
