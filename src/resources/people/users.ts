import * as z from "zod";
import { titled, kinds } from "../../../packages/model/src/kinds.ts";
import { peopleRoles } from "../../../packages/model/src/roles.ts";
import { requestObject, schema } from "../../../packages/model/src/values/request_schemas.ts";
import { rowsOf } from "../../db/rows.ts";
import { apiKeys, users as table } from "../../db/schema.ts";
import { operationsOn } from "../../http/collection.ts";
import { endpoints } from "../../http/endpoints.ts";
import { forgetKeysOf } from "../../http/keys.ts";
import { operation } from "../../http/operation.ts";
import { commit } from "../../writes/commit.ts";
import { authorized, exists } from "../../writes/requirements.ts";
import { followedBy } from "../../writes/write.ts";
import { objectsOf } from "../objects.ts";
import { endOutdatedSessionsOf, endSessionsOf } from "./session_statements.ts";
import { meanings, toUser, User } from "./shown.ts";

/*
 * People, whom admins manage. Nobody creates a user: signing in does.
 */

const rows = rowsOf("user", table, { owned: { table: apiKeys, owner: apiKeys.owner_id } });
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
  .get("/", ...operations.list({}), (c) => people.list(c, c.req.valid("query")))
  .get("/:id", ...operations.get(), (c) => people.get(c, c.req.param()))
  // Keys and sessions are removed from the cache in any case: the change may have succeeded even if its response was lost.
  .patch("/:id", ...operations.update(UserUpdate), (c) => {
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
    ...operations.remove(
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
    ...operation({
      id: "UserSessionsDelete",
      access: "admin",
      summary: "Delete the sessions of a user",
      description:
        "Ends all sessions of a person: at once for operations that need the role `admin`, within 20 seconds for others. Personal keys keep working.",
      tag: titled(kinds.user.nouns),
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
