import type { Differences } from "./differences.ts";
import { isRouteId, type FileKind, kindOfId } from "./kinds.ts";
import { routeTitle, summaryOf, titleOf, type TitleOf, titles } from "./names.ts";
import type { Entry } from "./objects.ts";
import { all, eachOf, isNotFound, type ServiceAccess } from "./service.ts";
import { reread, type ServiceEntry } from "./service_objects.ts";

/*
 * Finds deletions that the service would reject, because an object that is not deleted uses the deleted one.
 */

interface User {
  id: string;
  /** For a route, its edge; otherwise the same as `id`. */
  owner: string;
}

const ownerOf = (id: string, uri: string): string =>
  isRouteId(id) ? (/\/edges\/https\/(\w+)\/routes\//.exec(uri)?.[1] ?? id) : id;

/** The objects that use an object; empty if the object no longer exists. */
async function usersOf({ api }: ServiceAccess, { kind: { guardedPath }, id }: ServiceEntry): Promise<User[]> {
  if (guardedPath === undefined) return [];
  try {
    const users = await all((query) =>
      api.GET(`${guardedPath}/{id}/used_by`, { params: { path: { id }, query } }),
    );
    return users.map((user) => ({ id: user.id, owner: ownerOf(user.id, user.uri) }));
  } catch (error) {
    if (isNotFound(error)) return [];
    throw error;
  }
}

/**
 * Moves the deletions that the service would reject from `deletes` to `inUse`.
 *
 * @param names ids by names of the file
 */
export async function keepUsedObjects(
  service: ServiceAccess,
  differences: Differences,
  names: ReadonlyMap<string, string>,
): Promise<Differences> {
  const users = new Map(
    await eachOf(
      differences.deletes,
      async ({ existing }) => [existing.id, await usersOf(service, existing)] as const,
    ),
  );
  const remaining = new Map([
    ...differences.changes.map(({ entry, existing }) => [existing.id, valuesIn(entry)] as const),
    ...differences.kept.map((existing) => [existing.id, valuesIn(existing)] as const),
  ]);
  const deleted = new Set(differences.deletes.map(({ existing }) => existing.id));
  const isUsed = (id: string) => (user: User) =>
    !deleted.has(user.owner) && (remaining.get(user.owner)?.includes(JSON.stringify(id)) ?? true);
  // An object that is kept also keeps the objects it uses.
  for (let size = -1; size !== deleted.size;) {
    size = deleted.size;
    for (const id of deleted) if (users.get(id)?.some(isUsed(id))) deleted.delete(id);
  }
  const titleIn = titles(names);
  const kept = differences.deletes.filter(({ existing }) => !deleted.has(existing.id));
  const inUse = await eachOf(kept, async ({ existing }) => {
    const by = (users.get(existing.id) ?? []).filter(isUsed(existing.id));
    const named = await eachOf(by.slice(0, MAX_USERS), async (user) => userTitle(service, user, titleIn));
    return { existing, by: by.length > MAX_USERS ? [...named, `${by.length - MAX_USERS} more`] : named };
  });
  return {
    ...differences,
    deletes: differences.deletes.filter(({ existing }) => deleted.has(existing.id)),
    inUse,
  };
}

/** At most this many users of an object are named. */
const MAX_USERS = 5;

/** The fields of an object and its children, as JSON. */
const valuesIn = ({ own, children }: Entry): string =>
  JSON.stringify([own, ...children.map((child) => child.own)]);

/** The title of a user: its name in the file, otherwise its id with a summary. */
async function userTitle(service: ServiceAccess, { id, owner }: User, titleIn: TitleOf): Promise<string> {
  const known = titleIn(owner);
  const kind: FileKind | undefined = kindOfId(owner);
  if (!kind || (known !== undefined && id === owner)) return known ?? id;
  const now = await reread(service, { id: owner, kind, body: null, children: [] }, false);
  const route = now?.object.children.find((child) => child.id === id);
  const summary = known === undefined ? summaryOf(now?.object.body) : "";
  const title = `${known ?? titleOf(owner)}${summary === "" ? "" : ` (${summary})`}`;
  return route ? `${title} ${routeTitle(route.body)}` : title;
}
