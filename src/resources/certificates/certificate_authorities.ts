import * as z from "zod";
import { stamp } from "../../../packages/model/src/ids.ts";
import { kinds } from "../../../packages/model/src/kinds.ts";
import { boundedTexts } from "../../../packages/model/src/values/descriptions.ts";
import { requestObject, schema } from "../../../packages/model/src/values/request_schemas.ts";
import { rowsOf } from "../../db/rows.ts";
import { certificateAuthorities as table } from "../../db/schema.ts";
import { operationsOn } from "../../http/collection.ts";
import { endpoints } from "../../http/router.ts";
import { commit } from "../../writes/commit.ts";
import { unused } from "../../writes/requirements.ts";
import { describedMembers, exampleObject, toDescribed, unsetTexts } from "../common.ts";
import { objectsOf } from "../objects.ts";
import { usedBy } from "../used_by.ts";
import { authorityCertificate } from "./certificates.ts";
import { KEY_USAGES } from "./x509.ts";

type Row = typeof table.$inferSelect;
const rows = rowsOf("certificate_authority", table, {
  short: ["description", "metadata", "not_before", "not_after"],
});

const examplePem = `-----BEGIN CERTIFICATE-----
MIIBDjCBwaADAgECAhQ5pdcnDZWqWRuufT1HwbPYqsAqIDAFBgMrZXAwFTETMBEG
A1UEAwwKRXhhbXBsZSBDQTAeFw0yNjExMjEyMzQ0MDNaFw0zNjExMjEyMzQ0MDNa
MBUxEzARBgNVBAMMCkV4YW1wbGUgQ0EwKjAFBgMrZXADIQD8bd6K0oo2FBWeKKfg
XFwkZGh+c46i9Zbg3HLm+ej5kqMjMCEwDgYDVR0PAQH/BAQDAgEGMA8GA1UdEwEB
/wQFMAMBAf8wBQYDK2VwA0EArxtEwDsOZw15Jz9r//acYkbzSlS/CDLBLd0vGoWi
hKBy4wIhYSwXE5zWN00dlEUv/GPUqnj3nE1J3bhu4WcpAw==
-----END CERTIFICATE-----
`;

const CertificateAuthority = schema("CertificateAuthority", () => ({
  description: kinds.certificate_authority.about,
  examples: [
    {
      ...exampleObject("certificate_authority"),
      description: "Signs the devices of the shop",
      ca_pem: examplePem,
      subject_common_name: "Example CA",
      not_before: "2026-11-21T23:44:03Z",
      not_after: "2036-11-21T23:44:03Z",
      key_usages: ["cert_sign", "crl_sign"],
      extended_key_usages: [],
    },
  ],
  type: z.strictObject({
    ...describedMembers(),
    ca_pem: z
      .string()
      .describe(
        "The certificate, re-encoded as PEM: lines of 64 characters, each followed by a line feed. Never changes.",
      ),
    subject_common_name: z
      .string()
      .describe("The last common name (CN) of the subject. Omitted if there is none.")
      .optional(),
    not_before: z.iso
      .datetime()
      .describe("When the certificate becomes valid: RFC 3339, UTC, whole seconds."),
    not_after: z.iso
      .datetime()
      .describe(
        "When the certificate expires: RFC 3339, UTC, whole seconds. An expired authority is not deleted or disabled.",
      ),
    key_usages: z
      .array(z.enum(KEY_USAGES))
      .describe(
        "The permitted uses of its key (RFC 5280 §4.2.1.3). Empty if the certificate does not restrict them.",
      ),
    extended_key_usages: z
      .array(z.string())
      .describe(
        "The permitted uses of the certificates that it signs (RFC 5280 §4.2.1.12): `any`, `server_auth`, `client_auth`, `code_signing`, `email_protection`, `ipsec_end_system`, `ipsec_tunnel`, `ipsec_user`, `time_stamping`, `ocsp_signing`, or an object identifier such as `1.3.6.1.4.1.311.20.2.2`. Empty if the certificate does not restrict them.",
      ),
  }),
}));

const CertificateAuthorityCreate = schema("CertificateAuthorityCreate", () => ({
  examples: [{ description: "Signs the devices of the shop", ca_pem: examplePem }],
  type: requestObject({
    ...boundedTexts(),
    ca_pem: authorityCertificate().describe(
      "The authority's certificate (X.509, RFC 5280) as one PEM block of the type `CERTIFICATE`, without headers and without a private key; at most 16384 bytes of UTF-8. Text around the block is dropped. Its Basic Constraints must set `cA`. It can be expired, not yet valid, or an intermediate certificate. Signatures are not checked.",
    ),
  }),
}));
/** Everything else comes from the certificate. To use another certificate, create another object. */
const CertificateAuthorityUpdate = schema("CertificateAuthorityUpdate", () => ({
  examples: [{ description: "Signs all devices" }],
  type: requestObject(boundedTexts()),
}));

/** A row as responses show it. */
export const toCertificateAuthority = (row: Row, origin: string): z.output<typeof CertificateAuthority> => ({
  ...toDescribed(row, origin),
  ca_pem: row.ca_pem,
  subject_common_name: row.subject_common_name ?? undefined,
  not_before: row.not_before,
  not_after: row.not_after,
  key_usages: row.key_usages,
  extended_key_usages: row.extended_key_usages,
});

const authorities = objectsOf("certificate_authority", rows, toCertificateAuthority);
const operations = operationsOn("certificate_authority", CertificateAuthority);

export const certificateAuthorities = endpoints()
  .post("/", operations.create(CertificateAuthorityCreate), (c) => {
    const { ca_pem: certificate, ...texts } = c.req.valid("json");
    const row = { ...stamp("certificate_authority"), ...unsetTexts, ...texts, ...certificate };
    return commit(c, authorities.create(c, row));
  })
  .get("/", operations.list(), (c) => authorities.list(c, c.req.valid("query")))
  .get("/:id", operations.get(), (c) => authorities.get(c, c.req.param()))
  .patch("/:id", operations.update(CertificateAuthorityUpdate), (c) =>
    commit(c, authorities.change(c, c.req.param(), c.req.valid("json"))),
  )
  .delete(
    "/:id",
    operations.remove("Fails with 409 while a `mutual_tls` module refers to it.", "ERR_IN_USE"),
    (c) => {
      const id = c.req.param("id");
      return commit(c, authorities.remove(c, { id }, [unused(id)]));
    },
  )
  .route("/:id/used_by", usedBy({ kind: "certificate_authority", users: ["tls_edge", "https_edge"], rows }));
