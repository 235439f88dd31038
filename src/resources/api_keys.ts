import * as z from "zod";
import { exampleId, idSchema, isIdOf, stamp } from "../../packages/model/src/ids.ts";
import { kinds } from "../../packages/model/src/kinds.ts";
import { roles } from "../../packages/model/src/roles.ts";
import { boundedTexts } from "../../packages/model/src/values/descriptions.ts";
import { future } from "../../packages/model/src/values/instants.ts";
import { requestObject, schema } from "../../packages/model/src/values/request_schemas.ts";
import { apiKeys as table } from "../db/access_schema.ts";
import { isActiveBot } from "../db/key_statements.ts";
import { rowsOf } from "../db/rows.ts";
import { operationsOn } from "../http/collection.ts";
import type { Caller } from "../http/env.ts";
import { forbiddenOwner, invalidMembers, unauthenticated } from "../http/errors.ts";
import { forgetKey } from "../http/keys.ts";
import { byExpiry, byMetadata, type Filters } from "../http/lists.ts";
import { endpoints } from "../http/router.ts";
import { newToken, sha256 } from "../http/tokens.ts";
import { commit } from "../writes/commit.ts";
import { referencesExist, rule } from "../writes/requirements.ts";
import type { Requirement } from "../writes/write.ts";
import { describedMembers, exampleObject, toDescribed, unsetTexts } from "./common.ts";
import { objectsOf } from "./objects.ts";

type Row = typeof table.$inferSelect;
/** The rows of API keys. */
export const keyRows = rowsOf("api_key", table, {
  short: ["description", "metadata", "owner_id", "role", "expires_at", "last_used_at", "token_sha256"],
  hidden: { token_sha256: "all" },
});

const meanings = {
  owner_id:
    "The bot user that the key belongs to. The key works only while that bot user is active. A key created with the key of a bot user belongs to the same bot user.",
  role: "`viewer` and `planner` may read, `editor` may also write configuration, `admin` may also manage bot users and API keys; `agent` may only read the snapshot and report an agent's status; `metrics` may only read `GET /metrics`. Every role may call `GET /whoami`.",
  expires_at: "When the key stops working (RFC 3339).",
};

const filters: Filters = {
  owner_id: z.lazy(() => idSchema("bot_user").describe("Lists only the keys that belong to this bot user.")),
  ...byExpiry,
  ...byMetadata,
};

export const ApiKey = schema("ApiKey", () => ({
  description: kinds.api_key.about,
  examples: [{ ...exampleObject("api_key"), description: "CI of the shop", role: "editor", token: null }],
  type: z.strictObject({
    ...describedMembers(),
    owner_id: z.string().describe(meanings.owner_id).optional(),
    role: z.enum(roles).describe(meanings.role),
    expires_at: z.string().describe(meanings.expires_at).optional(),
    last_used_at: z
      .string()
      .describe("When the key was last used (RFC 3339). Can lag by up to ten minutes.")
      .optional(),
    token: z
      .string()
      .nullable()
      .describe(
        "The token to send as `Authorization: Bearer`. Present only in the response that creates the key; null in all others.",
      ),
  }),
}));
const ApiKeyCreate = schema("ApiKeyCreate", () => ({
  examples: [
    { description: "CI of the shop", role: "editor" },
    { description: "CI of the shop", owner_id: exampleId("bot_user"), role: "editor" },
  ],
  type: requestObject({
    ...boundedTexts(),
    owner_id: idSchema("bot_user").describe(meanings.owner_id).exactOptional(),
    role: z.enum(roles).describe(`${meanings.role} Defaults to \`"editor"\`.`).exactOptional(),
    expires_at: future()
      .describe(
        `${meanings.expires_at} If omitted, the key expires together with the key that creates it, or never if that one does not expire.`,
      )
      .exactOptional(),
  }),
}));

/** The owner, role and expiry of a key cannot be changed. */
const ApiKeyUpdate = schema("ApiKeyUpdate", () => ({
  examples: [{ description: "CI of the shop and the blog" }],
  type: requestObject(boundedTexts()),
}));

/** @param token only for a new key */
export const toApiKey = (row: Row, origin: string, token: string | null = null): z.output<typeof ApiKey> => ({
  ...toDescribed(row, origin),
  owner_id: row.owner_id ?? undefined,
  role: row.role,
  expires_at: row.expires_at ?? undefined,
  last_used_at: row.last_used_at ?? undefined,
  token,
});

/**
 * The owner and expiry of a new key, which cannot exceed the key that creates it: a bot's key only creates keys for that bot,
 * and no key outlives the key that creates it. A person who has signed in without a key may choose both.
 *
 * @throws 403 if a bot's key names another owner; 400 for a later expiry
 */
function boundsOf(
  maker: Caller | undefined,
  body: { owner_id?: string; expires_at?: string },
): Pick<Row, "owner_id" | "expires_at"> {
  if (!maker) throw unauthenticated();
  const own = maker.ownerId !== null && isIdOf("bot_user", maker.ownerId) ? maker.ownerId : null;
  const { owner_id = own, expires_at = maker.expiresAt } = body;
  if (own !== null && owner_id !== maker.ownerId) throw forbiddenOwner();
  if (maker.expiresAt !== null && (expires_at === null || expires_at > maker.expiresAt))
    throw invalidMembers([
      {
        path: "/expires_at",
        msg: `Expected a time no later than the expiry of the key that creates this one: ${maker.expiresAt}.`,
      },
    ]);
  return { owner_id, expires_at };
}

/** If a new key has an owner, that bot user exists and is active. */
const ownerRules = (id: string | null): Requirement[] =>
  id === null
    ? []
    : [
        referencesExist([{ path: "/owner_id", id }]),
        rule(isActiveBot(id), () =>
          invalidMembers([{ path: "/owner_id", msg: "This bot user is inactive: activate it first." }]),
        ),
      ];

const keys = objectsOf("api_key", keyRows, toApiKey);
export const operations = operationsOn("api_key", ApiKey, { read: "admin", write: "admin" });

export const apiKeys = endpoints()
  .post("/", operations.create(ApiKeyCreate, "ERR_UNKNOWN_REFERENCE"), async (c) => {
    const { caller, origin } = c.get("request");
    const body = c.req.valid("json");
    const identity = stamp("api_key");
    const token = newToken(identity.id);
    const unset = { ...unsetTexts, role: "editor", last_used_at: null } as const;
    const token_sha256 = await sha256(token);
    const row = { ...identity, ...unset, ...body, ...boundsOf(caller, body), token_sha256 };
    return commit(c, keys.create(c, row, ownerRules(row.owner_id), toApiKey(row, origin, token)));
  })
  .get("/", operations.list(filters), (c) => keys.list(c, c.req.valid("query")))
  .get("/:id", operations.get(), (c) => keys.get(c, c.req.param()))
  .patch("/:id", operations.update(ApiKeyUpdate), (c) =>
    commit(c, keys.change(c, c.req.param(), c.req.valid("json"))),
  )
  .delete("/:id", operations.remove("This revokes the key: it stops working within 20 seconds."), (c) => {
    const id = c.req.param("id");
    // Removed from the cache in any case: the deletion may have succeeded even if its response was lost.
    return commit(c, keys.remove(c, { id })).finally(() => forgetKey(id));
  });
