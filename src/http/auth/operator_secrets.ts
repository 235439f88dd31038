import type { Context } from "hono";
import type { App } from "../../env.ts";
import { logFault } from "../log.ts";
import { isLoopback } from "../loopback.ts";

/** The values in `.dev.vars.example`, which are public. */
export const EXAMPLES = {
  ROOT_API_KEY: "local-development-key",
  SEALING_KEYS: "local:bG9jYWwgZGV2ZWxvcG1lbnQgc2VhbGluZyBrZXkgISE=",
} as const;

/** The example sealing key itself, whatever its id, and whatever other keys there are. */
const EXAMPLE_SEALING_KEY = EXAMPLES.SEALING_KEYS.slice("local:".length);

const isExample = {
  ROOT_API_KEY: (value: string) => value === EXAMPLES.ROOT_API_KEY,
  SEALING_KEYS: (value: string) => value.includes(EXAMPLE_SEALING_KEY),
};

/**
 * A secret set by the operator. Undefined if it is unset or empty, or if it is a public example and the request's host is
 * not loopback; the log then says what to set.
 */
export function secretOf(c: Context<App>, name: keyof typeof EXAMPLES): string | undefined {
  const { operationId, url } = c.get("request");
  const value = c.env[name];
  const isPublic = value !== undefined && isExample[name](value) && !isLoopback(url);
  if (value && !isPublic) return value;
  const problem = isPublic
    ? "is the public example from .dev.vars.example: set another"
    : "is not set: set it";
  logFault(operationId, `${name} ${problem} with \`wrangler secret put ${name}\`.`, undefined, "alert");
  return undefined;
}
