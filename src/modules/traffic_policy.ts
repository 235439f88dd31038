import * as z from "zod";
import { requestObject, nonEmpty } from "../../packages/model/src/values/request_schemas.ts";
import { enabled, isEnabled, plainModule } from "./module.ts";

/** The traffic policy applied at an endpoint. Any text is stored: it is judged when the configuration is resolved. */
export const trafficPolicy = plainModule({
  name: "traffic_policy",
  title: "traffic policy",
  about: "The traffic policy to apply at the endpoint.",
  example: { enabled: true, value: '{"on_tcp_connect":[]}' },
  sent: () =>
    requestObject({
      enabled: enabled(),
      value: nonEmpty().describe(
        "The policy, as a string in JSON or YAML. Any string is stored; `POST /traffic_policies/check` says whether it can be enforced.",
      ),
    }),
  shown: () => z.strictObject({ enabled: isEnabled(), value: z.string().describe("The policy, as given.") }),
});
