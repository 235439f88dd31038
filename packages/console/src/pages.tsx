import type { View } from "./widgets/lazy.tsx";

const configuration = () => import("./pages/configuration.ts");
const edges = () => import("./pages/edges.ts");
const operation = () => import("./pages/operation.ts");
const planning = () => import("./pages/planning.ts");

/** The pages, by the first segment of their path; `/*` stands for an id. Large pages have separate scripts. */
export const pages: Record<string, { load: () => Promise<View>; isForAdmins?: true }> = {
  map: { load: async () => (await configuration()).MapPage },
  edges: { load: async () => (await edges()).EdgeList },
  "edges/*": { load: async () => (await edges()).EdgePage },
  new_edge: { load: async () => (await configuration()).NewEdge },
  policies: { load: async () => (await configuration()).PolicyList },
  "policies/*": { load: async () => (await configuration()).PolicyPage },
  backends: { load: async () => (await configuration()).BackendList },
  "backends/*": { load: async () => (await configuration()).BackendPage },
  authorities: { load: async () => (await configuration()).Authorities },
  plans: { load: async () => (await operation()).Plans },
  changes: { load: async () => (await operation()).Changes },
  "changes/*": { load: async () => (await operation()).ChangePage },
  deliveries: { load: async () => (await operation()).Deliveries },
  "deliveries/*": { load: async () => (await operation()).DestinationPage },
  agents: { load: async () => (await operation()).Agents },
  certificates: { load: async () => (await operation()).Certificates },
  keys: { load: async () => (await operation()).Keys },
  people: { load: async () => (await operation()).People, isForAdmins: true },
  more: { load: async () => (await operation()).More },
  simulate: { load: async () => (await edges()).Simulate },
  "traffic_policies/*": {
    load: async () => (await edges()).TrafficPolicyPage,
  },
  review: { load: async () => (await planning()).Review },
  "plans/*": { load: async () => (await planning()).PlanPage },
};
