import { env } from "cloudflare:workers";
import { getTableName } from "drizzle-orm";
import { clock } from "../../packages/model/src/clock.ts";
import { certificateIssuers } from "../../src/db/schema.ts";
import { asRow } from "../../src/db/unchecked.ts";
import { issuerRows, type IssuerRow } from "../../src/issuing/issuer_rows.ts";
import type { Json } from "./json.ts";

/** An issuer as it is stored. */
export async function storedIssuer(id: string): Promise<IssuerRow> {
  const row = await env.DB.prepare(`select * from ${getTableName(certificateIssuers)} where id = ?`)
    .bind(id)
    .first<Json>();
  return issuerRows.decode(asRow(row ?? {}));
}

/** Notes the registration of an issuer's account, as the service does. */
export async function noteRegistration(id: string, noted: Partial<IssuerRow>): Promise<void> {
  const { statements } = issuerRows.change({ id }, noted, {
    at: clock.now(),
    operation_id: "op_registration",
    principal: { id: "system", subject: "System", source: "System", credential: null },
    origin: "https://api.test",
  });
  await env.DB.batch(statements.map(({ text, params }) => env.DB.prepare(text).bind(...params)));
}
