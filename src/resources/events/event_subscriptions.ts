import * as z from "zod";
import { eventTypes, needsAdmin } from "../../../packages/model/src/event_types.ts";
import { exampleId, exampleRef, idSchema, Ref, refs, stamp } from "../../../packages/model/src/ids.ts";
import { kinds } from "../../../packages/model/src/kinds.ts";
import { boundedTexts } from "../../../packages/model/src/values/descriptions.ts";
import {
  clearableSet,
  IDS,
  requestObject,
  schema,
} from "../../../packages/model/src/values/request_schemas.ts";
import type { eventSubscriptions as table } from "../../db/schema.ts";
import { operationsOn } from "../../http/collection.ts";
import { byMetadata, type Filters } from "../../http/lists.ts";
import { endpoints } from "../../http/router.ts";
import { commit } from "../../writes/commit.ts";
import { mayAffectKeyEvents, referencesExist } from "../../writes/requirements.ts";
import type { Requirement } from "../../writes/write.ts";
import { describedMembers, exampleObject, toDescribed, unsetTexts } from "../common.ts";
import { objectsOf } from "../objects.ts";
import {
  EventSource,
  EventSourceCreate,
  eventSources,
  exampleSource,
  mayChangeSources,
  toEventSource,
} from "./event_sources.ts";
import { rows } from "./event_subscription_statements.ts";

type Row = typeof table.$inferSelect;

const meanings = {
  sources:
    "The types of events that are sent; each must be unique. Sources `api_key_*` require the role `admin`, and so does any change to a subscription with such a source or to its destinations.",
  destinations: "Where the events are sent.",
};

const filters: Filters = {
  destination_id: z.lazy(() =>
    idSchema("event_destination").describe(
      "Lists only event subscriptions that send to this event destination.",
    ),
  ),
  ...byMetadata,
};

const EventSubscription = schema("EventSubscription", () => ({
  description: kinds.event_subscription.about,
  examples: [
    {
      ...exampleObject("event_subscription"),
      description: "Who gets in",
      sources: [exampleSource()],
      destinations: [exampleRef("event_destination")],
    },
  ],
  type: z.strictObject({
    ...describedMembers(),
    sources: z.array(EventSource).nullable().describe(meanings.sources),
    destinations: z.array(Ref).nullable().describe(meanings.destinations),
  }),
}));

const eventSubscriptionMutate = () =>
  requestObject({
    ...boundedTexts(),
    sources: clearableSet(EventSourceCreate, eventTypes.length)
      .transform((sources) => sources?.map(({ type }) => type) ?? null)
      .describe(meanings.sources)
      .exactOptional(),
    destination_ids: clearableSet(idSchema("event_destination"), IDS)
      .describe("Ids of the event destinations that the events are sent to. Each must be unique.")
      .exactOptional(),
  });
const EventSubscriptionCreate = schema("EventSubscriptionCreate", () => ({
  examples: [
    { description: "Who gets in", sources: [{ type: "ip_policy_updated.v0" }] },
    {
      description: "Who gets in",
      sources: [{ type: "ip_policy_updated.v0" }, { type: "ip_policy_rule_created.v0" }],
      destination_ids: [exampleId("event_destination")],
    },
  ],
  type: eventSubscriptionMutate(),
}));
const EventSubscriptionUpdate = schema("EventSubscriptionUpdate", () => ({
  examples: [{ sources: [{ type: "tcp_edge_updated.v0" }, { type: "tls_edge_updated.v0" }] }],
  type: eventSubscriptionMutate(),
}));

/** A row as responses show it. */
export const toEventSubscription = (row: Row, origin: string): z.output<typeof EventSubscription> => ({
  ...toDescribed(row, origin),
  sources: row.sources?.map((type) => toEventSource(type, row.id, origin)) ?? null,
  destinations: refs(origin, row.destination_ids),
});

/** The destinations in a request exist. */
const destinationsExist = (ids: string[] | null | undefined): Requirement =>
  referencesExist((ids ?? []).map((id, index) => ({ path: `/destination_ids/${index}`, id })));

const subscriptions = objectsOf("event_subscription", rows, toEventSubscription);
const operations = operationsOn("event_subscription", EventSubscription);

export const eventSubscriptions = endpoints()
  .post("/", operations.create(EventSubscriptionCreate, "ERR_UNKNOWN_REFERENCE"), (c) => {
    const body = c.req.valid("json");
    const unset = { ...unsetTexts, sources: null, destination_ids: null, since: null };
    const row = { ...stamp("event_subscription"), ...unset, ...body };
    const isUnaffected = !row.sources?.some(needsAdmin);
    const requires = [mayAffectKeyEvents(c, isUnaffected), destinationsExist(body.destination_ids)];
    return commit(c, subscriptions.create(c, row, requires));
  })
  .get("/", operations.list(filters), (c) => subscriptions.list(c, c.req.valid("query")))
  .get("/:id", operations.get(), (c) => subscriptions.get(c, c.req.param()))
  .patch("/:id", operations.update(EventSubscriptionUpdate, "ERR_UNKNOWN_REFERENCE"), (c) => {
    const id = c.req.param("id");
    const patch = c.req.valid("json");
    const requires = [mayChangeSources(c, id, patch.sources ?? []), destinationsExist(patch.destination_ids)];
    return commit(c, subscriptions.change(c, { id }, patch, requires));
  })
  .delete("/:id", operations.remove("Its events are no longer sent."), (c) => {
    const id = c.req.param("id");
    return commit(c, subscriptions.remove(c, { id }, [mayChangeSources(c, id)]));
  })
  .route("/:subscription_id/sources", eventSources);
