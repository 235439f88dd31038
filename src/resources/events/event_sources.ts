import type { Context } from "hono";
import * as z from "zod";
import { needsAdmin } from "../../../packages/model/src/event_types.ts";
import { EXAMPLE_ORIGIN, exampleId, uriOf } from "../../../packages/model/src/ids.ts";
import { requestObject, schema } from "../../../packages/model/src/values/request_schemas.ts";
import type { App } from "../../http/env.ts";
import type { ErrorCode } from "../../http/error_codes.ts";
import { conflict, notFound, sourceNotFound } from "../../http/errors.ts";
import { operation } from "../../http/operation.ts";
import { show } from "../../http/respond.ts";
import { endpoints } from "../../http/router.ts";
import { commit } from "../../writes/commit.ts";
import {
  authorized,
  conditionsMet,
  exists,
  found,
  mayAffectKeyEvents,
  rule,
} from "../../writes/requirements.ts";
import { type Requirement } from "../../writes/write.ts";
import {
  addSource,
  hasNoKeySource,
  hasSource,
  lacksSource,
  removeSource,
  rows,
} from "./event_subscription_statements.ts";
import { EventType } from "./event_type_list.ts";

/*
 * The sources of an event subscription. Each has its own path, which ends in its type. They share the subscription's version.
 */

const listUri = (origin: string, id: string): string => `${uriOf(origin, id)}/sources`;

/** The source `type` of the event subscription `id`. */
export const toEventSource = (type: string, id: string, origin: string): { type: string; uri: string } => ({
  type,
  uri: `${listUri(origin, id)}/${type}`,
});

/** A source for examples. */
export const exampleSource = () =>
  toEventSource("ip_policy_updated.v0", exampleId("event_subscription"), EXAMPLE_ORIGIN);

const typeOfSource = () => EventType.describe("The type of events that are sent.");

/** A source in responses. */
export const EventSource = schema("EventSource", () => ({
  description: "A type of events that an event subscription sends.",
  examples: [exampleSource()],
  type: z.strictObject({ type: typeOfSource(), uri: z.string().describe("URI of the source.") }),
}));
const EventSourceList = schema("EventSourceList", () => ({
  type: z.strictObject({
    sources: z.array(EventSource).describe("The sources, in the order in which they were added."),
    uri: z.string().meta({
      description: "URI of the list.",
      examples: [listUri(EXAMPLE_ORIGIN, exampleId("event_subscription"))],
    }),
  }),
}));

/** A source in requests. */
export const EventSourceCreate = schema("EventSourceCreate", () => ({
  examples: [{ type: "ip_policy_updated.v0" }],
  type: requestObject({ type: typeOfSource() }),
}));
/** A source has no fields that can be changed. */
const EventSourceUpdate = schema("EventSourceUpdate", () => ({ examples: [{}], type: requestObject({}) }));

/**
 * Events of API keys are for admins: only admins may change the event subscription `id` if it sends any, or add such `types`.
 * @throws 403 if the request adds one
 */
export const mayChangeSources = (c: Context<App>, id: string, types: string[] = []): Requirement =>
  mayAffectKeyEvents(c, types.some(needsAdmin) ? false : hasNoKeySource(id));

/** What a change of an existing source requires. */
function requirementsOn(c: Context<App>, { id, type }: { id: string; type: string }): Requirement[] {
  const row = rows.row({ id });
  return [
    authorized(c),
    mayChangeSources(c, id),
    found("event_subscription", row),
    rule(hasSource({ id, type }), sourceNotFound),
    conditionsMet(c, row),
  ];
}

const errors: ErrorCode[] = ["ERR_CONFLICT"];
const common = (verb: string, access: "viewer" | "editor") => ({
  id: `EventSources${verb}`,
  access,
  tag: "Event subscriptions",
  path: { subscription_id: "event_subscription" } as const,
});
const names = { type: EventType };

/** The types of the sources of an event subscription, and its version. @throws 404 if there is none with this id */
async function sourcesOf(c: Context<App>, id: string): Promise<{ types: string[]; version: number }> {
  const row = await c.get("request").session.first(rows.find({ id }));
  if (!row) throw notFound("event_subscription");
  return { types: row.sources ?? [], version: row.version };
}

/** The operations on sources, to be mounted below an event subscription, whose id is `subscription_id`. */
export const eventSources = endpoints()
  .post(
    "/",
    operation({
      ...common("Create", "editor"),
      summary: "Add a source to an event subscription",
      description:
        "Adds an event type to those that an event subscription sends, and returns it. If the subscription has a source `api_key_*`, or gets one, the key must have the role `admin`.",
      conditional: "change",
      body: EventSourceCreate,
      status: 201,
      response: EventSource,
      errors,
    }),
    (c) => {
      const { origin, operationId } = c.get("request");
      const { type } = c.req.valid("json");
      const id = c.req.param("subscription_id") ?? "";
      const source = { id, type };
      const row = rows.row({ id });
      const body = toEventSource(type, id, origin);
      const created = (version: number) => ({ status: 201, version, body }) as const;
      return commit(c, {
        requires: [
          authorized(c),
          mayChangeSources(c, id, [type]),
          exists("event_subscription", row),
          rule(lacksSource(source), () =>
            conflict(`This event subscription already has the source ${type}.`, type),
          ),
          conditionsMet(c, row),
        ],
        change: (cause) => addSource(source, cause),
        answer: ({ version }) => created(Number(version)),
        creates: { id: operationId, answer: created(1), kept: body, changed: row },
      });
    },
  )
  .get(
    "/",
    operation({
      ...common("List", "viewer"),
      summary: "List the sources of an event subscription",
      description: "Lists the event types that an event subscription sends.",
      conditional: "read",
      status: 200,
      response: EventSourceList,
    }),
    async (c) => {
      const { origin } = c.get("request");
      const id = c.req.param("subscription_id") ?? "";
      const { types, version } = await sourcesOf(c, id);
      const sources = types.map((type) => toEventSource(type, id, origin));
      return show(c, version, { sources, uri: listUri(origin, id) });
    },
  )
  .get(
    "/:type",
    operation({
      ...common("Get", "viewer"),
      names,
      summary: "Get a source of an event subscription",
      description: "Returns a source of an event subscription.",
      conditional: "read",
      status: 200,
      response: EventSource,
    }),
    async (c) => {
      const id = c.req.param("subscription_id") ?? "";
      const type = c.req.param("type");
      const { types, version } = await sourcesOf(c, id);
      if (!types.includes(type)) throw sourceNotFound();
      return show(c, version, toEventSource(type, id, c.get("request").origin));
    },
  )
  .patch(
    "/:type",
    operation({
      ...common("Update", "editor"),
      names,
      summary: "Update a source of an event subscription",
      description: "Returns a source of an event subscription. A source has no fields that can be changed.",
      conditional: "change",
      body: EventSourceUpdate,
      status: 200,
      response: EventSource,
    }),
    (c) => {
      const { origin } = c.get("request");
      const id = c.req.param("subscription_id") ?? "";
      const type = c.req.param("type");
      const body = toEventSource(type, id, origin);
      return commit(c, {
        requires: requirementsOn(c, { id, type }),
        change: () => ({ statements: [rows.find({ id })], main: 0 }),
        answer: ({ version }) => ({ status: 200, version: Number(version), body }),
      });
    },
  )
  .delete(
    "/:type",
    operation({
      ...common("Delete", "editor"),
      names,
      summary: "Remove a source from an event subscription",
      description:
        "Removes an event type from those that an event subscription sends. If the subscription has a source `api_key_*`, the key must have the role `admin`.",
      conditional: "change",
      status: 204,
    }),
    (c) => {
      const source = { id: c.req.param("subscription_id") ?? "", type: c.req.param("type") };
      return commit(c, {
        requires: requirementsOn(c, source),
        change: (cause) => removeSource(source, cause),
        answer: () => ({ status: 204 }),
      });
    },
  );
