import { Hono } from "hono";
import { keptModulesOf } from "../../db/kept_modules.ts";
import { httpsEdges as edges, httpsEdgeRoutes as routes } from "../../db/schema.ts";
import type { App } from "../../env.ts";
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

const edge = {
  kind: "https_edge" as const,
  path: { id: "https_edge" } as const,
  key: ({ id = "" }: Record<string, string>) => ({ id }),
  ...keptModulesOf(edges, [edges.id], (key: { id: string }) => ({ ...key, mutual_tls: null, version: 0 })),
};

const route = {
  kind: "https_edge_route" as const,
  path: { edge_id: "https_edge", id: "https_edge_route" } as const,
  key: ({ edge_id = "", id = "" }: Record<string, string>) => ({ edge_id, id }),
  ...keptModulesOf(routes, [routes.edge_id, routes.id], (key: { edge_id: string; id: string }) => ({
    ...key,
    circuit_breaker: null,
    request_headers: null,
    websocket_tcp_converter: null,
    version: 0,
  })),
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
