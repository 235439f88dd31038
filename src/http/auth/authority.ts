import type { Context } from "hono";
import { clock, timestamp } from "../../clock.ts";
import { keyWorks } from "../../db/key_statements.ts";
import type { Condition } from "../../db/statements.ts";
import type { App } from "../../env.ts";
import { unauthenticated } from "../errors/errors.ts";
import { routeOf } from "../operations/route.ts";
import { ROOT } from "./caller.ts";

/*
 * An operation that needs the role `admin` requires a key that is valid when the statement runs: it may have been revoked
 * since the request's headers arrived.
 */

/** {@link validity} for an operation that only an admin may call; no condition for others. */
export const authority = (c: Context<App>): Condition =>
  routeOf(c)?.operation?.access === "admin" ? validity(c) : undefined;

/** The caller's key is valid when the statement runs. No condition for the root key, which has no row. */
export function validity(c: Context<App>): Condition {
  const { caller } = c.get("request");
  if (caller?.keyId === ROOT) return undefined;
  if (!caller) throw unauthenticated();
  return keyWorks(caller.keyId, timestamp(clock.now()));
}
