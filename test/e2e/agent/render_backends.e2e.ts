import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type Server } from "node:net";
import { test } from "node:test";
import { allFiles } from "../../../packages/agent/src/map_files.ts";
import { render } from "../../../packages/agent/src/render/render.ts";
import { serverWeights } from "../../../packages/agent/src/render/weights.ts";
import type { Backend } from "../../../packages/model/src/traffic/snapshot.ts";
import { eventually } from "../support/wait.ts";
import { exchange, listening, read, statusesFrom } from "./calls.ts";
import {
  certificate,
  folder,
  freePort,
  httpsEdge,
  serve,
  serverCertificate,
  settings,
  snapshot,
  tcpEdge,
} from "./proxy.ts";

/** TCP servers that tell their name, and can be stopped and started. */
async function upstreams(t: { after: (hook: () => void) => void }, names: readonly string[]) {
  const servers = new Map<string, { port: number; server: Server }>();
  const started = (name: string) =>
    createServer((socket) =>
      socket
        .on("error", () => {})
        .resume()
        .end(name),
    );
  for (const name of names) {
    const server = started(name);
    servers.set(name, { port: await listening(t, server), server });
  }
  return {
    address: (name: string) => `127.0.0.1:${servers.get(name)?.port}`,
    stop: async (name: string) => {
      const server = servers.get(name)?.server;
      if (server) await once(server.close(), "close");
    },
    start: async (name: string) => {
      const known = servers.get(name);
      if (!known) return;
      known.server = started(name).listen(known.port, "127.0.0.1");
      await once(known.server, "listening");
      t.after(() => known.server.close());
    },
  };
}

const at = (address: string): Backend => ({ kind: "static", address, tls: false });

/** Waits until the port returns this text. */
const says = (port: number, expected: string | RegExp): Promise<void> =>
  eventually(async () => {
    const said = await exchange({ port, host: "127.0.0.1" }, "GET / HTTP/1.0\r\n\r\n");
    if (typeof expected === "string") assert.equal(said, expected);
    else assert.match(said, expected);
  });

test("failover goes down its list in order and returns to the first, however it is nested", async (t) => {
  const { address, stop, start } = await upstreams(t, ["a", "b", "c", "d", "e"]);
  const port = await freePort();
  // In order: a, then b or c, then d, then e, then a fixed response.
  const { problems } = await serve(t, {
    edges: [tcpEdge("edgtcp_1", [`x.example:${port}`], "bkdfo_outer")],
    backends: {
      bkdfo_outer: { kind: "failover", backends: ["bkdsc_a", "bkdfo_inner", "bkdhr_sorry"] },
      bkdfo_inner: { kind: "failover", backends: ["bkdwd_bc", "bkdsc_d", "bkdsc_e", "bkdsc_a"] },
      bkdwd_bc: { kind: "weighted", backends: { bkdsc_b: 10_000, bkdsc_c: 5000, bkdsc_e: 0 } },
      bkdsc_a: at(address("a")),
      bkdsc_b: at(address("b")),
      bkdsc_c: at(address("c")),
      bkdsc_d: at(address("d")),
      bkdsc_e: at(address("e")),
      bkdhr_sorry: {
        kind: "http_response",
        status_code: 503,
        headers: { "x-it": "a  'b' \"%\" " },
        body: "sorry",
      },
    },
  });
  assert.deepEqual(problems, []);
  await says(port, "a");
  await stop("a");
  await says(port, "b");
  await says(port, "c");
  await stop("b");
  await says(port, "c");
  await stop("c");
  await says(port, "d");
  await stop("d");
  // With servers of which none is weighted, no connection is lost: it is retried at the next server.
  for (let n = 0; n < 10; n++) assert.equal(await read(port), "e");
  await stop("e");
  await says(port, /^HTTP\/1.. 503 [^]*\r\nx-it: a {2}'b' "%"[^]*\r\n\r\nsorry$/);
  await start("c");
  await says(port, "c");
  await start("a");
  await says(port, "a");
});

test("traffic is shared by weight, and the weight 0 gets none", async (t) => {
  const { address } = await upstreams(t, ["a", "b", "c"]);
  const port = await freePort();
  await serve(t, {
    edges: [tcpEdge("edgtcp_1", [`x.example:${port}`], "bkdwd_1")],
    backends: {
      bkdwd_1: { kind: "weighted", backends: { bkdsc_a: 3000, bkdsc_b: 1000, bkdsc_c: 0 } },
      bkdsc_a: at(address("a")),
      bkdsc_b: at(address("b")),
      bkdsc_c: at(address("c")),
    },
  });
  const said: Record<string, number> = {};
  for (let i = 0; i < 40; i++) {
    const name = await read(port);
    said[name] = (said[name] ?? 0) + 1;
  }
  assert.deepEqual(Object.keys(said).toSorted(), ["a", "b"]);
  assert.ok(Math.abs((said["a"] ?? 0) - 30) <= 3, JSON.stringify(said));
});

test("backends with many ways through them, or deeply nested, are tried once each", () => {
  const leaves = {
    bkdsc_1: at("192.0.2.1:80"),
    bkdsc_2: at("192.0.2.2:80"),
  };
  const failover = (...backends: string[]): Backend => ({ kind: "failover", backends });
  const meshed = Array.from({ length: 60 }, (_, index) => {
    const next = index === 59 ? ["bkdsc_2", "bkdsc_1"] : [`a${index + 1}`, `b${index + 1}`];
    return [
      [`a${index}`, failover(...next)],
      [`b${index}`, failover(...next.toReversed())],
    ] as const;
  }).flat();
  const nested = Array.from(
    { length: 20_000 },
    (_, index) => [`n${index}`, failover(index === 19_999 ? "a0" : `n${index + 1}`)] as const,
  );
  const backends = { ...leaves, ...Object.fromEntries([...meshed, ...nested]) };
  const given = snapshot({ edges: [tcpEdge("edgtcp_1", ["x.example:9000"], "n0")], backends });
  const written = render(given, settings()).files.get("haproxy.cfg") ?? "";
  assert.deepEqual(
    [...written.matchAll(/^ +server (\S+)/gm)].map(([, name]) => name),
    ["bkdsc_2", "bkdsc_1"],
  );
});

test("of too many servers, those of the largest backends are left out and reported", () => {
  const leaves = Array.from({ length: 3000 }, (_, index) => `bkdsc_${index}`);
  const weighted = (most: number): Backend => ({
    kind: "weighted",
    backends: Object.fromEntries(leaves.slice(0, most).map((leaf) => [leaf, 1])),
  });
  const backends = {
    ...Object.fromEntries(leaves.map((leaf) => [leaf, at("192.0.2.1:80")])),
    bkdwt_a: weighted(3000),
    bkdwt_b: weighted(2999),
    bkdwt_c: weighted(2998),
    bkdwt_d: weighted(2997),
    bkdwt_e: weighted(1),
  };
  const used = (...names: string[]) => {
    const edges = names.map((name, index) =>
      tcpEdge(`edgtcp_${name}`, [`x.example:${9000 + index}`], `bkdwt_${name}`),
    );
    const { files, problems } = render(snapshot({ edges, backends }), settings());
    const servers = [...(files.get("haproxy.cfg") ?? "").matchAll(/^ +server /gm)].length;
    return { servers, problems: problems.map(({ object, code }) => `${object} ${code}`) };
  };
  assert.deepEqual(used("a", "b", "c", "e"), { servers: 8998, problems: [] });
  assert.deepEqual(used("a", "b", "c", "d", "e"), { servers: 8995, problems: ["bkdwt_a too_many_servers"] });
});

test("where all edges have as many servers, the first keep theirs", () => {
  const edges = Array.from({ length: 5003 }, (_, index) =>
    tcpEdge(`edgtcp_${index}`, [`x.example:${5000 + index}`], `bkdsc_${index}`),
  );
  const backends = Object.fromEntries(edges.map((_, index) => [`bkdsc_${index}`, at("two.example:80")]));
  const resolve = () => ["192.0.2.1", "192.0.2.2"];
  const { files, problems } = render(snapshot({ edges, backends }), settings({ resolve }));
  assert.equal([...(files.get("haproxy.cfg") ?? "").matchAll(/^ +server /gm)].length, 10_000);
  assert.deepEqual(
    problems.map(({ object }) => object),
    ["bkdsc_5000", "bkdsc_5001", "bkdsc_5002"],
  );
});

test("weights as HAProxy takes them", () => {
  const weights = (...given: number[]) => serverWeights(given.map((weight) => ({ weight, servers: 1 })));
  assert.deepEqual(weights(1, 256), { weights: [1, 256], distorted: false });
  assert.deepEqual(weights(10_000, 5000), { weights: [256, 128], distorted: false });
  assert.deepEqual(weights(10_000, 1), { weights: [256, 1], distorted: true });
  assert.deepEqual(weights(10_000, 3333), { weights: [256, 85], distorted: false });
  assert.deepEqual(
    serverWeights([
      { weight: 1, servers: 2 },
      { weight: 1, servers: 1 },
    ]),
    {
      weights: [128, 256],
      distorted: false,
    },
  );
});

test("an upstream that is not allowed, or cannot be found, counts as down and is reported", () => {
  const codes = (backends: Record<string, Backend>, backend: string) => {
    const rendered = render(
      snapshot({ edges: [tcpEdge("edgtcp_1", ["x.example:1000"], backend)], backends }),
      settings({
        isUpstreamAllowed: (ip) => !/^127\.|^169\.254|^::1$/.test(ip),
        resolve: (name) =>
          ({
            "two.example": ["192.0.2.1", "127.0.0.1"],
            "evil.example": ["::ffff:169.254.169.254"],
            "odd.example": ["not an address"],
          })[name],
      }),
    );
    const config = rendered.files.get("haproxy.cfg") ?? "";
    const [entry = ""] = (allFiles(rendered).get("entries") ?? "").split("\n");
    return {
      problems: rendered.problems.map(({ object, code }) => `${object} ${code}`),
      servers: [...config.matchAll(/^ {4}server (.*)$/gm)].map(([, line]) => line),
      upstream: entry.split("~").slice(3).join(" ").trim(),
    };
  };
  const one = (address: string, tls = false) =>
    codes({ bkdsc_1: { kind: "static", address, tls } }, "bkdsc_1");
  const refused = { problems: ["bkdsc_1 upstream_refused"], servers: [], upstream: "" };
  assert.deepEqual(one("127.0.0.1:80"), refused);
  assert.deepEqual(one("[::1]:80"), refused);
  assert.deepEqual(one("[::ffff:127.0.0.1]:80"), refused);
  assert.deepEqual(one("[::ffff:7f00:1]:80"), refused);
  assert.deepEqual(one("evil.example:80"), refused);
  const unresolved = { problems: ["bkdsc_1 upstream_unresolved"], servers: [], upstream: "" };
  assert.deepEqual(one("gone.example:80"), unresolved);
  assert.deepEqual(one("odd.example:80"), unresolved);
  assert.deepEqual(one("two.example:80"), {
    problems: ["bkdsc_1 upstream_refused"],
    servers: ["any 0.0.0.0:0"],
    upstream: "192.0.2.1 80",
  });
  assert.deepEqual(one("192.0.2.1:443", true), {
    problems: ["bkdsc_1 upstream_tls_address"],
    servers: [],
    upstream: "",
  });
  assert.deepEqual(one("two.example.:443", true), {
    problems: ["bkdsc_1 upstream_refused"],
    servers: ["any 0.0.0.0:0 ssl verify required ca-file @system-ca sni var(sess.name) no-ssl-reuse"],
    upstream: "192.0.2.1 443 two.example",
  });
});

test("sources of the other family match no rule", async (t) => {
  const port = await freePort();
  const { pem } = certificate(folder(t), ["x.example"]);
  const policies = {
    ten: { allow: ["10.0.0.0/8"], deny: [] },
    any6: { allow: ["::/0"], deny: [] },
    any4: { allow: ["0.0.0.0/0"], deny: [] },
    both: { allow: ["0.0.0.0/0", "::/0"], deny: ["10.0.0.0/8", "2001:db8::/32"] },
  };
  // Sources are given by the PROXY protocol, on the internal socket of an edge that is entered by nobody else.
  const { settings } = await serve(
    t,
    {
      edges: [
        httpsEdge(
          "edghts_1",
          [`x.example:${port}`],
          Object.keys(policies).map((name) => ({
            id: `edghtsrt_${name}`,
            match_type: "exact_path",
            match: `/${name}`,
            backend: { backend_id: "bkdhr_1" },
            ip_restriction: { ip_policy_ids: [name] },
          })),
        ),
      ],
      ip_policies: policies,
      backends: { bkdhr_1: { kind: "http_response", status_code: 200, headers: {}, body: "" } },
    },
    { certificateFor: () => serverCertificate(pem) },
  );
  const names = Object.keys(policies);
  const admitted = async (source: string) => {
    const socket = `${settings.sockets}/https_${port}`;
    const paths = names.map((name) => `/${name}`);
    const statuses = await statusesFrom(source, socket, "x.example", paths);
    return names.filter((_, index) => statuses[index] !== 403);
  };
  assert.deepEqual(await admitted("10.1.2.3"), ["ten", "any4"]);
  assert.deepEqual(await admitted("192.0.2.1"), ["any4", "both"]);
  assert.deepEqual(await admitted("::ffff:10.1.2.3"), ["ten", "any4"]);
  assert.deepEqual(await admitted("2002:a00::1"), ["any6", "both"]);
  assert.deepEqual(await admitted("::10.0.0.1"), ["any6", "both"]);
  assert.deepEqual(await admitted("::ffff:0:a00:1"), ["any6", "both"]);
  assert.deepEqual(await admitted("64:ff9b::a00:1"), ["any6", "both"]);
  assert.deepEqual(await admitted("2001:db8::1"), ["any6"]);
});
