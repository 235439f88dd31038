import type { Context } from "hono";
import * as z from "zod";
import { stamp } from "../../../packages/model/src/ids.ts";
import { kinds } from "../../../packages/model/src/kinds.ts";
import { LABEL } from "../../../packages/model/src/traffic/issuing.ts";
import { AGENT_NAME, AGENT_NAME_FORM } from "../../../packages/model/src/values/agent_names.ts";
import { boundedTexts } from "../../../packages/model/src/values/descriptions.ts";
import {
  clearableSet,
  evenIfWrong,
  nonEmpty,
  nonEmptySet,
  requestObject,
  schema,
} from "../../../packages/model/src/values/request_schemas.ts";
import type { StoredExternalAccount } from "../../db/column_types.ts";
import { newCost, Session } from "../../db/session.ts";
import { publicUrl } from "../../delivery/guarded_url.ts";
import { settingsFor } from "../../delivery/settings.ts";
import { operationsOn } from "../../http/collection.ts";
import type { App } from "../../http/env.ts";
import { inBackground } from "../../http/log.ts";
import { endpoints } from "../../http/router.ts";
import { sealFor } from "../../http/sealing_keys.ts";
import { forgetOrders, issuerRows, type IssuerRow } from "../../issuing/issuer_rows.ts";
import { mapAccountKey, mapExternalAccount, newAccountKey } from "../../issuing/issuer_secrets.ts";
import { registerAccount } from "../../issuing/steps.ts";
import { commit } from "../../writes/commit.ts";
import { describedMembers, exampleObject, toDescribed, unsetTexts } from "../common.ts";
import { objectsOf } from "../objects.ts";
import { requirePublicHost } from "../public_hosts.ts";

const MOST_CONTACTS = 10;
/** A URL (RFC 6068) of one address (RFC 8555 §7.3), which has at most 254 bytes (RFC 5321 §4.5.3.1). */
const CONTACT = /^mailto:[A-Za-z0-9.!#$'*+/=^_`{|}~-]+@[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?$/;
const CONTACT_LENGTH = 261;

const MOST_HOSTS = 100;
const TOP_LABEL = "[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?";
const HOST_LENGTH = 253;

const MOST_AGENTS = 100;
const NAME_OR_ALL = new RegExp(`${AGENT_NAME.source}|^\\*$`);
const KEY_ID_BYTES = 1_000;
const HMAC_KEY = /^(?:[A-Za-z0-9_-]{4})*[A-Za-z0-9_-]{2,4}$/;
const HMAC_KEY_LENGTH = 1_000;

const meanings = {
  directory_url:
    "The authority's ACME directory: an https URL of a public host, on port 443 or a port from 1024 on.",
  contact:
    "Where the authority sends notices about the account: `mailto:` URLs of one address each, at most 10.",
  terms_of_service_agreed: "Whether the operator agrees to the authority's terms of service: always true.",
  hosts:
    "The hosts that certificates are ordered for: a name, `*.` and a name for one label more, or `*` for all. If several issuers match a host, the most specific pattern decides, then the oldest issuer.",
  agents: "The names of the agents that may request certificates; `*` for all.",
  external_account:
    "The account outside ACME that the authority binds the ACME account to (RFC 8555 §7.3.4), if it requires one.",
  key_id: "The key's identifier, as the authority gave it out.",
  hmac_key: "The key, as the authority gave it out: base64url without padding.",
};

const account = {
  key_id: "kid-1",
  hmac_key: "ZXhhbXBsZS1rZXktb2YtdGhpcnR5LXR3by1ieXRlcyEh",
};

const ExternalAccount = schema("ExternalAccount", () => ({
  description: meanings.external_account,
  examples: [{ ...account, hmac_key: null }],
  type: z.strictObject({
    key_id: z.string().describe(meanings.key_id),
    hmac_key: z.null().describe(`${meanings.hmac_key} Write-only: always null here.`),
  }),
}));

const ExternalAccountMutate = schema("ExternalAccountMutate", () => ({
  description: `${meanings.external_account} \`{}\` removes it.`,
  examples: [account],
  type: requestObject({
    key_id: nonEmpty(KEY_ID_BYTES).describe(meanings.key_id).exactOptional(),
    hmac_key: z
      .string()
      .max(HMAC_KEY_LENGTH)
      .regex(HMAC_KEY, "Expected base64url without padding.")
      .meta({ description: `${meanings.hmac_key} Write-only.`, writeOnly: true })
      .exactOptional(),
  })
    .refine(({ key_id, hmac_key }) => (key_id === undefined) === (hmac_key === undefined), {
      error: "Set both key_id and hmac_key, or neither.",
      when: evenIfWrong,
    })
    .transform(({ key_id, hmac_key }): StoredExternalAccount | null =>
      key_id === undefined || hmac_key === undefined ? null : { key_id, hmac_key },
    ),
}));

const CertificateIssuer = schema("CertificateIssuer", () => ({
  description: kinds.certificate_issuer.about,
  examples: [
    {
      ...exampleObject("certificate_issuer"),
      description: "Let's Encrypt",
      directory_url: "https://acme-v02.api.letsencrypt.org/directory",
      contact: ["mailto:ops@example.com"],
      terms_of_service_agreed: true,
      hosts: ["shop.example.com", "*.apps.example.com"],
      agents: ["*"],
      external_account: null,
      thumbprint: "NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs",
      account_uri: "https://acme-v02.api.letsencrypt.org/acme/acct/1",
      caa: '0 issue "letsencrypt.org; accounturi=https://acme-v02.api.letsencrypt.org/acme/acct/1; validationmethods=http-01"',
      last_error: null,
    },
  ],
  type: z.strictObject({
    ...describedMembers(),
    directory_url: z.string().describe(`${meanings.directory_url} Never changes.`),
    contact: z.array(z.string()).nullable().describe(meanings.contact),
    terms_of_service_agreed: z.boolean().describe(meanings.terms_of_service_agreed),
    hosts: z.array(z.string()).describe(meanings.hosts),
    agents: z.array(z.string()).describe(meanings.agents),
    external_account: ExternalAccount.nullable().describe(meanings.external_account),
    thumbprint: z
      .string()
      .describe("Thumbprint of the account's key (RFC 7638). The service makes the key, and never shows it."),
    account_uri: z.string().nullable().describe("The account's URL; null until it is registered."),
    caa: z
      .string()
      .nullable()
      .describe(
        "The CAA record (RFC 8659, RFC 8657) with which a domain permits only this account to get certificates; null until the account is registered, and for an authority that has no name for such records.",
      ),
    last_error: z
      .string()
      .nullable()
      .describe("Why the authority rejected the account at the last attempt; null if it did not."),
  }),
}));

const contacts = () =>
  clearableSet(
    z
      .string()
      .max(CONTACT_LENGTH)
      .regex(CONTACT, "Expected a mailto: URL of one address, such as mailto:ops@example.com."),
    MOST_CONTACTS,
  ).describe(meanings.contact);

const hostPatterns = () =>
  nonEmptySet(
    z
      .string()
      .max(HOST_LENGTH)
      .regex(
        new RegExp(`^(?:\\*|\\*\\.(?:${LABEL}\\.)*${TOP_LABEL}|(?:${LABEL}\\.)+${TOP_LABEL})$`),
        "Expected a DNS name of at least two labels, in lower case and with international labels as xn--…; or *. and a name; or * for all hosts.",
      ),
    MOST_HOSTS,
  ).describe(meanings.hosts);

/** An empty list is rejected: it would read as "no agent". */
const agentNames = () =>
  nonEmptySet(
    z.string().regex(NAME_OR_ALL, `Expected * for all agents, or the name of one: ${AGENT_NAME_FORM}.`),
    MOST_AGENTS,
  )
    .meta({ minItems: 1, maxItems: MOST_AGENTS, uniqueItems: true })
    .describe(`${meanings.agents} Defaults to \`["*"]\`.`);

const mutable = () => ({
  contact: contacts().exactOptional(),
  terms_of_service_agreed: z
    .literal(
      true,
      "Expected true: it says that you agree to the authority's terms of service, which its directory names. Without that, no account can be registered.",
    )
    .describe(meanings.terms_of_service_agreed),
  hosts: hostPatterns(),
  agents: agentNames().exactOptional(),
  external_account: ExternalAccountMutate.describe(
    `${meanings.external_account} Replaced as a whole; \`{}\` removes it.`,
  ).exactOptional(),
});

const CertificateIssuerCreate = schema("CertificateIssuerCreate", () => ({
  examples: [
    {
      description: "Let's Encrypt",
      directory_url: "https://acme-v02.api.letsencrypt.org/directory",
      contact: ["mailto:ops@example.com"],
      terms_of_service_agreed: true,
      hosts: ["shop.example.com", "*.apps.example.com"],
    },
  ],
  type: requestObject({
    ...boundedTexts(),
    directory_url: publicUrl().describe(meanings.directory_url),
    ...mutable(),
  }),
}));
/** The account is at the authority of the directory. For another authority, create another issuer. */
const CertificateIssuerUpdate = schema("CertificateIssuerUpdate", () => ({
  examples: [{ hosts: ["shop.example.com", "*.apps.example.com", "www.example.com"] }],
  type: requestObject({ ...boundedTexts(), ...mutable() }).exactPartial(),
}));

const unset = { ...unsetTexts, contact: null, agents: ["*"], external_account: null };
const unregistered = { account_uri: null, caa_identities: null, last_error: null };

/** The value of the CAA record that only permits an account, with its flags and its tag; null if it is unknown. */
function caaOf({ account_uri, caa_identities }: IssuerRow): string | null {
  const [identity] = caa_identities ?? [];
  return account_uri === null || identity === undefined
    ? null
    : `0 issue "${identity}; accounturi=${account_uri}; validationmethods=http-01"`;
}

/** A row as responses show it. */
export const toCertificateIssuer = (row: IssuerRow, origin: string): z.output<typeof CertificateIssuer> => ({
  ...toDescribed(row, origin),
  directory_url: row.directory_url,
  contact: row.contact,
  terms_of_service_agreed: row.terms_of_service_agreed,
  hosts: row.hosts,
  agents: row.agents,
  external_account: row.external_account && { key_id: row.external_account.key_id, hmac_key: null },
  thumbprint: row.thumbprint,
  account_uri: row.account_uri,
  caa: caaOf(row),
  last_error: row.last_error,
});

/** An external account to be stored: its key is sealed. */
const sealed = async (
  c: Context<App>,
  id: string,
  account: StoredExternalAccount | null,
): Promise<StoredExternalAccount | null> =>
  account && mapExternalAccount(account, sealFor(c, id, "external_account"));

/**
 * Registers an account that is not registered yet, after the response. An operation of a transaction or a plan has stored nothing yet:
 * the first step of an order registers the account then.
 *
 * @param issuer the row, or its id
 */
function registerSoon(c: Context<App>, issuer: IssuerRow | string): void {
  const { operationId, origin, part } = c.get("request");
  const settings = part ? undefined : settingsFor(c.env, operationId, origin);
  if (!settings) return;
  const session = new Session(c.env.DB, undefined, newCost());
  const register = async (): Promise<void> => {
    const row = typeof issuer === "string" ? await session.first(issuerRows.find({ id: issuer })) : issuer;
    if (row) await registerAccount({ env: c.env, session, settings }, row);
  };
  inBackground(c, register());
}

const issuers = objectsOf("certificate_issuer", issuerRows, toCertificateIssuer);
const operations = operationsOn("certificate_issuer", CertificateIssuer, { read: "viewer", write: "admin" });

export const certificateIssuers = endpoints()
  .post("/", operations.create(CertificateIssuerCreate), async (c) => {
    const { external_account = null, ...body } = c.req.valid("json");
    requirePublicHost(c, body.directory_url, "/directory_url");
    const identity = stamp("certificate_issuer");
    const { jwk, thumbprint } = await newAccountKey();
    const row = {
      ...identity,
      ...unset,
      ...unregistered,
      ...body,
      external_account: await sealed(c, identity.id, external_account),
      account_key: await mapAccountKey(jwk, sealFor(c, identity.id, "account_key")),
      thumbprint,
    };
    const response = await commit(c, issuers.create(c, row));
    if (!response.headers.has("Idempotent-Replayed")) registerSoon(c, row);
    return response;
  })
  .get("/", operations.list(), (c) => issuers.list(c, c.req.valid("query")))
  .get("/:id", operations.get(), (c) => issuers.get(c, c.req.param()))
  .patch("/:id", operations.update(CertificateIssuerUpdate), async (c) => {
    const { external_account, ...rest } = c.req.valid("json");
    const { id } = c.req.param();
    const account =
      external_account === undefined ? {} : { external_account: await sealed(c, id, external_account) };
    const changes = { ...rest, ...account };
    // What went wrong before was seen by whoever changes the issuer, and may be repaired now.
    const seen = Object.keys(changes).length > 0 ? { last_error: null } : {};
    const response = await commit(c, issuers.change(c, { id }, { ...changes, ...seen }));
    // Now, the authority may know its customer.
    if (external_account) registerSoon(c, id);
    return response;
  })
  .delete(
    "/:id",
    operations.remove(
      "No certificate is ordered from it any more. The account at the authority, and certificates that were issued, stay valid.",
    ),
    (c) => {
      const { id } = c.req.param();
      return commit(c, issuers.remove(c, { id }, [], [forgetOrders(id)]));
    },
  );
