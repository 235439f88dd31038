import type { Context } from "hono";
import type { Kind } from "../../packages/model/src/kinds.ts";
import { reaches } from "../../packages/model/src/roles.ts";
import { allExist, isUnused, type Reference, userIds } from "../db/references.ts";
import { type Condition, sql } from "../db/statements.ts";
import { hasVersion, rowExists, type Versioned } from "../db/versions.ts";
import { authority, validity } from "../http/auth.ts";
import type { App } from "../http/env.ts";
import {
  type ApiError,
  forbiddenKeyEvents,
  inUse,
  notFound,
  preconditionFailed,
  unauthenticated,
  unknownReferences,
  USERS_NAMED,
} from "../http/errors.ts";
import { tagsOf } from "../http/respond.ts";
import type { Requirement } from "./write.ts";

/*
 * The requirements of writes. The caller gets the error of the first one that does not hold, so they are listed in the
 * order of their statuses: 401, 403, 404, 400, 409, 412.
 */

/** 401: for operations that only an admin may call, the caller's key is still valid. */
export const authorized = (c: Context<App>): Requirement => ({
  condition: authority(c),
  isForReplays: true,
  error: unauthenticated,
});

/**
 * 403: the caller is an admin, or the write does not affect who gets events of API keys. 401 for an admin's key that is no
 * longer valid, as for operations that only an admin may call.
 *
 * @param isUnaffected the condition that the write does not affect it; a boolean if that is already known
 * @throws 403 if the write certainly affects it and the caller is not an admin
 */
export function mayAffectKeyEvents(
  c: Context<App>,
  isUnaffected: Exclude<Condition, undefined> | boolean,
): Requirement {
  const { caller } = c.get("request");
  if (!caller) throw unauthenticated();
  if (isUnaffected === true) return { condition: undefined, error: forbiddenKeyEvents };
  if (reaches(caller.role, "admin")) {
    const isValid = validity(c);
    const condition = isValid && isUnaffected ? sql`(${isValid} or ${isUnaffected})` : isValid;
    return { condition, isForReplays: true, error: unauthenticated };
  }
  if (!isUnaffected) throw forbiddenKeyEvents();
  return { condition: isUnaffected, error: forbiddenKeyEvents };
}

/** 404: the object exists. */
export const exists = (kind: Kind, row: Versioned): Requirement => ({
  condition: rowExists(row),
  error: () => notFound(kind),
});

/** 404: the object exists, for writes with a statement that returns its row. */
export const found = (kind: Kind, row: Versioned): Requirement => ({
  ...exists(kind, row),
  isShownByRow: true,
});

/** 400: every object referred to exists. */
export const referencesExist = (references: Reference[]): Requirement => ({
  ...allExist(references),
  error: (ids) =>
    unknownReferences(
      references
        .filter(({ id }) => ids.includes(id))
        .map(({ path }) => ({ path, msg: "There is no object with this id." })),
    ),
});

/** 400: a rule specific to one kind of object. */
export const rule = (condition: Condition, error: () => ApiError): Requirement => ({ condition, error });

/** {@link rule} that several changes can break together, although each on its own would not. */
export const collectiveRule = (condition: Condition, error: () => ApiError): Requirement => ({
  ...rule(condition, error),
  isCollective: true,
});

/** 409: nothing uses the object `id`. */
export const unused = (id: string): Requirement => ({
  condition: isUnused(id),
  named: userIds(id, USERS_NAMED + 1),
  error: inUse,
});

/** 412: the row's version satisfies `If-Match` and `If-None-Match` (RFC 9110 §13.1). */
export const conditionsMet = (c: Context<App>, row: Versioned): Requirement => ({
  condition: hasVersion(row, tagsOf(c.req.header("If-Match")), tagsOf(c.req.header("If-None-Match"))),
  error: preconditionFailed,
});
