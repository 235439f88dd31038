import type { Hono } from "hono";
import * as z from "zod";
import { EXAMPLE_ORIGIN, exampleId, exampleRef, Ref, ref, uriOf } from "../../packages/model/src/ids.ts";
import {
  type Kind,
  kinds,
  operationPrefix,
  titled,
  withArticle,
  plural,
} from "../../packages/model/src/kinds.ts";
import type { NeededRole } from "../../packages/model/src/roles.ts";
import { schema } from "../../packages/model/src/values/request_schemas.ts";
import { type UserKey, usersPage, type UsersQuery } from "../db/references.ts";
import { sql, type Statement } from "../db/statements.ts";
import type { RowKey } from "../db/uses.ts";
import { rowExists, type Versioned } from "../db/versions.ts";
import type { App } from "../http/env.ts";
import { notFound } from "../http/errors.ts";
import { usersQuery, pageLinks } from "../http/lists.ts";
import { operation } from "../http/operation.ts";
import { respond } from "../http/respond.ts";
import { endpoints } from "../http/router.ts";

const UsedBy = schema("UsedBy", () => ({
  description: "The objects that refer to an object.",
  examples: [
    {
      used_by: [exampleRef("tcp_edge")],
      uri: `${uriOf(EXAMPLE_ORIGIN, exampleId("ip_policy"))}/used_by`,
      next_page_uri: null,
    },
  ],
  type: z.strictObject({
    used_by: z.array(Ref).describe("The objects on this page, by descending id."),
    uri: z.string().describe("URI of the list."),
    next_page_uri: z.string().nullable().describe("URI of the next page; null if there is none."),
  }),
}));

/** Settings for one kind of object that others refer to. */
interface Used {
  kind: Kind;
  /** The kinds of objects that can refer to it. */
  users: readonly [Kind, ...Kind[]];
  rows: { row(key: RowKey): Versioned };
  /** The role required to see them; `viewer` if left out. */
  access?: NeededRole;
  /** Reads the users on a page and one more; {@link usersPage} if left out. */
  page?: (id: string, query: UsersQuery) => Statement<UserKey>;
}

/** GET of the objects that refer to an object, to be mounted at `/:id/used_by`. */
export function usedBy({ kind, users, rows, access = "viewer", page = usersPage }: Used): Hono<App> {
  const one = withArticle(kinds[kind].noun);
  const names = users.map((user) => plural(kinds[user].noun)).join(", ");
  const modules = users.includes("tls_edge")
    ? " Disabled modules are included, and so are edges and routes that are managed elsewhere."
    : "";
  return endpoints().get(
    "/",
    operation({
      id: `${operationPrefix(kind)}UsedByList`,
      access,
      summary: `List users of ${one}`,
      description: `Lists the objects that refer to ${one}, by descending id: ${names}.${modules}`,
      tag: titled(plural(kinds[kind].noun)),
      path: { id: kind },
      query: usersQuery(...users),
      status: 200,
      response: UsedBy,
    }),
    async (c) => {
      const { session, origin } = c.get("request");
      const id = c.req.param("id") ?? "";
      const query = c.req.valid("query");
      const statement = page(id, query);
      const [found = [], rowsFound = []] = await session.batch([
        sql`select 1 where ${rowExists(rows.row({ id }))}`,
        statement,
      ]);
      if (!found[0]) throw notFound(kind);
      const all = rowsFound.map(statement.decode);
      const shown = all.slice(0, query.limit);
      const body = {
        used_by: shown.map(({ user, edge_id }) => ref(origin, user, edge_id)),
        ...pageLinks(c, `${uriOf(origin, id)}/used_by`, query.limit, startOf(shown.at(-1), all[query.limit])),
      };
      return respond(c, 200, JSON.stringify(body));
    },
  );
}

/** Where the page after `last` starts. @param next the first user on it, if there is one */
const startOf = (last: UserKey | undefined, next: UserKey | undefined) =>
  last && next && { before_id: last.user, ...(last.user === next.user && { before_edge_id: last.edge_id }) };
