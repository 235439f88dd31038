import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, test } from "vitest";
import { type Answer, del, get, patch, post, put } from "./support/api.ts";
import * as given from "./support/given.ts";
import type { Json } from "./support/json.ts";
import { toPatch, toPost, toPut } from "./support/operations.ts";
import { empty } from "./support/stored.ts";
import { newest, refused, undone } from "./support/undoing.ts";

/*
 * Events name the secrets that a change set, and a change that set one cannot be undone.
 */

beforeEach(() => empty());

const ARN = "arn:aws:logs:eu-west-1:123456789012:log-group:edge";
const role = { role: { role_arn: "arn:aws:iam::123456789012:role/edge-events" } };
const creds = { creds: { cloud_access_key_id: "id", cloud_secret_access_key: given.SECRET } };
const logs = (auth: Json) => ({ cloud_logs: { auth, log_group_arn: ARN } });
const github = { provider: "github", secret: given.SECRET };
const sns = { provider: "sns" };

const destinationPath = async (target: Json) =>
  `/event_destinations/${(await given.destination({ target }))["id"]}`;
const routePath = async (fields: Json = {}) => new URL((await given.route(fields))["uri"]).pathname;

/** The secrets that the newest event names. */
const secretsChanged = async (): Promise<string[] | undefined> => (await newest())[0]?.["secrets_changed"];

/** Events as an earlier release recorded them. */
const withoutMember = () =>
  env.DB.prepare("update events set object = json_remove(object, '$.secrets_changed')").run();

const object_storage = { bucket_arn: "arn:aws:s3:::edge-events", region: "eu-west-1" };
const logs_ingestion = {
  tenant_id: "t",
  client_id: "c",
  client_secret: given.SECRET,
  logs_ingestion_uri: "https://logs.example.com",
  data_collection_rule_id: "r",
  data_collection_stream_name: "s",
};

describe("a target in a POST and in a PATCH", () => {
  test.each<[string, Json, string[]]>([
    ["a role", logs(role), []],
    ["an access key", logs(creds), ["/target/cloud_logs/auth/creds/cloud_secret_access_key"]],
    [
      "a stream",
      { cloud_stream: { auth: creds, stream_arn: ARN } },
      ["/target/cloud_stream/auth/creds/cloud_secret_access_key"],
    ],
    [
      "a delivery stream",
      { cloud_delivery_stream: { auth: creds, delivery_stream_arn: ARN } },
      ["/target/cloud_delivery_stream/auth/creds/cloud_secret_access_key"],
    ],
    [
      "a bucket",
      { object_storage: { ...object_storage, auth: creds } },
      ["/target/object_storage/auth/creds/cloud_secret_access_key"],
    ],
    [
      "a monitoring vendor",
      { monitoring_vendor: { api_key: given.SECRET } },
      ["/target/monitoring_vendor/api_key"],
    ],
    ["a log ingestion service", { logs_ingestion }, ["/target/logs_ingestion/client_secret"]],
    [
      "a webhook with a generated secret",
      { webhook: { url: "https://hooks.example.com/" } },
      ["/target/webhook/secret"],
    ],
    [
      "a webhook with a secret",
      { webhook: { url: "https://hooks.example.com/", secret: `whsec_${btoa("x".repeat(24))}` } },
      ["/target/webhook/secret"],
    ],
  ])("with %s", async (_, target, secrets) => {
    const path = await destinationPath(target);
    expect(await secretsChanged()).toEqual(secrets);
    await patch(path, { description: "only this" });
    expect(await secretsChanged()).toEqual([]);
    const changed = await patch(path, { description: "and this", target });
    expect(await secretsChanged()).toEqual(secrets);
    const [event] = await newest();
    if (secrets.length === 0) await undone(changed);
    else
      for (const what of [changed, [event?.["event_id"]]])
        expect(await refused(what)).toContain(`it changed the secret ${secrets[0]},`);
    const deleted = await del(path);
    expect(await secretsChanged()).toEqual([]);
    if (secrets.length === 0) await undone(deleted);
    else expect(await refused(deleted)).toContain(`it needs the secret ${secrets[0]},`);
  });
});

const verification = ["/webhook_verification/secret"];

test.each<[string, (path: string) => Promise<Answer>, string[]]>([
  ["a PATCH", (path) => patch(path, { webhook_verification: github }), verification],
  ["a PUT of the module", (path) => put(`${path}/webhook_verification`, github), verification],
  ["a PUT of sns, which has no secret", (path) => put(`${path}/webhook_verification`, sns), []],
  ["a PUT of another module", (path) => put(`${path}/compression`, {}), []],
  [
    "an operation of a transaction",
    (path) =>
      post("/transactions", {
        operations: [toPatch(path, { webhook_verification: github })],
      }),
    verification,
  ],
])("the secret of a webhook verification is named after %s", async (_, act, secrets) => {
  const path = await routePath();
  expect(await secretsChanged()).toEqual([]);
  const changed = await act(path);
  expect(changed.status, changed.text).toBe(200);
  expect(await secretsChanged()).toEqual(secrets);
  if (secrets.length === 0) await undone(changed);
  else expect(await refused(changed)).toContain("it changed the secret /webhook_verification/secret");
});

test("a route with a webhook verification: other changes are undone, its removal and its deletion are not", async () => {
  const edge = await given.httpsEdge();
  const path = await routePath({ edge_id: edge["id"], webhook_verification: github, description: "a" });
  expect(await secretsChanged()).toEqual(verification);
  const { body: before } = await get(path);
  await undone(await patch(path, { description: "b", compression: {} }));
  expect((await get(path)).body).toEqual(before);
  const removed = await del(`${path}/webhook_verification`);
  expect(await secretsChanged()).toEqual([]);
  expect(await refused(removed)).toContain("it needs the secret /webhook_verification/secret");
  await put(`${path}/webhook_verification`, github);
  const toSns = await put(`${path}/webhook_verification`, { provider: "SNS" });
  expect(await refused(toSns)).toContain("it needs the secret /webhook_verification/secret");
  await put(`${path}/webhook_verification`, github);
  expect(await refused(await del(path))).toContain("it needs the secret /webhook_verification/secret");
});

test("a deleted edge with such a route is not created again, not even without the route", async () => {
  const edge = await given.httpsEdge();
  const route = await given.route({ edge_id: edge["id"], webhook_verification: github });
  const message = await refused(await del(`/edges/https/${edge["id"]}`));
  expect(message).toContain(`its route ${route["id"]} needs the secret /webhook_verification/secret`);
});

test("what was created with a secret is deleted", async () => {
  const created = await post("/event_destinations", {
    target: { monitoring_vendor: { api_key: given.SECRET } },
  });
  expect(await undone(created)).toMatchObject([{ method: "DELETE" }]);
});

test("a target is restored if neither the new one nor the old one has a secret; if the old one has, it is not", async () => {
  const path = await destinationPath(logs(role));
  const { body: before } = await get(path);
  await undone(await patch(path, { target: { object_storage: { ...object_storage, auth: role } } }));
  expect((await get(path)).body).toEqual(before);
  await patch(path, { target: logs(creds) });
  const back = await patch(path, { target: logs(role) });
  expect(await refused(back)).toContain(
    "it needs the secret /target/cloud_logs/auth/creds/cloud_secret_access_key",
  );
});

test("a secret among the changes of a request means that none of them is undone", async () => {
  const path = await routePath();
  const answer = await post("/transactions", {
    operations: [toPost("/ip_policies"), toPut(`${path}/webhook_verification`, github)],
  });
  const [secret, policy] = await newest(2);
  expect(await refused(answer)).toContain(secret?.["event_id"]);
  expect(await undone([policy?.["event_id"]])).toMatchObject([{ method: "DELETE" }]);
});

test("setting a secret to the same value is a change of it", async () => {
  const path = await routePath({ webhook_verification: github });
  expect(await refused(await patch(path, { webhook_verification: github }))).toContain(
    "it changed the secret",
  );
});

test("events of earlier releases: undone if no secret can have changed", async () => {
  const path = await destinationPath({ monitoring_vendor: { api_key: given.SECRET } });
  const withSecret = await patch(path, { description: "a" });
  const plain = await routePath();
  const withoutSecret = await patch(plain, { description: "a" });
  const policy = await post("/ip_policies", {});
  await withoutMember();
  const events = await newest(5);
  expect(events.map(({ event_type, secrets_changed = "absent" }) => [event_type, secrets_changed])).toEqual([
    ["ip_policy_created.v0", []],
    ["https_edge_route_updated.v0", "absent"],
    ["https_edge_route_created.v0", "absent"],
    ["https_edge_created.v0", []],
    ["event_destination_updated.v0", "absent"],
  ]);
  expect(await refused(withSecret)).toContain(
    "the log does not have whether it changed the secret /target/monitoring_vendor/api_key",
  );
  await undone(withoutSecret);
  await undone(policy);
});
