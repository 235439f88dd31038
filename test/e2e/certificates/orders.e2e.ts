import assert from "node:assert/strict";
import { X509Certificate } from "node:crypto";
import { rmSync } from "node:fs";
import { after, before, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { Response as MadeResponse } from "miniflare";
import { FakeAuthority, newRequest } from "../../support/authority.ts";
import { eventually } from "../support/wait.ts";
import { newFolder } from "./openssl.ts";
import { type Names, type Pebble, startNames, startPebble, verify } from "./pebble.ts";
import {
  AskingAgent,
  givenIssuer,
  type IssuingService,
  LIAR_HOST,
  type Outside,
  startIssuing,
} from "./world.ts";

/*
 * Certificates from Pebble, which rejects a fifth of the nonces, through the deployed Worker: from the request of an agent to a chain
 * that openssl verifies.
 */

const MAC_KEY = "zWNDZM6eQGHWpSRTPal5eIUYFTu7EajVIoguysqZ9wG44nMEtx3MUAsUDkMTQ12W";

const folder = newFolder();
const outside: Outside = { roots: "" };
let names: Names;
let pebble: Pebble;
let bound: Pebble;
let service: IssuingService;
let agent: AskingAgent;

before(async () => {
  names = await startNames();
  pebble = await startPebble(folder, names);
  bound = await startPebble(folder, names, { externalAccounts: { "kid-1": MAC_KEY } });
  outside.roots = pebble.root + bound.root;
  service = await startIssuing(outside);
  agent = new AskingAgent(service, names, "lisbon");
});
after(async () => {
  await service.stop();
  for (const server of [pebble, bound, names]) server.stop();
  rmSync(folder, { recursive: true });
});

/** Checks a chain as a client does. */
async function isGood(chain: string | null, authority: Pebble, host: string, key: Uint8Array): Promise<void> {
  assert.ok(chain !== null);
  verify(folder, chain, await authority.issuingRoot(), host);
  const spki = new X509Certificate(chain).publicKey.export({ type: "spki", format: "der" });
  assert.deepEqual(new Uint8Array(spki), key);
}

test("an order becomes a chain that openssl verifies", async () => {
  const host = "shop.example.com";
  const id = await givenIssuer(service, pebble.directoryUrl, [host]);
  await agent.report();
  // The account is registered in the background.
  const issuer = await eventually(async () => {
    const found = await service.call("GET", `/certificate_issuers/${id}`);
    assert.match(String(found["account_uri"]), /^https:\/\/acme\.authority\.test:\d+\//);
    return found;
  });
  assert.equal(issuer["last_error"], null);
  const { chain, renews_at, key, csr } = await agent.obtain(host);
  await isGood(chain, pebble, host, key);
  assert.ok(Date.parse(renews_at ?? "") > Date.now());
  assert.deepEqual((await agent.ask(host, csr)).chain, chain);
});

test("ten certificates, one after another, although a fifth of the nonces is rejected", async () => {
  const hosts = Array.from({ length: 10 }, (_, i) => `host-${i}.example.com`);
  await givenIssuer(service, pebble.directoryUrl, hosts);
  await agent.report();
  const before = performance.now();
  for (const host of hosts) {
    const { chain, key } = await agent.obtain(host);
    await isGood(chain, pebble, host, key);
  }
  console.log(`ten certificates: ${Math.round(performance.now() - before)} ms`);
});

test("an account is bound to an external one", async () => {
  const host = "bound.example.com";
  const id = await givenIssuer(service, bound.directoryUrl, [host]);
  await agent.report();
  const { csr, key } = await newRequest(host);
  const failing = await agent.until("failing", host, csr);
  assert.match(failing.last_error ?? "", /requires an external account/);
  assert.match(
    String((await service.call("GET", `/certificate_issuers/${id}`))["last_error"]),
    /external account/,
  );
  await service.call("PATCH", `/certificate_issuers/${id}`, {
    external_account: { key_id: "kid-1", hmac_key: MAC_KEY },
  });
  await eventually(async () =>
    assert.equal(typeof (await service.call("GET", `/certificate_issuers/${id}`))["account_uri"], "string"),
  );
  await service.call("POST", `/certificates/${host}/renew`);
  const { chain } = await agent.until("issued", host, csr);
  await isGood(chain, bound, host, key);
});

test("two agents get their own certificates for one host", async () => {
  const host = "both.example.com";
  await givenIssuer(service, pebble.directoryUrl, [host]);
  const other = new AskingAgent(service, names, "porto");
  await Promise.all([agent.report(), other.report()]);
  const [first, second] = await Promise.all([agent.obtain(host), other.obtain(host)]);
  await isGood(first.chain, pebble, host, first.key);
  await isGood(second.chain, pebble, host, second.key);
  assert.notEqual(first.chain, second.chain);
});

test("a challenge that nobody answers is rejected, in Pebble's words", async () => {
  const host = "nobody.example.com";
  await givenIssuer(service, pebble.directoryUrl, [host]);
  await agent.report();
  names.thumbprints.delete(host);
  const { csr } = await newRequest(host);
  const { last_error, retry_after } = await agent.until("failing", host, csr);
  assert.match(last_error ?? "", /unauthorized: .*404/);
  assert.ok(retry_after > 50 && retry_after <= 60);
  const { certificates } = await service.call("GET", `/certificates?host=${host}`);
  const [shown]: Record<string, unknown>[] = Object(certificates);
  assert.equal(shown?.["state"], "failing");
  assert.equal(shown["last_error"], last_error);
  // Somebody repairs it, and does not want to wait.
  await agent.learn();
  await service.call("POST", `/certificates/${host}/renew`);
  await agent.until("issued", host, csr);
});

test("a connection that is closed is no rejection", async () => {
  const host = "closed.example.com";
  await givenIssuer(service, pebble.directoryUrl, [host]);
  await agent.report();
  outside.before = ({ url, method }) => {
    if (method === "POST" && url.endsWith("/order-plz")) throw new Error("closed");
  };
  const { csr } = await newRequest(host);
  try {
    const { state, retry_after, last_error } = await agent.ask(host, csr);
    assert.deepEqual([state, retry_after], ["pending", 60]);
    // Miniflare answers for a server that cannot be reached.
    assert.match(last_error ?? "", /could not be reached|status 500/);
  } finally {
    delete outside.before;
  }
});

test("if the authority forgets everything, the account is registered again with the same key", async () => {
  const host = "forgotten.example.com";
  const id = await givenIssuer(service, pebble.directoryUrl, [host]);
  await agent.report();
  const uri = await eventually(async () => {
    const found = await service.call("GET", `/certificate_issuers/${id}`);
    assert.equal(typeof found["account_uri"], "string");
    return found["account_uri"];
  });
  await pebble.restart();
  const { chain, key } = await agent.obtain(host);
  await isGood(chain, pebble, host, key);
  const found = await service.call("GET", `/certificate_issuers/${id}`);
  assert.notEqual(found["account_uri"], uri);
  assert.match(String(found["last_error"]), /CAA/);
  const { problems } = await service.call("GET", "/problems");
  const codes = Array.from(Object(problems), (problem) => Object(problem).code);
  assert.ok(codes.includes("issuer_account_changed"));
});

test("renewal follows the authority's suggestion", async () => {
  const host = "renewed.example.com";
  const liar = new FakeAuthority(`https://${LIAR_HOST}`);
  outside.liar = (request) => answeredBy(liar, request);
  const at = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString();
  liar.window = { body: { suggestedWindow: { start: at(-2), end: at(-1) } } };
  await givenIssuer(service, `${liar.origin}/dir`, [host]);
  await agent.report();
  const first = await agent.obtain(host);
  const { renews_at } = await agent.ask(host, first.csr);
  assert.ok(Date.parse(renews_at ?? "") < Date.now());
  const second = await agent.obtain(host);
  assert.notEqual(second.chain, first.chain);
  const orders = liar.got
    .filter(({ path }) => path === "/new-order")
    .map(({ payload }) => payload["replaces"]);
  assert.equal(orders.length, 2);
  assert.match(String(orders[1]), /^AQIDBA\./);
});

test("an authority that lies over the network is rejected", async () => {
  const liar = new FakeAuthority(`https://${LIAR_HOST}`);
  outside.liar = (request) => answeredBy(liar, request);
  const cases: [name: string, answer: () => Response, reason: RegExp][] = [
    ["endless", () => new Response(endless()), /longer than 100000 bytes/],
    ["huge", () => new Response(`{"status":"${"x".repeat(200_000)}"}`), /longer than 100000 bytes/],
    [
      "redirect",
      () => new Response(null, { status: 307, headers: { Location: `https://${LIAR_HOST}/dir` } }),
      /redirect/,
    ],
    [
      "elsewhere",
      () => Response.json({ status: "valid", certificate: "https://127.0.0.1/secret" }),
      /another origin/,
    ],
  ];
  for (const [name, answer, reason] of cases) {
    const host = `${name}.liar.example.com`;
    await givenIssuer(service, `${liar.origin}/dir`, [host]);
    await agent.report();
    liar.instead = ({ path }) => (path.startsWith("/order/") ? answer() : undefined);
    const { last_error, chain } = await agent.until("failing", host, (await newRequest(host)).csr);
    assert.equal(chain, null);
    assert.match(last_error ?? "", reason, name);
  }
});

test("an authority that does not respond costs ten seconds", async () => {
  const host = "slow.liar.example.com";
  const liar = new FakeAuthority(`https://${LIAR_HOST}`);
  outside.liar = (request) => answeredBy(liar, request);
  await givenIssuer(service, `${liar.origin}/dir`, [host]);
  await agent.report();
  liar.instead = async ({ path }) => {
    if (path.startsWith("/new-order")) await sleep(12_000);
    return undefined;
  };
  const before = performance.now();
  const { last_error, state } = await agent.ask(host, (await newRequest(host)).csr);
  const milliseconds = performance.now() - before;
  assert.deepEqual([state, last_error], ["pending", "The authority did not respond within 10 seconds."]);
  assert.ok(milliseconds > 9_500 && milliseconds < 11_900, `${milliseconds} ms`);
});

test("an authority whose response never ends, byte by byte, costs ten seconds", async () => {
  const host = "drip.liar.example.com";
  const liar = new FakeAuthority(`https://${LIAR_HOST}`);
  outside.liar = (request) => answeredBy(liar, request);
  await givenIssuer(service, `${liar.origin}/dir`, [host]);
  await agent.report();
  liar.instead = ({ path }) => (path.startsWith("/new-order") ? new Response(drip()) : undefined);
  const before = performance.now();
  const { last_error, state } = await agent.ask(host, (await newRequest(host)).csr);
  const milliseconds = performance.now() - before;
  assert.deepEqual([state, last_error], ["pending", "The authority did not respond within 10 seconds."]);
  assert.ok(milliseconds > 9_500 && milliseconds < 11_900, `${milliseconds} ms`);
});

/** A byte every half second, for half a minute. */
const drip = (): ReadableStream => {
  let bytes = 0;
  return new ReadableStream({
    pull: async (controller) => {
      await sleep(500);
      bytes += 1;
      if (bytes > 60) controller.close();
      else controller.enqueue(new Uint8Array(1).fill(0x20));
    },
  });
};

/** Far longer than a response may be, and so slow that reading it takes seconds. */
const endless = (): ReadableStream => {
  let chunks = 0;
  return new ReadableStream({
    pull: async (controller) => {
      await sleep(5);
      chunks += 1;
      if (chunks > 400) controller.close();
      else controller.enqueue(new Uint8Array(16_384).fill(0x20));
    },
  });
};

/** Asks an authority in memory. */
async function answeredBy(
  authority: FakeAuthority,
  request: Parameters<NonNullable<Outside["liar"]>>[0],
): Promise<MadeResponse> {
  const body = request.method === "POST" ? await request.text() : undefined;
  const { method, url } = request;
  const answer = await authority.answer(new Request(url, { method, ...(body !== undefined && { body }) }));
  const headers: [string, string][] = [...answer.headers];
  return new MadeResponse(answer.body, { status: answer.status, headers });
}
