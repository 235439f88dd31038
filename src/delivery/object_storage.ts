import type { StoredTarget } from "../db/column_types.ts";
import { parseBucket } from "./arn.ts";
import { gzip } from "./call.ts";
import { callCloud } from "./cloud_calls.ts";
import {
  allAccepted,
  failed,
  isFailure,
  type OutgoingEvent,
  type SendContext,
  type Sender,
  sendFailure,
} from "./sender.ts";
import { sha256 } from "./signed_calls.ts";

type Target = NonNullable<StoredTarget["object_storage"]>;

const encoder = new TextEncoder();

/** Bytes of the largest event. An event larger than `max_file_size` is not cut, but gets its own file. */
const LARGEST_EVENT = 10_485_760;

const INVALID_PREFIX =
  "object_prefix cannot be used: no part between slashes can be . or .., and it must be valid Unicode.";

/** Puts files into a bucket, one event per line. The same events produce the same file name, so a repeat overwrites the file. */
export const objectStorage: Sender<Target> = {
  limits: ({ max_file_size }) => ({
    events: 10_000,
    bytes: max_file_size,
    overhead: 1,
    largest: LARGEST_EVENT,
  }),

  holds: ({ max_file_size, max_file_age }) => ({
    bytes: max_file_size,
    milliseconds: max_file_age * 1000,
  }),

  async send(target, events, context) {
    const [first] = events;
    if (!first) return allAccepted;
    const bucket = parseBucket(target.bucket_arn, target.region);
    if (isFailure(bucket)) return failed(bucket);
    const key = percentEncoded(keyOf(target, first, context));
    if (key === undefined)
      return failed(sendFailure("configuration", "invalid_object_prefix", INVALID_PREFIX));
    const lines = encoder.encode(events.map(({ text }) => `${text}\n`).join(""));
    const body = target.compression ? await gzip(lines) : lines;

    const override = context.settings.endpoints["object_storage"];
    // A certificate for *.s3… does not cover a bucket with dots, and an override has one host for all buckets.
    const isInPath = bucket.name.includes(".") || override !== undefined;
    const regional = `s3.${bucket.region}.${bucket.suffix}`;
    const host = isInPath ? regional : `${bucket.name}.${regional}`;
    const reply = await callCloud(
      {
        method: "PUT",
        origin: override ?? `https://${host}`,
        service: "s3",
        region: bucket.region,
        path: isInPath ? `/${bucket.name}/${key}` : `/${key}`,
        headers: {
          "Content-Type": target.compression ? "application/gzip" : "application/x-ndjson",
          // A bucket with Object Lock rejects files without a checksum.
          "X-Amz-Checksum-Sha256": btoa(String.fromCharCode(...(await sha256(body)))),
        },
        body,
      },
      { auth: target.auth, region: bucket, purpose: { permission: "s3:PutObject", judgesEvents: false } },
      context,
    );
    return isFailure(reply) ? failed(reply) : allAccepted;
  },
};

/** `{object_prefix}{yyyy}/{MM}/{dd}/{HH}/{destination id}-{event id}.json[.gz]`, of the first event. */
function keyOf(
  { object_prefix, compression }: Target,
  { at, envelope }: OutgoingEvent,
  { destinationId }: SendContext,
): string {
  const hour = new Date(at).toISOString().slice(0, 13).replaceAll(/[-T]/g, "/");
  return `${object_prefix}${hour}/${destinationId}-${envelope.event_id}.json${compression ? ".gz" : ""}`;
}

/** A key, encoded for a path as RFC 3986 and the signature require; undefined if `URL` would change it. */
function percentEncoded(key: string): string | undefined {
  const parts = key.split("/");
  if (!key.isWellFormed() || parts.some((part) => part === "." || part === "..")) return undefined;
  return parts
    .map((part) =>
      encodeURIComponent(part).replaceAll(
        /[!'()*]/g,
        (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
      ),
    )
    .join("/");
}
