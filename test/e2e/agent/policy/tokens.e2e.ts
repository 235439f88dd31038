// Tokens and TLS in a real HAProxy.
import assert from "node:assert/strict";
import { generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { connect } from "node:tls";
import { returning } from "../../../../packages/agent/src/base/own_responses.ts";
import { translate } from "../../../../packages/agent/src/policy/translate.ts";
import type { Program } from "../../../../packages/model/src/policy/base/program.ts";
import { compile } from "../../../../packages/model/src/policy/compile.ts";
import { runPhase } from "../../../../packages/model/src/policy/run.ts";
import { certificate, folder, freePort } from "../proxy.ts";
import { overHttp1, start, upstream } from "./proxy.ts";
import type { OddRequest } from "./random.ts";
import { rangeOf, situationOf } from "./situations.ts";

const HEAD = [
  "global",
  "  maxconn 100",
  "defaults",
  "  mode http",
  "  timeout connect 2s",
  "  timeout client 5s",
  "  timeout server 5s",
];

function programOf(policy: unknown): Program {
  const { program, findings } = compile(JSON.stringify(policy), "https_edge_route", rangeOf);
  assert.ok(program, JSON.stringify(findings));
  return program;
}

const rsa = generateKeyPairSync("rsa", { modulusLength: 2048 });
const ec = generateKeyPairSync("ec", { namedCurve: "P-256" });
const other = generateKeyPairSync("rsa", { modulusLength: 2048 });

const encoded = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString("base64url");

function token(
  claims: unknown,
  { alg = "RS256", key = rsa.privateKey, kid }: { alg?: string; key?: KeyObject; kid?: string } = {},
): string {
  const text = `${encoded({ alg, typ: "JWT", ...(kid !== undefined && { kid }) })}.${encoded(claims)}`;
  if (alg === "none") return `${text}.`;
  return `${text}.${sign("sha256", Buffer.from(text), { key, dsaEncoding: "ieee-p1363" }).toString("base64url")}`;
}

const now = Math.floor(Date.now() / 1000);
const good = { iss: "https://issuer/", aud: ["x", "api"], exp: now + 600 };
const bearer = (text: string): [string, string] => ["Authorization", `Bearer ${text}`];

/** Header lines, and whether the token's signature is valid. */
const tokens: [string, [string, string][], boolean, number][] = [
  ["RS256", [bearer(token(good, { kid: "r" }))], true, 200],
  ["ES256", [bearer(token(good, { alg: "ES256", key: ec.privateKey }))], true, 200],
  ["aud as a string", [bearer(token({ ...good, aud: "api" }, { kid: "r" }))], true, 200],
  [
    "aud in the tenth place",
    [bearer(token({ ...good, aud: [..."123456789", "api"] }, { kid: "r" }))],
    true,
    200,
  ],
  [
    "aud in the eleventh place",
    [bearer(token({ ...good, aud: [..."1234567890", "api"] }, { kid: "r" }))],
    true,
    401,
  ],
  ["another prefix in another case", [["Authorization", `bEARER ${token(good, { kid: "r" })}`]], true, 200],
  ["nothing", [], true, 401],
  ["no prefix", [["Authorization", token(good, { kid: "r" })]], true, 401],
  ["two lines", [bearer(token(good, { kid: "r" })), bearer(token(good, { kid: "r" }))], true, 401],
  ["another key", [bearer(token(good, { key: other.privateKey, kid: "r" }))], false, 401],
  ["another kid", [bearer(token(good, { kid: "s" }))], false, 401],
  ["no signature", [bearer(token(good, { alg: "none" }))], true, 401],
  ["an algorithm that is not allowed", [bearer(token(good, { alg: "RS512", kid: "r" }))], true, 401],
  ["another issuer", [bearer(token({ ...good, iss: "https://other/" }, { kid: "r" }))], true, 401],
  ["no issuer", [bearer(token({ ...good, iss: undefined }, { kid: "r" }))], true, 401],
  ["another audience", [bearer(token({ ...good, aud: "apis" }, { kid: "r" }))], true, 401],
  ["no audience", [bearer(token({ ...good, aud: undefined }, { kid: "r" }))], true, 401],
  ["expired", [bearer(token({ ...good, exp: now - 1 }, { kid: "r" }))], true, 401],
  ["no exp", [bearer(token({ ...good, exp: undefined }, { kid: "r" }))], true, 401],
  ["exp as a string", [bearer(token({ ...good, exp: "never" }, { kid: "r" }))], true, 401],
  ["a negative exp", [bearer(token({ ...good, exp: -1 }, { kid: "r" }))], true, 401],
  ["an exp that is too large", [bearer(token({ ...good, exp: 1e15 }, { kid: "r" }))], true, 401],
  ["nbf in the past", [bearer(token({ ...good, nbf: now - 5 }, { kid: "r" }))], true, 200],
  ["nbf in the future", [bearer(token({ ...good, nbf: now + 60 }, { kid: "r" }))], true, 401],
  ["nbf as a string", [bearer(token({ ...good, nbf: "x" }, { kid: "r" }))], true, 401],
  ["nothing like a token", [bearer("a.b.c")], true, 401],
];

const jwt = {
  on_http_request: [
    {
      actions: [
        {
          type: "jwt-validation",
          config: {
            issuer: { allow_list: [{ value: "https://issuer/" }] },
            audience: { allow_list: [{ value: "api" }, { value: "b c" }] },
            http: { tokens: [{ type: "jwt", method: "header", name: "Authorization", prefix: "Bearer " }] },
            jws: {
              allowed_algorithms: ["RS256", "ES256"],
              keys: [{ sources: { additional_jkus: ["https://issuer.example.com/keys"] } }],
            },
          },
        },
      ],
    },
  ],
};

test("tokens are accepted and rejected as the evaluator says", async (t) => {
  const directory = folder(t);
  const { port: upstreamPort } = await upstream(t, () => ({ status: 200, headers: [] }));
  const files = { RSA: join(directory, "rsa.pem"), EC: join(directory, "ec.pem") };
  writeFileSync(files.RSA, rsa.publicKey.export({ type: "spki", format: "pem" }));
  writeFileSync(files.EC, ec.publicKey.export({ type: "spki", format: "pem" }));
  const program = programOf(jwt);
  const port = await freePort();
  const made = translate(program, {
    prefix: "p_",
    owner: "str()",
    pathOf: (file) => join(directory, file),
    keysOf: () => [
      { kid: "r", algorithms: ["RS256", "RS384", "RS512"], file: files.RSA },
      { algorithms: ["ES256"], file: files.EC },
    ],
  });
  const section = [...made.request.map((line) => `  ${line}`), `  server u 127.0.0.1:${upstreamPort}`];
  const stop = await start(t, directory, [...HEAD, "listen l", `  bind 127.0.0.1:${port}`, ...section], port);
  for (const [name, headers, signatures, status] of tokens) {
    const request: OddRequest = {
      method: "GET",
      target: "/",
      headers,
      source: "127.0.0.1",
      body: "",
      response: { status: 200, headers: [] },
    };
    const answer = await overHttp1(port, request, []);
    assert.equal(answer?.status, status, name);
    const { end } = runPhase(program, "on_http_request", situationOf(request, port, []), {
      counts: {},
      signatures,
      sha256: () => "",
      note: () => undefined,
    });
    assert.equal(end?.kind === "response" ? end.status : 200, status, `evaluator: ${name}`);
  }
  await stop();
});

test("without any key, a route with jwt-validation returns 503", () => {
  const made = translate(programOf(jwt), {
    prefix: "p_",
    owner: "str()",
    pathOf: (file) => file,
    keysOf: () => [],
  });
  assert.deepEqual(made.request, [`http-request ${returning(503)}`]);
});

test("expressions on TLS connections", async (t) => {
  const directory = folder(t);
  const { pem } = certificate(directory, ["x.example"]);
  const program = programOf({
    on_http_request: [
      {
        actions: [
          {
            type: "custom-response",
            config: {
              body: "${conn.tls.sni}|${conn.tls.version}|${conn.tls.negotiated_alpn}|${conn.tls.version == '1.3'}|${conn.tls.client.subject.common_name}",
            },
          },
        ],
      },
    ],
  });
  assert.deepEqual(program.needs, ["tls_termination", "mutual_tls"]);
  const port = await freePort();
  const made = translate(program, {
    prefix: "p_",
    owner: "str()",
    pathOf: (file) => join(directory, file),
    keysOf: () => [],
  });
  for (const [file, content] of made.files) writeFileSync(join(directory, file), content);
  const bind = `  bind 127.0.0.1:${port} ssl crt ${pem} alpn h2,http/1.1`;
  const stop = await start(
    t,
    directory,
    [...HEAD, "frontend f", bind, ...made.request.map((line) => `  ${line}`)],
    port,
  );
  const ask = (options: object): Promise<string> =>
    new Promise((resolve, reject) => {
      const socket = connect({ port, host: "127.0.0.1", rejectUnauthorized: false, ...options });
      let text = "";
      socket.on("error", reject);
      socket.on("data", (data) => (text += data.toString()));
      socket.on("end", () => resolve(text.slice(text.indexOf("\r\n\r\n") + 4)));
      socket.write("GET / HTTP/1.1\r\nHost: x.example\r\nConnection: close\r\n\r\n");
    });
  assert.equal(
    await ask({ servername: "x.example", ALPNProtocols: ["http/1.1"] }),
    "x.example|1.3|http/1.1|true|",
  );
  assert.equal(await ask({ maxVersion: "TLSv1.2" }), "|1.2||false|");
  await stop();
});
