import { and, desc, eq, type SQL } from "drizzle-orm";
import { Hono } from "hono";
import * as z from "zod";
import type { Database } from "../../db/database.ts";
import { allExist } from "../../db/references.ts";
import { tcpEdges as table } from "../../db/schema.ts";
import { insertIf, isEmpty, olderThan } from "../../db/statements.ts";
import { next } from "../../db/versions.ts";
import type { App } from "../../env.ts";
import { operationsOn } from "../../http/collection.ts";
import { precondition, represent, representIfNew } from "../../http/conditions.ts";
import { create } from "../../http/creation.ts";
import { notFound } from "../../http/errors.ts";
import { page, pageOf } from "../../http/pages.ts";
import { changeRefusal } from "../../http/refusals.ts";
import { stamp, kinds } from "../../kinds.ts";
import { backend } from "../../modules/backend.ts";
import { ipRestriction } from "../../modules/ip_restriction.ts";
import { moduleRoutes } from "../../modules/routes.ts";
import { trafficPolicy } from "../../modules/traffic_policy.ts";
import { members } from "../../values/members.ts";
import {
  edgeMembers,
  edgeMutateMembers,
  edgeReferences,
  exampleEdge,
  exampleEdgeMutate,
  toEdge,
  unsetEdge,
} from "./edge.ts";

type Row = typeof table.$inferSelect;

const TcpEdge = z.strictObject(edgeMembers).meta({
  id: "TcpEdge",
  description: kinds.tcp_edge.about,
  examples: [exampleEdge("tcp_edge")],
});
const TcpEdgeList = pageOf({ tcp_edges: z.array(TcpEdge) }).meta({ id: "TcpEdgeList" });
const TcpEdgeCreate = members(edgeMutateMembers).meta({ id: "TcpEdgeCreate", examples: [exampleEdgeMutate] });
const TcpEdgeUpdate = members(edgeMutateMembers).meta({
  id: "TcpEdgeUpdate",
  examples: [{ traffic_policy: { value: '{"on_tcp_connect":[]}' } }],
});

const toTcpEdge: (row: Row, origin: string) => z.infer<typeof TcpEdge> = toEdge;

async function find(db: Database, id: string): Promise<Row | undefined> {
  const [row] = await db.select().from(table).where(eq(table.id, id));
  return row;
}

async function change(db: Database, id: string, patch: Partial<Row>, guard?: SQL): Promise<Row | undefined> {
  const where = and(eq(table.id, id), guard);
  const [row] = await (isEmpty(patch)
    ? db.select().from(table).where(where)
    : db
        .update(table)
        .set({ ...patch, version: next(table.version) })
        .where(where)
        .returning());
  return row;
}

const owner = {
  kind: "tcp_edge" as const,
  path: { id: "tcp_edge" } as const,
  key: ({ id = "" }) => id,
  table,
  is: (id: string) => eq(table.id, id),
  find,
  change,
  clear: change,
};

const operations = operationsOn("tcp_edge", TcpEdge, TcpEdgeList);

export const tcpEdges = new Hono<App>()
  .post("/", operations.create(TcpEdgeCreate, "ERR_UNKNOWN_REFERENCE"), async (c) => {
    const { db, origin } = c.var;
    const body = c.req.valid("json");
    const row = { ...stamp("tcp_edge"), ...unsetEdge, ...body };
    const references = edgeReferences(body);
    const shown = toTcpEdge(row, origin);
    return create(c, { row, references, insert: (guard) => insertIf(db, table, row, guard), shown });
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
    const { rows, links } = page(c, "tcp_edge", query, found);
    return c.json({ tcp_edges: rows.map((row) => toTcpEdge(row, origin)), ...links });
  })
  .get("/:id", operations.get(), async (c) => {
    const row = await find(c.var.db, c.req.param("id"));
    if (!row) throw notFound("tcp_edge");
    return representIfNew(c, row.version, toTcpEdge(row, c.var.origin));
  })
  .patch("/:id", operations.update(TcpEdgeUpdate, "ERR_UNKNOWN_REFERENCE"), async (c) => {
    const { db, origin } = c.var;
    const id = c.req.param("id");
    const body = c.req.valid("json");
    const references = edgeReferences(body);
    const row = await change(
      db,
      id,
      body,
      and(allExist(references), precondition(c, table, eq(table.id, id))),
    );
    if (!row) throw await changeRefusal(c, "tcp_edge", await find(db, id), references);
    return represent(c, row.version, toTcpEdge(row, origin));
  })
  .delete("/:id", operations.remove(""), async (c) => {
    const { db } = c.var;
    const id = c.req.param("id");
    const isIt = eq(table.id, id);
    const [deleted] = await db
      .delete(table)
      .where(and(isIt, precondition(c, table, isIt)))
      .returning({ id: table.id });
    if (!deleted) throw await changeRefusal(c, "tcp_edge", await find(db, id));
    return c.body(null, 204);
  })
  .route(
    "/:id/backend",
    moduleRoutes(backend, owner, {
      column: table.backend,
      get: (row) => row.backend,
      set: (value) => ({ backend: value }),
    }),
  )
  .route(
    "/:id/ip_restriction",
    moduleRoutes(ipRestriction, owner, {
      column: table.ip_restriction,
      get: (row) => row.ip_restriction,
      set: (value) => ({ ip_restriction: value }),
    }),
  )
  .route(
    "/:id/traffic_policy",
    moduleRoutes(trafficPolicy, owner, {
      column: table.traffic_policy,
      get: (row) => row.traffic_policy,
      set: (value) => ({ traffic_policy: value }),
    }),
  );
