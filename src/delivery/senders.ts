import type { StoredTarget } from "../db/column_types.ts";
import { cloudDeliveryStream } from "./cloud_delivery_stream.ts";
import { cloudLogs } from "./cloud_logs.ts";
import { cloudStream } from "./cloud_stream.ts";
import { logsIngestion } from "./logs_ingestion.ts";
import { monitoringVendor } from "./monitoring_vendor.ts";
import { withEndpointNamed } from "./named_endpoint.ts";
import { objectStorage } from "./object_storage.ts";
import { type SendOutcome, sendAll } from "./send_all.ts";
import type { OutgoingEvent, SendContext, Sender } from "./sender.ts";
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

const bound = <Target>(sender: Sender<Target>, target: Target | undefined): BoundSender | undefined =>
  target === undefined
    ? undefined
    : {
        holds: sender.holds?.(target),
        sendAll: (events, given, until, rejectedInARow) =>
          withEndpointNamed(given, (context) =>
            sendAll(sender, target, events, context, until, rejectedInARow),
          ),
      };

/** The sender for the one field of a target that is set; undefined if none is. @param target with its secrets opened */
export const senderFor = (target: StoredTarget): BoundSender | undefined =>
  bound(cloudDeliveryStream, target.cloud_delivery_stream) ??
  bound(cloudStream, target.cloud_stream) ??
  bound(cloudLogs, target.cloud_logs) ??
  bound(monitoringVendor, target.monitoring_vendor) ??
  bound(logsIngestion, target.logs_ingestion) ??
  bound(objectStorage, target.object_storage) ??
  bound(webhook, target.webhook);
