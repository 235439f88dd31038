import { isDeepStrictEqual } from "node:util";
import type { Json } from "./json.ts";

/*
 * GET /events against the lists of all collections: applied to nothing, oldest first and together with the side effects
 * of deletions, the events must produce the objects in the lists. `replay.ts` does the same for rows.
 */

/** Whether an object is deleted along with an object of this kind. */
const isDeletedWith: Record<string, (object: Json, owner: Json) => boolean> = {
  ip_policy: ({ ip_policy }, owner) => ip_policy?.id === owner["id"],
  https_edge: ({ uri }, owner) => uri.startsWith(`${owner["uri"]}/routes/`),
  bot_user: ({ owner_id }, owner) => owner_id === owner["id"],
};

/**
 * An object without what changes without an event for it: the time of a key's last use, and routes, which have their
 * own events.
 */
const recorded = ({ last_used_at: _, routes: __, ...object }: Json): Json => object;

/** The objects that events describe, by URI, and the contradictions within the events. @param events oldest first */
export function replayedObjects(events: Json[]): { objects: Map<string, Json>; faults: string[] } {
  const objects = new Map<string, Json>();
  const faults: string[] = [];
  for (const { event_id, event_type, object, truncated } of events) {
    const [, kind = "", verb] = /^(.*)_(created|updated|deleted)\.v0$/.exec(event_type) ?? [];
    const { uri } = object;
    const known = objects.get(uri);
    // An edge or a route that is managed elsewhere has modules here, but was not created here.
    const isElsewhere = object.created_at === undefined && !truncated;
    if (verb === "created" ? known : !known && !isElsewhere)
      faults.push(`${event_id}, ${event_type}, of ${uri}: it was ${known ? "" : "not "}there`);
    if (verb !== "deleted") {
      objects.set(uri, truncated ? { ...object, truncated } : recorded(object));
      continue;
    }
    if (known && !truncated && !known["truncated"] && !isDeepStrictEqual(known, recorded(object)))
      faults.push(
        `${event_id}, ${event_type}, shows ${JSON.stringify(object)}; it was ${JSON.stringify(known)}`,
      );
    objects.delete(uri);
    const isAlong = isDeletedWith[kind];
    for (const [other, one] of objects) if (isAlong?.(one, object)) objects.delete(other);
  }
  return { objects, faults };
}

/**
 * The contradictions between the events and the objects of all lists, one line each.
 *
 * @param events oldest first
 * @param modules those of routes that are managed elsewhere, by URI
 */
export function objectFaults(
  events: Json[],
  shown: Json[],
  modules: Map<string, Json> = new Map(),
): string[] {
  const { objects, faults } = replayedObjects(events);
  const uris = new Set(shown.map(({ uri }) => uri));
  const gone = [...objects]
    .filter(([uri, { created_at, truncated }]) => (created_at !== undefined || truncated) && !uris.has(uri))
    .map(([uri]) => `the events have ${uri}, which no list shows`);
  const wrong = shown.flatMap((object) => {
    const known = objects.get(object["uri"]);
    if (!known) return [`${object["uri"]} is listed, but not in the events`];
    if (known["truncated"] || isDeepStrictEqual(known, recorded(object))) return [];
    return [`${JSON.stringify(recorded(object))} is listed; the events say ${JSON.stringify(known)}`];
  });
  const elsewhere = [...modules].flatMap(([uri, module]) => {
    const end = uri.lastIndexOf("/");
    const recorded = objects.get(uri.slice(0, end))?.[uri.slice(end + 1)];
    return isDeepStrictEqual(recorded, module)
      ? []
      : [`${uri} is ${JSON.stringify(module)}; the events say ${JSON.stringify(recorded)}`];
  });
  const unset = [...objects].flatMap(([uri, { created_at, id: _, uri: __, truncated, ...members }]) =>
    created_at !== undefined || truncated
      ? []
      : Object.keys(members)
          .filter((member) => !modules.has(`${uri}/${member}`))
          .map((member) => `the events have ${uri}/${member}, which is not set`),
  );
  return [...faults, ...gone, ...wrong, ...elsewhere, ...unset];
}

/**
 * Every item of a list, from page to page.
 *
 * @param read gets the path with the query of a page
 * @param isEnd ends it before an item
 */
export async function readList(
  read: (path: string) => Promise<Json | undefined>,
  path: string,
  list: string,
  isEnd: (item: Json) => boolean = () => false,
): Promise<Json[]> {
  const all: Json[] = [];
  for (let page: string | null = path; page !== null;) {
    const body: Json = (await read(page)) ?? { [list]: [], next_page_uri: null };
    const items: Json[] = body[list];
    const end = items.findIndex(isEnd);
    all.push(...(end === -1 ? items : items.slice(0, end)));
    const next: string | null = end === -1 ? body["next_page_uri"] : null;
    page = next && new URL(next).pathname + new URL(next).search;
  }
  return all;
}
