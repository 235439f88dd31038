import assert from "node:assert/strict";
import { createHash, createPublicKey, X509Certificate } from "node:crypto";
import { readFileSync, rmSync } from "node:fs";
import { after, test } from "node:test";
import { checkedChain, leafIn } from "../../../src/issuing/chain.ts";
import { cleaned, failureOfReply } from "../../../src/issuing/failures.ts";
import { externalBinding, signedRequest, signingKey } from "../../../src/issuing/jws.ts";
import { placeIn, renewsAt } from "../../../src/issuing/renewal.ts";
import { newAuthority, newFolder, newKey, requestFor, signed } from "./openssl.ts";

/*
 * The parts of the protocol, against the examples of their RFCs and against openssl.
 */

const folder = newFolder();
after(() => rmSync(folder, { recursive: true }));

const decoded = (text: string): unknown => JSON.parse(Buffer.from(text, "base64url").toString());

test("requests are signed as RFC 7515 and RFC 8555 say", async () => {
  // RFC 7515, appendix A.3.1.
  const jwk = {
    kty: "EC",
    crv: "P-256",
    x: "f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU",
    y: "x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0",
    d: "jpsQnnGQmL-YBIffH1136cspYG6-0iY7X1fCE9-E9LI",
  };
  const key = await signingKey(jwk);
  const url = "https://example.com/acme/new-order";
  const request = await signedRequest(
    key,
    { kid: "https://example.com/acme/acct/1", nonce: "5XJ1L3lEkMG7tR6pA00clA", url },
    { identifiers: [] },
  );
  assert.deepEqual(decoded(request.protected), {
    alg: "ES256",
    kid: "https://example.com/acme/acct/1",
    nonce: "5XJ1L3lEkMG7tR6pA00clA",
    url,
  });
  assert.deepEqual(decoded(request.payload), { identifiers: [] });
  const { kty, crv, x, y } = jwk;
  const verifier = await crypto.subtle.importKey(
    "jwk",
    { kty, crv, x, y },
    { name: "ECDSA", namedCurve: "P-256" },
    false,
    ["verify"],
  );
  const isSigned = await crypto.subtle.verify(
    { name: "ECDSA", hash: "SHA-256" },
    verifier,
    Buffer.from(request.signature, "base64url"),
    Buffer.from(`${request.protected}.${request.payload}`),
  );
  assert.equal(isSigned, true);
  // RFC 8555 §6.3: the payload of a POST-as-GET is empty.
  assert.equal((await signedRequest(key, { jwk: { crv, kty, x, y }, url }, undefined)).payload, "");
});

test("an external account is bound as RFC 8555 §7.3.4 says, with the MAC of RFC 7515", async () => {
  // The key of RFC 7515, appendix A.1.1.
  const text = "AyM1SysPpbyDfgZld3umj1qzKObwVMkoqQ-EstJQLr_T-1qS0gZH75aKtMN3Yj0iPS4hcgUuTwjAzZr1Z9CAow";
  const jwk = { crv: "P-256", kty: "EC", x: "x", y: "y" };
  const bound = await externalBinding(
    Buffer.from(text, "base64url"),
    "kid-1",
    "https://ca.example/new-account",
    jwk,
  );
  assert.deepEqual(decoded(bound.protected), {
    alg: "HS256",
    kid: "kid-1",
    url: "https://ca.example/new-account",
  });
  assert.deepEqual(decoded(bound.payload), jwk);
  const { createHmac } = await import("node:crypto");
  const mac = createHmac("sha256", Buffer.from(text, "base64url")).update(
    `${bound.protected}.${bound.payload}`,
  );
  assert.equal(bound.signature, mac.digest("base64url"));
});

/** RFC 9773, appendix A. */
const RENEWAL_EXAMPLE = `MIIBQzCB66ADAgECAgUAh2VDITAKBggqhkjOPQQDAjAVMRMwEQYDVQQDEwpFeGFt
cGxlIENBMCIYDzAwMDEwMTAxMDAwMDAwWhgPMDAwMTAxMDEwMDAwMDBaMBYxFDAS
BgNVBAMTC2V4YW1wbGUuY29tMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEeBZu
7cbpAYNXZLbbh8rNIzuOoqOOtmxA1v7cRm//AwyMwWxyHz4zfwmBhcSrf47NUAFf
qzLQ2PPQxdTXREYEnKMjMCEwHwYDVR0jBBgwFoAUaYhba4dGQEHhs3uEe6CuLN4B
yNQwCgYIKoZIzj0EAwIDRwAwRAIge09+S5TZAlw5tgtiVvuERV6cT4mfutXIlwTb
+FYN/8oCIClDsqBklhB9KAelFiYt9+6FDj3z4KGVelYM5MdsO3pK`;

test("a certificate is identified as RFC 9773 §4.1 says", () => {
  const leaf = leafIn(Buffer.from(RENEWAL_EXAMPLE, "base64"), "example.com");
  assert.equal(leaf?.renewalId, "aYhba4dGQEHhs3uEe6CuLN4ByNQ.AIdlQyE");
  assert.equal(leaf.serial, "87654321");
  assert.equal(leaf.isForHost, false);
});

test("renewal: two thirds of the life, half of a short one, and a place in the suggested window", async () => {
  const day = 86_400_000;
  assert.equal(renewsAt({ not_before: 0, not_after: 90 * day }), 60 * day);
  assert.equal(renewsAt({ not_before: 0, not_after: 45 * day }), 30 * day);
  assert.equal(renewsAt({ not_before: 0, not_after: 6 * day }), 3 * day);
  const window = { start: 1_000, end: 2_000 };
  const places = await Promise.all(Array.from({ length: 400 }, (_, i) => placeIn(window, `agent-${i}`)));
  assert.ok(places.every((place) => place >= window.start && place <= window.end));
  assert.equal(await placeIn(window, "agent-7"), places[7]);
  for (let tenth = 0; tenth < 10; tenth++) {
    const count = places.filter((place) => Math.floor((place - 1_000) / 100) === tenth).length;
    assert.ok(count > 15 && count < 70, `${count} of 400 in one tenth`);
  }
});

test("a chain is only passed on if it is what was ordered", () => {
  const host = "shop.example.com";
  const authority = newAuthority(folder);
  const [own, other] = [newKey(folder), newKey(folder)];
  const request = requestFor(folder, own, [`subjectAltName=DNS:${host}`]);
  const key = createPublicKey(readFileSync(own)).export({ type: "spki", format: "der" });
  const expected = { host, key, now: Date.now() };
  const make = (options: Partial<Parameters<typeof signed>[3]> = {}, csr = request): string =>
    signed(folder, authority, csr, { names: [host], ...options });
  const pem = make();
  const found = checkedChain(
    `noise\r\n${pem.replaceAll("\n", "\r\n")} more noise ${authority.pem}`,
    expected,
  );
  assert.ok(typeof found === "object");
  const certificate = new X509Certificate(pem);
  assert.equal(found.chain, pem + authority.pem);
  assert.equal(found.serial, certificate.serialNumber.toLowerCase());
  assert.equal(found.not_before, Date.parse(certificate.validFrom));
  assert.equal(found.not_after, Date.parse(certificate.validTo));
  const keyId = createHash("sha1")
    .update(createPublicKey(authority.pem).export({ type: "spki", format: "der" }).subarray(-65))
    .digest("base64url");
  assert.equal(found.renewalId?.split(".")[0], keyId);
  const cases: [string, RegExp][] = [
    ["", /no certificate/],
    [pem.replaceAll("CERTIFICATE", "CERTIFICATE REQUEST"), /no certificate/],
    [make({ names: ["other.example.com"] }), /exactly this host/],
    [make({ names: [host, "other.example.com"] }), /exactly this host/],
    [make({ names: ["*.example.com"] }), /exactly this host/],
    [make({}, requestFor(folder, other, [`subjectAltName=DNS:${host}`])), /key of the request/],
    [make({ from: "20200101000000Z", until: "20200201000000Z" }), /not valid now/],
    [make({ from: "20900101000000Z", until: "20910201000000Z" }), /not valid now/],
    [authority.pem + pem, /exactly this host/],
    [pem + authority.pem.repeat(10), /more than 10/],
    [pem + authority.pem.replace("MII", "MIJ"), /not a certificate/],
    [pem.replace(/\n.{64}\n/, "\n"), /not a certificate/],
    [
      make({ names: [host] }) +
        signed(folder, authority, request, {
          names: Array.from({ length: 400 }, (_, i) => `host-${i}.of-a-long-name.example.com`),
        }),
      /longer than/,
    ],
  ];
  for (const [chain, reason] of cases) {
    const result = checkedChain(chain, expected);
    assert.match(typeof result === "string" ? result : "accepted", reason);
  }
});

const reply = (status: number, body: unknown, headers: Record<string, string> = {}) => ({
  status,
  headers: new Headers(headers),
  text: typeof body === "string" ? body : JSON.stringify(body),
});

test("an authority's errors are told apart", () => {
  const of = (type: string) => ({ type: `urn:ietf:params:acme:error:${type}`, detail: "in its own words" });
  const cases: [Parameters<typeof reply>, consequence: string, wait: number | undefined][] = [
    [[403, of("rejectedIdentifier")], "rejected", undefined],
    [[400, of("malformed")], "rejected", undefined],
    [[403, of("orderNotReady")], "not_ready", undefined],
    [[400, of("accountDoesNotExist")], "unregistered", undefined],
    [[409, of("alreadyReplaced")], "rejected", undefined],
    [[400, of("badNonce")], "unavailable", undefined],
    [[429, of("rateLimited"), { "Retry-After": "3600" }], "unavailable", 3_600_000],
    [[403, of("rateLimited"), { "Retry-After": "99999999" }], "unavailable", 86_400_000],
    [[429, "slow down"], "unavailable", undefined],
    [[500, of("serverInternal")], "unavailable", undefined],
    [[503, "<html>", { "Retry-After": "soon" }], "unavailable", undefined],
    [[502, ""], "unavailable", undefined],
    [[302, "", { Location: "https://elsewhere.example" }], "rejected", undefined],
    [[404, "<html>"], "rejected", undefined],
    [[400, { type: "about:blank" }], "rejected", undefined],
    [[400, "null"], "rejected", undefined],
    [[400, of("constructor")], "rejected", undefined],
    [[400, `{"subproblems":[`.repeat(2_000) + "]}".repeat(2_000)], "rejected", undefined],
    [[400, { type: 7, detail: [], subproblems: {} }], "rejected", undefined],
  ];
  for (const [given, consequence, wait] of cases) {
    const failure = failureOfReply(reply(...given));
    assert.deepEqual([failure.consequence, failure.retryAfter], [consequence, wait], JSON.stringify(given));
  }
  const parts = failureOfReply(reply(403, { ...of("compound"), subproblems: [of("caa"), of("dns")] }));
  assert.equal(
    parts.message,
    "The authority responded: compound: in its own words; caa: in its own words; dns: in its own words",
  );
});

test("an authority's words are shortened, and have no invisible characters", () => {
  const words = failureOfReply(
    reply(400, { type: "x", detail: `a\u202Eb\u0000c\nd\u{E0041}e${"\u{1F600}".repeat(500)}` }),
  ).message;
  assert.ok(words.length <= 500 && words.isWellFormed());
  assert.match(words, /a\uFFFDb\uFFFDc\uFFFDd\uFFFDe/);
  assert.equal(cleaned("\uD800"), "\uFFFD");
});
