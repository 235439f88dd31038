import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { newKey } from "../../../packages/agent/src/csr.ts";
import { Service } from "../../../packages/agent/src/service.ts";
import { until } from "../support/wait.ts";
import { KEY } from "./agent.ts";
import { fingerprintOf, http, issuing, signed, THUMBPRINT, TOKEN } from "./issuing_service.ts";
import { backends, https, shown } from "./served_certificates.ts";

/*
 * A service that offers strange issuers, or answers requests with what nobody requested.
 */

const SHOP = "shop.example.com";
const HOSTS = ["*.example.com"];

test("issuers that cannot be ones are rejected as a whole, and the earlier ones stay", async (t) => {
  const { here, service, later, port, httpPort } = await issuing(t);
  here.start();
  await here.service.applied(here.service.publish({ edges: [https("1", `${SHOP}:${port}`)], backends }));
  await until(
    "challenges are answered",
    async () => (await http(httpPort, SHOP)) === `200 ${TOKEN}.${THUMBPRINT}`,
  );
  const thumbprints = [
    `${THUMBPRINT}\r\nX-Injected: 1`,
    `${THUMBPRINT.slice(0, 40)}%[s`,
    `${THUMBPRINT.slice(0, 36)}%[src]x`,
    `${THUMBPRINT.slice(0, 42)};`,
    `${THUMBPRINT.slice(0, 42)}\n`,
    `${THUMBPRINT.slice(0, 42)} `,
    THUMBPRINT.slice(0, 42),
    `${THUMBPRINT}x`,
    "",
    null,
    1,
    { x: 1 },
  ];
  const forged: unknown[] = [
    ...thumbprints.map((thumbprint) => [{ hosts: HOSTS, thumbprint }]),
    [{ hosts: "*", thumbprint: THUMBPRINT }],
    [{ hosts: [1], thumbprint: THUMBPRINT }],
    [{ hosts: ["a".repeat(300)], thumbprint: THUMBPRINT }],
    [{ thumbprint: THUMBPRINT }],
    "x",
    null,
    undefined,
  ];
  const direct = new Service(here.service.url, KEY);
  for (const issuers of forged) {
    service.issuers = issuers;
    await assert.rejects(direct.issuers(null), /The list of issuers is rejected as a whole/);
  }
  const polls = service.polls.length;
  await later("the agent has asked", () => service.polls.length > polls + 2);
  // A connection that arrives during a reload can be reset.
  await until(
    "challenges are answered as before",
    async () => (await http(httpPort, SHOP)) === `200 ${TOKEN}.${THUMBPRINT}`,
  );
  assert.equal(here.log().match(/Cannot read the issuers/g)?.length, 1, "logged once");
  assert.equal(here.agent?.exitCode, null);
  const known = JSON.parse(readFileSync(join(here.state, "issuers.json"), "utf8"));
  assert.deepEqual(known.issuers, [{ hosts: HOSTS, thumbprint: THUMBPRINT }]);
});

test("hosts that are no names are never requested, and names of files cannot leave the directory", async (t) => {
  const { here, service, port } = await issuing(t);
  service.issuers = [
    {
      hosts: ["*", "../../x", "a/b", "__proto__", "constructor", "", "*.", ".", "*.*"],
      thumbprint: THUMBPRINT,
    },
  ];
  here.start();
  const hosts = ["localhost", "under_score.example.com", "single", "x.test", "x.onion", SHOP];
  const edges = hosts.map((host, index) => https(String(index), `${host}:${port}`));
  await here.service.applied(here.service.publish({ edges, backends }));
  await until("it is issued", async () => (await shown(port, SHOP)) !== "");
  assert.deepEqual([...new Set(service.asked.map(({ host }) => host))], [SHOP]);
});

test("100,000 hosts of issuers delay no snapshot", async (t) => {
  const { here, service, clocks, loaded, port } = await issuing(t);
  const many = Array.from({ length: 100_000 }, (_, index) => `h${index}.example.org`);
  service.issuers = [
    { hosts: many, thumbprint: THUMBPRINT },
    { hosts: HOSTS, thumbprint: THUMBPRINT },
  ];
  here.start();
  const edges = Array.from({ length: 500 }, (_, index) =>
    https(String(index), `h${index}.example.net:${port}`),
  );
  edges.push(https("shop", `${SHOP}:${port}`));
  await here.service.applied(here.service.publish({ edges, backends }));
  await loaded();
  assert.notEqual(await shown(port, SHOP), "");
  for (let round = 0; round < 3; round++) {
    clocks.pass(100_000);
    service.issuers = [
      { hosts: [`${round}.example.org`, ...many], thumbprint: THUMBPRINT },
      { hosts: HOSTS, thumbprint: THUMBPRINT },
    ];
    const begin = performance.now();
    await here.service.applied(here.service.publish({ edges: [...edges] }));
    const took = performance.now() - begin;
    t.diagnostic(`applied within ${Math.round(took)} ms`);
    assert.ok(took < 10_000);
  }
});

test("a chain that cannot be used is a problem, and what is served stays", async (t) => {
  const { here, service, later, port } = await issuing(t);
  let forged: ((csr: string) => string) | undefined;
  service.answer = (asked) =>
    forged
      ? { state: "issued", retry_after: 1, chain: forged(asked.csr) }
      : service.issue(asked, { retry_after: 1 });
  here.start();
  await here.service.applied(here.service.publish({ edges: [https("1", `${SHOP}:${port}`)], backends }));
  await here.service.reported(
    ({ problems, certificates }) => problems.length === 0 && certificates?.length === 1,
  );
  const before = await shown(port, SHOP);
  const pem = readFileSync(join(here.state, "issued", `${SHOP}.pem`), "utf8");
  const { path, authority } = service;
  const wrong: [chain: () => string, message: RegExp][] = [
    [() => signed(path, `DNS:${SHOP}`, 90, authority, newKey()), /private key does not belong/],
    [(): string => service.sign(service.asked.at(-1)?.csr ?? "", 10), /ends before the present one/],
    [
      () => `${pem.slice(0, pem.indexOf("-----BEGIN PRIVATE"))}\n\nshutdown frontend https_443\n`,
      /not a certificate/,
    ],
    [() => "x".repeat(60_000), /more than 12000 bytes/],
  ];
  for (const [chain, message] of wrong) {
    const text = chain();
    forged = () => text;
    const { problems } = await here.service.reported((one) =>
      one.problems.some(({ msg }) => message.test(msg)),
    );
    assert.deepEqual(
      problems.map(({ object, code }) => `${object} ${code}`),
      [`${SHOP} certificate_unusable`],
    );
    assert.equal(await shown(port, SHOP), before);
    assert.equal(readFileSync(join(here.state, "issued", `${SHOP}.pem`), "utf8"), pem);
  }
  assert.equal(here.log().match(/is not used: it has more than 12000 bytes/g)?.length, 1, "logged once");
  forged = () => "y".repeat(70_000);
  await until("a response without end is given up", () => /larger than 65536 bytes/.test(here.log()));
  forged = undefined;
  await later("the problem is gone", () =>
    here.service.statuses.at(-1)?.problems.every(({ code }) => code === "clock_offset"),
  );
  assert.equal(await shown(port, SHOP), before);
});

test("answers that are none are errors of one host, and its key is not made again and again", async (t) => {
  const { here, service, later, port } = await issuing(t);
  const past = new Date(Date.now() - 86_400_000).toISOString();
  const bodies = [
    { state: "done" },
    { retry_after: -1 },
    { retry_after: "soon" },
    { chain: 1 },
    { renews_at: "tomorrow" },
    { renews_at: "2026-13-45T00:00:00Z" },
  ];
  here.start();
  service.answer = () => ({ retry_after: 1 });
  await here.service.applied(here.service.publish({ edges: [https("1", `${SHOP}:${port}`)], backends }));
  for (const body of bodies) {
    const count = service.asked.length;
    // What a service of another kind could answer.
    service.answer = () => JSON.parse(JSON.stringify(body)) as { retry_after: number };
    await later(`it is asked: ${JSON.stringify(body)}`, () => service.asked.length > count);
  }
  await until("that is logged", () =>
    /Cannot request a certificate: The response is rejected as a whole/.test(here.log()),
  );
  service.answer = (asked) => service.issue(asked, { renews_at: past, retry_after: 0 });
  await later("it is asked again", () => service.issued.size > 0);
  await until("it is issued", async () => (await shown(port, SHOP)) !== "");
  const count = service.asked.length;
  await until("it is asked again", () => service.asked.length > count + 3);
  assert.ok(new Set(service.asked.map(({ csr }) => csr)).size <= 2, "at most one renewal");
});

test("a request that was changed on the disk is made again after the service has rejected it", async (t) => {
  const { here, service, later, port, issued } = await issuing(t);
  service.answer = () => ({ retry_after: 1 });
  here.start();
  await here.service.applied(here.service.publish({ edges: [https("1", `${SHOP}:${port}`)], backends }));
  const first = await until("it is asked", () => service.asked[0]);
  const file = join(issued, `${SHOP}.request`);
  const other = Buffer.from(`${first.csr.slice(0, -8)}AAAAAAAA`, "base64url").toString("base64");
  writeFileSync(
    file,
    readFileSync(file, "utf8").replace(/(CERTIFICATE REQUEST-----\n)[^-]+/, `$1${other}\n`),
  );
  const broken = Buffer.from(other, "base64").toString("base64url");
  service.answer = (asked) => (asked.csr === broken || asked.csr === first.csr ? 400 : service.issue(asked));
  await until("it is rejected", () => /responded with 400/.test(here.log()));
  await later("it is asked again", () => service.issued.size > 0);
  await until(
    "it is issued",
    async () => (await shown(port, SHOP)) === fingerprintOf([...service.issued.values()][0]),
  );
});
