import * as z from "zod";
import { evenIfWrong, requestObject } from "../../packages/model/src/values/request_schemas.ts";
import type { StoredTlsTermination } from "../db/column_types.ts";
import { enabled, isEnabled, plainModule } from "./module.ts";

const terminateAt = () =>
  z
    .enum(["edge", "upstream"])
    .describe(
      "Where TLS is terminated: at the `edge`, or at the `upstream`, to which the TLS connection is passed through.",
    );
const minVersion = () => z.enum(["1.0", "1.1", "1.2", "1.3"]);
const minVersionMeaning =
  "Minimum TLS version. Null means the default of the service, 1.2. Must be null if `terminate_at` is `upstream`.";

const HTTPS_TERMINATE_AT = "Where TLS is terminated: for HTTPS always at the `edge`.";
const HTTPS_MIN_VERSION = "Minimum TLS version. Null means the default of the service, 1.2.";

/** Where TLS ends; `min_version` null means the service's default, TLS 1.2. */
export const tlsTermination = plainModule({
  name: "tls_termination",
  title: "TLS termination",
  about: "Where TLS is terminated, and the minimum TLS version.",
  example: { terminate_at: "edge", min_version: "1.3" },
  sent: () =>
    requestObject({
      enabled: enabled(),
      terminate_at: terminateAt().default("edge"),
      min_version: minVersion().nullable().describe(minVersionMeaning).default(null),
    }).refine(
      ({ terminate_at, min_version }) =>
        terminate_at !== "upstream" || !minVersion().safeParse(min_version).success,
      { path: ["min_version"], error: "Must be null when terminate_at is upstream.", when: evenIfWrong },
    ),
  shown: () =>
    z.strictObject({
      enabled: isEnabled(),
      terminate_at: terminateAt(),
      min_version: minVersion().nullable().describe(minVersionMeaning),
    }),
});

/** How an HTTPS edge terminates TLS, which it always does itself. */
export const httpsTlsTermination = plainModule<"tls_termination", StoredTlsTermination>({
  name: "tls_termination",
  title: "TLS termination",
  type: "HttpsTlsTermination",
  about: "The minimum TLS version.",
  example: { min_version: "1.3" },
  sent: () =>
    requestObject({
      enabled: enabled(),
      terminate_at: z.literal("edge").describe(HTTPS_TERMINATE_AT).default("edge"),
      min_version: minVersion().nullable().describe(HTTPS_MIN_VERSION).default(null),
    }),
  shown: () =>
    z.strictObject({
      enabled: isEnabled(),
      terminate_at: z.literal("edge").describe(HTTPS_TERMINATE_AT),
      min_version: minVersion().nullable().describe(HTTPS_MIN_VERSION),
    }),
});
