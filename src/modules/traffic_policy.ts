import * as z from "zod";
import type { StoredTrafficPolicy } from "../db/schema.ts";
import { members, nonEmpty } from "../values/members.ts";
import { type EdgeModule, enabled } from "./module.ts";

const TrafficPolicyModuleMutate = members({ enabled, value: nonEmpty() }).meta({
  id: "TrafficPolicyModuleMutate",
});

const TrafficPolicyModule = z
  .strictObject({ enabled: z.boolean(), value: z.string() })
  .meta({ id: "TrafficPolicyModule" });

/** The traffic policy that is applied on an endpoint; its text is not interpreted here. */
export const trafficPolicy: EdgeModule<StoredTrafficPolicy, z.infer<typeof TrafficPolicyModule>> = {
  name: "traffic_policy",
  title: "traffic policy",
  mutate: TrafficPolicyModuleMutate,
  response: TrafficPolicyModule,
  toApi: (stored) => stored,
  references: () => [],
};
