import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { after, before, test } from "node:test";
import { newRequest } from "../../../support/authority.ts";
import { newFolder } from "../openssl.ts";
import { type Names, type Pebble, startNames, startPebble, verify } from "../pebble.ts";
import { AskingAgent, callerOf, givenIssuer, type Outside, startIssuing } from "../world.ts";

/*
 * Orders that are interrupted: by a kill of the service after each request to the authority, and by another isolate at the same time.
 */

const folder = newFolder();
const outside: Outside = { roots: "" };
let names: Names;
let pebble: Pebble;

before(async () => {
  names = await startNames();
  pebble = await startPebble(folder, names, { badNonces: 0 });
  outside.roots = pebble.root;
});
after(() => {
  pebble.stop();
  names.stop();
  rmSync(folder, { recursive: true });
});

test("a kill after each request to the authority loses no certificate, and makes no second order that is finalized", async () => {
  const service = await startIssuing(outside);
  try {
    const agent = new AskingAgent(service, names, "lisbon");
    const hosts = Array.from({ length: 12 }, (_, i) => `killed-${i}.example.com`);
    await givenIssuer(service, pebble.directoryUrl, hosts);
    await agent.report();
    // The account is registered before the first kill.
    await agent.obtain("killed-0.example.com");
    const root = await pebble.issuingRoot();
    let kills = 0;
    for (const [index, host] of hosts.slice(1).entries()) {
      const { csr } = await newRequest(host);
      let left = index + 1;
      let finalized = 0;
      outside.after = async ({ url }) => {
        if (url.includes("/finalize-order/")) finalized += 1;
        if (--left > 0) return;
        delete outside.after;
        kills += 1;
        await service.kill();
      };
      const isDone = await agent.until("issued", host, csr).then(
        () => true,
        () => false,
      );
      delete outside.after;
      if (!isDone) {
        // Instead of waiting for a minute until the lease ends.
        service.sql("update certificate_orders set lease_until = 0");
        await service.restart();
        outside.after = ({ url }) => {
          if (url.includes("/finalize-order/")) finalized += 1;
        };
        const { chain } = await agent.until("issued", host, csr);
        delete outside.after;
        verify(folder, chain ?? "", root, host);
      }
      assert.equal(finalized, 1, `${host}: ${finalized} finalizations`);
      if (left > 0) break;
    }
    console.log(`${kills} kills`);
    assert.ok(kills >= 8, `${kills} kills`);
    const { events } = await service.call("GET", "/events?limit=100");
    const issued = Array.from(Object(events), (event) => Object(event)).filter(
      ({ event_type }) => event_type === "certificate_issued.v0",
    );
    const recorded = issued.map(({ object }) => String(object.host));
    assert.equal(new Set(recorded).size, recorded.length, "an event for each certificate");
  } finally {
    await service.stop();
  }
});

test("two isolates make each step once", async () => {
  const service = await startIssuing(outside);
  try {
    const host = "twice.example.com";
    await givenIssuer(service, pebble.directoryUrl, [host]);
    const other = { ...service, call: callerOf(service.secondOrigin) };
    const agents = [service, other].map((one) => new AskingAgent(one, names, "lisbon"));
    for (const agent of agents) await agent.report();
    const { csr } = await newRequest(host);
    const calls: string[] = [];
    outside.before = ({ url }) => void calls.push(new URL(url).pathname.split("/")[1] ?? "");
    const chains = await Promise.all(agents.map((agent) => agent.until("issued", host, csr)));
    delete outside.before;
    assert.equal(chains[0]?.chain, chains[1]?.chain);
    const count = (name: string): number => calls.filter((path) => path === name).length;
    assert.deepEqual([count("order-plz"), count("finalize-order")], [1, 1]);
  } finally {
    await service.stop();
  }
});

test("an issuer that is deleted in the middle of an order ends it", async () => {
  const service = await startIssuing(outside);
  try {
    const host = "deleted.example.com";
    const agent = new AskingAgent(service, names, "lisbon");
    const id = await givenIssuer(service, pebble.directoryUrl, [host]);
    await agent.report();
    const { csr } = await newRequest(host);
    let isDeleted = false;
    outside.after = async ({ url }) => {
      if (isDeleted || !url.endsWith("/order-plz")) return;
      isDeleted = true;
      await service.call("DELETE", `/certificate_issuers/${id}`);
    };
    await assert.rejects(() => agent.until("issued", host, csr), /404/);
    delete outside.after;
    assert.ok(isDeleted);
    const again = await givenIssuer(service, pebble.directoryUrl, ["other.example.com"], { hosts: [host] });
    await agent.report();
    await agent.until("issued", host, csr);
    const { certificates } = await service.call("GET", `/certificates?host=${host}`);
    const [shown]: Record<string, unknown>[] = Object(certificates);
    assert.equal(Object(shown?.["issuer"]).id, again);
  } finally {
    await service.stop();
  }
});

test("an authority that is down for a while is no rejection", async () => {
  const service = await startIssuing(outside);
  try {
    const host = "down.example.com";
    const agent = new AskingAgent(service, names, "lisbon");
    await givenIssuer(service, pebble.directoryUrl, [host]);
    await agent.report();
    const { csr } = await newRequest(host);
    await agent.ask(host, csr);
    outside.before = () => {
      throw new Error("down");
    };
    for (let i = 0; i < 3; i++) {
      const { state, last_error } = await agent.ask(host, csr);
      assert.equal(state, "pending");
      // Miniflare answers for a server that cannot be reached.
      assert.match(last_error ?? "", /could not be reached|status 500/);
      await service.kill();
      service.sql("update certificate_orders set next_attempt_at = 0");
      await service.restart();
    }
    delete outside.before;
    await agent.until("issued", host, csr);
  } finally {
    await service.stop();
  }
});
