import { createRoute, OpenAPIHono, z } from "@hono/zod-openapi";
import { and, desc, eq, inArray, lt } from "drizzle-orm";
import { drizzle } from "drizzle-orm/d1";
import { sqliteTable, text } from "drizzle-orm/sqlite-core";
import { createInsertSchema } from "drizzle-zod";
import { bearerAuth } from "hono/bearer-auth";
import { HTTPException } from "hono/http-exception";
import { newId, now } from "./shared.ts";

/*
 * The same resources with @hono/zod-openapi, Drizzle and drizzle-zod, structured like w3cj/hono-open-api-starter (the
 * best known starter of this kind): schemas derived from the tables, `findFirst` for one object, `.returning()` for
 * writes, a default hook that responds with 422. Authentication is Hono's bearerAuth with one token from the
 * environment, which costs less than looking up keys. It writes no log; `logged.ts` does, in place of pino.
 *
 * These libraries do not check references: their users query first and then write.
 */

interface Env {
  Bindings: { DB: D1Database; API_TOKEN: string };
}

const texts = {
  created_at: text()
    .notNull()
    .$defaultFn(() => now()),
  description: text(),
  metadata: text(),
};
const tcpEdges = sqliteTable("tcp_edges", {
  id: text()
    .primaryKey()
    .$defaultFn(() => newId("edgtcp_")),
  ...texts,
  hostports: text({ mode: "json" }).$type<string[]>(),
  backend: text({ mode: "json" }).$type<{ enabled: boolean; backend_id: string }>(),
  ip_restriction: text({ mode: "json" }).$type<{ enabled: boolean; ip_policy_ids: string[] }>(),
  traffic_policy: text({ mode: "json" }).$type<{ enabled: boolean; value: string }>(),
});
const ipPolicies = sqliteTable("ip_policies", {
  id: text()
    .primaryKey()
    .$defaultFn(() => newId("ipp_")),
  ...texts,
});
const httpResponseBackends = sqliteTable("http_response_backends", { id: text().primaryKey() });
const schema = { tcpEdges, ipPolicies, httpResponseBackends };

const enabled = z.boolean().default(true);
const bounded = {
  description: (text: z.ZodString) => text.max(255),
  metadata: (text: z.ZodString) => text.max(4096),
};
const hostport = z.string().regex(/^(\[[^\]]+\]|[^:[\]]+):\d{1,5}$/);
const backendMutate = z.object({ enabled, backend_id: z.string().regex(/^bkd(fo|hr)_[0-9A-Za-z]+$/) });
const restrictionMutate = z.object({
  enabled,
  ip_policy_ids: z.array(z.string().regex(/^ipp_[0-9A-Za-z]+$/)),
});
const policyMutate = z.object({ enabled, value: z.string().min(1) });

const insertEdgeSchema = createInsertSchema(tcpEdges, {
  ...bounded,
  hostports: z.array(hostport).optional(),
  backend: backendMutate.optional(),
  ip_restriction: restrictionMutate.optional(),
  traffic_policy: policyMutate.optional(),
})
  .omit({ id: true, created_at: true })
  .strict();
const patchEdgeSchema = insertEdgeSchema.partial();
const insertPolicySchema = createInsertSchema(ipPolicies, bounded)
  .omit({ id: true, created_at: true })
  .strict();

const refSchema = z.object({ id: z.string(), uri: z.string() });
const policySchema = z
  .object({
    id: z.string(),
    uri: z.string(),
    created_at: z.string(),
    description: z.string().optional(),
    metadata: z.string().optional(),
  })
  .openapi("IpPolicy");
const backendSchema = z.object({ enabled: z.boolean(), backend: refSchema });
const edgeSchema = policySchema
  .extend({
    hostports: z.array(z.string()).nullable(),
    backend: backendSchema.nullable(),
    ip_restriction: z.object({ enabled: z.boolean(), ip_policies: z.array(refSchema) }).nullable(),
    traffic_policy: z.object({ enabled: z.boolean(), value: z.string() }).nullable(),
    policy: z.null(),
  })
  .openapi("TcpEdge");
const listSchema = z.object({
  tcp_edges: z.array(edgeSchema),
  uri: z.string(),
  next_page_uri: z.string().nullable(),
});
const errorSchema = z.object({ message: z.string() });
const idParams = z.object({ id: z.string().openapi({ param: { name: "id", in: "path" } }) });
const listQuery = z.object({
  limit: z.coerce.number().int().min(1).max(100).default(100),
  before_id: z.string().optional(),
});

const json = <T extends z.ZodType>(schema: T, description: string) => ({
  content: { "application/json": { schema } },
  description,
});
const required = <T extends z.ZodType>(schema: T, description: string) => ({
  ...json(schema, description),
  required: true,
});
const notFound = { 404: json(errorSchema, "Not found") };
const unknownReference = { 400: json(errorSchema, "Unknown reference") };

const routes = {
  list: createRoute({
    path: "/edges/tcp",
    method: "get",
    request: { query: listQuery },
    responses: { 200: json(listSchema, "The edges") },
  }),
  create: createRoute({
    path: "/edges/tcp",
    method: "post",
    request: { body: required(insertEdgeSchema, "The edge to create") },
    responses: { 201: json(edgeSchema, "The created edge"), ...unknownReference },
  }),
  getOne: createRoute({
    path: "/edges/tcp/{id}",
    method: "get",
    request: { params: idParams },
    responses: { 200: json(edgeSchema, "The edge"), ...notFound },
  }),
  patch: createRoute({
    path: "/edges/tcp/{id}",
    method: "patch",
    request: { params: idParams, body: required(patchEdgeSchema, "The updates") },
    responses: { 200: json(edgeSchema, "The updated edge"), ...notFound, ...unknownReference },
  }),
  putBackend: createRoute({
    path: "/edges/tcp/{id}/backend",
    method: "put",
    request: { params: idParams, body: required(backendMutate, "The module") },
    responses: { 200: json(backendSchema, "The module"), ...notFound, ...unknownReference },
  }),
  createPolicy: createRoute({
    path: "/ip_policies",
    method: "post",
    request: { body: required(insertPolicySchema, "The policy to create") },
    responses: { 201: json(policySchema, "The created policy") },
  }),
};

const backendRef = (origin: string, id: string) => ({ id, uri: `${origin}/backends/http_response/${id}` });
const policyRef = (origin: string, id: string) => ({ id, uri: `${origin}/ip_policies/${id}` });
const toPolicy = (row: typeof ipPolicies.$inferSelect, uri: string): z.infer<typeof policySchema> => ({
  id: row.id,
  uri,
  created_at: row.created_at,
  description: row.description ?? undefined,
  metadata: row.metadata ?? undefined,
});
const toEdge = (row: typeof tcpEdges.$inferSelect, origin: string): z.infer<typeof edgeSchema> => ({
  ...toPolicy(row, `${origin}/edges/tcp/${row.id}`),
  hostports: row.hostports,
  backend: row.backend && {
    enabled: row.backend.enabled,
    backend: backendRef(origin, row.backend.backend_id),
  },
  ip_restriction: row.ip_restriction && {
    enabled: row.ip_restriction.enabled,
    ip_policies: row.ip_restriction.ip_policy_ids.map((id) => policyRef(origin, id)),
  },
  traffic_policy: row.traffic_policy,
  policy: null,
});

const open = (db: D1Database) => drizzle(db, { schema });

/** Whether all references exist: one query for each kind, both concurrently. */
async function referencesExist(
  db: ReturnType<typeof open>,
  backendId: string | undefined,
  policyIds: string[],
): Promise<boolean> {
  const [backends, policies] = await Promise.all([
    backendId === undefined
      ? [{}]
      : db.query.httpResponseBackends.findMany({ where: eq(httpResponseBackends.id, backendId) }),
    policyIds.length === 0
      ? []
      : db.query.ipPolicies.findMany({ columns: { id: true }, where: inArray(ipPolicies.id, policyIds) }),
  ]);
  return backends.length === 1 && policies.length === new Set(policyIds).size;
}

const app = new OpenAPIHono<Env>({
  strict: false,
  defaultHook: (result, c) => {
    if (!result.success)
      return c.json(
        { success: result.success, error: { name: result.error.name, issues: result.error.issues } },
        422,
      );
    return undefined;
  },
});

app.use((c, next) => bearerAuth<Env>({ token: c.env.API_TOKEN })(c, next));
app.notFound((c) => c.json({ message: `Not Found - ${c.req.path}` }, 404));
app.onError((error, c) => {
  if (error instanceof HTTPException) return error.getResponse();
  return c.json({ message: error.message }, 500);
});

app.openapi(routes.list, async (c) => {
  const { limit, before_id } = c.req.valid("query");
  const { origin } = new URL(c.req.url);
  const found = await open(c.env.DB).query.tcpEdges.findMany({
    where: before_id === undefined ? undefined : and(lt(tcpEdges.id, before_id)),
    orderBy: desc(tcpEdges.id),
    limit: limit + 1,
  });
  const rows = found.slice(0, limit);
  const uri = `${origin}/edges/tcp`;
  const last = found.length > limit ? rows.at(-1) : undefined;
  return c.json(
    {
      tcp_edges: rows.map((row) => toEdge(row, origin)),
      uri,
      next_page_uri: last ? `${uri}?before_id=${last.id}&limit=${limit}` : null,
    },
    200,
  );
});

app.openapi(routes.create, async (c) => {
  const body = c.req.valid("json");
  const db = open(c.env.DB);
  const exist = await referencesExist(db, body.backend?.backend_id, body.ip_restriction?.ip_policy_ids ?? []);
  if (!exist) return c.json({ message: "Unknown reference" }, 400);
  const [inserted] = await db.insert(tcpEdges).values(body).returning();
  if (!inserted) throw new Error("nothing was inserted");
  return c.json(toEdge(inserted, new URL(c.req.url).origin), 201);
});

app.openapi(routes.getOne, async (c) => {
  const { id } = c.req.valid("param");
  const edge = await open(c.env.DB).query.tcpEdges.findFirst({
    where: (fields, operators) => operators.eq(fields.id, id),
  });
  if (!edge) return c.json({ message: "Not Found" }, 404);
  return c.json(toEdge(edge, new URL(c.req.url).origin), 200);
});

app.openapi(routes.patch, async (c) => {
  const { id } = c.req.valid("param");
  const body = c.req.valid("json");
  const db = open(c.env.DB);
  if (body.backend || body.ip_restriction) {
    const exist = await referencesExist(
      db,
      body.backend?.backend_id,
      body.ip_restriction?.ip_policy_ids ?? [],
    );
    if (!exist) return c.json({ message: "Unknown reference" }, 400);
  }
  const [edge] = await db.update(tcpEdges).set(body).where(eq(tcpEdges.id, id)).returning();
  if (!edge) return c.json({ message: "Not Found" }, 404);
  return c.json(toEdge(edge, new URL(c.req.url).origin), 200);
});

app.openapi(routes.putBackend, async (c) => {
  const { id } = c.req.valid("param");
  const backend = c.req.valid("json");
  const db = open(c.env.DB);
  if (!(await referencesExist(db, backend.backend_id, [])))
    return c.json({ message: "Unknown reference" }, 400);
  const [edge] = await db.update(tcpEdges).set({ backend }).where(eq(tcpEdges.id, id)).returning();
  if (!edge) return c.json({ message: "Not Found" }, 404);
  const { origin } = new URL(c.req.url);
  return c.json({ enabled: backend.enabled, backend: backendRef(origin, backend.backend_id) }, 200);
});

app.openapi(routes.createPolicy, async (c) => {
  const [inserted] = await open(c.env.DB).insert(ipPolicies).values(c.req.valid("json")).returning();
  if (!inserted) throw new Error("nothing was inserted");
  return c.json(toPolicy(inserted, `${new URL(c.req.url).origin}/ip_policies/${inserted.id}`), 201);
});

app.doc("/openapi.json", { openapi: "3.0.0", info: { version: "1.0.0", title: "Edge configuration" } });

export default app;
