import type { Context } from "hono";
import * as z from "zod";
import { isIdOf, stamp } from "../../../packages/model/src/ids.ts";
import { lesser, peopleRoles } from "../../../packages/model/src/roles.ts";
import { boundedTexts } from "../../../packages/model/src/values/descriptions.ts";
import { future } from "../../../packages/model/src/values/instants.ts";
import { requestObject, schema } from "../../../packages/model/src/values/request_schemas.ts";
import { apiKeys as table } from "../../db/access_schema.ts";
import { pageOf } from "../../db/page_statement.ts";
import { raw, sql } from "../../db/statements.ts";
import { countSignIn, validity } from "../../http/auth.ts";
import type { App, Caller } from "../../http/env.ts";
import { conflict, invalidMembers, notFound, notForPeople, unauthenticated } from "../../http/errors.ts";
import { forgetKey } from "../../http/keys.ts";
import { listQuery, beforeLast, pageLinks } from "../../http/lists.ts";
import { operation } from "../../http/operation.ts";
import { respond, show } from "../../http/respond.ts";
import { endpoints } from "../../http/router.ts";
import { newToken, sha256 } from "../../http/tokens.ts";
import { commit } from "../../writes/commit.ts";
import { rule } from "../../writes/requirements.ts";
import { ApiKey, keyRows, operations, toApiKey } from "../api_keys.ts";
import { unsetTexts } from "../common.ts";
import { objectsOf } from "../objects.ts";

/*
 * Keys that people make for themselves, for the command line and for agents that act in their name.
 */

const PATH = "/users/me/keys";

type Row = typeof table.$inferSelect;

/** The most keys that a person can have. */
const MOST_KEYS = 100;

/** A personal key as responses show it: under its owner's own path, which every person may read. */
const toPersonalKey = (row: Row, origin: string, token: string | null = null) => ({
  ...toApiKey(row, origin, token),
  uri: `${origin}${PATH}/${row.id}`,
});

const keys = objectsOf("api_key", keyRows, (row: Row, origin) => toPersonalKey(row, origin));

const PersonalKeyCreate = schema("PersonalKeyCreate", () => ({
  examples: [{ description: "laptop", role: "editor" }],
  type: requestObject({
    ...boundedTexts(),
    role: z
      .enum(peopleRoles)
      .describe("The most that the key may do. It never exceeds your own role. If omitted, your own role.")
      .exactOptional(),
    expires_at: future()
      .describe(
        "When the key stops working (RFC 3339). In any case it stops 30 days (`PERSONAL_KEY_DAYS`) after your last sign-in.",
      )
      .exactOptional(),
  }),
}));

/** The person who calls, with a session or with a personal key. @throws 403 for other callers */
function personOf(c: Context<App>): { id: string; caller: Caller } {
  const { caller } = c.get("request");
  if (!caller) throw unauthenticated();
  const id = caller.ownerId;
  if (id === null || !isIdOf("user", id)) throw notForPeople("Only people have keys of their own: sign in.");
  return { id, caller };
}

const tag = "Users";

export const personalKeys = endpoints()
  .post(
    "/",
    operation({
      id: "PersonalKeysCreate",
      access: "any",
      summary: "Create a key for yourself",
      description:
        "Creates an API key that acts in your name, and returns it with its token. Requires a signed-in person: no key can create one. The key may do what its role and your role allow, and stops working when you have not signed in for 30 days. You can have 100 keys.",
      tag,
      body: PersonalKeyCreate,
      status: 201,
      response: ApiKey,
      errors: ["ERR_FORBIDDEN", "ERR_CONFLICT"],
    }),
    async (c) => {
      const { id: owner_id, caller } = personOf(c);
      if (caller.keyId !== owner_id) throw notForPeople("Sign in to create a key for yourself.");
      const { role = caller.role, ...body } = c.req.valid("json");
      if (lesser(role, caller.role) !== role)
        throw invalidMembers([{ path: "/role", msg: `Expected at most your own role, ${caller.role}.` }]);
      await countSignIn(c, "personal key");
      const identity = stamp("api_key");
      const token = newToken(identity.id);
      const unset = { ...unsetTexts, expires_at: null, last_used_at: null } as const;
      const row = { ...identity, ...unset, ...body, owner_id, role, token_sha256: await sha256(token) };
      const isSignedIn = { ...rule(validity(c), unauthenticated), isForReplays: true } as const;
      const hasRoom = sql`(select count(*) from ${table} where ${table.owner_id} = ${owner_id}) < ${raw(MOST_KEYS)}`;
      const isWithin = rule(hasRoom, () => conflict(`You have ${MOST_KEYS} keys. Delete one first.`));
      const { origin } = c.get("request");
      return commit(c, keys.create(c, row, [isSignedIn, isWithin], toPersonalKey(row, origin, token)));
    },
  )
  .get(
    "/",
    operation({
      id: "PersonalKeysList",
      access: "any",
      summary: "List your own keys",
      description: "Lists the API keys that you have created for yourself, newest first.",
      tag,
      query: listQuery("api_key", {}),
      status: 200,
      response: operations.page,
      errors: ["ERR_FORBIDDEN"],
    }),
    async (c) => {
      const { session, origin } = c.get("request");
      const { id: value } = personOf(c);
      const query = c.req.valid("query");
      const own = { ...query, filter: { kind: "api_key", name: "owner_id", value } } as const;
      const page = pageOf(await session.rows(keyRows.pages.page(origin, own)), query.limit);
      const shown = page.rows.map((row) => toPersonalKey(keyRows.decode(row), origin));
      return respond(
        c,
        200,
        JSON.stringify({ keys: shown, ...pageLinks(c, `${origin}${PATH}`, query.limit, beforeLast(page)) }),
      );
    },
  )
  .get(
    "/:id",
    operation({
      id: "PersonalKeysGet",
      access: "any",
      summary: "Get one of your own keys",
      description: "Returns an API key that you have created for yourself.",
      tag,
      path: { id: "api_key" },
      conditional: "read",
      status: 200,
      response: ApiKey,
      errors: ["ERR_FORBIDDEN"],
    }),
    async (c) => {
      const { session, origin } = c.get("request");
      const { id: owner } = personOf(c);
      const row = await session.first(keyRows.find(c.req.param()));
      if (row?.owner_id !== owner) throw notFound("api_key");
      return show(c, row.version, toPersonalKey(row, origin));
    },
  )
  .delete(
    "/:id",
    operation({
      id: "PersonalKeysDelete",
      access: "any",
      summary: "Delete one of your own keys",
      description:
        "Deletes an API key that you have created for yourself: it stops working within 20 seconds.",
      tag,
      path: { id: "api_key" },
      conditional: "change",
      status: 204,
      errors: ["ERR_FORBIDDEN"],
    }),
    (c) => {
      const { id: owner } = personOf(c);
      const id = c.req.param("id");
      const isOwn = sql`exists (select 1 from ${table} where ${table.id} = ${id} and ${table.owner_id} = ${owner})`;
      const write = keys.remove(c, { id });
      const requires = [rule(isOwn, () => notFound("api_key")), ...write.requires];
      return commit(c, { ...write, requires }).finally(() => forgetKey(id));
    },
  );
