import type { Context } from "hono";
import * as z from "zod";
import { EXAMPLE_ORIGIN, exampleId, stamp, uriOf } from "../../../packages/model/src/ids.ts";
import { kinds } from "../../../packages/model/src/kinds.ts";
import { matchFault } from "../../../packages/model/src/traffic/paths.ts";
import { boundedTexts } from "../../../packages/model/src/values/descriptions.ts";
import { requestPath } from "../../../packages/model/src/values/request_path.ts";
import { requestObject, schema } from "../../../packages/model/src/values/request_schemas.ts";
import { keptModulesOf } from "../../db/kept_modules.ts";
import { pageOf } from "../../db/page_statement.ts";
import type { Reference } from "../../db/references.ts";
import { httpsEdgeRoutes as table } from "../../db/schema.ts";
import { sql } from "../../db/statements.ts";
import { operationsOn } from "../../http/collection.ts";
import type { App } from "../../http/env.ts";
import { conflict, invalidMembers, notFound } from "../../http/errors.ts";
import { beforeLast, pageLinks } from "../../http/lists.ts";
import { respond } from "../../http/respond.ts";
import { endpoints } from "../../http/router.ts";
import { sealFor } from "../../http/sealing_keys.ts";
import { backend } from "../../modules/backend.ts";
import { circuitBreaker } from "../../modules/circuit_breaker.ts";
import { requestHeaders, responseHeaders } from "../../modules/header_changes.ts";
import { ipRestriction } from "../../modules/ip_restriction.ts";
import { nullableModule, optionalModule, referencesIn, shown } from "../../modules/module.ts";
import { moduleRoutes } from "../../modules/routes.ts";
import { compression, websocketTcpConverter } from "../../modules/switches.ts";
import { trafficPolicy } from "../../modules/traffic_policy.ts";
import { userAgentFilter } from "../../modules/user_agent_filter.ts";
import { mapSecret, webhookVerification } from "../../modules/webhook_verification.ts";
import { commit } from "../../writes/commit.ts";
import { referencesExist, rule } from "../../writes/requirements.ts";
import type { Requirement } from "../../writes/write.ts";
import { describedMembers, exampleObject, toDescribed, unsetTexts } from "../common.ts";
import { objectsOf } from "../objects.ts";
import { restrictionAccess } from "../policies/access.ts";
import {
  hasRoom,
  hasRoute,
  isEdge,
  MOST_ROUTES,
  options,
  type RouteKey,
  rows,
} from "./https_route_statements.ts";
import { exactMatchIsReadable, sameMatch } from "./match_statements.ts";

type Row = typeof table.$inferSelect;

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
  "https_edge_route",
  table,
  { created_at: null, ...unsetTexts, match_type: null, match: null, ...unsetModules },
  options,
);

const meanings = {
  edge_id: "The HTTPS edge that the route belongs to.",
  match_type:
    "How the path of a request is compared with `match`. An exact match takes precedence over every prefix.",
  match:
    "The path or its beginning, percent-encoded or not. Before paths are compared, they are decoded once, and runs of `/` are merged. If several prefixes match, the longest wins.",
};
const matchType = () => z.enum(["exact_path", "path_prefix"]).describe(meanings.match_type);

export const HttpsEdgeRoute = schema("HttpsEdgeRoute", () => ({
  description: kinds.https_edge_route.about,
  examples: [exampleRoute()],
  type: z.strictObject({
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
  }),
}));

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
/** A match that can be read as a prefix. Whether it can be read as an exact match depends on its type. */
const match = () =>
  requestPath()
    .superRefine((value, context) => {
      const fault = matchFault({ match_type: "path_prefix", match: value });
      if (fault !== undefined) context.addIssue({ code: "custom", message: fault });
    })
    .describe(meanings.match);
const HttpsEdgeRouteCreate = schema("HttpsEdgeRouteCreate", () => ({
  examples: [
    exampleCreate,
    {
      ...exampleCreate,
      backend: { backend_id: exampleId("http_response_backend") },
      ip_restriction: { ip_policy_ids: [exampleId("ip_policy")] },
    },
  ],
  type: requestObject({ match_type: matchType(), match: match(), ...mutateMembers() }),
}));
const HttpsEdgeRouteUpdate = schema("HttpsEdgeRouteUpdate", () => ({
  examples: [{ match: "/api/v2/" }],
  type: requestObject({
    match_type: matchType().exactOptional(),
    match: match().exactOptional(),
    ...mutateMembers(),
  }),
}));

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

/** 404: the edge is an object of this service. */
const edgeFound = (edge_id: string): Requirement => rule(isEdge(edge_id), () => notFound("https_edge"));

/** 404: if the edge is an object of this service, it has this route. */
const routeFound = (key: RouteKey): Requirement => rule(hasRoute(key), () => notFound("https_edge_route"));

/** 409: the edge has room for one more route. */
const roomFound = (edge_id: string): Requirement =>
  rule(hasRoom(edge_id), () =>
    conflict(`An HTTPS edge has at most ${MOST_ROUTES} routes: delete one first.`),
  );

/** 400: the match can be read. */
function matchReadable(key: RouteKey, given: Partial<Row>): Requirement[] {
  const condition = exactMatchIsReadable(key, given);
  const msg = matchFault({ match_type: "exact_path", match: given.match ?? "/." }) ?? "";
  return condition ? [rule(condition, () => invalidMembers([{ path: "/match", msg }]))] : [];
}

/** 409: no other route of the edge matches the same requests. */
function matchUnique(key: RouteKey, { match_type, match }: Partial<Row>): Requirement[] {
  if (match_type === undefined && match === undefined) return [];
  const { isUnique, named } = sameMatch(key, { match_type, match });
  const error = ([id]: string[]) =>
    conflict("Another route of this edge already has this path, in this or another spelling.", id);
  return [{ condition: isUnique, named, error }];
}

const routes = objectsOf("https_edge_route", rows, toRoute);
const operations = operationsOn("https_edge_route", HttpsEdgeRoute);

const owner = {
  kind: "https_edge_route",
  path: { edge_id: "https_edge", id: "https_edge_route" },
  key: ({ edge_id = "", id = "" }: Record<string, string>) => ({ edge_id, id }),
  rows: kept,
  exists: (key: RouteKey) => [routeFound(key)],
} as const;

export const httpsEdgeRoutes = endpoints()
  .post(
    "/:edge_id/routes",
    operations.create(HttpsEdgeRouteCreate, "ERR_UNKNOWN_REFERENCE", "ERR_CONFLICT"),
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
          referencesExist(references(body)),
          ...matchReadable({ edge_id, id: row.id }, body),
          ...matchUnique({ edge_id, id: row.id }, body),
          roomFound(edge_id),
        ]),
      );
    },
  )
  .get("/:edge_id/routes", operations.list(), async (c) => {
    const { session, origin } = c.get("request");
    const { edge_id } = c.req.param();
    const query = c.req.valid("query");
    const [edge, rowsFound = []] = await session.batch([
      sql`select 1 where ${isEdge(edge_id)}`,
      rows.pages.page(origin, query, edge_id),
    ]);
    if (!edge?.[0]) throw notFound("https_edge");
    const page = pageOf(rowsFound, query.limit);
    const shownRoutes = page.rows.map((row) => toRoute(rows.decode(row), origin));
    const uri = `${origin}/edges/https/${edge_id}/routes`;
    return respond(
      c,
      200,
      JSON.stringify({ routes: shownRoutes, ...pageLinks(c, uri, query.limit, beforeLast(page)) }),
    );
  })
  .get("/:edge_id/routes/:id", operations.get(), (c) => routes.get(c, c.req.param()))
  .patch(
    "/:edge_id/routes/:id",
    operations.update(HttpsEdgeRouteUpdate, "ERR_UNKNOWN_REFERENCE", "ERR_CONFLICT"),
    async (c) => {
      const key = c.req.param();
      const body = c.req.valid("json");
      const requires = [
        referencesExist(references(body)),
        ...matchReadable(key, body),
        ...matchUnique(key, body),
      ];
      return commit(c, routes.change(c, key, await columnsOf(c, key.id, body), requires));
    },
  )
  .delete("/:edge_id/routes/:id", operations.remove(""), (c) => commit(c, routes.remove(c, c.req.param())))
  .route("/:edge_id/routes/:id/access", restrictionAccess("https_edge_route", table, kept))
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
