import { Webhook } from "standardwebhooks";
import { describe, expect, test } from "vitest";
import { logsIngestion } from "../src/delivery/logs_ingestion.ts";
import { monitoringVendor } from "../src/delivery/monitoring_vendor.ts";
import type { DeliverySettings, OutgoingEvent, Receipt, SendContext } from "../src/delivery/sender.ts";
import { settingsOf } from "../src/delivery/settings.ts";
import { webhook } from "../src/delivery/webhook.ts";

/*
 * Senders in the runtime that they are deployed to: the requests that they make with its cryptography and compression.
 * All other tests of senders are in `test/e2e/delivery/`, where there are servers to send to.
 */

const envelope = {
  event_id: "ev_000000000000000000000000001",
  event_type: "tcp_edge_updated.v0",
  event_timestamp: "2026-11-20T10:00:00Z",
  account_id: "ac_default",
  principal: null,
  object: { id: "edgtcp_1", uri: "https://api.example.com/edges/tcp/edgtcp_1" },
  operation_id: "op_1",
};
const text = JSON.stringify(envelope);
const event: OutgoingEvent = { seq: 1, at: 0, envelope, text, bytes: text.length };

const settings: DeliverySettings = {
  endpoints: {},
  allowedHosts: [],
  resolver: undefined,
  cloudKey: undefined,
  externalId: undefined,
  origin: "https://api.example.com",
};

/** A sender's requests, all of which are accepted. */
async function requestsOf(send: (context: SendContext) => Promise<Receipt>): Promise<Request[]> {
  const requests: Request[] = [];
  const receipt = await send({
    destinationId: "ed_1",
    settings,
    call: async (url, init) => {
      requests.push(new Request(url, init));
      return { status: 200, headers: new Headers(), text: '{"access_token":"t","expires_in":3600}' };
    },
  });
  expect(receipt).toEqual({ again: [], rejected: [] });
  return requests;
}

/** The body of a request, decompressed. */
async function plain(request: Request | undefined): Promise<unknown> {
  expect(request?.headers.get("Content-Encoding")).toBe("gzip");
  return new Response(request?.body?.pipeThrough(new DecompressionStream("gzip"))).json();
}

test("a webhook is signed", async () => {
  const secret = `whsec_${btoa("s".repeat(24))}`;
  const previous = { secret: `whsec_${btoa("p".repeat(64))}`, until: Date.now() + 60_000 };
  const target = { url: "https://hooks.example.com/edge", secret, previous };
  const [request] = await requestsOf((context) => webhook.send(target, [event], context));
  const headers = Object.fromEntries(request?.headers ?? []);
  const body = (await request?.text()) ?? "";
  for (const known of [secret, previous.secret])
    expect(new Webhook(known).verify(body, headers)).toEqual(envelope);
});

test("entries for the monitoring vendor are compressed", async () => {
  const [request] = await requestsOf((context) => monitoringVendor.send({ api_key: "k" }, [event], context));
  expect(await plain(request)).toEqual([
    {
      message: "tcp_edge_updated.v0 edgtcp_1",
      ddsource: "edge-configuration",
      hostname: "api.example.com",
      ...envelope,
    },
  ]);
});

test("events for log ingestion are compressed, with a token", async () => {
  const target = {
    tenant_id: "t",
    client_id: "c",
    client_secret: "s",
    logs_ingestion_uri: "https://a.b.ingest.monitor.azure.com",
    data_collection_rule_id: "r",
    data_collection_stream_name: "n",
  };
  const [token, request] = await requestsOf((context) => logsIngestion.send(target, [event], context));
  expect(token?.url).toBe("https://login.microsoftonline.com/t/oauth2/v2.0/token");
  expect(request?.headers.get("Authorization")).toBe("Bearer t");
  expect(await plain(request)).toEqual([envelope]);
});

describe("the operator's settings", () => {
  const origin = "https://api.example.com";

  test("are absent if no variable is set, or only empty ones", () => {
    const empty = {
      TARGET_ENDPOINTS: "",
      ALLOWED_TARGET_HOSTS: "",
      RESOLVER: "",
      CLOUD_ACCESS_KEY_ID: "",
      CLOUD_SECRET_ACCESS_KEY: "",
      CLOUD_EXTERNAL_ID: "",
    };
    expect(settingsOf({}, origin)).toEqual({ settings });
    expect(settingsOf(empty, origin)).toEqual({ settings });
  });

  test("are read", () => {
    const variables = {
      TARGET_ENDPOINTS: '{"webhook": "http://127.0.0.1:4000/", "sts": "https://sts.example.com"}',
      ALLOWED_TARGET_HOSTS: "Hooks.Internal , logs.example.com",
      RESOLVER: "https://cloudflare-dns.com/dns-query",
      CLOUD_ACCESS_KEY_ID: "id",
      CLOUD_SECRET_ACCESS_KEY: "secret",
      CLOUD_EXTERNAL_ID: "edge:1",
    };
    expect(settingsOf(variables, origin).settings).toEqual({
      endpoints: { webhook: "http://127.0.0.1:4000", sts: "https://sts.example.com" },
      allowedHosts: ["hooks.internal", "logs.example.com"],
      resolver: "https://cloudflare-dns.com/dns-query",
      cloudKey: { accessKeyId: "id", secretAccessKey: "secret" },
      externalId: "edge:1",
      origin,
    });
  });

  test.each([
    { TARGET_ENDPOINTS: "[]" },
    { TARGET_ENDPOINTS: "null" },
    { TARGET_ENDPOINTS: '{"webhook": 1}' },
    { TARGET_ENDPOINTS: '{"webhook": "file:///etc/passwd"}' },
    { TARGET_ENDPOINTS: '{"webhook": "http://user@127.0.0.1:4000"}' },
    { TARGET_ENDPOINTS: '{"webhook": "http://127.0.0.1:4000?a"}' },
    { TARGET_ENDPOINTS: '{"__proto__": "http://127.0.0.1:4000"}' },
    { ALLOWED_TARGET_HOSTS: "a.example,,b.example" },
    { ALLOWED_TARGET_HOSTS: "a.example:443" },
    { ALLOWED_TARGET_HOSTS: "[::1]" },
    { ALLOWED_TARGET_HOSTS: "2130706433" },
    { RESOLVER: "resolver.example.com" },
    { RESOLVER: "ftp://127.0.0.1/" },
    { RESOLVER: "https://user@resolver.example.com/" },
    { CLOUD_SECRET_ACCESS_KEY: "secret-of-the-service" },
    { CLOUD_EXTERNAL_ID: "x" },
  ])("are rejected as a whole with %j, without quoting its value", (variables) => {
    const { settings, problems } = settingsOf(variables, origin);
    expect(settings).toBeUndefined();
    expect(problems).toHaveLength(1);
    expect(problems?.[0]).toContain(Object.keys(variables)[0]);
    expect(problems?.[0]).not.toContain("secret-of-the-service");
  });
});
