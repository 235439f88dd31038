import Ajv2020 from "ajv/dist/2020.js";
import fc from "fast-check";
import ipaddr from "ipaddr.js";
import { describe, expect, it } from "vitest";
import { allowedNetworks } from "../packages/model/src/traffic/networks.ts";
import { placeOf, readTarget, RoutesByPlace } from "../packages/model/src/traffic/paths.ts";
import type { Backend, Edge, Route, Snapshot } from "../packages/model/src/traffic/snapshot.ts";
import { TRAEFIK_PROBLEMS } from "../src/traffic/traefik/draft.ts";
import { toTraefik } from "../src/traffic/traefik/traefik.ts";
import type { TraefikConfiguration } from "../src/traffic/traefik/types.ts";
import { runs } from "./support/effort.ts";
import { traefikSchema } from "./support/traefik_schema.ts";

const ajv = new Ajv2020({ allErrors: true });
const isValid = ajv.compile(traefikSchema);

const PEM = "-----BEGIN CERTIFICATE-----\nMIIBszCCAVmgAwIBAgIU\n-----END CERTIFICATE-----\n";

const snapshot = (members: Partial<Snapshot>): Snapshot => ({
  version: 1,
  edges: [],
  ip_policies: {
    office: { allow: ["192.0.2.0/24"], deny: ["192.0.2.128/25"] },
    any: { allow: ["0.0.0.0/0", "::/0"], deny: [] },
    none: { allow: [], deny: [] },
    // A /128 denied within ::/0 leaves 128 networks.
    scattered: {
      allow: ["::/0"],
      deny: Array.from({ length: 400 }, (_, i) => `2001:db8:${(i * 41).toString(16)}:1::1/128`),
    },
  },
  backends,
  certificate_authorities: { ca_one: PEM },
  problems: [],
  ...members,
});

const backends: Record<string, Backend> = {
  plain: { kind: "static", address: "app.internal:8080", tls: false },
  secure: { kind: "static", address: "[2001:db8::5]:8443", tls: true },
  page: { kind: "http_response", status_code: 200, headers: {}, body: "hello" },
  first: { kind: "failover", backends: ["plain"] },
  either: { kind: "failover", backends: ["plain", "secure"] },
  split: { kind: "weighted", backends: { plain: 3, secure: 1, page: 0 } },
  splitPage: { kind: "weighted", backends: { plain: 3, page: 1 } },
};
const BACKENDS = Object.keys(backends);

const tcp = (members: Partial<Extract<Edge, { kind: "tcp" }>> = {}): Edge => ({
  id: "edgtcp_1",
  kind: "tcp",
  hostports: ["db.example:5432"],
  backend: { backend_id: "plain" },
  ...members,
});
const tls = (members: Partial<Extract<Edge, { kind: "tls" }>> = {}): Edge => ({
  id: "edgtls_1",
  kind: "tls",
  hostports: ["mail.example:993"],
  backend: { backend_id: "plain" },
  ...members,
});
const https = (
  routes: (Partial<Route> & Pick<Route, "match">)[],
  members: Partial<Extract<Edge, { kind: "https" }>> = {},
): Edge => ({
  id: "edghts_1",
  kind: "https",
  hostports: ["shop.example:443"],
  tls_termination: { min_version: "1.2" },
  routes: routes.map((route, i) => ({
    id: `edghtsrt_${i}`,
    match_type: "path_prefix" as const,
    backend: { backend_id: "plain" },
    ...route,
  })),
  ...members,
});

/** The configuration, which must be valid, and the problems as "object code". */
function given(edges: Edge[]): { configuration: TraefikConfiguration; problems: string[] } {
  const { configuration, problems } = toTraefik(snapshot({ edges }));
  expect(isValid(configuration), ajv.errorsText(isValid.errors)).toBe(true);
  return { configuration, problems: problems.map(({ object, code }) => `${object} ${code}`) };
}

const REFUSES = (rejectStatusCode: number) => ({
  ipAllowList: { sourceRange: ["255.255.255.255/32"], rejectStatusCode },
});
const plainService = { loadBalancer: { servers: [{ url: "http://app.internal:8080" }] } };

describe("Traefik's dynamic configuration", () => {
  it("is empty without edges", () => {
    expect(given([])).toEqual({ configuration: {}, problems: [] });
  });

  it("has a TCP edge on the entry point of its port, or of its address and port", () => {
    const edge = tcp({ hostports: ["db.example:5432", "192.0.2.1:5433", "[2001:db8::1]:5433"] });
    expect(given([edge])).toEqual({
      configuration: {
        tcp: {
          routers: Object.fromEntries(
            ["edge-5432", "edge-5433-192-0-2-1", "edge-5433-2001-db8--1"].map((entryPoint) => [
              `edgtcp_1-${entryPoint}`,
              { entryPoints: [entryPoint], rule: "HostSNI(`*`)", service: "plain" },
            ]),
          ),
          services: { plain: { loadBalancer: { servers: [{ address: "app.internal:8080" }] } } },
        },
      },
      problems: [],
    });
  });

  it("passes TLS through, or terminates it with options that only this edge has", () => {
    const terminated = tls({
      id: "edgtls_2",
      hostports: ["a.example:993", "b.example:993", "192.0.2.1:993"],
      backend: { backend_id: "split" },
      tls_termination: { min_version: "1.3" },
      mutual_tls: { certificate_authority_ids: ["ca_one"] },
    });
    const { configuration, problems } = given([tls(), terminated]);
    expect(configuration).toEqual({
      tcp: {
        routers: {
          "edgtls_1-edge-993": {
            entryPoints: ["edge-993"],
            rule: "(HostSNI(`mail.example`))",
            service: "plain",
            tls: { passthrough: true },
          },
          "edgtls_2-edge-993": {
            entryPoints: ["edge-993"],
            rule: "(HostSNI(`a.example`) || HostSNI(`b.example`))",
            service: "split",
            tls: { options: "edgtls_2" },
          },
        },
        services: {
          plain: { loadBalancer: { servers: [{ address: "app.internal:8080" }] } },
          secure: {
            loadBalancer: {
              servers: [{ address: "[2001:db8::5]:8443", tls: true }],
              serversTransport: "secure",
            },
          },
          split: {
            weighted: {
              services: [
                { name: "plain", weight: 3 },
                { name: "secure", weight: 1 },
              ],
            },
          },
        },
        serversTransports: { secure: { tls: { serverName: "2001:db8::5" } } },
      },
      tls: {
        options: {
          edgtls_2: {
            minVersion: "VersionTLS13",
            alpnProtocols: ["http/1.1"],
            clientAuth: { caFiles: [PEM], clientAuthType: "RequireAndVerifyClientCert" },
          },
        },
      },
    });
    expect(problems).toEqual(["edgtls_2 not_in_traefik_ip_address_host"]);
  });

  it("has the routes of an HTTPS edge, all their modules, and 404 for any other path", () => {
    const edge = https([
      {
        match: "/api",
        backend: { backend_id: "secure" },
        ip_restriction: { ip_policy_ids: ["office"] },
        compression: {},
        request_headers: { add: { "X-Edge": "shop", "X-Both": "1" }, remove: ["x-both", "X-Debug"] },
        response_headers: { add: null, remove: ["Server"] },
      },
      { match: "/api", match_type: "exact_path", backend: { backend_id: "first" } },
    ]);
    const common = { entryPoints: ["edge-443"], tls: { options: "edghts_1" } };
    expect(given([edge])).toEqual({
      configuration: {
        http: {
          routers: {
            "edghts_1-edge-443": {
              ...common,
              rule: "(Host(`shop.example`))",
              priority: 1,
              service: "noop@internal",
              middlewares: ["answer-404"],
            },
            "edghtsrt_0-edge-443": {
              ...common,
              rule: "(Host(`shop.example`)) && PathPrefix(`/api`)",
              priority: 5,
              service: "secure",
              middlewares: ["edghtsrt_0-sources", "edghtsrt_0-compression", "edghtsrt_0-headers"],
            },
            "edghtsrt_1-edge-443": {
              ...common,
              rule: "(Host(`shop.example`)) && Path(`/api`)",
              priority: 10_000,
              service: "plain",
            },
          },
          services: {
            plain: plainService,
            secure: {
              loadBalancer: { servers: [{ url: "https://[2001:db8::5]:8443" }], serversTransport: "secure" },
            },
          },
          middlewares: {
            "answer-404": REFUSES(404),
            "edghtsrt_0-sources": { ipAllowList: { sourceRange: ["192.0.2.0/25"] } },
            "edghtsrt_0-compression": { compress: {} },
            "edghtsrt_0-headers": {
              headers: {
                customRequestHeaders: { "X-Edge": "shop", "X-Both": "1", "x-debug": "" },
                customResponseHeaders: { server: "" },
              },
            },
          },
          serversTransports: { secure: { serverName: "2001:db8::5" } },
        },
        tls: { options: { edghts_1: { minVersion: "VersionTLS12" } } },
      },
      problems: [],
    });
  });

  it.each<[string, Partial<Route>]>([
    ["not_in_traefik_circuit_breaker", { circuit_breaker: BREAKER() }],
    ["not_in_traefik_failover", { backend: { backend_id: "either" } }],
    ["not_in_traefik_fixed_response", { backend: { backend_id: "page" } }],
    ["not_in_traefik_fixed_response", { backend: { backend_id: "splitPage" } }],
    ["not_in_traefik_headers", { request_headers: { add: { "X-Empty": "" }, remove: null } }],
    ["not_in_traefik_headers", { request_headers: { add: { "X-Name": "caf\u00e9" }, remove: null } }],
    ["not_in_traefik_headers", { request_headers: { add: null, remove: ["host"] } }],
    ["not_in_traefik_headers", { request_headers: { add: null, remove: ["X-Forwarded-For"] } }],
    ["not_in_traefik_headers", { response_headers: { add: { ["x".repeat(300)]: "1" }, remove: null } }],
    ["not_in_traefik_missing_reference", { backend: { backend_id: "gone" } }],
    ["not_in_traefik_size", { ip_restriction: { ip_policy_ids: ["scattered"] } }],
    ["not_in_traefik_traffic_policy", { traffic_policy: { value: "{}" } }],
    ["not_in_traefik_user_agent_filter", { user_agent_filter: { allow: null, deny: ["bot"] } }],
    ["not_in_traefik_websocket_tcp_converter", { websocket_tcp_converter: {} }],
  ])("returns 503 for a route that has %s", (code, route) => {
    const { configuration, problems } = given([https([{ match: "/a", ...route }, { match: "/" }])]);
    expect(problems).toEqual([`edghtsrt_0 ${code}`]);
    expect(configuration.http?.routers?.["edghtsrt_0-edge-443"]).toMatchObject({
      priority: 3,
      service: "noop@internal",
      middlewares: ["answer-503"],
    });
    expect(configuration.http?.middlewares).toEqual({
      "answer-404": REFUSES(404),
      "answer-503": REFUSES(503),
    });
    expect(configuration.http?.services).toEqual({ plain: plainService });
  });

  it("returns 503 for a route without a backend, which the snapshot reports as a problem", () => {
    const edge = https([{ match: "/" }]);
    if (edge.kind === "https") for (const route of edge.routes) delete route.backend;
    const { configuration, problems } = given([edge]);
    expect(problems).toEqual([]);
    expect(configuration.http?.routers?.["edghtsrt_0-edge-443"]?.middlewares).toEqual(["answer-503"]);
  });

  it.each<[string, Edge]>([
    ["edgtcp_1 not_in_traefik_traffic_policy", tcp({ traffic_policy: { value: "{}" } })],
    ["edgtcp_1 not_in_traefik_failover", tcp({ backend: { backend_id: "either" } })],
    ["edgtcp_1 not_in_traefik_fixed_response", tcp({ backend: { backend_id: "page" } })],
    ["edgtcp_1 not_in_traefik_size", tcp({ ip_restriction: { ip_policy_ids: ["scattered"] } })],
    ["edgtls_1 not_in_traefik_ip_address_host", tls({ hostports: ["192.0.2.1:443"] })],
    ["edghts_1 not_in_traefik_ip_address_host", https([{ match: "/" }], { hostports: ["[::1]:443"] })],
    [
      "edghts_1 not_in_traefik_missing_reference",
      https([{ match: "/" }], { mutual_tls: { certificate_authority_ids: ["ca_one", "gone"] } }),
    ],
    ["edghts_1 not_in_traefik_path", https([{ match: "/admin%25x" }, { match: "/admin" }])],
  ])("leaves out an edge that has %s", (problem, edge) => {
    expect(given([edge])).toEqual({ configuration: {}, problems: [problem] });
  });

  it.each(["/caf\u00e9", "/caf%C3%A9", "/a%25b", "/a/../b", "/a/./b", "/a%zz"])(
    "has no rule for %s, whose requests get a 404",
    (match) => {
      const { configuration, problems } = given([https([{ match }, { match: "/b" }])]);
      expect(problems).toEqual(["edghtsrt_0 not_in_traefik_path"]);
      expect(Object.keys(configuration.http?.routers ?? {})).toEqual([
        "edghts_1-edge-443",
        "edghtsrt_1-edge-443",
      ]);
    },
  );

  it.each([
    ["/a`) || Host(`evil.example", '"/a`) || Host(`evil.example"'],
    ['/a`"\\', '"/a`\\"\\\\"'],
    ['/a"b\\', '`/a"b\\`'],
    ["/.well-known/", "`/.well-known/`"],
    ["/%61//b%20c%2Fd", "`/a/b c/d`"],
  ])("quotes the path %s", (match, literal) => {
    const { configuration } = given([https([{ match }])]);
    expect(configuration.http?.routers?.["edghtsrt_0-edge-443"]?.rule).toBe(
      `(Host(\`shop.example\`)) && PathPrefix(${literal})`,
    );
  });

  it.each<[string[], string[]]>([
    [[], ["255.255.255.255/32"]],
    [["none", "deleted"], ["255.255.255.255/32"]],
    [["any"], ["0.0.0.0/0", "::/0"]],
    [["office", "none"], ["192.0.2.0/25"]],
  ])("restricts sources to the networks that the policies %j leave", (ip_policy_ids, sourceRange) => {
    const { configuration } = given([tcp({ ip_restriction: { ip_policy_ids } })]);
    expect(configuration.tcp?.middlewares).toEqual({ "edgtcp_1-sources": { ipAllowList: { sourceRange } } });
  });

  it("shares a list among restrictions with the same policies", () => {
    const restricted = { ip_restriction: { ip_policy_ids: ["any", "office"] } };
    const { configuration } = given([
      tcp(restricted),
      tcp({
        id: "edgtcp_2",
        hostports: ["b.example:1"],
        ip_restriction: { ip_policy_ids: ["office", "any"] },
      }),
    ]);
    expect(Object.keys(configuration.tcp?.middlewares ?? {})).toEqual(["edgtcp_1-sources"]);
    expect(configuration.tcp?.routers?.["edgtcp_2-edge-1"]?.middlewares).toEqual(["edgtcp_1-sources"]);
  });

  it("stays within a size that Traefik fetches in time, and reports what no longer fits", () => {
    const pem = PEM.replace("\n", `\n${"A".repeat(16_000)}\n`);
    const edges = Array.from({ length: 600 }, (_, i) =>
      https([{ match: "/" }], {
        id: `edghts_${i}`,
        hostports: [`h${i}.example:443`],
        mutual_tls: { certificate_authority_ids: ["ca_one"] },
      }),
    );
    const { configuration, problems } = toTraefik(
      snapshot({ edges, certificate_authorities: { ca_one: pem } }),
    );
    expect(JSON.stringify(configuration).length).toBeLessThan(5_000_000);
    expect(problems.map(({ code }) => code)).toEqual(problems.map(() => "not_in_traefik_size"));
    expect(Object.keys(configuration.tls?.options ?? {}).length + problems.length).toBe(600);
  });
});

function BREAKER(): NonNullable<Route["circuit_breaker"]> {
  return {
    tripped_duration: 10,
    rolling_window: 10,
    num_buckets: 10,
    volume_threshold: 20,
    error_threshold_percentage: 0.5,
  };
}

/** Few networks, so that they often touch, overlap and contain each other. */
const ipv4Network = fc
  .tuple(
    fc.constantFrom(0, 1, 127, 128, 255),
    fc.constantFrom(0, 64, 128, 255),
    fc.constantFrom(0, 1, 8, 9, 24, 25, 31, 32),
  )
  .map(([a, d, length]) => networkOf(`${a}.0.2.${d}`, length));
const ipv6Network = fc
  .tuple(
    fc.constantFrom("::", "::1", "::fffe:0:0", "::fffe:ffff:ffff", "0:0:0:0:1::", "2001:db8::", "ffff::"),
    fc.constantFrom(0, 1, 32, 64, 79, 80, 81, 90, 95, 96, 127, 128),
  )
  .map(([address, length]) => networkOf(address, length));
const networkOf = (address: string, length: number): string =>
  `${(address.includes(":") ? ipaddr.IPv6 : ipaddr.IPv4).networkAddressFromCIDR(`${address}/${length}`).toString()}/${length}`;
const rules = fc.array(fc.oneof(ipv4Network, ipv6Network), { maxLength: 8 });

const address = fc.oneof(
  fc
    .tuple(
      fc.constantFrom(0, 1, 127, 128, 254),
      fc.constantFrom(0, 1),
      fc.constantFrom(2, 3),
      fc.constantFrom(0, 63, 64, 127, 128, 255),
    )
    .map((bytes) => bytes.join(".")),
  fc.constantFrom(
    "::",
    "::1",
    "::2",
    "::fffd:ffff:ffff",
    "::fffe:0:0",
    "::fffe:ffff:ffff",
    "::1:0:0:0",
    "::1:0:0:1",
    "2001:db8::",
    "2001:db8::1",
    "2001:db7:ffff::",
    "7fff::",
    "8000::",
    "ffff::1",
    "fe80::",
  ),
);

/** Whether any of the networks contains the address. Networks of one family contain no address of the other. */
const matches = (source: string, networks: string[]): boolean => {
  const parsed = ipaddr.parse(source);
  return networks.some((network) => {
    const [base, length] = ipaddr.parseCIDR(network);
    return base.kind() === parsed.kind() && parsed.match([base, length]);
  });
};

describe("networks that are allowed and not denied", () => {
  it("contain an address exactly when a rule allows it and none denies it", () => {
    fc.assert(
      fc.property(
        rules,
        rules,
        fc.array(address, { minLength: 5, maxLength: 20 }),
        (allow, deny, sources) => {
          const networks = allowedNetworks({ allow, deny }, 100_000) ?? [];
          for (const source of sources) {
            expect(matches(source, networks), source).toBe(matches(source, allow) && !matches(source, deny));
          }
          for (const network of networks) {
            const [base, length] = ipaddr.parseCIDR(network);
            const last =
              base.kind() === "ipv6"
                ? ipaddr.IPv6.parse(base.toString()).toByteArray()
                : ipaddr.IPv4.parse(base.toString()).toByteArray();
            for (let bit = length; bit < last.length * 8; bit++)
              last[bit >> 3] = (last[bit >> 3] ?? 0) | (128 >> (bit & 7));
            const end = ipaddr.fromByteArray(last);
            expect(end instanceof ipaddr.IPv6 && end.isIPv4MappedAddress(), network).toBe(false);
          }
        },
      ),
      runs(400),
    );
  });

  it("read a rule inside ::ffff:0:0/96 as its IPv4 form, and leave out the rest of that block", () => {
    expect(allowedNetworks({ allow: ["::ffff:192.0.2.0/120"], deny: ["192.0.2.0/25"] }, 9)).toEqual([
      "192.0.2.128/25",
    ]);
    expect(allowedNetworks({ allow: ["::fffe:0:0/95"], deny: [] }, 9)).toEqual(["::fffe:0:0/96"]);
  });

  it("are undefined if there would be too many", () => {
    expect(allowedNetworks({ allow: ["0.0.0.0/0"], deny: ["0.0.0.0/32"] }, 32)).toHaveLength(32);
    expect(allowedNetworks({ allow: ["0.0.0.0/0"], deny: ["0.0.0.0/32"] }, 31)).toBeUndefined();
  });
});

const optional = <T>(name: string, value: fc.Arbitrary<T>) =>
  fc
    .option(value, { nil: undefined, freq: 2 })
    .map((given) => (given === undefined ? {} : { [name]: given }));
/** Mostly absent, because each of these modules excludes its route. */
const rarely = (name: string, value: unknown) =>
  fc.integer({ min: 0, max: 12 }).map((n) => (n === 0 ? { [name]: value } : {}));
const restriction = optional(
  "ip_restriction",
  fc.record({
    ip_policy_ids: fc.uniqueArray(fc.constantFrom("office", "any", "none", "deleted", "random"), {
      maxLength: 3,
    }),
  }),
);
const headersOf = fc.record({
  add: fc.option(
    fc.dictionary(
      fc.constantFrom("X-A", "x-b", "__proto__", "Host"),
      fc.constantFrom("1", "a b", '"', "`", ""),
      { noNullPrototype: true },
    ),
  ),
  remove: fc.option(fc.array(fc.constantFrom("X-A", "X-C", "x-c", "Date"), { maxLength: 3 })),
});
const backend = fc.record({ backend_id: fc.constantFrom(...BACKENDS, "plain", "secure", "split") });
const path = fc
  .array(fc.constantFrom("a", "b", "/", "`", '"', "\\", ".", "%"), { maxLength: 5 })
  .map((parts) => `/${parts.join("")}`);
const mutualTls = optional("mutual_tls", fc.constant({ certificate_authority_ids: ["ca_one"] }));
const termination = fc.record({ min_version: fc.constantFrom("1.0", "1.1", "1.2", "1.3") });
const merged = (...parts: fc.Arbitrary<object>[]) =>
  fc.tuple(...parts).map((given) => Object.assign({}, ...given));
const routeOf = merged(
  fc.record({ match: path, match_type: fc.constantFrom("exact_path", "path_prefix") }),
  restriction,
  rarely("traffic_policy", { value: "{}" }),
  rarely("circuit_breaker", BREAKER()),
  rarely("user_agent_filter", { allow: null, deny: ["("] }),
  rarely("websocket_tcp_converter", {}),
  optional("compression", fc.constant({})),
  optional("request_headers", headersOf),
  optional("response_headers", headersOf),
  fc
    .oneof({ weight: 9, arbitrary: backend }, { weight: 1, arbitrary: fc.constant(undefined) })
    .map((given) => (given ? { backend: given } : {})),
);
const edgeOf = fc.oneof(
  merged(
    fc.constant({ kind: "tcp" }),
    fc.record({ backend }),
    restriction,
    rarely("traffic_policy", { value: "{}" }),
  ),
  merged(
    fc.constant({ kind: "tls" }),
    fc.record({ backend }),
    restriction,
    fc.oneof(fc.constant({}), merged(fc.record({ tls_termination: termination }), mutualTls)),
  ),
  merged(
    fc.record({
      kind: fc.constant("https"),
      tls_termination: termination,
      routes: fc.uniqueArray(routeOf, {
        maxLength: 6,
        selector: (route) => JSON.stringify(placeOf(route) ?? route),
      }),
    }),
    mutualTls,
  ),
);
/** Unique ids and hostports; some hostports are IP addresses. */
const anySnapshot = fc
  .tuple(
    fc.array(fc.tuple(edgeOf, fc.integer({ min: 0, max: 5 })), { maxLength: 5 }),
    fc.record({ allow: rules, deny: rules }),
  )
  .map(([edges, random]): Snapshot => {
    const numbered = edges.map(([edge, n], i) => ({
      ...edge,
      id: `edg_${i}`,
      hostports:
        n === 0
          ? [`192.0.2.${i}:443`, `h${i}.example:443`]
          : n === 1
            ? [`[::${i}]:99`]
            : [`h${i}.example:${edge.kind === "tcp" ? 1000 + i : 443}`, `g${i}.example:8443`],
      ...(edge.kind === "https" && {
        routes: edge.routes.map((route: object, j: number) => ({ ...route, id: `rt_${i}_${j}` })),
      }),
    }));
    const base = snapshot({ edges: numbered });
    return { ...base, ip_policies: { ...base.ip_policies, random } };
  });

describe("Traefik's dynamic configuration of any snapshot", () => {
  it("is valid, has each edge and each route or names it in a problem, and never serves a path by a shorter route", () => {
    fc.assert(
      fc.property(
        anySnapshot,
        fc.array(path, { minLength: 6, maxLength: 6 }),
        fc.array(address, { minLength: 3, maxLength: 6 }),
        (given, requests, sources) => {
          const { configuration, problems } = toTraefik(given);
          expect(isValid(configuration), ajv.errorsText(isValid.errors)).toBe(true);
          for (const { code } of problems) expect(TRAEFIK_PROBLEMS).toContain(code);
          const pairs = problems.map(({ object, code }) => `${object} ${code}`);
          expect(pairs).toEqual([...new Set(pairs)].toSorted());
          const reported = new Set(problems.map(({ object }) => object));
          for (const edge of given.edges) expectEdge(configuration, edge, reported, requests);
          expectSources(configuration, given, sources);
          expectReferences(configuration);
        },
      ),
      runs(600),
    );
  });
});

/** The edge on every hostport, with all its settings, unless a problem names the edge. */
function expectEdge(
  configuration: TraefikConfiguration,
  edge: Edge,
  reported: Set<string>,
  requests: string[],
): void {
  const routers = Object.entries({ ...configuration.tcp?.routers, ...configuration.http?.routers });
  const own = routers.filter(([name]) => name.startsWith(`${edge.id}-`)).map(([, router]) => router);
  if (!reported.has(edge.id))
    expect(own.length).toBe(new Set(edge.hostports.map((hostport) => entryPointOf(hostport))).size);
  if (edge.kind !== "https") {
    for (const router of own) expect(router.middlewares?.length ?? 0).toBe(edge.ip_restriction ? 1 : 0);
    return;
  }
  for (const router of own) expect("priority" in router && router.priority).toBe(1);
  if (own.length === 0) {
    expect(routers.filter(([name]) => edge.routes.some(({ id }) => name.startsWith(`${id}-`)))).toEqual([]);
    return;
  }
  for (const request of requests) {
    // Traefik removes dot segments, so such a path becomes another request.
    const path = readTarget(request);
    if (path === undefined) continue;
    const route = new RoutesByPlace(edge.routes).at({ match_type: "exact_path", path });
    const router = routerFor(configuration, edge, path);
    const isServed = router?.service !== "noop@internal";
    if (route === undefined) expect(router?.middlewares).toEqual(["answer-404"]);
    else if (isServed) {
      expect(reported.has(route.id) || route.backend === undefined, request).toBe(false);
      expect(router?.name.startsWith(`${route.id}-`), request).toBe(true);
      const wanted = [route.ip_restriction, route.compression, changes(route)].filter(Boolean).length;
      expect(router?.middlewares?.length ?? 0).toBe(wanted);
    } else {
      expect(reported.has(route.id) || route.backend === undefined, request).toBe(true);
    }
  }
}

/** A restricted object admits exactly the sources that one of its policies allows and none denies. */
function expectSources({ http, tcp }: TraefikConfiguration, given: Snapshot, sources: string[]): void {
  const lists = { ...http?.middlewares, ...tcp?.middlewares };
  const routers = Object.entries({ ...http?.routers, ...tcp?.routers });
  const restricted = given.edges.flatMap<Pick<Route, "id" | "ip_restriction">>((edge) =>
    edge.kind === "https" ? edge.routes : [edge],
  );
  for (const { id, ip_restriction } of restricted) {
    for (const [, { middlewares, service }] of routers.filter(([name]) => name.startsWith(`${id}-`))) {
      if (service === "noop@internal") continue;
      const restricting = (middlewares ?? []).flatMap((name) => {
        const list = lists[name];
        return list && "ipAllowList" in list ? [list.ipAllowList.sourceRange] : [];
      });
      expect(restricting.length).toBe(ip_restriction ? 1 : 0);
      const policies =
        ip_restriction?.ip_policy_ids.flatMap((policy) => given.ip_policies[policy] ?? []) ?? [];
      for (const source of ip_restriction ? sources : []) {
        const isAllowed =
          policies.some(({ allow }) => matches(source, allow)) &&
          !policies.some(({ deny }) => matches(source, deny));
        expect(matches(source, restricting[0] ?? []), `${id} ${source}`).toBe(isAllowed);
      }
    }
  }
}

const changes = ({ request_headers, response_headers }: Route): boolean =>
  [request_headers, response_headers].some(
    (given) => Object.keys(given?.add ?? {}).length > 0 || (given?.remove ?? []).length > 0,
  );

const entryPointOf = (hostport: string): string =>
  /^[\d[]/.test(hostport) ? hostport : hostport.replace(/^.*:/, "");

/** The router that Traefik chooses: the matching one with the highest priority. */
function routerFor({ http }: TraefikConfiguration, edge: Edge, request: string) {
  const host = edge.hostports.find((hostport) => hostport.startsWith("h"))?.replace(/:.*/, "") ?? "";
  return Object.entries(http?.routers ?? {})
    .map(([name, router]) => ({ name, ...router }))
    .filter(({ rule }) => {
      const [, hosts = "", matcher, literal = ""] =
        /^\((.*?)\)(?: && (Path|PathPrefix)\((.*)\))?$/s.exec(rule) ?? [];
      if (!`${hosts})`.includes(`\`${host}\``)) return false;
      if (matcher === undefined) return true;
      const text: unknown = literal.startsWith("`") ? literal.slice(1, -1) : JSON.parse(literal);
      return matcher === "Path" ? request === text : request.startsWith(String(text));
    })
    .toSorted((a, b) => b.priority - a.priority)[0];
}

type ServicesOf<T extends "http" | "tcp"> = NonNullable<NonNullable<TraefikConfiguration[T]>["services"]>;
type Service = (ServicesOf<"http"> | ServicesOf<"tcp">)[string];

/** Every referenced name exists, and everything that exists is referenced. */
function expectReferences({ http, tcp, tls }: TraefikConfiguration): void {
  for (const part of [http, tcp]) {
    const services = Object.entries<Service>(part?.services ?? {});
    const routers = Object.values(part?.routers ?? {});
    const named = new Set([
      ...routers.map(({ service }) => service),
      ...services.flatMap(([, service]) =>
        "weighted" in service ? service.weighted.services.map(({ name }) => name) : [],
      ),
    ]);
    named.delete("noop@internal");
    expect(new Set(services.map(([name]) => name))).toEqual(named);
    expect(new Set(Object.keys(part?.middlewares ?? {}))).toEqual(
      new Set(routers.flatMap(({ middlewares }) => middlewares ?? [])),
    );
  }
  const options = [...Object.values(http?.routers ?? {}), ...Object.values(tcp?.routers ?? {})].flatMap(
    ({ tls }) => (tls && "options" in tls ? [tls.options] : []),
  );
  expect(new Set(Object.keys(tls?.options ?? {}))).toEqual(new Set(options));
}
