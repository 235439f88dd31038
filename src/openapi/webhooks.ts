import type * as z from "zod";
import { exampleId } from "../../packages/model/src/ids.ts";
import { Event } from "../resources/events/events.ts";

/*
 * What the service sends, rather than receives: events to webhooks (https://spec.openapis.org/oas/v3.1.1#openapi-object, `webhooks`).
 */

type Json = Record<string, unknown>;

const header = (name: string, description: string, pattern: string, example: string): Json => ({
  name,
  in: "header",
  required: true,
  description,
  schema: { type: "string", pattern },
  example,
});

const signed = `v1,${"a".repeat(43)}=`;

/** The request that a webhook receives for each event. @param contentOf describes a body */
export const webhooks = (contentOf: (schema: z.ZodType, io: "output") => Json): Json => ({
  event: {
    post: {
      operationId: "ReceiveEvent",
      summary: "Receive an event",
      description:
        "Sent to each event destination with a `webhook`, once for each event, until a response accepts it: an event can arrive more than once, with the same `webhook-id`. Verify the signature over the body's bytes before you read them, with a library for Standard Webhooks 1.0 (https://www.standardwebhooks.com). Decide by `event_type`, and accept types and fields that you do not know.",
      tags: ["Event destinations"],
      // The signature authenticates the request.
      security: [],
      parameters: [
        header(
          "webhook-id",
          "The event's id, which stays the same if the event is sent again.",
          "^ev_[0-9A-Za-z]{27}$",
          exampleId("event"),
        ),
        header(
          "webhook-timestamp",
          "When the event was sent, in seconds since 1970. Reject old requests: somebody may have recorded them.",
          "^[0-9]+$",
          "1767323045",
        ),
        header(
          "webhook-signature",
          "Signatures of id, timestamp and body by HMAC-SHA256, separated by spaces. There are two for a day after the secret was replaced; one that matches is enough.",
          "^v1,[0-9A-Za-z+/]{43}=( v1,[0-9A-Za-z+/]{43}=)?$",
          signed,
        ),
      ],
      requestBody: { required: true, ...contentOf(Event, "output") },
      responses: {
        "2XX": { description: "The event is accepted. The body is not read." },
        "400": {
          description:
            "The event is rejected because of its content. It is kept as a dead letter and not sent again.",
        },
        "410": {
          description: "No more events are wanted. The destination is suspended until it is resumed.",
        },
        "413": { description: "The event is too large. It is kept as a dead letter and not sent again." },
        "429": {
          description:
            "Too many requests. The event is sent again after a minute or `Retry-After`, whichever is longer; 502 and 504 mean the same.",
        },
        default: {
          description:
            "Not accepted. The event is sent again with backoff, and later events wait. Redirects are not followed.",
        },
      },
    },
  },
});
