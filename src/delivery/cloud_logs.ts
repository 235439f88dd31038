import * as z from "zod";
import { clock } from "../../packages/model/src/clock.ts";
import type { StoredCloudAuth, StoredTarget } from "../db/column_types.ts";
import { type CloudResource, parseResource } from "./arn.ts";
import { act, receiptOf } from "./cloud_calls.ts";
import {
  failed,
  isFailure,
  type SendFailure,
  type OutgoingEvent,
  type Receipt,
  type SendContext,
  type SendError,
  type Sender,
} from "./sender.ts";

type Target = NonNullable<StoredTarget["cloud_logs"]>;

const DAY = 86_400_000;

/** Log events can be 14 days old. Older ones get the time of sending. In milliseconds. */
const OLDEST = 13 * DAY;

const written = z.lazy(() =>
  z.object({
    rejectedLogEventsInfo: z
      .object({
        tooNewLogEventStartIndex: z.int().nullish(),
        tooOldLogEventEndIndex: z.int().nullish(),
        expiredLogEventEndIndex: z.int().nullish(),
      })
      .nullish(),
  }),
);
/** `CreateLogStream` returns nothing. */
const noResult = z.lazy(() => z.unknown().transform(() => ({})));
type Written = z.output<typeof written>;

interface LogEvent {
  event: OutgoingEvent;
  timestamp: number;
}

/** Sends to a log group, to a stream named after the destination, which is created if it does not exist. */
export const cloudLogs: Sender<Target> = {
  limits: () => ({ events: 10_000, bytes: 1_000_000, overhead: 26, largest: 1_000_000 - 26 }),

  async send({ auth, log_group_arn }, events, context) {
    const group = parseResource("log_group_arn", log_group_arn, "logs");
    if (isFailure(group)) return failed(group);
    const receipt: Receipt = { again: [], rejected: [] };
    const batches = withinADay(events);
    for (const [index, batch] of batches.entries()) {
      const result = await put(auth, group, batch, context);
      if (isFailure(result)) {
        if (index === 0) return failed(result);
        // Later events are not sent, to keep the order.
        receipt.again.push(...batches.slice(index).flatMap((batch) => batch.map(({ event }) => event)));
        receipt.againError = result.error;
        break;
      }
      addRejected(receipt, batch, result);
    }
    return receiptOf(receipt, events);
  },
};

/** Log events, oldest first, in batches that span less than 24 hours, as one request must. */
function withinADay(events: OutgoingEvent[]): LogEvent[][] {
  const now = clock.now();
  const batches: LogEvent[][] = [];
  let end = -Infinity;
  for (const logEvent of events
    .map((event) => ({ event, timestamp: now - event.at > OLDEST ? now : event.at }))
    .toSorted((a, b) => a.timestamp - b.timestamp)) {
    const batch = batches.at(-1);
    if (batch && logEvent.timestamp < end) batch.push(logEvent);
    else {
      batches.push([logEvent]);
      end = logEvent.timestamp + DAY;
    }
  }
  return batches;
}

/** Puts a batch. If the stream does not exist, it is created and the batch is put again. */
async function put(
  auth: StoredCloudAuth,
  group: CloudResource,
  batch: LogEvent[],
  context: SendContext,
): Promise<Written | SendFailure> {
  const api = {
    auth,
    region: group,
    service: "logs",
    member: "cloud_logs",
    version: "Logs_20140328",
  } as const;
  const stream = { logGroupName: group.name, logStreamName: context.destinationId };
  const putEvents = () =>
    act(
      {
        ...api,
        name: "PutLogEvents",
        body: {
          ...stream,
          logEvents: batch.map(({ event, timestamp }) => ({ timestamp, message: event.text })),
        },
        result: written,
      },
      context,
    );
  const first = await putEvents();
  if (!isFailure(first) || !isNotFound(first)) return first;
  const made = await act({ ...api, name: "CreateLogStream", body: stream, result: noResult }, context);
  if (isFailure(made) && made.error.code !== "ResourceAlreadyExistsException") return made;
  const second = await putEvents();
  // A new stream may not be visible to all servers immediately.
  return isFailure(second) && isNotFound(second) ? { ...second, class: "retry" } : second;
}

const isNotFound = ({ error }: SendFailure): boolean => error.code === "ResourceNotFoundException";

/** Adds the rejected events of a batch to the receipt: the oldest up to an index, the newest from an index on. */
function addRejected(receipt: Receipt, batch: LogEvent[], { rejectedLogEventsInfo }: Written): void {
  const {
    tooNewLogEventStartIndex: newStart,
    tooOldLogEventEndIndex: oldEnd,
    expiredLogEventEndIndex: expiredEnd,
  } = rejectedLogEventsInfo ?? {};
  for (const [index, { event }] of batch.entries())
    if (index < (expiredEnd ?? 0)) receipt.rejected.push({ event, error: EXPIRED });
    else if (index < (oldEnd ?? 0)) receipt.rejected.push({ event, error: TOO_OLD });
    else if (index >= (newStart ?? Infinity)) {
      receipt.again.push(event);
      receipt.againError = TOO_NEW;
    }
}

const EXPIRED: SendError = {
  code: "expired",
  status: 200,
  msg: "The event is older than the log group's retention.",
};
const TOO_OLD: SendError = {
  code: "too_old",
  status: 200,
  msg: "The event is older than a log group accepts: 14 days, or the log group's retention if that is shorter.",
};
const TOO_NEW: SendError = {
  code: "too_new",
  status: 200,
  msg: "The time of the event is more than two hours ahead of the log group's clock.",
};
