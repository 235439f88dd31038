import type { Context } from "hono";
import * as z from "zod";
import { clock, timestamp } from "../../../packages/model/src/clock.ts";
import {
  EVENT_ID,
  eventId,
  NO_INSTANT,
  NO_SALT,
  ref,
  seqOf,
  stamp,
} from "../../../packages/model/src/ids.ts";
import { kinds, titled, plural } from "../../../packages/model/src/kinds.ts";
import { requestObject } from "../../../packages/model/src/values/request_schemas.ts";
import { callerWithin } from "../../delivery/call.ts";
import { noteResumed } from "../../delivery/notes.ts";
import { senderOf } from "../../delivery/run.ts";
import { outgoing } from "../../delivery/send_all.ts";
import { type Envelope, isFailure } from "../../delivery/sender.ts";
import { settingsFor } from "../../delivery/settings.ts";
import { opener } from "../../delivery/targets.ts";
import type { App } from "../../http/env.ts";
import { conflict, notFound, unavailable } from "../../http/errors.ts";
import { LARGEST_PAGE, limit, pageLinks } from "../../http/lists.ts";
import { operation } from "../../http/operation.ts";
import { respond } from "../../http/respond.ts";
import { endpoints } from "../../http/router.ts";
import { causeOf, commit } from "../../writes/commit.ts";
import { authorized, exists, rule } from "../../writes/requirements.ts";
import {
  deadLettersOf,
  type ResumePoint,
  isSubscribed,
  resume,
  type DeliveryStanding,
  standing,
  tryAgain,
} from "./delivery_statements.ts";
import {
  DeadLetterList,
  EventDelivery,
  EventDeliveryReplayRequest,
  EventDeliveryResumeRequest,
  EventDeliveryTest,
  EventDeliveryTestRequest,
  listUri,
  NOT_A_START,
} from "./event_delivery_schemas.ts";
import { mayRedirect, rows } from "./event_destinations.ts";
import { accountOf, TEST_EVENT } from "./events.ts";

/*
 * The delivery status of an event destination, and the operations on it. They are not part of the destination, and do not
 * change its version.
 */

const orNull = (at: number | null): string | null => (at === null ? null : timestamp(at));

const neverSubscribed: z.output<typeof EventDelivery> = {
  state: "unsubscribed",
  position: null,
  pending: 0,
  lost: 0,
  delivered: 0,
  dead_letters: 0,
  consecutive_failures: 0,
  failing_since: null,
  last_attempt_at: null,
  last_delivered_at: null,
  next_attempt_at: null,
  last_error: null,
};

function toEventDelivery(row: DeliveryStanding | undefined): z.output<typeof EventDelivery> {
  if (!row) return neverSubscribed;
  const { position: seq, position_at: at, position_salt: salt, last_error: error } = row;
  return {
    state: stateOf(row),
    position: at === null || salt === null ? null : eventId({ seq, at, salt }),
    pending: row.pending,
    lost: row.lost,
    delivered: row.delivered,
    dead_letters: row.dead_letters,
    consecutive_failures: row.failures,
    failing_since: orNull(row.failing_since),
    last_attempt_at: orNull(row.last_attempt_at),
    last_delivered_at: orNull(row.last_delivered_at),
    next_attempt_at:
      row.suspended || row.next_attempt_at <= clock.now() ? null : timestamp(row.next_attempt_at),
    last_error: error && { ...error, at: timestamp(error.at) },
  };
}

function stateOf({
  suspended,
  is_subscribed,
  failures,
  pending,
  is_leased,
}: DeliveryStanding): z.output<typeof EventDelivery>["state"] {
  if (!is_subscribed) return "unsubscribed";
  if (suspended) return "suspended";
  if (failures > 0) return "retrying";
  return pending > 0 || is_leased ? "delivering" : "idle";
}

const common = (verb: string, access: "viewer" | "editor") => ({
  id: `EventDestinations${verb}`,
  access,
  tag: titled(plural(kinds.event_destination.noun)),
  path: { id: "event_destination" } as const,
});

/** Resumes delivery to a destination immediately; see {@link resume}. */
async function resumeDelivery(c: Context<App>, id: string, from: ResumePoint | undefined): Promise<Response> {
  const shown = standing(id);
  const response = await commit(c, {
    requires: [
      authorized(c),
      mayRedirect(c, id),
      exists("event_destination", rows.row({ id })),
      rule(isSubscribed(id), () => conflict("No event subscription sends anything to this destination.")),
    ],
    change() {
      const { before, moved } = resume(id, from);
      return { statements: [...before, moved, shown], main: before.length };
    },
    answer: (_, all) => ({ status: 202, body: toEventDelivery(all.at(-1)?.map(shown.decode)[0]) }),
  });
  noteResumed();
  return response;
}

export const eventDelivery = endpoints()
  .get(
    "/delivery",
    operation({
      ...common("GetDelivery", "viewer"),
      summary: "Get the delivery status of an event destination",
      description:
        "Returns the progress of delivery to an event destination and, if delivery is held up, the reason.",
      status: 200,
      response: EventDelivery,
    }),
    async (c) => {
      const id = c.req.param("id") ?? "";
      const [[destination] = [], found = []] = await c
        .get("request")
        .session.batch([rows.find({ id }), standing(id)]);
      if (!destination) throw notFound("event_destination");
      return respond(c, 200, JSON.stringify(toEventDelivery(found.map(standing(id).decode)[0])));
    },
  )
  .post(
    "/test",
    operation({
      ...common("TestDelivery", "editor"),
      summary: "Send a test event to an event destination",
      description:
        "Sends an event of type `test.v0` immediately, and reports the outcome. No other event is sent or skipped. If the target accepts it, a destination that is waiting after a failure is retried immediately.",
      body: EventDeliveryTestRequest,
      status: 200,
      response: EventDeliveryTest,
    }),
    async (c) => {
      const { session, origin, operationId } = c.get("request");
      const id = c.req.param("id") ?? "";
      const row = await session.first(rows.find({ id }));
      if (!row) throw notFound("event_destination");
      const settings = settingsFor(c.env, operationId, origin);
      if (!settings) throw unavailable("The service is not configured correctly. The reason is in its log.");
      const started = clock.now();
      let answered: number | null = null;
      const call = callerWithin(() => true);
      const context = {
        destinationId: id,
        settings,
        call: async (...given: Parameters<typeof call>) => {
          const reply = await call(...given);
          answered = isFailure(reply) ? null : reply.status;
          return reply;
        },
      };
      const sender = await senderOf(row.target, id, opener(c.env));
      const event = outgoing(0, started, testEnvelope(c, id));
      const { failure, rejected } = isFailure(sender)
        ? { failure: sender, rejected: [] }
        : await sender.sendAll([event], context, Number.POSITIVE_INFINITY, 0);
      const error = failure?.error ?? rejected[0]?.error ?? null;
      if (!error) {
        await session.rows(tryAgain(id));
        noteResumed();
      }
      const body: z.output<typeof EventDeliveryTest> = {
        delivered: error === null,
        // Not every call was to the target: others request a token, or resolve the host.
        status: error ? error.status : answered,
        error,
        duration_ms: clock.now() - started,
      };
      return respond(c, 200, JSON.stringify(body));
    },
  )
  .post(
    "/replay",
    operation({
      ...common("ReplayDelivery", "editor"),
      summary: "Replay events to an event destination",
      description:
        "Goes back to an earlier event, or forward to a later one, and sends every event from there on that the destination's subscriptions select, in order. Resumes a suspended destination. If the destination receives events of API keys, the key must have the role `admin`.",
      body: EventDeliveryReplayRequest,
      status: 202,
      response: EventDelivery,
      errors: ["ERR_CONFLICT"],
    }),
    (c) => resumeDelivery(c, c.req.param("id") ?? "", c.req.valid("json").from),
  )
  .post(
    "/resume",
    operation({
      ...common("ResumeDelivery", "editor"),
      summary: "Resume delivery to an event destination",
      description:
        "Retries a destination immediately, if it is suspended or waiting after a failure. Delivery continues where it stopped. If the destination receives events of API keys, the key must have the role `admin`.",
      body: EventDeliveryResumeRequest,
      status: 202,
      response: EventDelivery,
      errors: ["ERR_CONFLICT"],
    }),
    (c) => resumeDelivery(c, c.req.param("id") ?? "", undefined),
  )
  .get(
    "/dead_letters",
    operation({
      ...common("ListDeadLetters", "viewer"),
      summary: "List dead letters of an event destination",
      description:
        "Lists events that the target rejected because of their content, newest first. They are sent again only by `/replay`.",
      query: z.lazy(() =>
        requestObject({
          limit: limit().exactOptional(),
          before_id: z
            .string()
            .regex(EVENT_ID, NOT_A_START)
            .transform((text) => seqOf(text) ?? 0)
            .describe("Lists only events before this one, which need no longer exist.")
            .exactOptional(),
        }),
      ),
      status: 200,
      response: DeadLetterList,
    }),
    async (c) => {
      const { session, origin } = c.get("request");
      const id = c.req.param("id") ?? "";
      const { limit: most = LARGEST_PAGE, before_id } = c.req.valid("query");
      const statement = deadLettersOf(id, most, before_id);
      const [[destination] = [], found = []] = await session.batch([rows.find({ id }), statement]);
      if (!destination) throw notFound("event_destination");
      const letters = found.slice(0, most).map(statement.decode);
      const shown = letters.map(({ seq, event_at, event_salt, at, code, status, msg }) => ({
        event_id: eventId({ seq, at: event_at ?? NO_INSTANT, salt: event_salt ?? NO_SALT }),
        error: { code, status, msg },
        at: timestamp(at),
      }));
      const last = found.length > most ? shown.at(-1)?.event_id : undefined;
      const links = pageLinks(
        c,
        listUri(origin, id),
        most,
        last === undefined ? undefined : { before_id: last },
      );
      return respond(c, 200, JSON.stringify({ dead_letters: shown, ...links }));
    },
  );

/** A test event for a destination, with the destination as its object. */
function testEnvelope(c: Context<App>, id: string): Envelope {
  const { origin, operationId } = c.get("request");
  const { credential, ...principal } = causeOf(c).principal;
  const now = stamp("event");
  return {
    event_id: now.id,
    event_type: TEST_EVENT,
    event_timestamp: now.created_at,
    account_id: accountOf(c.env.ACCOUNT_ID),
    principal: { ...principal, credential: credential === null ? null : ref(origin, credential) },
    object: ref(origin, id),
    secrets_changed: [],
    operation_id: operationId,
  };
}
