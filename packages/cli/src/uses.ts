import type { Differences } from "./differences.ts";
import type { Json } from "./json.ts";
import { isRouteId, type Kind, kindOfId, type Page } from "./kinds.ts";
import { routeTitle, summaryOf, titleOf, type TitleOf, titles } from "./names.ts";
import type { Entry } from "./objects.ts";
import { bodyOf, eachOf, type Service } from "./service.ts";
import { type Found, reread } from "./world.ts";

/*
 * Deletions that the service would reject, because an object that stays uses the deleted one.
 */

interface User {
  id: string;
  /** The edge, for a route; otherwise the user itself. */
  owner: string;
}

const ownerOf = ({ id, uri }: Page["items"][number]): string =>
  isRouteId(id) ? (/\/edges\/https\/(\w+)\/routes\//.exec(uri ?? "")?.[1] ?? id) : id;

/** The objects that use one; none if it is gone. */
async function usersOf({ api }: Service, { kind, id }: Found): Promise<User[]> {
  const users: User[] = [];
  if (!kind.users) return users;
  for (let before: string | null = null; ;) {
    const result = await kind.users(api, id, before === null ? {} : { before_id: before });
    if (result.response.status === 404) return [];
    const page: Page = bodyOf(result);
    users.push(...page.items.map((user) => ({ id: user.id, owner: ownerOf(user) })));
    before = page.next === null ? null : new URL(page.next).searchParams.get("before_id");
    if (before === null) return users;
  }
}

/**
 * Moves the deletions that the service would reject from `deletes` to `inUse`.
 *
 * @param names ids by names of the file
 */
export async function keepUsed(
  service: Service,
  differences: Differences,
  names: ReadonlyMap<string, string>,
): Promise<Differences> {
  const users = new Map(
    await eachOf(
      differences.deletes.filter(({ found }) => found.kind.users),
      async ({ found }) => [found.id, await usersOf(service, found)] as const,
    ),
  );
  const stays = new Map(
    [
      ...differences.changes.map(({ entry, found }) => [found.id, entry] as const),
      ...differences.kept.map(asEntry),
    ].map(([id, entry]) => [id, valuesIn(entry)] as const),
  );
  const deleted = new Set(differences.deletes.map(({ found }) => found.id));
  const isUsed = (id: string) => (user: User) =>
    !deleted.has(user.owner) && (stays.get(user.owner)?.includes(JSON.stringify(id)) ?? true);
  // What is kept keeps what it uses itself.
  for (let size = -1; size !== deleted.size;) {
    size = deleted.size;
    for (const id of deleted) if (users.get(id)?.some(isUsed(id))) deleted.delete(id);
  }
  const titleIn = titles(names);
  const kept = differences.deletes.filter(({ found }) => !deleted.has(found.id));
  const inUse = await eachOf(kept, async ({ found }) => {
    const by = (users.get(found.id) ?? []).filter(isUsed(found.id));
    const named = await eachOf(by.slice(0, MOST_USERS), async (user) => userTitle(service, user, titleIn));
    return { found, by: by.length > MOST_USERS ? [...named, `${by.length - MOST_USERS} more`] : named };
  });
  return { ...differences, deletes: differences.deletes.filter(({ found }) => deleted.has(found.id)), inUse };
}

/** Users that are named for an object. */
const MOST_USERS = 5;

const asEntry = (found: Found): readonly [string, Entry] => [found.id, found];

/** The strings in an object and its children, as JSON. */
const valuesIn = ({ own, children }: Entry): string => {
  const values: Json[] = [own, ...children.map((child) => child.own)];
  return JSON.stringify(values);
};

/** A user as people know it: by its name in the file, otherwise by what the service shows of it. */
async function userTitle(service: Service, { id, owner }: User, titleIn: TitleOf): Promise<string> {
  const known = titleIn(owner);
  const kind: Kind | undefined = kindOfId(owner);
  if (!kind || (known !== undefined && id === owner)) return known ?? id;
  const now = await reread(service, { id: owner, kind, body: null, children: [] }, false);
  const route = now?.shown.children.find((child) => child.id === id);
  const summary = known === undefined ? summaryOf(now?.shown.body) : "";
  const title = `${known ?? titleOf(owner)}${summary === "" ? "" : ` (${summary})`}`;
  return route ? `${title} ${routeTitle(route.body)}` : title;
}
