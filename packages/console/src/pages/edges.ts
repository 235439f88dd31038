/*
 * The pages of edges: one script, which compresses better than a script for each.
 */
export { EdgePage } from "./edge.tsx";
export { EdgeList } from "./edge_list.tsx";
export { TrafficPolicyPage } from "./traffic_policy.tsx";
