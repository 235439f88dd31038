/*
 * Smaller pages about the configuration, in one script, which compresses better than a script for each page.
 */
export { Authorities } from "./authorities.tsx";
export { BackendPage } from "./backend.tsx";
export { BackendList } from "./backend_list.tsx";
export { FirstSteps } from "./first_steps.tsx";
export { MapPage } from "./map.tsx";
export { NewEdge } from "./new_edge.tsx";
export { PolicyPage } from "./policy.tsx";
export { PolicyList } from "./policy_list.tsx";
