import { createMiddleware } from "hono/factory";
import type { App } from "../../env.ts";
import { inBackground } from "../background.ts";
import { unsupportedVersion } from "../errors/errors.ts";
import { routeOf } from "../operations/route.ts";
import { authenticate, keepWithin } from "./authenticate.ts";
import { isUseToBeNoted, noteUse } from "./keys.ts";

const SUPPORTED_VERSION = "2";

/**
 * Lets requests with a valid key and a supported version pass. Requests that match no route pass too, to get 404 or 405:
 * these reveal nothing that the documentation does not.
 *
 * @throws 401 for a missing or invalid key; 429 over the rate limits; 400 for the version; 503 if no root key is
 * configured, or only the public example
 */
export const gate = createMiddleware<App>(async (c, next) => {
  const route = routeOf(c);
  if (!route) return next();
  const state = c.get("request");
  // The transaction has passed already.
  if (state.part) return next();
  const caller = await authenticate(c, route.operation?.access);
  state.caller = caller;
  await keepWithin(c, c.env.KEY_LIMIT, caller.keyId, c.env.KEY_LIMIT_POLICY);
  if (c.req.header("Service-Version") !== SUPPORTED_VERSION) throw unsupportedVersion(SUPPORTED_VERSION);
  await next();
  if (isUseToBeNoted(caller.keyId)) inBackground(c, noteUse(state.session, caller.keyId));
});
