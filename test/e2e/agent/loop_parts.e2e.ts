import assert from "node:assert/strict";
import { copyFileSync } from "node:fs";
import { createServer } from "node:http";
import { hostname, networkInterfaces } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { HostAddresses } from "../../../packages/agent/src/addresses.ts";
import { parsed } from "../../../packages/agent/src/args.ts";
import { CertificateFolder } from "../../../packages/agent/src/certificate_folder.ts";
import { Certificates } from "../../../packages/agent/src/certificates.ts";
import { Counters } from "../../../packages/agent/src/exporter.ts";
import { isThisMachine, listenerGuard, upstreamGuard } from "../../../packages/agent/src/guard.ts";
import { Poller } from "../../../packages/agent/src/poller.ts";
import { findRejected } from "../../../packages/agent/src/rejected.ts";
import { parseHostport } from "../../../packages/agent/src/render/hostport.ts";
import { Service, statusBody } from "../../../packages/agent/src/service.ts";
import { noLists } from "../../../packages/model/src/traffic/stored_snapshot.ts";
import { fixed, world } from "./agent.ts";
import { listening } from "./calls.ts";
import { certificate, folder, freePort, httpsEdge, snapshot, tcpEdge } from "./proxy.ts";

/*
 * Parts of the agent by themselves.
 */

test("a copy that is not what the service has is replaced and reported, until the next comparison", async (t) => {
  const empty = noLists();
  const page = (body: string) => ({
    id: "bkdhr_1",
    kind: "http_response",
    status_code: 200,
    headers: null,
    body,
  });
  const edge = {
    id: "edgtcp_1",
    hostports: ["192.0.2.1:80"],
    backend: { enabled: true, backend_id: "bkdhr_1" },
    ip_restriction: null,
    traffic_policy: null,
  };
  let body = "old";
  const server = createServer((request, response) => {
    const isWhole = !request.url?.includes("since");
    const put = isWhole ? { ...empty, tcp: [edge], backends: [page(body)] } : empty;
    const [from, version] = [isWhole ? null : 7, 7];
    response.end(
      JSON.stringify({ from, version, next: "e-stored-2-7", put, rules: [], deleted: [], compiled: [] }),
    );
  });
  const port = await listening(t, server);
  const poller = new Poller(new Service(`http://127.0.0.1:${port}`, "key"), new Counters());
  const poll = () => poller.poll(undefined, AbortSignal.timeout(5_000));
  assert.equal(await poll(), true);
  assert.equal(await poll(), false);
  assert.deepEqual(poller.problems(), []);

  let now = performance.now();
  t.mock.method(performance, "now", () => now);
  const sixHours = 6 * 3_600_000 + 1;
  now += sixHours;
  assert.equal(await poll(), true);
  assert.deepEqual(poller.problems(), []);
  // A change without an event, so that no response has it.
  body = "new";
  assert.equal(await poll(), false);
  now += sixHours;
  assert.equal(await poll(), true);
  assert.deepEqual(
    poller.problems().map(({ code }) => code),
    ["drift"],
  );
  assert.deepEqual(Object(poller.latest?.snapshot.backends["bkdhr_1"]).body, "new");
  now += sixHours;
  await poll();
  assert.deepEqual(poller.problems(), []);
});

test("upstreams are neither this machine nor metadata, unless allowed", () => {
  const isAllowed = upstreamGuard([]);
  for (const address of [
    "10.0.0.1",
    "192.168.1.1",
    "203.0.113.5",
    "fd12::1",
    "2001:db8::1",
    "64:ff9b::a00:1",
  ])
    assert.ok(isAllowed(address), address);
  const own = Object.values(networkInterfaces()).flatMap((list) =>
    (list ?? []).map(({ address }) => address),
  );
  const refused = [
    "127.0.0.1",
    "127.9.9.9",
    "0.0.0.0",
    "169.254.169.254",
    "100.100.100.200",
    "168.63.129.16",
  ];
  const refusedSix = [
    "::1",
    "::",
    "fe80::1",
    "fd00:ec2::254",
    "::ffff:127.0.0.1",
    "::7f00:1",
    "64:ff9b::7f00:1",
    "64:ff9b:1::7f00:1",
    "::ffff:0:127.0.0.1",
  ];
  for (const address of [...refused, ...refusedSix, "2002:7f00:1::", "ff02::1", "example.com", "", ...own])
    assert.ok(!isAllowed(address), address);
  const permissive = upstreamGuard([{ address: "127.0.0.0", prefix: 8 }]);
  assert.ok(permissive("127.0.0.1"));
  assert.ok(permissive("::ffff:127.0.0.1"));
  assert.ok(!permissive("::1"));
});

const nothing = {
  servicePort: undefined,
  allowPorts: new Set<number>(),
  allowListen: [],
  only: new Set<string>(),
};
const codesOf = (given: Partial<Parameters<typeof listenerGuard>[0]>, hostports: string[]) => {
  const objectionTo = listenerGuard({ ...nothing, ...given });
  return hostports.map((text) => objectionTo(parseHostport(text))?.code ?? "");
};

test("edges listen on no port below 1024 except 80, 443 and those that are allowed", () => {
  const codes = codesOf(
    { allowPorts: new Set([25]) },
    [80, 443, 25, 1024, 65_535, 1, 22, 1023].map((port) => `192.0.2.1:${port}`),
  );
  assert.deepEqual(codes, ["", "", "", "", "", "port_refused", "port_refused", "port_refused"]);
});

test("edges listen on loopback only where the operator says so", () => {
  const loopback = [
    "127.0.0.1:8800",
    "127.255.255.254:8800",
    "[::1]:8800",
    "[::ffff:127.0.0.1]:8800",
    "[::7f00:1]:8800",
  ];
  const others = ["192.0.2.1:8800", "[2001:db8::1]:8800", "0.0.0.0:8800", "[::]:8800", "localhost:8800"];
  assert.deepEqual(
    codesOf({}, loopback),
    loopback.map(() => "loopback_refused"),
  );
  assert.deepEqual(
    codesOf({}, others),
    others.map(() => ""),
  );
  const allowed = (...args: string[]) => {
    const options = parsed([...right, ...args.flatMap((one) => ["--allow-listen", one])], {
      EDGE_AGENT_KEY: "k",
    });
    assert.ok(typeof options === "object");
    return codesOf(options, ["127.0.0.1:8800", "127.0.0.1:8801", "127.0.0.2:8800", "[::1]:8800"]).map(
      (code) => code === "",
    );
  };
  assert.deepEqual(allowed("127.0.0.1:8800"), [true, false, false, false]);
  assert.deepEqual(allowed("[::1]:8800"), [false, false, false, true]);
  assert.deepEqual(allowed("127.0.0.0/8"), [true, true, true, false]);
  assert.deepEqual(allowed("127.0.0.1", "::1"), [true, true, false, true]);
  assert.deepEqual(codesOf({ only: new Set(["127.0.0.1:8800"]) }, ["127.0.0.1:8800", "127.0.0.1:8801"]), [
    "",
    "loopback_refused",
  ]);
  assert.deepEqual(codesOf({ only: new Set([":8800"]) }, ["127.0.0.1:8800"]), ["loopback_refused"]);
});

test("edges never listen on the port of a service on this machine, whatever is allowed", () => {
  const hostports = ["127.0.0.1:8787", "127.9.9.9:8787", "[::1]:8787", "0.0.0.0:8787", "[::]:8787"];
  const named = ["localhost:8787", "x.example:8787", "192.0.2.1:8787", "[2001:db8::1]:8787"];
  const codes = codesOf(
    {
      servicePort: 8787,
      allowListen: [
        { address: "0.0.0.0", prefix: 0 },
        { address: "::", prefix: 0 },
      ],
      only: new Set([...hostports, ...named]),
    },
    [...hostports, ...named],
  );
  assert.ok(
    codes.every((code) => code === "service_port"),
    codes.join(" "),
  );
});

test("this machine is known by every name and address that it has", () => {
  const own = Object.values(networkInterfaces()).flatMap((list) =>
    (list ?? []).map(({ address, family }) => (family === "IPv6" ? `[${address}]` : address)),
  );
  const hosts = [
    "127.1",
    "0x7f000001",
    "2130706433",
    "0",
    "127.0.0.1",
    "[::1]",
    "[::]",
    "[::ffff:127.0.0.1]",
    "LOCALHOST",
  ];
  const names = ["localhost.", "a.localhost", hostname(), "here.example", "HERE.example."];
  for (const host of [...hosts, ...names, ...own]) {
    const url = new URL(`http://${host}:8787`);
    const lookUp = (name: string) => (name === "here.example" ? ["192.0.2.1", "127.0.1.1"] : undefined);
    assert.ok(isThisMachine(url.hostname, lookUp), host);
  }
  for (const host of ["192.0.2.1", "[2001:db8::1]", "api.example.com", "[::ffff:192.0.2.1]"])
    assert.ok(!isThisMachine(new URL(`http://${host}`).hostname, () => ["192.0.2.1"]), host);
});

test("a status has at most 16 KiB, and 64 with which edges are served", () => {
  const problems = Array.from({ length: 5000 }, (_, index) => ({
    object: `edg_${index}`,
    code: "port_taken",
    msg: "é".repeat(1000),
  }));
  const status = { applied_version: 1, ok: true, error: "é".repeat(50_000), problems, proxy: null };
  const text = statusBody(status);
  assert.ok(Buffer.byteLength(text) <= 16 * 1024 && Buffer.byteLength(text) > 15 * 1024);
  const kept: typeof status = JSON.parse(text);
  assert.match(kept.problems.at(-1)?.msg ?? "", new RegExp(`^${5001 - kept.problems.length} more problems`));
  const edges = (codes: number) => ({
    count: 10_000,
    digest: "0".repeat(16),
    exceptions: Array.from({ length: codes }, (_, index) => ({
      effect: "not_served" as const,
      code: `code_${index}`,
      msg: "é".repeat(1000),
      edges: "A".repeat(1668),
    })),
  });
  const withEdges = statusBody({ ...status, edges: edges(15) });
  assert.ok(Buffer.byteLength(withEdges) <= 64 * 1024);
  assert.equal(JSON.parse(withEdges).edges.exceptions[14].msg.length, 400);
  assert.equal(statusBody({ ...status, edges: edges(30) }), text);
  const small = { ...status, error: null, problems: problems.slice(0, 1) };
  assert.equal(JSON.parse(statusBody(small)).problems.length, 1);
});

test("a certificate for the very name wins over a wildcard that is valid longer", async (t) => {
  const [from, made] = [folder(t), folder(t)];
  copyFileSync(certificate(made, ["a.example.com", "192.0.2.1"]).pem, join(from, "own.pem"));
  const longer = certificate(made, ["*.example.com"], undefined, undefined, 3);
  copyFileSync(longer.pem, join(from, "wild.pem"));
  const certificates = new Certificates([new CertificateFolder(from, "file")]);
  assert.ok(certificates.refresh());
  assert.ok(!certificates.refresh(), "nothing has changed");
  const own = certificates.bestFor("a.example.com");
  assert.ok(own !== undefined && own !== certificates.bestFor("b.example.com"));
  assert.equal(certificates.bestFor("192.0.2.1"), own);
  assert.equal(certificates.bestFor("192.0.2.2"), undefined);
  assert.equal(certificates.bestFor("example.com"), undefined);
  assert.deepEqual(certificates.problems(), []);
});

test("finds what HAProxy rejects with few checks", async () => {
  const edges = Array.from({ length: 1000 }, (_, index) => tcpEdge(`e${index}`, [`h:${index + 1}`], "b"));
  const bad = new Set(["e3", "e500", "e999"]);
  let checks = 0;
  const found = await findRejected(snapshot({ edges }), async (without) => {
    checks += 1;
    return { ok: [...bad].every((id) => without.has(id)), message: "no" };
  });
  assert.deepEqual([...(found?.keys() ?? [])], [...bad]);
  assert.ok(checks <= 2 * 10 * bad.size + 1, `${checks} checks`);
  const never = await findRejected(snapshot({ edges }), async () => ({ ok: false, message: "no" }));
  assert.equal(never, undefined, "too many to look for");
  // With too many such routes to find each, their edge is left out, and the rest is applied.
  const routes = Array.from({ length: 1000 }, (_, index) => ({
    ...({ id: `r${index}`, match_type: "exact_path", match: `/${index}` } as const),
    backend: { backend_id: "b" },
  }));
  const many = httpsEdge("many", ["h:443"], routes);
  const crowded = await findRejected(snapshot({ edges: [many, ...edges] }), async (without) => ({
    ok: without.has("many") || routes.every(({ id }, index) => index % 2 === 0 || without.has(id)),
    message: "no",
  }));
  assert.deepEqual([...(crowded ?? [])], [["many", { kind: "edge", message: "no" }]]);
});

test("names come from /etc/hosts or DNS, and keep their addresses when nobody answers", async () => {
  const backends = {
    a: { kind: "static", address: "localhost:80", tls: false },
    b: { kind: "static", address: "nowhere.invalid.:80", tls: false },
    c: { kind: "static", address: "192.0.2.1:80", tls: false },
  } as const;
  const names = new HostAddresses({ "nowhere.invalid": ["192.0.2.9"] });
  const begin = Date.now();
  await names.refresh(snapshot({ backends }));
  assert.ok(Date.now() - begin < 15_000);
  assert.ok(names.of("localhost")?.includes("127.0.0.1"));
  assert.deepEqual(names.of("nowhere.invalid"), ["192.0.2.9"]);
  assert.deepEqual(Object.keys(names.saved), ["localhost", "nowhere.invalid"]);
});

const right = ["--service", "https://api.example.com/v/", "--name", "edge-1", "--certificates", "/c"];

test("a wrong option is reported, and the key is only taken from the environment", () => {
  const options = parsed(right, { EDGE_AGENT_KEY: "k" });
  assert.ok(typeof options === "object" && options.service === "https://api.example.com/v");
  const key = { EDGE_AGENT_KEY: "k" };
  for (const [args, told] of [
    [["--name", "a"], /Missing option: --service/],
    [["--service", "ftp://a", "--name", "a", "--certificates", "c"], /is not a valid service URL/],
    [["--service", "https://u:p@a", "--name", "a", "--certificates", "c"], /user name or password/],
    [[...right, "--name", "-a"], /argument is ambiguous|not a valid agent name/],
    [[...right, "--allow-upstream", "10.0.0.0/33"], /expected an address or CIDR/],
    [[...right, "--allow-upstream", "127.0.0.1/8"], /host bits.*127\.0\.0\.0\/8/i],
    [[...right, "--allow-listen", "127.0.0.1/8"], /host bits.*127\.0\.0\.0\/8/i],
    [[...right, "--certificate", "c"], /Unknown option '--certificate'\. Did you mean --certificates\?/],
    [[...right, "--allow-port", "0"], /from 1 to 65535/],
    [[...right, "--allow-listen", "localhost:80"], /expected an address with a port/],
    [[...right, "--allow-listen", "127.0.0.1:70000"], /expected an address with a port/],
    [[...right, "--poll", "x"], /expected a number of seconds/],
    [[...right, "--upstream-timeout", "0"], /whole number of seconds from 1 to 3600/],
    [[...right, "--upstream-timeout", "3601"], /whole number of seconds from 1 to 3600/],
    [[...right, "--upstream-timeout", "1.5"], /whole number of seconds from 1 to 3600/],
    [[...right, "--key", "k"], /Unknown option/],
  ] as const)
    assert.throws(() => parsed([...args], key), told);
  assert.throws(() => parsed(right, {}), /No API key/);
  assert.throws(() => parsed(right, { EDGE_AGENT_KEY: "a\nb" }), /is not an API key/);
  const help = parsed(["--help"], {});
  assert.ok(typeof help === "string" && help.includes("Exit status"));
});

test("--check prints problems and serves nothing", async (t) => {
  const here = await world(t);
  const port = await freePort();
  here.service.publish({
    edges: [tcpEdge("edgtcp_1", [`127.0.0.1:${port}`], "bkdhr_1")],
    backends: { bkdhr_1: fixed("x") },
  });
  const run = async (...options: string[]): Promise<number | null> => {
    const child = here.start(["--check", ...options]);
    await new Promise((resolve) => child.on("exit", resolve));
    return child.exitCode;
  };
  assert.equal(await run(), 0);
  here.service.publish({ edges: [tcpEdge("edgtcp_1", ["127.0.0.1:25"], "bkdhr_1")] });
  assert.equal(await run(), 2);
  assert.match(here.log(), /edgtcp_1: port_refused/);
  assert.equal(await run("--haproxy", "no-such-program"), 1);
  assert.match(here.log(), /The program no-such-program was not found: install HAProxy/);
  await here.service.stop();
  assert.equal(await run(), 1);
  assert.match(here.log(), /Cannot reach http:\S+: nothing listens there \(ECONNREFUSED\)\.$/m);
});
