import { desc, eq } from "drizzle-orm";
import { Hono } from "hono";
import * as z from "zod";
import { eventDestinations as table, type StoredCloudAuth, type StoredTarget } from "../db/schema.ts";
import { isEmpty, olderThan } from "../db/statements.ts";
import type { App } from "../env.ts";
import { operationsOn } from "../http/collection.ts";
import { notFound } from "../http/errors.ts";
import { page, pageOf } from "../http/pages.ts";
import { stamp } from "../kinds.ts";
import { boundedTexts, exactlyOne, members, nonEmpty, text } from "../values/members.ts";
import { describedMembers, toDescribed, unsetTexts } from "./object.ts";

type Row = typeof table.$inferSelect;

/** What a write-only member shows in every response. */
const SECRET = null;
const secret = z.null();

const format = z.literal("json");

const CloudAuth = z.strictObject({
  role: z.strictObject({ role_arn: z.string() }).nullable(),
  creds: z.strictObject({ cloud_access_key_id: z.string(), cloud_secret_access_key: secret }).nullable(),
});

const EventTarget = z
  .strictObject({
    cloud_delivery_stream: z.strictObject({ auth: CloudAuth, delivery_stream_arn: z.string() }).nullable(),
    cloud_stream: z.strictObject({ auth: CloudAuth, stream_arn: z.string() }).nullable(),
    cloud_logs: z.strictObject({ auth: CloudAuth, log_group_arn: z.string() }).nullable(),
    monitoring_vendor: z
      .strictObject({
        api_key: secret,
        tags: z.string().optional(),
        service: z.string().optional(),
        site: z.string().optional(),
      })
      .nullable(),
    logs_ingestion: z
      .strictObject({
        tenant_id: z.string(),
        client_id: z.string(),
        client_secret: secret,
        logs_ingestion_uri: z.string(),
        data_collection_rule_id: z.string(),
        data_collection_stream_name: z.string(),
      })
      .nullable(),
  })
  .meta({ id: "EventTarget" });

const EventDestination = z
  .strictObject({
    ...describedMembers,
    format,
    target: EventTarget,
  })
  .meta({ id: "EventDestination" });
const EventDestinationList = pageOf({ event_destinations: z.array(EventDestination) }).meta({
  id: "EventDestinationList",
});

const CloudAuthMutate = exactlyOne(
  members({
    role: members({ role_arn: nonEmpty() }).exactOptional(),
    creds: members({ cloud_access_key_id: nonEmpty(), cloud_secret_access_key: nonEmpty() }).exactOptional(),
  }),
).meta({ id: "CloudAuthMutate" });

const EventTargetMutate = exactlyOne(
  members({
    cloud_delivery_stream: members({
      auth: CloudAuthMutate,
      delivery_stream_arn: nonEmpty(),
    }).exactOptional(),
    cloud_stream: members({ auth: CloudAuthMutate, stream_arn: nonEmpty() }).exactOptional(),
    cloud_logs: members({ auth: CloudAuthMutate, log_group_arn: nonEmpty() }).exactOptional(),
    monitoring_vendor: members({
      api_key: nonEmpty(),
      tags: text().exactOptional(),
      service: nonEmpty().exactOptional(),
      site: nonEmpty().exactOptional(),
    }).exactOptional(),
    logs_ingestion: members({
      tenant_id: nonEmpty(),
      client_id: nonEmpty(),
      client_secret: nonEmpty(),
      logs_ingestion_uri: nonEmpty(),
      data_collection_rule_id: nonEmpty(),
      data_collection_stream_name: nonEmpty(),
    }).exactOptional(),
  }),
).meta({ id: "EventTargetMutate" });

const eventDestinationMutate = members({
  ...boundedTexts,
  format: format.exactOptional(),
  target: EventTargetMutate,
});
const EventDestinationCreate = eventDestinationMutate.meta({ id: "EventDestinationCreate" });
/** A target that is named replaces the stored one whole. */
const EventDestinationUpdate = eventDestinationMutate.exactPartial().meta({ id: "EventDestinationUpdate" });

const toAuth = ({ role, creds }: StoredCloudAuth): z.infer<typeof CloudAuth> => ({
  role: role ?? null,
  creds: creds ? { ...creds, cloud_secret_access_key: SECRET } : null,
});

const withAuth = <T extends { auth: StoredCloudAuth }>(target: T | undefined) =>
  target ? { ...target, auth: toAuth(target.auth) } : null;

const toTarget = (target: StoredTarget): z.infer<typeof EventTarget> => ({
  cloud_delivery_stream: withAuth(target.cloud_delivery_stream),
  cloud_stream: withAuth(target.cloud_stream),
  cloud_logs: withAuth(target.cloud_logs),
  monitoring_vendor: target.monitoring_vendor
    ? { ...target.monitoring_vendor, api_key: SECRET, tags: target.monitoring_vendor.tags ?? undefined }
    : null,
  logs_ingestion: target.logs_ingestion ? { ...target.logs_ingestion, client_secret: SECRET } : null,
});

const toEventDestination = (row: Row, origin: string): z.infer<typeof EventDestination> => ({
  ...toDescribed(row, origin),
  format: row.format,
  target: toTarget(row.target),
});

const operations = operationsOn("event_destination", EventDestination, EventDestinationList);

export const eventDestinations = new Hono<App>()
  .post("/", operations.create(EventDestinationCreate), async (c) => {
    const unset = { ...unsetTexts, format: "json" } as const;
    const row = { ...stamp("event_destination"), ...unset, ...c.req.valid("json") };
    await c.var.db.insert(table).values(row);
    return c.json(toEventDestination(row, c.var.origin), 201);
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
    const [row] = await c.var.db
      .select()
      .from(table)
      .where(eq(table.id, c.req.param("id")));
    if (!row) throw notFound("event_destination");
    return c.json(toEventDestination(row, c.var.origin));
  })
  .patch("/:id", operations.update(EventDestinationUpdate), async (c) => {
    const { db, origin } = c.var;
    const patch = c.req.valid("json");
    const isIt = eq(table.id, c.req.param("id"));
    const [row] = await (isEmpty(patch)
      ? db.select().from(table).where(isIt)
      : db.update(table).set(patch).where(isIt).returning());
    if (!row) throw notFound("event_destination");
    return c.json(toEventDestination(row, origin));
  })
  .delete("/:id", operations.remove(), async (c) => {
    const isIt = eq(table.id, c.req.param("id"));
    const [deleted] = await c.var.db.delete(table).where(isIt).returning({ id: table.id });
    if (!deleted) throw notFound("event_destination");
    return c.body(null, 204);
  });
