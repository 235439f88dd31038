import { Hono } from "hono";
import * as z from "zod";
import type { Session } from "../../db/database.ts";
import { allExist, isNotWithin, isUnused, type Reference } from "../../db/references.ts";
import { rowsOf } from "../../db/rows.ts";
import { failoverBackends as table } from "../../db/schema.ts";
import { allOf, always } from "../../db/statements.ts";
import type { App } from "../../env.ts";
import { operationsOn } from "../../http/collection.ts";
import { precondition, represent, representIfNew } from "../../http/conditions.ts";
import { create } from "../../http/creation.ts";
import { type ApiError, invalidMembers, notFound } from "../../http/errors.ts";
import { page, pageOf, showPage } from "../../http/pages.ts";
import { changeRefusal, deletionRefusal } from "../../http/refusals.ts";
import { respond } from "../../http/respond.ts";
import { exampleId, idOf, stamp, kinds } from "../../kinds.ts";
import { IDS, list, members, unboundedTexts } from "../../values/members.ts";
import { describedMembers, exampleObject, toDescribed, unsetTexts } from "../object.ts";

type Row = typeof table.$inferSelect;
const rows = rowsOf(table);

const children = "Ids of the child backends, in order: failover or HTTP response backends.";

const FailoverBackend = z.lazy(() =>
  z
    .strictObject({
      ...describedMembers(),
      backends: z.array(z.string()).nullable().describe(children),
    })
    .meta({
      id: "FailoverBackend",
      description: kinds.failover_backend.about,
      examples: [
        {
          ...exampleObject("failover_backend"),
          description: "The shop, or the maintenance page",
          backends: [exampleId("http_response_backend")],
        },
      ],
    }),
);
const FailoverBackendList = z.lazy(() =>
  pageOf({ backends: z.array(FailoverBackend) }).meta({
    id: "FailoverBackendList",
  }),
);

const failoverBackendMutate = () =>
  members({
    ...unboundedTexts(),
    backends: list(idOf("failover_backend", "http_response_backend"), IDS).describe(children).exactOptional(),
  });
const FailoverBackendCreate = z.lazy(() =>
  failoverBackendMutate().meta({
    id: "FailoverBackendCreate",
    examples: [
      { description: "The shop, or the maintenance page", backends: [exampleId("http_response_backend")] },
    ],
  }),
);
const FailoverBackendUpdate = z.lazy(() =>
  failoverBackendMutate().meta({
    id: "FailoverBackendUpdate",
    examples: [{ backends: [exampleId("http_response_backend"), exampleId("failover_backend")] }],
  }),
);

const toFailoverBackend = (row: Row, origin: string): z.output<typeof FailoverBackend> => ({
  ...toDescribed(row, origin),
  backends: row.backends,
});

const references = (backends: string[]): Reference[] =>
  backends.map((id, index) => ({ path: `/backends/${index}`, id }));

/** The refusal of children that are the backend `id` or contain it. */
async function cycleRefusal(session: Session, id: string, children: string[]): Promise<ApiError | undefined> {
  if (children.length === 0 || (await rows.find(session, id, isNotWithin(id, children)))) return undefined;
  return invalidMembers([
    { path: "/backends", msg: "A backend may not contain itself, directly or through others." },
  ]);
}

const operations = operationsOn("failover_backend", FailoverBackend, FailoverBackendList);

export const failoverBackends = new Hono<App>()
  .post("/", ...operations.create(FailoverBackendCreate, "ERR_UNKNOWN_REFERENCE"), async (c) => {
    const { origin } = c.get("request");
    const body = c.req.valid("json");
    const unset = { ...unsetTexts, backends: null };
    const row = { ...stamp("failover_backend"), ...unset, ...body };
    const children = references(body.backends ?? []);
    const shown = toFailoverBackend(row, origin);
    return create(c, {
      row,
      references: children,
      insert: (guard) => rows.insert(row, guard),
      shown,
    });
  })
  .get("/", ...operations.list(), async (c) => {
    const { session, origin } = c.get("request");
    const query = c.req.valid("query");
    const { objects, links } = page(c, "failover_backend", query, await rows.page(session, origin, query));
    return showPage(c, { backends: objects.map((row) => toFailoverBackend(row, origin)), ...links });
  })
  .get("/:id", ...operations.get(), async (c) => {
    const { session, origin } = c.get("request");
    const row = await rows.find(session, c.req.param("id"));
    if (!row) throw notFound("failover_backend");
    return representIfNew(c, row.version, toFailoverBackend(row, origin));
  })
  .patch("/:id", ...operations.update(FailoverBackendUpdate, "ERR_UNKNOWN_REFERENCE"), async (c) => {
    const { session, origin } = c.get("request");
    const id = c.req.param("id");
    const patch = c.req.valid("json");
    const children = patch.backends ?? [];
    const isAcyclic = children.length === 0 ? always : isNotWithin(id, children);
    const guard = allOf(precondition(c, rows), allExist(references(children)), isAcyclic);
    const row = await rows.change(session, id, patch, guard);
    if (!row)
      throw await changeRefusal(c, "failover_backend", await rows.find(session, id), {
        references: references(children),
        rule: () => cycleRefusal(session, id, children),
      });
    return represent(c, row.version, toFailoverBackend(row, origin));
  })
  .delete(
    "/:id",
    ...operations.remove("Refused while an edge or another failover backend uses it.", "ERR_IN_USE"),
    async (c) => {
      const { session } = c.get("request");
      const id = c.req.param("id");
      const [deleted] = await session.all(rows.remove(id, allOf(isUnused(id), precondition(c, rows))));
      if (!deleted) throw await deletionRefusal(c, "failover_backend", await rows.find(session, id), id);
      return respond(c, 204, null);
    },
  );
