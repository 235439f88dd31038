/*
 * The pages for reviewing changes, in one script, because a review always leads to a plan.
 */

export { PlanPage } from "./plan.tsx";
export { Review } from "./review.tsx";
