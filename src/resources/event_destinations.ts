import { Hono } from "hono";
import * as z from "zod";
import { rowsOf } from "../db/rows.ts";
import { eventDestinations as table } from "../db/schema.ts";
import type { App } from "../env.ts";
import { operationsOn } from "../http/collection.ts";
import { precondition, represent, representIfNew } from "../http/conditions.ts";
import { create } from "../http/creation.ts";
import { notFound } from "../http/errors.ts";
import { page, pageOf, showPage } from "../http/pages.ts";
import { changeRefusal } from "../http/refusals.ts";
import { respond } from "../http/respond.ts";
import { ringFor } from "../http/ring.ts";
import { stamp, kinds } from "../kinds.ts";
import { boundedTexts, members } from "../values/members.ts";
import { EventTarget, EventTargetMutate, sealedTarget, toTarget } from "./event_targets.ts";
import { describedMembers, exampleObject, toDescribed, unsetTexts } from "./object.ts";

type Row = typeof table.$inferSelect;
export const rows = rowsOf(table, { short: ["description", "metadata", "format"] });

const format = () => z.literal("json").describe("How events are serialized.");

const EventDestination = z.lazy(() =>
  z
    .strictObject({
      ...describedMembers(),
      format: format(),
      target: EventTarget,
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
  pageOf({ event_destinations: z.array(EventDestination) }).meta({
    id: "EventDestinationList",
  }),
);

const eventDestinationMutate = () =>
  members({
    ...boundedTexts(),
    format: format().exactOptional(),
    target: EventTargetMutate,
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
/** A target that is named replaces the stored one whole. */
const EventDestinationUpdate = z.lazy(() =>
  eventDestinationMutate()
    .exactPartial()
    .meta({ id: "EventDestinationUpdate", examples: [{ description: "Edge events, all" }] }),
);

const toEventDestination = (row: Row, origin: string): z.output<typeof EventDestination> => ({
  ...toDescribed(row, origin),
  format: row.format,
  target: toTarget(row.target),
});

const operations = operationsOn("event_destination", EventDestination, EventDestinationList);

export const eventDestinations = new Hono<App>()
  .post("/", ...operations.create(EventDestinationCreate), async (c) => {
    const { origin } = c.get("request");
    const unset = { ...unsetTexts, format: "json" } as const;
    const { target, ...rest } = c.req.valid("json");
    const identity = stamp("event_destination");
    const sealed = await sealedTarget(target, identity.id, () => ringFor(c));
    const row = { ...identity, ...unset, ...rest, target: sealed };
    const shown = toEventDestination(row, origin);
    return create(c, { row, insert: (guard) => rows.insert(row, guard), shown });
  })
  .get("/", ...operations.list(), async (c) => {
    const { session, origin } = c.get("request");
    const query = c.req.valid("query");
    const { objects, links } = page(c, "event_destination", query, await rows.page(session, origin, query));
    return showPage(c, {
      event_destinations: objects.map((row) => toEventDestination(row, origin)),
      ...links,
    });
  })
  .get("/:id", ...operations.get(), async (c) => {
    const { session, origin } = c.get("request");
    const row = await rows.find(session, c.req.param("id"));
    if (!row) throw notFound("event_destination");
    return representIfNew(c, row.version, toEventDestination(row, origin));
  })
  .patch("/:id", ...operations.update(EventDestinationUpdate), async (c) => {
    const { session, origin } = c.get("request");
    const { target, ...rest } = c.req.valid("json");
    const id = c.req.param("id");
    const patch = target ? { ...rest, target: await sealedTarget(target, id, () => ringFor(c)) } : rest;
    const row = await rows.change(session, id, patch, precondition(c, rows));
    if (!row) throw await changeRefusal(c, "event_destination", await rows.find(session, id));
    return represent(c, row.version, toEventDestination(row, origin));
  })
  .delete("/:id", ...operations.remove(""), async (c) => {
    const { session } = c.get("request");
    const id = c.req.param("id");
    const [deleted] = await session.all(rows.remove(id, precondition(c, rows)));
    if (!deleted) throw await changeRefusal(c, "event_destination", await rows.find(session, id));
    return respond(c, 204, null);
  });
