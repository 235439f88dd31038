import * as z from "zod";
import type { StoredTlsTermination } from "../db/schema.ts";
import { evenIfWrong, members } from "../values/members.ts";
import { type EdgeModule, enabled } from "./module.ts";

const terminateAt = z.enum(["edge", "upstream"]);
const minVersion = z.enum(["1.0", "1.1", "1.2", "1.3"]);

const TlsTerminationModuleMutate = members({
  enabled,
  terminate_at: terminateAt.default("edge"),
  min_version: minVersion.nullable().default(null),
})
  .refine(
    ({ terminate_at, min_version }) =>
      terminate_at !== "upstream" || !minVersion.safeParse(min_version).success,
    {
      path: ["min_version"],
      error: "Must be null when terminate_at is upstream.",
      when: evenIfWrong,
    },
  )
  .meta({ id: "TlsTerminationModuleMutate" });

const TlsTerminationModule = z
  .strictObject({ enabled: z.boolean(), terminate_at: terminateAt, min_version: minVersion.nullable() })
  .meta({ id: "TlsTerminationModule" });

/** Where TLS ends; `min_version` null means the service's default, TLS 1.2. */
export const tlsTermination: EdgeModule<StoredTlsTermination, z.infer<typeof TlsTerminationModule>> = {
  name: "tls_termination",
  title: "TLS termination",
  mutate: TlsTerminationModuleMutate,
  response: TlsTerminationModule,
  toApi: (stored) => stored,
  references: () => [],
};
