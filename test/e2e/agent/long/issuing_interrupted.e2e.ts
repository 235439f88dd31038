import assert from "node:assert/strict";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { until } from "../../support/wait.ts";
import { fingerprintOf, http, issuing, publicKeyIn, THUMBPRINT, TOKEN } from "../issuing_service.ts";
import { backends, https, shown } from "../served_certificates.ts";

/*
 * Agents that are killed while a certificate is issued, and what is left of hosts that are gone.
 */

const SHOP = "shop.example.com";

/** Kills the agent before the rename that puts one of these files in place, once. */
const killer = (name: string, flag: string): string => `
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
const real = fs.renameSync;
fs.renameSync = (from, to) => {
  if (to.endsWith(${JSON.stringify(name)}) && !fs.existsSync(${JSON.stringify(flag)})) {
    fs.writeFileSync(${JSON.stringify(flag)}, "");
    process.kill(process.pid, "SIGKILL");
  }
  return real(from, to);
};
syncBuiltinESMExports();
`;

for (const name of [`${SHOP}.request`, `${SHOP}.pem`, "issuers.json"])
  test(`an agent that is killed before ${name} is in place is followed by one that gets the certificate`, async (t) => {
    const { here, service, port, httpPort, issued } = await issuing(t);
    const file = join(here.directory, "killer.mjs");
    writeFileSync(file, killer(name, join(here.directory, "killed")));
    const options = here.environment["NODE_OPTIONS"] ?? "";
    here.environment["NODE_OPTIONS"] = `${options} --import=${pathToFileURL(file).href}`;
    const agent = here.start();
    here.service.publish({ edges: [https("1", `${SHOP}:${port}`)], backends });
    await until("the agent is killed", () => agent.signalCode === "SIGKILL");
    here.start();
    await until("the certificate is served", async () => (await shown(port, SHOP)) !== "");
    assert.equal(await http(httpPort, SHOP), `200 ${TOKEN}.${THUMBPRINT}`);
    assert.deepEqual(readdirSync(issued).toSorted(), [`${SHOP}.pem`, `${SHOP}.request`]);
    assert.equal(publicKeyIn(join(issued, `${SHOP}.pem`)), publicKeyIn(join(issued, `${SHOP}.request`)));
    // The key was on the disk before the service got the request.
    assert.equal(new Set(service.asked.map(({ csr }) => csr)).size, 1);
    assert.equal(await shown(port, SHOP), fingerprintOf([...service.issued.values()][0]));
  });

test("keys and certificates of a host are deleted 30 days after its last edge is gone, and not before", async (t) => {
  const { here, clocks, port, issued } = await issuing(t);
  const [shop, more] = [https("1", `${SHOP}:${port}`), https("2", `more.example.com:${port}`)];
  here.start();
  here.service.publish({ edges: [shop, more], backends });
  await here.service.reported(
    ({ problems, certificates }) => problems.length === 0 && certificates?.length === 2,
  );
  const files = (): string[] => readdirSync(issued).filter((name) => name.startsWith("more"));
  await here.service.applied(here.service.publish({ edges: [shop] }));
  const day = 86_400_000;
  const tidied = async (): Promise<void> => {
    await here.service.applied(here.service.publish({}));
    // Longer than the loop sleeps.
    await new Promise((resolve) => setTimeout(resolve, 2_500));
  };
  clocks.pass(day);
  await tidied();
  clocks.pass(28 * day);
  await tidied();
  assert.equal(files().length, 2);
  // The edge comes back, and goes again.
  await here.service.applied(here.service.publish({ edges: [shop, more] }));
  clocks.pass(day);
  await tidied();
  assert.equal(files().length, 2);
  await here.service.applied(here.service.publish({ edges: [shop] }));
  clocks.pass(day);
  await tidied();
  clocks.pass(29 * day);
  await tidied();
  assert.equal(files().length, 2);
  clocks.pass(2 * day);
  await until("they are deleted", () => files().length === 0);
  // It is renewed meanwhile, so that a file can be on its way into place.
  await until("those of the other host stay", () => readdirSync(issued).length === 2);
});

test("an older agent serves what was issued from the directory as it is", async (t) => {
  const { here, port, issued } = await issuing(t);
  here.start();
  here.service.publish({ edges: [https("1", `${SHOP}:${port}`)], backends });
  await until("the certificate is served", async () => (await shown(port, SHOP)) !== "");
  const before = await shown(port, SHOP);
  await here.end("SIGTERM");
  const refused = here.start([`--certificates=${issued}`]);
  await until("it does not count as the operator's", () => refused.exitCode === 1);
  assert.match(here.log(), /the agent itself writes to this directory/);
  here.start(["--no-issuing", `--certificates=${issued}`]);
  await until("it is served as a file", async () => (await shown(port, SHOP)) === before);
  await here.service.reported(({ certificates }) => certificates?.[0]?.source === "file");
});

test("a renewal that HAProxy rejects does not replace the certificate, also after a restart", async (t) => {
  const { here, service, later, loaded, port } = await issuing(t);
  service.answer = (asked) => {
    const [first] = service.asked;
    if (asked.csr === first?.csr) return service.issue(asked, { renews_at: new Date(0).toISOString() });
    const chain = service.sign(asked.csr, 100, service.authority, "sha1");
    return { state: "issued", retry_after: 3600, chain };
  };
  here.start();
  await here.service.applied(here.service.publish({ edges: [https("1", `${SHOP}:${port}`)], backends }));
  await loaded();
  const served = await shown(port, SHOP);
  assert.notEqual(served, "");
  const isRejectedSince = (count: number): boolean =>
    here.service.statuses
      .slice(count)
      .some(({ problems }) => problems.some(({ code }) => code === "certificate_unusable"));
  await later("the renewal is rejected", () => isRejectedSince(0));
  assert.equal(await shown(port, SHOP), served);
  await here.end("SIGKILL");
  const count = here.service.statuses.length;
  here.start();
  await until("it has looked again", () => isRejectedSince(count));
  await until("it is served", async () => (await shown(port, SHOP)) === served);
  await here.service.applied(here.service.publish({ edges: [https("2", `${SHOP}:${port}`)], backends }));
  await until("it is served after a snapshot", async () => (await shown(port, SHOP)) === served);
});

test("a response that comes late asks for no host whose edge is gone", async (t) => {
  const { here, service, port } = await issuing(t);
  const [shop, more] = [https("1", `${SHOP}:${port}`), https("2", `more.example.com:${port}`)];
  const { promise, resolve } = Promise.withResolvers<void>();
  service.answer = async (asked) => {
    if (asked.host === SHOP) await promise;
    return { retry_after: 600 };
  };
  here.start();
  here.service.publish({ edges: [shop, more], backends });
  const count = (host: string): number => service.asked.filter((asked) => asked.host === host).length;
  await until("both are asked for", () => count(SHOP) > 0 && count("more.example.com") > 0);
  await here.service.applied(here.service.publish({ edges: [shop], backends }));
  // Longer than the loop sleeps.
  await sleep(500);
  resolve();
  await sleep(500);
  assert.equal(count("more.example.com"), 1);
});

test("issuers that cannot be saved are saved once they can be", async (t) => {
  const { here, later, port, httpPort, issued } = await issuing(t);
  const file = join(dirname(issued), "issuers.json");
  mkdirSync(file, { recursive: true, mode: 0o700 });
  here.start();
  here.service.publish({ edges: [https("1", `${SHOP}:${port}`)], backends });
  await until("challenges are answered", async () => (await http(httpPort, SHOP)).startsWith("200"));
  rmdirSync(file);
  await later("they are saved", () => existsSync(file));
  assert.match(readFileSync(file, "utf8"), new RegExp(THUMBPRINT));
});
