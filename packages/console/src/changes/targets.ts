import type { Field } from "./fields.ts";

/*
 * Where destinations send events, as data for their form.
 */

/** The targets of destinations: their name, and the fields of each. */
export const targets: Record<string, { text: string; fields: Field[] }> = {
  webhook: {
    text: "Webhook",
    fields: [
      {
        name: "target.webhook.url",
        label: "URL",
        type: "text",
        isMono: true,
        isRequired: true,
        placeholder: "https://hooks.example.com/edge",
      },
      {
        name: "target.webhook.secret",
        label: "Signing secret",
        type: "made",
        isRequired: true,
        hint: "Copy it to the receiver, which checks events with it. It is never shown again",
      },
    ],
  },
  monitoring_vendor: {
    text: "Monitoring vendor",
    fields: [
      { name: "target.monitoring_vendor.api_key", label: "API key", type: "secret", isRequired: true },
      { name: "target.monitoring_vendor.site", label: "Site", type: "text", isMono: true },
      { name: "target.monitoring_vendor.service", label: "Service", type: "text" },
      { name: "target.monitoring_vendor.tags", label: "Tags", type: "text" },
    ],
  },
  cloud_stream: cloud("Data stream", "cloud_stream", [
    {
      name: "target.cloud_stream.stream_arn",
      label: "ARN of the stream",
      type: "text",
      isMono: true,
      isRequired: true,
    },
  ]),
  cloud_delivery_stream: cloud("Delivery stream", "cloud_delivery_stream", [
    {
      name: "target.cloud_delivery_stream.delivery_stream_arn",
      label: "ARN of the delivery stream",
      type: "text",
      isMono: true,
      isRequired: true,
    },
  ]),
  cloud_logs: cloud("Log group", "cloud_logs", [
    {
      name: "target.cloud_logs.log_group_arn",
      label: "ARN of the log group",
      type: "text",
      isMono: true,
      isRequired: true,
    },
  ]),
  object_storage: cloud("Bucket", "object_storage", [
    {
      name: "target.object_storage.bucket_arn",
      label: "ARN of the bucket",
      type: "text",
      isMono: true,
      isRequired: true,
    },
    { name: "target.object_storage.region", label: "Region", type: "text", isMono: true, isRequired: true },
    { name: "target.object_storage.object_prefix", label: "Start of file names", type: "text", isMono: true },
  ]),
  logs_ingestion: {
    text: "Log ingestion",
    fields: [
      ["logs_ingestion_uri", "Data collection endpoint"],
      ["data_collection_rule_id", "Data collection rule"],
      ["data_collection_stream_name", "Stream"],
      ["tenant_id", "Tenant"],
      ["client_id", "Client"],
      ["client_secret", "Client secret"],
    ].map(([name = "", label = ""]) => ({
      name: `target.logs_ingestion.${name}`,
      label,
      type: name === "client_secret" ? "secret" : "text",
      isMono: true,
      isRequired: true,
    })),
  },
};

function cloud(text: string, name: string, fields: Field[]): { text: string; fields: Field[] } {
  const auth = `target.${name}.auth`;
  return {
    text,
    fields: [
      ...fields,
      {
        name: `${auth}.role.role_arn`,
        label: "ARN of the role",
        type: "text",
        isMono: true,
        hint: "The service assumes it. Or give an access key",
      },
      { name: `${auth}.creds.cloud_access_key_id`, label: "Access key", type: "text", isMono: true },
      { name: `${auth}.creds.cloud_secret_access_key`, label: "Secret of the access key", type: "secret" },
    ],
  };
}
