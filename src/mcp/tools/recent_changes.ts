import * as z from "zod";
import type { Envelope } from "../../delivery/sender.ts";
import type { Api } from "../shared/api.ts";
import { Room } from "../shared/cut.ts";
import { id, limit, more, USUAL_LIMIT } from "../shared/fields.ts";
import { tool } from "../shared/tool.ts";

interface Events {
  events: (Envelope & { principal: { subject: string } | null })[];
  next_page_uri: string | null;
}

type Event = Events["events"][number];

/** The event of the same object before another one, if it is kept. */
async function eventBefore(
  { event_id, object }: Event,
  earlier: Event[],
  api: Api,
): Promise<Event | undefined> {
  const isSame = (other: Event): boolean => other.object.uri === object.uri;
  const known = earlier.find(isSame);
  if (known) return known;
  const query = { object_id: object.id, before_id: event_id, limit: 1 };
  return (await api.ask<Events>({ path: "/events", query })).body.events.find(isSame);
}

/** The fields that differ between two states of an object. */
function changesBetween(before: object, after: object) {
  const old = new Map<string, unknown>(Object.entries(before));
  const current = new Map<string, unknown>(Object.entries(after));
  const fields = [...new Set([...old.keys(), ...current.keys()])];
  return fields
    .map((field) => ({ field, before: old.get(field) ?? null, after: current.get(field) ?? null }))
    .filter(({ before, after }) => JSON.stringify(before) !== JSON.stringify(after));
}

/** An event as the tool shows it. @param earlier the events before it on the page, newest first */
async function describedEvent(event: Event, earlier: Event[], api: Api) {
  const isUpdate = /_updated\.v\d+$/.test(event.event_type) && event.truncated === undefined;
  const before = isUpdate ? await eventBefore(event, earlier, api) : undefined;
  const { id, uri } = event.object;
  return {
    id: event.event_id,
    type: event.event_type,
    time: event.event_timestamp,
    who: event.principal?.subject ?? null,
    object: { id, uri, ...("description" in event.object && { description: event.object.description }) },
    changed: before && before.truncated === undefined ? changesBetween(before.object, event.object) : null,
    operation_id: event.operation_id,
    ...(event.plan_id !== undefined && { plan_id: event.plan_id }),
  };
}

/** Reads the log of changes. */
export const recentChanges = tool({
  name: "recent_changes",
  title: "Recent changes",
  description:
    "Lists changes, newest first: what changed, when, by whom, and which fields. operation_id is the request: plan_change can undo all its changes.",
  role: "viewer",
  hints: "reads",
  input: z.strictObject({
    object_id: id().exactOptional(),
    since: z.string().max(50).describe("RFC 3339").exactOptional(),
    before_id: id().describe("next_before_id of the page before").exactOptional(),
    limit: limit(),
  }),
  output: z.strictObject({
    events: z.array(
      z.looseObject({
        id: z.string(),
        type: z.string(),
        time: z.string(),
        who: z.string().nullable(),
        operation_id: z.string(),
      }),
    ),
    next_before_id: z.string().nullable(),
    more: more(),
  }),
  run: async ({ limit: most = USUAL_LIMIT, ...query }, api) => {
    const { body } = await api.ask<Events>({ path: "/events", query: { ...query, limit: most } });
    const all = await Promise.all(
      body.events.map((event, i) => describedEvent(event, body.events.slice(i + 1), api)),
    );
    const { items, isCut } = new Room().list(all);
    const isLast = items.length === all.length && body.next_page_uri === null;
    return {
      events: items,
      next_before_id: isLast ? null : (items.at(-1)?.["id"] ?? idIn(body.next_page_uri)),
      more: isCut,
    };
  },
});

/** The position in the URI of the next page: a page can be empty although there are more. */
const idIn = (uri: string | null): string | null =>
  uri === null ? null : new URL(uri).searchParams.get("before_id");
