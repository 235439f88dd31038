import type { Context } from "hono";
import { type KeyRing, keyRingOf, placeOf, seal } from "../db/seals.ts";
import type { App } from "../env.ts";
import { unavailable } from "./errors.ts";
import { logFault } from "./log.ts";
import { isLoopback } from "./request.ts";

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

/** The key ring that seals secrets. @throws 503 if the operator has not set a valid one */
export async function keyRingFor(c: Context<App>): Promise<KeyRing> {
  const text = secretOf(c, "SEALING_KEYS");
  const ring = await keyRingOf(text);
  if (ring) return ring;
  if (text !== undefined) {
    const malformed = "SEALING_KEYS is malformed: set it with `wrangler secret put SEALING_KEYS`.";
    logFault(c.get("request").operationId, malformed, undefined, "alert");
  }
  throw unavailable("Secrets cannot be stored: the service has no valid sealing keys.");
}

/**
 * Seals the secrets of the object `id`; `member` is the column that has them, and the path there of each is joined to it.
 *
 * @throws 503 as {@link keyRingFor}, only if there is a secret
 */
export const sealFor =
  (c: Context<App>, id: string, member: string) =>
  async (secret: string, path: string): Promise<string> =>
    seal(await keyRingFor(c), secret, placeOf(id, `${member}.${path}`));
