import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { X509Certificate } from "node:crypto";
import { copyFileSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { Status } from "../../../packages/agent/src/service.ts";
import { until } from "../support/wait.ts";
import type { TestService } from "./agent.ts";
import { certificate } from "./proxy.ts";
import { https, startedWithCertificates as started } from "./served_certificates.ts";

/*
 * What the agent reports of its certificates, and to which services.
 */

/** Which paths were requested, in order. @param answers whether the service has `/issuing`, and accepts certificates */
function withIssuing(service: TestService, answers: { issuing: number; status?: number }): string[] {
  const asked: string[] = [];
  service.fault = (request, response) => {
    const { url = "" } = request;
    if (url === "/issuing") {
      asked.push(url);
      response.writeHead(answers.issuing, { "content-type": "application/json" });
      response.end(answers.issuing === 200 ? '{"issuers":[]}' : "{}");
    } else if (url.endsWith("/status")) {
      let text = "";
      request.on("data", (piece: Buffer) => (text += piece.toString()));
      request.on("end", () => {
        const isRejected = answers.status === 400 && text.includes('"certificates"');
        asked.push(isRejected ? "rejected" : "status");
        if (!isRejected) service.statuses.push(JSON.parse(text));
        response.writeHead(isRejected ? 400 : 200, { "content-type": "application/json" }).end("{}");
      });
    } else if (url === "/snapshot") service.answer(request, response);
    else response.writeHead(404).end("{}");
  };
  return asked;
}

const reportedBy = ({ certificates = [] }: Status) =>
  certificates.map(({ hosts, used }) => `${hosts.join()}${used ? " used" : ""}`);

test("the files of a machine are reported without keys, and followed while the agent runs", async (t) => {
  const { here, path, port, put, publish } = await started(t);
  withIssuing(here.service, { issuing: 200 });
  put("shop.pem", ["shop.example.com", "*.shop.example.com", "127.0.0.1"]);
  put("unused.pem", ["unused.example.com"]);
  const { pem } = certificate(path, ["twice.example.com"]);
  for (const name of ["one.pem", "two.pem"]) copyFileSync(pem, join(here.certificates, name));
  here.start();
  await publish(https("1", `shop.example.com:${port}`));
  const status = await here.service.reported((one) => one.certificates?.length === 3);
  assert.deepEqual(reportedBy(status).toSorted(), [
    "shop.example.com,*.shop.example.com,127.0.0.1 used",
    "twice.example.com",
    "unused.example.com",
  ]);
  assert.equal(status.certificates_left_out, 0);
  const shop = new X509Certificate(readFileSync(join(here.certificates, "shop.pem")));
  const [used] = status.certificates ?? [];
  assert.deepEqual(used, {
    hosts: ["shop.example.com", "*.shop.example.com", "127.0.0.1"],
    not_before: new Date(shop.validFrom).toISOString().replace(".000", ""),
    not_after: new Date(shop.validTo).toISOString().replace(".000", ""),
    issuer: shop.issuer.replaceAll("\n", ", "),
    serial: shop.serialNumber.toLowerCase(),
    source: "file",
    used: true,
  });
  assert.doesNotMatch(JSON.stringify(here.service.statuses), /BEGIN|PRIVATE|MII/);

  const begin = Date.now();
  put("shop.pem", ["shop.example.com"]);
  await here.service.reported((one) => reportedBy(one).includes("shop.example.com used"));
  put("better.pem", ["shop.example.com"]);
  rmSync(join(here.certificates, "unused.pem"));
  await here.service.reported(
    (one) => reportedBy(one).length === 3 && !reportedBy(one).includes("unused.example.com"),
  );
  t.diagnostic(`followed within ${Date.now() - begin} ms`);
  const moved = await here.service.applied(here.service.publish({ edges: [] }));
  assert.ok(moved);
  await here.service.reported((one) => reportedBy(one).every((text) => !text.endsWith(" used")));
});

test("strange certificates are reported in a form that the service accepts, or left out", async (t) => {
  const { here, path, port, publish } = await started(t);
  withIssuing(here.service, { issuing: 200 });
  const openssl = (...args: string[]) => execFileSync("openssl", args, { cwd: path, stdio: "pipe" });
  const self = (name: string, subject: string, names: string, ...more: string[]) => {
    const extension = names === "" ? [] : ["-addext", `subjectAltName=${names}`];
    const key = "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -utf8 -keyout key -out crt";
    openssl(...key.split(" "), "-subj", subject, ...extension, ...more);
    writeFileSync(
      join(here.certificates, name),
      readFileSync(join(path, "crt"), "utf8") + readFileSync(join(path, "key"), "utf8"),
    );
  };
  self("1.pem", "/", "DNS:empty.example.com", "-days", "7");
  self("2.pem", "/CN=only.example.com", "", "-days", "7");
  const hostile = `/O=<img src=x>\u001b[31m\u202e/CN=${"\u{1F600}".repeat(16)}`;
  self("3.pem", `${hostile}${`/OU=${"ü".repeat(60)}`.repeat(3)}`, "DNS:hostile.example.com", "-days", "7");
  const many = Array.from({ length: 150 }, (_, i) => `DNS:h${i}.example.com`).join();
  self("4.pem", "/CN=many", many, "-days", "7");
  self("5.pem", "/CN=far", "DNS:far.example.com", "-days", "2900000", "-set_serial", `0x7${"f".repeat(39)}`);
  self("6.pem", "/CN=address", "IP:2001:db8::1,IP:192.0.2.7,DNS:UPPER.example.com", "-days", "7");
  here.start();
  await publish(https("1", `empty.example.com:${port}`));
  const status = await here.service.reported((one) => (one.certificates?.length ?? 0) > 0);
  const byHost = new Map(status.certificates?.map((one) => [one.hosts[0], one]));
  assert.equal(byHost.get("empty.example.com")?.issuer, "");
  const issuer = byHost.get("hostile.example.com")?.issuer ?? "";
  t.diagnostic(issuer);
  assert.doesNotMatch(issuer, /[\p{Cc}\p{Cf}]/u);
  assert.ok(issuer.isWellFormed() && Buffer.byteLength(issuer) <= 200);
  assert.equal(byHost.get("h0.example.com")?.hosts.length, 100);
  assert.match(byHost.get("far.example.com")?.not_after ?? "", /^9\d{3}-/);
  const { hosts } = byHost.get("upper.example.com") ?? {};
  assert.deepEqual(hosts?.toSorted(), ["192.0.2.7", "2001:db8::1", "upper.example.com"]);
  assert.equal(byHost.has("only.example.com"), false);
  assert.equal(status.certificates_left_out, 1, "of one, some hosts");
});

test("of 150 files, 100 are reported: those that are used, then those that end first", async (t) => {
  const { here, path, port, put, publish } = await started(t);
  withIssuing(here.service, { issuing: 200 });
  const key = join(path, "shared.key");
  execFileSync("openssl", ["ecparam", "-name", "prime256v1", "-genkey", "-noout", "-out", key]);
  put("used.pem", ["used.example.com"]);
  for (let i = 0; i < 150; i += 1) {
    const args = `req -x509 -key ${key} -days ${i < 10 ? 1 : 300} -subj /CN=x -addext subjectAltName=DNS:h${i}.example.com`;
    const pem = execFileSync("openssl", args.split(" "), { encoding: "utf8", stdio: "pipe" });
    writeFileSync(join(here.certificates, `${i}.pem`), pem + readFileSync(key, "utf8"));
  }
  here.start();
  await publish(https("1", `used.example.com:${port}`));
  const { certificates = [], certificates_left_out: left } = await here.service.reported(
    (one) => one.certificates?.length === 100,
  );
  assert.equal(left, 51);
  assert.deepEqual(certificates[0]?.hosts, ["used.example.com"]);
  const first = certificates.slice(1, 11).map(({ hosts }) => Number(/\d+/.exec(hosts[0] ?? "")?.[0]));
  assert.ok(first.every((i) => i < 10));
  assert.ok(Buffer.byteLength(JSON.stringify(certificates)) <= 32_768);
});

test("an older service gets no certificates, and is asked once a minute whether it is newer", async (t) => {
  const { here, port, put, publish } = await started(t);
  const asked = withIssuing(here.service, { issuing: 404 });
  put("shop.pem", ["shop.example.com"]);
  here.start();
  const status = await publish(https("1", `shop.example.com:${port}`));
  assert.equal("certificates" in status, false);
  assert.ok(status.edges);
  // Other statuses follow.
  await publish(https("1", `shop.example.com:${port}`), https("2", `other.example.com:${port}`));
  put("other.pem", ["other.example.com"]);
  await until("a later status", () => here.service.statuses.length >= 3);
  assert.deepEqual(
    asked.filter((url) => url === "/issuing"),
    ["/issuing"],
  );
  assert.equal(asked.includes("rejected"), false);
});

test("a service that is replaced by an older one gets the status without certificates", async (t) => {
  const { here, port, put, publish } = await started(t);
  const answers = { issuing: 200, status: 200 };
  const asked = withIssuing(here.service, answers);
  put("shop.pem", ["shop.example.com"]);
  here.start();
  await publish(https("1", `shop.example.com:${port}`));
  await here.service.reported((one) => one.certificates?.length === 1);
  Object.assign(answers, { issuing: 404, status: 400 });
  const version = here.service.publish({ edges: [https("1", `shop.example.com:${port}`)] });
  const last = await here.service.applied(version);
  assert.equal("certificates" in last, false);
  assert.ok(last.edges);
  assert.ok(asked.includes("rejected"));
});

test("a service that does not answer whether it accepts certificates gets the status all the same", async (t) => {
  const { here, port, put, publish } = await started(t);
  const answers = { issuing: 500 };
  withIssuing(here.service, answers);
  put("shop.pem", ["shop.example.com"]);
  here.start();
  await publish(https("1", `shop.example.com:${port}`));
  answers.issuing = 200;
  await publish(https("1", `shop.example.com:${port}`));
  await here.service.reported((one) => one.certificates?.length === 1);
});
