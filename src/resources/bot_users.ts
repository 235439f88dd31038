import * as z from "zod";
import { stamp } from "../../packages/model/src/ids.ts";
import { kinds } from "../../packages/model/src/kinds.ts";
import { requestObject, nonEmpty, schema } from "../../packages/model/src/values/request_schemas.ts";
import { apiKeys, botUsers as table } from "../db/access_schema.ts";
import { keysPage } from "../db/references.ts";
import { rowsOf } from "../db/rows.ts";
import { operationsOn } from "../http/collection.ts";
import { forgetKeysOf } from "../http/keys.ts";
import { endpoints } from "../http/router.ts";
import { commit } from "../writes/commit.ts";
import { exampleObject, objectMembers, toObject } from "./common.ts";
import { objectsOf } from "./objects.ts";
import { usedBy } from "./used_by.ts";

type Row = typeof table.$inferSelect;
const rows = rowsOf("bot_user", table, { owned: { table: apiKeys, owner: apiKeys.owner_id } });

const meanings = {
  name: "Human-readable name.",
  active: "Whether the bot user is active. The API keys of an inactive bot user are rejected.",
};

const BotUser = schema("BotUser", () => ({
  description: kinds.bot_user.about,
  examples: [{ ...exampleObject("bot_user"), name: "deploy", active: true }],
  type: z.strictObject({
    ...objectMembers(),
    name: z.string().describe(meanings.name),
    active: z.boolean().describe(meanings.active),
  }),
}));

const botUserMutate = () =>
  requestObject({
    name: nonEmpty().describe(meanings.name),
    active: z.boolean().describe(`${meanings.active} On creation, defaults to \`true\`.`).exactOptional(),
  });
const BotUserCreate = schema("BotUserCreate", () => ({
  examples: [{ name: "deploy" }],
  type: botUserMutate(),
}));
const BotUserUpdate = schema("BotUserUpdate", () => ({
  examples: [{ active: false }],
  type: botUserMutate().exactPartial(),
}));

/** A row as responses show it. */
export const toBotUser = (row: Row, origin: string): z.output<typeof BotUser> => ({
  ...toObject(row, origin),
  name: row.name,
  active: row.active,
});

const bots = objectsOf("bot_user", rows, toBotUser);
const operations = operationsOn("bot_user", BotUser, { read: "viewer", write: "admin" });

export const botUsers = endpoints()
  .post("/", operations.create(BotUserCreate), (c) =>
    commit(c, bots.create(c, { ...stamp("bot_user"), active: true, ...c.req.valid("json") })),
  )
  .get("/", operations.list({}), (c) => bots.list(c, c.req.valid("query")))
  .get("/:id", operations.get(), (c) => bots.get(c, c.req.param()))
  // Its keys are removed from the cache in any case: the change may have succeeded even if its response was lost.
  .patch("/:id", operations.update(BotUserUpdate), (c) => {
    const id = c.req.param("id");
    return commit(c, bots.change(c, { id }, c.req.valid("json"))).finally(() => forgetKeysOf(id));
  })
  .delete("/:id", operations.remove("Its API keys are deleted too."), (c) => {
    const id = c.req.param("id");
    return commit(c, bots.remove(c, { id })).finally(() => forgetKeysOf(id));
  })
  .route(
    "/:id/used_by",
    usedBy({ kind: "bot_user", users: ["api_key"], rows, access: "admin", page: keysPage }),
  );
