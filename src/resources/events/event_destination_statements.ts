import { eventDestinations as table } from "../../db/schema.ts";
import { raw, type Sql, sql, type Value } from "../../db/statements.ts";

const stored = (path: string): Sql => sql`json_extract(${table.target}, ${raw(`'$.webhook.${path}'`)})`;

const secret = stored("secret");
const fingerprint = stored("fingerprint");
const previous = stored("previous");

/**
 * A destination's new target, given the target in the request. A webhook comes with `previous`, which has the end of the
 * replaced secret's use. The replaced secret is inserted there in its sealed form. It is not read beforehand, so no other
 * request can come in between. If the secret stays the same, the stored `previous` stays too. If the stored target has no
 * webhook secret, `previous` is removed.
 *
 * @param sent JSON, bound once: a target may be long
 */
export const targetReplacing = (sent: Value): Sql => sql`(
  select iif(json_extract(sent, '$.webhook.previous') is null, sent,
    json_patch(sent, json_object('webhook', json_object('previous', json(case
      when ${secret} is null then null
      when ${fingerprint} = json_extract(sent, '$.webhook.fingerprint') then ${previous}
      else json_set(json_extract(sent, '$.webhook.previous'), '$.secret', ${secret})
    end)))))
  from (select ${sent} as sent) as given)`;
