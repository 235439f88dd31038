import * as z from "zod";
import { exampleId, idSchema, stamp } from "../../../packages/model/src/ids.ts";
import { anyBackend, backendUsers, kinds } from "../../../packages/model/src/kinds.ts";
import { unboundedTexts } from "../../../packages/model/src/values/descriptions.ts";
import {
  IDS,
  clearableList,
  requestObject,
  schema,
} from "../../../packages/model/src/values/request_schemas.ts";
import { isNotWithin } from "../../db/references.ts";
import { rowsOf } from "../../db/rows.ts";
import { failoverBackends as table } from "../../db/schema.ts";
import { operationsOn } from "../../http/collection.ts";
import { invalidMembers } from "../../http/errors.ts";
import { byMetadata, type Filters } from "../../http/lists.ts";
import { endpoints } from "../../http/router.ts";
import { commit } from "../../writes/commit.ts";
import { collectiveRule, referencesExist, unused } from "../../writes/requirements.ts";
import type { Requirement } from "../../writes/write.ts";
import { describedMembers, exampleObject, toDescribed, unsetTexts } from "../common.ts";
import { objectsOf } from "../objects.ts";
import { usedBy } from "../used_by.ts";

type Row = typeof table.$inferSelect;
const rows = rowsOf("failover_backend", table, {
  references: { backends: { path: "$", areShown: true, filter: "backend_id" } },
});

const children = "Ids of the backends to try, in order: backends of any kind.";

const filters: Filters = {
  backend_id: z.lazy(() =>
    idSchema(...anyBackend).describe(
      "Lists only failover backends that have this backend among their `backends`.",
    ),
  ),
  ...byMetadata,
};

const FailoverBackend = schema("FailoverBackend", () => ({
  description: kinds.failover_backend.about,
  examples: [
    {
      ...exampleObject("failover_backend"),
      description: "The shop, or the maintenance page",
      backends: [exampleId("http_response_backend")],
    },
  ],
  type: z.strictObject({
    ...describedMembers(),
    backends: z.array(z.string()).nullable().describe(children),
  }),
}));

const failoverBackendMutate = () =>
  requestObject({
    ...unboundedTexts(),
    backends: clearableList(idSchema(...anyBackend), IDS)
      .describe(children)
      .exactOptional(),
  });
const FailoverBackendCreate = schema("FailoverBackendCreate", () => ({
  examples: [
    { description: "The shop, or the maintenance page" },
    { description: "The shop, or the maintenance page", backends: [exampleId("http_response_backend")] },
  ],
  type: failoverBackendMutate(),
}));
const FailoverBackendUpdate = schema("FailoverBackendUpdate", () => ({
  examples: [{ backends: [exampleId("http_response_backend")] }],
  type: failoverBackendMutate(),
}));

/** A row as responses show it. */
export const toFailoverBackend = (row: Row, origin: string): z.output<typeof FailoverBackend> => ({
  ...toDescribed(row, origin),
  backends: row.backends,
});

/** The children in a request exist. */
const childrenExist = (ids: string[] | null | undefined): Requirement =>
  referencesExist((ids ?? []).map((id, index) => ({ path: `/backends/${index}`, id })));

/** None of the children in a request is the backend `id` itself or contains it. */
const acyclic = (id: string, ids: string[] | null | undefined): Requirement =>
  collectiveRule(ids ? isNotWithin(id, ids) : undefined, () =>
    invalidMembers([
      { path: "/backends", msg: "A backend must not contain itself, directly or through other backends." },
    ]),
  );

const backends = objectsOf("failover_backend", rows, toFailoverBackend);
const operations = operationsOn("failover_backend", FailoverBackend);

export const failoverBackends = endpoints()
  .post("/", operations.create(FailoverBackendCreate, "ERR_UNKNOWN_REFERENCE"), (c) => {
    const body = c.req.valid("json");
    const row = { ...stamp("failover_backend"), ...unsetTexts, backends: null, ...body };
    return commit(c, backends.create(c, row, [childrenExist(body.backends)]));
  })
  .get("/", operations.list(filters), (c) => backends.list(c, c.req.valid("query")))
  .get("/:id", operations.get(), (c) => backends.get(c, c.req.param()))
  .patch("/:id", operations.update(FailoverBackendUpdate, "ERR_UNKNOWN_REFERENCE"), (c) => {
    const id = c.req.param("id");
    const patch = c.req.valid("json");
    const requires = [childrenExist(patch.backends), acyclic(id, patch.backends)];
    return commit(c, backends.change(c, { id }, patch, requires));
  })
  .delete(
    "/:id",
    operations.remove("Fails with 409 while an edge or another backend uses it.", "ERR_IN_USE"),
    (c) => {
      const id = c.req.param("id");
      return commit(c, backends.remove(c, { id }, [unused(id)]));
    },
  )
  .route("/:id/used_by", usedBy({ kind: "failover_backend", users: backendUsers, rows }));
