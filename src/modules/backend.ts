import * as z from "zod";
import type { StoredBackend } from "../db/schema.ts";
import { idOf, Ref, ref } from "../kinds.ts";
import { members } from "../values/members.ts";
import { type EdgeModule, enabled } from "./module.ts";

const BackendModuleMutate = members({
  enabled,
  backend_id: idOf("failover_backend", "http_response_backend"),
}).meta({ id: "BackendModuleMutate" });

const BackendModule = z.strictObject({ enabled: z.boolean(), backend: Ref }).meta({ id: "BackendModule" });

/** The backend that traffic of an edge goes to. */
export const backend: EdgeModule<StoredBackend, z.infer<typeof BackendModule>> = {
  name: "backend",
  title: "backend",
  mutate: BackendModuleMutate,
  response: BackendModule,
  toApi: (stored, origin) => ({ enabled: stored.enabled, backend: ref(origin, stored.backend_id) }),
  references: ({ backend_id }) => [{ path: "/backend_id", id: backend_id }],
};
