import * as z from "zod";
import { requestObject, nonEmpty } from "../../packages/model/src/values/members.ts";
import type { StoredTrafficPolicy } from "../db/stored.ts";
import { type EdgeModule, enabled, isEnabled } from "./module.ts";

const description = "The traffic policy to apply at the endpoint.";
const value = '{"on_tcp_connect":[]}';

const TrafficPolicyModuleMutate = z.lazy(() =>
  requestObject({
    enabled: enabled(),
    value: nonEmpty().describe(
      "The policy, as a string in JSON or YAML. Any string is stored; `POST /traffic_policies/check` says whether it can be enforced.",
    ),
  }).meta({ id: "TrafficPolicyModuleMutate", description, examples: [{ enabled: true, value }] }),
);

const TrafficPolicyModule = z.lazy(() =>
  z
    .strictObject({ enabled: isEnabled(), value: z.string().describe("The policy, as given.") })
    .meta({ id: "TrafficPolicyModule", description, examples: [{ enabled: true, value }] }),
);

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
