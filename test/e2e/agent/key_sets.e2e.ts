// The agent's requests for key sets, over TLS on loopback.
import assert from "node:assert/strict";
import { generateKeyPairSync, type KeyObject } from "node:crypto";
import { readFileSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer } from "node:https";
import { test, type TestContext } from "node:test";
import { upstreamGuard } from "../../../packages/agent/src/guard.ts";
import { type KeySetConnection, fetchKeys } from "../../../packages/agent/src/key_set_client.ts";
import { KeySets } from "../../../packages/agent/src/key_sets.ts";
import type { PublicKey } from "../../../packages/agent/src/render/contract.ts";
import type { Snapshot } from "../../../packages/model/src/traffic/snapshot.ts";
import { listen } from "../support/ports.ts";
import { certificate, folder, snapshot } from "./proxy.ts";

const HOST = "keys.example.com";

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/** A server of key sets on loopback, and what an agent that may call it is given. */
async function given(t: TestContext, handler: Handler): Promise<{ url: string; access: KeySetConnection }> {
  const { pem } = certificate(folder(t), [HOST]);
  const server = createServer({ key: readFileSync(pem), cert: readFileSync(pem) }, handler);
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    url: `https://${HOST}:${await listen(server)}/keys`,
    access: { addressesOf: () => ["127.0.0.1"], roots: pem },
  };
}

const answer =
  (body: unknown, status = 200, headers = {}): Handler =>
  (_, response) =>
    response.writeHead(status, headers).end(typeof body === "string" ? body : JSON.stringify(body));

const rsa = (modulusLength: number): KeyObject => generateKeyPairSync("rsa", { modulusLength }).publicKey;
const ec = (namedCurve: string): KeyObject => generateKeyPairSync("ec", { namedCurve }).publicKey;
const jwk = (key: KeyObject, more: object = {}): object => ({ ...key.export({ format: "jwk" }), ...more });
const pemOf = (key: KeyObject): string => key.export({ type: "spki", format: "pem" }).toString();

const [long, short, p256, p384] = [rsa(2048), rsa(1024), ec("P-256"), ec("P-384")];

test("keys have the algorithms of their kind and curve", async (t) => {
  const { url, access } = await given(
    t,
    answer({
      keys: [
        jwk(long, { kid: "a", use: "sig" }),
        jwk(long, { kid: "b", alg: "RS512", key_ops: ["verify"] }),
        jwk(p256),
        jwk(p384, { alg: "ES384" }),
      ],
    }),
  );
  assert.deepEqual(await fetchKeys(url, access), [
    { kid: "a", algorithms: ["RS256", "RS384", "RS512"], pem: pemOf(long) },
    { kid: "b", algorithms: ["RS512"], pem: pemOf(long) },
    { algorithms: ["ES256"], pem: pemOf(p256) },
    { algorithms: ["ES384"], pem: pemOf(p384) },
  ] satisfies PublicKey[]);
});

test("keys of other kinds and for other purposes are left out", async (t) => {
  const { url, access } = await given(
    t,
    answer({
      keys: [
        jwk(short, { kid: "too short" }),
        jwk(long, { use: "enc" }),
        jwk(long, { key_ops: ["encrypt"] }),
        jwk(long, { alg: "PS256" }),
        jwk(p256, { alg: "ES384" }),
        jwk(p256, { x: "AAAA" }),
        jwk(p256, { kid: 7 }),
        jwk(ec("secp256k1")),
        { kty: "oct", k: "c2VjcmV0" },
        null,
        "a string",
        jwk(p256, { kid: "good" }),
      ],
    }),
  );
  assert.deepEqual(await fetchKeys(url, access), [{ kid: "good", algorithms: ["ES256"], pem: pemOf(p256) }]);
});

test("of a private key, only the public part is kept", async (t) => {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const { url, access } = await given(t, answer({ keys: [privateKey.export({ format: "jwk" })] }));
  assert.deepEqual(await fetchKeys(url, access), [{ algorithms: ["ES256"], pem: pemOf(publicKey) }]);
});

const padded = (bytes: number): string => {
  const text = JSON.stringify({ keys: [jwk(p256)] });
  return text + " ".repeat(bytes - text.length);
};
const many = (count: number): object => ({ keys: Array.from({ length: count }, () => jwk(p256)) });

test("64 KiB and 20 keys are accepted", async (t) => {
  const { url, access } = await given(t, answer(padded(64 * 1024)));
  assert.equal((await fetchKeys(url, access)).length, 1);
  const other = await given(t, answer(many(20)));
  assert.equal((await fetchKeys(other.url, other.access)).length, 20);
});

const rejections: [name: string, handler: Handler, reason: RegExp][] = [
  ["more than 64 KiB", answer(padded(64 * 1024 + 1)), /^It is larger than 65536 bytes\.$/],
  [
    "an endless body",
    (_, response) => {
      const timer = setInterval(() => response.write(" ".repeat(10_000)), 1);
      response.on("close", () => clearInterval(timer));
    },
    /^It is larger than 65536 bytes\.$/,
  ],
  ["more than 20 keys", answer(many(21)), /JSON Web Key Set of at most 20 keys/],
  ["no keys", answer({ keys: [] }), /no key for signatures/],
  [
    "another document",
    answer("secret of an internal page"),
    /^It is not a JSON Web Key Set of at most 20 keys\.$/,
  ],
  ["no list", answer({ keys: {} }), /JSON Web Key Set/],
  ["a redirect", answer("", 302, { Location: "/elsewhere" }), /^It responds with 302 instead of 200\.$/],
  ["an error", answer("", 500), /^It responds with 500 instead of 200\.$/],
  [
    "a connection that is closed",
    (request) => request.socket.destroy(),
    /^It cannot be fetched \(ECONNRESET\)\.$/,
  ],
  [
    "a body that ends too early",
    (_, response) => {
      response.writeHead(200, { "Content-Length": "100" }).write("{");
      setTimeout(() => response.destroy(), 20);
    },
    /^It cannot be fetched/,
  ],
  ["no answer", () => {}, /^It did not respond within 10 seconds\.$/],
];

test("what is not a key set is rejected", { timeout: 30_000 }, async (t) => {
  await Promise.all(
    rejections.map(async ([name, handler, message]) => {
      const { url, access } = await given(t, handler);
      await assert.rejects(fetchKeys(url, access), { message }, name);
    }),
  );
});

test("the server's certificate must be one that the agent trusts, and name the host", async (t) => {
  const { url, access } = await given(t, answer(many(1)));
  const untrusted = { addressesOf: access.addressesOf };
  await assert.rejects(fetchKeys(url, untrusted), {
    message: /^It cannot be fetched \(DEPTH_ZERO_SELF_SIGNED_CERT\)\.$/,
  });
  await assert.rejects(fetchKeys(url.replace(HOST, "other.example.com"), access), {
    message: /^It cannot be fetched \(ERR_TLS_CERT_ALTNAME_INVALID\)\.$/,
  });
});

test("a set is only fetched from addresses that can be upstreams", async (t) => {
  const { url, access } = await given(t, answer(many(1)));
  const allowed = (networks: { address: string; prefix: number }[]): KeySetConnection => ({
    ...access,
    addressesOf: () => ["127.0.0.1"].filter(upstreamGuard(networks)),
  });
  await assert.rejects(fetchKeys(url, allowed([])), { message: /no address that this agent can use/ });
  await fetchKeys(url, allowed([{ address: "127.0.0.0", prefix: 8 }]));
});

/** A snapshot whose routes verify tokens with keys from `urls`. */
function needing(urls: string[]): Snapshot {
  const program = (url: string): object => ({
    rules: { on_http_request: [{ actions: [{ do: "jwt", key_urls: [url] }] }] },
  });
  const routes = urls.map((url) => ({ traffic_policy: { value: "", program: program(url) } }));
  return { ...snapshot({}), edges: [{ kind: "https", routes }] } as never;
}

const key = (kid: string): PublicKey => ({ kid, algorithms: ["ES256"], pem: pemOf(p256) });

test("sets are fetched again after 15 minutes, and after one minute if that fails; the last good set is kept", async () => {
  let [now, fetched, next] = [0, 0, (): PublicKey[] => [key("1")]];
  const sets = new KeySets(
    {},
    () => {
      fetched += 1;
      return Promise.resolve().then(next);
    },
    () => now,
  );
  const at = async (minutes: number): Promise<boolean> => {
    now = minutes * 60_000;
    const isNew = await sets.refresh(needing(["https://a/"]));
    // What is fetched in the background is seen in the next turn.
    await new Promise(setImmediate);
    return (await sets.refresh(needing(["https://a/"]))) || isNew;
  };
  assert.equal(await sets.refresh(needing(["https://a/"])), true);
  assert.deepEqual(sets.of("https://a/").keys, [key("1")]);
  assert.equal(await at(14), false);
  assert.equal(fetched, 1);
  assert.equal(await at(15), false);
  assert.equal(fetched, 2);
  next = () => [key("2")];
  assert.equal(await at(30), true);
  assert.deepEqual(sets.of("https://a/").keys, [key("2")]);
  next = () => {
    throw new Error("Down.");
  };
  assert.equal(await at(45), false);
  assert.deepEqual(sets.of("https://a/"), { keys: [key("2")], error: "Down.", due: 46 * 60_000 });
  next = () => [key("3")];
  assert.equal(await at(46), true);
  assert.deepEqual(sets.saved, { "https://a/": [key("3")] });
});

test("a set that was never fetched is waited for, one that hangs is not waited for again", async () => {
  let [now, ends] = [0, (): void => {}];
  const sets = new KeySets(
    { "https://kept/": [key("1")] },
    () => new Promise((_, reject) => (ends = () => reject(new Error("Slow.")))),
    () => now,
  );
  assert.equal(await sets.refresh(needing(["https://kept/"])), false);
  assert.deepEqual(sets.of("https://kept/").keys, [key("1")]);
  const first = sets.refresh(needing(["https://new/"]));
  setImmediate(() => ends());
  assert.equal(await first, true);
  now = 60_000;
  assert.equal(await sets.refresh(needing(["https://new/"])), false);
});

test("an agent fetches at most 50 sets", async () => {
  const urls = Array.from({ length: 51 }, (_, index) => `https://a/${index}`);
  const sets = new KeySets({}, () => Promise.resolve([key("1")]));
  await sets.refresh(needing(urls));
  assert.equal(Object.keys(sets.saved).length, 50);
  assert.equal(sets.of("https://a/49").keys.length, 1);
  assert.deepEqual(sets.of("https://a/50"), { keys: [], error: "The agent fetches at most 50 key sets." });
});
