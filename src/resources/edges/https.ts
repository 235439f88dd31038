import { and, eq } from "drizzle-orm";
import { Hono } from "hono";
import type { Database } from "../../db/database.ts";
import { httpsEdgeRoutes, httpsEdges as httpsEdgesTable } from "../../db/schema.ts";
import type { App } from "../../env.ts";
import { notFound } from "../../http/errors.ts";
import { isIdOf } from "../../kinds.ts";
import { circuitBreaker } from "../../modules/circuit_breaker.ts";
import { mutualTls } from "../../modules/mutual_tls.ts";
import { requestHeaders } from "../../modules/request_headers.ts";
import { moduleRoutes } from "../../modules/routes.ts";
import { websocketTcpConverter } from "../../modules/websocket_tcp_converter.ts";

/*
 * HTTPS edges and their routes are managed elsewhere; only their modules are kept here. So an id of the right form
 * is taken for an owner that exists: PUT makes its row, and DELETE of a module that is not set succeeds.
 */

type EdgeRow = typeof httpsEdgesTable.$inferSelect;
type RouteRow = typeof httpsEdgeRoutes.$inferSelect;
type RouteKey = Pick<RouteRow, "edge_id" | "id">;

const edge = {
  kind: "https_edge" as const,
  key({ id = "" }: Record<string, string>): string {
    if (!isIdOf("https_edge", id)) throw notFound("https_edge");
    return id;
  },
  async find(db: Database, id: string): Promise<EdgeRow | undefined> {
    const [row] = await db.select().from(httpsEdgesTable).where(eq(httpsEdgesTable.id, id));
    return row;
  },
  async change(db: Database, id: string, patch: Pick<EdgeRow, "mutual_tls">): Promise<EdgeRow | undefined> {
    const [row] = await db
      .insert(httpsEdgesTable)
      .values({ id, ...patch })
      .onConflictDoUpdate({ target: httpsEdgesTable.id, set: patch })
      .returning();
    return row;
  },
  clear: (db: Database, id: string, patch: Pick<EdgeRow, "mutual_tls">): Promise<unknown> =>
    db.update(httpsEdgesTable).set(patch).where(eq(httpsEdgesTable.id, id)).run(),
};

const ofRoute = ({ edge_id, id }: RouteKey) =>
  and(eq(httpsEdgeRoutes.edge_id, edge_id), eq(httpsEdgeRoutes.id, id));

const route = {
  kind: "https_edge_route" as const,
  key({ edge_id = "", id = "" }: Record<string, string>): RouteKey {
    if (!isIdOf("https_edge", edge_id) || !isIdOf("https_edge_route", id)) throw notFound("https_edge_route");
    return { edge_id, id };
  },
  async find(db: Database, key: RouteKey): Promise<RouteRow | undefined> {
    const [row] = await db.select().from(httpsEdgeRoutes).where(ofRoute(key));
    return row;
  },
  async change(db: Database, key: RouteKey, patch: Partial<RouteRow>): Promise<RouteRow | undefined> {
    const [row] = await db
      .insert(httpsEdgeRoutes)
      .values({ ...key, ...patch })
      .onConflictDoUpdate({ target: [httpsEdgeRoutes.edge_id, httpsEdgeRoutes.id], set: patch })
      .returning();
    return row;
  },
  clear: (db: Database, key: RouteKey, patch: Partial<RouteRow>): Promise<unknown> =>
    db.update(httpsEdgeRoutes).set(patch).where(ofRoute(key)).run(),
};

export const httpsEdges = new Hono<App>()
  .route(
    "/:id/mutual_tls",
    moduleRoutes(mutualTls, edge, { get: (row) => row.mutual_tls, set: (value) => ({ mutual_tls: value }) }),
  )
  .route(
    "/:edge_id/routes/:id/circuit_breaker",
    moduleRoutes(circuitBreaker, route, {
      get: (row) => row.circuit_breaker,
      set: (value) => ({ circuit_breaker: value }),
    }),
  )
  .route(
    "/:edge_id/routes/:id/request_headers",
    moduleRoutes(requestHeaders, route, {
      get: (row) => row.request_headers,
      set: (value) => ({ request_headers: value }),
    }),
  )
  .route(
    "/:edge_id/routes/:id/websocket_tcp_converter",
    moduleRoutes(websocketTcpConverter, route, {
      get: (row) => row.websocket_tcp_converter,
      set: (value) => ({ websocket_tcp_converter: value }),
    }),
  );
