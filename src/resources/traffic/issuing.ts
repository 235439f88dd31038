import * as z from "zod";
import { schema } from "../../../packages/model/src/values/request_schemas.ts";
import { operation } from "../../http/operation.ts";
import { respond } from "../../http/respond.ts";
import { endpoints } from "../../http/router.ts";

/*
 * What agents may ask the service to issue. An earlier service has no such path, so agents know that it rejects reports of certificates.
 */

const Issuing = schema("Issuing", () => ({
  description: "The issuers that an agent may ask for certificates.",
  examples: [{ issuers: [] }],
  type: z.strictObject({
    issuers: z.array(z.looseObject({})).describe("Empty: this release issues no certificates."),
  }),
}));

const body = JSON.stringify({ issuers: [] } satisfies z.output<typeof Issuing>);

export const issuing = endpoints().get(
  "/",
  operation({
    id: "IssuingGet",
    access: "agent",
    summary: "Get what agents may have issued",
    description:
      "Returns the issuers that an agent may ask for certificates. An agent reports its certificates only to a service that has this operation, because earlier services reject such a status.",
    tag: "Traffic",
    isConstant: true,
    status: 200,
    response: Issuing,
  }),
  (c) => respond(c, 200, body),
);
