import * as z from "zod";
import { exampleId, idSchema, stamp } from "../../../packages/model/src/ids.ts";
import { backendUsers, kinds, leafBackends } from "../../../packages/model/src/kinds.ts";
import { unboundedTexts } from "../../../packages/model/src/values/descriptions.ts";
import { requestObject, schema } from "../../../packages/model/src/values/request_schemas.ts";
import { weights } from "../../../packages/model/src/values/weights.ts";
import { rowsOf } from "../../db/rows.ts";
import { weightedBackends as table } from "../../db/schema.ts";
import { operationsOn } from "../../http/collection.ts";
import { byMetadata, type Filters } from "../../http/lists.ts";
import { endpoints } from "../../http/router.ts";
import { commit } from "../../writes/commit.ts";
import { referencesExist, unused } from "../../writes/requirements.ts";
import type { Requirement } from "../../writes/write.ts";
import { describedMembers, exampleObject, toDescribed, unsetTexts } from "../common.ts";
import { objectsOf } from "../objects.ts";
import { usedBy } from "../used_by.ts";

type Row = typeof table.$inferSelect;
const rows = rowsOf("weighted_backend", table, {
  references: { backends: { path: "$", areKeys: true, areShown: true, filter: "backend_id" } },
});

const children =
  "Weights of the child backends (HTTP response or static backends), by id. Each backend's share of the traffic is its weight divided by the sum of all weights; a weight of 0 gets no traffic.";

const exampleWeights = () => ({
  [exampleId("static_backend")]: 90,
  [exampleId("http_response_backend")]: 10,
});

const filters: Filters = {
  backend_id: z.lazy(() =>
    idSchema(...leafBackends).describe(
      "Lists only weighted backends that have this backend among their `backends`.",
    ),
  ),
  ...byMetadata,
};

const WeightedBackend = schema("WeightedBackend", () => ({
  description: kinds.weighted_backend.about,
  examples: [
    {
      ...exampleObject("weighted_backend"),
      description: "A tenth of the traffic tries the new shop",
      backends: exampleWeights(),
    },
  ],
  type: z.strictObject({
    ...describedMembers(),
    backends: z.record(z.string(), z.int()).nullable().describe(children),
  }),
}));

const weightedBackendMutate = () =>
  requestObject({
    ...unboundedTexts(),
    backends: weights(...leafBackends)
      .describe(`${children} Not all 0.`)
      .exactOptional(),
  });
const WeightedBackendCreate = schema("WeightedBackendCreate", () => ({
  examples: [
    { description: "A tenth of the traffic tries the new shop" },
    { description: "A tenth of the traffic tries the new shop", backends: exampleWeights() },
  ],
  type: weightedBackendMutate(),
}));
const WeightedBackendUpdate = schema("WeightedBackendUpdate", () => ({
  examples: [{ backends: { [exampleId("static_backend")]: 1, [exampleId("http_response_backend")]: 1 } }],
  type: weightedBackendMutate(),
}));

/** A row as responses show it. */
export const toWeightedBackend = (row: Row, origin: string): z.output<typeof WeightedBackend> => ({
  ...toDescribed(row, origin),
  backends: row.backends,
});

/** The children in a request exist. They contain no backends, so there can be no cycle. */
const childrenExist = (backends: Record<string, number> | null | undefined): Requirement =>
  referencesExist(Object.keys(backends ?? {}).map((id) => ({ path: `/backends/${id}`, id })));

const backends = objectsOf("weighted_backend", rows, toWeightedBackend);
const operations = operationsOn("weighted_backend", WeightedBackend);

export const weightedBackends = endpoints()
  .post("/", operations.create(WeightedBackendCreate, "ERR_UNKNOWN_REFERENCE"), (c) => {
    const body = c.req.valid("json");
    const row = { ...stamp("weighted_backend"), ...unsetTexts, backends: null, ...body };
    return commit(c, backends.create(c, row, [childrenExist(body.backends)]));
  })
  .get("/", operations.list(filters), (c) => backends.list(c, c.req.valid("query")))
  .get("/:id", operations.get(), (c) => backends.get(c, c.req.param()))
  .patch("/:id", operations.update(WeightedBackendUpdate, "ERR_UNKNOWN_REFERENCE"), (c) => {
    const patch = c.req.valid("json");
    return commit(c, backends.change(c, c.req.param(), patch, [childrenExist(patch.backends)]));
  })
  .delete(
    "/:id",
    operations.remove("Fails with 409 while an edge or another backend uses it.", "ERR_IN_USE"),
    (c) => {
      const id = c.req.param("id");
      return commit(c, backends.remove(c, { id }, [unused(id)]));
    },
  )
  .route("/:id/used_by", usedBy({ kind: "weighted_backend", users: backendUsers, rows }));
