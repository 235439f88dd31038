import { createHmac, generateKeyPairSync, sign } from "node:crypto";
import type { RequestListener } from "node:http";

/*
 * A provider that answers whatever a test says, with tokens that it signs itself.
 */

const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
const stranger = generateKeyPairSync("rsa", { modulusLength: 2048 });

const encoded = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url");

/** How an ID token is made wrong. */
export interface Token {
  header?: Record<string, unknown>;
  claims?: Record<string, unknown>;
  /** Default: with the provider's key. */
  signedBy?: "provider" | "stranger" | "nobody" | "client secret";
}

/** An ID token for the service. */
export function idToken(
  issuer: string,
  client: { client_id: string; client_secret: string },
  nonce: string,
  token: Token,
): string {
  const { header = {}, claims = {}, signedBy = "provider" } = token;
  const now = Math.floor(Date.now() / 1000);
  const all = {
    iss: issuer,
    aud: client.client_id,
    sub: "ada",
    iat: now,
    exp: now + 300,
    nonce,
    email: "ada@example.com",
    email_verified: true,
    groups: ["platform"],
    ...claims,
  };
  const input = `${encoded({ alg: "RS256", kid: "1", ...header })}.${encoded(all)}`;
  const signature = {
    provider: () => sign("sha256", Buffer.from(input), privateKey),
    stranger: () => sign("sha256", Buffer.from(input), stranger.privateKey),
    nobody: () => Buffer.alloc(0),
    "client secret": () => createHmac("sha256", client.client_secret).update(input).digest(),
  }[signedBy]();
  return `${input}.${signature.toString("base64url")}`;
}

/** What the provider answers; a test changes it. */
export interface Answers {
  discovery: Record<string, unknown> | number | "never";
  token: Record<string, unknown> | number | "never";
  keys: Record<string, unknown> | number;
  /** How often each path was asked for. */
  asked: Record<string, number>;
}

export const rightAnswers = (issuer: string): Answers => ({
  discovery: {
    issuer,
    authorization_endpoint: `${issuer}/auth`,
    token_endpoint: `${issuer}/token`,
    jwks_uri: `${issuer}/keys`,
    response_types_supported: ["code"],
    subject_types_supported: ["public"],
    id_token_signing_alg_values_supported: ["RS256"],
    authorization_response_iss_parameter_supported: true,
  },
  token: {},
  keys: { keys: [{ ...publicKey.export({ format: "jwk" }), kid: "1", alg: "RS256", use: "sig" }] },
  asked: {},
});

export const fakeProvider =
  (answers: () => Answers): RequestListener =>
  (request, response) => {
    const path = (request.url ?? "").split("?")[0] ?? "";
    const all = answers();
    all.asked[path] = (all.asked[path] ?? 0) + 1;
    const answer = path.startsWith("/.well-known/")
      ? all.discovery
      : path === "/token"
        ? all.token
        : path === "/keys"
          ? all.keys
          : 404;
    if (answer === "never") return;
    if (typeof answer === "number") {
      response.writeHead(answer).end();
      return;
    }
    const status = "error" in answer ? 400 : 200;
    response.writeHead(status, { "Content-Type": "application/json" }).end(JSON.stringify(answer));
  };
