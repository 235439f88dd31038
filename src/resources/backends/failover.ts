import { and, desc, eq } from "drizzle-orm";
import { type Context, Hono } from "hono";
import * as z from "zod";
import type { Database } from "../../db/database.ts";
import { allExist, isNotWithin, isUnused, type Reference } from "../../db/references.ts";
import { failoverBackends as table } from "../../db/schema.ts";
import { insertIf, isEmpty, olderThan } from "../../db/statements.ts";
import { next } from "../../db/versions.ts";
import type { App } from "../../env.ts";
import { operationsOn } from "../../http/collection.ts";
import { precondition, represent, representIfNew } from "../../http/conditions.ts";
import { create } from "../../http/creation.ts";
import { type ApiError, invalidMembers, notFound } from "../../http/errors.ts";
import { page, pageOf } from "../../http/pages.ts";
import { changeRefusal, deletionRefusal } from "../../http/refusals.ts";
import { exampleId, idOf, stamp, kinds } from "../../kinds.ts";
import { list, members, unboundedTexts } from "../../values/members.ts";
import { describedMembers, exampleObject, toDescribed, unsetTexts } from "../object.ts";

type Row = typeof table.$inferSelect;

const children = "Ids of the child backends, in order: failover or HTTP response backends.";

const FailoverBackend = z
  .strictObject({
    ...describedMembers,
    backends: z.array(z.string()).nullable().describe(children),
  })
  .meta({
    id: "FailoverBackend",
    description: kinds.failover_backend.about,
    examples: [
      {
        ...exampleObject("failover_backend"),
        description: "The shop, or the maintenance page",
        backends: [exampleId("http_response_backend")],
      },
    ],
  });
const FailoverBackendList = pageOf({ backends: z.array(FailoverBackend) }).meta({
  id: "FailoverBackendList",
});

const failoverBackendMutate = members({
  ...unboundedTexts,
  backends: list(idOf("failover_backend", "http_response_backend")).describe(children).exactOptional(),
});
const FailoverBackendCreate = failoverBackendMutate.meta({
  id: "FailoverBackendCreate",
  examples: [
    { description: "The shop, or the maintenance page", backends: [exampleId("http_response_backend")] },
  ],
});
const FailoverBackendUpdate = failoverBackendMutate.meta({
  id: "FailoverBackendUpdate",
  examples: [{ backends: [exampleId("http_response_backend"), exampleId("failover_backend")] }],
});

const toFailoverBackend = (row: Row, origin: string): z.infer<typeof FailoverBackend> => ({
  ...toDescribed(row, origin),
  backends: row.backends,
});

const references = (backends: string[]): Reference[] =>
  backends.map((id, index) => ({ path: `/backends/${index}`, id }));

async function updateRefusal(c: Context<App>, id: string, backends: string[]): Promise<ApiError> {
  const [found] = await c.var.db
    .select({ version: table.version, isAcyclic: isNotWithin(id, backends) })
    .from(table)
    .where(eq(table.id, id));
  if (found && !found.isAcyclic)
    return invalidMembers([
      { path: "/backends", msg: "A backend may not contain itself, directly or through others." },
    ]);
  return changeRefusal(c, "failover_backend", found, references(backends));
}

async function find(db: Database, id: string): Promise<Row | undefined> {
  const [row] = await db.select().from(table).where(eq(table.id, id));
  return row;
}

const operations = operationsOn("failover_backend", FailoverBackend, FailoverBackendList);

export const failoverBackends = new Hono<App>()
  .post("/", operations.create(FailoverBackendCreate, "ERR_UNKNOWN_REFERENCE"), async (c) => {
    const { db, origin } = c.var;
    const body = c.req.valid("json");
    const unset = { ...unsetTexts, backends: null };
    const row = { ...stamp("failover_backend"), ...unset, ...body };
    const children = references(body.backends ?? []);
    const shown = toFailoverBackend(row, origin);
    return create(c, {
      row,
      references: children,
      insert: (guard) => insertIf(db, table, row, guard),
      shown,
    });
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
    const { rows, links } = page(c, "failover_backend", query, found);
    return c.json({ backends: rows.map((row) => toFailoverBackend(row, origin)), ...links });
  })
  .get("/:id", operations.get(), async (c) => {
    const row = await find(c.var.db, c.req.param("id"));
    if (!row) throw notFound("failover_backend");
    return representIfNew(c, row.version, toFailoverBackend(row, c.var.origin));
  })
  .patch("/:id", operations.update(FailoverBackendUpdate, "ERR_UNKNOWN_REFERENCE"), async (c) => {
    const { db, origin } = c.var;
    const id = c.req.param("id");
    const patch = c.req.valid("json");
    const isIt = eq(table.id, id);
    const where = and(isIt, precondition(c, table, isIt));
    const children = patch.backends ?? [];
    const [row] = await (isEmpty(patch)
      ? db.select().from(table).where(where)
      : db
          .update(table)
          .set({ ...patch, version: next(table.version) })
          .where(and(where, allExist(references(children)), isNotWithin(id, children)))
          .returning());
    if (!row) throw await updateRefusal(c, id, children);
    return represent(c, row.version, toFailoverBackend(row, origin));
  })
  .delete(
    "/:id",
    operations.remove("Refused while an edge or another failover backend uses it.", "ERR_IN_USE"),
    async (c) => {
      const { db } = c.var;
      const id = c.req.param("id");
      const isIt = eq(table.id, id);
      const [deleted] = await db
        .delete(table)
        .where(and(isIt, isUnused(id), precondition(c, table, isIt)))
        .returning({ id: table.id });
      if (!deleted) throw await deletionRefusal(c, "failover_backend", await find(db, id), id);
      return c.body(null, 204);
    },
  );
