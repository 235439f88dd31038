import type { Maps } from "./maps.ts";
import type { Output } from "./output.ts";

/** What the listeners share, and what they must know of all edges and routes. */
export interface Shared {
  output: Output;
  maps: Maps;
  /** The most sets of rules of one restriction. */
  mostSets: number;
  /** The most sections of one backend. */
  mostTiers: number;
}
