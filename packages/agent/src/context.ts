import type { Options } from "./args.ts";
import type { Counters } from "./exporter.ts";
import type { Features } from "./features.ts";
import type { Proxy, Version } from "./proxy.ts";
import type { Service } from "./service.ts";
import type { State } from "./state.ts";

/** What every part of the agent works with. */
export interface Context {
  options: Options;
  state: State;
  proxy: Proxy;
  service: Service;
  counters: Counters;
  haproxy: Version & Features;
}
