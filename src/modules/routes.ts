import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import { type Context, Hono } from "hono";
import type { Cleared } from "../db/clearing.ts";
import type { Session } from "../db/database.ts";
import { allExist, type Reference } from "../db/references.ts";
import { allOf, type Guard } from "../db/statements.ts";
import type { Versioning } from "../db/versions.ts";
import type { App } from "../env.ts";
import { isMet, precondition, represent, representIfNew, type Versioned } from "../http/conditions.ts";
import type { ErrorCode } from "../http/error_codes.ts";
import { type ApiError, moduleNotSet, notFound } from "../http/errors.ts";
import { operation } from "../http/operation.ts";
import { changeRefusal } from "../http/refusals.ts";
import { respond } from "../http/respond.ts";
import { type Kind, kinds, titled, withArticle } from "../kinds.ts";
import type { Role } from "../roles.ts";
import type { EdgeModule } from "./module.ts";

/** What has modules: an edge or a route, and how its row is read and written. Its version is that of its modules. */
export interface ModuleOwner<Key, Row, Patch> extends Versioning {
  kind: Kind;
  /** The ids in the path, and which kind of object each names. */
  path: Record<string, Kind>;
  /** The owner that a path names. */
  key(parameters: Record<string, string>): Key;
  find(session: Session, key: Key): Promise<Row | undefined>;
  /** Writes `patch` if `guard` holds; undefined when nothing was written. */
  change(session: Session, key: Key, patch: Patch, guard: Guard): Promise<Row | undefined>;
  /** Unsets the module in `column` if it is set and `guard` holds. */
  clear(session: Session, key: Key, column: SQLiteColumn, guard: Guard): Promise<Cleared<Row>>;
  /** The refusal of a module that another one of the owner's, as it is now, excludes. */
  exclusion?(row: Row, patch: Patch): ApiError | undefined;
}

/** Where a module is in its owner's row, and the change of the row that sets it. */
interface ModuleColumn<Row, Patch, Stored> {
  column: SQLiteColumn;
  get: (row: Row) => Stored | null;
  set: (value: Stored) => Patch;
}

/** PUT, GET and DELETE of one module of one kind of owner, to be mounted at the module's path. */
export function moduleRoutes<Key, Row extends Versioned, Patch, Stored extends object, Shown extends object>(
  module: EdgeModule<Stored, Shown>,
  owner: ModuleOwner<Key, Row, Patch>,
  { column, get, set }: ModuleColumn<Row, Patch, Stored>,
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
  const versioning = { table: owner.table, isIt: owner.isIt, member: column };
  const refusal = (c: Context<App>, found: Row | undefined, patch?: Patch, referred: Reference[] = []) =>
    changeRefusal(c, owner.kind, found, {
      references: referred,
      rule: (row) => (patch === undefined ? undefined : owner.exclusion?.(row, patch)),
      isSet: found !== undefined && get(found) !== null,
    });

  return new Hono<App>()
    .put(
      "/",
      ...operation({
        ...common("Replace", "editor"),
        description: `Replaces ${what} as a whole, or sets it, and shows it.`,
        conditional: "change",
        body,
        status: 200,
        response,
        refuses,
      }),
      async (c) => {
        const { session, origin } = c.get("request");
        const key = owner.key(c.req.param());
        const value = c.req.valid("json");
        const referred = references?.(value) ?? [];
        const guard = allOf(allExist(referred), precondition(c, versioning));
        const row = await owner.change(session, key, set(value), guard);
        if (!row) throw await refusal(c, await owner.find(session, key), set(value), referred);
        return represent(c, row.version, module.toApi(value, origin));
      },
    )
    .get(
      "/",
      ...operation({
        ...common("Get", "viewer"),
        description: `Shows ${what}.`,
        conditional: "read",
        status: 200,
        response,
      }),
      async (c) => {
        const { session, origin } = c.get("request");
        const row = await owner.find(session, owner.key(c.req.param()));
        const value = row ? get(row) : null;
        if (!row || value === null) throw row ? moduleNotSet(module.title, owner.kind) : notFound(owner.kind);
        return representIfNew(c, row.version, module.toApi(value, origin));
      },
    )
    .delete(
      "/",
      ...operation({
        ...common("Delete", "editor"),
        description: `Removes ${what}; succeeds also when it is not set.`,
        conditional: "change",
        status: 204,
      }),
      async (c) => {
        const { session } = c.get("request");
        const key = owner.key(c.req.param());
        const { isCleared, row } = await owner.clear(session, key, column, precondition(c, versioning));
        const isNothingToDo = row && get(row) === null && isMet(c, row, false);
        if (!isCleared && !isNothingToDo) throw await refusal(c, row);
        return respond(c, 204, null);
      },
    );
}
