import type { ComponentChild } from "preact";

type View = (props: { id: string }) => ComponentChild;

/** The pages, by the first segment of their path; `/*` stands for an id. Each is a script of its own. */
export const pages: Record<string, { load: () => Promise<View>; isForAdmins?: true }> = {
  policies: { load: async () => (await import("./pages/policy_list.tsx")).PolicyList },
  "policies/*": { load: async () => (await import("./pages/policy.tsx")).PolicyPage },
  review: { load: async () => (await import("./pages/review.tsx")).Review },
  "plans/*": { load: async () => (await import("./pages/plan.tsx")).PlanPage },
};
