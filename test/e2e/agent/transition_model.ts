// Random versions of a small configuration, and what each request gets in each.
import type { Edge, Route, Snapshot } from "../../../packages/model/src/traffic/snapshot.ts";
import type { Random } from "../support/random.ts";

export const NAMES = ["a", "b", "c"] as const;
export const PATHS = ["/", "/a", "/a/b", "/x"] as const;
export const SOURCES = ["127.0.0.2", "127.0.0.3", "127.0.0.4"] as const;
export const UPSTREAMS = ["s", "t", "u"] as const;
const MATCHES = ["/", "/a", "/a/b"];
const POLICIES = ["ipp_1", "ipp_2", "ipp_3"];
/** Networks, and the sources in them. */
const NETWORKS: Record<string, readonly string[]> = {
  "127.0.0.2/32": ["127.0.0.2"],
  "127.0.0.3/32": ["127.0.0.3"],
  "127.0.0.2/31": ["127.0.0.2", "127.0.0.3"],
  "127.0.0.0/29": SOURCES,
  "10.0.0.0/9": [],
};

/** Places in the memory that the threads share. */
export const SHARED = { applied: 0, wanted: 1, reloads: 2, isOver: 3 } as const;

/** The requests of clients, which have no name at the TCP edge. */
export const CELLS = SOURCES.flatMap((from) => [
  ...NAMES.flatMap((name) => PATHS.map((path) => ({ from, name, path }))),
  { from, name: undefined, path: "/" },
]);

/** What a client can get. A name that no edge has is closed, or misdirected on a connection that is open. */
export const RESPONSES = [
  "something else",
  "closed",
  "403 ",
  "404 ",
  ...UPSTREAMS.flatMap((name) => [`200 ${name}`, `200 ${name}yes`]),
];
export const codeOf = (response: string): number =>
  Math.max(0, RESPONSES.indexOf(response === "421 " ? "closed" : response));

interface RouteOf {
  isExact: boolean;
  match: string;
  policies: string[] | undefined;
  backend: number;
  hasModule: boolean;
}

export interface Version {
  /** The HTTPS edge of each name: 0 or 1; undefined if there is none. */
  owners: (number | undefined)[];
  routes: RouteOf[][];
  rules: { allow: string[]; deny: string[] }[];
  /** The upstream of each backend. */
  backends: number[];
  tcp: { policies: string[] | undefined; backend: number };
  /** A value in HAProxy's configuration: another one takes a reload. */
  header: number;
}

export const first: Version = {
  owners: [0, 1, undefined],
  routes: [[], []],
  rules: POLICIES.map(() => ({ allow: ["127.0.0.0/29"], deny: [] })),
  backends: [0, 1],
  tcp: { policies: undefined, backend: 0 },
  header: 0,
};

const put = <Item>(items: readonly Item[], at: number, item: Item): Item[] =>
  items.map((each, i) => (i === at ? item : each));

const drawPolicies = (draw: Random): string[] | undefined =>
  draw.chance(0.3) ? undefined : draw.some(POLICIES, 0.5).slice(0, 2);

const drawRoute = (draw: Random): RouteOf => ({
  isExact: draw.chance(0.5),
  match: draw.pick(MATCHES),
  policies: drawPolicies(draw),
  backend: draw.below(2),
  hasModule: draw.chance(0.5),
});

const isSamePlace = (a: RouteOf, b: RouteOf): boolean => a.isExact === b.isExact && a.match === b.match;

/** Changes one part. */
export function edited(old: Version, draw: Random): Version {
  const edge = draw.below(2);
  const own = old.routes[edge] ?? [];
  const withRoutes = (routes: RouteOf[]): Version => ({ ...old, routes: put(old.routes, edge, routes) });
  const route = drawRoute(draw);
  return draw.pick<() => Version>([
    () => ({ ...old, owners: put(old.owners, draw.below(3), draw.chance(0.1) ? undefined : draw.below(2)) }),
    () => withRoutes([...own.filter((each) => !isSamePlace(each, route)), route]),
    () => withRoutes([...own.filter((each) => !isSamePlace(each, route)), route]),
    () => withRoutes(own.filter((each) => !isSamePlace(each, route))),
    () => withRoutes(own.map((each) => ({ ...each, backend: route.backend }))),
    () => withRoutes(own.map((each) => ({ ...each, policies: route.policies }))),
    () => ({ ...old, tcp: { policies: route.policies, backend: route.backend } }),
    () => ({ ...old, backends: put(old.backends, edge, draw.below(3)) }),
    () => {
      const at = draw.below(3);
      const list = { [draw.pick(["allow", "deny"])]: draw.some(Object.keys(NETWORKS), 0.3) };
      return {
        ...old,
        rules: put(old.rules, at, { ...(old.rules[at] ?? { allow: [], deny: [] }), ...list }),
      };
    },
  ])();
}

const restriction = (policies: string[] | undefined) =>
  policies && { ip_restriction: { ip_policy_ids: policies } };
const module = (value: string) => ({ response_headers: { add: { "x-module": value }, remove: null } });

/** The version as a snapshot. One more edge has all modules and two policies, so that other edges can get them without a reload. */
export function snapshotOf(
  version: Version,
  ports: { https: number; tcp: number },
  upstreams: readonly number[],
): Pick<Snapshot, "edges" | "backends" | "ip_policies"> {
  const routeOf =
    (edge: string) =>
    (route: RouteOf): Route => ({
      id: `edghtsrt_${edge}${route.isExact ? "e" : "p"}${MATCHES.indexOf(route.match)}`,
      match_type: route.isExact ? "exact_path" : "path_prefix",
      match: route.match,
      backend: { backend_id: `bkdsc_${route.backend}` },
      ...restriction(route.policies),
      ...(route.hasModule && module("yes")),
    });
  const https = (id: string, names: readonly string[], routes: Route[]): Edge => ({
    kind: "https",
    id: `edghts_${id}`,
    hostports: names.map((name) => `${name}.example.com:${ports.https}`),
    tls_termination: { min_version: "1.2" },
    routes,
  });
  const all: RouteOf[] = [false, true].map((hasModule) => ({
    isExact: true,
    match: hasModule ? "/" : "/a",
    policies: POLICIES.slice(0, 2),
    backend: 0,
    hasModule,
  }));
  const changing: Route = {
    ...routeOf("k")({ ...drawnLast, match: "/a/b" }),
    ...module(String(version.header)),
  };
  return {
    edges: [
      https("k", ["keep"], [...all.map(routeOf("k")), changing]),
      ...version.routes.flatMap((routes, edge) => {
        const names = NAMES.filter((_, i) => version.owners[i] === edge);
        return names.length === 0 ? [] : [https(`${edge}`, names, routes.map(routeOf(`${edge}`)))];
      }),
      {
        kind: "tcp",
        id: "edgtcp_1",
        hostports: [`127.0.0.1:${ports.tcp}`],
        backend: { backend_id: `bkdsc_${version.tcp.backend}` },
        ...restriction(version.tcp.policies),
      },
    ],
    backends: Object.fromEntries(
      version.backends.map((upstream, n) => [
        `bkdsc_${n}`,
        { kind: "static", address: `127.0.0.1:${upstreams[upstream]}`, tls: false } as const,
      ]),
    ),
    ip_policies: Object.fromEntries(
      POLICIES.map((id, n) => [id, version.rules[n] ?? { allow: [], deny: [] }]),
    ),
  };
}

const drawnLast: RouteOf = { isExact: true, match: "/", policies: undefined, backend: 0, hasModule: false };

/** The code of what each client gets. */
export const codesOf = (version: Version): number[] =>
  CELLS.map(({ from, name, path }) => codeOf(responseIn(version, from, name, path)));

function responseIn(version: Version, from: string, name: string | undefined, path: string): string {
  const isIn = (policies: string[] | undefined): boolean => {
    const listed = (list: "allow" | "deny") =>
      (policies ?? []).some((id) =>
        version.rules[POLICIES.indexOf(id)]?.[list].some((network) => NETWORKS[network]?.includes(from)),
      );
    return policies === undefined || (listed("allow") && !listed("deny"));
  };
  const upstream = (backend: number) => `200 ${UPSTREAMS[version.backends[backend] ?? 0]}`;
  if (name === undefined) return isIn(version.tcp.policies) ? upstream(version.tcp.backend) : "closed";
  const owner = version.owners[NAMES.findIndex((each) => each === name)];
  if (owner === undefined) return "closed";
  const routes = version.routes[owner] ?? [];
  const route =
    routes.find(({ isExact, match }) => isExact && match === path) ??
    routes
      .filter(({ isExact, match }) => !isExact && path.startsWith(match))
      .toSorted((a, b) => b.match.length - a.match.length)[0];
  if (!route) return "404 ";
  return isIn(route.policies) ? `${upstream(route.backend)}${route.hasModule ? "yes" : ""}` : "403 ";
}
