import type { Destination } from "../api/operation_queries.ts";

/*
 * Deliveries in words.
 */

/** The colours of the states of a delivery. */
export const deliveryTones = {
  idle: "good",
  delivering: "acc",
  retrying: "warn",
  suspended: "bad",
  unsubscribed: "note",
} as const;

/** The type of a destination's target. */
export function targetOf({ target }: Destination): string {
  const [name = ""] = Object.entries(target).find(([, value]) => value !== null) ?? [];
  return name.replaceAll("_", " ");
}
