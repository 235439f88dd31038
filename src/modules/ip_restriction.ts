import * as z from "zod";
import type { StoredIpRestriction } from "../db/schema.ts";
import { exampleId, exampleRef, idSchema, Ref, refs } from "../ids.ts";
import { IDS, clearableList, requestObject } from "../values/members.ts";
import { type EdgeModule, enabled, isEnabled } from "./module.ts";

const description = `
Which sources are let in: those that match at least one \`allow\` rule and no \`deny\` rule. The rules of all its policies
count as one set, whose order means nothing; a source that matches no rule is refused. So an enabled restriction with no
policies, or with deleted or empty ones only, lets nobody in. A deleted policy counts as one without rules: deleting the one
that held the \`deny\` rules lets in what they refused and another policy allows.
`
  .trim()
  .replaceAll("\n", " ");

const IpRestrictionModuleMutate = z.lazy(() =>
  requestObject({
    enabled: enabled(),
    ip_policy_ids: clearableList(idSchema("ip_policy"), IDS)
      .describe("The IP policies whose rules count, all together; their order means nothing.")
      .default(null),
  }).meta({
    id: "IpRestrictionModuleMutate",
    description,
    examples: [{ ip_policy_ids: [exampleId("ip_policy")] }],
  }),
);

const IpRestrictionModule = z.lazy(() =>
  z.strictObject({ enabled: isEnabled(), ip_policies: z.array(Ref).nullable() }).meta({
    id: "IpRestrictionModule",
    description,
    examples: [{ enabled: true, ip_policies: [exampleRef("ip_policy")] }],
  }),
);

/** The IP policies whose combined rules decide which sources are let in. A deleted policy counts as one without rules. */
export const ipRestriction: EdgeModule<
  "ip_restriction",
  StoredIpRestriction,
  z.output<typeof IpRestrictionModule>
> = {
  name: "ip_restriction",
  title: "IP restriction",
  mutate: IpRestrictionModuleMutate,
  response: IpRestrictionModule,
  toApi: (stored, origin) => ({ enabled: stored.enabled, ip_policies: refs(origin, stored.ip_policy_ids) }),
  references: ({ ip_policy_ids }) =>
    (ip_policy_ids ?? []).map((id, index) => ({ path: `/ip_policy_ids/${index}`, id })),
};
