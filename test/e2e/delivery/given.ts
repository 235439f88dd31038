import type { StoredCloudAuth, StoredTarget } from "../../../src/db/column_types.ts";
import { callerWithin } from "../../../src/delivery/call.ts";
import { cloudLogs } from "../../../src/delivery/cloud_logs.ts";
import { cloudDeliveryStream, cloudStream } from "../../../src/delivery/cloud_streams.ts";
import { objectStorage } from "../../../src/delivery/object_storage.ts";
import type {
  BatchLimits,
  DeliverySettings,
  OutgoingEvent,
  Receipt,
  SendContext,
} from "../../../src/delivery/sender.ts";

/*
 * Events and targets for the sender tests.
 */

export const DESTINATION = "ed_2fCzyKyxGFFQjbGvSPXiVOWCOkX";
export const ACCESS_KEY_ID = "AKIAIOSFODNN7EXAMPLE";
export const SECRET = "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY";

/** The default key of the simulated account. */
export const keys = { [ACCESS_KEY_ID]: { secret: SECRET } };

export const creds: StoredCloudAuth = {
  creds: { cloud_access_key_id: ACCESS_KEY_ID, cloud_secret_access_key: SECRET },
};

/** An event. `note` is in its object, so tests can choose the length and the characters of its text. */
export function outgoing(
  seq: number,
  { at = Date.now(), note = "" }: { at?: number; note?: string } = {},
): OutgoingEvent {
  const number = String(seq).padStart(27, "0");
  const id = `edghtsrt_${number}`;
  const envelope = {
    event_id: `ev_${number}`,
    event_type: "https_edge_route_updated.v0",
    event_timestamp: `${new Date(at).toISOString().slice(0, 19)}Z`,
    account_id: "ac_default",
    principal: { id: "root", subject: "root", source: "API", credential: null },
    object: { id, uri: `https://api.example.com/edges/https/e/routes/${id}`, note },
    operation_id: "op_2fCzyKyxGFFQjbGvSPXiVOWCOkX",
  };
  const text = JSON.stringify(envelope);
  return { seq, at, envelope, text, bytes: Buffer.byteLength(text) };
}

/** The size of an event without a note, in bytes. */
export const PLAIN_BYTES = outgoing(0).bytes;

/** Some events, numbered from 1. */
export const several = (count: number, options: { at?: number; note?: string } = {}): OutgoingEvent[] =>
  Array.from({ length: count }, (_, index) => outgoing(index + 1, options));

export function contextFor(
  endpoints: DeliverySettings["endpoints"],
  settings: Partial<DeliverySettings> = {},
): SendContext {
  return {
    destinationId: DESTINATION,
    settings: {
      endpoints,
      allowedHosts: [],
      resolver: undefined,
      cloudKey: undefined,
      externalId: undefined,
      origin: "https://api.example.com",
      ...settings,
    },
    call: callerWithin(() => true),
  };
}

/** A sender of any kind, with its target. */
export interface Subject {
  member: keyof StoredTarget;
  limits: BatchLimits;
  send: (events: OutgoingEvent[], context: SendContext) => Promise<Receipt>;
}

export const REGION = "eu-central-1";

/** The four senders, with targets that are called with `auth`. */
export const subjects = (auth: StoredCloudAuth = creds): Subject[] => {
  const stream = { auth, stream_arn: `arn:aws:kinesis:${REGION}:123456789012:stream/events` };
  const deliveryStream = {
    auth,
    delivery_stream_arn: `arn:aws:firehose:${REGION}:123456789012:deliverystream/events`,
  };
  const logs = { auth, log_group_arn: `arn:aws:logs:${REGION}:123456789012:log-group:/edge/events:*` };
  const bucket = {
    auth,
    bucket_arn: "arn:aws:s3:::events-of-edges",
    region: REGION,
    object_prefix: "edge/",
    compression: true,
    max_file_size: 5_242_880,
    max_file_age: 300,
  };
  return [
    {
      member: "cloud_stream",
      limits: cloudStream.limits(stream),
      send: (events, context) => cloudStream.send(stream, events, context),
    },
    {
      member: "cloud_delivery_stream",
      limits: cloudDeliveryStream.limits(deliveryStream),
      send: (events, context) => cloudDeliveryStream.send(deliveryStream, events, context),
    },
    {
      member: "cloud_logs",
      limits: cloudLogs.limits(logs),
      send: (events, context) => cloudLogs.send(logs, events, context),
    },
    {
      member: "object_storage",
      limits: objectStorage.limits(bucket),
      send: (events, context) => objectStorage.send(bucket, events, context),
    },
  ];
};
