import * as z from "zod";
import type { StoredTarget } from "../db/column_types.ts";
import { parseResource } from "./arn.ts";
import { base64OfText } from "./base64.ts";
import { isFailure } from "./call.ts";
import { act, receiptByRecord } from "./cloud_calls.ts";
import { failed, type Sender } from "./sender.ts";

/** Bytes that count for the partition key of a record: an object's id. */
const KEY_BYTES = 64;

const result = z.lazy(() => z.object({ Records: z.array(z.object({ ErrorCode: z.string().nullish() })) }));

/** Sends to a data stream: a record for each event, the object's id as its partition key. */
export const cloudStream: Sender<NonNullable<StoredTarget["cloud_stream"]>> = {
  limits: () => ({
    events: 500,
    bytes: 4 * 1_048_576,
    overhead: KEY_BYTES,
    largest: 1_048_576 - KEY_BYTES,
  }),

  async send({ auth, stream_arn }, events, context) {
    const stream = parseResource("stream_arn", stream_arn, "kinesis");
    if (isFailure(stream)) return failed(stream);
    const written = await act(
      {
        auth,
        region: stream,
        service: "kinesis",
        member: "cloud_stream",
        version: "Kinesis_20131202",
        name: "PutRecords",
        body: {
          StreamARN: stream_arn,
          StreamName: stream.name,
          Records: events.map(({ text, bytes, envelope }) => ({
            Data: base64OfText(text, bytes),
            PartitionKey: envelope.object.id,
          })),
        },
        result,
        // Each of up to 500 failed records names its shard, stream and account.
        responseBytes: 524_288,
      },
      context,
    );
    if (isFailure(written)) return failed(written);
    return receiptByRecord(
      events,
      written.Records.map(({ ErrorCode }) => ErrorCode),
    );
  },
};
