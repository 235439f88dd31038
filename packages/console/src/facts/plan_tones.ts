import type { Plan } from "../api/queries.ts";

/** The colours of a plan's states. */
export const planTones = {
  open: "acc",
  applied: "good",
  withdrawn: "warn",
  expired: "warn",
} as const satisfies Record<Plan["state"], string>;
