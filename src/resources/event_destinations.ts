import { and, desc, eq } from "drizzle-orm";
import { Hono } from "hono";
import * as z from "zod";
import type { Database } from "../db/database.ts";
import { eventDestinations as table } from "../db/schema.ts";
import { insertIf, isEmpty, olderThan } from "../db/statements.ts";
import { next } from "../db/versions.ts";
import type { App } from "../env.ts";
import { operationsOn } from "../http/collection.ts";
import { precondition, represent, representIfNew } from "../http/conditions.ts";
import { create } from "../http/creation.ts";
import { notFound } from "../http/errors.ts";
import { page, pageOf } from "../http/pages.ts";
import { changeRefusal } from "../http/refusals.ts";
import { ringFor } from "../http/ring.ts";
import { stamp, kinds } from "../kinds.ts";
import { boundedTexts, members } from "../values/members.ts";
import { EventTarget, EventTargetMutate, sealedTarget, toTarget } from "./event_targets.ts";
import { describedMembers, exampleObject, toDescribed, unsetTexts } from "./object.ts";

type Row = typeof table.$inferSelect;

const format = z.literal("json").describe("How events are serialized.");

const EventDestination = z
  .strictObject({
    ...describedMembers,
    format,
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
  });
const EventDestinationList = pageOf({ event_destinations: z.array(EventDestination) }).meta({
  id: "EventDestinationList",
});

const eventDestinationMutate = members({
  ...boundedTexts,
  format: format.exactOptional(),
  target: EventTargetMutate,
});
const EventDestinationCreate = eventDestinationMutate.meta({
  id: "EventDestinationCreate",
  examples: [
    {
      description: "Edge events",
      target: { monitoring_vendor: { api_key: "<API_KEY>", service: "edge" } },
    },
  ],
});
/** A target that is named replaces the stored one whole. */
const EventDestinationUpdate = eventDestinationMutate
  .exactPartial()
  .meta({ id: "EventDestinationUpdate", examples: [{ description: "Edge events, all" }] });

const toEventDestination = (row: Row, origin: string): z.infer<typeof EventDestination> => ({
  ...toDescribed(row, origin),
  format: row.format,
  target: toTarget(row.target),
});

async function find(db: Database, id: string): Promise<Row | undefined> {
  const [row] = await db.select().from(table).where(eq(table.id, id));
  return row;
}

const operations = operationsOn("event_destination", EventDestination, EventDestinationList);

export const eventDestinations = new Hono<App>()
  .post("/", operations.create(EventDestinationCreate), async (c) => {
    const { db, origin } = c.var;
    const unset = { ...unsetTexts, format: "json" } as const;
    const { target, ...rest } = c.req.valid("json");
    const identity = stamp("event_destination");
    const sealed = await sealedTarget(target, identity.id, () => ringFor(c));
    const row = { ...identity, ...unset, ...rest, target: sealed };
    const shown = toEventDestination(row, origin);
    return create(c, { row, insert: (guard) => insertIf(db, table, row, guard), shown });
  })
  .get("/", operations.list(), async (c) => {
    const { db, origin } = c.var;
    const query = c.req.valid("query");
    const found = await db
      .select()
      .from(table)
      .where(olderThan(table.id, query.before_id))
      .orderBy(desc(table.id))
      .limit(query.limit + 1);
    const { rows, links } = page(c, "event_destination", query, found);
    return c.json({ event_destinations: rows.map((row) => toEventDestination(row, origin)), ...links });
  })
  .get("/:id", operations.get(), async (c) => {
    const row = await find(c.var.db, c.req.param("id"));
    if (!row) throw notFound("event_destination");
    return representIfNew(c, row.version, toEventDestination(row, c.var.origin));
  })
  .patch("/:id", operations.update(EventDestinationUpdate), async (c) => {
    const { db, origin } = c.var;
    const { target, ...rest } = c.req.valid("json");
    const id = c.req.param("id");
    const patch = target ? { ...rest, target: await sealedTarget(target, id, () => ringFor(c)) } : rest;
    const isIt = eq(table.id, id);
    const where = and(isIt, precondition(c, table, isIt));
    const [row] = await (isEmpty(patch)
      ? db.select().from(table).where(where)
      : db
          .update(table)
          .set({ ...patch, version: next(table.version) })
          .where(where)
          .returning());
    if (!row) throw await changeRefusal(c, "event_destination", await find(db, id));
    return represent(c, row.version, toEventDestination(row, origin));
  })
  .delete("/:id", operations.remove(""), async (c) => {
    const { db } = c.var;
    const id = c.req.param("id");
    const isIt = eq(table.id, id);
    const [deleted] = await db
      .delete(table)
      .where(and(isIt, precondition(c, table, isIt)))
      .returning({ id: table.id });
    if (!deleted) throw await changeRefusal(c, "event_destination", await find(db, id));
    return c.body(null, 204);
  });
