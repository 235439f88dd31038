import * as z from "zod";
import { evenIfWrong, requestObject, schema } from "../../packages/model/src/values/members.ts";
import type { StoredTlsTermination } from "../db/stored.ts";
import { type EdgeModule, enabled, isEnabled } from "./module.ts";

const description = "Where TLS is terminated, and the minimum TLS version.";

const terminateAt = () =>
  z
    .enum(["edge", "upstream"])
    .describe(
      "Where TLS is terminated: at the `edge`, or at the `upstream`, to which the TLS connection is passed through.",
    );
const minVersion = () => z.enum(["1.0", "1.1", "1.2", "1.3"]);
const minVersionMeaning =
  "Minimum TLS version. Null means the default of the service, 1.2. Must be null if `terminate_at` is `upstream`.";

const httpsDescription = "The minimum TLS version.";
const HTTPS_TERMINATE_AT = "Where TLS is terminated: for HTTPS always at the `edge`.";
const HTTPS_MIN_VERSION = "Minimum TLS version. Null means the default of the service, 1.2.";

const TlsTerminationModuleMutate = schema("TlsTerminationModuleMutate", () => ({
  description,
  examples: [{ terminate_at: "edge", min_version: "1.3" }],
  type: requestObject({
    enabled: enabled(),
    terminate_at: terminateAt().default("edge"),
    min_version: minVersion().nullable().describe(minVersionMeaning).default(null),
  }).refine(
    ({ terminate_at, min_version }) =>
      terminate_at !== "upstream" || !minVersion().safeParse(min_version).success,
    {
      path: ["min_version"],
      error: "Must be null when terminate_at is upstream.",
      when: evenIfWrong,
    },
  ),
}));

const TlsTerminationModule = schema("TlsTerminationModule", () => ({
  description,
  examples: [{ enabled: true, terminate_at: "edge", min_version: "1.3" }],
  type: z.strictObject({
    enabled: isEnabled(),
    terminate_at: terminateAt(),
    min_version: minVersion().nullable().describe(minVersionMeaning),
  }),
}));

const HttpsTlsTerminationModuleMutate = schema("HttpsTlsTerminationModuleMutate", () => ({
  description: httpsDescription,
  examples: [{ min_version: "1.3" }],
  type: requestObject({
    enabled: enabled(),
    terminate_at: z.literal("edge").describe(HTTPS_TERMINATE_AT).default("edge"),
    min_version: minVersion().nullable().describe(HTTPS_MIN_VERSION).default(null),
  }),
}));

const HttpsTlsTerminationModule = schema("HttpsTlsTerminationModule", () => ({
  description: httpsDescription,
  examples: [{ enabled: true, terminate_at: "edge", min_version: "1.3" }],
  type: z.strictObject({
    enabled: isEnabled(),
    terminate_at: z.literal("edge").describe(HTTPS_TERMINATE_AT),
    min_version: minVersion().nullable().describe(HTTPS_MIN_VERSION),
  }),
}));

/** How an HTTPS edge terminates TLS, which it always does itself. */
export const httpsTlsTermination: EdgeModule<
  "tls_termination",
  StoredTlsTermination,
  z.output<typeof HttpsTlsTerminationModule>
> = {
  name: "tls_termination",
  title: "TLS termination",
  about: httpsDescription,
  mutate: HttpsTlsTerminationModuleMutate,
  response: HttpsTlsTerminationModule,
  toApi: (stored) => ({ ...stored, terminate_at: "edge" }),
};

/** Where TLS ends; `min_version` null means the service's default, TLS 1.2. */
export const tlsTermination: EdgeModule<
  "tls_termination",
  StoredTlsTermination,
  z.output<typeof TlsTerminationModule>
> = {
  name: "tls_termination",
  title: "TLS termination",
  about: description,
  mutate: TlsTerminationModuleMutate,
  response: TlsTerminationModule,
  toApi: (stored) => stored,
};
