import * as z from "zod";
import type { StoredCircuitBreaker } from "../db/schema.ts";
import { members, uint32 } from "../values/members.ts";
import { type EdgeModule, enabled } from "./module.ts";

const CircuitBreakerModuleMutate = members({
  enabled,
  /** Seconds. */
  tripped_duration: uint32().default(10),
  /** Seconds. */
  rolling_window: uint32(1).default(10),
  num_buckets: uint32(1, 128).default(10),
  /** Requests in a rolling window. */
  volume_threshold: uint32().default(20),
  /** A fraction, not percent. */
  error_threshold_percentage: z
    .number()
    .refine((value) => value >= 0 && value <= 1, "Expected a fraction from 0 to 1.")
    .default(0.5),
}).meta({ id: "CircuitBreakerModuleMutate" });

const CircuitBreakerModule = z
  .strictObject({
    enabled: z.boolean(),
    tripped_duration: z.number(),
    rolling_window: z.number(),
    num_buckets: z.number(),
    volume_threshold: z.number(),
    error_threshold_percentage: z.number(),
  })
  .meta({ id: "CircuitBreakerModule" });

/** When requests stop going to an upstream server that fails, and for how long. */
export const circuitBreaker: EdgeModule<StoredCircuitBreaker, z.infer<typeof CircuitBreakerModule>> = {
  name: "circuit_breaker",
  title: "circuit breaker",
  mutate: CircuitBreakerModuleMutate,
  response: CircuitBreakerModule,
  toApi: (stored) => stored,
  references: () => [],
};
