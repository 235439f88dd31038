import type { StoredTarget } from "../db/column_types.ts";
import { isLoopback } from "../http/request.ts";
import { cloudLogs } from "./cloud_logs.ts";
import { cloudDeliveryStream, cloudStream } from "./cloud_streams.ts";
import { logsIngestion } from "./logs_ingestion.ts";
import { monitoringVendor } from "./monitoring_vendor.ts";
import { objectStorage } from "./object_storage.ts";
import { type SendOutcome, sendAll } from "./send_all.ts";
import type { OutgoingEvent, SendContext, SendError, Sender } from "./sender.ts";
import { webhook } from "./webhook.ts";

/** The sender of one target. */
export interface BoundSender {
  /** For targets that store files: how many bytes to wait for, and for how many milliseconds. */
  holds: { bytes: number; milliseconds: number } | undefined;
  /** As {@link sendAll}. */
  sendAll(
    events: OutgoingEvent[],
    context: SendContext,
    until: number,
    rejectedInARow: number,
  ): Promise<SendOutcome>;
}

type Targets = Required<StoredTarget>;

/** The sender for a field of a target. */
const to = <Type extends keyof Targets>(type: Type, sender: Sender<Targets[Type]>) => ({
  type,
  bind({ [type]: target }: Partial<Targets>): BoundSender | undefined {
    if (target === undefined) return undefined;
    return {
      holds: sender.holds?.(target),
      sendAll: (events, given, until, rejectedInARow) =>
        withEndpointNamed(given, (context) =>
          sendAll(sender, target, events, context, until, rejectedInARow),
        ),
    };
  },
});

const senders = [
  to("cloud_delivery_stream", cloudDeliveryStream),
  to("cloud_stream", cloudStream),
  to("cloud_logs", cloudLogs),
  to("monitoring_vendor", monitoringVendor),
  to("logs_ingestion", logsIngestion),
  to("object_storage", objectStorage),
  to("webhook", webhook),
];

/** The fields of a target that events can be sent to. */
export const targetTypes = senders.map(({ type }) => type);

/** The sender for the one field of a target that is set; undefined if none is. @param target with its secrets opened */
export const senderFor = (target: StoredTarget): BoundSender | undefined =>
  senders.map((sender) => sender.bind(target)).find((bound) => bound !== undefined);

/**
 * Sends events. If `TARGET_ENDPOINTS` replaced the target's own origin, errors say so.
 *
 * Callers see these errors, so an origin is named only if it is on loopback, as in local development. Other origins would
 * show them the operator's private network.
 */
async function withEndpointNamed(
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
