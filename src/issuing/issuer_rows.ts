import { rowsOf } from "../db/rows.ts";
import { certificateIssuers as table } from "../db/schema.ts";

/** The statements on certificate issuers, which requests change, and the registration of their accounts. */
export const issuerRows = rowsOf("certificate_issuer", table, {
  short: ["description", "metadata", "thumbprint"],
  hidden: { account_key: "all", external_account: ["$.hmac_key"] },
  secrets: { external_account: ["$.hmac_key"] },
});

/** A certificate issuer as it is stored. */
export type IssuerRow = typeof table.$inferSelect;
