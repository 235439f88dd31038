import * as z from "zod";
import { stamp } from "../../../packages/model/src/ids.ts";
import { backendUsers, kinds } from "../../../packages/model/src/kinds.ts";
import { unboundedTexts } from "../../../packages/model/src/values/descriptions.ts";
import { headerMap } from "../../../packages/model/src/values/header_map.ts";
import {
  requestObject,
  clearableString,
  schema,
} from "../../../packages/model/src/values/request_schemas.ts";
import { rowsOf } from "../../db/rows.ts";
import { httpResponseBackends as table } from "../../db/schema.ts";
import { operationsOn } from "../../http/collection.ts";
import { endpoints } from "../../http/router.ts";
import { commit } from "../../writes/commit.ts";
import { unused } from "../../writes/requirements.ts";
import { describedMembers, exampleObject, toDescribed, unsetTexts } from "../common.ts";
import { objectsOf } from "../objects.ts";
import { usedBy } from "../used_by.ts";

type Row = typeof table.$inferSelect;
const rows = rowsOf("http_response_backend", table);

/** The status of a final response, so not 1xx (RFC 9110 §15.2). Rows stored earlier may have one. */
const statusCode = () =>
  z
    .number()
    .refine(
      (code) => Number.isInteger(code) && code >= 200 && code <= 599,
      "Expected a status from 200 to 599.",
    )
    .meta({
      type: "integer",
      minimum: 200,
      maximum: 599,
      description: "Status code of the response. On creation, defaults to `200`.",
    });

const HttpResponseBackend = schema("HttpResponseBackend", () => ({
  description: kinds.http_response_backend.about,
  examples: [
    {
      ...exampleObject("http_response_backend"),
      body: "Back in a minute",
      headers: { "content-type": "text/plain" },
      status_code: 503,
    },
  ],
  type: z.strictObject({
    ...describedMembers(),
    body: z.string().describe("Body of the response. Omitted if empty.").optional(),
    headers: z
      .record(z.string(), z.string())
      .nullable()
      .describe("Headers of the response, with names in lower case."),
    status_code: z.int().describe("Status code of the response."),
  }),
}));

const httpResponseBackendMutate = () =>
  requestObject({
    ...unboundedTexts(),
    body: clearableString().describe("Body of the response.").exactOptional(),
    headers: headerMap((name) => name.toLowerCase())
      .describe("Headers of the response. Names are case-insensitive and must be unique.")
      .exactOptional(),
    status_code: statusCode().exactOptional(),
  });
const HttpResponseBackendCreate = schema("HttpResponseBackendCreate", () => ({
  examples: [{ body: "Back in a minute", headers: { "Content-Type": "text/plain" }, status_code: 503 }],
  type: httpResponseBackendMutate(),
}));
const HttpResponseBackendUpdate = schema("HttpResponseBackendUpdate", () => ({
  examples: [{ body: "Back in an hour" }],
  type: httpResponseBackendMutate(),
}));

const unset = { ...unsetTexts, body: null, headers: null, status_code: 200 };

/** A row as responses show it. */
export const toHttpResponseBackend = (row: Row, origin: string): z.output<typeof HttpResponseBackend> => ({
  ...toDescribed(row, origin),
  body: row.body ?? undefined,
  headers: row.headers,
  status_code: row.status_code,
});

const backends = objectsOf("http_response_backend", rows, toHttpResponseBackend);
const operations = operationsOn("http_response_backend", HttpResponseBackend);

export const httpResponseBackends = endpoints()
  .post("/", operations.create(HttpResponseBackendCreate), (c) =>
    commit(c, backends.create(c, { ...stamp("http_response_backend"), ...unset, ...c.req.valid("json") })),
  )
  .get("/", operations.list(), (c) => backends.list(c, c.req.valid("query")))
  .get("/:id", operations.get(), (c) => backends.get(c, c.req.param()))
  .patch("/:id", operations.update(HttpResponseBackendUpdate), (c) =>
    commit(c, backends.change(c, c.req.param(), c.req.valid("json"))),
  )
  .delete(
    "/:id",
    operations.remove("Fails with 409 while an edge or another backend uses it.", "ERR_IN_USE"),
    (c) => {
      const id = c.req.param("id");
      return commit(c, backends.remove(c, { id }, [unused(id)]));
    },
  )
  .route(
    "/:id/used_by",
    usedBy({ kind: "http_response_backend", users: [...backendUsers, "weighted_backend"], rows }),
  );
