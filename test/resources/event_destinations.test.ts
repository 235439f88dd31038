import { env } from "cloudflare:workers";
import { afterEach, describe, expect, test, vi } from "vitest";
import { clock } from "../../packages/model/src/clock.ts";
import type { StoredTarget } from "../../src/db/column_types.ts";
import { keyRingOf, unseal } from "../../src/db/seals.ts";
import { create, get, ORIGIN, patch, post } from "../support/api.ts";
import * as given from "../support/given.ts";

const role = { role: { role_arn: "arn:aws:iam::123456789012:role/events" } };
const creds = { creds: { cloud_access_key_id: "AKIAEXAMPLE", cloud_secret_access_key: given.SECRET } };
const shownCreds = { cloud_access_key_id: "AKIAEXAMPLE", cloud_secret_access_key: null };
const ingestion = {
  tenant_id: "tenant",
  client_id: "client",
  client_secret: given.SECRET,
  logs_ingestion_uri: "https://ingest.example.com",
  data_collection_rule_id: "dcr-1",
  data_collection_stream_name: "Custom-Events",
};

const files = {
  object_prefix: "é".repeat(256),
  compression: false,
  max_file_size: 1_024,
  max_file_age: 86_400,
};

const HOOK = "https://hooks.example.com:8443/edge?a=b";
const whsec = (bytes: number, fill = "x") => `whsec_${btoa(given.SECRET.padEnd(bytes, fill))}`;
const WHSEC = whsec(32);

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
  { sent: { monitoring_vendor: { api_key: given.SECRET } }, shown: { monitoring_vendor: { api_key: null } } },
  {
    sent: {
      monitoring_vendor: { api_key: given.SECRET, tags: "a:b", service: "edge", site: "eu.example.com" },
    },
    shown: { monitoring_vendor: { api_key: null, tags: "a:b", service: "edge", site: "eu.example.com" } },
  },
  {
    sent: { monitoring_vendor: { api_key: given.SECRET, tags: "" } },
    shown: { monitoring_vendor: { api_key: null } },
  },
  { sent: { logs_ingestion: ingestion }, shown: { logs_ingestion: { ...ingestion, client_secret: null } } },
  {
    sent: { object_storage: { auth: creds, bucket_arn: "arn:4", region: "eu-west-1", object_prefix: "" } },
    shown: {
      object_storage: {
        auth: { role: null, creds: shownCreds },
        bucket_arn: "arn:4",
        region: "eu-west-1",
        compression: true,
        max_file_size: 5_242_880,
        max_file_age: 300,
      },
    },
  },
  {
    sent: { object_storage: { auth: role, bucket_arn: "arn:4", region: "eu-west-1", ...files } },
    shown: {
      object_storage: { auth: { ...role, creds: null }, bucket_arn: "arn:4", region: "eu-west-1", ...files },
    },
  },
  { sent: { webhook: { url: HOOK, secret: WHSEC } }, shown: { webhook: { url: HOOK, secret: null } } },
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
    const { id } = await given.destination({ description: "kept" });
    const { body } = await patch(`/event_destinations/${id}`, { target: sent });
    expect(body.target).toEqual({ ...unset, ...shown });
    expect(body.description).toBe("kept");
  });
});

test("PATCH without a target leaves it unchanged, including its secret in the database", async () => {
  const destination = await given.destination();
  const { body } = await patch(`/event_destinations/${destination.id}`, { description: "x", format: "json" });
  expect(body).toEqual({ ...destination, description: "x" });
  const stored = "select target from event_destinations where id = ?";
  const row = await env.DB.prepare(stored).bind(destination.id).first<{ target: string }>();
  const { api_key } = JSON.parse(row?.target ?? "").monitoring_vendor;
  const ring = await keyRingOf(env.SEALING_KEYS);
  expect(await unseal(ring ?? new Map(), api_key, `${destination.id}/target.monitoring_vendor.api_key`)).toBe(
    given.SECRET,
  );
});

test.each([
  [{}, "/target"],
  [{ target: {} }, "/target"],
  [{ target: null }, "/target"],
  [{ target: [] }, "/target"],
  [{ target: { nothing: {} } }, "/target"],
  [{ target: { object_storage: {} } }, "/target/object_storage/auth"],
  [{ target: { object_storage: {} } }, "/target/object_storage/bucket_arn"],
  [{ target: { object_storage: {} } }, "/target/object_storage/region"],
  [
    { target: { object_storage: { object_prefix: `${"é".repeat(256)}a` } } },
    "/target/object_storage/object_prefix",
  ],
  [{ target: { object_storage: { max_file_size: 1_023 } } }, "/target/object_storage/max_file_size"],
  [{ target: { object_storage: { max_file_size: 10_485_761 } } }, "/target/object_storage/max_file_size"],
  [{ target: { object_storage: { max_file_age: 9 } } }, "/target/object_storage/max_file_age"],
  [{ target: { object_storage: { max_file_age: 86_401 } } }, "/target/object_storage/max_file_age"],
  [{ target: { object_storage: { compression: "gzip" } } }, "/target/object_storage/compression"],
  [{ target: { webhook: {} } }, "/target/webhook/url"],
  [{ target: { webhook: { url: HOOK, secret: given.SECRET } } }, "/target/webhook/secret"],
  [{ target: { webhook: { url: HOOK, secret: "" } } }, "/target/webhook/secret"],
  [
    { target: { webhook: { url: HOOK, secret: `whsec_${btoa(given.SECRET.slice(0, 23))}` } } },
    "/target/webhook/secret",
  ],
  [{ target: { webhook: { url: HOOK, secret: whsec(65) } } }, "/target/webhook/secret"],
  [{ target: { webhook: { url: HOOK, secret: whsec(32).replace("=", "") } } }, "/target/webhook/secret"],
  [{ target: { webhook: { url: HOOK, secret: whsec(32).replace("whsec_", "") } } }, "/target/webhook/secret"],
  [{ target: { monitoring_vendor: { api_key: given.SECRET }, logs_ingestion: ingestion } }, "/target"],
  [{ target: { monitoring_vendor: {} } }, "/target/monitoring_vendor/api_key"],
  [{ target: { monitoring_vendor: { api_key: "" } } }, "/target/monitoring_vendor/api_key"],
  [{ target: { monitoring_vendor: { api_key: given.SECRET, site: "" } } }, "/target/monitoring_vendor/site"],
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
  [{ format: "xml", target: { monitoring_vendor: { api_key: given.SECRET } } }, "/format"],
  [{ format: "", target: { monitoring_vendor: { api_key: given.SECRET } } }, "/format"],
])("%j is rejected at %s", async (body, path) => {
  const answer = await post("/event_destinations", body);
  expect(answer.status).toBe(400);
  expect(answer.body.errors).toContainEqual({ path, msg: expect.any(String) });
  expect(answer.text).not.toContain(given.SECRET);
});

test.each([
  ["abc\n", "The last character is a line feed (U+000A)."],
  ["abc\r\n", "Character 4 is a carriage return (U+000D)."],
  [" abc", "The first character is a space (U+0020)."],
  ["a\tb", "Character 2 is a tab (U+0009)."],
  ["\n", "The last character is a line feed (U+000A)."],
  ["abc\u00a0", "The last character is U+00A0."],
  ["abcé", "The last character is not printable ASCII, as it must be in a header."],
])("the error for the key %j says which character is wrong", async (text, problem) => {
  const api_key = given.SECRET + text;
  const shifted = problem.replace(/(?<=^Character )\d/, (digit) =>
    String(given.SECRET.length + Number(digit)),
  );
  const sent = text.startsWith(" ") ? text + given.SECRET : api_key;
  const answer = await post("/event_destinations", { target: { monitoring_vendor: { api_key: sent } } });
  expect(answer.status).toBe(400);
  expect(answer.body.errors[0].msg).toContain(shifted);
  expect(answer.text).not.toContain(given.SECRET);
});

test("a secret that is not sent in a header can contain other characters, and spaces in it", async () => {
  const client_secret = `é ${given.SECRET} 😀`;
  const target = { logs_ingestion: { ...ingestion, client_secret } };
  expect((await post("/event_destinations", { target })).status).toBe(201);
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

test("the error of an exactly-one rule lists the fields to choose from", async () => {
  const target = { cloud_logs: { log_group_arn: "arn", auth: {} } };
  const { body } = await post("/event_destinations", { target });
  expect(body.errors).toEqual([
    { path: "/target/cloud_logs/auth", msg: "Set exactly one of role or creds." },
  ]);
});

test("an invalid field counts as set for an exactly-one rule", async () => {
  const { body } = await post("/event_destinations", { target: { monitoring_vendor: { api_key: 5 } } });
  expect(body.errors).toHaveLength(1);
});

const HOUR = 3_600_000;

/** The stored webhook of a destination, with its secrets decrypted. */
async function storedWebhook(id: string): Promise<NonNullable<StoredTarget["webhook"]>> {
  const row = await env.DB.prepare("select target from event_destinations where id = ?")
    .bind(id)
    .first<{ target: string }>();
  const { webhook } = JSON.parse(row?.target ?? "");
  const open = async (secret: string) =>
    unseal((await keyRingOf(env.SEALING_KEYS)) ?? new Map(), secret, `${id}/target.webhook.secret`);
  const { previous } = webhook;
  return {
    ...webhook,
    secret: await open(webhook.secret),
    ...(previous && { previous: { ...previous, secret: await open(previous.secret) } }),
  };
}

const webhook = (secret?: string, url = HOOK) => ({ target: { webhook: { url, secret } } });

describe("the secret of a webhook", () => {
  afterEach(() => {
    vi.restoreAllMocks();
  });

  test("is generated if it is omitted, and shown once to the caller", async () => {
    const made = await create("/event_destinations", webhook());
    const { secret } = made["target"].webhook;
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect((await storedWebhook(made["id"])).secret).toBe(secret);
    expect((await get(made["uri"])).body.target.webhook).toEqual({ url: HOOK, secret: null });
    expect((await get("/event_destinations")).text).not.toContain(secret);
    const changed = (await patch(made["uri"], webhook())).body.target.webhook.secret;
    expect(changed).toMatch(/^whsec_/);
    expect(changed).not.toBe(secret);
    expect((await get(made["uri"])).text).not.toContain("whsec_");
    const other = await patch(made["uri"], { description: "x" });
    expect(other.text).not.toContain("whsec_");
  });

  test("is not in the replay for an Idempotency-Key, nor in its record", async () => {
    const headers = { "Idempotency-Key": crypto.randomUUID() };
    const { body } = await post("/event_destinations", webhook(), { headers });
    const again = await post("/event_destinations", webhook(), { headers });
    expect(again.headers.get("Idempotent-Replayed")).toBe("true");
    expect(again.body).toEqual({
      ...body,
      target: { ...body.target, webhook: { url: HOOK, secret: null } },
    });
    const { results } = await env.DB.prepare("select * from idempotency_records").all();
    expect(JSON.stringify(results)).not.toContain("whsec_");
  });

  test.each([24, 25, 26, 27, 62, 63, 64])("can have %i bytes", async (bytes) => {
    const secret = `whsec_${btoa("x".repeat(bytes))}`;
    const { id } = await create("/event_destinations", webhook(secret));
    expect((await storedWebhook(id)).secret).toBe(secret);
  });

  test("stays in use for 24 hours after another one replaced it", async () => {
    const now = vi.spyOn(clock, "now").mockReturnValue(Date.parse("2026-11-20T00:00:00Z"));
    const until = clock.now() + 24 * HOUR;
    const { id, uri } = await create("/event_destinations", webhook(whsec(40, "a")));
    expect((await storedWebhook(id)).previous).toBeUndefined();
    await patch(uri, webhook(whsec(40, "b")));
    const second = { url: HOOK, secret: whsec(40, "b"), previous: { secret: whsec(40, "a"), until } };
    expect(await storedWebhook(id)).toMatchObject(second);
    now.mockReturnValue(until - HOUR);
    const { body } = await patch(uri, webhook());
    expect(await storedWebhook(id)).toMatchObject({
      secret: body.target.webhook.secret,
      previous: { secret: whsec(40, "b"), until: until + 23 * HOUR },
    });
  });

  test("can be sent again, and its predecessor still stays in use until the same time", async () => {
    const now = vi.spyOn(clock, "now").mockReturnValue(Date.parse("2026-11-20T00:00:00Z"));
    const previous = { secret: whsec(40, "a"), until: clock.now() + 24 * HOUR };
    const { id, uri } = await create("/event_destinations", webhook(whsec(40, "a")));
    await patch(uri, webhook(whsec(40, "b")));
    now.mockReturnValue(clock.now() + HOUR);
    await patch(uri, webhook(whsec(40, "b"), `${HOOK}&c`));
    expect(await storedWebhook(id)).toMatchObject({ url: `${HOOK}&c`, secret: whsec(40, "b"), previous });
    await patch(uri, webhook(whsec(40, "b"), HOOK));
    expect(await storedWebhook(id)).toMatchObject({ url: HOOK, previous });
  });

  test("has no previous secret if there was none", async () => {
    const { id, uri } = await create("/event_destinations", webhook(WHSEC));
    await patch(uri, webhook(WHSEC, `${HOOK}&c`));
    expect(await storedWebhook(id)).not.toHaveProperty("previous");
    const other = await given.destination();
    await patch(other["uri"], webhook(WHSEC));
    expect(await storedWebhook(other["id"])).not.toHaveProperty("previous");
    await patch(uri, { target: { monitoring_vendor: { api_key: given.SECRET } } });
    await patch(uri, webhook(whsec(50)));
    expect(await storedWebhook(id)).not.toHaveProperty("previous");
  });

  test("that a concurrent request replaced is the one that stays in use", async () => {
    const secrets = Array.from("abcdefgh", (letter) => whsec(40, letter));
    const { id, uri } = await create("/event_destinations", webhook(WHSEC));
    const versions = await Promise.all(
      secrets.map(async (secret) => {
        const { headers } = await patch(uri, webhook(secret));
        return { secret, version: Number(headers.get("ETag")?.slice(10, -1)) };
      }),
    );
    const [last, before] = versions.toSorted((a, b) => b.version - a.version);
    expect(await storedWebhook(id)).toMatchObject({
      secret: last?.secret,
      previous: { secret: before?.secret },
    });
  });

  test("and its predecessor are resealed together", async () => {
    const { id, uri } = await create("/event_destinations", webhook(whsec(40, "a")));
    await patch(uri, webhook(whsec(40, "b")));
    const before = await storedWebhook(id);
    const [one = "", two = ""] = env.SEALING_KEYS?.split(",") ?? [];
    const { body } = await post("/sealed_secrets/reseal", {}, { env: { SEALING_KEYS: `${two},${one}` } });
    expect(body).toMatchObject({ unopened: [], unwritten: [] });
    const row = await env.DB.prepare("select target from event_destinations where id = ?").bind(id).first();
    expect(JSON.stringify(row).match(/sealed\.two\./g)).toHaveLength(2);
    expect(await storedWebhook(id)).toEqual(before);
    expect(
      (await post("/sealed_secrets/reseal", {}, { env: { SEALING_KEYS: `${two},${one}` } })).body.resealed,
    ).toBe(0);
  });
});

describe("the URL of a webhook", () => {
  const rejectionOf = async (url: string, vars = {}) => {
    const { status, body } = await post("/event_destinations", webhook(WHSEC, url), { env: vars });
    if (status === 201) return undefined;
    expect([status, body.errors.length, body.errors[0].path]).toEqual([400, 1, "/target/webhook/url"]);
    return body.errors[0].msg;
  };

  test.each([
    "https://hooks.example.com",
    "https://hooks.example.com:443/",
    "https://hooks.example.com:1024/a?b=c",
    "https://bücher.example.com/",
    "https://a_b.example.com/",
    "https://a.localhost.example.com/",
    "https://internal.example.com/",
    "https://1.2.3.4.example.com/",
  ])("can be %s", async (url) => {
    expect(await rejectionOf(url)).toBeUndefined();
  });

  test.each([
    ["http://hooks.example.com", "https"],
    ["hooks.example.com", "https"],
    ["javascript:alert(1)", "https"],
    ["https://user@hooks.example.com", "user name"],
    ["https://@@hooks.example.com/", "user name"],
    ["https://hooks.example.com@evil.example.net/", "user name"],
    ["https://%40@hooks.example.com/", "user name"],
    ["https:///hooks.example.com/", "https URL"],
    ["https:////hooks.example.com/", "https URL"],
    ["https://?hooks.example.com", "https URL"],
    ["https://hooks.example.com#", "fragment"],
    ["https://hooks.example.com:22", "port 443"],
    ["https://hooks.example.com:1023", "port 443"],
    ["https://hooks.example.com/ a", "white space"],
    ["https://hooks.example.com/\t", "white space"],
    ["https:\\\\hooks.example.com", "backslashes"],
    ["https://127.0.0.1", "IP address"],
    ["https://10.0.0.1:8443", "IP address"],
    ["https://93.184.215.14", "IP address"],
    ["https://2130706433", "IP address"],
    ["https://0177.0.0.01", "IP address"],
    ["https://127.1", "IP address"],
    ["https://0", "IP address"],
    ["https://127.0.0.1.", "IP address"],
    ["https://%31%32%37.0.0.1", "IP address"],
    ["https://１２７.０.０.１", "IP address"],
    ["https://[::1]", "IP address"],
    ["https://[::ffff:127.0.0.1]", "IP address"],
    ["https://[fd00::1]", "IP address"],
    ["https://localhost", "localhost"],
    ["https://LOCALHOST:8443", "localhost"],
    ["https://hooks.example.com.", "final dot"],
    ["https://a..example", "DNS name"],
    ["https://hooks", "domain"],
    ["https://metadata.google.internal", "public host"],
    ["https://PRINTER.LAN:8443/", "public host"],
    ["https://printer.ｌａｎ", "public host"],
    ["https://printer。lan", "public host"],
    ["https://printer.%6c%61%6e", "public host"],
    ["https://kubernetes.default.svc.cluster", "public host"],
    ["https://vault.service.consul", "public host"],
    ["https://hooks.docker", "public host"],
    ["https://printer.lan.", "final dot"],
    ["https://lan", "domain"],
    ["https://api.test", "this service's"],
    [`https://hooks.example.com/${"a".repeat(2_100)}`, "2048 bytes"],
  ])("must not be %s", async (url, word) => {
    expect(await rejectionOf(url)).toContain(word);
  });

  test.each([
    // IANA's registry of special-use domain names (RFC 6761), without those within .com, .net and .org.
    ..."alt|6tisch.arpa|10.in-addr.arpa|16.172.in-addr.arpa|170.0.0.192.in-addr.arpa|254.169.in-addr.arpa".split(
      "|",
    ),
    ..."168.192.in-addr.arpa|8.e.f.ip6.arpa|eap-noob.arpa|home.arpa|ipv4only.arpa|resolver.arpa|service.arpa".split(
      "|",
    ),
    ..."example|invalid|local|localhost|onion|test".split("|"),
    // RFC 6762, appendix G, and names that ICANN has reserved or will not delegate.
    ..."intranet|internal|private|corp|home|lan|mail|localdomain".split("|"),
  ])("is not within .%s, unless the operator allows it", async (domain) => {
    const problem = domain === "localhost" ? "not localhost" : "public host";
    for (const host of [`hooks.${domain}`, `A.B.${domain.toUpperCase()}:8443`])
      expect(await rejectionOf(`https://${host}/a`), host).toContain(problem);
    if (domain === "localhost") return;
    const ALLOWED_TARGET_HOSTS = `hooks.${domain}`;
    expect(await rejectionOf(`https://hooks.${domain}/a`, { ALLOWED_TARGET_HOSTS })).toBeUndefined();
    expect(await rejectionOf(`https://other.${domain}/a`, { ALLOWED_TARGET_HOSTS })).toContain(problem);
  });

  test.each([
    ..."hooks.edge.dev|hooks.пример.рф|lan.example.com|test.example.com|localhost.example.com|arpa.example.org|a.mylan.com".split(
      "|",
    ),
    ..."hooks.example.com/@b|hooks.example.com?a=@b|hooks.example.com/a//b@c:d|xn--bcher-kva.example.com".split(
      "|",
    ),
  ])("can be https://%s", async (rest) => {
    expect(await rejectionOf(`https://${rest}`)).toBeUndefined();
  });

  test("has a different host than BASE_URL", async () => {
    const BASE_URL = "https://config.example.com";
    expect(await rejectionOf("https://config.example.com:8443/a", { BASE_URL })).toContain("this service's");
  });

  test("can have a local name that the operator allows, but no other local name and no address", async () => {
    const ALLOWED_TARGET_HOSTS = "hooks.internal, HOOKS";
    for (const url of ["https://hooks.internal/a", "https://hooks"])
      expect(await rejectionOf(url, { ALLOWED_TARGET_HOSTS })).toBeUndefined();
    for (const url of [
      "https://a.hooks.internal",
      "https://hooks.local",
      "https://127.0.0.1",
      "http://hooks",
    ])
      expect(await rejectionOf(url, { ALLOWED_TARGET_HOSTS })).toEqual(expect.any(String));
  });

  test.each([
    { ALLOWED_TARGET_HOSTS: "127.0.0.1" },
    { ALLOWED_TARGET_HOSTS: "localhost" },
    { ALLOWED_TARGET_HOSTS: "https://hooks.internal" },
    { TARGET_ENDPOINTS: "{" },
    { TARGET_ENDPOINTS: '{"webhook": "127.0.0.1:4000"}' },
    { TARGET_ENDPOINTS: '{"webhook": "http://127.0.0.1:4000/path"}' },
    { TARGET_ENDPOINTS: '{"webhooks": "http://127.0.0.1:4000"}' },
    { RESOLVER: "http://resolver.example.com" },
    { CLOUD_ACCESS_KEY_ID: "AKIAEXAMPLE" },
    { CLOUD_EXTERNAL_ID: "a b" },
  ])("is rejected with 503 and an alert to the operator while the settings are %j", async (vars) => {
    const log = vi.spyOn(console, "error").mockReturnValue();
    const { status } = await post("/event_destinations", webhook(WHSEC), { env: vars });
    expect(status).toBe(503);
    const alerts = log.mock.calls.map(([line]) => JSON.parse(line)).filter(({ level }) => level === "alert");
    expect(alerts).toHaveLength(1);
    expect(alerts[0].msg).toContain(Object.keys(vars)[0]);
    log.mockRestore();
  });
});
