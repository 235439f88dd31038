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
 * HTTPS edges and their routes are managed elsewhere; only their modules are stored here. So any well-formed id is assumed
 * to belong to an existing owner with no modules set: PUT inserts its row. Rows are never deleted, so that no version is
 * ever reused.
 */

const edge = {
  kind: "https_edge",
  path: { id: "https_edge" },
  key: ({ id = "" }: Record<string, string>) => ({ id }),
  rows: keptModulesOf(
    edges,
    [edges.id],
    { mutual_tls: null },
    { mutual_tls: { path: "$.certificate_authority_ids" } },
  ),
  isManagedElsewhere: true,
} as const;

const route = {
  kind: "https_edge_route",
  path: { edge_id: "https_edge", id: "https_edge_route" },
  key: ({ edge_id = "", id = "" }: Record<string, string>) => ({ edge_id, id }),
  rows: keptModulesOf(routes, [routes.edge_id, routes.id], {
    circuit_breaker: null,
    request_headers: null,
    websocket_tcp_converter: null,
  }),
  isManagedElsewhere: true,
} as const;

export const httpsEdges = new Hono<App>()
  .route("/:id/mutual_tls", moduleRoutes(mutualTls, edge))
  .route("/:edge_id/routes/:id/circuit_breaker", moduleRoutes(circuitBreaker, route))
  .route("/:edge_id/routes/:id/request_headers", moduleRoutes(requestHeaders, route))
  .route("/:edge_id/routes/:id/websocket_tcp_converter", moduleRoutes(websocketTcpConverter, route));
