import { env } from "cloudflare:workers";

/** True in CI, where tests that draw or multiply cases try all of them; elsewhere they try a part, to finish sooner. */
export const isThorough = env.CI === "true";

/** How often a property is tested: `all` in CI, elsewhere a quarter of that. */
export const runs = (all: number): { numRuns: number } => ({
  numRuns: isThorough ? all : Math.ceil(all / 4),
});
