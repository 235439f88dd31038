/*
 * The pages on which changes are reviewed: a script of its own, because a review always leads to a plan.
 */

export { PlanPage } from "./plan.tsx";
export { Review } from "./review.tsx";
