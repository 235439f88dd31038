import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { createPrivateKey, X509Certificate } from "node:crypto";
import { existsSync, readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { freePort } from "../support/ports.ts";
import { eventually, until } from "../support/wait.ts";
import type { Agent } from "../traffic/agent.ts";
import { newAgent, newEdge, shown } from "./machines.ts";
import { newFolder } from "./openssl.ts";
import { type Names, type Pebble, startNames, startPebble, verify } from "./pebble.ts";
import { type IssuingService, type Outside, startIssuing } from "./world.ts";

/*
 * Real agents with HAProxy, which get certificates from Pebble through the deployed Worker, from an edge without files to a page that curl
 * trusts.
 */

const SHOP = "shop.example.com";
const folder = newFolder();
const outside: Outside = { roots: "" };
const agents: Agent[] = [];
let names: Names;
let pebble: Pebble;
let service: IssuingService;
let httpsPort: number;
let issuingRoot: string;
/** To the authority. */
let requests = 0;
/** Pebble asks the first agent, whichever has requested the certificate. */
let httpPort: number;

before(async () => {
  [httpPort, httpsPort] = [await freePort(), await freePort()];
  names = await startNames();
  pebble = await startPebble(folder, { ...names, httpPort });
  outside.roots = pebble.root;
  outside.before = () => {
    requests += 1;
  };
  service = await startIssuing(outside);
  issuingRoot = await pebble.issuingRoot();
});
after(async () => {
  for (const agent of agents) await agent.stop();
  await service.stop();
  for (const server of [pebble, names]) server.stop();
  rmSync(folder, { recursive: true });
});

async function startMachine(name: string, ports: string, more: string[] = []): Promise<Agent> {
  const agent = await newAgent(service, name, ports, more);
  agents.push(agent);
  return agent;
}

const curl = (host: string): string => {
  const root = join(folder, "issuing.pem");
  execFileSync("sh", ["-c", 'cat > "$1"', "sh", root], { input: issuingRoot });
  const args = [
    "-sS",
    "--fail",
    "--cacert",
    root,
    "--resolve",
    `${host}:${httpsPort}:127.0.0.1`,
    `https://${host}:${httpsPort}/`,
  ];
  return execFileSync("curl", args, { encoding: "utf8" });
};

const listed = async (host: string): Promise<Record<string, unknown>> => {
  const { certificates } = await service.call("GET", `/certificates?host=${host}`);
  const [first]: Record<string, unknown>[] = Object(certificates);
  return first ?? {};
};

test("an edge without files gets a certificate that curl trusts, and the service never has the key", async (t) => {
  await newEdge(service, [`${SHOP}:${httpsPort}`]);
  const hosts = ["*.example.com"];
  await service.call("POST", "/certificate_issuers", {
    directory_url: pebble.directoryUrl,
    terms_of_service_agreed: true,
    hosts,
  });
  const begin = performance.now();
  const agent = await startMachine("lisbon", `${httpPort} ${httpsPort}`, [
    "--only",
    `:${httpsPort}`,
    "--allow-upstream",
    "127.0.0.0/8",
    "--redirect-http",
  ]);
  await until("the certificate is served", () => shown(httpsPort, SHOP));
  t.diagnostic(`served ${Math.round(performance.now() - begin)} ms after the agent's start`);
  assert.equal(curl(SHOP), `Hello from ${SHOP}:${httpsPort}`);
  const pem = join(agent.state, "issued", `${SHOP}.pem`);
  assert.equal(statSync(pem).mode & 0o777, 0o600);
  const chain = readFileSync(pem, "utf8");
  verify(folder, chain.replace(/-----BEGIN PRIVATE KEY-----[^]*/, ""), issuingRoot, SHOP);
  assert.ok(new X509Certificate(chain).checkPrivateKey(createPrivateKey(chain)));
  await eventually(async () => {
    const { source, state } = await listed(SHOP);
    assert.deepEqual({ source, state }, { source: "issued", state: "valid" });
  });

  const [again, reloads] = [performance.now(), agent.output().match(/reloaded HAProxy/g)?.length];
  await newEdge(service, [`more.example.com:${httpsPort}`]);
  await until("the second one is served", () => shown(httpsPort, "more.example.com"));
  t.diagnostic(`the second one ${Math.round(performance.now() - again)} ms after its edge`);
  assert.equal(agent.output().match(/reloaded HAProxy/g)?.length, reloads, "no reload");
});

test("a second machine gets a certificate of its own, although the authority asks the first one", async () => {
  const [ownHttp, ownHttps] = [await freePort(), await freePort()];
  const second = await startMachine("porto", `${ownHttp} ${ownHttps}`, ["--only", `:${ownHttps}`]);
  await newEdge(service, [`both.example.com:${httpsPort}`, `both.example.com:${ownHttps}`]);
  // If the second one knows the edge before the first one, the authority rejects its request, and the next one follows after a minute.
  const [first, own] = await Promise.all([
    until("it is served on the first machine", () => shown(httpsPort, "both.example.com"), 90),
    until("it is served on the second one", () => shown(ownHttps, "both.example.com"), 90),
  ]);
  assert.notEqual(own.serialNumber, first.serialNumber);
  const pem = readFileSync(join(second.state, "issued", "both.example.com.pem"), "utf8");
  verify(folder, pem.replace(/-----BEGIN PRIVATE KEY-----[^]*/, ""), issuingRoot, "both.example.com");
});

test("a renewal that somebody wants replaces key and certificate without a reload", async () => {
  const [agent] = agents;
  const before = await shown(httpsPort, SHOP);
  const reloads = agent?.output().match(/reloaded HAProxy/g)?.length;
  await service.call("POST", `/certificates/${SHOP}/renew`);
  // A restart asks within a minute; otherwise it takes up to ten.
  await agent?.restart("SIGKILL");
  const next = await until(
    "the next one is served",
    async () => {
      const found = await shown(httpsPort, SHOP);
      return found && found.serialNumber !== before?.serialNumber ? found : undefined;
    },
    80,
  );
  assert.notEqual(
    next.publicKey.export({ type: "spki", format: "pem" }),
    before?.publicKey.export({ type: "spki", format: "pem" }),
  );
  assert.equal(agent?.output().match(/reloaded HAProxy/g)?.length, reloads, "no reload");
  assert.equal(curl(SHOP), `Hello from ${SHOP}:${httpsPort}`);
});

test("a hundred hosts at once get their certificates, and no request is rejected", async (t) => {
  const hosts = Array.from({ length: 100 }, (_, index) => `host-${index}.example.com`);
  const [agent] = agents;
  requests = 0;
  const begin = performance.now();
  for (let start = 0; start < hosts.length; start += 25)
    await newEdge(
      service,
      hosts.slice(start, start + 25).map((host) => `${host}:${httpsPort}`),
    );
  const waiting = new Set(hosts);
  await until("all are served", async () => {
    for (const host of waiting) if (await shown(httpsPort, host)) waiting.delete(host);
    return waiting.size === 0;
  });
  const seconds = ((performance.now() - begin) / 1_000).toFixed(1);
  t.diagnostic(`served after ${seconds} s, with ${requests} requests to the authority`);
  assert.doesNotMatch(agent?.output() ?? "", /is failing|Cannot request/);
  const { certificates } = await service.call("GET", "/certificates?limit=100&state=failing");
  assert.deepEqual(certificates, []);
  // Ten for a certificate, and two more for each nonce that is rejected.
  assert.ok(requests < 2_000, `${requests} requests`);
});

test("edges that let nobody in get certificates too, and still let nobody in", async () => {
  const [page, stream] = ["closed.example.com", "stream.example.com"];
  const { id: policy } = await service.call("POST", "/ip_policies", { description: "without rules" });
  const ip_restriction = { ip_policy_ids: [policy] };
  await newEdge(service, [`${page}:${httpsPort}`], { ip_restriction });
  const { id: backend } = await service.call("POST", "/backends/static", { address: "127.0.0.1:9" });
  await service.call("POST", "/edges/tls", {
    hostports: [`${stream}:${httpsPort}`],
    tls_termination: { terminate_at: "edge" },
    backend: { backend_id: backend },
    ip_restriction,
  });
  const [agent] = agents;
  const { state } = agent ?? assert.fail();
  for (const host of [page, stream])
    await until(`${host} has a certificate`, () => existsSync(join(state, "issued", `${host}.pem`)));
  await until("the page's is served", () => shown(httpsPort, page));
  const response = execFileSync(
    "curl",
    ["-sk", "-i", "--resolve", `${page}:${httpsPort}:127.0.0.1`, `https://${page}:${httpsPort}/`],
    { encoding: "utf8" },
  );
  assert.match(response, /^HTTP\S+ 403/);
  assert.equal(await shown(httpsPort, stream), undefined);
  const everybody = { ip_policy_id: policy, cidr: "127.0.0.0/8", action: "allow" };
  await service.call("POST", "/ip_policy_rules", everybody);
  await until("those who are let in get the stream's certificate", () => shown(httpsPort, stream));
});
