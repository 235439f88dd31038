import * as z from "zod";
import type { StoredIpRestriction } from "../db/schema.ts";
import { idOf, Ref, refs } from "../kinds.ts";
import { list, members } from "../values/members.ts";
import { type EdgeModule, enabled } from "./module.ts";

const IpRestrictionModuleMutate = members({
  enabled,
  ip_policy_ids: list(idOf("ip_policy")).default(null),
}).meta({ id: "IpRestrictionModuleMutate" });

const IpRestrictionModule = z
  .strictObject({ enabled: z.boolean(), ip_policies: z.array(Ref).nullable() })
  .meta({ id: "IpRestrictionModule" });

/** The IP policies that decide whether a source IP is allowed. A policy that was deleted counts as one without rules. */
export const ipRestriction: EdgeModule<StoredIpRestriction, z.infer<typeof IpRestrictionModule>> = {
  name: "ip_restriction",
  title: "IP restriction",
  mutate: IpRestrictionModuleMutate,
  response: IpRestrictionModule,
  toApi: (stored, origin) => ({ enabled: stored.enabled, ip_policies: refs(origin, stored.ip_policy_ids) }),
  references: ({ ip_policy_ids }) =>
    (ip_policy_ids ?? []).map((id, index) => ({ path: `/ip_policy_ids/${index}`, id })),
};
