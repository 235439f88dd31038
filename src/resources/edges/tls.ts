import * as z from "zod";
import { stamp } from "../../../packages/model/src/ids.ts";
import { kinds } from "../../../packages/model/src/kinds.ts";
import { evenIfWrong, requestObject, schema } from "../../../packages/model/src/values/request_schemas.ts";
import type { Reference } from "../../db/references.ts";
import { rowsOf } from "../../db/rows.ts";
import { tlsEdges as table } from "../../db/schema.ts";
import { type Condition, sql } from "../../db/statements.ts";
import { operationsOn } from "../../http/collection.ts";
import { invalidMembers } from "../../http/errors.ts";
import { endpoints } from "../../http/router.ts";
import { backend } from "../../modules/backend.ts";
import { ipRestriction } from "../../modules/ip_restriction.ts";
import { nullableModule, optionalModule, referencesIn, shown } from "../../modules/module.ts";
import { mutualTls } from "../../modules/mutual_tls.ts";
import { moduleRoutes } from "../../modules/routes.ts";
import { tlsTermination } from "../../modules/tls_termination.ts";
import { trafficPolicy } from "../../modules/traffic_policy.ts";
import { commit } from "../../writes/commit.ts";
import { referencesExist, rule } from "../../writes/requirements.ts";
import type { Requirement } from "../../writes/write.ts";
import { objectsOf } from "../objects.ts";
import { restrictionAccess } from "../policies/access.ts";
import {
  byAuthority,
  edgeColumnReferences,
  edgeFilters,
  edgeMembers,
  edgeMutateMembers,
  edgeReferences,
  exampleEdge,
  exampleEdgeCreate,
  exampleEdgeCreateReferring,
  toEdge,
  unsetEdge,
} from "./edge.ts";

type Row = typeof table.$inferSelect;
const rows = rowsOf("tls_edge", table, {
  short: ["description", "metadata", "backend", "tls_termination"],
  references: {
    ...edgeColumnReferences,
    mutual_tls: { path: "$.certificate_authority_ids", filter: "certificate_authority_id" },
  },
});

const NEEDS_HANDSHAKE =
  "mutual_tls cannot be enabled while terminate_at is upstream: the TLS handshake then takes place at the upstream.";

/** Two modules that exclude each other; a request contains one or both. */
type Handshake = Partial<Pick<Row, "mutual_tls" | "tls_termination">>;

/** True if both are in a request and exclude each other. A constraint of the table enforces the same rule. */
const exclude = ({ mutual_tls, tls_termination }: Handshake): boolean =>
  mutual_tls?.enabled === true && tls_termination?.terminate_at === "upstream";

/** No condition if a request contains both modules: its schema checks the combination. */
function handshakeCondition(id: string, { mutual_tls, tls_termination }: Handshake): Condition {
  const isEdge = sql`select 1 from ${table} where ${table.id} = ${id}`;
  if (mutual_tls?.enabled && !tls_termination)
    return sql`not exists (${isEdge} and ${table.tls_termination} ->> 'terminate_at' = 'upstream')`;
  if (tls_termination?.terminate_at === "upstream" && !mutual_tls)
    return sql`not exists (${isEdge} and ${table.mutual_tls} ->> 'enabled')`;
  return undefined;
}

/**
 * A module in a request is compatible with the other one, as stored for the edge `id`. @param blamed the pointer in the
 * error
 */
const handshakeIsHere = (id: string, patch: Handshake, blamed: string): Requirement =>
  rule(handshakeCondition(id, patch), () => invalidMembers([{ path: blamed, msg: NEEDS_HANDSHAKE }]));

const TlsEdge = schema("TlsEdge", () => ({
  description: kinds.tls_edge.about,
  examples: [
    {
      ...exampleEdge("tls_edge"),
      mutual_tls: null,
      tls_termination: { enabled: true, terminate_at: "edge", min_version: "1.3" },
    },
  ],
  type: z.strictObject({
    ...edgeMembers(),
    mutual_tls: nullableModule(mutualTls),
    tls_termination: nullableModule(tlsTermination),
  }),
}));

/** Checks both modules of a request against each other. For one against the stored other, the table has a constraint. */
const tlsEdgeMutate = () =>
  requestObject({
    ...edgeMutateMembers(),
    mutual_tls: optionalModule(mutualTls),
    tls_termination: optionalModule(tlsTermination),
  }).refine((body) => !exclude(body), { path: ["mutual_tls"], error: NEEDS_HANDSHAKE, when: evenIfWrong });
const TlsEdgeCreate = schema("TlsEdgeCreate", () => ({
  examples: [
    { ...exampleEdgeCreate, tls_termination: { min_version: "1.3" } },
    { ...exampleEdgeCreateReferring, tls_termination: { min_version: "1.3" } },
  ],
  type: tlsEdgeMutate(),
}));
const TlsEdgeUpdate = schema("TlsEdgeUpdate", () => ({
  examples: [{ tls_termination: { min_version: "1.2" } }],
  type: tlsEdgeMutate(),
}));

/** A row as responses show it. */
export const toTlsEdge = (row: Row, origin: string): z.output<typeof TlsEdge> => ({
  ...toEdge(row, origin),
  mutual_tls: shown(mutualTls, row.mutual_tls, origin),
  tls_termination: shown(tlsTermination, row.tls_termination, origin),
});

const references = (body: Partial<Row>): Reference[] => [
  ...edgeReferences(body),
  ...referencesIn(mutualTls, body.mutual_tls),
];

const owner = {
  kind: "tls_edge",
  path: { id: "tls_edge" },
  key: ({ id = "" }: Record<string, string>) => ({ id }),
  rows,
  rules: ({ id }: { id: string }, patch: Handshake) => [handshakeIsHere(id, patch, "")],
} as const;

const edges = objectsOf("tls_edge", rows, toTlsEdge);
const operations = operationsOn("tls_edge", TlsEdge);

export const tlsEdges = endpoints()
  .post("/", operations.create(TlsEdgeCreate, "ERR_UNKNOWN_REFERENCE"), (c) => {
    const body = c.req.valid("json");
    const row = { ...stamp("tls_edge"), ...unsetEdge, mutual_tls: null, tls_termination: null, ...body };
    return commit(c, edges.create(c, row, [referencesExist(references(body))]));
  })
  .get("/", operations.list({ ...byAuthority, ...edgeFilters }), (c) => edges.list(c, c.req.valid("query")))
  .get("/:id", operations.get(), (c) => edges.get(c, c.req.param()))
  .patch("/:id", operations.update(TlsEdgeUpdate, "ERR_UNKNOWN_REFERENCE"), (c) => {
    const id = c.req.param("id");
    const body = c.req.valid("json");
    const blamed = body.mutual_tls ? "/mutual_tls" : "/tls_termination";
    const requires = [referencesExist(references(body)), handshakeIsHere(id, body, blamed)];
    return commit(c, edges.change(c, { id }, body, requires));
  })
  .delete("/:id", operations.remove(""), (c) => commit(c, edges.remove(c, c.req.param())))
  .route("/:id/access", restrictionAccess("tls_edge", table, rows))
  .route("/:id/backend", moduleRoutes(backend, owner))
  .route("/:id/ip_restriction", moduleRoutes(ipRestriction, owner))
  .route("/:id/mutual_tls", moduleRoutes(mutualTls, owner))
  .route("/:id/tls_termination", moduleRoutes(tlsTermination, owner))
  .route("/:id/traffic_policy", moduleRoutes(trafficPolicy, owner));
