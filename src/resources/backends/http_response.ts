import { and, desc, eq } from "drizzle-orm";
import { Hono } from "hono";
import * as z from "zod";
import { isUnused } from "../../db/references.ts";
import { httpResponseBackends as table } from "../../db/schema.ts";
import { isEmpty, olderThan } from "../../db/statements.ts";
import type { App } from "../../env.ts";
import { operationsOn } from "../../http/collection.ts";
import { notFound } from "../../http/errors.ts";
import { page, pageOf } from "../../http/pages.ts";
import { deletionRefusal } from "../../http/refusals.ts";
import { stamp } from "../../kinds.ts";
import { headerMap } from "../../values/headers.ts";
import { members, text, unboundedTexts } from "../../values/members.ts";
import { describedMembers, toDescribed, unsetTexts } from "../object.ts";

type Row = typeof table.$inferSelect;

const statusCode = () =>
  z
    .number()
    .refine(
      (code) => Number.isInteger(code) && code >= 100 && code <= 599,
      "Expected a status from 100 to 599.",
    );

const HttpResponseBackend = z
  .strictObject({
    ...describedMembers,
    body: z.string().optional(),
    headers: z.record(z.string(), z.string()).nullable(),
    status_code: z.int(),
  })
  .meta({ id: "HttpResponseBackend" });
const HttpResponseBackendList = pageOf({ backends: z.array(HttpResponseBackend) }).meta({
  id: "HttpResponseBackendList",
});

const httpResponseBackendMutate = members({
  ...unboundedTexts,
  body: text().exactOptional(),
  headers: headerMap((name) => name.toLowerCase()).exactOptional(),
  status_code: statusCode().exactOptional(),
});
const HttpResponseBackendCreate = httpResponseBackendMutate.meta({ id: "HttpResponseBackendCreate" });
const HttpResponseBackendUpdate = httpResponseBackendMutate.meta({ id: "HttpResponseBackendUpdate" });

const unset = { ...unsetTexts, body: null, headers: null, status_code: 200 };

const toHttpResponseBackend = (row: Row, origin: string): z.infer<typeof HttpResponseBackend> => ({
  ...toDescribed(row, origin),
  body: row.body ?? undefined,
  headers: row.headers,
  status_code: row.status_code,
});

const operations = operationsOn("http_response_backend", HttpResponseBackend, HttpResponseBackendList);

export const httpResponseBackends = new Hono<App>()
  .post("/", operations.create(HttpResponseBackendCreate), async (c) => {
    const row = { ...stamp("http_response_backend"), ...unset, ...c.req.valid("json") };
    await c.var.db.insert(table).values(row);
    return c.json(toHttpResponseBackend(row, c.var.origin), 201);
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
    const { rows, links } = page(c, "http_response_backend", query, found);
    return c.json({ backends: rows.map((row) => toHttpResponseBackend(row, origin)), ...links });
  })
  .get("/:id", operations.get(), async (c) => {
    const [row] = await c.var.db
      .select()
      .from(table)
      .where(eq(table.id, c.req.param("id")));
    if (!row) throw notFound("http_response_backend");
    return c.json(toHttpResponseBackend(row, c.var.origin));
  })
  .patch("/:id", operations.update(HttpResponseBackendUpdate), async (c) => {
    const { db, origin } = c.var;
    const patch = c.req.valid("json");
    const isIt = eq(table.id, c.req.param("id"));
    const [row] = await (isEmpty(patch)
      ? db.select().from(table).where(isIt)
      : db.update(table).set(patch).where(isIt).returning());
    if (!row) throw notFound("http_response_backend");
    return c.json(toHttpResponseBackend(row, origin));
  })
  .delete("/:id", operations.remove(), async (c) => {
    const { db } = c.var;
    const id = c.req.param("id");
    const isIt = eq(table.id, id);
    const [deleted] = await db
      .delete(table)
      .where(and(isIt, isUnused(id)))
      .returning({ id: table.id });
    if (!deleted) {
      const [found] = await db.select().from(table).where(isIt);
      throw await deletionRefusal(db, "http_response_backend", found, id);
    }
    return c.body(null, 204);
  });
