import * as z from "zod";
import { EVENT_ID, EXAMPLE_ORIGIN, exampleId, seqOf, uriOf } from "../../../packages/model/src/ids.ts";
import { kinds } from "../../../packages/model/src/kinds.ts";
import { instant } from "../../../packages/model/src/values/instants.ts";
import { nonEmpty, requestObject, schema } from "../../../packages/model/src/values/request_schemas.ts";
import type { SendError } from "../../delivery/sender.ts";
import type { ResumePoint } from "./delivery_statements.ts";

const states = ["idle", "delivering", "retrying", "suspended", "unsubscribed"] as const;

const sendErrorMembers = () => ({
  code: z
    .string()
    .describe("A short name that does not change: `timeout`, `http_503`, `ThrottlingException`."),
  status: z.int().nullable().describe("The HTTP status of the target's response; null if there was none."),
  msg: z
    .string()
    .describe(
      "The error, in the words of this service. No part of the target's response is shown except its status.",
    ),
});
const time = (meaning: string) =>
  z.iso.datetime().nullable().describe(`${meaning} (RFC 3339); null if never.`);
const count = (what: string) => z.int().describe(what);

const exampleError: SendError & { at: string } = {
  code: "http_503",
  status: 503,
  msg: "The target responded with status 503.",
  at: "2026-01-02T03:04:05Z",
};

export const EventDelivery = schema("EventDelivery", () => ({
  description: "The delivery status of an event destination.",
  examples: [
    {
      state: "retrying",
      position: exampleId("event"),
      pending: 12,
      lost: 0,
      delivered: 3417,
      dead_letters: 0,
      consecutive_failures: 2,
      failing_since: "2026-01-02T03:04:05Z",
      last_attempt_at: "2026-01-02T03:04:15Z",
      last_delivered_at: "2026-01-02T03:03:58Z",
      next_attempt_at: "2026-01-02T03:04:31Z",
      last_error: exampleError,
    },
  ],
  type: z.strictObject({
    state: z
      .enum(states)
      .describe(
        "`idle`: everything is delivered. `delivering`: something is waiting. `retrying`: the last attempt failed. `suspended`: stopped after 72 hours of failures, or at the target's request, until the destination is changed or resumed. `unsubscribed`: no event subscription sends anything here.",
      ),
    position: z
      .string()
      .nullable()
      .describe(
        "Id of the last event that was examined; null if there is none, or if it is no longer in the log.",
      ),
    pending: count("Events that are waiting, among the next 10,000 in the log."),
    lost: count("Events that were deleted from the log before they could be delivered."),
    delivered: count("Events that were delivered."),
    dead_letters: count("Events that the target rejected because of their content: see `/dead_letters`."),
    consecutive_failures: count("Failed attempts since the last success."),
    failing_since: time("When the first of them failed"),
    last_attempt_at: time("When something was last sent"),
    last_delivered_at: time("When something was last delivered"),
    next_attempt_at: time("When the next attempt is due, if it waits"),
    last_error: z
      .strictObject({
        ...sendErrorMembers(),
        at: z.iso.datetime().describe("When it happened (RFC 3339)."),
      })
      .nullable()
      .describe("Why the last attempt failed; null if it succeeded."),
  }),
}));

export const EventDeliveryTest = schema("EventDeliveryTest", () => ({
  description: "The outcome of a test event.",
  examples: [{ delivered: true, status: 204, error: null, duration_ms: 87 }],
  type: z.strictObject({
    delivered: z.boolean().describe("Whether the target accepted the event."),
    status: z.int().nullable().describe("The HTTP status of the target's response; null if there was none."),
    error: z
      .strictObject(sendErrorMembers())
      .nullable()
      .describe("Why it was not delivered; null if it was."),
    duration_ms: z.int().describe("How long it took, in milliseconds."),
  }),
}));

const nothing = (id: string) => schema(id, () => ({ examples: [{}], type: requestObject({}) }));
export const EventDeliveryTestRequest = nothing("EventDeliveryTestRequest");
export const EventDeliveryResumeRequest = nothing("EventDeliveryResumeRequest");

export const NOT_A_START = `Expected the id of an event (${kinds.event.prefix} and 27 letters and digits) or an RFC 3339 date and time.`;
export const EventDeliveryReplayRequest = schema("EventDeliveryReplayRequest", () => ({
  examples: [{ from: "2026-01-02T03:04:05Z" }],
  type: requestObject({
    from: nonEmpty(100)
      .transform((text, context): ResumePoint => {
        const seq = seqOf(text);
        if (seq !== undefined) return { seq };
        const at = EVENT_ID.test(text) ? undefined : instant().safeParse(text).data;
        if (at !== undefined) return { at };
        context.addIssue({ code: "custom", message: NOT_A_START });
        return z.NEVER;
      })
      .describe(
        "Where to start: the id of an event, or a time (RFC 3339) to start with the first event at or after it.",
      ),
  }),
}));

const DeadLetter = schema("DeadLetter", () => ({
  description: "An event that the target rejected because of its content.",
  examples: [
    {
      event_id: exampleId("event"),
      error: { code: "http_400", status: 400, msg: "The target responded with status 400." },
      at: "2026-01-02T03:04:05Z",
    },
  ],
  type: z.strictObject({
    event_id: z.string().describe("Id of the event."),
    error: z.strictObject(sendErrorMembers()).describe("Why the target rejected the event."),
    at: z.iso.datetime().describe("When it was rejected (RFC 3339)."),
  }),
}));
export const listUri = (origin: string, id: string): string => `${uriOf(origin, id)}/dead_letters`;
export const DeadLetterList = schema("DeadLetterList", () => ({
  type: z.strictObject({
    dead_letters: z.array(DeadLetter).describe("The events on this page, newest first."),
    uri: z.string().meta({
      description: "URI of the list.",
      examples: [listUri(EXAMPLE_ORIGIN, exampleId("event_destination"))],
    }),
    next_page_uri: z
      .string()
      .nullable()
      .meta({ description: "URI of the next page; null if there is none.", examples: [null] }),
  }),
}));
