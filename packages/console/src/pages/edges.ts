/*
 * The pages of edges and their requests, in one script, which compresses better than a script for each page.
 */
export { EdgePage } from "./edge.tsx";
export { EdgeList } from "./edge_list.tsx";
export { Simulate } from "./simulate.tsx";
export { TrafficPolicyPage } from "./traffic_policy.tsx";
