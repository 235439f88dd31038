import * as z from "zod";
import { exampleId, idSchema, Ref, ref } from "../../packages/model/src/ids.ts";
import { anyBackend } from "../../packages/model/src/kinds.ts";
import { requestObject } from "../../packages/model/src/values/request_schemas.ts";
import { edgeModule, enabled, isEnabled } from "./module.ts";

/** The backend that receives an edge's traffic. */
export const backend = edgeModule({
  name: "backend",
  title: "backend",
  about: "The backend that receives the traffic of the edge.",
  example: { backend_id: exampleId("failover_backend") },
  sent: () =>
    requestObject({
      enabled: enabled(),
      backend_id: idSchema(...anyBackend).describe("Id of the backend to send traffic to."),
    }),
  shown: () =>
    z.strictObject({
      enabled: isEnabled(),
      backend: Ref.describe("The backend that traffic is sent to."),
    }),
  toApi: (stored, origin) => ({ enabled: stored.enabled, backend: ref(origin, stored.backend_id) }),
  references: ({ backend_id }) => [{ path: "/backend_id", id: backend_id }],
});
