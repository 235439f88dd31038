import { Hono } from "hono";
import * as z from "zod";
import { clock, timestamp } from "../clock.ts";
import { rowsOf } from "../db/rows.ts";
import { apiKeys as table } from "../db/schema.ts";
import type { Guard } from "../db/statements.ts";
import type { App } from "../env.ts";
import { forgetKey } from "../http/callers.ts";
import { operationsOn } from "../http/collection.ts";
import { precondition, represent, representIfNew } from "../http/conditions.ts";
import { create } from "../http/creation.ts";
import { notFound } from "../http/errors.ts";
import { page, pageOf, showPage } from "../http/pages.ts";
import { changeRefusal } from "../http/refusals.ts";
import { respond } from "../http/respond.ts";
import { exampleId, idOf, kinds, stamp } from "../kinds.ts";
import { lazily, type Output } from "../lazily.ts";
import { roles } from "../roles.ts";
import { newToken, sha256 } from "../tokens.ts";
import { boundedTexts, members } from "../values/members.ts";
import { describedMembers, exampleObject, toDescribed, unsetTexts } from "./object.ts";

type Row = typeof table.$inferSelect;
const rows = rowsOf(table);

const meanings = {
  owner_id: "The bot user that the key belongs to: it works only while the bot is active.",
  role: "`viewer` reads, `editor` also writes configuration, `admin` also manages bots and keys.",
  expires_at: "When the key stops working: RFC 3339.",
};

const ApiKey = lazily(() =>
  z
    .strictObject({
      ...describedMembers(),
      owner_id: z.string().describe(meanings.owner_id).optional(),
      role: z.enum(roles).describe(meanings.role),
      expires_at: z.string().describe(meanings.expires_at).optional(),
      last_used_at: z
        .string()
        .describe("When the key was last used, at most ten minutes behind: RFC 3339.")
        .optional(),
      token: z
        .string()
        .nullable()
        .describe("What callers send. Shown once, when the key is created; null ever after."),
    })
    .meta({
      id: "ApiKey",
      description: kinds.api_key.about,
      examples: [{ ...exampleObject("api_key"), description: "CI of the shop", role: "editor", token: null }],
    }),
);
const ApiKeyList = lazily(() => pageOf({ keys: z.array(ApiKey()) }).meta({ id: "ApiKeyList" }));

const YEAR_10000 = Date.UTC(10_000, 0);

/** An instant at least a second ahead (RFC 3339 §5.6); comes out in UTC with whole seconds, cut off. */
const future = lazily(() =>
  z.iso
    .datetime({
      offset: true,
      error: "Expected an instant as RFC 3339 has it: 2030-01-02T03:04:05Z.",
      abort: true,
    })
    .refine((text) => Date.parse(text) > clock.now() + 1000, "Expected an instant in the future.")
    .refine((text) => Date.parse(text) < YEAR_10000, "Expected a year of four digits.")
    .transform((text) => timestamp(Date.parse(text))),
);

const ApiKeyCreate = lazily(() =>
  members({
    ...boundedTexts(),
    owner_id: idOf("bot_user").describe(meanings.owner_id).exactOptional(),
    role: z.enum(roles).describe(`${meanings.role} \`editor\` when left out.`).exactOptional(),
    expires_at: future().describe(`${meanings.expires_at} Never when left out.`).exactOptional(),
  }).meta({
    id: "ApiKeyCreate",
    examples: [{ description: "CI of the shop", owner_id: exampleId("bot_user"), role: "editor" }],
  }),
);

/** A key keeps its owner, its role and its end for life. */
const ApiKeyUpdate = lazily(() =>
  members(boundedTexts()).meta({
    id: "ApiKeyUpdate",
    examples: [{ description: "CI of the shop and the blog" }],
  }),
);

/** @param token only when the key was just made */
const toApiKey = (row: Row, origin: string, token: string | null = null): Output<typeof ApiKey> => ({
  ...toDescribed(row, origin),
  owner_id: row.owner_id ?? undefined,
  role: row.role,
  expires_at: row.expires_at ?? undefined,
  last_used_at: row.last_used_at ?? undefined,
  token,
});

const operations = operationsOn("api_key", ApiKey, ApiKeyList, { read: "admin", write: "admin" });

export const apiKeys = new Hono<App>()
  .post("/", operations.create(ApiKeyCreate, "ERR_UNKNOWN_REFERENCE"), async (c) => {
    const { origin } = c.get("request");
    const body = c.req.valid("json");
    const identity = stamp("api_key");
    const token = newToken(identity.id);
    const unset = {
      ...unsetTexts,
      owner_id: null,
      role: "editor",
      expires_at: null,
      last_used_at: null,
    } as const;
    const row = { ...identity, ...unset, ...body, token_sha256: await sha256(token) };
    const references = body.owner_id ? [{ path: "/owner_id", id: body.owner_id }] : [];
    const insert = (guard: Guard) => rows.insert(row, guard);
    const shown = toApiKey(row, origin, token);
    return create(c, { row, references, insert, shown, kept: toApiKey(row, origin) });
  })
  .get("/", operations.list(), async (c) => {
    const { session, origin } = c.get("request");
    const query = c.req.valid("query");
    const { objects, links } = page(c, "api_key", query, await rows.page(session, query));
    return showPage(c, { keys: objects.map((row) => toApiKey(row, origin)), ...links });
  })
  .get("/:id", operations.get(), async (c) => {
    const { session, origin } = c.get("request");
    const row = await rows.find(session, c.req.param("id"));
    if (!row) throw notFound("api_key");
    return representIfNew(c, row.version, toApiKey(row, origin));
  })
  .patch("/:id", operations.update(ApiKeyUpdate), async (c) => {
    const { session, origin } = c.get("request");
    const id = c.req.param("id");
    const row = await rows.change(session, id, c.req.valid("json"), precondition(c, rows));
    if (!row) throw await changeRefusal(c, "api_key", await rows.find(session, id));
    return represent(c, row.version, toApiKey(row, origin));
  })
  .delete(
    "/:id",
    operations.remove("It stops working: here at once, elsewhere within 20 seconds."),
    async (c) => {
      const { session } = c.get("request");
      const id = c.req.param("id");
      // Forgotten in any case: the answer of a deletion that was done can be lost.
      const [deleted] = await session
        .all(rows.remove(id, precondition(c, rows)))
        .finally(() => forgetKey(id));
      if (!deleted) throw await changeRefusal(c, "api_key", await rows.find(session, id));
      return respond(c, 204, null);
    },
  );
