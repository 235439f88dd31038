/*
 * The pages of edges, in one script, which compresses better than a script for each page.
 */
export { EdgePage } from "./edge.tsx";
export { EdgeList } from "./edge_list.tsx";
export { TrafficPolicyPage } from "./traffic_policy.tsx";
