import type { Plan } from "../api/queries.ts";
import type { StateTone } from "./tones.ts";

/** The states of a plan in words. */
export const planStates = {
  open: { tone: "busy", text: "Waiting for approval" },
  applied: { tone: "good", text: "Applied" },
  withdrawn: { tone: "none", text: "Withdrawn" },
  expired: { tone: "none", text: "Expired" },
} as const satisfies Record<Plan["state"], { tone: StateTone; text: string }>;
