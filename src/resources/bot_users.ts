import { Hono } from "hono";
import * as z from "zod";
import { rowsOf } from "../db/rows.ts";
import { apiKeys, botUsers as table } from "../db/schema.ts";
import type { App } from "../env.ts";
import { forgetKeysOf } from "../http/callers.ts";
import { operationsOn } from "../http/collection.ts";
import { precondition, represent, representIfNew } from "../http/conditions.ts";
import { create } from "../http/creation.ts";
import { notFound } from "../http/errors.ts";
import { page, pageOf, showPage } from "../http/pages.ts";
import { changeRefusal } from "../http/refusals.ts";
import { respond } from "../http/respond.ts";
import { stamp, kinds } from "../kinds.ts";
import { members, nonEmpty } from "../values/members.ts";
import { exampleObject, objectMembers, toObject } from "./object.ts";

type Row = typeof table.$inferSelect;
const rows = rowsOf(table);

const BotUser = z.lazy(() =>
  z
    .strictObject({
      ...objectMembers(),
      name: z.string().describe("Names the bot, for people."),
      active: z.boolean().describe("Whether the bot may act."),
    })
    .meta({
      id: "BotUser",
      description: kinds.bot_user.about,
      examples: [{ ...exampleObject("bot_user"), name: "deploy", active: true }],
    }),
);
const BotUserList = z.lazy(() => pageOf({ bot_users: z.array(BotUser) }).meta({ id: "BotUserList" }));

const botUserMutate = () =>
  members({
    name: nonEmpty().describe("Names the bot, for people."),
    active: z.boolean().describe("Whether the bot may act; true when left out on creation.").exactOptional(),
  });
const BotUserCreate = z.lazy(() =>
  botUserMutate().meta({ id: "BotUserCreate", examples: [{ name: "deploy" }] }),
);
const BotUserUpdate = z.lazy(() =>
  botUserMutate()
    .exactPartial()
    .meta({ id: "BotUserUpdate", examples: [{ active: false }] }),
);

const toBotUser = (row: Row, origin: string): z.output<typeof BotUser> => ({
  ...toObject(row, origin),
  name: row.name,
  active: row.active,
});

const operations = operationsOn("bot_user", BotUser, BotUserList, { read: "viewer", write: "admin" });

export const botUsers = new Hono<App>()
  .post("/", ...operations.create(BotUserCreate), async (c) => {
    const { origin } = c.get("request");
    const row = { ...stamp("bot_user"), active: true, ...c.req.valid("json") };
    const shown = toBotUser(row, origin);
    return create(c, { row, insert: (guard) => rows.insert(row, guard), shown });
  })
  .get("/", ...operations.list(), async (c) => {
    const { session, origin } = c.get("request");
    const query = c.req.valid("query");
    const { objects, links } = page(c, "bot_user", query, await rows.page(session, origin, query));
    return showPage(c, { bot_users: objects.map((row) => toBotUser(row, origin)), ...links });
  })
  .get("/:id", ...operations.get(), async (c) => {
    const { session, origin } = c.get("request");
    const row = await rows.find(session, c.req.param("id"));
    if (!row) throw notFound("bot_user");
    return representIfNew(c, row.version, toBotUser(row, origin));
  })
  .patch("/:id", ...operations.update(BotUserUpdate), async (c) => {
    const { session, origin } = c.get("request");
    const id = c.req.param("id");
    const row = await rows
      .change(session, id, c.req.valid("json"), precondition(c, rows))
      .finally(() => forgetKeysOf(id));
    if (!row) throw await changeRefusal(c, "bot_user", await rows.find(session, id));
    return represent(c, row.version, toBotUser(row, origin));
  })
  .delete("/:id", ...operations.remove("Its API keys are revoked with it."), async (c) => {
    const { session } = c.get("request");
    const id = c.req.param("id");
    const statements = [rows.remove(id, precondition(c, rows)), rows.removeOwned(apiKeys.owner_id, id)];
    // Its keys are forgotten in any case: the answer of a deletion that was done can be lost.
    const [deleted] = await session.batch(statements).finally(() => forgetKeysOf(id));
    if (!deleted?.length) throw await changeRefusal(c, "bot_user", await rows.find(session, id));
    return respond(c, 204, null);
  });
