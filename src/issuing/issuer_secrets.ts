import type { StoredExternalAccount } from "../db/column_types.ts";
import { type ChangeSecret, keyRingOf, placeOf, unseal } from "../db/seals.ts";
import { parsedAs } from "../db/unchecked.ts";
import type { Bindings } from "../http/env.ts";
import { toBase64Url } from "./base64url.ts";
import type { IssuerRow } from "./issuer_rows.ts";

/*
 * The secrets of an issuer: the private key of its account, and the key that binds it to an external account. They are sealed
 * before they are stored, each bound to the issuer and its field.
 */

/** The algorithm of accounts' keys: ES256 (RFC 7518 §3.4). */
const ACCOUNT_KEY = { name: "ECDSA", namedCurve: "P-256" } as const;

/** A new private key as a JWK, and its thumbprint. */
interface NewAccountKey {
  jwk: string;
  thumbprint: string;
}

/** Makes the key of an account. */
export async function newAccountKey(): Promise<NewAccountKey> {
  const made = await crypto.subtle.generateKey(ACCOUNT_KEY, true, ["sign", "verify"]);
  if (!("privateKey" in made)) throw new Error("no pair of keys");
  const exported = await crypto.subtle.exportKey("jwk", made.privateKey);
  if (exported instanceof ArrayBuffer) throw new Error("no JWK");
  const { crv, d, kty, x, y } = exported;
  // RFC 7638 §3.2: the required members, in lexicographic order.
  const canonical = new TextEncoder().encode(JSON.stringify({ crv, kty, x, y }));
  const thumbprint = toBase64Url(await crypto.subtle.digest("SHA-256", canonical));
  return { jwk: JSON.stringify({ crv, d, kty, x, y }), thumbprint };
}

/** An account's key, changed: sealed, for instance. */
export const mapAccountKey = (key: string, change: ChangeSecret): Promise<string> => change(key, "jwk");

/** An external account with its key changed. */
export const mapExternalAccount = async (
  { key_id, hmac_key }: StoredExternalAccount,
  change: ChangeSecret,
): Promise<StoredExternalAccount> => ({ key_id, hmac_key: await change(hmac_key, "hmac_key") });

/**
 * Opens the secrets of an issuer.
 *
 * @throws if there is no key ring, or none of its keys opens them
 */
export async function openIssuer(
  env: Bindings,
  { id, account_key, external_account }: IssuerRow,
): Promise<{ accountKey: JsonWebKey; externalAccount: StoredExternalAccount | null }> {
  const ring = await keyRingOf(env.SEALING_KEYS);
  if (!ring) throw new Error("there are no valid sealing keys");
  const open =
    (field: "account_key" | "external_account"): ChangeSecret =>
    (secret, member) =>
      unseal(ring, secret, placeOf(id, `${field}.${member}`));
  return {
    accountKey: parsedAs<JsonWebKey>(await mapAccountKey(account_key, open("account_key"))),
    externalAccount:
      external_account && (await mapExternalAccount(external_account, open("external_account"))),
  };
}
