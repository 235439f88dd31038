import * as z from "zod";
import { exampleId, idSchema, Ref, refs } from "../../packages/model/src/ids.ts";
import { IDS, clearableList, requestObject } from "../../packages/model/src/values/request_schemas.ts";
import { edgeModule, enabled, isEnabled } from "./module.ts";

const about = "Restricts who may connect, by source IP address.";

const description = `
${about} A source is allowed if it matches at least one \`allow\` rule and no \`deny\` rule. The rules of all policies form
one set, whose order does not matter; a source that matches no rule is rejected. An enabled restriction without policies, or
with only empty or deleted policies, therefore admits nobody. A deleted policy counts as a policy without rules: if it held
the \`deny\` rules, the sources that they blocked are allowed if another policy allows them.
`
  .trim()
  .replaceAll("\n", " ");

/** The IP policies whose combined rules decide which sources are let in. A deleted policy counts as one without rules. */
export const ipRestriction = edgeModule({
  name: "ip_restriction",
  title: "IP restriction",
  about,
  description,
  example: { ip_policy_ids: [exampleId("ip_policy")] },
  sent: () =>
    requestObject({
      enabled: enabled(),
      ip_policy_ids: clearableList(idSchema("ip_policy"), IDS)
        .describe("Ids of the IP policies whose rules apply; their order does not matter.")
        .default(null),
    }),
  shown: () =>
    z.strictObject({
      enabled: isEnabled(),
      ip_policies: z.array(Ref).nullable().describe("The IP policies whose rules apply."),
    }),
  toApi: (stored, origin) => ({ enabled: stored.enabled, ip_policies: refs(origin, stored.ip_policy_ids) }),
  references: ({ ip_policy_ids }) =>
    (ip_policy_ids ?? []).map((id, index) => ({ path: `/ip_policy_ids/${index}`, id })),
});
