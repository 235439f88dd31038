import { Hono } from "hono";
import * as z from "zod";
import type { Session } from "../../db/database.ts";
import { violates } from "../../db/errors.ts";
import { allExist, type Reference } from "../../db/references.ts";
import { rowsOf } from "../../db/rows.ts";
import { tlsEdges as table } from "../../db/schema.ts";
import { allOf, type Guard } from "../../db/statements.ts";
import type { App } from "../../env.ts";
import { operationsOn } from "../../http/collection.ts";
import { precondition, represent, representIfNew } from "../../http/conditions.ts";
import { create } from "../../http/creation.ts";
import { type ApiError, invalidMembers, notFound } from "../../http/errors.ts";
import { page, pageOf, showPage } from "../../http/pages.ts";
import { changeRefusal } from "../../http/refusals.ts";
import { respond } from "../../http/respond.ts";
import { stamp, kinds } from "../../kinds.ts";
import { backend } from "../../modules/backend.ts";
import { ipRestriction } from "../../modules/ip_restriction.ts";
import { referencesIn, shown } from "../../modules/module.ts";
import { mutualTls } from "../../modules/mutual_tls.ts";
import { moduleRoutes } from "../../modules/routes.ts";
import { tlsTermination } from "../../modules/tls_termination.ts";
import { trafficPolicy } from "../../modules/traffic_policy.ts";
import { evenIfWrong, members } from "../../values/members.ts";
import {
  edgeMembers,
  edgeMutateMembers,
  edgeReferences,
  exampleEdge,
  exampleEdgeMutate,
  toEdge,
  unsetEdge,
} from "./edge.ts";

type Row = typeof table.$inferSelect;
const rows = rowsOf(table, {
  short: ["description", "metadata", "backend", "tls_termination"],
  refs: {
    ip_restriction: "$.ip_policy_ids",
    mutual_tls: "$.certificate_authority_ids",
  },
});

const NEEDS_HANDSHAKE =
  "An enabled mutual_tls needs the TLS handshake, which terminate_at upstream passes through: use one or the other.";

/** True for two modules that exclude each other. The table has a constraint that says the same. */
const exclude = ({ mutual_tls, tls_termination }: Pick<Partial<Row>, "mutual_tls" | "tls_termination">) =>
  mutual_tls?.enabled === true && tls_termination?.terminate_at === "upstream";

const needsHandshake = (blamed: string): ApiError => invalidMembers([{ path: blamed, msg: NEEDS_HANDSHAKE }]);

/** The refusal of a patch that names one of two such modules, of an edge that has the other. */
const exclusion = (row: Row, patch: Partial<Row>, blamed: string): ApiError | undefined =>
  exclude({ ...row, ...patch }) ? needsHandshake(blamed) : undefined;

const TlsEdge = z.lazy(() =>
  z
    .strictObject({
      ...edgeMembers(),
      mutual_tls: mutualTls.response.nullable(),
      tls_termination: tlsTermination.response.nullable(),
    })
    .meta({
      id: "TlsEdge",
      description: kinds.tls_edge.about,
      examples: [
        {
          ...exampleEdge("tls_edge"),
          mutual_tls: null,
          tls_termination: { enabled: true, terminate_at: "edge", min_version: "1.3" },
        },
      ],
    }),
);
const TlsEdgeList = z.lazy(() => pageOf({ tls_edges: z.array(TlsEdge) }).meta({ id: "TlsEdgeList" }));

/** When a request names both modules. For one against the stored other, the table has a constraint. */
const tlsEdgeMutate = () =>
  members({
    ...edgeMutateMembers(),
    mutual_tls: mutualTls.mutate.exactOptional(),
    tls_termination: tlsTermination.mutate.exactOptional(),
  }).refine((body) => !exclude(body), { path: ["mutual_tls"], error: NEEDS_HANDSHAKE, when: evenIfWrong });
const TlsEdgeCreate = z.lazy(() =>
  tlsEdgeMutate().meta({
    id: "TlsEdgeCreate",
    examples: [{ ...exampleEdgeMutate, tls_termination: { min_version: "1.3" } }],
  }),
);
const TlsEdgeUpdate = z.lazy(() =>
  tlsEdgeMutate().meta({
    id: "TlsEdgeUpdate",
    examples: [{ tls_termination: { terminate_at: "upstream" } }],
  }),
);

const toTlsEdge = (row: Row, origin: string): z.output<typeof TlsEdge> => ({
  ...toEdge(row, origin),
  mutual_tls: shown(mutualTls, row.mutual_tls, origin),
  tls_termination: shown(tlsTermination, row.tls_termination, origin),
});

const tlsEdgeReferences = (body: Partial<Row>): Reference[] => [
  ...edgeReferences(body),
  ...referencesIn(mutualTls, body.mutual_tls),
];

async function change(
  session: Session,
  id: string,
  patch: Partial<Row>,
  guard: Guard,
  blamed: string,
): Promise<Row | undefined> {
  try {
    return await rows.change(session, id, patch, guard);
  } catch (error) {
    if (!violates(error, "mutual_tls_needs_edge_termination")) throw error;
    throw needsHandshake(blamed);
  }
}

const changeModule = (session: Session, id: string, patch: Partial<Row>, guard: Guard) =>
  change(session, id, patch, guard, "");

const owner = {
  kind: "tls_edge" as const,
  path: { id: "tls_edge" } as const,
  key: ({ id = "" }) => id,
  table: rows.table,
  isIt: rows.isIt,
  find: rows.find,
  change: changeModule,
  clear: rows.clear,
  exclusion: (row: Row, patch: Partial<Row>) => exclusion(row, patch, ""),
};

const operations = operationsOn("tls_edge", TlsEdge, TlsEdgeList);

export const tlsEdges = new Hono<App>()
  .post("/", ...operations.create(TlsEdgeCreate, "ERR_UNKNOWN_REFERENCE"), async (c) => {
    const { origin } = c.get("request");
    const body = c.req.valid("json");
    const row = { ...stamp("tls_edge"), ...unsetEdge, mutual_tls: null, tls_termination: null, ...body };
    const references = tlsEdgeReferences(body);
    const shown = toTlsEdge(row, origin);
    return create(c, { row, references, insert: (guard) => rows.insert(row, guard), shown });
  })
  .get("/", ...operations.list(), async (c) => {
    const { session, origin } = c.get("request");
    const query = c.req.valid("query");
    const { objects, links } = page(c, "tls_edge", query, await rows.page(session, origin, query));
    return showPage(c, { tls_edges: objects.map((row) => toTlsEdge(row, origin)), ...links });
  })
  .get("/:id", ...operations.get(), async (c) => {
    const { session, origin } = c.get("request");
    const row = await rows.find(session, c.req.param("id"));
    if (!row) throw notFound("tls_edge");
    return representIfNew(c, row.version, toTlsEdge(row, origin));
  })
  .patch("/:id", ...operations.update(TlsEdgeUpdate, "ERR_UNKNOWN_REFERENCE"), async (c) => {
    const { session, origin } = c.get("request");
    const id = c.req.param("id");
    const body = c.req.valid("json");
    const references = tlsEdgeReferences(body);
    const blamed = body.mutual_tls ? "/mutual_tls" : "/tls_termination";
    const guard = allOf(allExist(references), precondition(c, rows));
    const row = await change(session, id, body, guard, blamed);
    if (!row)
      throw await changeRefusal(c, "tls_edge", await rows.find(session, id), {
        references,
        rule: (found) => exclusion(found, body, blamed),
      });
    return represent(c, row.version, toTlsEdge(row, origin));
  })
  .delete("/:id", ...operations.remove(""), async (c) => {
    const { session } = c.get("request");
    const id = c.req.param("id");
    const [deleted] = await session.all(rows.remove(id, precondition(c, rows)));
    if (!deleted) throw await changeRefusal(c, "tls_edge", await rows.find(session, id));
    return respond(c, 204, null);
  })
  .route(
    "/:id/backend",
    moduleRoutes(backend, owner, {
      column: table.backend,
      get: (row) => row.backend,
      set: (value) => ({ backend: value }),
    }),
  )
  .route(
    "/:id/ip_restriction",
    moduleRoutes(ipRestriction, owner, {
      column: table.ip_restriction,
      get: (row) => row.ip_restriction,
      set: (value) => ({ ip_restriction: value }),
    }),
  )
  .route(
    "/:id/mutual_tls",
    moduleRoutes(mutualTls, owner, {
      column: table.mutual_tls,
      get: (row) => row.mutual_tls,
      set: (value) => ({ mutual_tls: value }),
    }),
  )
  .route(
    "/:id/tls_termination",
    moduleRoutes(tlsTermination, owner, {
      column: table.tls_termination,
      get: (row) => row.tls_termination,
      set: (value) => ({ tls_termination: value }),
    }),
  )
  .route(
    "/:id/traffic_policy",
    moduleRoutes(trafficPolicy, owner, {
      column: table.traffic_policy,
      get: (row) => row.traffic_policy,
      set: (value) => ({ traffic_policy: value }),
    }),
  );
