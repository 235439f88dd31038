import type { Context } from "hono";
import {
  allExist,
  idLists,
  isUnused,
  missingIds,
  missingNow,
  type Reference,
  userIds,
  usersOf,
} from "../db/references.ts";
import { anyOf, type Guard } from "../db/statements.ts";
import { hasVersion, isThere, type Versioned } from "../db/versions.ts";
import type { App } from "../env.ts";
import { authority, validity } from "../http/auth/authority.ts";
import {
  type ApiError,
  forbiddenKeyEvents,
  inUse,
  notFound,
  preconditionFailed,
  unauthenticated,
  unknownReferences,
  USERS_NAMED,
} from "../http/errors/errors.ts";
import { tagsOf } from "../http/responses/conditions.ts";
import type { Kind } from "../kinds.ts";
import { reaches } from "../roles.ts";
import type { Requirement } from "./write.ts";

/*
 * The requirements of writes. The caller gets the error of the first one that does not hold, so they are listed in the
 * order of their statuses: 401, 403, 404, 400, 409, 412.
 */

/** 401: for operations that only an admin may call, the caller's key is still valid. */
export const authorized = (c: Context<App>): Requirement => ({
  guard: authority(c),
  isForReplays: true,
  refusal: unauthenticated,
});

/**
 * 403: the caller is an admin, or the write does not affect who gets events of API keys. 401 for an admin's key that is no
 * longer valid, as for operations that only an admin may call.
 *
 * @param isUnaffected guard: the write does not affect it; undefined if it does in any case
 * @throws 403 if it does in any case and the caller is no admin
 */
export function mayAffectKeyEvents(c: Context<App>, isUnaffected: Guard | undefined): Requirement {
  const { caller } = c.get("request");
  if (!caller) throw unauthenticated();
  if (reaches(caller.role, "admin")) {
    const guard = isUnaffected ? anyOf(validity(c), isUnaffected) : validity(c);
    return { guard, isForReplays: true, refusal: unauthenticated };
  }
  if (!isUnaffected) throw forbiddenKeyEvents();
  return { guard: isUnaffected, refusal: forbiddenKeyEvents };
}

/** 404: the object exists, for writes with a statement that depends on it in no other way. */
export const exists = (kind: Kind, row: Versioned): Requirement => ({
  guard: isThere(row),
  refusal: () => notFound(kind),
});

/** 404: the object exists. The statement that changes it has no effect otherwise. */
export const found = (kind: Kind, row: Versioned): Requirement => ({
  ...exists(kind, row),
  isImplied: true,
});

/** 400: every object referred to exists. */
export const referencesExist = (c: Context<App>, references: Reference[]): Requirement => {
  const lists = idLists(references);
  const refusing = (missing: Reference[]): ApiError =>
    unknownReferences(missing.map(({ path }) => ({ path, msg: "There is no object with this id." })));
  return {
    guard: allExist(lists),
    async refusal() {
      const ids = await missingNow(c.get("request").session, lists);
      const missing = references.filter(({ id }) => ids.has(id));
      return missing.length > 0 ? refusing(missing) : undefined;
    },
    named: {
      list: () => missingIds(lists),
      refusal: (ids) => refusing(references.filter(({ id }) => ids.includes(id))),
    },
  };
};

/** 400: a rule specific to one kind of object. */
export const rule = (guard: Guard, refusal: () => ApiError): Requirement => ({ guard, refusal });

/** {@link rule} that several changes may break together, although none of them does by itself. */
export const collectiveRule = (guard: Guard, refusal: () => ApiError): Requirement => ({
  ...rule(guard, refusal),
  isCollective: true,
});

/** 409: nothing uses the object `id`. */
export const unused = (c: Context<App>, id: string): Requirement => ({
  guard: isUnused(id),
  async refusal() {
    const users = await usersOf(c.get("request").session, id, USERS_NAMED + 1);
    return users.length > 0 ? inUse(users) : undefined;
  },
  named: { list: () => userIds(id, USERS_NAMED + 1), refusal: inUse },
});

/** 412: the row's version satisfies `If-Match` and `If-None-Match` (RFC 9110 §13.1). */
export const conditionsMet = (c: Context<App>, row: Versioned): Requirement => ({
  guard: hasVersion(row, tagsOf(c.req.header("If-Match")), tagsOf(c.req.header("If-None-Match"))),
  refusal: preconditionFailed,
});
