import * as z from "zod";
import { eventTypes as all } from "../../../packages/model/src/event_types.ts";
import { schema } from "../../../packages/model/src/values/request_schemas.ts";
import { operation } from "../../http/operation.ts";
import { respond } from "../../http/respond.ts";
import { endpoints } from "../../http/router.ts";

/** The number of leading characters that a string must share with an event type for that type to be suggested. */
const SHARED_CHARACTERS = 3;
const SUGGESTED = 3;

/** The length of the common prefix of two strings. */
function sharedStart(a: string, b: string): number {
  let length = 0;
  while (length < b.length && a.charAt(length) === b.charAt(length)) length += 1;
  return length;
}

/** The event types with the longest common prefix with a string, as part of a sentence; "" for none. */
function nearestTo(text: string): string {
  const shared = all.map(({ type }) => ({ type, start: sharedStart(text, type) }));
  const longest = Math.max(...shared.map(({ start }) => start));
  if (longest < SHARED_CHARACTERS) return "";
  const nearest = shared.filter(({ start }) => start === longest).map(({ type }) => type);
  return `, such as ${nearest.slice(0, SUGGESTED).join(", ")}`;
}

/** The error message for a value that is not an event type. */
const notAType = (value: unknown): string =>
  `Expected an event type${typeof value === "string" ? nearestTo(value) : ""}. GET /event_types lists all that are accepted.`;

/** A type of event. */
export const EventType = schema("EventType", () => ({
  description: "A type of event: what happened, and the version of the event's format.",
  examples: ["ip_policy_updated.v0"],
  type: z.enum(
    all.map(({ type }) => type),
    { error: ({ input }) => notAType(input) },
  ),
}));

const EventTypeList = schema("EventTypeList", () => ({
  type: z.strictObject({
    event_types: z
      .array(
        z.strictObject({
          type: EventType,
          emitted: z.boolean().meta({
            description: "False for a type that is accepted but never emitted by this service.",
            examples: [true],
          }),
        }),
      )
      .describe("Every event type, in alphabetical order."),
  }),
}));

const list: z.output<typeof EventTypeList> = { event_types: all };
const json = JSON.stringify(list);

export const eventTypes = endpoints().get(
  "/",
  operation({
    id: "EventTypesList",
    access: "viewer",
    summary: "List event types",
    description: "Lists every event type that an event subscription can have as a source.",
    tag: "Event subscriptions",
    isConstant: true,
    status: 200,
    response: EventTypeList,
  }),
  (c) => respond(c, 200, json),
);
