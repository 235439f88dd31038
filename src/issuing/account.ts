import type { AcmeClient } from "./acme.ts";
import { fromBase64Url } from "./base64url.ts";
import { rejected } from "./failures.ts";
import { externalBinding } from "./jws.ts";

/*
 * Accounts at authorities (RFC 8555 §7.3).
 */

/** What an account is registered with. */
export interface AccountTerms {
  contact: string[] | null;
  /** Opened. */
  external_account: { key_id: string; hmac_key: string } | null;
}

/** A registered account. */
export interface Registration {
  account_uri: string;
  /** The names by which CAA records refer to the authority (RFC 8555 §7.1.1, `caaIdentities`). */
  caa_identities: string[];
}

const MOST_IDENTITIES = 10;

/**
 * Registers an account, or finds it: an authority that knows the key returns the same account (RFC 8555 §7.3.1).
 *
 * @param client of an account without a URL: the request names the key itself (§6.2)
 * @throws AuthorityFailure
 */
export async function register(
  client: AcmeClient,
  { contact, external_account }: AccountTerms,
): Promise<Registration> {
  const { newAccount, meta } = await client.directory();
  if (meta["externalAccountRequired"] === true && !external_account)
    throw rejected("The authority requires an external account (external_account).");
  const hmacKey = external_account && fromBase64Url(external_account.hmac_key);
  const { headers } = await client.post(newAccount, {
    termsOfServiceAgreed: true,
    ...(contact && contact.length > 0 && { contact }),
    ...(external_account &&
      hmacKey && {
        externalAccountBinding: await externalBinding(
          hmacKey,
          external_account.key_id,
          newAccount,
          client.jwk,
        ),
      }),
  });
  const identities = meta["caaIdentities"];
  const listed: unknown[] = Array.isArray(identities) ? identities.slice(0, MOST_IDENTITIES) : [];
  return {
    account_uri: client.ownUrl(headers.get("Location"), "account"),
    caa_identities: listed
      .filter((name) => typeof name === "string")
      .filter((name) => /^[\w.-]{1,253}$/.test(name)),
  };
}
