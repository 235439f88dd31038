import * as z from "zod";
import type { StoredCloudAuth, StoredTarget } from "../db/stored.ts";
import type { ChangeSecret } from "../modules/module.ts";
import { exactlyOne, requestObject, nonEmpty, clearableText } from "../values/members.ts";

/*
 * Where events are sent: the request and response shapes of an event destination's target. The secrets in it are
 * write-only: every response shows null for them, and they are sealed before they are stored.
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
};

type Meaning = keyof typeof meanings;

const sent = (name: Meaning) => nonEmpty().describe(meanings[name]);
const sentSecret = (name: Meaning) =>
  nonEmpty().meta({ description: `${meanings[name]} Write-only.`, writeOnly: true });
const shown = (name: Meaning) => z.string().describe(meanings[name]);
const shownSecret = (name: Meaning) => z.null().describe(`${meanings[name]} Write-only: always null here.`);

const role_arn = "arn:aws:iam::123456789012:role/edge-events";
const log_group_arn = "arn:aws:logs:eu-west-1:123456789012:log-group:edge";

const CloudAuthMutate = z.lazy(() =>
  exactlyOne(
    requestObject({
      role: requestObject({ role_arn: sent("role_arn") })
        .describe(meanings.role)
        .exactOptional(),
      creds: requestObject({
        cloud_access_key_id: sent("cloud_access_key_id"),
        cloud_secret_access_key: sentSecret("cloud_secret_access_key"),
      })
        .describe(meanings.creds)
        .exactOptional(),
    }),
  ).meta({ id: "CloudAuthMutate", description: meanings.auth, examples: [{ role: { role_arn } }] }),
);

/** Where events are sent, in requests: exactly one member. */
export const EventTargetMutate = z.lazy(() =>
  exactlyOne(
    requestObject({
      cloud_delivery_stream: requestObject({
        auth: CloudAuthMutate.describe(meanings.auth),
        delivery_stream_arn: sent("delivery_stream_arn"),
      })
        .describe(meanings.cloud_delivery_stream)
        .exactOptional(),
      cloud_stream: requestObject({
        auth: CloudAuthMutate.describe(meanings.auth),
        stream_arn: sent("stream_arn"),
      })
        .describe(meanings.cloud_stream)
        .exactOptional(),
      cloud_logs: requestObject({
        auth: CloudAuthMutate.describe(meanings.auth),
        log_group_arn: sent("log_group_arn"),
      })
        .describe(meanings.cloud_logs)
        .exactOptional(),
      monitoring_vendor: requestObject({
        api_key: sentSecret("api_key"),
        tags: clearableText().describe(meanings.tags).exactOptional(),
        service: sent("service").exactOptional(),
        site: sent("site").exactOptional(),
      })
        .describe(meanings.monitoring_vendor)
        .exactOptional(),
      logs_ingestion: requestObject({
        tenant_id: sent("tenant_id"),
        client_id: sent("client_id"),
        client_secret: sentSecret("client_secret"),
        logs_ingestion_uri: sent("logs_ingestion_uri"),
        data_collection_rule_id: sent("data_collection_rule_id"),
        data_collection_stream_name: sent("data_collection_stream_name"),
      })
        .describe(meanings.logs_ingestion)
        .exactOptional(),
    }),
  ).meta({
    id: "EventTargetMutate",
    description: "Where events are sent: exactly one of the members.",
    examples: [{ cloud_logs: { auth: { role: { role_arn } }, log_group_arn } }],
  }),
);

const CloudAuth = z.lazy(() =>
  z
    .strictObject({
      role: z
        .strictObject({ role_arn: shown("role_arn") })
        .nullable()
        .describe(meanings.role),
      creds: z
        .strictObject({
          cloud_access_key_id: shown("cloud_access_key_id"),
          cloud_secret_access_key: shownSecret("cloud_secret_access_key"),
        })
        .nullable()
        .describe(meanings.creds),
    })
    .meta({ id: "CloudAuth", description: meanings.auth }),
);

/** Where events are sent, in responses: all members but one are null. */
export const EventTarget = z.lazy(() =>
  z
    .strictObject({
      cloud_delivery_stream: z
        .strictObject({
          auth: CloudAuth.describe(meanings.auth),
          delivery_stream_arn: shown("delivery_stream_arn"),
        })
        .nullable()
        .describe(meanings.cloud_delivery_stream),
      cloud_stream: z
        .strictObject({ auth: CloudAuth.describe(meanings.auth), stream_arn: shown("stream_arn") })
        .nullable()
        .describe(meanings.cloud_stream),
      cloud_logs: z
        .strictObject({ auth: CloudAuth.describe(meanings.auth), log_group_arn: shown("log_group_arn") })
        .nullable()
        .describe(meanings.cloud_logs),
      monitoring_vendor: z
        .strictObject({
          api_key: shownSecret("api_key"),
          tags: shown("tags").optional(),
          service: shown("service").optional(),
          site: shown("site").optional(),
        })
        .nullable()
        .describe(meanings.monitoring_vendor),
      logs_ingestion: z
        .strictObject({
          tenant_id: shown("tenant_id"),
          client_id: shown("client_id"),
          client_secret: shownSecret("client_secret"),
          logs_ingestion_uri: shown("logs_ingestion_uri"),
          data_collection_rule_id: shown("data_collection_rule_id"),
          data_collection_stream_name: shown("data_collection_stream_name"),
        })
        .nullable()
        .describe(meanings.logs_ingestion),
    })
    .meta({
      id: "EventTarget",
      description: "Where events are sent. All members but one are null.",
      examples: [
        {
          cloud_delivery_stream: null,
          cloud_stream: null,
          cloud_logs: { auth: { role: { role_arn }, creds: null }, log_group_arn },
          monitoring_vendor: null,
          logs_ingestion: null,
        },
      ],
    }),
);

/** The value of every secret in responses. */
const SECRET = null;

const toAuth = ({ role, creds }: StoredCloudAuth): z.output<typeof CloudAuth> => ({
  role: role ?? null,
  creds: creds ? { ...creds, cloud_secret_access_key: SECRET } : null,
});

const withAuth = <T extends { auth: StoredCloudAuth }>(target: T | undefined) =>
  target ? { ...target, auth: toAuth(target.auth) } : null;

/** A stored target in its response shape: without its secrets. */
export const toTarget = (target: StoredTarget): z.output<typeof EventTarget> => ({
  cloud_delivery_stream: withAuth(target.cloud_delivery_stream),
  cloud_stream: withAuth(target.cloud_stream),
  cloud_logs: withAuth(target.cloud_logs),
  monitoring_vendor: target.monitoring_vendor
    ? { ...target.monitoring_vendor, api_key: SECRET, tags: target.monitoring_vendor.tags ?? undefined }
    : null,
  logs_ingestion: target.logs_ingestion ? { ...target.logs_ingestion, client_secret: SECRET } : null,
});

/** JSON paths of all secrets in a target, sealed or not. */
export const secretPaths = [
  "$.cloud_delivery_stream.auth.creds.cloud_secret_access_key",
  "$.cloud_stream.auth.creds.cloud_secret_access_key",
  "$.cloud_logs.auth.creds.cloud_secret_access_key",
  "$.monitoring_vendor.api_key",
  "$.logs_ingestion.client_secret",
  "$.object_storage.auth.creds.cloud_secret_access_key",
  "$.webhook.secret",
  "$.webhook.previous",
];

/** A target with each of its secrets changed, and nothing else. */
export async function mapSecrets(target: StoredTarget, change: ChangeSecret): Promise<StoredTarget> {
  const cloud = async <T extends { auth: StoredCloudAuth }>(value: T, name: string): Promise<T> => {
    const { creds } = value.auth;
    if (!creds) return value;
    const member = "cloud_secret_access_key";
    const secret = await change(creds[member], `${name}.auth.creds.${member}`);
    return { ...value, auth: { creds: { ...creds, [member]: secret } } };
  };
  const { cloud_delivery_stream, cloud_stream, cloud_logs, monitoring_vendor, logs_ingestion } = target;
  return {
    ...(cloud_delivery_stream && {
      cloud_delivery_stream: await cloud(cloud_delivery_stream, "cloud_delivery_stream"),
    }),
    ...(cloud_stream && { cloud_stream: await cloud(cloud_stream, "cloud_stream") }),
    ...(cloud_logs && { cloud_logs: await cloud(cloud_logs, "cloud_logs") }),
    ...(monitoring_vendor && {
      monitoring_vendor: {
        ...monitoring_vendor,
        api_key: await change(monitoring_vendor.api_key, "monitoring_vendor.api_key"),
      },
    }),
    ...(logs_ingestion && {
      logs_ingestion: {
        ...logs_ingestion,
        client_secret: await change(logs_ingestion.client_secret, "logs_ingestion.client_secret"),
      },
    }),
  };
}
