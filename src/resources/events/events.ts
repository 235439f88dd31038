import * as z from "zod";
import { timestamp } from "../../../packages/model/src/clock.ts";
import { needsAdmin } from "../../../packages/model/src/event_types.ts";
import {
  EVENT_ID,
  eventId,
  exampleId,
  exampleRef,
  Ref,
  ref,
  seqOf,
} from "../../../packages/model/src/ids.ts";
import { kinds, titled, plural } from "../../../packages/model/src/kinds.ts";
import { reaches } from "../../../packages/model/src/roles.ts";
import { instant } from "../../../packages/model/src/values/instants.ts";
import {
  evenIfWrong,
  nonEmpty,
  requestObject,
  schema,
} from "../../../packages/model/src/values/request_schemas.ts";
import { eventPage, eventPageOf, findEvent, type StoredEvent } from "../../db/event_reads.ts";
import type { Envelope } from "../../delivery/sender.ts";
import type { Caller } from "../../http/env.ts";
import { eventGone, notFound } from "../../http/errors.ts";
import { LARGEST_PAGE, limit, listSchema, pageLinks } from "../../http/lists.ts";
import { operation } from "../../http/operation.ts";
import { respond, show } from "../../http/respond.ts";
import { endpoints } from "../../http/router.ts";
import { eventObject } from "./event_objects.ts";
import { EventType } from "./event_type_list.ts";

/*
 * The log of changes: what was changed to what, by whom and when.
 */

/** The account in events if the operator has not set one. */
const DEFAULT_ACCOUNT = "ac_default";

const exampleEventId = exampleId("event");

const Principal = schema("EventPrincipal", () => ({
  description: "Who changed an object.",
  type: z.strictObject({
    id: z
      .string()
      .describe(
        "Id of the person, of the bot user that owns the API key, otherwise of the key; `root` for the operator's key, `system` for changes that the service makes on its own.",
      ),
    subject: z
      .string()
      .describe(
        "Human-readable name: the email address of the person, the name of the bot user, otherwise the description of the key, or its id if it has none; at most 255 characters. `expiry` if a rule was deleted because it expired, `certificates` if a certificate ends or is issued, or an account is registered.",
      ),
    source: z
      .enum(["API", "Console", "System"])
      .describe(
        "`API` for requests with an API key, `Console` for requests of a signed-in browser, `System` for changes that the service makes on its own.",
      ),
    credential: Ref.nullable().describe(
      "The API key; null for the operator's key, for people who signed in without a key, and for changes that the service makes on its own.",
    ),
  }),
}));

/** The type of the event that `POST /event_destinations/{id}/test` sends. It is not in the log, and no subscription has it. */
export const TEST_EVENT = "test.v0";

/** An event, as the API shows it and as targets receive it. */
export const Event = schema("Event", () => ({
  description: kinds.event.about,
  examples: [
    {
      event_id: exampleEventId,
      event_type: "ip_policy_updated.v0",
      event_timestamp: "2026-01-02T03:04:05Z",
      account_id: DEFAULT_ACCOUNT,
      principal: {
        id: exampleId("bot_user"),
        subject: "deploy",
        source: "API",
        credential: exampleRef("api_key"),
      },
      object: {
        ...exampleRef("ip_policy"),
        created_at: "2026-01-02T03:04:05Z",
        description: "Lisbon office",
      },
      secrets_changed: [],
      operation_id: "op_2fCzyKyxGFFQjbGvSPXiVOWCOkX",
    },
  ],
  type: z.strictObject({
    event_id: z
      .string()
      .describe(
        "Unique identifier, which stays the same if the event is sent again. Later events have greater ids.",
      ),
    event_type: z
      .union([
        EventType,
        z.literal(TEST_EVENT).describe("A test, which an event destination's `/test` sends."),
      ])
      .describe("What happened, and the version of the event's format."),
    event_timestamp: z.iso.datetime().describe("When it happened, in UTC (RFC 3339)."),
    account_id: z.string().describe("The installation of the service that the event comes from."),
    principal: Principal.nullable().describe("Who made the change."),
    object: z
      .looseObject({
        id: z.string().describe("Id of the object."),
        uri: z.string().describe("URI of the object."),
      })
      .describe(
        "The object as the API showed it after the change, or before its deletion. Secrets are null.",
      ),
    secrets_changed: z
      .array(z.string().describe("A field of `object` (JSON Pointer)."))
      .describe(
        "The secrets that the change set, even to the same value: fields of `object`, whose values events never have. Omitted if unknown, which it is for changes of event destinations and routes that an earlier release recorded.",
      )
      .optional(),
    operation_id: z
      .string()
      .describe(
        "The `Service-Operation-Id` of the request that made the change. Changes that the service makes on its own get one id per run.",
      ),
    plan_id: z.string().describe("The plan whose application made the change, if there is one.").optional(),
    rules: z
      .array(
        z.looseObject({
          cidr: z.string().describe("The rule's range."),
          action: z.string().describe("What the rule does."),
        }),
      )
      .describe(
        "The rules that were deleted with a policy, as they are replaced; omitted if they have more than 1 MB.",
      )
      .optional(),
    truncated: z
      .literal(true)
      .describe("Present only if `object` was cut to its id and URI because of its length.")
      .optional(),
  }),
}));
const EventList = schema("EventList", () => ({
  type: listSchema("event", Event, "newest first; oldest first with `after_id`."),
}));

/** The account in events. @param set the operator's setting, if there is one */
export const accountOf = (set: string | undefined): string => set || DEFAULT_ACCOUNT;

/** An event as it is sent and shown. @param origin the start of its URIs */
export function toEnvelope(stored: StoredEvent, origin: string, account: string | undefined): Envelope {
  const { object, isTruncated, rules, secretsChanged } = eventObject(stored, origin);
  const { credential, plan_id, ...principal } = stored.principal;
  return {
    event_id: eventId(stored),
    event_type: stored.type,
    event_timestamp: timestamp(stored.at),
    account_id: accountOf(account),
    principal: { ...principal, credential: credential === null ? null : ref(origin, credential) },
    object,
    ...(secretsChanged && { secrets_changed: secretsChanged }),
    operation_id: stored.operation_id,
    ...(plan_id !== undefined && { plan_id }),
    ...(rules && { rules }),
    ...(isTruncated && { truncated: true }),
  };
}

const NOT_AN_EVENT_ID = `Expected the id of an event: ${kinds.event.prefix} and 27 letters and digits.`;
const seq = () =>
  z
    .string()
    .regex(EVENT_ID, NOT_AN_EVENT_ID)
    .transform((id) => seqOf(id) ?? 0);

const eventQuery = z.lazy(() =>
  requestObject({
    limit: limit().exactOptional(),
    before_id: seq()
      .describe("Lists only events before this one, which need no longer exist.")
      .exactOptional(),
    after_id: seq()
      .describe(
        "Lists only events after this one, oldest first. Use it to follow the log. If later events are no longer kept, or the log does not reach this event, the response is 410. Cannot be combined with `before_id`.",
      )
      .exactOptional(),
    object_id: nonEmpty(100).describe("Lists only events of the object with this id.").exactOptional(),
    type: EventType.describe("Lists only events of this type.").exactOptional(),
    principal_id: nonEmpty(100)
      .describe(
        "Lists only changes made by this principal: a bot user, an API key without an owner, `root` or `system`.",
      )
      .exactOptional(),
    since: instant()
      .meta({ format: "date-time", description: "Lists only events at or after this time (RFC 3339)." })
      .exactOptional(),
    until: instant()
      .meta({ format: "date-time", description: "Lists only events before this time (RFC 3339)." })
      .exactOptional(),
  }).superRefine(
    (query, context) => {
      if (!("before_id" in query && "after_id" in query)) return;
      for (const name of ["before_id", "after_id"])
        context.addIssue({
          code: "custom",
          path: [name],
          message: "Send either before_id or after_id, not both.",
        });
    },
    { when: evenIfWrong },
  ),
);

/** API keys are shown to admins only, and so are their events. */
const isAdmin = (caller: Caller | undefined): boolean =>
  caller !== undefined && reaches(caller.role, "admin");

/** Whether a caller may read an event: for others, it does not exist. */
export const isVisible = (caller: Caller | undefined, { type }: StoredEvent): boolean =>
  isAdmin(caller) || !needsAdmin(type);

const tag = titled(plural(kinds.event.noun));

export const events = endpoints()
  .get(
    "/",
    operation({
      id: "EventsList",
      access: "viewer",
      summary: "List events",
      description: `Lists changes of objects, newest first, or oldest first with \`after_id\`. ${kinds.event.purpose} To undo or roll back a change, find the object's previous event and send its fields again. Filters can be combined. With \`type\` or \`principal_id\`, or without the role \`admin\`, a page covers at most 10,000 events: it can be short or empty even if there is a \`next_page_uri\`. Only admins see events of API keys.`,
      tag,
      query: eventQuery,
      status: 200,
      response: EventList,
      errors: ["ERR_GONE"],
    }),
    async (c) => {
      const { session, origin, caller } = c.get("request");
      const { limit = LARGEST_PAGE, before_id: before, after_id: after, ...rest } = c.req.valid("query");
      const filter = {
        ...rest,
        ...(before !== undefined && { before }),
        ...(after !== undefined && { after }),
      };
      const seesKeys = isAdmin(caller);
      const [bounds = [], found = []] = await session.batch(eventPage(filter, seesKeys, limit, origin));
      const page = eventPageOf(bounds, found, limit, filter);
      if (page.isGone) throw eventGone();
      const next = page.next && { [after === undefined ? "before_id" : "after_id"]: eventId(page.next) };
      const body = {
        events: page.events.map((event) => toEnvelope(event, origin, c.env.ACCOUNT_ID)),
        ...pageLinks(c, `${origin}${kinds.event.path}`, limit, next),
      };
      return respond(c, 200, JSON.stringify(body));
    },
  )
  .get(
    "/:id",
    operation({
      id: "EventsGet",
      access: "viewer",
      summary: "Get an event",
      description: "Returns an event. Only admins see events of API keys.",
      conditional: "read",
      tag,
      path: { id: "event" },
      status: 200,
      response: Event,
    }),
    async (c) => {
      const { session, origin, caller } = c.get("request");
      const id = c.req.param("id");
      const seq = seqOf(id);
      const event = seq === undefined ? undefined : await session.first(findEvent(seq));
      if (!event || !isVisible(caller, event) || eventId(event) !== id) throw notFound("event");
      return show(c, 1, toEnvelope(event, origin, c.env.ACCOUNT_ID));
    },
  );
