import { env } from "cloudflare:workers";
import { describe, expect, test } from "vitest";
import { keyRingOf, unseal } from "../../src/db/seals.ts";
import { create, get, ORIGIN, patch, post } from "../api.ts";
import { givenDestination, SECRET } from "../given.ts";

const role = { role: { role_arn: "arn:aws:iam::123456789012:role/events" } };
const creds = { creds: { cloud_access_key_id: "AKIAEXAMPLE", cloud_secret_access_key: SECRET } };
const shownCreds = { cloud_access_key_id: "AKIAEXAMPLE", cloud_secret_access_key: null };
const ingestion = {
  tenant_id: "tenant",
  client_id: "client",
  client_secret: SECRET,
  logs_ingestion_uri: "https://ingest.example.com",
  data_collection_rule_id: "dcr-1",
  data_collection_stream_name: "Custom-Events",
};

const unset = {
  cloud_delivery_stream: null,
  cloud_stream: null,
  cloud_logs: null,
  monitoring_vendor: null,
  logs_ingestion: null,
};

/** Every kind of target, as sent and as shown. */
const targets = [
  {
    sent: { cloud_delivery_stream: { auth: role, delivery_stream_arn: "arn:1" } },
    shown: { cloud_delivery_stream: { auth: { ...role, creds: null }, delivery_stream_arn: "arn:1" } },
  },
  {
    sent: { cloud_stream: { auth: creds, stream_arn: "arn:2" } },
    shown: { cloud_stream: { auth: { role: null, creds: shownCreds }, stream_arn: "arn:2" } },
  },
  {
    sent: { cloud_logs: { auth: creds, log_group_arn: "arn:3" } },
    shown: { cloud_logs: { auth: { role: null, creds: shownCreds }, log_group_arn: "arn:3" } },
  },
  { sent: { monitoring_vendor: { api_key: SECRET } }, shown: { monitoring_vendor: { api_key: null } } },
  {
    sent: { monitoring_vendor: { api_key: SECRET, tags: "a:b", service: "edge", site: "eu.example.com" } },
    shown: { monitoring_vendor: { api_key: null, tags: "a:b", service: "edge", site: "eu.example.com" } },
  },
  {
    sent: { monitoring_vendor: { api_key: SECRET, tags: "" } },
    shown: { monitoring_vendor: { api_key: null } },
  },
  { sent: { logs_ingestion: ingestion }, shown: { logs_ingestion: { ...ingestion, client_secret: null } } },
];

describe.each(targets)("a target $shown", ({ sent, shown }) => {
  test("is stored, and its secret is shown as null", async () => {
    const destination = await create("/event_destinations", { target: sent });
    expect(destination).toEqual({
      id: expect.stringMatching(/^ed_[0-9A-Za-z]{27}$/),
      uri: `${ORIGIN}/event_destinations/${destination["id"]}`,
      created_at: expect.any(String),
      format: "json",
      target: { ...unset, ...shown },
    });
    expect((await get(`/event_destinations/${destination["id"]}`)).body).toEqual(destination);
  });

  test("replaces another target completely on PATCH", async () => {
    const { id } = await givenDestination({ description: "kept" });
    const { body } = await patch(`/event_destinations/${id}`, { target: sent });
    expect(body.target).toEqual({ ...unset, ...shown });
    expect(body.description).toBe("kept");
  });
});

test("PATCH without a target leaves it unchanged, including its secret in the database", async () => {
  const destination = await givenDestination();
  const { body } = await patch(`/event_destinations/${destination.id}`, { description: "x", format: "json" });
  expect(body).toEqual({ ...destination, description: "x" });
  const stored = "select target from event_destinations where id = ?";
  const row = await env.DB.prepare(stored).bind(destination.id).first<{ target: string }>();
  const { api_key } = JSON.parse(row?.target ?? "").monitoring_vendor;
  const ring = await keyRingOf(env.SEALING_KEYS);
  expect(await unseal(ring ?? new Map(), api_key, `${destination.id}/target.monitoring_vendor.api_key`)).toBe(
    SECRET,
  );
});

test.each([
  [{}, "/target"],
  [{ target: {} }, "/target"],
  [{ target: null }, "/target"],
  [{ target: [] }, "/target"],
  [{ target: { nothing: {} } }, "/target"],
  [{ target: { object_storage: {} } }, "/target/object_storage"],
  [{ target: { monitoring_vendor: { api_key: SECRET }, logs_ingestion: ingestion } }, "/target"],
  [{ target: { monitoring_vendor: {} } }, "/target/monitoring_vendor/api_key"],
  [{ target: { monitoring_vendor: { api_key: "" } } }, "/target/monitoring_vendor/api_key"],
  [{ target: { monitoring_vendor: { api_key: SECRET, site: "" } } }, "/target/monitoring_vendor/site"],
  [{ target: { cloud_logs: { auth: role } } }, "/target/cloud_logs/log_group_arn"],
  [{ target: { cloud_logs: { log_group_arn: "arn" } } }, "/target/cloud_logs/auth"],
  [{ target: { cloud_logs: { log_group_arn: "arn", auth: {} } } }, "/target/cloud_logs/auth"],
  [
    { target: { cloud_logs: { log_group_arn: "arn", auth: { ...role, ...creds } } } },
    "/target/cloud_logs/auth",
  ],
  [{ target: { cloud_logs: { log_group_arn: "", auth: role } } }, "/target/cloud_logs/log_group_arn"],
  [
    { target: { cloud_logs: { log_group_arn: "arn", auth: { role: {} } } } },
    "/target/cloud_logs/auth/role/role_arn",
  ],
  [
    { target: { cloud_stream: { stream_arn: "arn", auth: { creds: { cloud_access_key_id: "a" } } } } },
    "/target/cloud_stream/auth/creds/cloud_secret_access_key",
  ],
  [{ target: { logs_ingestion: { ...ingestion, tenant_id: null } } }, "/target/logs_ingestion/tenant_id"],
  [{ format: "xml", target: { monitoring_vendor: { api_key: SECRET } } }, "/format"],
  [{ format: "", target: { monitoring_vendor: { api_key: SECRET } } }, "/format"],
])("%j is refused at %s", async (body, path) => {
  const answer = await post("/event_destinations", body);
  expect(answer.status).toBe(400);
  expect(answer.body.errors).toContainEqual({ path, msg: expect.any(String) });
  expect(answer.text).not.toContain(SECRET);
});

test("violations of exactly-one rules are reported together with other errors", async () => {
  const { body } = await post("/event_destinations", {
    description: 1,
    target: {
      monitoring_vendor: { api_key: 5 },
      cloud_logs: { auth: { role: { role_arn: 1 }, creds: {} }, log_group_arn: "arn" },
    },
  });
  const paths = body.errors.map(({ path }: { path: string }) => path);
  for (const path of [
    "/description",
    "/target",
    "/target/monitoring_vendor/api_key",
    "/target/cloud_logs/auth",
    "/target/cloud_logs/auth/role/role_arn",
  ])
    expect(paths).toContain(path);
});

test("the error of an exactly-one rule lists the members to choose from", async () => {
  const target = { cloud_logs: { log_group_arn: "arn", auth: {} } };
  const { body } = await post("/event_destinations", { target });
  expect(body.errors).toEqual([
    { path: "/target/cloud_logs/auth", msg: "Set exactly one of role or creds." },
  ]);
});

test("an invalid member counts as set for an exactly-one rule", async () => {
  const { body } = await post("/event_destinations", { target: { monitoring_vendor: { api_key: 5 } } });
  expect(body.errors).toHaveLength(1);
});
