import { type SQL, sql } from "drizzle-orm";
import { eventDestinations as table } from "./schema.ts";

const stored = (path: string): SQL => sql`json_extract(${table.target}, ${sql.raw(`'$.webhook.${path}'`)})`;

/**
 * A destination's new target, given the one that is sent. A webhook is sent with `previous`, which says until when the secret
 * that it replaces stays in use; that secret is put in here, as it was sealed: nobody has to read it first, so no other
 * request can come in between. Where the secret stays the same, so does the previous one; where there is none, `previous` goes.
 *
 * @param sent JSON, bound once: a target may be long
 */
export const targetReplacing = (sent: SQL): SQL => sql`(
  select iif(json_extract(sent, '$.webhook.previous') is null, sent,
    json_patch(sent, json_object('webhook', json_object('previous', json(case
      when ${stored("secret")} is null then null
      when ${stored("fingerprint")} = json_extract(sent, '$.webhook.fingerprint') then ${stored("previous")}
      else json_set(json_extract(sent, '$.webhook.previous'), '$.secret', ${stored("secret")})
    end)))))
  from (select ${sent} as sent) as given)`;
