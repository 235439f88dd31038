import * as z from "zod";
import { setAt, valueAt } from "../../packages/model/src/json.ts";
import {
  exactlyOne,
  requestObject,
  nonEmpty,
  clearableString,
  seconds,
  string,
  uint32,
  schema,
} from "../../packages/model/src/values/request_schemas.ts";
import { headerSecret, secret, webhookSecret } from "../../packages/model/src/values/secrets.ts";
import type { StoredCloudAuth, StoredTarget } from "../db/column_types.ts";
import { type ChangeSecret, keyRingOf, placeOf, unseal } from "../db/seals.ts";
import type { Bindings } from "../http/env.ts";
import { publicUrl } from "./guarded_url.ts";

/*
 * Where events are sent: the request and response shapes of an event destination's target. The secrets in it are
 * write-only: responses show null for them, except the response in which a webhook's secret was generated. They are sealed
 * before they are stored.
 */

const meanings = {
  auth: "How the service authenticates to the target: exactly one of `role` and `creds`.",
  role: "A role that the service assumes.",
  role_arn: "The role that the service assumes to deliver events.",
  creds: "A long-term access key.",
  cloud_access_key_id: "The id of the access key.",
  cloud_secret_access_key: "The secret of the access key.",
  cloud_delivery_stream: "A delivery stream.",
  delivery_stream_arn: "The delivery stream to put events into.",
  cloud_stream: "A data stream.",
  stream_arn: "The stream to put events into.",
  cloud_logs: "A log group.",
  log_group_arn: "The log group to put events into.",
  monitoring_vendor: "A monitoring vendor.",
  api_key: "An API key of the monitoring vendor.",
  tags: "Tags sent with each event.",
  service: "Service name sent with each event.",
  site: "The vendor's site to send events to.",
  logs_ingestion: "A log ingestion service.",
  tenant_id: "Id of the tenant.",
  client_id: "Id of the client that the service authenticates as.",
  client_secret: "Secret of that client.",
  logs_ingestion_uri: "The data collection endpoint.",
  data_collection_rule_id: "Immutable id of the data collection rule.",
  data_collection_stream_name: "The destination stream within the rule.",
  object_storage: "A bucket. Events are stored in it as files, with one event per line.",
  bucket_arn: "The bucket to put files into.",
  region: "The region of the bucket.",
  object_prefix: "The start of each file's key, at most 512 bytes.",
  compression: "Whether files are compressed with gzip.",
  max_file_size: "A file is written when it would exceed this many bytes, before compression.",
  max_file_age: "A file is written when its first event is this many seconds old.",
  webhook: "An HTTPS endpoint that receives one event per POST, signed according to Standard Webhooks 1.0.",
  url: "The URL to POST events to: an https URL of a public host, on port 443 or a port from 1024 on.",
  secret:
    "The secret that events are signed with: `whsec_` and 24 to 64 bytes in base64. For 24 hours after it is replaced, events are signed with both secrets.",
};

type Meaning = keyof typeof meanings;

const sent = (name: Meaning) => nonEmpty().describe(meanings[name]);
const writeOnly = (name: Meaning) => ({ description: `${meanings[name]} Write-only.`, writeOnly: true });
const shown = (name: Meaning) => z.string().describe(meanings[name]);
/** An object in requests that can be left out. */
const optional = <Shape extends z.ZodRawShape>(name: Meaning, shape: Shape) =>
  requestObject(shape).describe(meanings[name]).exactOptional();
/** An object in responses that is null if it is not set. */
const nullable = <Shape extends z.ZodRawShape>(name: Meaning, shape: Shape) =>
  z.strictObject(shape).nullable().describe(meanings[name]);
const shownSecret = (name: Meaning) => z.null().describe(`${meanings[name]} Write-only: always null here.`);

const KIBIBYTE = 1_024;

const MAX_PREFIX_BYTES = 512;

const role_arn = "arn:aws:iam::123456789012:role/edge-events";
const bucket_arn = "arn:aws:s3:::edge-events";
const region = "eu-west-1";
const log_group_arn = "arn:aws:logs:eu-west-1:123456789012:log-group:edge";

const CloudAuthMutate = schema("CloudAuthMutate", () => ({
  description: meanings.auth,
  examples: [{ role: { role_arn } }],
  type: exactlyOne(
    requestObject({
      role: optional("role", { role_arn: sent("role_arn") }),
      creds: optional("creds", {
        cloud_access_key_id: sent("cloud_access_key_id"),
        cloud_secret_access_key: secret().meta(writeOnly("cloud_secret_access_key")),
      }),
    }),
  ),
}));

/** Where events are sent, in requests: exactly one field. */
export const EventTargetMutate = schema("EventTargetMutate", () => ({
  description: "Where events are sent: exactly one of the fields.",
  examples: [
    { cloud_logs: { auth: { role: { role_arn } }, log_group_arn } },
    { object_storage: { auth: { role: { role_arn } }, bucket_arn, region, object_prefix: "edge/" } },
    { webhook: { url: "https://hooks.example.com/edge" } },
  ],
  type: exactlyOne(
    requestObject({
      cloud_delivery_stream: optional("cloud_delivery_stream", {
        auth: CloudAuthMutate.describe(meanings.auth),
        delivery_stream_arn: sent("delivery_stream_arn"),
      }),
      cloud_stream: optional("cloud_stream", {
        auth: CloudAuthMutate.describe(meanings.auth),
        stream_arn: sent("stream_arn"),
      }),
      cloud_logs: optional("cloud_logs", {
        auth: CloudAuthMutate.describe(meanings.auth),
        log_group_arn: sent("log_group_arn"),
      }),
      monitoring_vendor: optional("monitoring_vendor", {
        api_key: headerSecret().meta(writeOnly("api_key")),
        tags: clearableString().describe(meanings.tags).exactOptional(),
        service: sent("service").exactOptional(),
        site: sent("site").exactOptional(),
      }),
      logs_ingestion: optional("logs_ingestion", {
        tenant_id: sent("tenant_id"),
        client_id: sent("client_id"),
        client_secret: secret().meta(writeOnly("client_secret")),
        logs_ingestion_uri: sent("logs_ingestion_uri"),
        data_collection_rule_id: sent("data_collection_rule_id"),
        data_collection_stream_name: sent("data_collection_stream_name"),
      }),
      object_storage: optional("object_storage", {
        auth: CloudAuthMutate.describe(meanings.auth),
        bucket_arn: sent("bucket_arn"),
        region: sent("region"),
        object_prefix: string(MAX_PREFIX_BYTES)
          .meta({ description: meanings.object_prefix, maxLength: MAX_PREFIX_BYTES })
          .default(""),
        compression: z.boolean().describe(meanings.compression).default(true),
        max_file_size: uint32(KIBIBYTE, 10 * KIBIBYTE ** 2)
          .describe(meanings.max_file_size)
          .default(5 * KIBIBYTE ** 2),
        max_file_age: seconds(10, 86_400).describe(meanings.max_file_age).default(300),
      }),
      webhook: optional("webhook", {
        url: publicUrl().describe(meanings.url),
        secret: webhookSecret()
          .meta({
            description: `${meanings.secret} If omitted, a secret is generated and shown only in the response to this request. Write-only.`,
            writeOnly: true,
          })
          .exactOptional(),
      }),
    }),
  ),
}));

/** The description of a target in responses. */
export const TARGET =
  "Where events are sent. If not set, the first five fields are null, and the others are omitted.";

const CloudAuth = schema("CloudAuth", () => ({
  description: meanings.auth,
  type: z.strictObject({
    role: nullable("role", { role_arn: shown("role_arn") }),
    creds: nullable("creds", {
      cloud_access_key_id: shown("cloud_access_key_id"),
      cloud_secret_access_key: shownSecret("cloud_secret_access_key"),
    }),
  }),
}));

/** Where events are sent, in responses: all fields except one are null or left out. */
export const EventTarget = schema("EventTarget", () => ({
  description: TARGET,
  examples: [
    {
      cloud_delivery_stream: null,
      cloud_stream: null,
      cloud_logs: { auth: { role: { role_arn }, creds: null }, log_group_arn },
      monitoring_vendor: null,
      logs_ingestion: null,
    },
  ],
  type: z.strictObject({
    cloud_delivery_stream: nullable("cloud_delivery_stream", {
      auth: CloudAuth.describe(meanings.auth),
      delivery_stream_arn: shown("delivery_stream_arn"),
    }),
    cloud_stream: nullable("cloud_stream", {
      auth: CloudAuth.describe(meanings.auth),
      stream_arn: shown("stream_arn"),
    }),
    cloud_logs: nullable("cloud_logs", {
      auth: CloudAuth.describe(meanings.auth),
      log_group_arn: shown("log_group_arn"),
    }),
    monitoring_vendor: nullable("monitoring_vendor", {
      api_key: shownSecret("api_key"),
      tags: shown("tags").optional(),
      service: shown("service").optional(),
      site: shown("site").optional(),
    }),
    logs_ingestion: nullable("logs_ingestion", {
      tenant_id: shown("tenant_id"),
      client_id: shown("client_id"),
      client_secret: shownSecret("client_secret"),
      logs_ingestion_uri: shown("logs_ingestion_uri"),
      data_collection_rule_id: shown("data_collection_rule_id"),
      data_collection_stream_name: shown("data_collection_stream_name"),
    }),
    object_storage: z
      .strictObject({
        auth: CloudAuth.describe(meanings.auth),
        bucket_arn: shown("bucket_arn"),
        region: shown("region"),
        object_prefix: shown("object_prefix").optional(),
        compression: z.boolean().describe(meanings.compression),
        max_file_size: z.int().describe(meanings.max_file_size),
        max_file_age: z.int().describe(meanings.max_file_age),
      })
      .describe(`${meanings.object_storage} Omitted if not set.`)
      .optional(),
    webhook: z
      .strictObject({
        url: shown("url"),
        secret: z
          .string()
          .nullable()
          .describe(
            `${meanings.secret} Write-only: null, except in the response to a request that had the service generate it.`,
          ),
      })
      .describe(`${meanings.webhook} Omitted if not set.`)
      .optional(),
  }),
}));

/** JSON paths of all secrets in a target, sealed or not. What hides, seals and compares secrets follows from them. */
export const secretPaths = [
  "$.cloud_delivery_stream.auth.creds.cloud_secret_access_key",
  "$.cloud_stream.auth.creds.cloud_secret_access_key",
  "$.cloud_logs.auth.creds.cloud_secret_access_key",
  "$.monitoring_vendor.api_key",
  "$.logs_ingestion.client_secret",
  "$.object_storage.auth.creds.cloud_secret_access_key",
  "$.webhook.secret",
];

/** JSON paths of what follows from secrets. */
export const internalPaths = ["$.webhook.previous", "$.webhook.fingerprint"];

const withAuth = <T extends { auth: StoredCloudAuth }>(target: T | undefined) =>
  target ? { ...target, auth: { role: null, creds: null, ...target.auth } } : null;

/**
 * A stored target in its response shape: without its secrets.
 *
 * @param secret a webhook's secret, if it was generated for this request
 */
export function toTarget(target: StoredTarget, secret: string | null = null): object {
  const shown = structuredClone(target);
  for (const path of secretPaths) setAt(shown, path, null);
  const { monitoring_vendor, object_storage, webhook } = shown;
  const { object_prefix, ...storage } = withAuth(object_storage) ?? {};
  return {
    cloud_delivery_stream: withAuth(shown.cloud_delivery_stream),
    cloud_stream: withAuth(shown.cloud_stream),
    cloud_logs: withAuth(shown.cloud_logs),
    monitoring_vendor: monitoring_vendor
      ? { ...monitoring_vendor, tags: monitoring_vendor.tags ?? undefined }
      : null,
    logs_ingestion: shown.logs_ingestion ?? null,
    ...(object_storage && { object_storage: object_prefix === "" ? storage : { object_prefix, ...storage } }),
    ...(webhook && { webhook: { url: webhook.url, secret } }),
  };
}

/** A target with each of its secrets changed, and nothing else. */
export async function mapSecrets(target: StoredTarget, change: ChangeSecret): Promise<StoredTarget> {
  const changed = structuredClone(target);
  for (const path of secretPaths) {
    const secret = valueAt(changed, path);
    if (typeof secret === "string") setAt(changed, path, await change(secret, path.slice("$.".length)));
  }
  // The previous secret is bound to the same place, because it was sealed when it was the current one.
  const previous = changed.webhook?.previous;
  if (previous) previous.secret = await change(previous.secret, "webhook.secret");
  return changed;
}

/** Opens the secrets of a destination's target. @throws if there is no key ring, or none of its keys opens them */
export const opener =
  (env: Bindings) =>
  async (target: StoredTarget, destinationId: string): Promise<StoredTarget> => {
    const ring = await keyRingOf(env.SEALING_KEYS);
    if (!ring) throw new Error("there are no valid sealing keys");
    return mapSecrets(target, (secret, member) =>
      unseal(ring, secret, placeOf(destinationId, `target.${member}`)),
    );
  };
