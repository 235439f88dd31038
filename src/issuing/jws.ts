import { toBase64Url } from "./base64url.ts";

/*
 * Signed requests: JWS (RFC 7515) in its flattened JSON form, as ACME requires it (RFC 8555 §6.2).
 */

const encoder = new TextEncoder();

/** The public part of an account's key, with its members in the order of RFC 7638 §3.2. */
export interface PublicJwk {
  crv: string;
  kty: string;
  x: string;
  y: string;
}

/** A value as JSON, in base64url. */
const encoded = (value: object): string => toBase64Url(encoder.encode(JSON.stringify(value)));

const ES256 = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" } as const;
const HS256 = { name: "HMAC", hash: "SHA-256" } as const;

/** The header of a request: who signs it, for which URL (RFC 8555 §6.2). */
type ProtectedHeader = { url: string; nonce?: string } & ({ jwk: PublicJwk } | { kid: string });

async function flattened(
  header: object,
  payload: string,
  key: CryptoKey,
  algorithm: typeof ES256 | typeof HS256,
) {
  const start = encoded(header);
  const signature = await crypto.subtle.sign(algorithm, key, encoder.encode(`${start}.${payload}`));
  return { protected: start, payload, signature: toBase64Url(signature) };
}

/** Imports an account's private key. @param jwk of P-256 */
export const signingKey = (jwk: JsonWebKey): Promise<CryptoKey> =>
  crypto.subtle.importKey("jwk", jwk, ES256, false, ["sign"]);

/** A request, signed with an account's key. @param payload undefined for a POST-as-GET (RFC 8555 §6.3) */
export const signedRequest = (key: CryptoKey, header: ProtectedHeader, payload: object | undefined) =>
  flattened({ alg: "ES256", ...header }, payload === undefined ? "" : encoded(payload), key, ES256);

/**
 * Binds an account to one that the authority knows already (RFC 8555 §7.3.4).
 *
 * @param hmacKey as the authority gave it out, decoded
 */
export async function externalBinding(hmacKey: Uint8Array, keyId: string, url: string, jwk: PublicJwk) {
  const key = await crypto.subtle.importKey("raw", hmacKey, HS256, false, ["sign"]);
  return flattened({ alg: "HS256", kid: keyId, url }, encoded(jwk), key, HS256);
}
