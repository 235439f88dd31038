import type { Context } from "hono";
import { clock, timestamp } from "../../clock.ts";
import { keyWorks } from "../../db/keys.ts";
import { always, type Guard } from "../../db/statements.ts";
import type { App } from "../../env.ts";
import { unauthenticated } from "../errors/errors.ts";
import { routeOf } from "../operations/route.ts";
import { ROOT } from "./caller.ts";

/*
 * An operation that needs the role `admin` requires a key that is valid when the statement runs: it may have been revoked
 * since the request's headers arrived.
 */

/** Guard for every statement that writes. No condition for other operations, nor for the root key, which has no row. */
export function authority(c: Context<App>): Guard {
  const { caller } = c.get("request");
  if (routeOf(c)?.operation?.access !== "admin" || caller?.keyId === ROOT) return always;
  if (!caller) throw unauthenticated();
  return keyWorks(caller.keyId, timestamp(clock.now()));
}
