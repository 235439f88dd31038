import * as z from "zod";
import { exampleId, exampleRef, idSchema, Ref, ref } from "../../packages/model/src/ids.ts";
import { anyBackend } from "../../packages/model/src/kinds.ts";
import { requestObject, schema } from "../../packages/model/src/values/request_schemas.ts";
import type { StoredBackendModule } from "../db/column_types.ts";
import { type EdgeModule, enabled, isEnabled } from "./module.ts";

const description = "The backend that receives the traffic of the edge.";

const BackendModuleMutate = schema("BackendModuleMutate", () => ({
  description,
  examples: [{ backend_id: exampleId("failover_backend") }],
  type: requestObject({
    enabled: enabled(),
    backend_id: idSchema(...anyBackend).describe("Id of the backend to send traffic to."),
  }),
}));

const BackendModule = schema("BackendModule", () => ({
  description,
  examples: [{ enabled: true, backend: exampleRef("failover_backend") }],
  type: z.strictObject({
    enabled: isEnabled(),
    backend: Ref.describe("The backend that traffic is sent to."),
  }),
}));

/** The backend that receives an edge's traffic. */
export const backend: EdgeModule<"backend", StoredBackendModule, z.output<typeof BackendModule>> = {
  name: "backend",
  title: "backend",
  about: description,
  mutate: BackendModuleMutate,
  response: BackendModule,
  toApi: (stored, origin) => ({ enabled: stored.enabled, backend: ref(origin, stored.backend_id) }),
  references: ({ backend_id }) => [{ path: "/backend_id", id: backend_id }],
};
