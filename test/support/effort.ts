import { env } from "cloudflare:workers";

/** True in CI, where tests that draw or multiply cases try all of them; elsewhere they try a part, to finish sooner. */
export const isThorough = env.CI === "true";

/**
 * The seed of random values in CI, so that the same commit always gets the same result. Elsewhere, each run draws others: a
 * failure prints its seed. `npm run fuzz` draws many more.
 */
export const CI_SEED = isThorough ? 20_261_123 : undefined;

/** How often a property is tested: `all` in CI, elsewhere a quarter of that. */
export const runs = (all: number): { numRuns: number } => ({
  numRuns: isThorough ? all : Math.ceil(all / 4),
});
