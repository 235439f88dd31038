import type { Context } from "hono";
import * as z from "zod";
import { exampleId, stamp } from "../../../packages/model/src/ids.ts";
import { kinds } from "../../../packages/model/src/kinds.ts";
import { boundedTexts } from "../../../packages/model/src/values/descriptions.ts";
import { requestObject, schema } from "../../../packages/model/src/values/request_schemas.ts";
import type { Parts } from "../../db/event_writes.ts";
import { keptModulesOf } from "../../db/kept_modules.ts";
import { pageOf } from "../../db/page_statement.ts";
import { rowsOf } from "../../db/rows.ts";
import { httpsEdgeRoutes as routesTable, httpsEdges as table } from "../../db/schema.ts";
import { sql, type Sql, type Values } from "../../db/statements.ts";
import type { RowKey } from "../../db/uses.ts";
import { operationsOn } from "../../http/collection.ts";
import type { App } from "../../http/env.ts";
import { notFound } from "../../http/errors.ts";
import { byMetadata, beforeLast, pageLinks } from "../../http/lists.ts";
import { respond, show } from "../../http/respond.ts";
import { endpoints } from "../../http/router.ts";
import { nullableModule, optionalModule, shown } from "../../modules/module.ts";
import { mutualTls } from "../../modules/mutual_tls.ts";
import { moduleRoutes } from "../../modules/routes.ts";
import { httpsTlsTermination } from "../../modules/tls_termination.ts";
import { commit } from "../../writes/commit.ts";
import { followedBy, type Write } from "../../writes/write.ts";
import { describedMembers, exampleObject, toDescribed, unsetTexts } from "../common.ts";
import { objectsOf } from "../objects.ts";
import { byAuthority, byHostport, hostportReferences, hostportsMember, hostportsMutate } from "./edge.ts";
import { options as routeOptions, rows as routeRows } from "./https_route_statements.ts";
import { exampleRoute, HttpsEdgeRoute, toRoute } from "./https_routes.ts";

/*
 * HTTPS edges. An id that does not belong to an object of this service is assumed to be the id of an edge that is managed
 * elsewhere. Its modules can be set all the same, because the contract refers to such edges.
 */

type Row = typeof table.$inferSelect;
type RouteRow = typeof routesTable.$inferSelect;

const references = {
  ...hostportReferences,
  // Edges managed elsewhere have this module too.
  mutual_tls: { path: "$.certificate_authority_ids", filter: "certificate_authority_id", isShared: true },
} as const;
const isObject = sql`${table.created_at} is not null`;
const parts: Parts = {
  member: "routes",
  table: routesTable,
  owner: routesTable.edge_id,
  order: routesTable.id,
  hidden: routeOptions.hidden ?? {},
  bytes: table.routes_bytes,
  isShown: isObject,
};
const rows = rowsOf("https_edge", table, {
  references,
  short: ["description", "tls_termination"],
  embedded: { bytes: table.routes_bytes, refs: table.routes_refs },
  isObject,
  parts,
  owned: { ...routeOptions, table: routesTable, owner: routesTable.edge_id },
});
const unset = {
  ...unsetTexts,
  hostports: null,
  mutual_tls: null,
  tls_termination: null,
  routes_bytes: 0,
  routes_refs: 0,
};
const kept = keptModulesOf("https_edge", table, { created_at: null, ...unset }, { references, parts });

const HttpsEdge = schema("HttpsEdge", () => ({
  description: kinds.https_edge.about,
  examples: [
    {
      ...exampleObject("https_edge"),
      description: "The shop",
      hostports: ["shop.example.com:443"],
      mutual_tls: null,
      tls_termination: { enabled: true, terminate_at: "edge", min_version: "1.3" },
      routes: [exampleRoute()],
    },
  ],
  type: z.strictObject({
    ...describedMembers(),
    hostports: hostportsMember(),
    mutual_tls: nullableModule(mutualTls),
    tls_termination: nullableModule(httpsTlsTermination),
    routes: z.array(HttpsEdgeRoute).describe("Its routes, oldest first."),
  }),
}));

const exampleCreate = {
  description: "The shop",
  hostports: ["shop.example.com:443"],
  tls_termination: { min_version: "1.3" },
};

const httpsEdgeMutate = () =>
  requestObject({
    ...boundedTexts(),
    hostports: hostportsMutate().exactOptional(),
    mutual_tls: optionalModule(mutualTls),
    tls_termination: optionalModule(httpsTlsTermination),
  });
const HttpsEdgeCreate = schema("HttpsEdgeCreate", () => ({
  examples: [
    exampleCreate,
    {
      ...exampleCreate,
      mutual_tls: { certificate_authority_ids: [exampleId("certificate_authority")] },
    },
  ],
  type: httpsEdgeMutate(),
}));
const HttpsEdgeUpdate = schema("HttpsEdgeUpdate", () => ({
  examples: [{ mutual_tls: { enabled: false } }],
  type: httpsEdgeMutate(),
}));

/** A row, and those of its routes, as responses show them. */
export const toHttpsEdge = (
  row: Row,
  origin: string,
  routes: RouteRow[] = [],
): z.output<typeof HttpsEdge> => ({
  ...toDescribed(row, origin),
  hostports: row.hostports,
  mutual_tls: shown(mutualTls, row.mutual_tls, origin),
  tls_termination: shown(httpsTlsTermination, row.tls_termination, origin),
  routes: routes.map((route) => toRoute(route, origin)),
});

/** An edge and the stored rows of its routes, as responses show them. */
const withRoutes = (edge: Row, origin: string, routes: Values[]) =>
  toHttpsEdge(
    edge,
    origin,
    routes.map((route) => routeRows.decode(route)),
  );

/** The routes of one edge, oldest first. */
const routesOf = ({ id }: RowKey): Sql =>
  sql`select * from ${routesTable} where ${routesTable.edge_id} = ${id} order by ${routesTable.id}`;

/** A change of an edge, with a response that includes its routes. */
const showingRoutes = (c: Context<App>, key: RowKey, write: Write): Write => ({
  ...followedBy(write, () => [routesOf(key)]),
  answer: (row, all) => {
    const [edge, routes = []] = [rows.decode(row), all.at(-1)];
    const body = withRoutes(edge, c.get("request").origin, routes);
    return { status: 200, version: edge.version, body };
  },
});

const owner = {
  kind: "https_edge",
  path: { id: "https_edge" },
  key: ({ id = "" }: Record<string, string>) => ({ id }),
  rows: kept,
  exists: () => [],
} as const;

const edges = objectsOf("https_edge", rows, toHttpsEdge);
const operations = operationsOn("https_edge", HttpsEdge);

export const httpsEdges = endpoints()
  .post("/", operations.create(HttpsEdgeCreate), (c) =>
    commit(c, edges.create(c, { ...stamp("https_edge"), ...unset, ...c.req.valid("json") })),
  )
  .get("/", operations.list({ ...byHostport, ...byAuthority, ...byMetadata }), async (c) => {
    const { session, origin } = c.get("request");
    const query = c.req.valid("query");
    const [found = [], routes = []] = await session.batch([
      rows.pages.page(origin, query),
      rows.pages.parts(routesTable, origin, query),
    ]);
    const page = pageOf(found, query.limit);
    const byEdge = Map.groupBy(routes, ({ edge_id }) => edge_id);
    const https_edges = page.rows.map((row) =>
      withRoutes(rows.decode(row), origin, byEdge.get(row["id"]) ?? []),
    );
    const links = pageLinks(c, `${origin}/edges/https`, query.limit, beforeLast(page));
    return respond(c, 200, JSON.stringify({ https_edges, ...links }));
  })
  .get("/:id", operations.get(), async (c) => {
    const { session, origin } = c.get("request");
    const key = c.req.param();
    const [[row] = [], routes = []] = await session.batch([rows.find(key), routesOf(key)]);
    if (!row) throw notFound("https_edge");
    const edge = rows.decode(row);
    return show(c, edge.version, withRoutes(edge, origin, routes));
  })
  .patch("/:id", operations.update(HttpsEdgeUpdate), (c) => {
    const key = c.req.param();
    return commit(c, showingRoutes(c, key, edges.change(c, key, c.req.valid("json"))));
  })
  .delete("/:id", operations.remove("Its routes are deleted too."), (c) =>
    commit(c, edges.remove(c, c.req.param())),
  )
  .route("/:id/mutual_tls", moduleRoutes(mutualTls, owner))
  .route("/:id/tls_termination", moduleRoutes(httpsTlsTermination, owner));
