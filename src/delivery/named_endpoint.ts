import { isLoopback } from "../http/request.ts";
import type { SendOutcome } from "./send_all.ts";
import type { SendContext, SendError } from "./sender.ts";

/**
 * Sends events. If `TARGET_ENDPOINTS` replaced the target's own origin, errors say so.
 *
 * Callers see these errors, so an origin is named only if it is on loopback, as in local development. Other origins would
 * show them the operator's private network.
 */
export async function withEndpointNamed(
  context: SendContext,
  send: (context: SendContext) => Promise<SendOutcome>,
): Promise<SendOutcome> {
  let called = "";
  const outcome = await send({
    ...context,
    call: (url, ...others) => {
      called = new URL(url).origin;
      return context.call(url, ...others);
    },
  });
  if (!Object.values(context.settings.endpoints).includes(called)) return outcome;
  const place = isLoopback(`${called}/`) ? called : "an origin other than the target's";
  const naming = (error: SendError): SendError => ({
    ...error,
    msg: `${error.msg} TARGET_ENDPOINTS sent it to ${place}.`,
  });
  const { failure, rejected } = outcome;
  return {
    ...outcome,
    rejected: rejected.map(({ event, error }) => ({ event, error: naming(error) })),
    ...(failure && { failure: { ...failure, error: naming(failure.error) } }),
  };
}
