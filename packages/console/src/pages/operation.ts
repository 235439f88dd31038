/*
 * Smaller pages about operation and access, in one script, which compresses better than a script for each page.
 */
export { Agents } from "./agents.tsx";
export { Certificates } from "./certificates.tsx";
export { ChangePage } from "./change.tsx";
export { Changes } from "./changes.tsx";
export { Deliveries } from "./deliveries.tsx";
export { DestinationPage } from "./destination.tsx";
export { Keys } from "./keys.tsx";
export { More } from "./more.tsx";
export { People } from "./people.tsx";
export { Plans } from "./plans.tsx";
