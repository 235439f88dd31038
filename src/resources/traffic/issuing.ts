import * as z from "zod";
import type { OfferedIssuer } from "../../../packages/model/src/traffic/issuing.ts";
import { schema } from "../../../packages/model/src/values/request_schemas.ts";
import { agents } from "../../db/internal_schema.ts";
import { certificateIssuers as issuers } from "../../db/schema.ts";
import { decoded, decoderOf, sql, type Statement } from "../../db/statements.ts";
import { unauthenticated } from "../../http/errors.ts";
import { operation } from "../../http/operation.ts";
import { showTagged } from "../../http/respond.ts";
import { endpoints } from "../../http/router.ts";
import { sha256 } from "../../http/tokens.ts";

/*
 * What agents may ask the service to issue. An earlier service has no such path, so agents know that it rejects reports of certificates.
 */

const Issuing = schema("Issuing", () => ({
  description: "The issuers that an agent may ask for certificates.",
  examples: [
    {
      issuers: [{ hosts: ["shop.example.com"], thumbprint: "NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs" }],
    },
  ],
  type: z.strictObject({
    issuers: z
      .array(
        z.strictObject({
          hosts: z
            .array(z.string())
            .describe("The hosts that certificates are ordered for, as the issuer has them."),
          thumbprint: z
            .string()
            .describe(
              "Thumbprint of the account's key (RFC 7638). The response to a challenge is its token, a full stop and this thumbprint (RFC 8555 §8.3).",
            ),
        }) satisfies z.ZodType<OfferedIssuer>,
      )
      .describe("The issuers, oldest first."),
  }),
}));

/** Reads the issuers that are for all agents, or for one whose name an API key owns. */
const offeredTo = (keyId: string): Statement<OfferedIssuer> =>
  decoded(
    sql`select ${issuers.hosts}, ${issuers.thumbprint} from ${issuers}
      where exists (
        select 1 from json_each(${issuers.agents}) as name left join ${agents} on ${agents.name} = name.value
        where name.value = '*' or ${agents.key_id} = ${keyId})
      order by ${issuers.id}`,
    decoderOf(issuers),
  );

export const issuing = endpoints().get(
  "/",
  operation({
    id: "IssuingGet",
    access: "agent",
    summary: "Get what agents may have issued",
    description:
      "Returns the issuers that an agent may ask for certificates: those for all agents, and those for an agent that has reported with the same key. Agents ask once a minute. An agent reports its certificates only to a service that has this operation, because earlier services reject such a status.",
    tag: "Traffic",
    conditional: "poll",
    status: 200,
    response: Issuing,
    errors: ["ERR_PRECONDITION_FAILED"],
  }),
  async (c) => {
    const { session, caller } = c.get("request");
    if (!caller) throw unauthenticated();
    const found = await session.all(offeredTo(caller.keyId));
    const body = { issuers: found.map(({ hosts, thumbprint }) => ({ hosts, thumbprint })) };
    const json = JSON.stringify(body satisfies z.output<typeof Issuing>);
    return showTagged(c, `"${await sha256(json)}"`, () => json);
  },
);
