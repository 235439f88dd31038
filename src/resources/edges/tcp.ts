import * as z from "zod";
import { stamp } from "../../../packages/model/src/ids.ts";
import { kinds } from "../../../packages/model/src/kinds.ts";
import { requestObject, schema } from "../../../packages/model/src/values/request_schemas.ts";
import { rowsOf } from "../../db/rows.ts";
import { tcpEdges as table } from "../../db/schema.ts";
import { operationsOn } from "../../http/collection.ts";
import { endpoints } from "../../http/router.ts";
import { backend } from "../../modules/backend.ts";
import { ipRestriction } from "../../modules/ip_restriction.ts";
import { moduleRoutes } from "../../modules/routes.ts";
import { trafficPolicy } from "../../modules/traffic_policy.ts";
import { commit } from "../../writes/commit.ts";
import { referencesExist } from "../../writes/requirements.ts";
import { objectsOf } from "../objects.ts";
import { restrictionAccess } from "../policies/access.ts";
import {
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
const rows = rowsOf("tcp_edge", table, {
  short: ["description", "metadata", "backend"],
  references: edgeColumnReferences,
});

const TcpEdge = schema("TcpEdge", () => ({
  description: kinds.tcp_edge.about,
  examples: [exampleEdge("tcp_edge")],
  type: z.strictObject(edgeMembers()),
}));
const TcpEdgeCreate = schema("TcpEdgeCreate", () => ({
  examples: [exampleEdgeCreate, exampleEdgeCreateReferring],
  type: requestObject(edgeMutateMembers()),
}));
const TcpEdgeUpdate = schema("TcpEdgeUpdate", () => ({
  examples: [{ traffic_policy: { value: '{"on_tcp_connect":[]}' } }],
  type: requestObject(edgeMutateMembers()),
}));

/** A row as responses show it. */
export const toTcpEdge: (row: Row, origin: string) => z.output<typeof TcpEdge> = toEdge;

const owner = {
  kind: "tcp_edge",
  path: { id: "tcp_edge" },
  key: ({ id = "" }: Record<string, string>) => ({ id }),
  rows,
} as const;

const edges = objectsOf("tcp_edge", rows, toTcpEdge);
const operations = operationsOn("tcp_edge", TcpEdge);

export const tcpEdges = endpoints()
  .post("/", operations.create(TcpEdgeCreate, "ERR_UNKNOWN_REFERENCE"), (c) => {
    const body = c.req.valid("json");
    const row = { ...stamp("tcp_edge"), ...unsetEdge, ...body };
    return commit(c, edges.create(c, row, [referencesExist(edgeReferences(body))]));
  })
  .get("/", operations.list(edgeFilters), (c) => edges.list(c, c.req.valid("query")))
  .get("/:id", operations.get(), (c) => edges.get(c, c.req.param()))
  .patch("/:id", operations.update(TcpEdgeUpdate, "ERR_UNKNOWN_REFERENCE"), (c) => {
    const body = c.req.valid("json");
    return commit(c, edges.change(c, c.req.param(), body, [referencesExist(edgeReferences(body))]));
  })
  .delete("/:id", operations.remove(""), (c) => commit(c, edges.remove(c, c.req.param())))
  .route("/:id/access", restrictionAccess("tcp_edge", table, rows))
  .route("/:id/backend", moduleRoutes(backend, owner))
  .route("/:id/ip_restriction", moduleRoutes(ipRestriction, owner))
  .route("/:id/traffic_policy", moduleRoutes(trafficPolicy, owner));
