import * as z from "zod";
import { requestObject, seconds, uint32, schema } from "../../packages/model/src/values/members.ts";
import type { StoredCircuitBreaker } from "../db/stored.ts";
import { type EdgeModule, enabled, isEnabled } from "./module.ts";

const description = "When to stop sending requests to a failing upstream server, and for how long.";

const meanings = {
  tripped_duration: "Seconds to wait after the circuit trips before checking the upstream server again.",
  rolling_window: "Length in seconds of the rolling window over which statistics are kept.",
  num_buckets: "Number of buckets that the rolling window is divided into.",
  volume_threshold: "Number of requests in a rolling window below which the circuit does not trip.",
  error_threshold_percentage:
    "Share of failed requests that trips the circuit, as a fraction from 0 to 1 (not a percentage).",
};

const NOT_A_FRACTION = "Expected a fraction from 0 to 1: 0.5 for 50 %.";

const CircuitBreakerModuleMutate = schema("CircuitBreakerModuleMutate", () => ({
  description,
  examples: [{ error_threshold_percentage: 0.25, volume_threshold: 50 }],
  type: requestObject({
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
}));

const CircuitBreakerModule = schema("CircuitBreakerModule", () => ({
  description,
  examples: [
    {
      enabled: true,
      tripped_duration: 10,
      rolling_window: 10,
      num_buckets: 10,
      volume_threshold: 50,
      error_threshold_percentage: 0.25,
    },
  ],
  type: z.strictObject({
    enabled: isEnabled(),
    tripped_duration: z.int().describe(meanings.tripped_duration),
    rolling_window: z.int().describe(meanings.rolling_window),
    num_buckets: z.int().describe(meanings.num_buckets),
    volume_threshold: z.int().describe(meanings.volume_threshold),
    error_threshold_percentage: z.number().describe(meanings.error_threshold_percentage),
  }),
}));

/** When to stop sending requests to a failing upstream server, and for how long. */
export const circuitBreaker: EdgeModule<
  "circuit_breaker",
  StoredCircuitBreaker,
  z.output<typeof CircuitBreakerModule>
> = {
  name: "circuit_breaker",
  title: "circuit breaker",
  about: description,
  mutate: CircuitBreakerModuleMutate,
  response: CircuitBreakerModule,
  toApi: (stored) => stored,
};
