import * as z from "zod";
import { requestObject, nonEmpty, schema } from "../../packages/model/src/values/members.ts";
import type { StoredTrafficPolicy } from "../db/stored.ts";
import { type EdgeModule, enabled, isEnabled } from "./module.ts";

const description = "The traffic policy to apply at the endpoint.";
const value = '{"on_tcp_connect":[]}';

const TrafficPolicyModuleMutate = schema("TrafficPolicyModuleMutate", () => ({
  description,
  examples: [{ enabled: true, value }],
  type: requestObject({
    enabled: enabled(),
    value: nonEmpty().describe(
      "The policy, as a string in JSON or YAML. Any string is stored; `POST /traffic_policies/check` says whether it can be enforced.",
    ),
  }),
}));

const TrafficPolicyModule = schema("TrafficPolicyModule", () => ({
  description,
  examples: [{ enabled: true, value }],
  type: z.strictObject({ enabled: isEnabled(), value: z.string().describe("The policy, as given.") }),
}));

/** The traffic policy applied at an endpoint. Any text is stored: it is judged when the configuration is resolved. */
export const trafficPolicy: EdgeModule<
  "traffic_policy",
  StoredTrafficPolicy,
  z.output<typeof TrafficPolicyModule>
> = {
  name: "traffic_policy",
  title: "traffic policy",
  about: description,
  mutate: TrafficPolicyModuleMutate,
  response: TrafficPolicyModule,
  toApi: (stored) => stored,
};
