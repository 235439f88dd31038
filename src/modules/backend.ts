import * as z from "zod";
import type { StoredBackend } from "../db/schema.ts";
import { exampleId, exampleRef, idSchema, Ref, ref } from "../ids.ts";
import { requestObject } from "../values/members.ts";
import { type EdgeModule, enabled, isEnabled } from "./module.ts";

const BackendModuleMutate = z.lazy(() =>
  requestObject({
    enabled: enabled(),
    backend_id: idSchema("failover_backend", "http_response_backend").describe(
      "The backend that traffic goes to.",
    ),
  }).meta({
    id: "BackendModuleMutate",
    description: "The backend that traffic of an edge goes to.",
    examples: [{ backend_id: exampleId("failover_backend") }],
  }),
);

const BackendModule = z.lazy(() =>
  z.strictObject({ enabled: isEnabled(), backend: Ref }).meta({
    id: "BackendModule",
    description: "The backend that traffic of an edge goes to.",
    examples: [{ enabled: true, backend: exampleRef("failover_backend") }],
  }),
);

/** The backend that receives an edge's traffic. */
export const backend: EdgeModule<"backend", StoredBackend, z.output<typeof BackendModule>> = {
  name: "backend",
  title: "backend",
  mutate: BackendModuleMutate,
  response: BackendModule,
  toApi: (stored, origin) => ({ enabled: stored.enabled, backend: ref(origin, stored.backend_id) }),
  references: ({ backend_id }) => [{ path: "/backend_id", id: backend_id }],
};
