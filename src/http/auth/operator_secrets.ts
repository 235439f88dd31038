import type { Context } from "hono";
import type { App } from "../../env.ts";
import { logFault } from "../log.ts";
import { isLoopback } from "../loopback.ts";

/** What `.dev.vars.example` sets, of which anybody can read it. */
export const EXAMPLES = {
  ROOT_API_KEY: "local-development-key",
  SEALING_KEYS: "local:bG9jYWwgZGV2ZWxvcG1lbnQgc2VhbGluZyBrZXkgISE=",
} as const;

/** The example sealing key itself, under whatever id and among whatever others. */
const EXAMPLE_SEALING_KEY = EXAMPLES.SEALING_KEYS.slice("local:".length);

const isExample = {
  ROOT_API_KEY: (value: string) => value === EXAMPLES.ROOT_API_KEY,
  SEALING_KEYS: (value: string) => value.includes(EXAMPLE_SEALING_KEY),
};

/**
 * A secret that the operator has set. Undefined when it is not set or empty, or when it is a public example and the request
 * is not for this machine; the log then has a line that says what to set.
 */
export function secretOf(c: Context<App>, name: keyof typeof EXAMPLES): string | undefined {
  const { operationId, url } = c.get("request");
  const value = c.env[name];
  const isPublic = value !== undefined && isExample[name](value) && !isLoopback(url);
  if (value && !isPublic) return value;
  const problem = isPublic ? "is the public example of .dev.vars.example: set another" : "is not set: set it";
  logFault(operationId, `${name} ${problem} with \`wrangler secret put ${name}\`.`, undefined, "alert");
  return undefined;
}
