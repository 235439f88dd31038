import type { Context } from "hono";
import { type Kind, kinds } from "../../packages/model/src/kinds.ts";
import type { RowVerb } from "../db/many_rows.ts";
import { PAGE_BYTES, pageOf, type PageQuery, type Pages } from "../db/page_statement.ts";
import type { Rows } from "../db/rows.ts";
import type { Session } from "../db/session.ts";
import type { Statement, Values } from "../db/statements.ts";
import type { RowKey } from "../db/uses.ts";
import type { App } from "../http/env.ts";
import { notFound } from "../http/errors.ts";
import { afterLast, beforeLast, memberOf, pageLinks } from "../http/lists.ts";
import { respond, show } from "../http/respond.ts";
import { authorized, conditionsMet, found } from "../writes/requirements.ts";
import { type Answer, type Bulk, type Requirement, type Write, followedBy } from "../writes/write.ts";

/** The JSON text of a page, in one round trip, or in two if the page has a long string. */
async function pageText(
  session: Session,
  pages: Pages,
  origin: string,
  query: PageQuery,
  shown: (found: Values[]) => string,
): Promise<string> {
  const quick = await session.rows(pages.quick(query));
  const text = pages.isCut(quick) ? undefined : shown(quick);
  if (text !== undefined && text.length <= PAGE_BYTES) return text;
  return shown(await session.rows(pages.page(origin, query)));
}

/**
 * Reads and writes the objects of one kind. Reads respond to the request; writes are values, for `commit()`.
 *
 * @param present converts a row to its response shape; `origin` is the start of every URI
 * @example
 * const bots = objectsOf("bot_user", rows, toBotUser);
 * .patch("/:id", operations.update(BotUserUpdate), (c) =>
 *   commit(c, bots.change(c, c.req.param(), c.req.valid("json"))))
 */
export function objectsOf<Row extends { id: string; version: number }>(
  kind: Kind,
  rows: Rows<Row>,
  present: (row: Row, origin: string) => { uri: string },
) {
  const bulk = (verb: RowVerb, item: Bulk["item"]): { bulk?: Bulk } =>
    rows.many ? { bulk: { many: rows.many, verb, item } } : {};
  return {
    /** Responds with a page of objects. */
    async list(c: Context<App>, query: PageQuery): Promise<Response> {
      const { session, origin } = c.get("request");
      const shown = (found: Values[]): string => {
        const page = pageOf(found, query.limit);
        const objects = page.rows.map((row) => present(rows.decode(row), origin));
        const start = query.expiring ? afterLast(page) : beforeLast(page);
        const links = pageLinks(c, `${origin}${kinds[kind].path}`, query.limit, start);
        return JSON.stringify({ [memberOf(kind)]: objects, ...links });
      };
      return respond(c, 200, await pageText(session, rows.pages, origin, query, shown));
    },

    /** Responds with one object. @throws 404 if there is none with this id */
    async get(c: Context<App>, key: RowKey): Promise<Response> {
      const { session, origin } = c.get("request");
      const row = await session.first(rows.find(key));
      if (!row) throw notFound(kind);
      return show(c, row.version, present(row, origin));
    },

    /** @param shown the response body, if it contains more than a replay may show */
    create(c: Context<App>, row: Row, requires: Requirement[] = [], shown?: { uri: string }): Write {
      const kept = present(row, c.get("request").origin);
      const answer: Answer = { status: 201, version: row.version, body: shown ?? kept };
      return {
        requires: [authorized(c), ...requires],
        change: (cause) => rows.insert(row, cause),
        creates: { id: row.id, answer, kept },
        ...bulk("insert", row),
      };
    },

    /**
     * Changes the fields in `patch`. An empty patch changes nothing and returns the object.
     *
     * @param show builds the response body from the changed row, if it contains more than usual
     */
    change(
      c: Context<App>,
      key: RowKey,
      patch: Partial<Row>,
      requires: Requirement[] = [],
      show: typeof present = present,
    ): Write {
      const { origin } = c.get("request");
      const row = rows.row(key);
      return {
        requires: [authorized(c), found(kind, row), ...requires, conditionsMet(c, row)],
        change: (cause) => rows.change(key, patch, cause),
        answer(found) {
          const changed = rows.decode(found);
          return { status: 200, version: changed.version, body: show(changed, origin) };
        },
        ...(Object.keys(patch).length > 0 && bulk("change", { ...patch, id: key.id })),
      };
    },

    /** @param others statements to be sent after the deletion */
    remove(c: Context<App>, key: RowKey, requires: Requirement[] = [], others: Statement[] = []): Write {
      const row = rows.row(key);
      const write: Write = {
        requires: [authorized(c), found(kind, row), ...requires, conditionsMet(c, row)],
        change: (cause) => rows.remove(key, cause),
        answer: () => ({ status: 204 }),
        ...bulk("remove", { id: key.id }),
      };
      return others.length === 0 ? write : followedBy(write, () => others);
    },
  };
}
