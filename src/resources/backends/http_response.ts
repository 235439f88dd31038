import { Hono } from "hono";
import * as z from "zod";
import { isUnused } from "../../db/references.ts";
import { rowsOf } from "../../db/rows.ts";
import { httpResponseBackends as table } from "../../db/schema.ts";
import { allOf } from "../../db/statements.ts";
import type { App } from "../../env.ts";
import { operationsOn } from "../../http/collection.ts";
import { precondition, represent, representIfNew } from "../../http/conditions.ts";
import { create } from "../../http/creation.ts";
import { notFound } from "../../http/errors.ts";
import { page, pageOf, showPage } from "../../http/pages.ts";
import { changeRefusal, deletionRefusal } from "../../http/refusals.ts";
import { respond } from "../../http/respond.ts";
import { stamp, kinds } from "../../kinds.ts";
import { headerMap } from "../../values/headers.ts";
import { members, text, unboundedTexts } from "../../values/members.ts";
import { describedMembers, exampleObject, toDescribed, unsetTexts } from "../object.ts";

type Row = typeof table.$inferSelect;
const rows = rowsOf(table);

/** Of a final answer (RFC 9110 §15.2: an informational one precedes it). Rows of before may have one below 200. */
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
      description: "Status of the answer; 200 when left out on creation.",
    });

const HttpResponseBackend = z.lazy(() =>
  z
    .strictObject({
      ...describedMembers(),
      body: z.string().describe("What is answered. Left out while it is empty.").optional(),
      headers: z
        .record(z.string(), z.string())
        .nullable()
        .describe("Headers of the answer; names in lower case."),
      status_code: z.int().describe("Status of the answer."),
    })
    .meta({
      id: "HttpResponseBackend",
      description: kinds.http_response_backend.about,
      examples: [
        {
          ...exampleObject("http_response_backend"),
          body: "Back in a minute",
          headers: { "content-type": "text/plain" },
          status_code: 503,
        },
      ],
    }),
);
const HttpResponseBackendList = z.lazy(() =>
  pageOf({ backends: z.array(HttpResponseBackend) }).meta({
    id: "HttpResponseBackendList",
  }),
);

const httpResponseBackendMutate = () =>
  members({
    ...unboundedTexts(),
    body: text().describe("What is answered.").exactOptional(),
    headers: headerMap((name) => name.toLowerCase())
      .describe("Headers of the answer; no name twice, in whatever case.")
      .exactOptional(),
    status_code: statusCode().exactOptional(),
  });
const HttpResponseBackendCreate = z.lazy(() =>
  httpResponseBackendMutate().meta({
    id: "HttpResponseBackendCreate",
    examples: [{ body: "Back in a minute", headers: { "Content-Type": "text/plain" }, status_code: 503 }],
  }),
);
const HttpResponseBackendUpdate = z.lazy(() =>
  httpResponseBackendMutate().meta({
    id: "HttpResponseBackendUpdate",
    examples: [{ body: "Back in an hour" }],
  }),
);

const unset = { ...unsetTexts, body: null, headers: null, status_code: 200 };

const toHttpResponseBackend = (row: Row, origin: string): z.output<typeof HttpResponseBackend> => ({
  ...toDescribed(row, origin),
  body: row.body ?? undefined,
  headers: row.headers,
  status_code: row.status_code,
});

const operations = operationsOn("http_response_backend", HttpResponseBackend, HttpResponseBackendList);

export const httpResponseBackends = new Hono<App>()
  .post("/", ...operations.create(HttpResponseBackendCreate), async (c) => {
    const { origin } = c.get("request");
    const row = { ...stamp("http_response_backend"), ...unset, ...c.req.valid("json") };
    const shown = toHttpResponseBackend(row, origin);
    return create(c, { row, insert: (guard) => rows.insert(row, guard), shown });
  })
  .get("/", ...operations.list(), async (c) => {
    const { session, origin } = c.get("request");
    const query = c.req.valid("query");
    const { objects, links } = page(
      c,
      "http_response_backend",
      query,
      await rows.page(session, origin, query),
    );
    return showPage(c, { backends: objects.map((row) => toHttpResponseBackend(row, origin)), ...links });
  })
  .get("/:id", ...operations.get(), async (c) => {
    const { session, origin } = c.get("request");
    const row = await rows.find(session, c.req.param("id"));
    if (!row) throw notFound("http_response_backend");
    return representIfNew(c, row.version, toHttpResponseBackend(row, origin));
  })
  .patch("/:id", ...operations.update(HttpResponseBackendUpdate), async (c) => {
    const { session, origin } = c.get("request");
    const id = c.req.param("id");
    const row = await rows.change(session, id, c.req.valid("json"), precondition(c, rows));
    if (!row) throw await changeRefusal(c, "http_response_backend", await rows.find(session, id));
    return represent(c, row.version, toHttpResponseBackend(row, origin));
  })
  .delete(
    "/:id",
    ...operations.remove("Refused while an edge or a failover backend uses it.", "ERR_IN_USE"),
    async (c) => {
      const { session } = c.get("request");
      const id = c.req.param("id");
      const [deleted] = await session.all(rows.remove(id, allOf(isUnused(id), precondition(c, rows))));
      if (!deleted) throw await deletionRefusal(c, "http_response_backend", await rows.find(session, id), id);
      return respond(c, 204, null);
    },
  );
