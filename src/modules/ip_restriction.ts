import * as z from "zod";
import type { StoredIpRestriction } from "../db/schema.ts";
import { exampleId, exampleRef, idOf, Ref, refs } from "../kinds.ts";
import { lazily, type Output } from "../lazily.ts";
import { list, members } from "../values/members.ts";
import { type EdgeModule, enabled, isEnabled } from "./module.ts";

const IpRestrictionModuleMutate = lazily(() =>
  members({
    enabled: enabled(),
    ip_policy_ids: list(idOf("ip_policy"))
      .describe("The IP policies that are asked, in order.")
      .default(null),
  }).meta({
    id: "IpRestrictionModuleMutate",
    description: "The IP policies that decide whether a source IP is allowed.",
    examples: [{ ip_policy_ids: [exampleId("ip_policy")] }],
  }),
);

const IpRestrictionModule = lazily(() =>
  z.strictObject({ enabled: isEnabled(), ip_policies: z.array(Ref()).nullable() }).meta({
    id: "IpRestrictionModule",
    description:
      "The IP policies that decide whether a source IP is allowed. A deleted one counts as a policy without rules.",
    examples: [{ enabled: true, ip_policies: [exampleRef("ip_policy")] }],
  }),
);

/** The IP policies that decide whether a source IP is allowed. A policy that was deleted counts as one without rules. */
export const ipRestriction: EdgeModule<StoredIpRestriction, Output<typeof IpRestrictionModule>> = {
  name: "ip_restriction",
  title: "IP restriction",
  mutate: IpRestrictionModuleMutate,
  response: IpRestrictionModule,
  toApi: (stored, origin) => ({ enabled: stored.enabled, ip_policies: refs(origin, stored.ip_policy_ids) }),
  references: ({ ip_policy_ids }) =>
    (ip_policy_ids ?? []).map((id, index) => ({ path: `/ip_policy_ids/${index}`, id })),
};
