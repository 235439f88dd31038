import * as z from "zod";
import type { StoredTarget } from "../db/column_types.ts";
import { parseResource } from "./arn.ts";
import { base64OfText } from "./base64.ts";
import { isFailure } from "./call.ts";
import { act, receiptByRecord } from "./cloud_calls.ts";
import { failed, type Sender } from "./sender.ts";

const result = z.lazy(() =>
  z.object({ RequestResponses: z.array(z.object({ ErrorCode: z.string().nullish() })) }),
);

/** Sends to a delivery stream: one record per event, ended by a line feed, so that files built from them have lines. */
export const cloudDeliveryStream: Sender<NonNullable<StoredTarget["cloud_delivery_stream"]>> = {
  limits: () => ({ events: 500, bytes: 3.5 * 1_048_576, overhead: 1, largest: 1000 * 1024 - 1 }),

  async send({ auth, delivery_stream_arn }, events, context) {
    const stream = parseResource("delivery_stream_arn", delivery_stream_arn, "firehose");
    if (isFailure(stream)) return failed(stream);
    const written = await act(
      {
        auth,
        region: stream,
        service: "firehose",
        member: "cloud_delivery_stream",
        version: "Firehose_20150804",
        name: "PutRecordBatch",
        body: {
          DeliveryStreamName: stream.name,
          Records: events.map(({ text, bytes }) => ({ Data: base64OfText(`${text}\n`, bytes + 1) })),
        },
        result,
        // Each record id has over 200 characters.
        responseBytes: 524_288,
      },
      context,
    );
    if (isFailure(written)) return failed(written);
    return receiptByRecord(
      events,
      written.RequestResponses.map(({ ErrorCode }) => ErrorCode),
    );
  },
};
