import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { render, type Settings } from "../../../packages/agent/src/render/render.ts";
import type { Edge, Snapshot } from "../../../packages/model/src/traffic/snapshot.ts";
import {
  certificate,
  complaints,
  folder,
  httpsEdge,
  serverCertificate,
  settings,
  snapshot,
  tcpEdge,
} from "./proxy.ts";

const backend = { backend_id: "bkdsc_1" };
const tlsEdge = (id: string, hostports: string[], more: object = {}) =>
  ({ kind: "tls", id, hostports, backend, tls_termination: { min_version: "1.2" }, ...more }) as Edge;
interface Case {
  name: string;
  edges: Edge[];
  settings?: Partial<Settings>;
  snapshot?: Partial<Snapshot>;
  listeners: string[];
  problems: string[];
}

const cases: Case[] = [
  {
    name: "a name is listened for on all addresses, of each family by itself",
    edges: [tcpEdge("edgtcp_1", ["a.example:1000", "b.example:1000"], "bkdsc_1")],
    listeners: ["0.0.0.0:1000", "[::]:1000 v6only"],
    problems: [],
  },
  {
    name: "without IPv6",
    edges: [tcpEdge("edgtcp_1", ["a.example:1000"], "bkdsc_1")],
    settings: { ipv6: false },
    listeners: ["0.0.0.0:1000"],
    problems: [],
  },
  {
    name: "an address is bound to itself, once, and not beside all addresses",
    edges: [
      tcpEdge("edgtcp_1", ["192.0.2.1:1000", "[2001:db8::1]:1000"], "bkdsc_1"),
      tcpEdge("edgtcp_2", ["192.0.2.2:1000"], "bkdsc_1"),
      tlsEdge("edgtls_1", ["192.0.2.1:443"]),
      httpsEdge("edghts_1", ["x.example:443", "[2001:db8::1]:443"], []),
    ],
    listeners: [
      "192.0.2.1:1000",
      "[2001:db8::1]:1000 v6only",
      "192.0.2.2:1000",
      "0.0.0.0:443",
      "[::]:443 v6only",
    ],
    problems: [],
  },
  {
    name: "an older edge's address is not taken",
    edges: [
      tcpEdge("edgtcp_1", ["192.0.2.1:1000"], "bkdsc_1"),
      tcpEdge("edgtcp_2", ["x.example:1000"], "bkdsc_1"),
      tlsEdge("edgtls_1", ["x.example:1000"]),
    ],
    listeners: ["192.0.2.1:1000"],
    problems: ["edgtcp_2 port_conflict", "edgtls_1 port_conflict"],
  },
  {
    name: "ports that are refused, hostports that are not wanted, edges that HAProxy refused",
    edges: [
      tcpEdge("edgtcp_1", ["x.example:22", "x.example:1000", "y.example:1001"], "bkdsc_1"),
      tcpEdge("edgtcp_2", ["x.example:1002"], "bkdsc_1"),
    ],
    settings: {
      objectionTo: ({ text, port }) => (port <= 1000 ? { code: "port_refused", msg: text } : undefined),
      isWanted: (hostport) => hostport.startsWith("x."),
      rejected: new Set(["edgtcp_2"]),
    },
    listeners: [],
    problems: ["edgtcp_1 port_refused"],
  },
  {
    name: "certificates: none, and none is needed to pass TLS through",
    edges: [
      tlsEdge("edgtls_1", ["none.example:443"]),
      tlsEdge("edgtls_3", ["none.example:444"], { tls_termination: undefined }),
    ],
    settings: { certificateFor: () => undefined, ipv6: false },
    listeners: ["0.0.0.0:444"],
    problems: ["edgtls_1 certificate_missing"],
  },
  {
    name: "traffic policies and authorities that are not here",
    edges: [
      { ...tcpEdge("edgtcp_1", ["x.example:1000"], "bkdsc_1"), traffic_policy: { value: "x" } },
      tlsEdge("edgtls_1", ["x.example:443"], { mutual_tls: { certificate_authority_ids: ["ca_gone"] } }),
      tlsEdge("edgtls_2", ["y.example:443"], { mutual_tls: { certificate_authority_ids: [] } }),
      httpsEdge(
        "edghts_1",
        ["z.example:443"],
        [{ id: "edghtsrt_1", match_type: "exact_path", match: "/", backend, traffic_policy: { value: "x" } }],
      ),
    ],
    settings: { ipv6: false },
    listeners: ["0.0.0.0:443"],
    problems: [
      "edghtsrt_1 traffic_policy",
      "edgtcp_1 traffic_policy",
      "edgtls_1 certificate_authority_missing",
      "edgtls_2 certificate_authority_missing",
    ],
  },
  {
    name: "traffic policies that are ignored",
    edges: [{ ...tcpEdge("edgtcp_1", ["x.example:1000"], "bkdsc_1"), traffic_policy: { value: "x" } }],
    settings: { ipv6: false, ignoreTrafficPolicies: true },
    listeners: ["0.0.0.0:1000"],
    problems: [],
  },
  {
    name: "a backend that is not here: the port is there, and nobody behind it",
    edges: [tcpEdge("edgtcp_1", ["x.example:1000"], "bkdsc_gone")],
    settings: { ipv6: false },
    listeners: ["0.0.0.0:1000"],
    problems: [],
  },
  {
    name: "routes that HAProxy refused are answered, and circuit breakers without end shortened",
    edges: [
      httpsEdge(
        "edghts_1",
        ["x.example:443"],
        [
          { id: "edghtsrt_1", match_type: "exact_path", match: "/", backend },
          {
            id: "edghtsrt_2",
            match_type: "exact_path",
            match: "/long",
            backend,
            circuit_breaker: {
              tripped_duration: 4_294_967_295,
              rolling_window: 4_294_967_295,
              num_buckets: 128,
              volume_threshold: 4_294_967_295,
              error_threshold_percentage: 1,
            },
          },
          {
            id: "edghtsrt_3",
            match_type: "exact_path",
            match: "/zero",
            backend,
            circuit_breaker: {
              tripped_duration: 0,
              rolling_window: 1,
              num_buckets: 1,
              volume_threshold: 0,
              error_threshold_percentage: 0,
            },
          },
        ],
      ),
    ],
    settings: { ipv6: false, rejected: new Set(["edghtsrt_1"]) },
    listeners: ["0.0.0.0:443"],
    problems: ["edghtsrt_2 circuit_breaker_shortened"],
  },
];

for (const { name, edges, settings: given, snapshot: more, listeners, problems } of cases) {
  test(name, (t) => {
    const path = folder(t);
    const { pem } = certificate(path, ["x.example"]);
    const used = settings({
      directory: join(path, "files"),
      sockets: join(path, "s"),
      certificateFor: () => serverCertificate(pem),
      ...given,
    });
    const backends = { bkdsc_1: { kind: "static", address: "192.0.2.9:80", tls: false } } as const;
    const rendered = render(snapshot({ edges, backends, ...more }), used);
    assert.deepEqual(
      rendered.listeners.map(
        ({ address, port, v6only }) =>
          `${address.includes(":") ? `[${address}]` : address}:${port}${v6only ? " v6only" : ""}`,
      ),
      listeners,
    );
    assert.deepEqual(
      rendered.problems.map(({ object, code }) => `${object} ${code}`),
      problems,
    );
    assert.equal(complaints(rendered, used), "");
  });
}
