import {
  ApiException,
  D1CreateEndpoint,
  D1ListEndpoint,
  D1ReadEndpoint,
  D1UpdateEndpoint,
  fromHono,
  InputValidationException,
} from "chanfana";
import { type Context, Hono } from "hono";
import { bearerAuth } from "hono/bearer-auth";
import { HTTPException } from "hono/http-exception";
import * as z from "zod";
import { newId, now } from "./shared.ts";

/*
 * The same resources with chanfana's D1 auto endpoints, as in its documentation (docs/endpoints/auto/d1.md) and
 * Cloudflare's template (chanfana-openapi-template): a model of the table's columns, an endpoint class for each
 * operation, `before()` and `serializer` for what differs from the columns. Authentication is Hono's bearerAuth with
 * one token from the environment, which costs less than looking up keys.
 *
 * By default, an update reads the row first, and a list counts all rows. Not supported are JSON columns, which
 * `before()` writes and the serializer reads, and references that must exist, which `before()` checks.
 */

interface Env {
  Bindings: { DB: D1Database; API_TOKEN: string };
}
type HandleArgs = [Context<Env>];

/** As long as the URIs of the other subjects, because a serializer has no access to the request's origin. */
const ORIGIN = "http://127.0.0.1:12345";

const enabled = z.boolean().default(true);
const hostport = z.string().regex(/^(\[[^\]]+\]|[^:[\]]+):\d{1,5}$/);
const backendMutate = z.object({ enabled, backend_id: z.string().regex(/^bkd(fo|hr)_[0-9A-Za-z]+$/) });
const restrictionMutate = z.object({
  enabled,
  ip_policy_ids: z.array(z.string().regex(/^ipp_[0-9A-Za-z]+$/)),
});
const policyMutate = z.object({ enabled, value: z.string().min(1) });

const described = {
  id: z.string(),
  created_at: z.string(),
  description: z.string().max(255).optional(),
  metadata: z.string().max(4096).optional(),
};
const policy = z.object(described);
const edge = z.object({
  ...described,
  hostports: z.array(hostport).optional(),
  backend: backendMutate.optional(),
  ip_restriction: restrictionMutate.optional(),
  traffic_policy: policyMutate.optional(),
});

interface Row {
  id: string;
  created_at: string;
  description?: string | null;
  metadata?: string | null;
}
interface EdgeRow extends Row {
  hostports?: string | null;
  backend?: string | null;
  ip_restriction?: string | null;
  traffic_policy?: string | null;
}

const parsed = (text: string | null | undefined) => (text == null ? null : JSON.parse(text));
const backendRef = (id: string) => ({ id, uri: `${ORIGIN}/backends/http_response/${id}` });
const toPolicy = (row: Row, uri: string) => ({
  id: row.id,
  uri,
  created_at: row.created_at,
  description: row.description ?? undefined,
  metadata: row.metadata ?? undefined,
});
const toBackend = (row: EdgeRow) => {
  const backend: z.infer<typeof backendMutate> | null = parsed(row.backend);
  return backend && { enabled: backend.enabled, backend: backendRef(backend.backend_id) };
};
const toEdge = (row: EdgeRow) => {
  const restriction: z.infer<typeof restrictionMutate> | null = parsed(row.ip_restriction);
  return {
    ...toPolicy(row, `${ORIGIN}/edges/tcp/${row.id}`),
    hostports: parsed(row.hostports),
    backend: toBackend(row),
    ip_restriction: restriction && {
      enabled: restriction.enabled,
      ip_policies: restriction.ip_policy_ids.map((id) => ({ id, uri: `${ORIGIN}/ip_policies/${id}` })),
    },
    traffic_policy: parsed(row.traffic_policy),
    policy: null,
  };
};

const PolicyModel = {
  tableName: "ip_policies",
  primaryKeys: ["id"],
  schema: policy,
  serializer: (row: object) => toPolicy(row as Row, `${ORIGIN}/ip_policies/${(row as Row).id}`),
};
const EdgeModel = {
  tableName: "tcp_edges",
  primaryKeys: ["id"],
  schema: edge,
  serializer: (row: object) => toEdge(row as EdgeRow),
};
const edgeMeta = { model: EdgeModel, fields: edge.omit({ id: true, created_at: true }) };

/** Rejects references to missing objects: one query for each kind, both concurrently. */
async function checkReferences(
  db: D1Database,
  backendId: string | undefined,
  policyIds: string[] = [],
): Promise<void> {
  const places = policyIds.map((_, index) => `?${index + 1}`).join(", ");
  const [backends, policies] = await Promise.all([
    backendId === undefined
      ? { results: [{}] }
      : db.prepare("SELECT id FROM http_response_backends WHERE id = ?1").bind(backendId).all(),
    policyIds.length === 0
      ? { results: [] }
      : db
          .prepare(`SELECT id FROM ip_policies WHERE id IN (${places})`)
          .bind(...policyIds)
          .all(),
  ]);
  if (backends.results.length === 0)
    throw new InputValidationException("Unknown backend", ["body", "backend"]);
  if (policies.results.length !== new Set(policyIds).size)
    throw new InputValidationException("Unknown IP policy", ["body", "ip_restriction"]);
}

/** The values of a row: chanfana binds them unchanged, and D1 does not accept objects. */
const columns = (data: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(data).map(([name, value]) => [
      name,
      typeof value === "object" && value !== null ? JSON.stringify(value) : value,
    ]),
  );

class PolicyCreate extends D1CreateEndpoint<HandleArgs> {
  override _meta = { model: PolicyModel, fields: policy.omit({ id: true, created_at: true }) };
  override async before(data: z.infer<typeof policy>) {
    return { ...data, id: newId("ipp_"), created_at: now() };
  }
}

class EdgeCreate extends D1CreateEndpoint<HandleArgs> {
  override _meta = edgeMeta;
  override async before(data: z.infer<typeof edge>) {
    await checkReferences(this.getDBBinding(), data.backend?.backend_id, data.ip_restriction?.ip_policy_ids);
    return { ...columns(data), id: newId("edgtcp_"), created_at: now() };
  }
}

class EdgeRead extends D1ReadEndpoint<HandleArgs> {
  override _meta = { model: EdgeModel };
}

class EdgeList extends D1ListEndpoint<HandleArgs> {
  override _meta = { model: EdgeModel };
  override orderByFields = ["id"];
}

class EdgeUpdate extends D1UpdateEndpoint<HandleArgs> {
  override _meta = { model: EdgeModel, fields: edge.omit({ created_at: true }) };
  override async before(_old: object, filters: Parameters<D1UpdateEndpoint["update"]>[1]) {
    const { backend, ip_restriction } = filters.updatedData;
    if (typeof backend === "object" || typeof ip_restriction === "object")
      await checkReferences(this.getDBBinding(), backend?.backend_id, ip_restriction?.ip_policy_ids);
    return { ...filters, updatedData: columns(filters.updatedData) };
  }
}

class BackendReplace extends D1UpdateEndpoint<HandleArgs> {
  override _meta = {
    model: {
      ...EdgeModel,
      serializer: (row: object): object => toBackend(row as EdgeRow) ?? {},
    },
    fields: backendMutate.extend({ id: z.string() }),
    pathParameters: ["id"],
  };
  override async before(_old: object, filters: Parameters<D1UpdateEndpoint["update"]>[1]) {
    const { enabled = true, backend_id } = filters.updatedData;
    await checkReferences(this.getDBBinding(), backend_id);
    return { ...filters, updatedData: { backend: JSON.stringify({ enabled, backend_id }) } };
  }
}

const app = new Hono<Env>();
app.onError((error, c) => {
  if (error instanceof ApiException)
    return c.json({ success: false, errors: error.buildResponse() }, error.status as 400);
  if (error instanceof HTTPException) return error.getResponse();
  return c.json({ success: false, errors: [{ code: 7000, message: "Internal Server Error" }] }, 500);
});
app.use((c, next) => bearerAuth<Env>({ token: c.env.API_TOKEN })(c, next));

const openapi = fromHono(app, {
  docs_url: "/docs",
  schema: { info: { title: "Edge configuration", version: "1.0.0" } },
});
openapi.post("/ip_policies", PolicyCreate);
openapi.post("/edges/tcp", EdgeCreate);
openapi.get("/edges/tcp", EdgeList);
openapi.get("/edges/tcp/:id", EdgeRead);
openapi.patch("/edges/tcp/:id", EdgeUpdate);
openapi.put("/edges/tcp/:id/backend", BackendReplace);

export default app;
