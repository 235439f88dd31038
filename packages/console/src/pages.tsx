import type { ComponentChild } from "preact";

type View = (props: { id: string }) => ComponentChild;

/** The pages, by the first segment of their path; `/*` stands for an id. Each is a script of its own. */
export const pages: Record<string, { load: () => Promise<View>; isForAdmins?: true }> = {
  map: { load: async () => (await import("./pages/map.tsx")).MapPage },
  edges: { load: async () => (await import("./pages/edge_list.tsx")).EdgeList },
  "edges/*": { load: async () => (await import("./pages/edge.tsx")).EdgePage },
  new_edge: { load: async () => (await import("./pages/new_edge.tsx")).NewEdge },
  policies: { load: async () => (await import("./pages/policy_list.tsx")).PolicyList },
  "policies/*": { load: async () => (await import("./pages/policy.tsx")).PolicyPage },
  backends: { load: async () => (await import("./pages/backend_list.tsx")).BackendList },
  "backends/*": { load: async () => (await import("./pages/backend.tsx")).BackendPage },
  authorities: { load: async () => (await import("./pages/authorities.tsx")).Authorities },
  plans: { load: async () => (await import("./pages/plans.tsx")).Plans },
  changes: { load: async () => (await import("./pages/changes.tsx")).Changes },
  "changes/*": { load: async () => (await import("./pages/change.tsx")).ChangePage },
  deliveries: { load: async () => (await import("./pages/deliveries.tsx")).Deliveries },
  "deliveries/*": { load: async () => (await import("./pages/destination.tsx")).DestinationPage },
  agents: { load: async () => (await import("./pages/agents.tsx")).Agents },
  certificates: { load: async () => (await import("./pages/certificates.tsx")).Certificates },
  keys: { load: async () => (await import("./pages/keys.tsx")).Keys },
  people: { load: async () => (await import("./pages/people.tsx")).People, isForAdmins: true },
  more: { load: async () => (await import("./pages/more.tsx")).More },
  simulate: { load: async () => (await import("./pages/simulate.tsx")).Simulate },
  "traffic_policies/*": {
    load: async () => (await import("./pages/traffic_policy.tsx")).TrafficPolicyPage,
  },
  review: { load: async () => (await import("./pages/review.tsx")).Review },
  "plans/*": { load: async () => (await import("./pages/plan.tsx")).PlanPage },
};
