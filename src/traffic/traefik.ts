import type { Problem, Snapshot } from "./snapshot_types.ts";

export const toTraefik = (_: Snapshot): { configuration: object; problems: Problem[] } => ({
  configuration: {},
  problems: [],
});
