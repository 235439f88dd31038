import { all, type Api, type Body, named } from "./seed_api.ts";

/*
 * The example event destinations, one of each type, and event subscriptions.
 */

const role = { role: { role_arn: "arn:aws:iam::123456789012:role/edge-events" } };
const creds = { creds: { cloud_access_key_id: "AKIAEXAMPLE", cloud_secret_access_key: "example-secret" } };

const targets: Record<string, Body<"EventTargetMutate">> = {
  lake: { cloud_delivery_stream: { auth: role, delivery_stream_arn: "arn:aws:firehose:eu-west-1:1:edge" } },
  stream: { cloud_stream: { auth: creds, stream_arn: "arn:aws:kinesis:eu-west-1:1:stream/edge" } },
  logs: { cloud_logs: { auth: role, log_group_arn: "arn:aws:logs:eu-west-1:1:log-group:edge" } },
  monitoring: {
    monitoring_vendor: {
      api_key: "example-key",
      service: "edge",
      site: "eu.example.com",
      tags: "team:edge",
    },
  },
  siem: {
    logs_ingestion: {
      tenant_id: "00000000-0000-0000-0000-000000000001",
      client_id: "00000000-0000-0000-0000-000000000002",
      client_secret: "example-secret",
      logs_ingestion_uri: "https://ingest.example.com",
      data_collection_rule_id: "dcr-edge",
      data_collection_stream_name: "Custom-Edge",
    },
  },
  archive: {
    object_storage: {
      auth: role,
      bucket_arn: "arn:aws:s3:::edge-events",
      region: "eu-west-1",
      object_prefix: "edge/",
    },
  },
  hook: {
    webhook: {
      url: "https://hooks.example.com/edge",
      secret: `whsec_${btoa("example-secret-of-32-characters!")}`,
    },
  },
};

/** @returns the ids of the destinations, by name */
export async function seedDestinations(api: Api): Promise<Record<string, string>> {
  const destination = named(
    "/event_destinations",
    await all(
      (query) => api.GET("/event_destinations", { params: { query } }),
      (page) => page.event_destinations,
    ),
    (body: Body<"EventDestinationCreate">) => api.POST("/event_destinations", { body }),
  );
  const destinations: Record<string, string> = {};
  for (const [name, target] of Object.entries(targets))
    destinations[name] = (await destination(name, { description: `Events to ${name}`, target })).id;
  return destinations;
}

export async function seedSubscriptions(api: Api, destinations: Record<string, string>): Promise<void> {
  const subscription = named(
    "/event_subscriptions",
    await all(
      (query) => api.GET("/event_subscriptions", { params: { query } }),
      (page) => page.event_subscriptions,
    ),
    (body: Body<"EventSubscriptionCreate">) => api.POST("/event_subscriptions", { body }),
  );
  const idsOf = (...names: string[]) => names.flatMap((name) => destinations[name] ?? []);
  await subscription("edges", {
    description: "Changes of edges",
    sources: [
      { type: "tcp_edge_created.v0" },
      { type: "tcp_edge_updated.v0" },
      { type: "tcp_edge_deleted.v0" },
      { type: "tls_edge_created.v0" },
      { type: "tls_edge_updated.v0" },
      { type: "tls_edge_deleted.v0" },
    ],
    destination_ids: idsOf("lake", "monitoring"),
  });
  await subscription("access", {
    description: "Who gets in: keys, bots and policies",
    sources: [
      { type: "api_key_created.v0" },
      { type: "api_key_deleted.v0" },
      { type: "bot_user_updated.v0" },
      { type: "ip_policy_rule_created.v0" },
      { type: "ip_policy_rule_deleted.v0" },
    ],
    destination_ids: idsOf("siem"),
  });
  await subscription("none", { description: "Sends nothing yet" });
}
