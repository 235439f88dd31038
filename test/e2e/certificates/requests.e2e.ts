import assert from "node:assert/strict";
import { createPublicKey } from "node:crypto";
import { readFileSync, rmSync } from "node:fs";
import { after, test } from "node:test";
import { readRequest } from "../../../src/issuing/csr.ts";
import { newFolder, newKey, requestFor } from "./openssl.ts";

/*
 * Requests for certificates made with openssl, and changed ones.
 */

const folder = newFolder();
after(() => rmSync(folder, { recursive: true }));

const HOST = "shop.example.com";
const SAN = `subjectAltName=DNS:${HOST}`;
const key = newKey(folder);
const read = (der: Uint8Array, host = HOST) => readRequest(Buffer.from(der).toString("base64url"), host);

test("requests for exactly the host are accepted, with the key that openssl wrote", async () => {
  const spki = createPublicKey(readFileSync(key)).export({ type: "spki", format: "der" });
  for (const subject of ["/", `/CN=${HOST}`, `/CN=${HOST.toUpperCase()}`, `/O=Shop/CN=${HOST}`]) {
    const result = await read(requestFor(folder, key, [SAN], { subject }));
    assert.deepEqual(Buffer.from(result.key ?? []), spki, subject);
  }
  const { problem } = await read(requestFor(folder, key, [`subjectAltName=DNS:${HOST.toUpperCase()}`]));
  assert.equal(problem, undefined);
});

test("other requests are rejected with a reason", async () => {
  const cases: [name: string, request: Buffer, reason: RegExp][] = [
    ["another host", requestFor(folder, key, ["subjectAltName=DNS:other.example.com"]), /exactly the host/],
    ["two hosts", requestFor(folder, key, [`${SAN},DNS:other.example.com`]), /exactly the host/],
    ["twice the host", requestFor(folder, key, [`${SAN},DNS:${HOST}`]), /exactly the host/],
    ["a wildcard", requestFor(folder, key, ["subjectAltName=DNS:*.example.com"]), /exactly the host/],
    ["an address", requestFor(folder, key, [`${SAN},IP:192.0.2.1`]), /exactly the host/],
    [
      "a name with a zero byte's look-alike",
      requestFor(folder, key, [`subjectAltName=DNS:${HOST}.`]),
      /exactly the host/,
    ],
    [
      "another common name",
      requestFor(folder, key, [SAN], { subject: "/CN=other.example.com" }),
      /exactly the host/,
    ],
    [
      "no alternative names",
      requestFor(folder, key, ["basicConstraints=CA:false"]),
      /subject alternative names/,
    ],
    ["an authority", requestFor(folder, key, [SAN, "basicConstraints=CA:true"]), /no other extension/],
    ["must-staple", requestFor(folder, key, [SAN, "tlsfeature=status_request"]), /no other extension/],
    [
      "a password",
      requestFor(folder, key, [SAN], { attributes: ["challengePassword=secret"], commonName: HOST }),
      /attribute/,
    ],
    ["SHA-512", requestFor(folder, key, [SAN], { digest: "sha512" }), /ECDSA and SHA-256/],
    [
      "P-384",
      requestFor(folder, newKey(folder, ["-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-384"]), [SAN]),
      /P-256/,
    ],
    ["RSA", requestFor(folder, newKey(folder, ["-algorithm", "RSA"]), [SAN]), /P-256/],
    ["Ed25519", requestFor(folder, newKey(folder, ["-algorithm", "ED25519"]), [SAN]), /P-256/],
    ["no attributes", requestFor(folder, key, []), /./],
    ["nothing", Buffer.alloc(0), /PKCS #10/],
    ["text", Buffer.from("certificate"), /PKCS #10/],
  ];
  for (const [name, request, reason] of cases) {
    const { problem } = await read(request);
    assert.match(problem ?? "accepted", reason, name);
  }
  assert.match((await readRequest("not base64url!", HOST)).problem ?? "", /PKCS #10/);
});

test("no change of a request is accepted, and none is an error of the service", async () => {
  const request = requestFor(folder, key, [SAN]);
  for (let at = 0; at < request.length; at++) {
    for (const bit of [1, 2, 16, 128]) {
      const changed = Buffer.from(request);
      changed[at] = (changed[at] ?? 0) ^ bit;
      assert.notEqual((await read(changed)).problem, undefined, `byte ${at}, bit ${bit}`);
    }
    assert.notEqual((await read(request.subarray(0, at))).problem, undefined, `${at} bytes`);
  }
  assert.notEqual((await read(Buffer.concat([request, Buffer.from([0])]))).problem, undefined);
});
