import assert from "node:assert/strict";
import { connect as connectHttp2 } from "node:http2";
import { test } from "node:test";
import { allFiles } from "../../../packages/agent/src/map_files.ts";
import { arrangementOf } from "../../../packages/agent/src/read_maps.ts";
import type { PlainHttp } from "../../../packages/agent/src/render/contract.ts";
import { render, type Rendered } from "../../../packages/agent/src/render/render.ts";
import { changeBetween } from "../../../packages/agent/src/running_change.ts";
import type { Edge, Snapshot } from "../../../packages/model/src/traffic/snapshot.ts";
import type { Test } from "./agent.ts";
import { exchange } from "./calls.ts";
import {
  certificate,
  folder,
  freePort,
  restricted,
  serve,
  serverCertificate,
  settings,
  snapshot,
  tcpEdge,
} from "./proxy.ts";
import { backends, https, tls } from "./served_certificates.ts";

/*
 * What is answered on port 80: challenges, and redirects to https.
 */

const THUMBPRINT = "-_0123456789abcdefghijklmnopqrstuvwxyzABCDE";
const TOKEN = "dSQ-6g_8fQ0123456789abcdefghijklmnopqrstuvw";
const PATH = `/.well-known/acme-challenge/${TOKEN}`;

const http = (given: Partial<PlainHttp>): PlainHttp => ({
  port: 80,
  httpsPort: 443,
  isRedirected: false,
  thumbprintFor: (host) => (host.endsWith(".example.com") ? THUMBPRINT : undefined),
  objectionTo: () => undefined,
  ...given,
});

/** An HTTPS edge, a TLS edge, and a TLS edge that lets nobody in. */
const edgesOn = (port: number): Edge[] => [
  https("1", `shop.example.com:${port}`),
  tls("2", `db.example.com:${port}`),
  restricted(tls("3", `closed.example.com:${port}`)),
  https("4", `other.example.org:${port}`),
];

const policies = { ipp_1: { allow: ["192.0.2.0/24"], deny: [] } };

/** HAProxy with these edges, and its port for HTTP. */
async function served(t: Test, given: Partial<PlainHttp> = {}, some?: Partial<Snapshot>) {
  const path = folder({ after: (hook) => t.after(hook) });
  const names = ["shop.example.com", "db.example.com", "closed.example.com", "other.example.org"];
  const { pem } = certificate(path, names);
  const [port, httpsPort] = [await freePort(), await freePort()];
  const rendered = await serve(
    t,
    { edges: edgesOn(httpsPort), backends, ip_policies: policies, ...some },
    { certificateFor: () => serverCertificate(pem, names), http: http({ port, httpsPort, ...given }) },
  );
  assert.deepEqual(rendered.problems, []);
  /** Sends the head of a request. */
  const ask = (head: string) =>
    exchange({ host: "127.0.0.1", port }, `${head.replaceAll("\n", "\r\n")}\r\n\r\n`);
  return { ask, port, httpsPort, rendered };
}

const statusOf = (answer: string): string => /^HTTP\/1\.\d (\d+)/.exec(answer)?.[1] ?? answer;
const bodyOf = (answer: string): string => answer.slice(answer.indexOf("\r\n\r\n") + 4);

test("challenges for hosts with an issuer are answered from the token and the host alone", async (t) => {
  const { ask } = await served(t);
  const answered = [
    "shop.example.com",
    "SHOP.example.COM",
    "shop.example.com.",
    "shop.example.com:80",
    "shop.example.com.:80",
    "db.example.com",
    // Authorities ask from unknown addresses.
    "closed.example.com",
  ];
  for (const host of answered) {
    const answer = await ask(`GET ${PATH} HTTP/1.1\nHost: ${host}`);
    assert.equal(statusOf(answer), "200", host);
    assert.match(answer, /^content-type: application\/octet-stream\r$/im);
    assert.equal(bodyOf(answer), `${TOKEN}.${THUMBPRINT}`);
  }
  const head = await ask(`HEAD ${PATH} HTTP/1.1\nHost: shop.example.com`);
  assert.deepEqual([statusOf(head), bodyOf(head)], ["200", ""]);
  const query = await ask(`GET ${PATH}?x=1 HTTP/1.1\nHost: shop.example.com`);
  assert.equal(bodyOf(query), `${TOKEN}.${THUMBPRINT}`);
  const absolute = await ask(`GET http://shop.example.com${PATH} HTTP/1.1\nHost: shop.example.com`);
  assert.equal(bodyOf(absolute), `${TOKEN}.${THUMBPRINT}`);
});

test("everything else on port 80 is not found", async (t) => {
  const { ask, port, rendered } = await served(t);
  const base = "/.well-known/acme-challenge";
  const longest = "t".repeat(128);
  assert.equal(statusOf(await ask(`GET ${base}/${longest} HTTP/1.1\nHost: shop.example.com`)), "200");
  const paths = [
    `${base}/${longest}t`,
    `${base}/${"t".repeat(19)}`,
    `${base}/`,
    base,
    `${base}/${TOKEN}/`,
    `${base}//${TOKEN}`,
    `${base}/../acme-challenge/${TOKEN}`,
    `${base}/${TOKEN}/${TOKEN}`,
    `${base}/${TOKEN}.txt`,
    `${base}/${TOKEN}%0d%0aX-A:%20b`,
    `${base}/%2e${TOKEN}`,
    `${base}/${TOKEN.slice(0, 30)}%41`,
    `${base}/${TOKEN}\\`,
    `${base}/%[src]${TOKEN}`,
    `/x${PATH}`,
    `/${PATH}`,
    PATH.toUpperCase(),
    `${base}/${"t".repeat(10_000)}`,
    "/",
  ];
  for (const path of paths) {
    const answer = await ask(`GET ${path} HTTP/1.1\nHost: shop.example.com`);
    assert.equal(statusOf(answer), "404", path);
    assert.ok(!answer.includes(THUMBPRINT), path);
  }
  const hosts = [
    "other.example.org",
    "unknown.example.com",
    "example.com",
    "",
    "*.example.com",
    "127.0.0.1",
    "[::1]",
    "shop.example.com:80:80",
    "x@shop.example.com",
    `${"a.".repeat(2_000)}example.com`,
  ];
  for (const host of hosts) {
    const answer = await ask(`GET ${PATH} HTTP/1.1\nHost: ${host}`);
    assert.ok(!answer.includes(THUMBPRINT), host);
    assert.match(statusOf(answer), /^40[04]$/, host);
  }
  assert.equal(
    statusOf(await ask(`POST ${PATH} HTTP/1.1\nHost: shop.example.com\nContent-Length: 0`)),
    "404",
  );
  assert.equal(statusOf(await ask(`GET ${PATH} HTTP/1.0`)), "404");
  assert.equal(
    statusOf(await ask("CONNECT shop.example.com:443 HTTP/1.1\nHost: shop.example.com:443")),
    "404",
  );
  assert.equal(statusOf(await ask("OPTIONS * HTTP/1.1\nHost: shop.example.com")), "404");
  const twice = await ask(`GET ${PATH} HTTP/1.1\nHost: other.example.org\nHost: shop.example.com`);
  assert.match(statusOf(twice), /^40[04]$/);
  assert.equal(rendered.listeners.filter((one) => one.port === port).length, 1);
});

test("an answer closes its connection, so old workers keep none", async (t) => {
  const { ask, port } = await served(t);
  const answer = await ask(`GET ${PATH} HTTP/1.1\nHost: shop.example.com\nConnection: keep-alive`);
  assert.match(answer, /^connection: close\r$/im);
  const session = connectHttp2(`http://127.0.0.1:${port}`);
  session.on("error", () => {});
  const stream = session.request({ ":path": PATH, ":authority": "shop.example.com" });
  stream.on("error", () => {});
  const [status] = await new Promise<unknown[]>((resolve) => {
    stream.on("response", (headers) => resolve([headers[":status"]]));
    stream.on("close", () => resolve([undefined]));
  });
  assert.equal(status, undefined, "no HTTP/2");
  session.destroy();
});

test("with the redirect, served hosts move to https, and nobody is sent anywhere else", async (t) => {
  const { ask, httpsPort } = await served(t, { isRedirected: true });
  const to = async (head: string): Promise<string> => {
    const answer = await ask(head);
    const [, location] = /^location: (.*)\r$/im.exec(answer) ?? [];
    return `${statusOf(answer)} ${location ?? ""}`.trim();
  };
  const shop = `https://shop.example.com:${httpsPort}`;
  const moved: [head: string, location: string][] = [
    ["GET / HTTP/1.1\nHost: shop.example.com", `${shop}/`],
    ["GET /a/b?c=%20d&e HTTP/1.1\nHost: SHOP.example.com.:80", `${shop}/a/b?c=%20d&e`],
    ["POST /form HTTP/1.1\nHost: shop.example.com\nContent-Length: 0", `${shop}/form`],
    ["GET //evil.example/x HTTP/1.1\nHost: shop.example.com", `${shop}//evil.example/x`],
    ["GET /\\evil.example HTTP/1.1\nHost: shop.example.com", `${shop}/\\evil.example`],
    ["GET /%0d%0aSet-Cookie:%20a=b HTTP/1.1\nHost: shop.example.com", `${shop}/%0d%0aSet-Cookie:%20a=b`],
    ["GET /%[src] HTTP/1.1\nHost: shop.example.com", `${shop}/%[src]`],
    ["GET http://shop.example.com/x?y HTTP/1.1\nHost: shop.example.com", `${shop}/x?y`],
    ["GET / HTTP/1.1\nHost: other.example.org", `https://other.example.org:${httpsPort}/`],
    ["GET / HTTP/1.1\nHost: db.example.com", `https://db.example.com:${httpsPort}/`],
  ];
  for (const [head, location] of moved) assert.equal(await to(head), `308 ${location}`, head);
  // HAProxy rejects this host from release 3.0 on.
  const odd = await to("GET / HTTP/1.1\nHost: shop.example.com:@evil.example");
  assert.ok(["400", `308 ${shop}/`].includes(odd), odd);
  const others = [
    "GET / HTTP/1.1\nHost: evil.example",
    "GET / HTTP/1.0",
    "GET / HTTP/1.1\nHost: 127.0.0.1",
    "GET http://evil.example/ HTTP/1.1\nHost: evil.example",
    `GET ${PATH}x.y HTTP/1.1\nHost: shop.example.com`,
    "OPTIONS * HTTP/1.1\nHost: shop.example.com",
  ];
  for (const head of others) assert.equal(await to(head), "404", head);
  assert.equal(await to("GET / HTTP/1.1\nHost: closed.example.com"), "403", "the restriction of a TLS edge");
  assert.match(
    await ask(`GET ${PATH} HTTP/1.1\nHost: closed.example.com`),
    new RegExp(`${TOKEN}\\.${THUMBPRINT}$`),
  );
});

test("another host, issuer or thumbprint needs no reload", (t) => {
  const names = ["shop.example.com", "more.example.com"];
  const { pem } = certificate(folder(t), names);
  const rendered = (edges: Edge[], thumbprintFor: PlainHttp["thumbprintFor"], before?: Rendered) => {
    const given = settings({
      certificateFor: () => serverCertificate(pem, names),
      http: http({ thumbprintFor }),
    });
    return render(snapshot({ edges, backends }), given, before?.arrangement);
  };
  const [one, two] = [https("1", "shop.example.com:443"), https("2", "more.example.com:443")];
  const other = "x".repeat(43);
  const before = rendered([one], () => THUMBPRINT);
  const after = rendered([one, two], (host) => (host === "shop.example.com" ? other : THUMBPRINT), before);
  const map = "challenges";
  assert.deepEqual(
    changeBetween(before, after)?.maps.set.filter((line) => line.map === map),
    [
      { map, key: "shop.example.com", value: other },
      { map, key: "more.example.com", value: THUMBPRINT, isNew: true },
    ],
  );
  const back = changeBetween(
    after,
    rendered([one], () => THUMBPRINT, after),
  );
  assert.deepEqual(
    back?.maps.deleted.filter((line) => line.map === map),
    [{ map, key: "more.example.com", value: THUMBPRINT }],
  );
  assert.deepEqual(
    arrangementOf(allFiles(after), after.arrangement.last).layout.challenges,
    new Map([
      ["shop.example.com", other],
      ["more.example.com", THUMBPRINT],
    ]),
  );
});

test("without an issuer and a redirect, what is rendered is the same as without port 80", (t) => {
  const given = snapshot({ edges: edgesOn(443), backends, ip_policies: policies });
  const { pem } = certificate(folder(t), ["shop.example.com"]);
  const certificateFor = () => serverCertificate(pem, ["shop.example.com"]);
  const plain = render(given, settings({ certificateFor }));
  for (const thumbprintFor of [undefined, () => undefined]) {
    const issuing = render(given, settings({ certificateFor, http: http({ thumbprintFor }) }));
    assert.deepEqual(allFiles(issuing), allFiles(plain));
    assert.deepEqual([issuing.problems, issuing.listeners], [plain.problems, plain.listeners]);
  }
});

test("port 80 stays with an edge that has it, or another process, and everything else is served", (t) => {
  const base = { backends };
  const { pem } = certificate(folder(t), ["shop.example.com"]);
  const certificateFor = () => serverCertificate(pem, ["shop.example.com"]);
  const shop = https("1", "shop.example.com:443");
  const on = (edges: Edge[], given: Partial<PlainHttp> = {}) => {
    const rendered = render(
      snapshot({ ...base, edges: [shop, ...edges] }),
      settings({ certificateFor, http: http(given) }),
    );
    return {
      addresses: rendered.listeners.filter(({ port }) => port === 80).map(({ address }) => address),
      problems: rendered.problems.map(({ object, code, msg }) => `${object} ${code} ${msg}`),
      challenges: rendered.arrangement.layout.challenges.size,
      count: rendered.listeners.length,
    };
  };
  assert.deepEqual(on([]), { addresses: ["0.0.0.0", "::"], problems: [], challenges: 1, count: 4 });

  const everywhere = on([tcpEdge("edgtcp_1", ["www.example.com:80"], "bkdhr_1")]);
  assert.deepEqual([everywhere.addresses.length, everywhere.challenges, everywhere.count], [2, 0, 4]);
  assert.match(
    everywhere.problems.join(),
    /^agent challenge_port .*no certificates are requested: edgtcp_1 listens/,
  );

  const single = on([tcpEdge("edgtcp_1", ["192.0.2.1:80"], "bkdhr_1")]);
  assert.deepEqual(single.addresses.toSorted(), ["192.0.2.1", "::"]);
  assert.equal(single.challenges, 1);
  assert.match(single.problems.join(), /^agent challenge_port .*not answered on all addresses: edgtcp_1/);

  const ofTls = on([https("2", "other.example.com:80")]);
  assert.match(ofTls.problems.join(), /a TLS or HTTPS edge listens on port 80/);

  const taken = on([], { objectionTo: () => "another process listens there" });
  assert.deepEqual([taken.addresses, taken.challenges, taken.count], [[], 0, 2]);
  assert.match(taken.problems.join(), /^agent challenge_port .*requested: another process listens there\.$/);
});

test("hosts without a certificate answer challenges, and wildcards, addresses and TLS that is passed through do not", () => {
  const passed: Edge = {
    kind: "tls",
    id: "edgtls_9",
    hostports: ["pass.example.com:443"],
    backend: { backend_id: "bkdsc_1" },
  };
  const rendered = render(
    snapshot({
      edges: [
        https("1", "shop.example.com:443"),
        https("2", "192.0.2.1:443"),
        passed,
        tcpEdge("edgtcp_1", ["tcp.example.com:9000"], "bkdhr_1"),
      ],
      backends,
    }),
    settings({ http: http({ thumbprintFor: () => THUMBPRINT }) }),
  );
  assert.deepEqual([...rendered.arrangement.layout.challenges], [["shop.example.com", THUMBPRINT]]);
  assert.match(
    rendered.problems.find(({ object }) => object === "edghts_1")?.msg ?? "",
    /The agent requests one/,
  );
});
