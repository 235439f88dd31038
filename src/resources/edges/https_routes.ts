import { eq, isNotNull, sql } from "drizzle-orm";
import { type Context, Hono } from "hono";
import * as z from "zod";
import { keptModulesOf } from "../../db/kept_modules.ts";
import { pageOf } from "../../db/page_statement.ts";
import type { Reference } from "../../db/references.ts";
import { type Key, rowsOf, type TableOptions } from "../../db/rows.ts";
import { httpsEdgeRoutes as table, httpsEdges as edges } from "../../db/schema.ts";
import { type Guard, ifHolds, raw, type Statement, statement, type Values } from "../../db/statements.ts";
import type { App } from "../../env.ts";
import { sealFor } from "../../http/auth/sealing_keys.ts";
import { conflict, notFound } from "../../http/errors/errors.ts";
import { operationsOn } from "../../http/operations/collection.ts";
import { listed, listSchema, pageLinks } from "../../http/operations/lists.ts";
import { respond } from "../../http/responses/respond.ts";
import { EXAMPLE_ORIGIN, exampleId, stamp, uriOf } from "../../ids.ts";
import { kinds } from "../../kinds.ts";
import { backend } from "../../modules/backend.ts";
import { circuitBreaker } from "../../modules/circuit_breaker.ts";
import { requestHeaders, responseHeaders } from "../../modules/headers.ts";
import { ipRestriction } from "../../modules/ip_restriction.ts";
import { nullableModule, optionalModule, referencesIn, shown } from "../../modules/module.ts";
import { moduleRoutes } from "../../modules/routes.ts";
import { compression, websocketTcpConverter } from "../../modules/switches.ts";
import { trafficPolicy } from "../../modules/traffic_policy.ts";
import { userAgentFilter } from "../../modules/user_agent_filter.ts";
import { mapSecret, webhookVerification } from "../../modules/webhook_verification.ts";
import { boundedTexts } from "../../values/descriptions.ts";
import { requestObject } from "../../values/members.ts";
import { requestPath } from "../../values/request_path.ts";
import { commit } from "../../writes/commit.ts";
import { referencesExist, rule } from "../../writes/requirements.ts";
import type { Requirement } from "../../writes/write.ts";
import { describedMembers, exampleObject, toDescribed, unsetTexts } from "../common.ts";
import { objectsOf } from "../objects.ts";

/*
 * Routes of HTTPS edges. An edge shows its routes, so every change of a route moves the version of its edge.
 */

type Row = typeof table.$inferSelect;

/** The most routes of an edge: all of them are in its representation. */
const MOST_ROUTES = 100;

/** Bytes of a route in a response besides what is stored: names of members, `null`, and what has a fixed length. */
const FRAME_BYTES = 700;

/** The columns of JSON without ids. */
const jsonColumns = [
  table.circuit_breaker,
  table.compression,
  table.request_headers,
  table.response_headers,
  table.traffic_policy,
  table.user_agent_filter,
  table.webhook_verification,
  table.websocket_tcp_converter,
];

/** Bytes of a route in a response, but for Refs: of these, {@link REFS} tells the number. */
const BYTES = sql.join(
  [
    sql.raw(String(FRAME_BYTES)),
    ...jsonColumns.map((column) => sql`coalesce(octet_length(${column}), 0)`),
    ...[table.description, table.metadata, table.match].map(
      (column) => sql`coalesce(octet_length(json_quote(${column})), 0)`,
    ),
    sql`2 * coalesce(octet_length(${table.ip_restriction}), 0)`,
  ],
  sql` + `,
);
/** Its own URI and that of its backend are counted with the Refs of its policies. */
const REFS = sql`2 + coalesce(json_array_length(${table.ip_restriction}, '$.ip_policy_ids'), 0)`;

/** What the routes of an edge measure: for its columns `routes_bytes` and `routes_refs`. */
const measures = () =>
  sql`(select coalesce(sum(${BYTES}), 0), coalesce(sum(${REFS}), 0) from ${table} where ${table.edge_id} = ${sql.placeholder("edge_id")})`;

/** Moves the version of the edge of a route that the statement before has changed, and measures its routes again. */
const changeEdge = ({ edge_id }: Values): Statement =>
  statement(
    "change the edge of a route",
    () =>
      raw(sql`update ${edges} set version = ${edges.version} + 1, (routes_bytes, routes_refs) = ${measures()}
        where ${edges.id} = ${sql.placeholder("edge_id")} and ${edges.created_at} is not null and changes() > 0`),
    { edge_id },
  );

/** Measures the routes of an edge again, without moving its version: for changes that responses do not show. */
export const measureRoutes = (edge_id: string): Statement =>
  statement(
    "measure the routes of an edge",
    () =>
      raw(sql`update ${edges} set (routes_bytes, routes_refs) = ${measures()}
        where ${edges.id} = ${sql.placeholder("edge_id")} and ${edges.created_at} is not null and (routes_bytes, routes_refs) <> ${measures()}`),
    { edge_id },
  );

export const options: TableOptions = {
  references: { backend: { path: "$.backend_id" }, ip_restriction: { path: "$.ip_policy_ids" } },
  changeOwner: changeEdge,
  short: ["edge_id", "description", "match_type", "backend", "compression", "websocket_tcp_converter"],
  isObject: isNotNull(table.created_at),
};
export const rows = rowsOf(table, options);

const unsetModules = {
  backend: null,
  circuit_breaker: null,
  compression: null,
  ip_restriction: null,
  request_headers: null,
  response_headers: null,
  traffic_policy: null,
  user_agent_filter: null,
  webhook_verification: null,
  websocket_tcp_converter: null,
};
const kept = keptModulesOf(
  table,
  { created_at: null, ...unsetTexts, match_type: null, match: null, ...unsetModules },
  options,
);

const meanings = {
  edge_id: "The HTTPS edge that it belongs to.",
  match_type: "How the path of a request is compared with `match`. An exact match outweighs every prefix.",
  match: "The path, or the start of it: of several prefixes, the longest counts.",
};
const matchType = () => z.enum(["exact_path", "path_prefix"]).describe(meanings.match_type);

export const HttpsEdgeRoute = z.lazy(() =>
  z
    .strictObject({
      ...describedMembers(),
      edge_id: z.string().describe(meanings.edge_id),
      match_type: matchType(),
      match: z.string().describe(meanings.match),
      backend: nullableModule(backend),
      circuit_breaker: nullableModule(circuitBreaker),
      compression: nullableModule(compression),
      ip_restriction: nullableModule(ipRestriction),
      request_headers: nullableModule(requestHeaders),
      response_headers: nullableModule(responseHeaders),
      traffic_policy: nullableModule(trafficPolicy),
      user_agent_filter: nullableModule(userAgentFilter),
      webhook_verification: nullableModule(webhookVerification),
      websocket_tcp_converter: nullableModule(websocketTcpConverter),
      policy: z.null().describe("Reserved; always null."),
    })
    .meta({ id: "HttpsEdgeRoute", description: kinds.https_edge_route.about, examples: [exampleRoute()] }),
);
const HttpsEdgeRouteList = z.lazy(() =>
  listSchema("https_edge_route", { routes: listed(HttpsEdgeRoute) }).meta({ id: "HttpsEdgeRouteList" }),
);

/** A route, for examples. */
export const exampleRoute = () => ({
  ...exampleObject("https_edge_route"),
  uri: uriOf(EXAMPLE_ORIGIN, exampleId("https_edge_route"), exampleId("https_edge")),
  edge_id: exampleId("https_edge"),
  description: "The API",
  match_type: "path_prefix" as const,
  match: "/api/",
  ...unsetModules,
  compression: { enabled: true },
  policy: null,
});

const exampleCreate = {
  description: "The API",
  match_type: "path_prefix" as const,
  match: "/api/",
  compression: {},
};

const mutateMembers = () => ({
  ...boundedTexts(),
  backend: optionalModule(backend),
  circuit_breaker: optionalModule(circuitBreaker),
  compression: optionalModule(compression),
  ip_restriction: optionalModule(ipRestriction),
  request_headers: optionalModule(requestHeaders),
  response_headers: optionalModule(responseHeaders),
  traffic_policy: optionalModule(trafficPolicy),
  user_agent_filter: optionalModule(userAgentFilter),
  webhook_verification: optionalModule(webhookVerification),
  websocket_tcp_converter: optionalModule(websocketTcpConverter),
});
const match = () => requestPath().describe(meanings.match);
const HttpsEdgeRouteCreate = z.lazy(() =>
  requestObject({ match_type: matchType(), match: match(), ...mutateMembers() }).meta({
    id: "HttpsEdgeRouteCreate",
    examples: [
      exampleCreate,
      {
        ...exampleCreate,
        backend: { backend_id: exampleId("http_response_backend") },
        ip_restriction: { ip_policy_ids: [exampleId("ip_policy")] },
      },
    ],
  }),
);
const HttpsEdgeRouteUpdate = z.lazy(() =>
  requestObject({
    match_type: matchType().exactOptional(),
    match: match().exactOptional(),
    ...mutateMembers(),
  }).meta({ id: "HttpsEdgeRouteUpdate", examples: [{ match: "/api/v2/" }] }),
);

/** A row that is an object, as responses show it. */
export const toRoute = (row: Row, origin: string): z.output<typeof HttpsEdgeRoute> => ({
  ...toDescribed(row, origin),
  uri: uriOf(origin, row.id, row.edge_id),
  edge_id: row.edge_id,
  match_type: row.match_type ?? "exact_path",
  match: row.match ?? "",
  backend: shown(backend, row.backend, origin),
  circuit_breaker: shown(circuitBreaker, row.circuit_breaker, origin),
  compression: shown(compression, row.compression, origin),
  ip_restriction: shown(ipRestriction, row.ip_restriction, origin),
  request_headers: shown(requestHeaders, row.request_headers, origin),
  response_headers: shown(responseHeaders, row.response_headers, origin),
  traffic_policy: shown(trafficPolicy, row.traffic_policy, origin),
  user_agent_filter: shown(userAgentFilter, row.user_agent_filter, origin),
  webhook_verification: shown(webhookVerification, row.webhook_verification, origin),
  websocket_tcp_converter: shown(websocketTcpConverter, row.websocket_tcp_converter, origin),
  policy: null,
});

const references = (body: Partial<Row>): Reference[] => [
  ...referencesIn(backend, body.backend),
  ...referencesIn(ipRestriction, body.ip_restriction),
];

/** The columns of a body: its secret sealed for the route `id`. */
async function columnsOf<Body extends Partial<Row>>(c: Context<App>, id: string, body: Body): Promise<Body> {
  const { webhook_verification } = body;
  if (!webhook_verification) return body;
  const seal = sealFor(c, id, "webhook_verification");
  return { ...body, webhook_verification: await mapSecret(webhook_verification, seal) };
}

const isEdge = (edge_id: string): Guard => ({
  shape: "HTTPS edge there",
  sql: () =>
    sql`exists (select 1 from ${edges} where ${edges.id} = ${sql.placeholder("edge_id")} and ${edges.created_at} is not null)`,
  values: { edge_id },
});

/** 404: the edge is an object of this service. */
const edgeFound = (edge_id: string): Requirement => ({
  guard: isEdge(edge_id),
  refusal: () => notFound("https_edge"),
});

/** 404: if the edge is an object of this service, it has this route. */
const routeFound = (key: Key & { edge_id: string }): Requirement => ({
  guard: {
    shape: "route there",
    sql: () =>
      sql`(not ${isEdge(key.edge_id).sql()} or exists (select 1 from ${table} where ${eq(table.edge_id, sql.placeholder("edge_id"))} and ${eq(table.id, sql.placeholder("id"))} and ${table.created_at} is not null))`,
    values: key,
  },
  refusal: () => notFound("https_edge_route"),
});

/** 409: the edge has room for one more route. */
const hasRoom = (edge_id: string): Requirement =>
  rule(
    {
      shape: "room for a route",
      sql: () =>
        sql`(select count(*) from ${table} where ${eq(table.edge_id, sql.placeholder("edge_id"))}) < ${sql.raw(String(MOST_ROUTES))}`,
      values: { edge_id },
    },
    () => conflict(`An HTTPS edge has at most ${MOST_ROUTES} routes: delete one first.`),
  );

/** `select id …` of another route of the same edge that would match the same requests. */
const sameMatch = (names: { match_type: boolean; match: boolean }) => {
  const wanted = (name: "match_type" | "match") =>
    names[name]
      ? sql.placeholder(name)
      : sql`(select ${table[name]} from ${table} where ${eq(table.edge_id, sql.placeholder("edge_id"))} and ${eq(table.id, sql.placeholder("id"))})`;
  return sql`select other.id from ${table} as other where other.edge_id = ${sql.placeholder("edge_id")} and other.id <> ${sql.placeholder("id")}
    and other.match_type = ${wanted("match_type")} and other.match = ${wanted("match")}`;
};

/** 409: no other route of the edge matches the same requests. */
function matchUnique(
  c: Context<App>,
  { id, edge_id }: Key & { edge_id: string },
  { match_type, match }: Partial<Row>,
): Requirement[] {
  const names = { match_type: match_type !== undefined, match: match !== undefined };
  if (!names.match_type && !names.match) return [];
  const shape = `same match ${names.match_type ? "type" : ""} ${names.match ? "path" : ""}`;
  const values = { id, edge_id, ...(names.match_type && { match_type }), ...(names.match && { match }) };
  return [
    {
      guard: { shape, sql: () => sql`not exists (${sameMatch(names)})`, values },
      async refusal() {
        const other = await c
          .get("request")
          .session.first(statement(shape, () => raw(sameMatch(names)), values));
        return other && conflict("Another route of this edge has the same match.", String(other["id"]));
      },
    },
  ];
}

const routes = objectsOf("https_edge_route", rows, toRoute);
const operations = operationsOn("https_edge_route", HttpsEdgeRoute, HttpsEdgeRouteList);

const owner = {
  kind: "https_edge_route",
  path: { edge_id: "https_edge", id: "https_edge_route" },
  key: ({ edge_id = "", id = "" }: Record<string, string>) => ({ edge_id, id }),
  rows: kept,
  exists: (key: Key & { edge_id: string }) => [routeFound(key)],
} as const;

export const httpsEdgeRoutes = new Hono<App>()
  .post(
    "/:edge_id/routes",
    ...operations.create(HttpsEdgeRouteCreate, "ERR_UNKNOWN_REFERENCE", "ERR_CONFLICT"),
    async (c) => {
      const { edge_id } = c.req.param();
      const body = c.req.valid("json");
      const identity = stamp("https_edge_route");
      const columns = await columnsOf(c, identity.id, body);
      const row = { ...identity, edge_id, ...unsetTexts, ...unsetModules, ...columns };
      return commit(
        c,
        routes.create(c, row, [
          edgeFound(edge_id),
          referencesExist(c, references(body)),
          ...matchUnique(c, { edge_id, id: row.id }, body),
          hasRoom(edge_id),
        ]),
      );
    },
  )
  .get("/:edge_id/routes", ...operations.list(), async (c) => {
    const { session, origin } = c.get("request");
    const { edge_id } = c.req.param();
    const query = c.req.valid("query");
    const [edge, rowsFound = []] = await session.batch([
      ifHolds(isEdge(edge_id)),
      rows.page(origin, query, edge_id),
    ]);
    if (!edge?.[0]) throw notFound("https_edge");
    const page = pageOf(rowsFound, query.limit);
    const shownRoutes = page.rows.map((row) => toRoute(rows.decode(row), origin));
    const uri = `${origin}/edges/https/${edge_id}/routes`;
    return respond(c, 200, JSON.stringify({ routes: shownRoutes, ...pageLinks(uri, page, query) }));
  })
  .get("/:edge_id/routes/:id", ...operations.get(), (c) => routes.get(c, c.req.param()))
  .patch(
    "/:edge_id/routes/:id",
    ...operations.update(HttpsEdgeRouteUpdate, "ERR_UNKNOWN_REFERENCE", "ERR_CONFLICT"),
    async (c) => {
      const key = c.req.param();
      const body = c.req.valid("json");
      const requires = [referencesExist(c, references(body)), ...matchUnique(c, key, body)];
      return commit(c, routes.change(c, key, await columnsOf(c, key.id, body), requires));
    },
  )
  .delete("/:edge_id/routes/:id", ...operations.remove(""), (c) => commit(c, routes.remove(c, c.req.param())))
  .route("/:edge_id/routes/:id/backend", moduleRoutes(backend, owner))
  .route("/:edge_id/routes/:id/circuit_breaker", moduleRoutes(circuitBreaker, owner))
  .route("/:edge_id/routes/:id/compression", moduleRoutes(compression, owner))
  .route("/:edge_id/routes/:id/ip_restriction", moduleRoutes(ipRestriction, owner))
  .route("/:edge_id/routes/:id/request_headers", moduleRoutes(requestHeaders, owner))
  .route("/:edge_id/routes/:id/response_headers", moduleRoutes(responseHeaders, owner))
  .route("/:edge_id/routes/:id/traffic_policy", moduleRoutes(trafficPolicy, owner))
  .route("/:edge_id/routes/:id/user_agent_filter", moduleRoutes(userAgentFilter, owner))
  .route("/:edge_id/routes/:id/webhook_verification", moduleRoutes(webhookVerification, owner))
  .route("/:edge_id/routes/:id/websocket_tcp_converter", moduleRoutes(websocketTcpConverter, owner));
