import type { Sent } from "./load.ts";

export interface Operation {
  /** `op` in results.json. */
  name: string;
  title: string;
  /** The minimum ratio of throughput to the floor's; undefined without a goal. */
  goal?: number;
  /** Requests in one round. */
  count: number;
  /** The status of the response, and that of the peer if its convention differs. */
  status: number;
  peerStatus?: number;
  make(n: number): Omit<Sent, "headers">;
  /** Sent without credentials. */
  isAnonymous?: boolean;
}

/** Objects of each kind in the database. */
export const OBJECTS = 10_000;

/**
 * The id of the `n`th object of a kind created by {@link fill}, counted from 1. It sorts before any object that is
 * created later.
 */
export const idSchema = (prefix: string, n: number): string => prefix + String(n).padStart(27, "0");

const some = (prefix: string, n: number): string => idSchema(prefix, 1 + ((n * 7919) % OBJECTS));
const edge = (n: number): string => `/edges/tcp/${some("edgtcp_", n)}`;

export const operations: Operation[] = [
  {
    name: "get_edge",
    title: "GET an edge",
    goal: 0.9,
    count: 40,
    status: 200,
    make: (n) => ({ method: "GET", path: edge(n) }),
  },
  {
    name: "list_100",
    title: "list 100 edges",
    goal: 0.85,
    count: 12,
    status: 200,
    make: () => ({ method: "GET", path: "/edges/tcp?limit=100" }),
  },
  {
    name: "create_ip_policy",
    title: "create an IP policy",
    goal: 0.8,
    count: 32,
    status: 201,
    make: (n) => ({
      method: "POST",
      path: "/ip_policies",
      body: JSON.stringify({ description: `Office ${n}`, metadata: '{"team":"network"}' }),
    }),
  },
  {
    name: "create_edge",
    title: "create an edge with a backend and two policies",
    goal: 0.8,
    count: 24,
    status: 201,
    make: (n) => ({
      method: "POST",
      path: "/edges/tcp",
      body: JSON.stringify({
        description: `Front door ${n}`,
        hostports: ["front.example.com:443"],
        backend: { backend_id: some("bkdhr_", n) },
        ip_restriction: { ip_policy_ids: [some("ipp_", n), some("ipp_", n + 1)] },
      }),
    }),
  },
  {
    name: "patch_module",
    title: "PATCH a module of an edge",
    goal: 0.8,
    count: 32,
    status: 200,
    make: (n) => ({
      method: "PATCH",
      path: edge(n),
      body: JSON.stringify({ traffic_policy: { value: `{"on_tcp_connect":[],"n":${n}}` } }),
    }),
  },
  {
    name: "put_module",
    title: "PUT a module that refers to a backend",
    goal: 0.8,
    count: 32,
    status: 200,
    make: (n) => ({
      method: "PUT",
      path: `${edge(n)}/backend`,
      body: JSON.stringify({ backend_id: some("bkdhr_", n + 13) }),
    }),
  },
  {
    name: "not_found",
    title: "404: GET an edge that does not exist",
    count: 40,
    status: 404,
    make: (n) => ({ method: "GET", path: `/edges/tcp/edgtcp_none${n}` }),
  },
  {
    name: "unauthenticated",
    title: "401: no key",
    count: 80,
    status: 401,
    isAnonymous: true,
    make: (n) => ({ method: "GET", path: edge(n) }),
  },
  {
    name: "invalid",
    title: "400: a member of the wrong type",
    count: 40,
    status: 400,
    peerStatus: 422,
    make: () => ({ method: "POST", path: "/ip_policies", body: '{"description":1}' }),
  },
];

/** The `n`th request of an operation, ready to be sent. */
export function requestOf(operation: Operation, credentials: Record<string, string>) {
  const headers = {
    "Content-Type": "application/json",
    "Service-Version": "2",
    ...(operation.isAnonymous ? {} : credentials),
  };
  return (n: number): Sent => ({ ...operation.make(n), headers });
}

/**
 * Statements that fill the tables with the objects `from` to `to` of each kind, and `uses` with their references. An
 * edge refers to objects with its own number.
 */
export function fill(from: number, to: number): string[] {
  const insert = (into: string, values: string): string =>
    `with recursive n(i) as (select ${from} union all select i + 1 from n where i < ${to}) insert into ${into} select ${values} from n`;
  const id = (prefix: string): string => `printf('${prefix}%027d', i)`;
  const when = "'2026-01-02T03:04:05Z'";
  const texts = `${when}, 'Object ' || i, '{"team":"network"}'`;
  const edge = `${texts}, json_array('front' || i || '.example.com:443'), json_object('enabled', json('true'), 'backend_id', ${id("bkdhr_")}), json_object('enabled', json('true'), 'ip_policy_ids', json_array(${id("ipp_")}, ${id("ipp_")})), null`;
  const described = "id, created_at, description, metadata";
  const edgeColumns = `${described}, hostports, backend, ip_restriction, traffic_policy`;
  return [
    insert(
      `http_response_backends (${described}, body, status_code)`,
      `${id("bkdhr_")}, ${texts}, 'Back soon', 503`,
    ),
    insert(`ip_policies (${described})`, `${id("ipp_")}, ${texts}`),
    insert(
      `ip_policy_rules (${described}, cidr, ip_policy_id, action)`,
      `${id("ipr_")}, ${texts}, '192.0.2.0/24', ${id("ipp_")}, 'deny'`,
    ),
    insert(
      `failover_backends (${described}, backends)`,
      `${id("bkdfo_")}, ${texts}, json_array(${id("bkdhr_")})`,
    ),
    insert(`tcp_edges (${edgeColumns})`, `${id("edgtcp_")}, ${edge}`),
    insert(`tls_edges (${edgeColumns})`, `${id("edgtls_")}, ${edge}`),
    insert(
      `https_edges (${described}, hostports)`,
      `${id("edghts_")}, ${texts}, json_array('shop' || i || '.example.com:443')`,
    ),
    ...[
      ["bkdhr_", "bkdfo_"],
      ["bkdhr_", "edgtcp_"],
      ["ipp_", "edgtcp_"],
      ["bkdhr_", "edgtls_"],
      ["ipp_", "edgtls_"],
    ].map(([target = "", user = ""]) => insert("uses (target, user)", `${id(target)}, ${id(user)}`)),
    ...[
      ["front", "edgtcp_"],
      ["front", "edgtls_"],
      ["shop", "edghts_"],
    ].map(([host, user = ""]) =>
      insert("uses (target, user)", `'${host}' || i || '.example.com:443', ${id(user)}`),
    ),
    insert("bot_users (id, created_at, name, active)", `${id("bot_")}, ${when}, 'Bot ' || i, 1`),
    insert(
      `event_destinations (${described}, format, target)`,
      `${id("ed_")}, ${texts}, 'json', '{"cloud_logs":{"auth":{"role":{"role_arn":"arn:role"}},"log_group_arn":"arn:logs"}}'`,
    ),
    insert(
      `api_keys (${described}, owner_id, role, token_sha256)`,
      `${id("ak_")}, ${texts}, ${id("bot_")}, 'viewer', '${"0".repeat(64)}'`,
    ),
  ];
}

/** HTTPS edges with the maximum number of routes, created by {@link fillRoutes}, and those routes. */
export const WHOLE_EDGES = 100;
const ROUTES_OF_EACH = 100;

/** The id of the `n`th of these edges, counted from 1. It sorts after those that {@link fill} creates. */
export const wholeEdge = (n: number): string => `edghts_z${String(n).padStart(26, "0")}`;

/** Statements that insert {@link WHOLE_EDGES}. The edges' measures of their routes must be set afterwards. */
export function fillRoutes(): string[] {
  const numbers = (name: string, most: number): string =>
    `${name}(${name}) as (select 1 union all select ${name} + 1 from ${name} where ${name} < ${most})`;
  const both = `with recursive ${numbers("i", WHOLE_EDGES)}, ${numbers("j", ROUTES_OF_EACH)}`;
  const edge = "printf('edghts_z%026d', i)";
  const route = `printf('edghtsrt_%027d', i * ${ROUTES_OF_EACH} + j)`;
  const backend = "printf('bkdhr_%027d', i)";
  const when = "'2026-01-02T03:04:05Z'";
  return [
    `with recursive ${numbers("i", WHOLE_EDGES)} insert into https_edges (id, created_at, hostports) select ${edge}, ${when}, '["shop.example.com:443"]' from i`,
    `${both} insert into https_edge_routes (edge_id, id, created_at, description, match_type, match, backend, compression) select ${edge}, ${route}, ${when}, 'Route ' || j, 'path_prefix', '/' || j || '/', json_object('enabled', json('true'), 'backend_id', ${backend}), '{"enabled":true}' from i, j`,
    `${both} insert into uses (target, user, edge_id) select ${backend}, ${route}, ${edge} from i, j`,
    `with recursive ${numbers("i", WHOLE_EDGES)} insert into uses (target, user) select 'shop.example.com:443', ${edge} from i`,
  ];
}
