import type { Context, Hono } from "hono";
import {
  type Kind,
  kinds,
  operationPrefix,
  titled,
  withArticle,
  camelCased,
  plural,
} from "../../packages/model/src/kinds.ts";
import type { NeededRole } from "../../packages/model/src/roles.ts";
import type { Cause } from "../db/event_writes.ts";
import type { Change } from "../db/rows.ts";
import type { Statement } from "../db/statements.ts";
import type { Versioned } from "../db/versions.ts";
import type { App } from "../http/env.ts";
import type { ErrorCode } from "../http/error_codes.ts";
import { moduleNotSet, notFound } from "../http/errors.ts";
import { operation } from "../http/operation.ts";
import { show } from "../http/respond.ts";
import { endpoints } from "../http/router.ts";
import { sealFor } from "../http/sealing_keys.ts";
import { commit } from "../writes/commit.ts";
import { authorized, conditionsMet, found, referencesExist } from "../writes/requirements.ts";
import type { Requirement } from "../writes/write.ts";
import type { EdgeModule } from "./module.ts";

/** An owner of modules: an edge or a route, and the statements on its row. Its modules share its version. */
export interface ModuleOwner<Key extends { id: string }, Row> {
  kind: Kind;
  /** The ids in the path, with the kind of object that each identifies. */
  path: Record<string, Kind>;
  /** The owner that a path identifies. */
  key(parameters: Record<string, string>): Key;
  rows: {
    row(key: Key, member: string): Versioned;
    find(key: Key): Statement<Row>;
    change(key: Key, patch: object, cause: Cause): Change;
    clear(key: Key, member: string, cause: Cause): Change;
  };
  /** For owners that can be managed elsewhere and have no row here: the condition that the owner exists. */
  exists?(key: Key): Requirement[];
  /** The owner's requirements for setting a module; pointers are into the module. */
  rules?(key: Key, patch: object): Requirement[];
}

/** PUT, GET and DELETE of one module of one kind of owner, to be mounted at the module's path. */
export function moduleRoutes<
  Name extends string,
  Stored extends object,
  Shown extends object,
  Key extends { id: string },
  Row extends { version: number } & Record<Name, Stored | null>,
>(module: EdgeModule<Name, Stored, Shown>, owner: ModuleOwner<Key, Row>): Hono<App> {
  const { mutate: body, response, references } = module;
  const name = camelCased(module.name);
  const { noun } = kinds[owner.kind];
  const what = `the ${module.title} module of ${withArticle(noun)}`;
  const common = (verb: string, access: NeededRole) => ({
    access,
    id: `${operationPrefix(owner.kind)}${name}Module${verb}`,
    summary: `${verb} ${what}`,
    tag: titled(plural(noun)),
    path: owner.path,
  });
  const errors: ErrorCode[] = references ? ["ERR_UNKNOWN_REFERENCE"] : [];
  return endpoints()
    .put(
      "/",
      operation({
        ...common("Replace", "editor"),
        description: `Sets ${what}, replacing any previous value as a whole, and returns it. ${module.about}`,
        conditional: "change",
        body,
        status: 200,
        response,
        errors,
      }),
      (c) => replace(c, module, owner, c.req.valid("json")),
    )
    .get(
      "/",
      operation({
        ...common("Get", "viewer"),
        description: `Returns ${what}, or 404 if it is not set.`,
        conditional: "read",
        status: 200,
        response,
      }),
      async (c) => {
        const { session, origin } = c.get("request");
        const row = await session.first(owner.rows.find(owner.key(c.req.param())));
        if (!row && !owner.exists) throw notFound(owner.kind);
        const value = row?.[module.name] ?? null;
        if (!row || value === null) throw moduleNotSet(module.title, owner.kind);
        return show(c, row.version, module.toApi(value, origin));
      },
    )
    .delete(
      "/",
      operation({
        ...common("Delete", "editor"),
        description: `Removes ${what}. Succeeds even if it is not set.`,
        conditional: "change",
        status: 204,
      }),
      (c) => {
        const key = owner.key(c.req.param());
        const row = owner.rows.row(key, module.name);
        const done = { status: 204 } as const;
        return commit(c, {
          requires: [authorized(c), ...ownerExists(owner, key, row), conditionsMet(c, row)],
          change: (cause) => owner.rows.clear(key, module.name, cause),
          answer: () => done,
          // If the module is not set, nothing changes, not even the version.
          otherwise: () => done,
        });
      },
    );
}

/** The owner exists. */
const ownerExists = <Key extends { id: string }>(
  { kind, exists }: Pick<ModuleOwner<Key, unknown>, "kind" | "exists">,
  key: Key,
  row: Versioned,
): Requirement[] => exists?.(key) ?? [found(kind, row)];

/** Sets a module of the owner that the path identifies. */
async function replace<
  Stored extends object,
  Shown extends object,
  Key extends { id: string },
  Row extends { version: number },
>(
  c: Context<App>,
  module: EdgeModule<string, Stored, Shown>,
  owner: ModuleOwner<Key, Row>,
  value: Stored,
): Promise<Response> {
  const { origin } = c.get("request");
  const { name, mapSecrets, references } = module;
  const key = owner.key(c.req.param());
  const row = owner.rows.row(key, name);
  const stored = mapSecrets ? await mapSecrets(value, sealFor(c, key.id, name)) : value;
  const patch = { [name]: stored };
  return commit(c, {
    requires: [
      authorized(c),
      ...ownerExists(owner, key, row),
      referencesExist(references?.(value) ?? []),
      ...(owner.rules?.(key, patch) ?? []),
      conditionsMet(c, row),
    ],
    change: (cause) => owner.rows.change(key, patch, cause),
    answer: ({ version }) => ({ status: 200, version: Number(version), body: module.toApi(value, origin) }),
  });
}
