import * as z from "zod";
import { stamp } from "../../../packages/model/src/ids.ts";
import { backendUsers, kinds } from "../../../packages/model/src/kinds.ts";
import { unboundedTexts } from "../../../packages/model/src/values/descriptions.ts";
import { hostport } from "../../../packages/model/src/values/hostports.ts";
import { requestObject, schema } from "../../../packages/model/src/values/request_schemas.ts";
import { rowsOf } from "../../db/rows.ts";
import { staticBackends as table } from "../../db/schema.ts";
import { operationsOn } from "../../http/collection.ts";
import { endpoints } from "../../http/router.ts";
import { commit } from "../../writes/commit.ts";
import { unused } from "../../writes/requirements.ts";
import { describedMembers, exampleObject, toDescribed, unsetTexts } from "../common.ts";
import { objectsOf } from "../objects.ts";
import { usedBy } from "../used_by.ts";

type Row = typeof table.$inferSelect;
const rows = rowsOf("static_backend", table, { short: ["address", "tls"] });

const meanings = {
  address: "Where traffic is forwarded to, as `host:port`.",
  tls: "TLS on the way to the address.",
  enabled:
    "Whether traffic is forwarded over TLS: the host of `address` is sent as SNI, and the upstream's certificate must be valid for it and issued under the system's roots.",
};

const StaticBackend = schema("StaticBackend", () => ({
  description: kinds.static_backend.about,
  examples: [
    {
      ...exampleObject("static_backend"),
      description: "The shop",
      address: "shop.internal.example.com:8443",
      tls: { enabled: true },
    },
  ],
  type: z.strictObject({
    ...describedMembers(),
    address: z.string().describe(meanings.address),
    tls: z.strictObject({ enabled: z.boolean().describe(meanings.enabled) }).describe(meanings.tls),
  }),
}));

const staticBackendMutate = () =>
  requestObject({
    ...unboundedTexts(),
    address: hostport().describe(meanings.address),
    tls: requestObject({ enabled: z.boolean().describe(meanings.enabled).default(false) })
      .describe(`${meanings.tls} On creation, defaults to \`{}\`.`)
      .exactOptional(),
  });
const StaticBackendCreate = schema("StaticBackendCreate", () => ({
  examples: [{ description: "The shop", address: "shop.internal.example.com:8443", tls: { enabled: true } }],
  type: staticBackendMutate(),
}));
const StaticBackendUpdate = schema("StaticBackendUpdate", () => ({
  examples: [{ address: "192.0.2.7:8080", tls: { enabled: false } }],
  type: staticBackendMutate().exactPartial(),
}));

const unset = { ...unsetTexts, tls: { enabled: false } };

/** A row as responses show it. */
export const toStaticBackend = (row: Row, origin: string): z.output<typeof StaticBackend> => ({
  ...toDescribed(row, origin),
  address: row.address,
  tls: row.tls,
});

const backends = objectsOf("static_backend", rows, toStaticBackend);
const operations = operationsOn("static_backend", StaticBackend);

export const staticBackends = endpoints()
  .post("/", operations.create(StaticBackendCreate), (c) =>
    commit(c, backends.create(c, { ...stamp("static_backend"), ...unset, ...c.req.valid("json") })),
  )
  .get("/", operations.list(), (c) => backends.list(c, c.req.valid("query")))
  .get("/:id", operations.get(), (c) => backends.get(c, c.req.param()))
  .patch("/:id", operations.update(StaticBackendUpdate), (c) =>
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
    usedBy({ kind: "static_backend", users: [...backendUsers, "weighted_backend"], rows }),
  );
