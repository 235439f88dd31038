import * as z from "zod";
import { anyBackend, type Kind } from "../kinds.ts";
import { list, map, object, shownAs } from "../schemas.ts";
import { hostport } from "../values/hostports.ts";
import { requestPath } from "../values/request_path.ts";
import {
  certificate,
  circuitBreaker,
  endsOfPolicy,
  headerChanges,
  headers,
  id,
  ids,
  integer,
  ranges,
  userAgentFilter,
} from "./snapshot.ts";

/*
 * Stored configuration, from which snapshots are resolved. Null means "not set". Ranges of policies are in any order, as the rules have
 * them. Agents check what they read of it with this schema.
 */

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

/** Stored objects by kind. */
export const storedLists = () =>
  object({
    tcp: list(tcpEdge()),
    tls: list(tlsEdge()),
    https: list(httpsEdge()),
    routes: list(route()),
    policies: list(policy()),
    backends: list(backend()),
    authorities: list(authority()),
  });

export type StoredLists = z.output<ReturnType<typeof storedLists>>;
export type StoredBackend = StoredLists["backends"][number];
export type StoredPolicy = StoredLists["policies"][number];

/** Everything needed to serve traffic, as stored. Objects that nothing uses may be there or not. */
export interface StoredSnapshot extends StoredLists {
  /** The number of the newest change. */
  version: number;
}

/** Stored objects, by id within each kind. */
export type StoredById = { [Kind in keyof StoredLists]: Map<string, StoredLists[Kind][number]> };

/** No objects. */
export const noObjects = (): StoredById => ({
  tcp: new Map(),
  tls: new Map(),
  https: new Map(),
  routes: new Map(),
  policies: new Map(),
  backends: new Map(),
  authorities: new Map(),
});

/** The objects as lists. */
export const listsOf = (objects: StoredById): StoredLists => ({
  tcp: [...objects.tcp.values()],
  tls: [...objects.tls.values()],
  https: [...objects.https.values()],
  routes: [...objects.routes.values()],
  policies: [...objects.policies.values()],
  backends: [...objects.backends.values()],
  authorities: [...objects.authorities.values()],
});

export const noLists = (): StoredLists => listsOf(noObjects());
