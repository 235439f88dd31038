import { and, desc, eq, notExists } from "drizzle-orm";
import { Hono } from "hono";
import * as z from "zod";
import type { Database } from "../db/database.ts";
import { apiKeys, botUsers as table } from "../db/schema.ts";
import { insertIf, isEmpty, olderThan } from "../db/statements.ts";
import { next } from "../db/versions.ts";
import type { App } from "../env.ts";
import { forgetKeysOf } from "../http/callers.ts";
import { operationsOn } from "../http/collection.ts";
import { precondition, represent, representIfNew } from "../http/conditions.ts";
import { create } from "../http/creation.ts";
import { notFound } from "../http/errors.ts";
import { page, pageOf } from "../http/pages.ts";
import { changeRefusal } from "../http/refusals.ts";
import { stamp, kinds } from "../kinds.ts";
import { members, nonEmpty } from "../values/members.ts";
import { exampleObject, objectMembers, toObject } from "./object.ts";

type Row = typeof table.$inferSelect;

const BotUser = z
  .strictObject({
    ...objectMembers,
    name: z.string().describe("Names the bot, for people."),
    active: z.boolean().describe("Whether the bot may act."),
  })
  .meta({
    id: "BotUser",
    description: kinds.bot_user.about,
    examples: [{ ...exampleObject("bot_user"), name: "deploy", active: true }],
  });
const BotUserList = pageOf({ bot_users: z.array(BotUser) }).meta({ id: "BotUserList" });

const botUserMutate = members({
  name: nonEmpty().describe("Names the bot, for people."),
  active: z.boolean().describe("Whether the bot may act; true when left out on creation.").exactOptional(),
});
const BotUserCreate = botUserMutate.meta({ id: "BotUserCreate", examples: [{ name: "deploy" }] });
const BotUserUpdate = botUserMutate
  .exactPartial()
  .meta({ id: "BotUserUpdate", examples: [{ active: false }] });

const toBotUser = (row: Row, origin: string): z.infer<typeof BotUser> => ({
  ...toObject(row, origin),
  name: row.name,
  active: row.active,
});

async function find(db: Database, id: string): Promise<Row | undefined> {
  const [row] = await db.select().from(table).where(eq(table.id, id));
  return row;
}

const operations = operationsOn("bot_user", BotUser, BotUserList, { read: "viewer", write: "admin" });

export const botUsers = new Hono<App>()
  .post("/", operations.create(BotUserCreate), async (c) => {
    const { db, origin } = c.var;
    const row = { ...stamp("bot_user"), active: true, ...c.req.valid("json") };
    const shown = toBotUser(row, origin);
    return create(c, { row, insert: (guard) => insertIf(db, table, row, guard), shown });
  })
  .get("/", operations.list(), async (c) => {
    const { db, origin } = c.var;
    const query = c.req.valid("query");
    const found = await db
      .select()
      .from(table)
      .where(olderThan(table.id, query.before_id))
      .orderBy(desc(table.id))
      .limit(query.limit + 1);
    const { rows, links } = page(c, "bot_user", query, found);
    return c.json({ bot_users: rows.map((row) => toBotUser(row, origin)), ...links });
  })
  .get("/:id", operations.get(), async (c) => {
    const row = await find(c.var.db, c.req.param("id"));
    if (!row) throw notFound("bot_user");
    return representIfNew(c, row.version, toBotUser(row, c.var.origin));
  })
  .patch("/:id", operations.update(BotUserUpdate), async (c) => {
    const { db, origin } = c.var;
    const patch = c.req.valid("json");
    const id = c.req.param("id");
    const isIt = eq(table.id, id);
    const where = and(isIt, precondition(c, table, isIt));
    const [row] = await (
      isEmpty(patch)
        ? db.select().from(table).where(where)
        : db
            .update(table)
            .set({ ...patch, version: next(table.version) })
            .where(where)
            .returning()
    ).finally(() => forgetKeysOf(id));
    if (!row) throw await changeRefusal(c, "bot_user", await find(db, id));
    return represent(c, row.version, toBotUser(row, origin));
  })
  .delete("/:id", operations.remove("Its API keys are revoked with it."), async (c) => {
    const { db } = c.var;
    const id = c.req.param("id");
    const isIt = eq(table.id, id);
    const isGone = notExists(db.select({ id: table.id }).from(table).where(isIt));
    // Its keys are forgotten in any case: the answer of a deletion that was done can be lost.
    const [[deleted]] = await db
      .batch([
        db
          .delete(table)
          .where(and(isIt, precondition(c, table, isIt)))
          .returning({ id: table.id }),
        db.delete(apiKeys).where(and(eq(apiKeys.owner_id, id), isGone)),
      ])
      .finally(() => forgetKeysOf(id));
    if (!deleted) throw await changeRefusal(c, "bot_user", await find(db, id));
    return c.body(null, 204);
  });
