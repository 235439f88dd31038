import { newId, now } from "./shared.ts";

/*
 * The floor: what a Worker with D1 costs at least. Hand-written prepared statements, which write the same rows as the service
 * except the events, and the same JSON; no router, validation, authentication, headers or log. `floor_with_event.ts` also
 * records the events, and checks references in a separate statement.
 */

interface Env {
  DB: D1Database;
}

/** A change of a row, as an event reports it. */
export interface Change {
  type: string;
  table: "ip_policies" | "tcp_edges";
  id: string;
  origin: string;
}

/** The statements that record a change; they are sent right after the statement that makes it. */
type Recorder = (db: D1Database, change: Change) => D1PreparedStatement[];

/** The database, and how changes are recorded. */
interface Store {
  db: D1Database;
  recorder: Recorder;
  /** True if a separate statement checks references, as in the service; otherwise the statement that writes checks them. */
  hasChecks: boolean;
}

interface Row {
  id: string;
  created_at: string;
  description: string | null;
  metadata: string | null;
}

interface EdgeRow extends Row {
  hostports: string | null;
  backend: string | null;
  ip_restriction: string | null;
  traffic_policy: string | null;
}

interface EdgeBody {
  description?: string;
  metadata?: string;
  hostports?: string[];
  backend?: { enabled?: boolean; backend_id: string };
  ip_restriction?: { enabled?: boolean; ip_policy_ids: string[] };
  traffic_policy?: { enabled?: boolean; value: string };
}

/** `scheme://host:port` of the latest request: all requests have the same origin. */
let origin = "";

const EDGE =
  "id, created_at, description, metadata, hostports, backend, ip_restriction, traffic_policy, version";
const POLICIES_EXIST =
  "not exists (select 1 from json_each(?) as given where not exists (select 1 from ip_policies where id = given.value))";
const BACKENDS_EXIST =
  "not exists (select 1 from json_each(?) as given where not exists (select 1 from http_response_backends where id = given.value))";
const CREATE_EDGE = `insert into tcp_edges (${EDGE}) select ?, ?, ?, ?, ?, ?, ?, ?, 1`;
const PUT_BACKEND = "update tcp_edges set backend = ?, version = version + 1 where id = ?";
/** Ends the batch unless a condition holds. */
const checkOf = (condition: string): string =>
  `select case when not (${condition}) then json_extract('{}', 'missing') end`;

/** Keeps `uses` as the service does: what the edge referred to before, and what it refers to if it was changed. */
const FORGET_BACKEND = `delete from uses where user = ? and target in (select backend ->> 'backend_id' from tcp_edges where id = ?) and target not in (select value from json_each(?))`;
const USE = `insert or ignore into uses (target, user) select value, ? from json_each(?) where changes() > 0`;

const backendRef = (id: string) => ({ id, uri: `${origin}/backends/http_response/${id}` });
const policyRef = (id: string) => ({ id, uri: `${origin}/ip_policies/${id}` });
const errorResponse = (status: number): Response =>
  Response.json(
    { error_code: "ERR_REFUSED", status_code: status, msg: "Refused.", details: { operation_id: "op_none" } },
    { status },
  );

function toEdge(row: EdgeRow) {
  const backend = row.backend === null ? null : JSON.parse(row.backend);
  const restriction = row.ip_restriction === null ? null : JSON.parse(row.ip_restriction);
  return {
    id: row.id,
    uri: `${origin}/edges/tcp/${row.id}`,
    created_at: row.created_at,
    description: row.description ?? undefined,
    metadata: row.metadata ?? undefined,
    hostports: row.hostports === null ? null : JSON.parse(row.hostports),
    backend: backend && { enabled: backend.enabled, backend: backendRef(backend.backend_id) },
    ip_restriction: restriction && {
      enabled: restriction.enabled,
      ip_policies: restriction.ip_policy_ids?.map(policyRef) ?? null,
    },
    traffic_policy: row.traffic_policy === null ? null : JSON.parse(row.traffic_policy),
    policy: null,
  };
}

async function list(db: D1Database): Promise<Response> {
  const { results } = await db
    .prepare(`select ${EDGE} from tcp_edges order by id desc limit ?`)
    .bind(101)
    .all<EdgeRow>();
  const rows = results.slice(0, 100);
  return Response.json({
    tcp_edges: rows.map(toEdge),
    uri: `${origin}/edges/tcp`,
    next_page_uri: `${origin}/edges/tcp?before_id=${rows.at(-1)?.id}&limit=100`,
  });
}

async function get(db: D1Database, id: string): Promise<Response> {
  const { results } = await db.prepare(`select ${EDGE} from tcp_edges where id = ?`).bind(id).all<EdgeRow>();
  const [row] = results;
  return row ? Response.json(toEdge(row)) : errorResponse(404);
}

/** Sends the statements as one batch, or the only one alone; returns the results of each. */
const send = async (db: D1Database, statements: [D1PreparedStatement, ...D1PreparedStatement[]]) =>
  statements.length === 1 ? [await statements[0].all<EdgeRow>()] : db.batch<EdgeRow>(statements);

async function createPolicy({ db, recorder }: Store, body: { description?: string; metadata?: string }) {
  const id = newId("ipp_");
  const created_at = now();
  const { description, metadata } = body;
  await send(db, [
    db
      .prepare(
        "insert into ip_policies (id, created_at, description, metadata, version) values (?, ?, ?, ?, 1)",
      )
      .bind(id, created_at, description ?? null, metadata ?? null),
    ...recorder(db, { type: "ip_policy_created.v0", table: "ip_policies", id, origin }),
  ]);
  return Response.json(
    { id, uri: `${origin}/ip_policies/${id}`, created_at, description, metadata },
    { status: 201 },
  );
}

async function createEdge({ db, recorder, hasChecks }: Store, body: EdgeBody): Promise<Response> {
  const enabled = true;
  const text = (value: object | undefined): string | null =>
    value === undefined ? null : JSON.stringify(value);
  const row: EdgeRow = {
    id: newId("edgtcp_"),
    created_at: now(),
    description: body.description ?? null,
    metadata: body.metadata ?? null,
    hostports: text(body.hostports),
    backend: text(body.backend && { enabled, ...body.backend }),
    ip_restriction: text(body.ip_restriction && { enabled, ...body.ip_restriction }),
    traffic_policy: text(body.traffic_policy && { enabled, ...body.traffic_policy }),
  };
  const policies = body.ip_restriction?.ip_policy_ids ?? [];
  const backends = body.backend ? [body.backend.backend_id] : [];
  const hostports = (body.hostports ?? []).flatMap((hostport) => [
    hostport.toLowerCase(),
    hostport.slice(hostport.lastIndexOf(":")),
  ]);
  const references = [JSON.stringify(policies), JSON.stringify(backends)];
  const exist = `${POLICIES_EXIST} and ${BACKENDS_EXIST}`;
  const [created] = await db.batch([
    ...(hasChecks ? [db.prepare(checkOf(exist)).bind(...references)] : []),
    db
      .prepare(hasChecks ? CREATE_EDGE : `${CREATE_EDGE} where ${exist} returning id`)
      .bind(
        row.id,
        row.created_at,
        row.description,
        row.metadata,
        row.hostports,
        row.backend,
        row.ip_restriction,
        row.traffic_policy,
        ...(hasChecks ? [] : references),
      ),
    ...recorder(db, { type: "tcp_edge_created.v0", table: "tcp_edges", id: row.id, origin }),
    db.prepare(USE).bind(row.id, JSON.stringify([...hostports, ...policies, ...backends])),
  ]);
  return !hasChecks && created?.results.length === 0
    ? errorResponse(400)
    : Response.json(toEdge(row), { status: 201 });
}

async function patch({ db, recorder }: Store, id: string, body: EdgeBody): Promise<Response> {
  const [changed] = await send(db, [
    db
      .prepare(
        `update tcp_edges set traffic_policy = ?, version = version + 1 where id = ? returning ${EDGE}`,
      )
      .bind(JSON.stringify({ enabled: true, ...body.traffic_policy }), id),
    ...recorder(db, { type: "tcp_edge_updated.v0", table: "tcp_edges", id, origin }),
  ]);
  const row = changed?.results[0];
  return row ? Response.json(toEdge(row)) : errorResponse(404);
}

async function putBackend(
  { db, recorder, hasChecks }: Store,
  id: string,
  body: { backend_id: string },
): Promise<Response> {
  const stored = { enabled: true, ...body };
  const backends = JSON.stringify([body.backend_id]);
  const results = await db.batch([
    ...(hasChecks
      ? [
          db
            .prepare(checkOf(`exists (select 1 from tcp_edges where id = ?) and ${BACKENDS_EXIST}`))
            .bind(id, backends),
        ]
      : []),
    db.prepare(FORGET_BACKEND).bind(id, id, backends),
    db
      .prepare(hasChecks ? `${PUT_BACKEND} returning *` : `${PUT_BACKEND} and ${BACKENDS_EXIST} returning *`)
      .bind(JSON.stringify(stored), id, ...(hasChecks ? [] : [backends])),
    ...recorder(db, { type: "tcp_edge_updated.v0", table: "tcp_edges", id, origin }),
    db.prepare(USE).bind(id, backends),
  ]);
  return results[hasChecks ? 2 : 1]?.results.length === 0
    ? errorResponse(404)
    : Response.json({ enabled: stored.enabled, backend: backendRef(stored.backend_id) });
}

/**
 * @param recorder records each change
 * @param hasChecks see {@link Store}
 */
export const floor = (recorder: Recorder, hasChecks: boolean) =>
  ({
    async fetch(request, { DB }) {
      if (request.headers.get("Authorization") === null) return errorResponse(401);
      const start = request.url.indexOf("/", 8);
      origin = request.url.slice(0, start);
      const path = request.url.slice(start);
      const [, , , id = ""] = path.split("/");
      const store = { db: DB, recorder, hasChecks };
      switch (request.method) {
        case "GET":
          return path.startsWith("/edges/tcp/") ? get(DB, id) : list(DB);
        case "PATCH":
          return patch(store, id, await request.json());
        case "PUT":
          return putBackend(store, id, await request.json());
        default:
          if (path === "/edges/tcp") return createEdge(store, await request.json());
          // The invalid body has a field of the wrong type, which is the least that validation has to check.
          const body = await request.json<{ description?: string }>();
          return typeof body.description === "string" ? createPolicy(store, body) : errorResponse(400);
      }
    },
  }) satisfies ExportedHandler<Env>;

export default floor(() => [], false);
