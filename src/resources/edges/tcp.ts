import { Hono } from "hono";
import * as z from "zod";
import type { Session } from "../../db/database.ts";
import { allExist } from "../../db/references.ts";
import { rowsOf } from "../../db/rows.ts";
import { tcpEdges as table } from "../../db/schema.ts";
import { allOf, type Guard } from "../../db/statements.ts";
import type { App } from "../../env.ts";
import { operationsOn } from "../../http/collection.ts";
import { precondition, represent, representIfNew } from "../../http/conditions.ts";
import { create } from "../../http/creation.ts";
import { notFound } from "../../http/errors.ts";
import { page, pageOf, showPage } from "../../http/pages.ts";
import { changeRefusal } from "../../http/refusals.ts";
import { respond } from "../../http/respond.ts";
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
const rows = rowsOf(table, {
  short: ["description", "metadata", "backend"],
  refs: { ip_restriction: "$.ip_policy_ids" },
});

const TcpEdge = z.lazy(() =>
  z.strictObject(edgeMembers()).meta({
    id: "TcpEdge",
    description: kinds.tcp_edge.about,
    examples: [exampleEdge("tcp_edge")],
  }),
);
const TcpEdgeList = z.lazy(() => pageOf({ tcp_edges: z.array(TcpEdge) }).meta({ id: "TcpEdgeList" }));
const TcpEdgeCreate = z.lazy(() =>
  members(edgeMutateMembers()).meta({ id: "TcpEdgeCreate", examples: [exampleEdgeMutate] }),
);
const TcpEdgeUpdate = z.lazy(() =>
  members(edgeMutateMembers()).meta({
    id: "TcpEdgeUpdate",
    examples: [{ traffic_policy: { value: '{"on_tcp_connect":[]}' } }],
  }),
);

const toTcpEdge: (row: Row, origin: string) => z.output<typeof TcpEdge> = toEdge;

const owner = {
  kind: "tcp_edge" as const,
  path: { id: "tcp_edge" } as const,
  key: ({ id = "" }) => id,
  table: rows.table,
  isIt: rows.isIt,
  find: rows.find,
  change: (session: Session, id: string, patch: Partial<Row>, guard: Guard) =>
    rows.change(session, id, patch, guard),
  clear: rows.clear,
};

const operations = operationsOn("tcp_edge", TcpEdge, TcpEdgeList);

export const tcpEdges = new Hono<App>()
  .post("/", ...operations.create(TcpEdgeCreate, "ERR_UNKNOWN_REFERENCE"), async (c) => {
    const { origin } = c.get("request");
    const body = c.req.valid("json");
    const row = { ...stamp("tcp_edge"), ...unsetEdge, ...body };
    const references = edgeReferences(body);
    const shown = toTcpEdge(row, origin);
    return create(c, { row, references, insert: (guard) => rows.insert(row, guard), shown });
  })
  .get("/", ...operations.list(), async (c) => {
    const { session, origin } = c.get("request");
    const query = c.req.valid("query");
    const { objects, links } = page(c, "tcp_edge", query, await rows.page(session, origin, query));
    return showPage(c, { tcp_edges: objects.map((row) => toTcpEdge(row, origin)), ...links });
  })
  .get("/:id", ...operations.get(), async (c) => {
    const { session, origin } = c.get("request");
    const row = await rows.find(session, c.req.param("id"));
    if (!row) throw notFound("tcp_edge");
    return representIfNew(c, row.version, toTcpEdge(row, origin));
  })
  .patch("/:id", ...operations.update(TcpEdgeUpdate, "ERR_UNKNOWN_REFERENCE"), async (c) => {
    const { session, origin } = c.get("request");
    const id = c.req.param("id");
    const body = c.req.valid("json");
    const references = edgeReferences(body);
    const guard = allOf(allExist(references), precondition(c, rows));
    const row = await rows.change(session, id, body, guard);
    if (!row) throw await changeRefusal(c, "tcp_edge", await rows.find(session, id), { references });
    return represent(c, row.version, toTcpEdge(row, origin));
  })
  .delete("/:id", ...operations.remove(""), async (c) => {
    const { session } = c.get("request");
    const id = c.req.param("id");
    const [deleted] = await session.all(rows.remove(id, precondition(c, rows)));
    if (!deleted) throw await changeRefusal(c, "tcp_edge", await rows.find(session, id));
    return respond(c, 204, null);
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
