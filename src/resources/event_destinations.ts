import { type Context, Hono } from "hono";
import * as z from "zod";
import { forgotten, resumed } from "../db/cursors.ts";
import { isNoKeyDestination } from "../db/event_subscription_statements.ts";
import { rowsOf } from "../db/rows.ts";
import { eventDestinations as table } from "../db/schema.ts";
import type { App } from "../env.ts";
import { sealFor } from "../http/auth/sealing_keys.ts";
import { operationsOn } from "../http/operations/collection.ts";
import { listed, listSchema } from "../http/operations/lists.ts";
import { stamp } from "../ids.ts";
import { kinds } from "../kinds.ts";
import { boundedTexts } from "../values/descriptions.ts";
import { requestObject } from "../values/members.ts";
import { commit } from "../writes/commit.ts";
import { mayAffectKeyEvents, unused } from "../writes/requirements.ts";
import type { Requirement } from "../writes/write.ts";
import { describedMembers, exampleObject, toDescribed, unsetTexts } from "./common.ts";
import { EventTarget, EventTargetMutate, mapSecrets, secretPaths, toTarget } from "./event_targets.ts";
import { objectsOf } from "./objects.ts";

type Row = typeof table.$inferSelect;
export const rows = rowsOf("event_destination", table, {
  short: ["description", "metadata", "format"],
  hidden: { target: secretPaths },
  followUps: resumed,
});

const format = () => z.literal("json").describe("How events are serialized. `json` if omitted on creation.");

const EventDestination = z.lazy(() =>
  z
    .strictObject({
      ...describedMembers(),
      format: format(),
      target: EventTarget.describe("Where events are sent. All members but one are null."),
    })
    .meta({
      id: "EventDestination",
      description: kinds.event_destination.about,
      examples: [
        {
          ...exampleObject("event_destination"),
          description: "Edge events",
          format: "json",
          target: {
            cloud_delivery_stream: null,
            cloud_stream: null,
            cloud_logs: null,
            monitoring_vendor: { api_key: null, service: "edge" },
            logs_ingestion: null,
          },
        },
      ],
    }),
);
const EventDestinationList = z.lazy(() =>
  listSchema("event_destination", { event_destinations: listed(EventDestination) }).meta({
    id: "EventDestinationList",
  }),
);

const eventDestinationMutate = () =>
  requestObject({
    ...boundedTexts(),
    format: format().exactOptional(),
    target: EventTargetMutate.describe(
      "Where events are sent: exactly one of the members. Replaced as a whole.",
    ),
  });
const EventDestinationCreate = z.lazy(() =>
  eventDestinationMutate().meta({
    id: "EventDestinationCreate",
    examples: [
      {
        description: "Edge events",
        target: { monitoring_vendor: { api_key: "<API_KEY>", service: "edge" } },
      },
    ],
  }),
);
/** A target in the body replaces the stored one as a whole. */
const EventDestinationUpdate = z.lazy(() =>
  eventDestinationMutate()
    .exactPartial()
    .meta({ id: "EventDestinationUpdate", examples: [{ description: "Edge events, all" }] }),
);

/** A row as responses show it. */
export const toEventDestination = (row: Row, origin: string): z.output<typeof EventDestination> => ({
  ...toDescribed(row, origin),
  format: row.format,
  target: toTarget(row.target),
});

/** Whoever changes a destination may redirect what is sent to it. */
const mayRedirect = (c: Context<App>, id: string): Requirement =>
  mayAffectKeyEvents(c, isNoKeyDestination(id));

const destinations = objectsOf("event_destination", rows, toEventDestination);
const operations = operationsOn("event_destination", EventDestination, EventDestinationList);

export const eventDestinations = new Hono<App>()
  .post("/", ...operations.create(EventDestinationCreate), async (c) => {
    const { target, ...rest } = c.req.valid("json");
    const identity = stamp("event_destination");
    const sealed = await mapSecrets(target, sealFor(c, identity.id, "target"));
    const unset = { ...unsetTexts, format: "json" } as const;
    return commit(c, destinations.create(c, { ...identity, ...unset, ...rest, target: sealed }));
  })
  .get("/", ...operations.list(), (c) => destinations.list(c, "event_destinations", c.req.valid("query")))
  .get("/:id", ...operations.get(), (c) => destinations.get(c, c.req.param()))
  .patch("/:id", ...operations.update(EventDestinationUpdate), async (c) => {
    const { target, ...rest } = c.req.valid("json");
    const id = c.req.param("id");
    const patch = target ? { ...rest, target: await mapSecrets(target, sealFor(c, id, "target")) } : rest;
    return commit(c, destinations.change(c, { id }, patch, [mayRedirect(c, id)]));
  })
  .delete(
    "/:id",
    ...operations.remove("Fails with 409 while an event subscription refers to it.", "ERR_IN_USE"),
    (c) => {
      const id = c.req.param("id");
      return commit(c, destinations.remove(c, { id }, [mayRedirect(c, id), unused(c, id)], forgotten(id)));
    },
  );
