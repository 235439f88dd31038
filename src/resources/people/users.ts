import * as z from "zod";
import { ref, type Ref, uriOf } from "../../../packages/model/src/ids.ts";
import { titled, kinds, plural } from "../../../packages/model/src/kinds.ts";
import { peopleRoles } from "../../../packages/model/src/roles.ts";
import { requestObject, schema } from "../../../packages/model/src/values/request_schemas.ts";
import { apiKeys, users as table } from "../../db/access_schema.ts";
import { rowsOf } from "../../db/rows.ts";
import { operationsOn } from "../../http/collection.ts";
import { forgetKeysOf } from "../../http/keys.ts";
import { operation } from "../../http/operation.ts";
import { endpoints } from "../../http/router.ts";
import { commit } from "../../writes/commit.ts";
import { authorized, exists } from "../../writes/requirements.ts";
import { followedBy } from "../../writes/write.ts";
import { exampleObject, objectMembers, toObject } from "../common.ts";
import { objectsOf } from "../objects.ts";
import { endOutdatedSessionsOf, endSessionsOf, type StoredSession } from "./session_statements.ts";

/*
 * People, whom admins manage, and their sessions. Nobody creates a user: signing in does.
 */

type Row = typeof table.$inferSelect;
const rows = rowsOf("user", table, { owned: { table: apiKeys, owner: apiKeys.owner_id } });
const meanings = {
  role: "The role that an admin has set. It overrides the role that the identity provider's groups give.",
  active: "Whether the person may sign in. Deactivating a person ends all sessions and personal keys.",
};

const User = schema("User", () => ({
  description: kinds.user.about,
  examples: [
    {
      ...exampleObject("user"),
      issuer: "https://login.example.com",
      subject: "248289761001",
      email: "ada@example.com",
      name: "Ada Lovelace",
      provider_role: "editor",
      active: true,
      last_seen_at: "2026-01-02T03:04:05Z",
    },
  ],
  type: z.strictObject({
    ...objectMembers(),
    issuer: z.string().describe("The identity provider. With `subject`, it identifies the person."),
    subject: z.string().describe("The person's identifier at the provider."),
    email: z
      .string()
      .describe("The email address at the last sign-in. Omitted if the provider sends none.")
      .optional(),
    name: z.string().describe("The name at the last sign-in. Omitted if the provider sends none.").optional(),
    role: z.enum(peopleRoles).describe(`${meanings.role} Omitted if not set.`).optional(),
    provider_role: z
      .enum(peopleRoles)
      .describe("The role that the provider's groups gave at the last sign-in. Omitted if none.")
      .optional(),
    active: z.boolean().describe(meanings.active),
    last_seen_at: z.string().describe("When the person last signed in (RFC 3339)."),
  }),
}));

/** A row as responses show it. */
export const toUser = (row: Row, origin: string): z.output<typeof User> => ({
  ...toObject(row, origin),
  issuer: row.issuer,
  subject: row.subject,
  email: row.email ?? undefined,
  name: row.name ?? undefined,
  role: row.role ?? undefined,
  provider_role: row.provider_role ?? undefined,
  active: row.active,
  last_seen_at: row.last_seen_at,
});

/** A session as events show it. */
export const toSession = (
  row: StoredSession,
  origin: string,
): { id: string; uri: string; user: z.output<typeof Ref> | null } & Record<string, unknown> => ({
  ...toObject(row, origin),
  user: row.user_id === null ? null : ref(origin, row.user_id),
  key: row.key_id === null ? null : ref(origin, row.key_id),
  role: row.role,
  expires_at: row.expires_at,
});

/** A rejected sign-in as events show it. */
export const toSignIn = (
  { id, way, reason }: { id: string; way: string; reason: string },
  origin: string,
): { id: string; uri: string; way: string; reason: string } => ({ id, uri: uriOf(origin, id), way, reason });

const people = objectsOf("user", rows, toUser);

const UserUpdate = schema("UserUpdate", () => ({
  examples: [{ role: "editor" }],
  type: requestObject({
    role: z
      .enum(["", ...peopleRoles])
      .describe(`${meanings.role} \`""\` returns to the provider's role.`)
      .exactOptional(),
    active: z.boolean().describe(meanings.active).exactOptional(),
  }),
}));

const operations = operationsOn("user", User, { read: "admin", write: "admin" });

export const users = endpoints()
  .get("/", operations.list({}), (c) => people.list(c, c.req.valid("query")))
  .get("/:id", operations.get(), (c) => people.get(c, c.req.param()))
  // Keys and sessions are removed from the cache in any case: the change may have succeeded even if its response was lost.
  .patch("/:id", operations.update(UserUpdate), (c) => {
    const id = c.req.param("id");
    const { role, ...others } = c.req.valid("json");
    const patch = { ...others, ...(role !== undefined && { role: role === "" ? null : role }) };
    const write = people.change(c, { id }, patch);
    return commit(
      c,
      followedBy(write, (cause) => endOutdatedSessionsOf({ id }, cause)),
    ).finally(() => forgetKeysOf(id));
  })
  .delete(
    "/:id",
    operations.remove(
      "Ends the person's sessions and deletes their personal keys. Events keep the person's name. Somebody who can still sign in at the identity provider becomes a new user: deactivate the user instead to prevent that.",
    ),
    (c) => {
      const id = c.req.param("id");
      const write = people.remove(c, { id });
      return commit(
        c,
        followedBy(write, (cause) => endSessionsOf(id, cause)),
      ).finally(() => forgetKeysOf(id));
    },
  )
  .delete(
    "/:id/sessions",
    operation({
      id: "UserSessionsDelete",
      access: "admin",
      summary: "Delete the sessions of a user",
      description:
        "Ends all sessions of a person: immediately for operations that need the role `admin`, within 20 seconds for others. Personal keys keep working.",
      tag: titled(plural(kinds.user.noun)),
      path: { id: "user" },
      status: 204,
    }),
    (c) => {
      const id = c.req.param("id");
      return commit(c, {
        requires: [authorized(c), exists("user", rows.row({ id }))],
        change: (cause) => ({ statements: endSessionsOf(id, cause) }),
        otherwise: () => ({ status: 204 }),
      }).finally(() => forgetKeysOf(id));
    },
  );
