import type { SQL } from "drizzle-orm";
import { Hono } from "hono";
import type { Database } from "../db/database.ts";
import { allExist } from "../db/references.ts";
import type { App } from "../env.ts";
import type { ErrorCode } from "../http/error_codes.ts";
import { moduleNotSet, notFound } from "../http/errors.ts";
import { operation } from "../http/operation.ts";
import { changeRefusal } from "../http/refusals.ts";
import { type Kind, kinds, titled, withArticle } from "../kinds.ts";
import type { Role } from "../roles.ts";
import type { EdgeModule } from "./module.ts";

/** What has modules: an edge or a route, and how its row is read and written. */
export interface ModuleOwner<Key, Row, Patch> {
  kind: Kind;
  /** The ids in the path, and which kind of object each names. */
  path: Record<string, Kind>;
  /** The owner that a path names. @throws 404 when the parameters cannot be ids of it */
  key(parameters: Record<string, string>): Key;
  find(db: Database, key: Key): Promise<Row | undefined>;
  /** Writes `patch` if `guard` holds; undefined when nothing was written. */
  change(db: Database, key: Key, patch: Patch, guard?: SQL): Promise<Row | undefined>;
  /** Writes `patch`, which unsets a module; undefined when there is no owner. */
  clear(db: Database, key: Key, patch: Patch): Promise<unknown>;
}

/**
 * PUT, GET and DELETE of one module of one kind of owner, to be mounted at the module's path.
 *
 * @param column how the module is got from the owner's row, and the change of the row that sets or unsets (null) it
 */
export function moduleRoutes<Key, Row extends object, Patch, Stored extends object, Shown>(
  module: EdgeModule<Stored, Shown>,
  owner: ModuleOwner<Key, Row, Patch>,
  column: { get: (row: Row) => Stored | null; set: (value: Stored | null) => Patch },
): Hono<App> {
  const { mutate: body, response, references } = module;
  const name = module.name.replace(/(?:^|_)./g, (start) => start.slice(-1).toUpperCase());
  const { types, noun, nouns } = kinds[owner.kind];
  const what = `the ${module.title} module of ${withArticle(noun)}`;
  const common = (verb: string, access: Role) => ({
    access,
    id: `${types}${name}Module${verb}`,
    summary: `${verb} ${what}`,
    tag: titled(nouns),
    path: owner.path,
  });
  const refuses: ErrorCode[] = references ? ["ERR_UNKNOWN_REFERENCE"] : [];

  return new Hono<App>()
    .put(
      "/",
      operation({
        ...common("Replace", "editor"),
        description: `Replaces ${what} as a whole, or sets it, and shows it.`,
        body,
        status: 200,
        response,
        refuses,
      }),
      async (c) => {
        const { db, origin } = c.var;
        const key = owner.key(c.req.param());
        const value = c.req.valid("json");
        const referred = references?.(value) ?? [];
        const written = await owner.change(db, key, column.set(value), allExist(referred));
        if (!written) throw await changeRefusal(db, owner.kind, await owner.find(db, key), referred);
        return c.json(module.toApi(value, origin));
      },
    )
    .get(
      "/",
      operation({ ...common("Get", "viewer"), description: `Shows ${what}.`, status: 200, response }),
      async (c) => {
        const row = await owner.find(c.var.db, owner.key(c.req.param()));
        const value = row ? column.get(row) : null;
        if (value === null) throw row ? moduleNotSet(module.title, owner.kind) : notFound(owner.kind);
        return c.json(module.toApi(value, c.var.origin));
      },
    )
    .delete(
      "/",
      operation({
        ...common("Delete", "editor"),
        description: `Removes ${what}; succeeds also when it is not set.`,
        status: 204,
      }),
      async (c) => {
        const owned = await owner.clear(c.var.db, owner.key(c.req.param()), column.set(null));
        if (!owned) throw notFound(owner.kind);
        return c.body(null, 204);
      },
    );
}
