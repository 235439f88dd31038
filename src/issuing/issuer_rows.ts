import { certificateOrders as orders } from "../db/internal_schema.ts";
import { rowsOf } from "../db/rows.ts";
import { certificateIssuers as table } from "../db/schema.ts";
import { type Sql, sql } from "../db/statements.ts";

/** The statements on certificate issuers, which requests change, and the registration of their accounts. */
export const issuerRows = rowsOf("certificate_issuer", table, {
  short: ["description", "metadata", "thumbprint"],
  hidden: { account_key: "all", external_account: ["$.hmac_key"] },
  secrets: { external_account: ["$.hmac_key"] },
});

/** Deletes what agents asked an issuer for, together with the issuer. */
export const forgetOrders = (id: string): Sql => sql`delete from ${orders} where ${orders.issuer_id} = ${id}`;

/** A certificate issuer as it is stored. */
export type IssuerRow = typeof table.$inferSelect;

/** The `last_error` of an issuer whose account has another URL than before. */
export const ACCOUNT_CHANGED =
  "The authority did not know the account any more, and it was registered again: CAA records that name the earlier account must be changed.";
