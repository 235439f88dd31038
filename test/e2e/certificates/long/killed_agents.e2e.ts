import assert from "node:assert/strict";
import { createPrivateKey, X509Certificate } from "node:crypto";
import { readFileSync, rmSync } from "node:fs";
import { get } from "node:https";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { freePort } from "../../support/ports.ts";
import { until } from "../../support/wait.ts";
import type { Agent } from "../../traffic/agent.ts";
import { newAgent, newEdge, newPage, shown } from "../machines.ts";
import { newFolder } from "../openssl.ts";
import { type Names, type Pebble, startNames, startPebble, verify } from "../pebble.ts";
import { type IssuingService, type Outside, startIssuing } from "../world.ts";

/*
 * An agent that is killed, or whose HAProxy is reloaded, between two requests to the authority. HAProxy goes on answering challenges.
 */

const folder = newFolder();
const outside: Outside = { roots: "" };
let names: Names;
let pebble: Pebble;
let service: IssuingService;
let agent: Agent;
let httpsPort: number;
let first: string;

before(async () => {
  const [httpPort, port] = [await freePort(), await freePort()];
  httpsPort = port;
  names = await startNames(httpPort);
  pebble = await startPebble(folder, names, { badNonces: 0 });
  outside.roots = pebble.root;
  service = await startIssuing(outside);
  agent = await newAgent(service, "lisbon", `${httpPort} ${port}`);
  await service.call("POST", "/certificate_issuers", {
    directory_url: pebble.directoryUrl,
    terms_of_service_agreed: true,
    hosts: ["*.example.com"],
  });
  // Before the first kill, the account is registered, and HAProxy answers challenges.
  first = await newEdge(service, [`first.example.com:${port}`]);
  await until("the first page is served", () => isServed("first.example.com"));
});
after(async () => {
  await agent.stop();
  await service.stop();
  for (const server of [pebble, names]) server.stop();
  rmSync(folder, { recursive: true });
});

/** Whether the page of a host is served. */
const isServed = (servername: string): Promise<boolean> =>
  new Promise((resolve) => {
    const options = { port: httpsPort, servername, rejectUnauthorized: false, headers: { Host: servername } };
    get({ host: "127.0.0.1", agent: false, ...options }, (response) => {
      response.resume();
      resolve(response.statusCode === 200);
    }).on("error", () => resolve(false));
  });

const reloads = (): number => agent.output().match(/reloaded HAProxy/g)?.length ?? 0;

/**
 * Has a host's certificate issued, and does something once after a request to the authority.
 *
 * @param nth the number of that request; it is not reached if the order needs fewer
 * @returns whether it was reached
 */
async function interrupted(host: string, nth: number, interrupt: () => Promise<void>): Promise<boolean> {
  const root = await pebble.issuingRoot();
  let left = nth;
  let orders = 0;
  let interruption: Promise<void> | undefined;
  outside.after = async ({ url }) => {
    if (url.endsWith("/order-plz")) orders += 1;
    left -= 1;
    // The service finishes this step, although nobody waits for its response.
    if (left === 0) interruption = interrupt();
    await interruption;
  };
  // Without a route, because a new page would need a reload.
  await service.call("POST", "/edges/https", { hostports: [`${host}:${httpsPort}`] });
  await until(`${host} is served`, () => shown(httpsPort, host), 90);
  delete outside.after;
  assert.equal(orders, 1, `${host}: orders`);
  const pem = readFileSync(join(agent.state, "issued", `${host}.pem`), "utf8");
  verify(folder, pem.replace(/-----BEGIN PRIVATE KEY-----[^]*/, ""), root, host);
  assert.ok(new X509Certificate(pem).checkPrivateKey(createPrivateKey(pem)));
  return left <= 0;
}

test("a kill of the agent after each request to the authority loses no order, and HAProxy is not reloaded", async (t) => {
  const killed = (nth: number): Promise<boolean> =>
    interrupted(`killed-${nth}.example.com`, nth, () => agent.restart("SIGKILL"));
  let nth = 1;
  await killed(nth++);
  // By now, the log has the reload for the first page.
  const before = reloads();
  while (await killed(nth)) nth += 1;
  t.diagnostic(`${nth - 1} kills`);
  assert.ok(nth > 8, `${nth - 1} kills`);
  assert.equal(reloads(), before);
});

test("a reload of HAProxy in the middle of an order loses no challenge", async () => {
  for (const nth of [2, 4, 6]) {
    const before = reloads();
    const reload = async (): Promise<void> => {
      await newPage(service, first, `/${nth}`, "another page");
      await until("HAProxy is reloaded", () => reloads() > before);
    };
    assert.ok(await interrupted(`reloaded-${nth}.example.com`, nth, reload), `request ${nth}`);
  }
});
