import { clock } from "../../packages/model/src/clock.ts";
import { callerWithin } from "../delivery/call.ts";
import { checkedUrl, hostProblem, refusedUrl } from "../delivery/guarded_url.ts";
import { privateHost } from "../delivery/resolver.ts";
import type { DeliverySettings, SendFailure, Transport } from "../delivery/sender.ts";

/** How long a call to an authority may take, in milliseconds. */
const CALL_MILLISECONDS = 10_000;

/**
 * Sends requests to an authority: only to hosts that webhooks may have too, and none after `until`.
 *
 * @param until milliseconds since the Unix epoch
 */
export function authorityCaller(settings: DeliverySettings, until: number): Transport {
  const call = callerWithin(() => clock.now() < until, CALL_MILLISECONDS);
  const own = URL.canParse(settings.origin) ? [new URL(settings.origin).hostname] : [];
  /** What is known about hosts: a step asks the resolver once. */
  const checked = new Map<string, SendFailure | undefined>();
  return async (text, init, responseBytes) => {
    const { url, problem } = checkedUrl(text);
    if (!url) return refusedUrl("URL of the authority", problem);
    const wrongHost = hostProblem(url.hostname, settings.allowedHosts, own);
    if (wrongHost !== undefined) return refusedUrl("URL of the authority", wrongHost);
    if (!checked.has(url.hostname)) {
      const context = { destinationId: "", settings, call };
      checked.set(url.hostname, await privateHost("URL of the authority", url.hostname, context));
    }
    return checked.get(url.hostname) ?? call(url.href, init, responseBytes);
  };
}
