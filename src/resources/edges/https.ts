import { and, eq, type SQL } from "drizzle-orm";
import { Hono } from "hono";
import type { Database } from "../../db/database.ts";
import { httpsEdges as edges, httpsEdgeRoutes as routes } from "../../db/schema.ts";
import { rowIf } from "../../db/statements.ts";
import { next } from "../../db/versions.ts";
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
 * is taken for an owner that exists and has set none of them: PUT makes its row, and until then it has version 0. A row
 * is never deleted, so that its version never comes again.
 */

type Edge = typeof edges.$inferSelect;
type EdgeModules = Omit<Edge, "id" | "version">;
type Route = typeof routes.$inferSelect;
type RouteKey = Pick<Route, "edge_id" | "id">;
type RouteModules = Omit<Route, keyof RouteKey | "version">;

const unsetEdge = { mutual_tls: null, version: 0 };

const edge = {
  kind: "https_edge" as const,
  path: { id: "https_edge" } as const,
  key({ id = "" }: Record<string, string>): string {
    if (!isIdOf("https_edge", id)) throw notFound("https_edge");
    return id;
  },
  table: edges,
  is: (id: string) => eq(edges.id, id),
  async find(db: Database, id: string): Promise<Edge> {
    const [row] = await db.select().from(edges).where(eq(edges.id, id));
    return row ?? { id, ...unsetEdge };
  },
  async change(db: Database, id: string, modules: EdgeModules, guard?: SQL): Promise<Edge | undefined> {
    const [row] = await db
      .insert(edges)
      .select(rowIf(edges, { id, ...modules, version: 1 }, guard))
      .onConflictDoUpdate({ target: edges.id, set: { ...modules, version: next(edges.version) } })
      .returning();
    return row;
  },
  async clear(db: Database, id: string, modules: EdgeModules, guard?: SQL): Promise<Edge | undefined> {
    const [row] = await db
      .update(edges)
      .set({ ...modules, version: next(edges.version) })
      .where(and(eq(edges.id, id), guard))
      .returning();
    return row ?? (guard ? undefined : { id, ...unsetEdge });
  },
};

const unsetRoute = {
  circuit_breaker: null,
  request_headers: null,
  websocket_tcp_converter: null,
  version: 0,
};

const isRoute = ({ edge_id, id }: RouteKey) => and(eq(routes.edge_id, edge_id), eq(routes.id, id));

const route = {
  kind: "https_edge_route" as const,
  path: { edge_id: "https_edge", id: "https_edge_route" } as const,
  key({ edge_id = "", id = "" }: Record<string, string>): RouteKey {
    if (!isIdOf("https_edge", edge_id) || !isIdOf("https_edge_route", id)) throw notFound("https_edge_route");
    return { edge_id, id };
  },
  table: routes,
  is: isRoute,
  async find(db: Database, key: RouteKey): Promise<Route> {
    const [row] = await db.select().from(routes).where(isRoute(key));
    return row ?? { ...key, ...unsetRoute };
  },
  async change(
    db: Database,
    key: RouteKey,
    modules: Partial<RouteModules>,
    guard?: SQL,
  ): Promise<Route | undefined> {
    const [row] = await db
      .insert(routes)
      .select(rowIf(routes, { ...key, ...unsetRoute, ...modules, version: 1 }, guard))
      .onConflictDoUpdate({
        target: [routes.edge_id, routes.id],
        set: { ...modules, version: next(routes.version) },
      })
      .returning();
    return row;
  },
  async clear(
    db: Database,
    key: RouteKey,
    modules: Partial<RouteModules>,
    guard?: SQL,
  ): Promise<Route | undefined> {
    const [row] = await db
      .update(routes)
      .set({ ...modules, version: next(routes.version) })
      .where(and(isRoute(key), guard))
      .returning();
    return row ?? (guard ? undefined : { ...key, ...unsetRoute });
  },
};

export const httpsEdges = new Hono<App>()
  .route(
    "/:id/mutual_tls",
    moduleRoutes(mutualTls, edge, {
      column: edges.mutual_tls,
      get: (row) => row.mutual_tls,
      set: (value) => ({ mutual_tls: value }),
    }),
  )
  .route(
    "/:edge_id/routes/:id/circuit_breaker",
    moduleRoutes(circuitBreaker, route, {
      column: routes.circuit_breaker,
      get: (row) => row.circuit_breaker,
      set: (value) => ({ circuit_breaker: value }),
    }),
  )
  .route(
    "/:edge_id/routes/:id/request_headers",
    moduleRoutes(requestHeaders, route, {
      column: routes.request_headers,
      get: (row) => row.request_headers,
      set: (value) => ({ request_headers: value }),
    }),
  )
  .route(
    "/:edge_id/routes/:id/websocket_tcp_converter",
    moduleRoutes(websocketTcpConverter, route, {
      column: routes.websocket_tcp_converter,
      get: (row) => row.websocket_tcp_converter,
      set: (value) => ({ websocket_tcp_converter: value }),
    }),
  );
