import assert from "node:assert/strict";
import { test } from "node:test";
import type { SendContext } from "../../../src/delivery/sender.ts";
import { until } from "../support/wait.ts";
import { ACCESS_KEY_ID, contextFor, DESTINATION, keys, SECRET, several, subjects } from "./given.ts";
import { assumed, jsonError, type Key, startCloud, taken, type Verified, xmlError } from "./receivers/aws.ts";
import type { Answer } from "./receivers/http.ts";

const HOUR = 3_600_000;
const cloudKey = { accessKeyId: ACCESS_KEY_ID, secretAccessKey: SECRET };
const nothing = { again: [], rejected: [] };

let roles = 0;
/** A role that no test has used yet. */
const newRole = (): string => `arn:aws:iam::123456789012:role/events-${(roles += 1)}`;

const sendersAs = (role_arn: string) => subjects({ role: { role_arn } });

/** A token service that returns a new key each time, and a target that accepts these keys. */
async function start({
  lasting = HOUR,
  token = () => undefined,
  answer = taken,
}: {
  /** The lifetime of its keys, in milliseconds. */
  lasting?: number;
  /** The token service's response instead of a key. */
  token?: (index: number) => Answer | undefined;
  /** The target's response. */
  answer?: (request: Verified, index: number) => Answer;
} = {}) {
  const temporary: Record<string, Key> = {};
  const service = await startCloud({
    keys,
    answer: (_, index) => {
      const id = `ASIA${index}`;
      const key = { secret: `secret ${index}`, token: `token${index}/+=` };
      temporary[id] = key;
      return token(index) ?? assumed(id, key, Date.now() + lasting);
    },
  });
  const target = await startCloud({ keys: temporary, answer });
  const endpoints = {
    sts: service.url,
    ...Object.fromEntries(subjects().map(({ member }) => [member, target.url])),
  };
  return {
    service,
    target,
    context: (settings: Partial<SendContext["settings"]> = {}) =>
      contextFor(endpoints, { cloudKey, externalId: "installation-1", ...settings }),
    async close() {
      await service.close();
      await target.close();
    },
  };
}

const send = (role: string, context: SendContext) => {
  const [sender] = sendersAs(role);
  assert.ok(sender);
  return sender.send(several(1), context);
};

test("every sender signs with the role's temporary key and token", async () => {
  const cloud = await start();
  const role = newRole();
  for (const { send } of sendersAs(role)) assert.deepEqual(await send(several(2), cloud.context()), nothing);
  await cloud.close();
  assert.deepEqual([...cloud.service.complaints, ...cloud.target.complaints], []);
  assert.equal(cloud.target.requests.length, 4);
  for (const { signed } of cloud.target.requests) {
    assert.equal(signed.accessKeyId, "ASIA0");
    assert.ok(signed.headers.includes("x-amz-security-token"));
  }
  // One call for all.
  assert.equal(cloud.service.requests.length, 1);
  const [request] = cloud.service.requests;
  assert.deepEqual([request?.signed.service, request?.signed.region], ["sts", "eu-central-1"]);
  assert.deepEqual(Object.fromEntries(new URLSearchParams(String(request?.body))), {
    Action: "AssumeRole",
    Version: "2011-06-15",
    RoleArn: role,
    RoleSessionName: DESTINATION,
    DurationSeconds: "3600",
    ExternalId: "installation-1",
  });
});

test("without an external id, none is sent", async () => {
  const cloud = await start();
  await send(newRole(), cloud.context({ externalId: undefined }));
  await cloud.close();
  assert.equal(new URLSearchParams(String(cloud.service.requests[0]?.body)).has("ExternalId"), false);
});

test("each role and external id has its own call, and its key is cached", async () => {
  const cloud = await start();
  const [one, other] = [newRole(), newRole()];
  const context = cloud.context();
  for (let i = 0; i < 10; i++) await send(one, context);
  assert.equal(cloud.service.requests.length, 1);
  await send(other, context);
  assert.equal(cloud.service.requests.length, 2);
  await send(one, cloud.context({ externalId: "installation-2" }));
  assert.equal(cloud.service.requests.length, 3);
  await send(one, cloud.context());
  assert.equal(cloud.service.requests.length, 3);
  await cloud.close();
  assert.deepEqual(cloud.target.complaints, []);
});

test("no run waits for another run's call, which may never end", async () => {
  const cloud = await start({ token: (index) => (index === 0 ? "hang" : undefined) });
  const role = newRole();
  const stuck = send(role, cloud.context());
  await until("the first run calls", () => cloud.service.requests.length > 0);
  assert.deepEqual(await send(role, cloud.context()), nothing);
  await cloud.close();
  assert.equal((await stuck).failure?.error.code, "network");
});

test("keys are cached until 5 minutes before they expire", async () => {
  for (const [lasting, calls] of [
    [310_000, 1],
    [299_000, 2],
  ] as const) {
    const cloud = await start({ lasting });
    const role = newRole();
    await send(role, cloud.context());
    await send(role, cloud.context());
    await cloud.close();
    assert.equal(cloud.service.requests.length, calls);
  }
});

test("at most 100 keys are cached, and the oldest are dropped first", async () => {
  const cloud = await start();
  const many = Array.from({ length: 101 }, newRole);
  for (const role of many) await send(role, cloud.context());
  const [first = "", second = ""] = many;
  await send(second, cloud.context());
  assert.equal(cloud.service.requests.length, 101);
  await send(first, cloud.context());
  assert.equal(cloud.service.requests.length, 102);
  await cloud.close();
});

test("a key is dropped if the target reports an expired token", async () => {
  for (const code of ["ExpiredTokenException", "ExpiredToken"]) {
    const cloud = await start({
      answer: (request, index) => (index === 0 ? jsonError(code) : taken(request)),
    });
    const role = newRole();
    const { failure } = await send(role, cloud.context());
    assert.equal(failure?.class, "retry");
    assert.deepEqual(await send(role, cloud.context()), nothing);
    await cloud.close();
    assert.deepEqual(
      cloud.target.requests.map(({ signed }) => signed.accessKeyId),
      ["ASIA0", "ASIA1"],
    );
  }
});

test("without the service's own key", async () => {
  const { failure } = await send(newRole(), contextFor({}));
  assert.equal(failure?.class, "configuration");
  assert.equal(failure.error.code, "no_cloud_key");
});

test("an invalid role, or a role in another partition, is not requested", async () => {
  const cloud = await start();
  for (const role of ["events", "arn:aws-cn:iam::123456789012:role/events"]) {
    const { failure } = await send(role, cloud.context());
    assert.equal(failure?.error.code, "invalid_role_arn");
  }
  await cloud.close();
  assert.equal(cloud.service.requests.length, 0);
});

test("errors from the token service are not cached", async () => {
  for (const [answer, expected] of [
    [xmlError("AccessDenied", "User arn:… is not authorized", 403), "configuration AccessDenied"],
    [xmlError("RegionDisabledException", "", 403), "configuration RegionDisabledException"],
    [xmlError("InvalidClientTokenId", "", 403), "configuration InvalidClientTokenId"],
    [xmlError("ValidationError", "", 400), "configuration ValidationError"],
    [xmlError("SomethingNew", "", 400), "configuration http_400"],
    [{ status: 400, body: "words" }, "configuration http_400"],
    [xmlError("Throttling", "", 400), "retry Throttling"],
    [xmlError("InternalFailure", "", 500), "retry InternalFailure"],
    [{ body: "" }, "retry unreadable_response"],
    [{ body: "<AccessKeyId>a</AccessKeyId>" }, "retry unreadable_response"],
    [assumed("ASIA", { secret: "s", token: "a b" }, Date.now() + HOUR), "retry unreadable_response"],
    ["reset", "retry network"],
  ] as [Answer, string][]) {
    const cloud = await start({ token: (index) => (index === 0 ? answer : undefined) });
    const role = newRole();
    const { failure } = await send(role, cloud.context());
    assert.equal(`${failure?.class} ${failure?.error.code}`, expected);
    assert.ok(!/arn:…|words/.test(JSON.stringify(failure)));
    assert.equal(cloud.target.requests.length, 0);
    assert.deepEqual(await send(role, cloud.context()), nothing);
    await cloud.close();
  }
});
