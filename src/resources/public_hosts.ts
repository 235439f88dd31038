import type { Context } from "hono";
import { hostProblem } from "../delivery/guarded_url.ts";
import { settingsFor } from "../delivery/settings.ts";
import type { App } from "../http/env.ts";
import { invalidMembers, unavailable } from "../http/errors.ts";

/**
 * Requires the host of a URL that the service will call to be public, or one that the operator allows.
 *
 * @param path of the URL in the body
 * @throws 400 for a host that is not allowed; 503 if the operator's settings are malformed
 */
export function requirePublicHost(c: Context<App>, url: string, path: string): void {
  const { origin, url: own, operationId } = c.get("request");
  const settings = settingsFor(c.env, operationId, origin);
  if (!settings) throw unavailable("No URL can be stored: the settings of the service are malformed.");
  const hosts = [origin, own].flatMap((text) => (URL.canParse(text) ? new URL(text).hostname : []));
  const msg = hostProblem(new URL(url).hostname, settings.allowedHosts, hosts);
  if (msg !== undefined) throw invalidMembers([{ path, msg }]);
}
