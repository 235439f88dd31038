import * as z from "zod";
import { requestObject, seconds, uint32 } from "../../packages/model/src/values/request_schemas.ts";
import { enabled, isEnabled, plainModule } from "./module.ts";

const meanings = {
  tripped_duration: "Seconds to wait after the circuit trips before checking the upstream server again.",
  rolling_window: "Length in seconds of the rolling window over which statistics are kept.",
  num_buckets: "Number of buckets that the rolling window is divided into.",
  volume_threshold: "Number of requests in a rolling window below which the circuit does not trip.",
  error_threshold_percentage:
    "Share of failed requests that trips the circuit, as a fraction from 0 to 1 (not a percentage).",
};

const NOT_A_FRACTION = "Expected a fraction from 0 to 1: 0.5 for 50 %.";

/** When to stop sending requests to a failing upstream server, and for how long. */
export const circuitBreaker = plainModule({
  name: "circuit_breaker",
  title: "circuit breaker",
  about: "When to stop sending requests to a failing upstream server, and for how long.",
  example: { error_threshold_percentage: 0.25, volume_threshold: 50 },
  sent: () =>
    requestObject({
      enabled: enabled(),
      tripped_duration: seconds().describe(meanings.tripped_duration).default(10),
      rolling_window: seconds(1).describe(meanings.rolling_window).default(10),
      num_buckets: uint32(1, 128).describe(meanings.num_buckets).default(10),
      volume_threshold: uint32().describe(meanings.volume_threshold).default(20),
      error_threshold_percentage: z
        .number({ error: NOT_A_FRACTION })
        .refine((value) => value >= 0 && value <= 1, NOT_A_FRACTION)
        .meta({ minimum: 0, maximum: 1, description: meanings.error_threshold_percentage })
        .default(0.5),
    }),
  shown: () =>
    z.strictObject({
      enabled: isEnabled(),
      tripped_duration: z.int().describe(meanings.tripped_duration),
      rolling_window: z.int().describe(meanings.rolling_window),
      num_buckets: z.int().describe(meanings.num_buckets),
      volume_threshold: z.int().describe(meanings.volume_threshold),
      error_threshold_percentage: z.number().describe(meanings.error_threshold_percentage),
    }),
});
