import * as z from "zod";
import { idForm } from "../ids.ts";
import { isObject } from "../json.ts";
import type { Kind } from "../kinds.ts";
import { IDS } from "./request_schemas.ts";

const WEIGHT = { type: "integer", minimum: 0, maximum: 10_000 } as const;
const NOT_A_WEIGHT = `Expected a whole number from ${WEIGHT.minimum} to ${WEIGHT.maximum}.`;

const isWeight = (value: unknown): boolean =>
  typeof value === "number" && Number.isInteger(value) && value >= WEIGHT.minimum && value <= WEIGHT.maximum;

/**
 * A map from ids of the kinds `allowed` to weights, at least one of which is above 0. {} clears it: the output is then null. Not
 * `z.record`, because it drops a field named `__proto__` instead of rejecting it.
 */
export const weights = (...allowed: [Kind, ...Kind[]]) => {
  const { pattern, expected } = idForm(...allowed);
  return z
    .custom<Record<string, number>>(isObject, "Expected an object of ids and weights.")
    .superRefine((map, context) => {
      const entries: [string, unknown][] = Object.entries(map);
      const reject = (path: string[], message: string) => context.addIssue({ code: "custom", path, message });
      if (entries.length > IDS) reject([], `Contains more than ${IDS} items.`);
      if (entries.length > 0 && entries.every(([, weight]) => weight === 0))
        reject(
          [],
          "All weights are 0, so no backend would receive traffic. Set at least one weight to 1 or more.",
        );
      for (const [id, weight] of entries)
        if (!pattern.test(id)) reject([id], expected);
        else if (!isWeight(weight)) reject([id], NOT_A_WEIGHT);
    })
    .transform((map) => (Object.keys(map).length === 0 ? null : map))
    .meta({
      type: "object",
      propertyNames: { pattern: pattern.source },
      additionalProperties: WEIGHT,
      maxProperties: IDS,
    });
};
