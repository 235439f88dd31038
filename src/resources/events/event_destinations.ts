import type { Context } from "hono";
import * as z from "zod";
import { clock } from "../../../packages/model/src/clock.ts";
import { stamp } from "../../../packages/model/src/ids.ts";
import { kinds } from "../../../packages/model/src/kinds.ts";
import { boundedTexts } from "../../../packages/model/src/values/descriptions.ts";
import { requestObject, schema } from "../../../packages/model/src/values/request_schemas.ts";
import { newWebhookSecret } from "../../../packages/model/src/values/secrets.ts";
import type { StoredTarget } from "../../db/column_types.ts";
import { rowsOf } from "../../db/rows.ts";
import { eventDestinations as table } from "../../db/schema.ts";
import { raw, type Sql, sql, type Value } from "../../db/statements.ts";
import {
  EventTarget,
  EventTargetMutate,
  internalPaths,
  mapSecrets,
  secretPaths,
  TARGET,
  toTarget,
} from "../../delivery/targets.ts";
import { operationsOn } from "../../http/collection.ts";
import type { App } from "../../http/env.ts";
import { endpoints } from "../../http/router.ts";
import { sealFor } from "../../http/sealing_keys.ts";
import { sha256 } from "../../http/tokens.ts";
import { commit } from "../../writes/commit.ts";
import { mayAffectKeyEvents, unused } from "../../writes/requirements.ts";
import type { Requirement } from "../../writes/write.ts";
import { describedMembers, exampleObject, toDescribed, unsetTexts } from "../common.ts";
import { objectsOf } from "../objects.ts";
import { requirePublicHost } from "../public_hosts.ts";
import { usedBy } from "../used_by.ts";
import { forgotten, resumed } from "./delivery_statements.ts";
import { isNoKeyDestination } from "./event_subscription_statements.ts";

const storedAt = (path: string): Sql => sql`json_extract(${table.target}, ${raw(`'$.webhook.${path}'`)})`;

const secret = storedAt("secret");
const fingerprint = storedAt("fingerprint");
const previous = storedAt("previous");

/**
 * A destination's new target, given the target in the request. A webhook comes with `previous`, which has the end of the
 * replaced secret's use. The replaced secret is inserted there in its sealed form. It is not read beforehand, so no other
 * request can come in between. If the secret stays the same, the stored `previous` stays too. If the stored target has no
 * webhook secret, `previous` is removed.
 *
 * @param sent JSON, bound once: a target may be long
 */
const targetReplacing = (sent: Value): Sql => sql`(
  select iif(json_extract(sent, '$.webhook.previous') is null, sent,
    json_patch(sent, json_object('webhook', json_object('previous', json(case
      when ${secret} is null then null
      when ${fingerprint} = json_extract(sent, '$.webhook.fingerprint') then ${previous}
      else json_set(json_extract(sent, '$.webhook.previous'), '$.secret', ${secret})
    end)))))
  from (select ${sent} as sent) as given)`;

type Row = typeof table.$inferSelect;
export const rows = rowsOf("event_destination", table, {
  short: ["description", "metadata", "format"],
  hidden: { target: [...secretPaths, ...internalPaths] },
  secrets: { target: secretPaths },
  followUps: resumed,
  replacing: { target: targetReplacing },
});

/** How long the secret of a webhook stays in use after it was replaced, in milliseconds. */
const PREVIOUS_FOR = 24 * 3_600_000;

/** Hexadecimal digits of a digest: enough to tell two secrets apart, and too few to guess one. */
const FINGERPRINT_DIGITS = 8;

const format = () => z.literal("json").describe("How events are serialized.");

const EventDestination = schema("EventDestination", () => ({
  description: kinds.event_destination.about,
  examples: [
    {
      ...exampleObject("event_destination"),
      description: "Edge events",
      format: "json",
      target: {
        cloud_delivery_stream: null,
        cloud_stream: null,
        cloud_logs: null,
        monitoring_vendor: { api_key: null, service: "edge" },
        logs_ingestion: null,
      },
    },
  ],
  type: z.strictObject({
    ...describedMembers(),
    format: format(),
    target: EventTarget.describe(TARGET),
  }),
}));

const eventDestinationMutate = () =>
  requestObject({
    ...boundedTexts(),
    format: format()
      .describe('How events are serialized. On creation, defaults to `"json"`.')
      .exactOptional(),
    target: EventTargetMutate.describe(
      "Where events are sent: exactly one of the fields. Replaced as a whole.",
    ),
  });
const EventDestinationCreate = schema("EventDestinationCreate", () => ({
  examples: [
    {
      description: "Edge events",
      target: { monitoring_vendor: { api_key: "<API_KEY>", service: "edge" } },
    },
  ],
  type: eventDestinationMutate(),
}));
/** A target in the body replaces the stored one as a whole. */
const EventDestinationUpdate = schema("EventDestinationUpdate", () => ({
  examples: [{ description: "Edge events, all" }],
  type: eventDestinationMutate().exactPartial(),
}));

/** A row as responses show it. @param secret a webhook's secret, if it was generated for this request */
export const toEventDestination = (row: Row, origin: string, secret: string | null = null) => ({
  ...toDescribed(row, origin),
  format: row.format,
  target: toTarget(row.target, secret),
});

/** A target to be stored, and the webhook's secret if it was generated here. */
interface Completed {
  target: StoredTarget;
  made: string | null;
}

/** Checks the host of a webhook, generates its secret if there is none, and seals all secrets. */
async function completed(
  c: Context<App>,
  id: string,
  { webhook, ...target }: z.output<typeof EventTargetMutate>,
): Promise<Completed> {
  const seal = sealFor(c, id, "target");
  if (!webhook) return { target: await mapSecrets(target, seal), made: null };
  requirePublicHost(c, webhook.url, "/target/webhook/url");
  const { url, secret = newWebhookSecret() } = webhook;
  const fingerprint = (await sha256(`${id}/${secret}`)).slice(0, FINGERPRINT_DIGITS);
  return {
    target: await mapSecrets({ webhook: { url, secret, fingerprint } }, seal),
    made: webhook.secret === undefined ? secret : null,
  };
}

/** Adds the time until which the replaced secret also signs: see `targetReplacing`. */
const replacing = ({ webhook, ...target }: StoredTarget): StoredTarget =>
  webhook ? { webhook: { ...webhook, previous: { secret: "", until: clock.now() + PREVIOUS_FOR } } } : target;

/** Changing a destination can redirect its events, and moving its position in the log can withhold them. */
export const mayRedirect = (c: Context<App>, id: string): Requirement =>
  mayAffectKeyEvents(c, isNoKeyDestination(id));

const destinations = objectsOf("event_destination", rows, toEventDestination);
const operations = operationsOn("event_destination", EventDestination);

export const eventDestinations = endpoints()
  .post("/", operations.create(EventDestinationCreate), async (c) => {
    const body = c.req.valid("json");
    const identity = stamp("event_destination");
    const { target, made } = await completed(c, identity.id, body.target);
    const row = { ...identity, ...unsetTexts, format: "json", ...body, target } as const;
    const shown = toEventDestination(row, c.get("request").origin, made);
    return commit(c, destinations.create(c, row, [], shown));
  })
  .get("/", operations.list(), (c) => destinations.list(c, c.req.valid("query")))
  .get("/:id", operations.get(), (c) => destinations.get(c, c.req.param()))
  .patch("/:id", operations.update(EventDestinationUpdate), async (c) => {
    const { target: sent, ...rest } = c.req.valid("json");
    const id = c.req.param("id");
    const requires = [mayRedirect(c, id)];
    if (!sent) return commit(c, destinations.change(c, { id }, rest, requires));
    const { target, made } = await completed(c, id, sent);
    const patch = { ...rest, target: replacing(target) };
    const show = (row: Row, origin: string) => toEventDestination(row, origin, made);
    return commit(c, destinations.change(c, { id }, patch, requires, show));
  })
  .delete(
    "/:id",
    operations.remove("Fails with 409 while an event subscription refers to it.", "ERR_IN_USE"),
    (c) => {
      const id = c.req.param("id");
      return commit(c, destinations.remove(c, { id }, [mayRedirect(c, id), unused(id)], forgotten(id)));
    },
  )
  .route("/:id/used_by", usedBy({ kind: "event_destination", users: ["event_subscription"], rows }));
