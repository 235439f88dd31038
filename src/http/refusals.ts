import type { Database } from "../db/database.ts";
import { type Reference, unknown, usersOf } from "../db/references.ts";
import type { Kind } from "../kinds.ts";
import {
  type ApiError,
  changedMeanwhile,
  inUse,
  notFound,
  unknownReferences,
  USERS_NAMED,
} from "./errors.ts";

/*
 * A guarded statement that wrote nothing doesn't say why. These ask, after the fact, to give the right error.
 */

/** Why a guarded write of `references` wrote nothing, for an object that is there. */
export async function referenceRefusal(db: Database, references: Reference[]): Promise<ApiError> {
  const lost = await unknown(db, references);
  if (lost.length === 0) return changedMeanwhile();
  return unknownReferences(lost.map(({ path }) => ({ path, msg: "There is no object with this id." })));
}

/** Why a guarded change of one object wrote nothing; `found` is the object as it is now. */
export const changeRefusal = async (
  db: Database,
  kind: Kind,
  found: object | undefined,
  references: Reference[],
): Promise<ApiError> => (found ? referenceRefusal(db, references) : notFound(kind));

/** Why a guarded deletion of the object `id` deleted nothing; `found` is the object as it is now. */
export async function deletionRefusal(
  db: Database,
  kind: Kind,
  found: object | undefined,
  id: string,
): Promise<ApiError> {
  if (!found) return notFound(kind);
  const users = await usersOf(db, id, USERS_NAMED + 1);
  return users.length > 0 ? inUse(users) : changedMeanwhile();
}
