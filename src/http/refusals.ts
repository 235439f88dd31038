import type { Context } from "hono";
import type { Database } from "../db/database.ts";
import { type Reference, unknown, usersOf } from "../db/references.ts";
import type { App } from "../env.ts";
import type { Kind } from "../kinds.ts";
import { authorityRefusal } from "./authority.ts";
import { isMet, type Versioned } from "./conditions.ts";
import {
  type ApiError,
  ChangedMeanwhile,
  inUse,
  notFound,
  preconditionFailed,
  unknownReferences,
  USERS_NAMED,
} from "./errors.ts";

/*
 * A guarded statement that wrote nothing doesn't say why. These ask, after the fact, to give the right error.
 */

/** The refusal of what refers to objects that do not exist; undefined when all exist. */
export async function referenceRefusal(db: Database, references: Reference[]): Promise<ApiError | undefined> {
  const lost = await unknown(db, references);
  if (lost.length === 0) return undefined;
  return unknownReferences(lost.map(({ path }) => ({ path, msg: "There is no object with this id." })));
}

/** What can keep a change from being written, beside its condition. */
interface Obstacles<Found> {
  /** What the change refers to and must exist. */
  references?: Reference[];
  /** The refusal of a change that does not go with the object as it is now: an exclusion, or a cycle. */
  rule?: (found: Found) => ApiError | undefined | Promise<ApiError | undefined>;
  /** False when a module is to be changed that is not set. */
  isSet?: boolean;
}

/** Why a guarded change of one object wrote nothing; `found` is the object as it is now. Of several reasons, the first. */
export async function changeRefusal<Found extends Versioned>(
  c: Context<App>,
  kind: Kind,
  found: Found | undefined,
  { references = [], rule, isSet }: Obstacles<Found> = {},
): Promise<ApiError> {
  const unauthorized = await authorityRefusal(c);
  if (unauthorized) return unauthorized;
  if (!found) return notFound(kind);
  const lost = await referenceRefusal(c.get("request").session.db, references);
  const refused = lost ?? (await rule?.(found));
  return refused ?? (isMet(c, found, isSet) ? new ChangedMeanwhile() : preconditionFailed());
}

/** Why a guarded deletion of the object `id` deleted nothing; `found` is the object as it is now. */
export async function deletionRefusal(
  c: Context<App>,
  kind: Kind,
  found: Versioned | undefined,
  id: string,
): Promise<ApiError> {
  const unauthorized = await authorityRefusal(c);
  if (unauthorized) return unauthorized;
  if (!found) return notFound(kind);
  const users = await usersOf(c.get("request").session.db, id, USERS_NAMED + 1);
  if (users.length > 0) return inUse(users);
  return isMet(c, found) ? new ChangedMeanwhile() : preconditionFailed();
}
