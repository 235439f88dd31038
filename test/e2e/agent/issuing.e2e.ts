import assert from "node:assert/strict";
import { copyFileSync, existsSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { test } from "node:test";
import { until } from "../support/wait.ts";
import { call } from "./calls.ts";
import {
  fingerprintOf,
  http,
  issuing,
  publicKeyIn,
  textOfCsr,
  THUMBPRINT,
  TOKEN,
} from "./issuing_service.ts";
import { certificate, folder } from "./proxy.ts";
import { backends, https, shown, tls } from "./served_certificates.ts";

/*
 * Certificates that the agent has issued: the service of these tests has an authority made with openssl.
 */

const SHOP = "shop.example.com";

test("an edge without a certificate gets one, and a renewal replaces it without a reload", async (t) => {
  const { here, service, later, port, httpPort, issued } = await issuing(t);
  let isChallenged = "";
  service.answer = async (asked) => {
    // As an authority does before it issues.
    isChallenged = await http(httpPort, asked.host);
    return service.of(asked.host).length < 2 ? { state: "pending", retry_after: 1 } : service.issue(asked);
  };
  const edges = [https("1", `${SHOP}:${port}`)];
  here.start();
  await here.service.applied(here.service.publish({ edges, backends }));
  await until("the certificate is served", async () => (await shown(port, SHOP)) !== "");
  assert.equal(isChallenged, `200 ${TOKEN}.${THUMBPRINT}`);
  assert.equal((await call(port, SHOP, "/")).body.toString(), "ok");
  const [first, second] = service.of(SHOP);
  assert.equal(first?.csr, second?.csr, "the same request is repeated");
  const text = textOfCsr(first?.csr ?? "");
  assert.match(text, /Subject: *\n[\s\S]*ASN1 OID: prime256v1[\s\S]*\n +DNS:shop\.example\.com\n/);
  for (const name of readdirSync(issued))
    assert.equal(statSync(join(issued, name)).mode & 0o777, 0o600, name);
  assert.deepEqual(readdirSync(issued).toSorted(), [`${SHOP}.pem`, `${SHOP}.request`]);
  const oldKey = publicKeyIn(join(issued, `${SHOP}.pem`));
  assert.equal(oldKey, publicKeyIn(join(issued, `${SHOP}.request`)));

  const status = await here.service.reported((one) => one.certificates?.[0]?.source === "issued");
  assert.deepEqual(
    status.certificates?.map(({ hosts, used }) => [hosts, used]),
    [[[SHOP], true]],
  );
  assert.deepEqual(status.problems, []);
  const worker = await here.worker();
  const before = await shown(port, SHOP);

  // Another host needs no reload.
  edges.push(https("2", `more.example.com:${port}`));
  here.service.publish({ edges });
  await until("the second one is served", async () => (await shown(port, "more.example.com")) !== "");
  assert.equal(await http(httpPort, "more.example.com"), `200 ${TOKEN}.${THUMBPRINT}`);
  assert.equal(await here.worker(), worker, "no reload");

  // Nor does another issuer.
  const other = "x".repeat(43);
  service.issuers = [
    { hosts: ["*.example.com"], thumbprint: THUMBPRINT },
    { hosts: ["more.example.com"], thumbprint: other },
  ];
  await later(
    "it is known",
    async () => (await http(httpPort, "more.example.com")) === `200 ${TOKEN}.${other}`,
  );
  assert.equal(await http(httpPort, SHOP), `200 ${TOKEN}.${THUMBPRINT}`);
  assert.equal(await here.worker(), worker, "no reload");

  const renewsAt = new Date(Date.now() - 1000).toISOString();
  let mayRenew = false;
  service.answer = (asked) => {
    const isOld = asked.csr === first?.csr || asked.host !== SHOP;
    if (isOld) return service.issue(asked, asked.host === SHOP ? { renews_at: renewsAt } : {});
    return mayRenew ? service.issue(asked) : { state: "pending", retry_after: 1 };
  };
  const next = await later("it is renewed", () => service.of(SHOP).find(({ csr }) => csr !== first?.csr));
  assert.equal(await shown(port, SHOP), before, "the old one keeps serving");
  assert.equal(publicKeyIn(join(issued, `${SHOP}.pem`)), oldKey);
  assert.notEqual(publicKeyIn(join(issued, `${SHOP}.request`)), oldKey, "with another key");
  mayRenew = true;
  await until(
    "the next one is served",
    async () => (await shown(port, SHOP)) === fingerprintOf(service.issued.get(next.csr)),
  );
  assert.equal(new Set(service.of(SHOP).map(({ csr }) => csr)).size, 2);
  assert.equal(await here.worker(), worker, "no reload");
});

test("a file that is valid wins, also a wildcard; an expired one does not", async (t) => {
  const { here, service, port } = await issuing(t);
  const path = folder(t);
  const put = (name: string, names: string[], days?: number) =>
    copyFileSync(certificate(path, names, undefined, undefined, days).pem, join(here.certificates, name));
  put("wild.pem", ["*.example.com"]);
  here.start();
  const edges = [https("1", `${SHOP}:${port}`)];
  await here.service.applied(here.service.publish({ edges, backends }));
  const wild = await shown(port, SHOP);
  assert.notEqual(wild, "");
  rmSync(join(here.certificates, "wild.pem"));
  await until(
    "it is issued",
    async () => (await shown(port, SHOP)) === fingerprintOf([...service.issued.values()][0]),
  );
  const count = service.asked.length;
  put("own.pem", [SHOP], 1);
  const own = fingerprintOf(readFileSync(join(here.certificates, "own.pem"), "utf8"));
  await until("the file is served", async () => (await shown(port, SHOP)) === own);
  const { problems } = await here.service.reported(({ certificates = [] }) => certificates.length === 2);
  assert.deepEqual(problems, []);
  assert.equal(service.asked.length, count);
});

test("an expired file gives way to what was issued, and nothing is asked while a file is valid", async (t) => {
  const { here, service, clocks, port } = await issuing(t);
  const { pem } = certificate(folder(t), [SHOP], undefined, undefined, 1);
  copyFileSync(pem, join(here.certificates, "own.pem"));
  here.start();
  await here.service.applied(here.service.publish({ edges: [https("1", `${SHOP}:${port}`)], backends }));
  const own = await shown(port, SHOP);
  assert.equal(own, fingerprintOf(readFileSync(pem, "utf8")));
  await until("the issuers are known", () => service.polls.length > 0);
  assert.equal(service.asked.length, 0);
  const worker = await here.worker();
  clocks.pass(2 * 86_400_000);
  await until(
    "what was issued is served",
    async () => (await shown(port, SHOP)) === fingerprintOf([...service.issued.values()][0]),
  );
  assert.equal(await here.worker(), worker, "no reload");
});

test("whatever fails while certificates are requested, snapshots are applied as ever, and it is logged once", async (t) => {
  const { here, service, later, port } = await issuing(t);
  const lines = (pattern: RegExp): number =>
    here
      .log()
      .split("\n")
      .filter((line) => pattern.test(line)).length;
  const hosts = Array.from({ length: 20 }, (_, index) => `h${index}.example.com`);
  const edges = hosts.map((host, index) => https(String(index), `${host}:${port}`));
  service.answer = () => "hang up";
  here.start();
  await here.service.applied(here.service.publish({ edges, backends }));
  const answers = [403, 404, 400, 500, 503, 429, "hang up", "never"] as const;
  for (const answer of answers) {
    const count = service.asked.length;
    service.answer = () => answer;
    await later(`it is asked: ${answer}`, () => service.asked.length > count);
    const begin = performance.now();
    await here.service.applied(here.service.publish({ edges, backends }));
    t.diagnostic(`${answer}: applied within ${Math.round(performance.now() - begin)} ms`);
    if (typeof answer === "number")
      await until(`it is logged: ${answer}`, () => lines(new RegExp(`responded with ${answer}`)) > 0);
  }
  for (const answer of answers)
    if (typeof answer === "number")
      assert.equal(lines(new RegExp(`responded with ${answer}`)), 1, String(answer));
  assert.equal(here.agent?.exitCode, null);
});

test("the issuers stay while the service is down, also after a restart, and go with them", async (t) => {
  const { here, service, later, port, httpPort } = await issuing(t);
  here.start();
  await here.service.applied(here.service.publish({ edges: [https("1", `${SHOP}:${port}`)], backends }));
  await here.service.reported(
    ({ problems, certificates }) => problems.length === 0 && certificates?.length === 1,
  );
  const issued = await shown(port, SHOP);
  const worker = await here.worker();
  service.status = 500;
  await later("it was asked", () => service.polls.includes(500));
  assert.equal(await http(httpPort, SHOP), `200 ${TOKEN}.${THUMBPRINT}`);
  await here.end("SIGKILL");
  await here.service.stop();
  here.start();
  await until("it cannot reach the service", () => here.log().includes("Cannot reach"));
  assert.equal(await http(httpPort, SHOP), `200 ${TOKEN}.${THUMBPRINT}`);
  assert.equal(await shown(port, SHOP), issued);
  assert.equal(await here.worker(), worker, "no reload");
  await here.service.start();
  service.status = 404;
  await later("it was asked again", () => service.polls.includes(404));
  await until("port 80 is closed", async () => (await http(httpPort, SHOP)) === "");
  assert.equal(await shown(port, SHOP), issued, "it keeps serving");
  const count = here.service.statuses.length;
  await later("an older service gets no certificates", () =>
    here.service.statuses.slice(count).some((one) => one.edges && !one.certificates),
  );
});

test("a service without issuers gets what was issued as files", async (t) => {
  const { here, service, later, loaded, port } = await issuing(t);
  here.start();
  await here.service.applied(here.service.publish({ edges: [https("1", `${SHOP}:${port}`)], backends }));
  await loaded();
  service.issuers = [];
  await later("it is a file", () => here.service.statuses.at(-1)?.certificates?.[0]?.source === "file");
});

test("with --no-issuing, there is no port 80, no key and no question", async (t) => {
  const { here, service, port, httpPort, issued } = await issuing(t);
  copyFileSync(certificate(folder(t), ["own.example.com"]).pem, join(here.certificates, "own.pem"));
  here.start(["--no-issuing"]);
  const edges = [https("1", `${SHOP}:${port}`), https("2", `own.example.com:${port}`)];
  const status = await here.service.applied(here.service.publish({ edges, backends }));
  assert.match(
    status.problems.map(({ code, msg }) => `${code} ${msg}`).join(),
    /^certificate_missing .*Put a PEM file/,
  );
  await here.service.reported(({ certificates }) => certificates?.length === 1);
  assert.deepEqual([service.polls, service.asked, existsSync(issued)], [[], [], false]);
  assert.equal(await http(httpPort, SHOP), "");
});

test("another process on port 80 is a problem of the agent, and everything else is served", async (t) => {
  const { here, service, port, httpPort } = await issuing(t);
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(httpPort, "0.0.0.0", resolve));
  t.after(() => other.close());
  service.issuers = [{ hosts: ["*"], thumbprint: THUMBPRINT }];
  copyFileSync(certificate(folder(t), ["own.example.com"]).pem, join(here.certificates, "own.pem"));
  here.start();
  const edges = [https("1", `${SHOP}:${port}`), tls("2", `own.example.com:${port}`)];
  here.service.publish({ edges, backends });
  const { problems } = await here.service.reported((one) =>
    one.problems.some(({ code }) => code === "challenge_port"),
  );
  t.diagnostic(problems.find(({ code }) => code === "challenge_port")?.msg ?? "");
  assert.notEqual(await shown(port, "own.example.com"), "");
  await new Promise((resolve) => other.close(resolve));
  await until("it is issued", async () => (await shown(port, SHOP)) !== "");
  const last = await here.service.reported(
    (one) => one.problems.length === 0 && one.certificates?.length === 2,
  );
  assert.equal(last.ok, true);
});

test("with --redirect-http, requests for served hosts are redirected, also without issuers", async (t) => {
  const { here, service, port, httpPort } = await issuing(t);
  service.issuers = [];
  copyFileSync(certificate(folder(t), [SHOP]).pem, join(here.certificates, "own.pem"));
  here.start(["--redirect-http"]);
  await here.service.applied(here.service.publish({ edges: [https("1", `${SHOP}:${port}`)], backends }));
  assert.match(await http(httpPort, SHOP, "/a?b"), /^308 /);
  assert.match(await http(httpPort, "other.example.com", "/"), /^404 /);
});

test("--check names hosts whose certificates would be requested, and requests none", async (t) => {
  const { here, service, port, issued } = await issuing(t);
  here.service.publish({ edges: [https("1", `${SHOP}:${port}`)], backends });
  const child = here.start(["--check"]);
  await new Promise((resolve) => child.on("exit", resolve));
  assert.equal(child.exitCode, 2);
  assert.match(here.log(), /edghts_1: certificate_missing: .* The agent requests one from the issuer/);
  assert.deepEqual([service.asked, existsSync(issued)], [[], false]);
});
