import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { createPublicKey, generateKeyPairSync, X509Certificate } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import fc from "fast-check";
import { readCertificate } from "../../../packages/agent/src/certificate_file.ts";
import { certificateRequest, newKey } from "../../../packages/agent/src/csr.ts";
import { checkedChain } from "../../../packages/agent/src/issued_chain.ts";
import { IssuedFiles, stemOf } from "../../../packages/agent/src/issued_files.ts";
import { Issuers } from "../../../packages/agent/src/issuers.ts";
import { State } from "../../../packages/agent/src/state.ts";
import { hostObjection, issuerFor } from "../../../packages/model/src/traffic/issuing.ts";
import type { Test } from "./agent.ts";
import { signed, textOfCsr } from "./issuing_service.ts";
import { certificate, folder } from "./proxy.ts";

/*
 * Keys, requests and chains, without a service and HAProxy.
 */

const SHOP = "shop.example.com";

/** A state directory, with a path that is short enough for sockets. */
function stateIn(t: Test): State {
  const directory = join(folder({ after: (hook) => t.after(hook) }), "s");
  return new State(directory);
}

test("openssl reads a request as one for exactly this host, signed by its key", () => {
  const longest = `${"a".repeat(63)}.${"b".repeat(63)}.${"c".repeat(63)}.${"d".repeat(57)}.com`;
  for (const host of [SHOP, "xn--bcher-kva.example.com", "a.b", longest]) {
    const key = newKey();
    const der = certificateRequest(host, key);
    const text = textOfCsr(der.toString("base64url"));
    assert.match(text, /^ {4}Data:\n {8}Version: 1 \(0x0\)\n {8}Subject: *\n/m);
    assert.match(text, /NIST CURVE: P-256/);
    assert.match(text, /Signature Algorithm: ecdsa-with-SHA256/);
    const [, names] = /X509v3 Subject Alternative Name: *\n +(.*)/.exec(text) ?? [];
    assert.equal(names, `DNS:${host}`);
    const args = ["req", "-inform", "der", "-pubkey", "-noout"];
    const publicKey = execFileSync("openssl", args, { input: der, encoding: "utf8" });
    assert.equal(publicKey, createPublicKey(key).export({ type: "spki", format: "pem" }));
    const same = ["req", "-inform", "der", "-outform", "der"];
    assert.deepEqual(execFileSync("openssl", same, { input: der, stdio: "pipe" }), der, "it is DER");
  }
});

const label = fc.constantFrom("a", "b", "shop", "*", "x-1");
const host = fc
  .array(fc.constantFrom("a", "b", "shop", "com", "test", "x_1"), { minLength: 1, maxLength: 4 })
  .map((labels) => labels.join("."));
const pattern = fc.oneof(
  fc.constant("*"),
  host,
  fc.array(label, { minLength: 1, maxLength: 4 }).map((labels) => labels.join(".")),
  host.map((name) => `*.${name}`),
);

test("the agent finds the issuer that the service finds", () => {
  const issuer = fc.record({ hosts: fc.array(pattern, { maxLength: 4 }), thumbprint: fc.uuid() });
  let found = 0;
  fc.assert(
    fc.property(fc.array(issuer, { maxLength: 4 }), fc.oneof(host, pattern), (issuers, name) => {
      const first = issuerFor(name, issuers);
      const expected =
        first && hostObjection(name, first.pattern) === undefined ? first.issuer.thumbprint : undefined;
      found += expected === undefined ? 0 : 1;
      assert.equal(new Issuers({ etag: null, issuers }).thumbprintFor(name), expected);
    }),
    { numRuns: 5_000 },
  );
  assert.ok(found > 100, `${found}`);
});

test("the key of a request has mode 600, and the same request is read again", (t) => {
  const state = stateIn(t);
  const files = new IssuedFiles(state);
  assert.equal(files.request(SHOP), undefined);
  const request = files.newRequest(SHOP);
  const path = join(state.directory, "issued");
  assert.equal(statSync(path).mode & 0o777, 0o700);
  assert.equal(statSync(join(path, `${SHOP}.request`)).mode & 0o777, 0o600);
  const again = new IssuedFiles(state).request(SHOP);
  assert.equal(again?.csr, request.csr);
  assert.deepEqual(again.key.export({ format: "jwk" }), request.key.export({ format: "jwk" }));
  writeFileSync(join(path, `${SHOP}.request`), "broken");
  assert.equal(files.request(SHOP), undefined);
  const long = `${"a".repeat(63)}.${"b".repeat(63)}.${"c".repeat(63)}.${"d".repeat(57)}.com`;
  files.newRequest(long);
  assert.notEqual(files.request(long), undefined);
  assert.deepEqual(files.stems().toSorted(), [stemOf(long), SHOP].toSorted());
});

/** What a request for a host gets from authorities of a test. */
function issuer(t: Test) {
  const path = folder({ after: (hook) => t.after(hook) });
  const root = certificate(path, ["Root"]);
  const authority = certificate(path, ["Intermediate"], root, "CA:TRUE");
  const read = (file: string): string => readFileSync(file, "utf8");
  const key = newKey();
  const sign = (names: string, days = 90, by = authority, of = key, begin = 0) =>
    signed(path, names, days, by, of, begin);
  return { root, authority, read, key, sign, path };
}

test("a chain is used if it is for the host and the key, valid and in order, and nothing else is", (t) => {
  const { root, authority, read, key, sign, path } = issuer(t);
  const of = (chain: string, current?: Parameters<typeof checkedChain>[2]) =>
    checkedChain({ name: `${SHOP}.pem`, host: SHOP, key }, chain, current);
  const leaf = sign(`DNS:${SHOP}`);
  const [middle, top] = [read(authority.cert), read(root.cert)];
  for (const chain of [leaf, leaf + middle, leaf + middle + top, `\n${leaf}\r\n\n${middle}`]) {
    const { served, source } = of(chain);
    assert.equal(source, "issued");
    assert.equal(
      served.content.match(/BEGIN CERTIFICATE/g)?.length,
      chain.match(/BEGIN CERTIFICATE/g)?.length,
    );
    assert.match(served.content, /-----END PRIVATE KEY-----\n$/);
  }
  const other = certificate(path, ["Other"]);
  const secret = String(
    generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey.export({ type: "pkcs8", format: "pem" }),
  );
  const many = `${leaf}${middle}${top.repeat(60)}`;
  const wrong: [name: string, chain: string, message: RegExp][] = [
    ["another key", sign(`DNS:${SHOP}`, 90, authority, newKey()), /private key does not belong/],
    ["another name", sign("DNS:other.example.com"), /not for shop\.example\.com alone/],
    ["one more name", sign(`DNS:${SHOP},DNS:bank.example.com`), /not for shop\.example\.com alone/],
    ["a wildcard", sign("DNS:*.example.com"), /not for shop\.example\.com alone/],
    ["one more address", sign(`DNS:${SHOP},IP:192.0.2.1`), /not for shop\.example\.com alone/],
    ["no name", sign("email:x@example.com"), /not for shop\.example\.com alone/],
    ["expired", sign(`DNS:${SHOP}`, -1, authority, key, -10), /which is not now/],
    ["not yet valid", sign(`DNS:${SHOP}`, 20, authority, key, 10), /which is not now/],
    ["two leaves", leaf + sign(`DNS:${SHOP}`), /certificate 2 is not the issuer/],
    ["the same leaf twice", leaf + leaf, /certificate 2 is not the issuer/],
    ["another authority", leaf + read(other.cert), /certificate 2 is not the issuer/],
    ["without the one between", leaf + top, /certificate 2 is not the issuer/],
    ["in another order", middle + leaf, /certificate 2 is not the issuer/],
    ["50 kB", many, /more than 12000 bytes/],
    ["50 kB of space", `${leaf}${" ".repeat(50_000)}`, /more than 12000 bytes/],
    ["with a private key", leaf + secret, /something that is not a certificate/],
    ["with a line of HAProxy's", `${leaf}\n\n;shutdown frontend\n`, /something that is not a certificate/],
    ["with a NUL", `${leaf}\0`, /something that is not a certificate/],
    ["nothing", "", /no certificate/],
    ["no certificate", "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n", /./],
  ];
  for (const [name, chain, message] of wrong) assert.throws(() => of(chain), message, name);
  const current = of(leaf);
  assert.throws(() => of(sign(`DNS:${SHOP}`, 89), current), /ends before the present one/);
  assert.doesNotThrow(() => of(sign(`DNS:${SHOP}`, 91), current));
});

test("a certificate stays if what was issued after it cannot be used", (t) => {
  const { path, authority } = issuer(t);
  const state = stateIn(t);
  const files = new IssuedFiles(state);
  const first = files.newRequest(SHOP);
  const chain = signed(path, `DNS:${SHOP}`, 50, authority, first.key);
  assert.equal(files.install(SHOP, first, chain), true);
  assert.equal(files.install(SHOP, first, chain), false);
  const before = readFileSync(join(state.directory, "issued", `${SHOP}.pem`), "utf8");
  const second = files.newRequest(SHOP);
  assert.throws(() => files.install(SHOP, second, chain), /private key/);
  assert.throws(
    () => files.install(SHOP, second, signed(path, `DNS:${SHOP}`, 49, authority, second.key)),
    /ends before/,
  );
  assert.equal(readFileSync(join(state.directory, "issued", `${SHOP}.pem`), "utf8"), before);
  assert.equal(files.install(SHOP, second, signed(path, `DNS:${SHOP}`, 51, authority, second.key)), true);
  // A file of somebody else, for another host.
  const other = signed(path, "DNS:other.example.com", 900, authority, second.key);
  const key = String(second.key.export({ type: "pkcs8", format: "pem" }));
  writeFileSync(join(state.directory, "issued", `${SHOP}.pem`), `${other}${key}`);
  assert.equal(files.install(SHOP, second, signed(path, `DNS:${SHOP}`, 51, authority, second.key)), true);
});

/** Kills the process before the n-th step that touches what was issued. */
const KILLER = `
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
const at = Number(process.env.KILL_AT);
const open = new Set();
let count = 0;
for (const name of ["mkdirSync", "chmodSync", "openSync", "writeFileSync", "fsyncSync", "closeSync", "renameSync", "rmSync"]) {
  const real = fs[name];
  fs[name] = (...given) => {
    const isOurs = given.some((one) => typeof one === "string" && one.includes("/issued")) || open.has(given[0]);
    if (isOurs && ++count === at) process.kill(process.pid, "SIGKILL");
    const result = real(...given);
    if (name === "openSync" && isOurs) open.add(result);
    if (name === "closeSync") open.delete(given[0]);
    return result;
  };
}
syncBuiltinESMExports();
`;

/** A first certificate, and its renewal. */
const STEPS = (source: string) => `
import { execFileSync } from "node:child_process";
import { IssuedFiles } from "${source}/packages/agent/src/issued_files.ts";
import { State } from "${source}/packages/agent/src/state.ts";
import { signed } from "${source}/test/e2e/agent/issuing_service.ts";
const [, , directory, path, cert, key] = process.argv;
const state = new State(directory);
state.tidy();
const files = new IssuedFiles(state);
for (const days of [50, 60]) {
  const request = files.newRequest("${SHOP}");
  files.install("${SHOP}", request, signed(path, "DNS:${SHOP}", days, { cert, key }, request.key));
}
`;

test("an agent that is killed at any step of writing leaves whole files, and the next one goes on", (t) => {
  const { path, authority } = issuer(t);
  const root = pathToFileURL(join(import.meta.dirname, "../../..")).href;
  const [killer, steps] = [join(path, "killer.mjs"), join(path, "steps.mjs")];
  writeFileSync(killer, KILLER);
  writeFileSync(steps, STEPS(root));
  let kills = 0;
  for (let at = 1; ; at += 1) {
    const directory = join(path, `s${at}`);
    const args = [
      `--import=${pathToFileURL(killer).href}`,
      steps,
      directory,
      path,
      authority.cert,
      authority.key,
    ];
    const { signal, status, stderr } = spawnSync(process.execPath, args, {
      env: { ...process.env, KILL_AT: String(at) },
      encoding: "utf8",
    });
    if (signal !== "SIGKILL") {
      assert.equal(status, 0, stderr);
      break;
    }
    kills += 1;
    const state = new State(directory);
    const issued = join(directory, "issued");
    mkdirSync(issued, { recursive: true, mode: 0o700 });
    const pem = `${SHOP}.pem`;
    const before = readdirSync(issued).includes(pem) ? readCertificate(issued, pem, "issued") : undefined;
    assert.ok(before === undefined || before.names[0] === SHOP, `killed before step ${at}`);
    state.tidy();
    assert.deepEqual(
      readdirSync(issued).filter((name) => name.endsWith(".new")),
      [],
    );
    const files = new IssuedFiles(state);
    const request = files.request(SHOP) ?? files.newRequest(SHOP);
    assert.equal(files.request(SHOP)?.csr, request.csr);
    files.install(SHOP, request, signed(path, `DNS:${SHOP}`, 70, authority, request.key));
    const { leaf } = readCertificate(issued, pem, "issued");
    assert.ok(leaf.checkPrivateKey(request.key) && new X509Certificate(leaf.raw).checkHost(SHOP));
  }
  t.diagnostic(`${kills} kills`);
  assert.ok(kills > 20);
});
