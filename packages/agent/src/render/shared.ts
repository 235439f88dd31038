import type { Maps } from "./maps.ts";
import type { Output } from "./output.ts";
import type { Policies } from "./policies.ts";
import type { Restrictions } from "./restriction.ts";
import type { Upstreams } from "./upstreams.ts";

/** What the parts of the renderer share. */
export interface Shared {
  output: Output;
  maps: Maps;
  restrictions: Restrictions;
  upstreams: Upstreams;
  policies: Policies;
  /** Has something rendered once all edges and routes are known. */
  later: (render: () => void) => void;
}
