import type { Changes } from "../../../packages/model/src/traffic/changes.ts";
import {
  noLists,
  type StoredById,
  type StoredLists,
} from "../../../packages/model/src/traffic/stored_snapshot.ts";
import { drawn } from "../support/random.ts";

/*
 * Random stored configuration, and random changes of it, as `GET /snapshot/changes` returns them.
 */

export const draw = drawn();
/** Certificate authorities in PEM. */
export const authorities: string[] = [];

type Makers = { [Section in keyof StoredLists]: (id: string) => StoredLists[Section][number] };

/**
 * Ids sort by age, as those of the service do. No two objects have the same age. The agent renders edges in groups, and an id that ends
 * in 22 is the last one of its group.
 */
const id = (kind: string, n: number): string =>
  `${kind}_2tGaAbFG7mQ6WZkLxNcu${String(n).padStart(5, "0")}${n % 3 === 0 ? "22" : "00"}`;
const KINDS = {
  tcp: "edgtcp",
  tls: "edgtls",
  https: "edghts",
  routes: "edghtsrt",
  policies: "ipp",
  authorities: "ca",
} as const;
const idsOf = (kind: keyof typeof KINDS, count: number) =>
  Array.from({ length: count }, (_, n) => id(KINDS[kind], 10 * n + Object.keys(KINDS).indexOf(kind)));
const [TCP, TLS, HTTPS] = [idsOf("tcp", 4), idsOf("tls", 4), idsOf("https", 6)];
const [ROUTES, POLICIES, AUTHORITIES] = [idsOf("routes", 14), idsOf("policies", 7), idsOf("authorities", 3)];
const BACKENDS = {
  static: Array.from({ length: 5 }, (_, n) => id("bkdsc", n + 1)),
  http_response: Array.from({ length: 3 }, (_, n) => id("bkdhr", n + 1)),
  failover: Array.from({ length: 3 }, (_, n) => id("bkdfo", n + 1)),
  weighted: Array.from({ length: 3 }, (_, n) => id("bkdwt", n + 1)),
};
const ALL_BACKENDS = Object.values(BACKENDS).flat();
const HOSTS = ["a.example.com", "b.example.com", "c.example.com", "no-certificate.test", "192.0.2.7"];
const PATHS = ["/", "/a", "/a/b", "/%61", "/b", "/../c"];
const TRAFFIC_POLICIES = [
  "on_http_request:\n  - actions:\n      - type: add-headers\n        config:\n          headers:\n            x-a: '1'\n",
  "on_http_request:\n  - expressions:\n      - req.url.path == '/x'\n    actions:\n      - type: deny\n",
  "on_tcp_connect:\n  - actions:\n      - type: restrict-ips\n        config:\n          allow: [192.0.2.0/24]\n",
  "nonsense: true\n",
];

const maybe = <Value>(value: () => Value, chance = 0.5): Value | null =>
  draw.chance(chance) ? value() : null;
const enabled = () => draw.chance(0.9);
const backend = () => maybe(() => ({ enabled: enabled(), backend_id: draw.pick(ALL_BACKENDS) }), 0.95);
const ip_restriction = () =>
  maybe(() => ({ enabled: enabled(), ip_policy_ids: maybe(() => draw.some(POLICIES, 0.3), 0.95) }));
const traffic_policy = () => maybe(() => ({ enabled: enabled(), value: draw.pick(TRAFFIC_POLICIES) }), 0.3);
const hostports = () =>
  maybe(() => draw.some(HOSTS, 0.4).map((host) => `${host}:${draw.pick([443, 443, 8443])}`), 0.95);
const mutual_tls = () =>
  maybe(
    () => ({ enabled: enabled(), certificate_authority_ids: maybe(() => draw.some(AUTHORITIES, 0.5), 0.9) }),
    0.3,
  );
const min_version = () => maybe(() => draw.pick(["1.2", "1.3"] as const));
const on = (chance: number) => maybe(() => ({ enabled: enabled() }), chance);
const cidrs = () => draw.some(["192.0.2.0/24", "198.51.100.0/25", "2001:db8::/33", "10.0.0.0/8"], 0.5);

/** Makes an object of each section with an id. */
export const make: Makers = {
  tcp: (id) => ({
    id,
    hostports: maybe(() => [`${draw.pick(HOSTS)}:${draw.pick([443, 9000, 9001])}`], 0.95),
    backend: backend(),
    ip_restriction: ip_restriction(),
    traffic_policy: traffic_policy(),
  }),
  tls: (id) => ({
    id,
    hostports: hostports(),
    backend: backend(),
    ip_restriction: ip_restriction(),
    traffic_policy: traffic_policy(),
    mutual_tls: mutual_tls(),
    tls_termination: maybe(
      () => ({
        enabled: enabled(),
        terminate_at: draw.pick(["edge", "edge", "upstream"] as const),
        min_version: min_version(),
      }),
      0.9,
    ),
  }),
  https: (id) => ({
    id,
    hostports: hostports(),
    mutual_tls: mutual_tls(),
    tls_termination: maybe(() => ({ enabled: enabled(), min_version: min_version() })),
  }),
  routes: (id) => ({
    edge_id: draw.pick(HTTPS),
    id,
    match_type: draw.pick(["exact_path", "path_prefix"]),
    match: draw.pick(PATHS),
    backend: backend(),
    ip_restriction: ip_restriction(),
    traffic_policy: traffic_policy(),
    circuit_breaker: maybe(
      () => ({
        enabled: enabled(),
        tripped_duration: draw.below(3),
        rolling_window: draw.pick([10, 20]),
        num_buckets: 10,
        volume_threshold: 5,
        error_threshold_percentage: 0.5,
      }),
      0.2,
    ),
    request_headers: maybe(
      () => ({ enabled: enabled(), add: { "x-a": String(draw.below(3)) }, remove: null }),
      0.2,
    ),
    response_headers: maybe(() => ({ enabled: enabled(), add: null, remove: ["server", "te"] }), 0.2),
    compression: on(0.2),
    user_agent_filter: maybe(() => ({ enabled: enabled(), allow: null, deny: ["bot"] }), 0.2),
    websocket_tcp_converter: on(0.15),
    webhook_verification: on(0.1),
  }),
  policies: (id) => ({ id, allow: cidrs(), deny: cidrs() }),
  backends: (id) => {
    if (BACKENDS.static.includes(id)) {
      const host = draw.pick(["192.0.2.1", "upstream.test", "unknown.test", "192.0.2.2"]);
      return { id, kind: "static", address: `${host}:${draw.pick([80, 81])}`, tls: on(0.3) };
    }
    if (BACKENDS.http_response.includes(id))
      return { id, kind: "http_response", status_code: draw.pick([200, 204, 103]), headers: null, body: "x" };
    // Of smaller ids only, so that none contains itself.
    const others = ALL_BACKENDS.filter((other) => other < id);
    if (BACKENDS.failover.includes(id))
      return { id, kind: "failover", backends: maybe(() => draw.some(others, 0.3), 0.95) };
    const weights = draw.some(others, 0.3).map((other) => [other, draw.below(3)] as const);
    return { id, kind: "weighted", backends: maybe(() => Object.fromEntries(weights), 0.95) };
  },
  authorities: (id) => ({ id, ca_pem: draw.pick(authorities) }),
};
export const IDS: { [Section in keyof StoredLists]: string[] } = {
  tcp: TCP,
  tls: TLS,
  https: HTTPS,
  routes: ROUTES,
  policies: POLICIES,
  backends: ALL_BACKENDS,
  authorities: AUTHORITIES,
};
export const SECTIONS = ["tcp", "tls", "https", "routes", "policies", "backends", "authorities"] as const;

/** Puts an object of a section. */
const putter =
  <Section extends keyof StoredLists>(section: Section, own: Pick<Makers, Section>) =>
  (
    stored: Pick<StoredById, Section>,
    given: Record<Section, StoredLists[Section][number][]>,
    name: string,
  ): void => {
    const object = own[section](name);
    stored[section].set(name, object);
    given[section].push(object);
  };
const puts = {
  tcp: putter("tcp", make),
  tls: putter("tls", make),
  https: putter("https", make),
  policies: putter("policies", make),
  backends: putter("backends", make),
  authorities: putter("authorities", make),
};

/** Puts an object with a name. A route needs an edge. */
export function put(stored: StoredById, section: keyof StoredLists, given: StoredLists, name: string): void {
  if (section !== "routes") return puts[section](stored, given, name);
  const edges = [...stored.https.keys()];
  if (edges.length === 0) return;
  const route = { ...make.routes(name), edge_id: draw.pick(edges) };
  stored.routes.set(name, route);
  given.routes.push(route);
}

/** Some random changes of what is stored. */
export function changed(stored: StoredById): Pick<Changes, "put" | "rules" | "deleted"> {
  const given = noLists();
  const touched = new Set<string>();
  const deleted: string[] = [];
  const rules: Changes["rules"] = [];
  for (let count = draw.pick([1, 1, 1, 2, 5]); count > 0; count--) {
    const section = draw.pick(SECTIONS);
    const name = draw.pick(IDS[section]);
    const policy = stored.policies.get(name);
    if (touched.has(name)) continue;
    touched.add(name);
    if (policy && draw.chance(0.6)) {
      const add = cidrs().filter((cidr) => !policy.allow.includes(cidr));
      const remove = draw.some(policy.deny, 0.5);
      rules.push({ policy: name, allow: { add, remove: [] }, deny: { add: [], remove } });
      const deny = policy.deny.filter((cidr) => !remove.includes(cidr));
      stored.policies.set(name, { id: name, allow: [...policy.allow, ...add], deny });
    } else if (stored[section].has(name) && draw.chance(0.3)) {
      stored[section].delete(name);
      deleted.push(name);
      for (const route of stored.routes.values())
        if (route.edge_id === name) {
          // It can have been a route of another edge before.
          if (given.routes.some((one) => one.id === route.id)) deleted.push(route.id);
          given.routes = given.routes.filter((one) => one.id !== route.id);
          stored.routes.delete(route.id);
          touched.add(route.id);
        }
    } else {
      put(stored, section, given, name);
    }
  }
  return { put: given, rules, deleted };
}
